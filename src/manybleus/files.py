"""Files that are whole or not there: written beside their place, then moved into it."""

import errno
import fcntl
import hashlib
import io
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybleus.errors import ManybleusError

if TYPE_CHECKING:
    import pandas as pd


# Columns that hold names, also where a name looks like a number.
_NAMES = (
    "configuration",
    "system",
    "table",
    "pair",
    "ranking",
    "baseline_ranking",
    "first",
    "second",
    "from",
    "to",
    "of",
    "row",
    "verdict",
)


def read_bytes(path: Path) -> bytes:
    """Read a whole file; a device, which may have no end, is an ``OSError``."""
    if path.is_char_device() or path.is_block_device():
        raise OSError(errno.EINVAL, "it is a device, not a file", str(path))
    return path.read_bytes()


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file in one step, making its folder where needed."""
    if path.exists() and not path.is_file():
        # A device or a pipe is written to, not replaced.
        path.write_bytes(content)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own: a run that was given up may still be writing the same file.
    draft = path.with_name(f".{secrets.token_hex(8)}.draft")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror or str(error), str(path)) from None
        raise


@contextmanager
def alone_in(folder: Path) -> Iterator[Path]:
    """Make a folder and hold it against other runs, which would mix their files with ours; killed ones let go."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ManybleusError(f"{folder}: another run writes there; wait for it, or give another folder") from None
        yield folder
    finally:
        os.close(handle)


def write_text(path: Path, content: str) -> None:
    """Replace a file by a text in UTF-8, its line ends as they are."""
    write_bytes(path, content.encode("utf-8"))


def as_csv(table: "pd.DataFrame") -> str:
    """Return the text of a table's CSV file; a float reads back as the same bits, a missing value is nothing.

    A text that a spreadsheet would run as a formula has an apostrophe before it, as has one that begins with such
    apostrophes; numbers, and texts that are lists of numbers, stay as they are. ``read_table`` and ``cells`` take the
    apostrophe away.
    """
    shown = table.copy(deep=False)
    for name, column in table.items():
        if _may_hold_text(column):
            shown[name] = column.map(_guarded)
    # The older CPythons put a cell's "\r" into quotes only where the line end holds one.
    return _LINE_END.sub(r"\1\n", shown.to_csv(index=False, lineterminator="\r\n"))


# A line end after the unquoted and quoted cells before it.
_LINE_END = re.compile('((?:[^"\r]++|"[^"]*+")*+)\r\n')


# What a spreadsheet takes for the beginning of a formula, the wide forms too; apostrophes may stand before it.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBERS = re.compile(r"[-+]\d[\d.]*(e[-+]?\d+)?(; [\w.; +-]*)?", re.ASCII | re.IGNORECASE)


def _guarded(cell: object) -> object:
    runs = isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBERS.fullmatch(cell)
    return f"'{cell}" if runs else cell


def _unguarded(cell: object) -> object:
    return cell[1:] if isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell) else cell


def _may_hold_text(column: "pd.Series[Any]") -> bool:
    return column.dtype.kind not in "biufc"


def _without_guards(table: "pd.DataFrame") -> "pd.DataFrame":
    for name, column in table.items():
        if _may_hold_text(column) and column.astype(str).str.startswith("'").any():
            table[name] = column.map(_unguarded)
    return table


def write_table(path: Path, table: "pd.DataFrame") -> None:
    """Replace a CSV file by a table, as ``as_csv`` writes it."""
    write_text(path, as_csv(table))


def read_table(path: Path) -> "pd.DataFrame":
    """Read a CSV file with numbers as they were written; only an empty cell is a missing value.

    Raises
    ------
    ManybleusError
        If the file is empty, or no table.
    """
    import pandas as pd

    names = dict.fromkeys(_NAMES, str)
    try:
        table = pd.read_csv(path, dtype=names, keep_default_na=False, na_values=[""], low_memory=False)
    except ValueError as error:  # pandas' errors of parsing, and of decoding, are such
        why = str(error).strip()
        raise ManybleusError(
            f"{path}: is not the table that was written ({why}); delete it, and run the same command again"
        ) from None
    if table.columns[0] in ("configuration", "smoothing"):
        # A table of scores, whose columns are called as the systems are: a system may be named as a column of names.
        systems = [name for name in table.columns[1:] if name in _NAMES and name != "ranking"]
        table = table.astype(dict.fromkeys(systems, float))
    return _without_guards(table)


def read_tables(folder: Path, files: Iterable[str]) -> "dict[str, pd.DataFrame]":
    """Read several tables below one folder, by file name."""
    return {file: read_table(folder / file) for file in files}


def read_cells(path: Path) -> "pd.DataFrame":
    """Read a result file as cells of text; see ``cells``."""
    return cells(path.name, path.read_bytes())


def cells(name: str, content: bytes) -> "pd.DataFrame":
    """Return a CSV file's cells as text; of any other file one cell, ``sha256``, its digest."""
    import pandas as pd

    if name.endswith(".csv"):
        return _without_guards(pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False))
    return pd.DataFrame({"sha256": [hashlib.sha256(content).hexdigest()]})

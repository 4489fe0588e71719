"""One file of any kind: its text, its JSON value, its lines or its rows, and what is wrong with it."""

import csv
import gzip
import io
import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from manybleus.errors import raise_all
from manybleus.files import read_bytes

_SHOWN = 100
# How files begin that a program has compressed.
_PACKERS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"PK\x03\x04": "zip",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_SIGNS = {",": "commas", "\t": "tabs"}
# What a JSON file holds that cannot be read; null is a value.
UNREAD = object()


@dataclass(slots=True)
class Problems:
    """Everything that is wrong with some files; of each file so many lines are shown, and the rest is counted."""

    lines: list[str] = field(default_factory=list)
    further: int = 0

    def add(self, line: str) -> None:
        """Add one problem."""
        self.lines.append(line)

    def of_file(self, path: Path, lines: Sequence[str]) -> None:
        """Add what is wrong with one file."""
        self.lines += lines[:_SHOWN]
        more = len(lines) - _SHOWN
        if more > 0:
            self.lines.append(f"{path}: {more} more")
            self.further += more - 1

    def raise_all(self) -> None:
        """Raise one error that tells them all; do nothing where there is none."""
        raise_all(self.lines, "the caption files do not fit together", self.further)


def has_ending(path: Path, *endings: str) -> bool:
    """Whether a file is of a kind, compressed or not."""
    return path.name.lower().removesuffix(".gz").endswith(endings)


def is_json(path: Path) -> bool:
    """Whether a file is one of COCO's."""
    return has_ending(path, ".json")


def is_table(path: Path) -> bool:
    """Whether a file has columns."""
    return has_ending(path, ".csv", ".tsv")


def text_problem(text: str, what: str = "caption") -> str | None:
    """Say what keeps a text from being a caption, or an image id."""
    if "\0" in text:
        return f"the {what} holds a NUL; is it a text?"
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        return f"the {what} holds half of a surrogate pair; write whole characters"
    return None


def read_text(path: Path, problems: Problems) -> str | None:
    """Read a text in UTF-8, compressed or not; a byte order mark is no part of it."""
    is_gzip = path.suffix.lower() == ".gz"
    try:
        content = gzip.decompress(read_bytes(path)) if is_gzip else read_bytes(path)
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mend = _unpacking(error.object, is_gzip) or "save it as UTF-8"
        problems.add(f"{path}: is not UTF-8 at byte {error.start}; {mend}")
    except (OSError, EOFError, zlib.error, ValueError, MemoryError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "it does not fit into the memory"
        problems.add(f"{path}: cannot be read ({reason}); check the path and the file")
    else:
        if "\0" not in text:
            return text
        line = text.count("\n", 0, text.index("\0")) + 1
        mend = _unpacking(content, is_gzip) or "is it a text file? save one in UTF-16 as UTF-8"
        problems.add(f"{path}: line {line} holds a NUL; {mend}")
    return None


def _unpacking(content: bytes, is_unpacked: bool) -> str | None:
    packer = next((name for beginning, name in _PACKERS.items() if content.startswith(beginning)), None)
    if packer == "gzip" and not is_unpacked:
        return "it is compressed (gzip): let its name end in .gz"
    return f"it is compressed ({packer}): unpack it, or compress it once with gzip alone" if packer else None


def read_json(path: Path, problems: Problems) -> Any:
    """Read a JSON value; ``UNREAD`` where there is none."""
    text = read_text(path, problems)
    if text is None:
        return UNREAD
    if not text.strip():
        problems.add(f"{path}: is empty; expected JSON")
        return UNREAD
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=_number, parse_int=_whole_number)
    except _ValueError as error:
        problems.add(f"{path}: {error}")
    except (ValueError, RecursionError) as error:
        is_more = str(error).startswith("Extra data")
        mend = "one value is meant: put lines of JSON into one list, [..., ...]" if is_more else "is the file complete?"
        problems.add(f"{path}: is not JSON ({error}); {mend}")
    return UNREAD


class _ValueError(ValueError):
    """It is JSON, but cannot be taken: a key stands twice, and JSON leaves open which counts; a number is too long."""


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise _ValueError(f"{as_json(twice, 40)} stands twice in the object {as_json(found, 60)}; keep one")
    return found


def _number(text: str) -> float:
    """Return a number; 1.0 is 1, which JSON does not tell apart."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        # Python reads no number of so many digits.
        digits = len(text.lstrip("-"))
        raise _ValueError(f"the number {text[:10]}... has {digits:,} digits, which are too many") from None


def json_kind(value: object) -> str:
    """Name a JSON value's type in JSON's words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
    return "an object"


def as_json(value: object, most: int) -> str:
    """Write a JSON value as JSON does, cut to so many characters."""
    try:
        return json.dumps(value, ensure_ascii=False)[:most]
    except RecursionError:
        return json_kind(value)


def read_lines(path: Path, problems: Problems) -> list[str] | None:
    """Read the lines of a text file; only a line feed, with or without a carriage return before it, ends a line."""
    text = read_text(path, problems)
    if text is None:
        return None
    if not text:
        problems.add(f"{path}: is empty; expected one segment a line")
        return None
    if "\n" not in text[:-1] and "\r" in text.rstrip("\r\n"):
        problems.add(f"{path}: its lines end in carriage returns alone; save it with line feeds (LF, or CRLF)")
        return None
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if text.endswith("\n") else lines)]


def read_rows(path: Path, problems: Problems) -> list[tuple[int, list[str]]] | None:
    """Read the rows of a table, each with the number of the line that it ends on; the first row is the head.

    Cells are quoted as spreadsheets quote them, in files parted by commas and by tabs alike.
    """
    text = read_text(path, problems)
    if text is None:
        return None
    parted = "\t" if has_ending(path, ".tsv") else ","
    if wrong := _wrong_sign(text.partition("\n")[0].rstrip("\r"), parted):
        problems.add(f"{path}: {wrong}")
        return None
    rows: list[tuple[int, list[str]]] = []
    with _cells_of_any_length():
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=parted, strict=True)
        try:
            rows += ((reader.line_num, row) for row in reader if row)
        except csv.Error as error:
            hint = 'put a cell that holds quotation marks into quotation marks, and double those inside: """Hi"""'
            problems.add(f"{path}, line {reader.line_num}: is no row of a table ({error}); {hint}")
            return None
    if len(rows) < 2:
        problems.add(f"{path}: {'has no rows' if rows else 'is empty'}; expected a line of names, then a row an image")
        return None
    return rows


def _wrong_sign(head: str, parted: str) -> str | None:
    """Say what a first line tells of cells that are parted by another sign than the file's name says."""
    if head.lower().startswith("sep="):
        return f"the first line, {head!r:.20}, holds no names: remove it, and save the table with {_SIGNS[parted]}"
    other = next((sign for sign in ";\t,|" if sign in head), None)
    if parted in head or other is None:
        return None
    ending = {",": ".csv", "\t": ".tsv"}.get(other)
    renaming = f", or let its name end in {ending}" if ending else ""
    return f"the cells look parted by {other!r}: save it with {_SIGNS[parted]}{renaming}"


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    before = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(before)

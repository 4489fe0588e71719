"""The ledger: every published number, the result cell that answers it, and the verdict."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pandas as pd

from manybleus.errors import ManybleusError, raise_all
from manybleus.replication.conventions import INSTALL, NOT_RUN
from manybleus.text import counted

KeyPath = tuple[str, ...]
ReadCells = Callable[[str], pd.DataFrame]


# The group of claims that other tools answer.
TOOLS = "tool conventions"


class Verdict(StrEnum):
    """What became of a claim."""

    MATCH = "MATCH"
    WITHIN_BOUND = "WITHIN_BOUND"
    DIFFERS = "DIFFERS"
    NOT_RUN = "NOT_RUN"
    NOT_COMPARABLE = "NOT_COMPARABLE"
    LITERATURE = "LITERATURE"


@dataclass(frozen=True, slots=True)
class Address:
    """One cell of one result file: the row in which ``row``'s columns hold its values."""

    file: str
    row: Mapping[str, str]
    column: str

    def __str__(self) -> str:
        row = ", ".join(f"{column} = {value}" for column, value in self.row.items())
        return f"{self.file}: {row}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A published statement.

    Attributes
    ----------
    kind
        ``rounded`` (equal at the printed precision), ``exact``, ``order``, ``bool``, ``bound`` (at most the value),
        ``interval`` (every measured value inside, at the printed precision), or ``literature``.
    published
        The values as printed, one for each address; two for ``interval``.
    inputs
        The parts of the study's configuration that the claim rests on: path in ``inputs_of`` -> value.
    fails
        Whether a difference fails the run.
    """

    id: str
    group: str
    what: str
    kind: str
    published: tuple[str, ...]
    where: tuple[Address, ...]
    inputs: Mapping[KeyPath, Any]
    note: str
    fails: bool


# ------------------------------------------------------------------------------------------------- reading the ledger


def read_claims(ledger: Mapping[str, Any]) -> list[Claim]:
    """Return the claims of a ledger (``config/claims.yaml``), each table entry expanded to one claim per cell.

    Raises
    ------
    ManybleusError
        If the ledger is not of its form, or two claims share an id.
    """
    try:
        inputs = ledger["inputs"]
        claims = [claim for group, entries in ledger["claims"].items() for claim in _single(group, entries, inputs)]
        claims += [claim for table in ledger["tables"] for claim in _cells(table, inputs)]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ManybleusError(
            f"the ledger is not as config/README.md describes it: {type(error).__name__} {error}; look for that name"
        ) from None
    wrong = [problem for claim in claims for problem in _claim_problems(claim)]
    raise_all(wrong, "the ledger is not usable")
    ids = [claim.id for claim in claims]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ManybleusError(f"the claims' ids are not unique: {', '.join(twice)}; rename one of each")
    return claims


def _claim_problems(claim: Claim) -> Iterator[str]:
    if claim.kind != "literature" and claim.kind not in _HOLDS:
        yield f"{claim.id}: kind {claim.kind!r} is not one of {', '.join([*_HOLDS, 'literature'])}"
    per_cell = claim.kind in ("rounded", "exact", "order", "bool")
    if per_cell and len(claim.published) != len(claim.where):
        values, cells = counted(len(claim.published), "published value"), counted(len(claim.where), "cell")
        yield f"{claim.id}: {values} for {cells}; give one for each"


def _single(group: str, entries: Sequence[Mapping[str, Any]], inputs: Mapping[str, Any]) -> Iterator[Claim]:
    for entry in entries:
        where = entry.get("where", [])
        published = entry.get("published", [])
        yield Claim(
            id=entry["id"],
            group=group,
            what=entry["what"],
            kind=entry["kind"],
            published=tuple(map(str, published if isinstance(published, list) else [published])),
            where=tuple(_address(each) for each in (where if isinstance(where, list) else [where])),
            inputs=_inputs(entry, inputs),
            note=entry.get("note", ""),
            fails=entry.get("fails", True),
        )


def _inputs(entry: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[KeyPath, Any]:
    return {(name,): inputs[name] for name in entry.get("inputs", [])}


def _address(entry: Mapping[str, Any]) -> Address:
    row = {column: str(value) for column, value in entry.items() if column not in ("file", "column")}
    return Address(entry["file"], row, entry["column"])


def _cells(table: Mapping[str, Any], inputs: Mapping[str, Any]) -> Iterator[Claim]:
    keys = table["key"]
    for line in table["rows"]:
        row = {column: str(value) for column, value in zip(keys, line, strict=False)}
        for column, published in zip(table["columns"], line[len(keys) :], strict=True):
            rests_on = _inputs(table, inputs) | _inputs(
                {"inputs": table.get("inputs_of_column", {}).get(column, [])}, inputs
            )
            if "row_of" in table:
                rests_on[table["row_of"], line[0]] = inputs[table["row_of"]][line[0]]
            yield Claim(
                id=", ".join([table["id"], *row.values(), column]),
                group=table["what"],
                what=f"{table['what']}: {', '.join([*row.values(), column])}",
                kind=_kind(str(published)),
                published=(str(published),),
                where=(Address(table["file"], row, column),),
                inputs=rests_on,
                note="",
                fails=True,
            )


def _kind(published: str) -> str:
    if published in ("True", "False"):
        return "bool"
    return "order" if re.search(r" [>=] ", published) else "rounded"


# ------------------------------------------------------------------------------------------------------------ verdicts


def verdicts(claims: Sequence[Claim], current: Mapping[str, Any], read_cells: ReadCells) -> pd.DataFrame:
    """Hold every claim against the results.

    Parameters
    ----------
    claims
        The ledger's claims.
    current
        ``inputs_of`` the study that was run.
    read_cells
        Result file -> its cells as text.

    Returns
    -------
    DataFrame
        ``id``, ``kind``, ``published``, ``reproduced``, ``verdict``, ``where``; then ``group``, ``what``, ``note`` and
        ``fails`` for whoever shows it.
    """
    lines = []
    for claim in claims:
        found = [_look_up(address, read_cells) for address in claim.where]
        verdict = _verdict(claim, found, current)
        lines.append(
            {
                "id": claim.id,
                "kind": claim.kind,
                "published": "; ".join(claim.published),
                "reproduced": "; ".join(_shown(claim, found)),
                "verdict": str(verdict),
                "where": "; ".join(map(str, claim.where)),
                "group": claim.group,
                "what": claim.what,
                "note": f"{claim.note} {INSTALL}".strip() if verdict == Verdict.NOT_RUN else claim.note,
                "fails": claim.fails,
            }
        )
    columns = ["id", "kind", "published", "reproduced", "verdict", "where", "group", "what", "note", "fails"]
    return pd.DataFrame(lines, columns=columns)


def failures(checks: pd.DataFrame | None, ledger: pd.DataFrame) -> list[str]:
    """Return a line for every check that does not hold and every claim that differs, as far as they fail the run.

    Parameters
    ----------
    checks, ledger
        ``checks.csv`` and ``claims.csv`` as cells of text; a study of one's own captions has no checks.
    """
    broken = [] if checks is None else checks[checks["holds"] == "False"].to_dict("records")
    differing = ledger[(ledger["verdict"] == Verdict.DIFFERS) & (ledger["fails"] == "True")].to_dict("records")
    return [f"check {row['check']} does not hold: {row['what']}: {row['value']}" for row in broken] + [
        f"claim {row['id']}: published {row['published']}, reproduced {row['reproduced']} ({row['where']})"
        for row in differing
    ]


def _look_up(address: Address, read_cells: ReadCells) -> str | None:
    try:
        cells = read_cells(address.file)
        for column, value in address.row.items():
            cells = cells[cells[column] == value]
        return str(cells[address.column].iloc[0]) if len(cells) == 1 else None
    except (KeyError, FileNotFoundError):
        return None


def _verdict(claim: Claim, found: Sequence[str | None], current: Mapping[str, Any]) -> Verdict:
    if claim.kind == "literature":
        return Verdict.LITERATURE
    if any(_at(path, current) != wanted for path, wanted in claim.inputs.items()):
        return Verdict.NOT_COMPARABLE
    if claim.group == TOOLS and NOT_RUN in found:
        return Verdict.NOT_RUN
    cells = [cell for cell in found if cell is not None]
    try:
        holds = len(cells) == len(found) and _HOLDS[claim.kind](claim.published, cells)
    except ValueError:
        holds = False
    if not holds:
        return Verdict.DIFFERS
    return Verdict.WITHIN_BOUND if claim.kind in ("bound", "interval") else Verdict.MATCH


def _at(path: KeyPath, inputs: Any) -> Any:
    for part in path:
        if part not in inputs:
            return None
        inputs = inputs[part]
    return inputs


def _shown(claim: Claim, found: Sequence[str | None]) -> list[str]:
    shown = ["no such cell" if cell is None else cell for cell in found]
    if claim.kind in ("rounded", "interval"):
        patterns = _patterns(claim)
        return [_rounded(cell, pattern) for cell, pattern in zip(shown, patterns, strict=True)]
    return shown


def _patterns(claim: Claim) -> list[str]:
    if claim.kind == "interval":
        return [claim.published[0]] * len(claim.where)
    return list(claim.published)


def _rounded(cell: str, like: str) -> str:
    """Write a number in the way of a published one: as many digits, the same notation, a sign where that has one."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    sign = "+" if like.startswith("+") else ""
    mantissa = like.lower().split("e")[0]
    digits = len(mantissa.partition(".")[2])
    return format(number, f"{sign}.{digits}{'e' if 'e' in like.lower() else 'f'}")


def _within(published: Sequence[str], cells: Sequence[str]) -> bool:
    low, high = map(float, published)
    return all(low <= float(_rounded(cell, published[0])) <= high for cell in cells)


_HOLDS: dict[str, Callable[[Sequence[str], Sequence[str]], bool]] = {
    "rounded": lambda published, cells: (
        [_rounded(cell, like) for cell, like in zip(cells, published, strict=True)] == list(published)
    ),
    "exact": lambda published, cells: list(cells) == list(published),
    "order": lambda published, cells: list(cells) == list(published),
    "bool": lambda published, cells: list(cells) == list(published),
    "bound": lambda published, cells: all(float(cell) <= float(published[0]) for cell in cells),
    "interval": _within,
}

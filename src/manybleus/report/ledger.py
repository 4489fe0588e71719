"""Checks, worked examples, tool conventions, other tools' scores and claims, as the templates show them."""

from collections import Counter
from typing import Any

from manybleus.replication.crosscheck import NOT_RUN, UNEXPLAINED
from manybleus.report.results import Results
from manybleus.report.words import CONVENTION_WORDS, short_number

# Verdict -> its sign, and what it means.
VERDICTS = {
    "DIFFERS": ("✗", "the result is not what was published"),
    "NOT_RUN": ("…", "a tool that the claim is about is not installed"),
    "NOT_COMPARABLE": ("-", "this study is set up otherwise than the published one where the claim rests on it"),
    "MATCH": ("✓", "the result equals what was published, at its precision"),
    "WITHIN_BOUND": ("≤", "the result lies inside the published bound or range"),
    "LITERATURE": ("¶", "stated by a source about data that is not available here; not recomputed"),
}
_HOLDS = {"True": ("✓", "holds"), "False": ("✗", "does not hold"), "": ("·", "told only")}
_RUN = {"True": ("✓", "shown"), "False": ("✗", "not shown"), "NOT_RUN": ("…", "NOT_RUN")}


def checks(results: Results) -> dict[str, Any]:
    """Return the checks: each with its value and whether it holds, must hold and does not, or is only told."""
    rows = results.rows("checks")
    lines = []
    for row in rows:
        sign, word = _HOLDS[row["holds"]]
        lines.append({"what": row["what"], "value": short_number(row["value"]), "sign": sign, "word": word})
    words = Counter(line["word"] for line in lines)
    return {"rows": lines, "holding": words["holds"], "broken": words["does not hold"], "told": words["told only"]}


def worked_examples(results: Results) -> list[dict[str, Any]]:
    """Return the worked examples, each with its quantities and what the ledger says of it."""
    claims = {row["id"]: row for row in results.rows("claims")}
    examples: dict[str, dict[str, Any]] = {}
    for row in results.rows("worked_examples"):
        claim = claims.get(row["example"], {})
        example = examples.setdefault(
            row["example"],
            {
                "what": claim.get("what", row["example"]),
                "note": claim.get("note", ""),
                "published": claim.get("published", ""),
                "reproduced": claim.get("reproduced", ""),
                "verdict": _verdict(claim.get("verdict", "")),
                "quantities": [],
            },
        )
        if not row["quantity"].endswith(" decimal"):
            example["quantities"].append({"name": row["quantity"], "value": short_number(row["value"])})
    return list(examples.values())


def conventions(results: Results) -> list[dict[str, Any]]:
    """Return the tools' conventions, each with what the installed tools answered."""
    claims = {row["id"]: row for row in results.rows("claims")}
    lines = []
    for row in results.rows("conventions"):
        sign, word = _RUN[row["holds"]]
        name = row["convention"]
        what = claims.get(name, {}).get("what") or CONVENTION_WORDS.get(name, name)
        lines.append({"what": what, "shown": row["shown"], "sign": sign, "word": word})
    return lines


def crosscheck(results: Results) -> dict[str, Any]:
    """Return how many scores were compared with other tools', by tool and by the cause of the difference."""
    differences: dict[tuple[str, str], list[float]] = {}
    for row in results.rows("crosscheck"):
        found = differences.setdefault((row["peer"], row["cause"]), [])
        if row["cause"] != NOT_RUN:
            found.append(abs(float(row["difference"])))
    return {
        "compared": sum(map(len, differences.values())),
        "unexplained": sum(len(found) for (_, cause), found in differences.items() if cause == UNEXPLAINED),
        "rows": [
            {
                "peer": peer,
                "cause": cause or "none: they agree to 1e-12",
                "scores": len(found),
                "largest": (f"{max(found):.1e}" if any(found) else "< 1e-12") if found else "",
                "wrong": cause == UNEXPLAINED,
            }
            for (peer, cause), found in differences.items()
        ],
    }


def ledger(results: Results) -> dict[str, Any]:
    """Return the claims by group, the verdicts counted, and those that differ apart."""
    shown = {row["convention"]: row["shown"] for row in results.rows("conventions")}
    rows: list[dict[str, Any]] = []
    for row in results.rows("claims"):
        hint = shown.get(row["id"], "") if row["verdict"] == "NOT_RUN" else ""
        rows.append(
            {key: row[key] for key in ("id", "kind", "published", "reproduced", "group", "what", "note")}
            | {"where": brief_addresses(row["where"]), "verdict": _verdict(row["verdict"]), "hint": hint}
        )
    counts = Counter(row["verdict"]["name"] for row in rows)
    groups = []
    for name in dict.fromkeys(row["group"] for row in rows):
        inside = [row for row in rows if row["group"] == name]
        found = Counter(row["verdict"]["name"] for row in inside)
        groups.append(
            {
                "name": name,
                "rows": inside,
                "open": bool(found["DIFFERS"] or found["NOT_RUN"]),
                "counts": [f"{found[verdict]} {verdict}" for verdict in VERDICTS if found[verdict]],
            }
        )
    return {
        "total": len(rows),
        "counts": [{**_verdict(name), "count": counts[name]} for name in VERDICTS],
        "differing": [row for row in rows if row["verdict"]["name"] == "DIFFERS"],
        "groups": groups,
    }


def brief_addresses(where: str) -> str:
    """Write of several addresses of cells in full only the first, and of the others what differs from it.

    >>> brief_addresses("a.csv: q = p1, column value; a.csv: q = p2, column value")
    'a.csv: q = p1, column value; a.csv: q = p2'
    """
    addresses = [address.split(", ") for address in where.split("; ")]
    first, *others = addresses
    if any(len(parts) != len(first) or not parts[-1].startswith("column ") for parts in addresses):
        return where
    differing = [[part for part, known in zip(parts, first, strict=True) if part != known] for parts in others]
    return "; ".join(map(", ".join, [first, *differing]))


def _verdict(name: str) -> dict[str, str]:
    sign, meaning = VERDICTS.get(name, ("", ""))
    return {"name": name, "sign": sign, "meaning": meaning}

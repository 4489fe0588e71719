"""From a study's results to plain values that the templates show; every number in the report's prose is made here."""

import base64
from collections import Counter
from typing import Any

from manybleus.captions import fewer_references
from manybleus.report.findings import brevity, flips, gaming, grid, numbers, tables
from manybleus.report.ledger import checks, conventions, crosscheck, ledger, worked_examples
from manybleus.report.outcomes import outcomes
from manybleus.report.picker import picker
from manybleus.report.results import SHOWN_PICTURES, Results
from manybleus.report.words import AXIS_WORDS, OPTION_WORDS, SYSTEM_WORDS, counted, listed, unbroken


def report_context(results: Results) -> dict[str, Any]:
    """Return everything that the report shows, as plain values.

    Parameters
    ----------
    results
        The result files of one study.
    """
    signatures = _signatures(results)
    return {
        "study": _study(results),
        "answer": _answer(results),
        "facts": _facts(results),
        "choices": _choices(results),
        "scenes": _scenes(results),
        "tables": tables(results),
        "flips": flips(results),
        "grid": grid(results),
        "figures": {name: _data_uri("image/svg+xml", svg) for name, svg in results.drawings.items()},
        "picker": picker(results),
        "numbers": numbers(results),
        "brevity": brevity(results),
        "gaming": gaming(results),
        "checks": checks(results),
        "outcomes": outcomes(results),
        "examples": worked_examples(results),
        "conventions": conventions(results),
        "crosscheck": crosscheck(results),
        "ledger": ledger(results),
        "printed": results.printed,
        "signatures": signatures,
        "version": signatures[0]["signature"].rpartition(":")[2],
    }


# ---------------------------------------------------------------------------------------------------------- the answer


def _study(results: Results) -> dict[str, Any]:
    captions, baseline = results.captions, results.cell(results.study.baseline)
    counts = sorted({len(texts) for texts in captions.references})
    return {
        "name": results.study.name,
        "seed": results.study.seed,
        "images": len(captions.image_ids),
        "images_words": counted(len(captions.image_ids), "image"),
        "systems": [{"name": name, "words": SYSTEM_WORDS.get(name, "")} for name in captions.systems],
        "systems_words": counted(len(captions.systems), "system"),
        "references": f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}",
        "fewer_references": fewer_references(
            captions, [int(count) if count.isdecimal() else count for count in results.cells["references"]]
        ),
        "candidates": len(captions.image_ids) * len(captions.systems),
        "max_order": results.study.baseline["max_order"],
        "baseline_ranking": unbroken(baseline["ranking"]),
        "baseline_gap": f"{baseline['gap']:+.2e}",
        "baseline_equal": bool(baseline["equal"]),
        "gap": list(results.study.gap),
        "edited": any(row["verdict"] == "NOT_COMPARABLE" for row in results.rows("claims")),
    }


def _answer(results: Results) -> dict[str, Any]:
    rows = results.study_flips
    flipped = rows[rows["flip"]]
    baseline = unbroken(results.baseline_ranking)
    if rows.empty:
        word, rest = "Not asked", ": no table holds a configuration other than the baseline."
    elif flipped.empty:
        every = f"all {len(rows)} other configurations" if len(rows) > 1 else "the one other configuration"
        word, rest = "No", f": the captions stayed the same, and so did the ranking {baseline} in {every} of BLEU."
    else:
        others = listed([unbroken(name) for name in dict.fromkeys(flipped["ranking"])], "or")
        word = "Yes"
        rest = (
            f": the captions stayed the same, yet {len(flipped)} of {counted(len(rows), 'configuration')} of BLEU"
            f" rank{'s' if len(flipped) == 1 else ''} the systems {others} instead of {baseline}."
        )
    return {"word": word, "rest": rest, "example": _answer_example(results)}


def _answer_example(results: Results) -> list[dict[str, Any]]:
    """The baseline and the widest flip, one under the other; nothing where no row flips."""
    flipped = results.study_flips[results.study_flips["flip"]].to_dict("records")
    if not flipped:
        return []
    widest = max(flipped, key=lambda row: abs(row["gap"]))
    table = results.tables[widest["table"]]
    row = table[table["configuration"] == widest["configuration"]].to_dict("records")[0]
    baseline = results.scores(results.study.baseline)
    return [
        {
            "configuration": "the baseline",
            "scores": [f"{score:.4f}" for score in baseline.values()],
            "ranking": results.baseline_ranking,
        },
        {
            "configuration": row["configuration"],
            "scores": [f"{row[system]:.4f}" for system in baseline],
            "ranking": row["ranking"],
        },
    ]


def _facts(results: Results) -> list[dict[str, Any]]:
    rows = results.study_flips
    differing = int((results.cells["ranking"] != results.baseline_ranking).sum())
    must = [row for row in results.rows("checks") if row["holds"]]
    verdicts = Counter(row["verdict"] for row in results.rows("claims"))
    agreeing = verdicts["MATCH"] + verdicts["WITHIN_BOUND"]
    facts = [
        (
            int(rows["flip"].sum()),
            len(rows),
            "rows of the study's tables rank the systems otherwise than the baseline",
            "tables",
        ),
        (differing, len(results.cells), "configurations do, over all that were scored", "grid"),
        (sum(row["holds"] == "True" for row in must), len(must), "checks hold", "checks"),
        (agreeing, agreeing + verdicts["DIFFERS"], "published statements that can be computed here agree", "ledger"),
    ]
    return [{"number": f"{part} of {all_}", "text": text, "link": link} for part, all_, text, link in facts if all_]


# ------------------------------------------------------------------------------------ what BLEU leaves open, the scenes


def _choices(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "axis": AXIS_WORDS.get(axis, axis),
            "options": [
                {"name": option, "words": OPTION_WORDS.get((axis, option), ""), "baseline": option == str(default)}
                for option in dict.fromkeys(results.cells[axis])
            ],
        }
        for axis, default in results.study.baseline.items()
    ]


def _scenes(results: Results) -> dict[str, Any]:
    captions = results.captions
    count = results.study.baseline["references"]
    shown = []
    for place, image in enumerate(captions.image_ids[:SHOWN_PICTURES]):
        references = captions.references[place]
        picture = results.pictures[place] if place < len(results.pictures) else b""
        shown.append(
            {
                "image": str(image),
                "picture": _data_uri("image/png", picture),
                "alt": f"Picture {image}, enlarged. {references[0]}",
                "references": list(references if count == "all" else references[: int(count)]),
                "captions": [{"system": name, "caption": texts[place]} for name, texts in captions.systems.items()],
            }
        )
    width, height = _png_size(results.pictures[0]) if results.pictures else (0, 0)
    return {
        "shown": shown,
        "shown_words": counted(len(shown), "picture"),
        # On the second picture G has its long caption.
        "example": shown[min(1, len(shown) - 1)],
        "sheet": _data_uri("image/png", results.sheet),
        "size": f"{width} x {height} pixels",
    }


def _data_uri(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}" if content else ""


def _png_size(content: bytes) -> tuple[int, int]:
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


def _signatures(results: Results) -> list[dict[str, str]]:
    rows = [("baseline", results.study.baseline), *(row for table in results.study.tables for row in table["rows"])]
    return [
        {"configuration": name, "signature": str(next(iter(results.scores(cell, "signature").values())))}
        for name, cell in rows
    ]

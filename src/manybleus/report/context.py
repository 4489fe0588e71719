"""From a study's results to plain values that the templates show; every number in the report's prose is made here."""

import base64
from collections import Counter
from collections.abc import Sequence
from typing import Any

from manybleus.bleu.configuration import Configuration
from manybleus.captions import fewer_references
from manybleus.replication.peers import sacrebleu_signature_of
from manybleus.report.findings import (
    FEW_RANKINGS,
    MANY_SYSTEMS,
    brevity,
    flips,
    gaming,
    grid,
    numbers,
    standings,
    tables,
)
from manybleus.report.ledger import checks, conventions, crosscheck, ledger, worked_examples
from manybleus.report.outcomes import outcomes
from manybleus.report.picker import picker
from manybleus.report.results import SHOWN_PICTURES, Results
from manybleus.report.words import AXIS_WORDS, OPTION_WORDS, SYSTEM_WORDS, counted, listed, signed, unbroken
from manybleus.text import shortened

_MOST_CHARACTERS = 300
_MOST_REFERENCES = 8


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
        "standings": standings(results),
        "figures": {name: data_uri("image/svg+xml", svg) for name, svg in results.drawings.items()},
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
        "is_own": results.study.is_own,
        "unit": results.study.unit,
        "remarks": list(results.remarks),
        "images_words": counted(
            len(captions.image_ids), "image" if results.study.unit == "picture" else results.study.unit
        ),
        "systems": [{"name": name, "words": SYSTEM_WORDS.get(name, "")} for name in captions.systems],
        "systems_words": counted(len(captions.systems), "system"),
        "references": f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}",
        "fewer_references": fewer_references(
            captions, [int(count) if count.isdecimal() else count for count in results.cells["references"]]
        ),
        "candidates": len(captions.image_ids) * len(captions.systems),
        "max_order": results.study.baseline["max_order"],
        "baseline_ranking": baseline["ranking"] if _are_many(results) else unbroken(baseline["ranking"]),
        "baseline_gap": signed(baseline["gap"]),
        "baseline_equal": bool(baseline["equal"]),
        "gap": list(results.study.gap or ()),
        "edited": any(row["verdict"] == "NOT_COMPARABLE" for row in results.rows("claims")),
    }


def _answer(results: Results) -> dict[str, Any]:
    rows = results.study_flips
    flipped = rows[rows["flip"]]
    baseline = unbroken(results.baseline_ranking)
    if len(results.captions.systems) == 1:
        word, rest = "Not asked", ": there is one system, and nothing to rank it with. Its scores are below."
    elif rows.empty:
        word, rest = "Not asked", ": no table holds a configuration other than the baseline."
    elif flipped.empty:
        every = f"all {len(rows)} other configurations" if len(rows) > 1 else "the one other configuration"
        same = "the ranking" if _are_many(results) else f"the ranking {baseline}"
        word, rest = "No", f": the captions stayed the same, and so did {same} in {every} of BLEU."
    else:
        word = "Yes"
        rest = (
            f": the captions stayed the same, yet {len(flipped)} of {counted(len(rows), 'configuration')} of BLEU"
            f" rank{'s' if len(flipped) == 1 else ''} the systems {_otherwise(results)}."
        )
    return {"word": word, "rest": rest, "example": _answer_example(results)}


def _are_many(results: Results) -> bool:
    return len(results.captions.systems) > MANY_SYSTEMS


def _otherwise(results: Results) -> str:
    """How the flipped rows rank the systems; of many rankings, or of many systems, only how many there are."""
    others = list(dict.fromkeys(results.study_flips["ranking"][results.study_flips["flip"]]))
    if _are_many(results) or len(others) > FEW_RANKINGS:
        return f"in {counted(len(others), 'way')} other than the baseline's"
    return f"{listed([unbroken(name) for name in others], 'or')} instead of {unbroken(results.baseline_ranking)}"


def _answer_example(results: Results) -> list[dict[str, Any]]:
    """The baseline and the widest flip, one under the other; nothing where no row flips."""
    flipped = results.study_flips[results.study_flips["flip"]].to_dict("records")
    if not flipped or _are_many(results):
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
    if len(results.captions.systems) == 1:
        return []
    told = "tables" if results.study.is_own else "study's tables"
    facts = [
        (
            int(rows["flip"].sum()),
            len(rows),
            f"rows of the {told} rank the systems otherwise than the baseline",
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
        used = references if count == "all" else references[: int(count)]
        picture = results.pictures[place] if place < len(results.pictures) else b""
        shown.append(
            {
                "image": str(image),
                "picture": data_uri("image/png", picture),
                "alt": f"Picture {image}, enlarged. {references[0]}",
                "references": _shown(used[:_MOST_REFERENCES]),
                "further": max(len(used) - _MOST_REFERENCES, 0),
                "captions": [
                    {"system": name, "caption": caption}
                    for name, caption in zip(
                        captions.systems, _shown([texts[place] for texts in captions.systems.values()]), strict=True
                    )
                ],
            }
        )
    width, height = _png_size(results.pictures[0]) if results.pictures else (0, 0)
    return {
        "shown": shown,
        "shown_words": counted(len(shown), results.study.unit),
        # On the second picture G has its long caption.
        "example": shown[min(1, len(shown) - 1)],
        "sheet": data_uri("image/png", results.sheet),
        "size": f"{width} x {height} pixels",
    }


def _shown(texts: Sequence[str]) -> list[str]:
    return [shortened(text, _MOST_CHARACTERS) for text in texts]


def data_uri(kind: str, content: bytes) -> str:
    """Return a file's content as an address; nothing for nothing."""
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}" if content else ""


def _png_size(content: bytes) -> tuple[int, int]:
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


def _signatures(results: Results) -> list[dict[str, str]]:
    rows = [("baseline", results.study.baseline), *(row for table in results.study.tables for row in table["rows"])]
    counts = [len(texts) for texts in results.captions.references]
    return [
        {
            "configuration": name,
            "signature": str(next(iter(results.scores(cell, "signature").values()))),
            "sacrebleu": (sacrebleu_signature_of(Configuration(**cell), counts) or "") if results.study.is_own else "",
        }
        for name, cell in rows
    ]

"""From a study's results to plain values that the templates show; every number in the report's prose is made here."""

from collections import defaultdict
from typing import Any

from manybleus.bleu.configuration import Configuration
from manybleus.captions import fewer_references
from manybleus.replication.peers import sacrebleu_signature_of
from manybleus.report.answer import answer, are_many, facts
from manybleus.report.curve import curve, strip
from manybleus.report.effects import effects, standings
from manybleus.report.findings import brevity, flips, gaming, grid, numbers, tables
from manybleus.report.ledger import checks, conventions, crosscheck, ledger, worked_examples
from manybleus.report.outcomes import outcomes
from manybleus.report.picker import picker
from manybleus.report.pictures import scenes
from manybleus.report.results import Results
from manybleus.report.significance import significance
from manybleus.report.words import AXIS_WORDS, SYSTEM_WORDS, data_uri, option_words, unbroken
from manybleus.text import counted, signed


def report_context(results: Results) -> dict[str, Any]:
    """Return everything that the report shows, as plain values.

    Parameters
    ----------
    results
        The result files of one study.
    """
    signatures = _signatures(results)
    context = {
        "study": _study(results),
        "names": [*results.captions.systems, *(row for table in results.study.tables for row, _ in table["rows"])],
        "answer": answer(results),
        "strip": strip(results),
        "facts": facts(results),
        "choices": _choices(results),
        "scenes": scenes(results),
        "tables": tables(results),
        "flips": flips(results),
        "grid": grid(results),
        "curve": curve(results),
        "effects": effects(results),
        "standings": standings(results),
        "picker": picker(results),
        "significance": significance(results),
        "figures": {name: data_uri("image/svg+xml", svg) for name, svg in results.drawings.items()},
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
        "digest": results.captions.digest,
        "version": signatures[0]["signature"].rpartition(":")[2],
        "downloads": defaultdict(str, {name: data_uri("text/csv", file) for name, file in results.files.items()}),
    }
    return context | {"contents": _contents(context)}


def _contents(context: dict[str, Any]) -> list[dict[str, str]]:
    """Return the sections that the page has, in their order."""
    own, has_tests = context["study"]["is_own"], context["significance"] or context["answer"]["ask"]
    sections = [
        ("captions", "Captions" if own else "Scenes", True),
        ("question", "Choices", True),
        ("tables", "Tables", True),
        ("picker", "Pick one", True),
        ("curve", "All configurations", True),
        ("effects", "Effects", context["effects"]),
        ("significance", "Significance", has_tests),
        ("references", "Precisions", True),
        ("brevity", "Brevity", True),
        ("outcomes", "Outcomes", not own),
        ("tools", "Other tools", context["conventions"] or context["examples"] or context["crosscheck"]["rows"]),
        ("ledger", "Claims", context["ledger"]["total"]),
        ("provenance", "Provenance", True),
    ]
    return [{"id": name, "words": words} for name, words, is_there in sections if is_there]


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
        "images_words": counted(len(captions.image_ids), results.study.noun),
        "systems": [{"name": name, "words": SYSTEM_WORDS.get(name, "")} for name in captions.systems],
        "systems_words": counted(len(captions.systems), "system"),
        "references": f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}",
        "fewer_references": fewer_references(
            captions,
            [int(count) if count.isdecimal() else count for count in results.cells["references"]],
            results.study.noun,
        ),
        "candidates": len(captions.image_ids) * len(captions.systems),
        "max_order": results.study.baseline["max_order"],
        "baseline_ranking": baseline["ranking"] if are_many(results) else unbroken(baseline["ranking"]),
        "baseline_gap": signed(baseline["gap"]),
        "baseline_equal": bool(baseline["equal"]),
        "gap": list(results.study.gap or ()),
        "edited": any(row["verdict"] == "NOT_COMPARABLE" for row in results.rows("claims")),
    }


# ------------------------------------------------------------------------------------ what BLEU leaves open, the scenes


def _choices(results: Results) -> list[dict[str, Any]]:
    return [
        {
            "axis": AXIS_WORDS.get(axis, axis),
            "options": [
                {
                    "name": option,
                    "words": option_words(axis, option, results.study.noun),
                    "baseline": option == str(default),
                }
                for option in dict.fromkeys(results.cells[axis])
            ],
        }
        for axis, default in results.study.baseline.items()
    ]


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

"""The study's outcomes under the names that it gave them before and after its run, each judged on this data."""

from typing import Any

from manybleus.report.results import Results
from manybleus.report.words import listed

HELD, NOT_HELD, NOT_EVALUATED = "held", "did not hold", "not evaluated in this study"


def outcomes(results: Results) -> dict[str, Any]:
    """Return hypotheses, illustration, derived and computed outcomes, each with what the data says of it."""
    return {
        "hypotheses": [_references(results), _aggregation(results)],
        "illustration": _illustration(results),
        "derived": _derived(results),
        "computed": _computed(results),
    }


def _statements(results: Results) -> dict[tuple[str, str], str]:
    return {(row["statement"], row["quantity"]): row["value"] for row in results.rows("statements")}


def _references(results: Results) -> dict[str, str]:
    held = _statements(results).get(("refs-monotone", "value"))
    precisions = results.numbers["precisions"]
    told = []
    for system, rows in precisions.groupby("system", sort=False):
        scores = ", ".join(f"{score:.4f}" for score in rows["score"])
        told.append(f"{system} {scores}")
    counts = listed(list(map(str, dict.fromkeys(precisions["references"]))), "and")
    return {
        "text": "BLEU rises with the number of references, for every system and at every step. This does not follow"
        " from the construction, since the closest reference length moves with the set.",
        "verdict": NOT_EVALUATED if held is None else HELD if held == "True" else NOT_HELD,
        "evidence": f"BLEU with {counts} references: {'; '.join(told)}.",
    }


def _aggregation(results: Results) -> dict[str, str]:
    told = _statements(results)
    differing = told.get(("mean-vs-corpus", "differing"))
    smallest = told.get(("mean-spread", "lowest unrounded"))
    text = (
        "Mean sentence BLEU differs from corpus BLEU and depends on the smoothing,"
        " in every pair of a system and a smoothing."
    )
    if differing is None or smallest is None:
        return {"text": text, "verdict": NOT_EVALUATED, "evidence": ""}
    number, _, total = differing.partition(" of ")
    system, spread = smallest.rsplit(" ", 1)
    held = number == total and float(spread) > 0
    low, high = (float(told["mean-vs-corpus", end]) for end in ("lowest", "highest"))
    return {
        "text": text,
        "verdict": HELD if held else NOT_HELD,
        "evidence": f"They differ in {differing} pairs, by {low:+.4f} to {high:+.4f}. Over the smoothings a system's"
        f" mean sentence score moves by {spread} ({system}) at the least.",
    }


def _illustration(results: Results) -> dict[str, str]:
    text = "G games its length: its brevity penalty is 1 over the corpus, and below 1 as a mean over its captions."
    penalties = {row["system"]: row for row in results.numbers["brevity_penalties"].to_dict("records")}
    if "G" not in penalties:
        return {"text": text, "verdict": NOT_EVALUATED, "evidence": ""}
    corpus, mean = penalties["G"]["corpus"], penalties["G"]["mean-sentence"]
    return {
        "text": text,
        "verdict": "seen" if corpus == 1 > mean else "not seen",
        "evidence": f"G's brevity penalty is {corpus:.4f} over the corpus and {mean:.4f} as a mean.",
    }


def _derived(results: Results) -> dict[str, str]:
    monotone = results.numbers["monotone"]
    falling = list(monotone["system"][~monotone["precisions"].astype(bool)])
    return {
        "text": "Modified precisions cannot fall as nested references are added: a clipped count can only grow.",
        "verdict": "checked" if not falling else "broken",
        "evidence": f"No precision of {listed(list(monotone['system']), 'and')} falls."
        if not falling
        else f"A precision of {listed(falling, 'and')} falls: something is wrong.",
    }


def _computed(results: Results) -> dict[str, str]:
    rows = results.study_flips
    flipped = list(rows["configuration"][rows["flip"]])
    return {
        "text": "Which rows flip the ranking.",
        "verdict": f"{len(flipped)} of {len(rows)}",
        "evidence": "; ".join(flipped) + "." if flipped else "None of them.",
    }

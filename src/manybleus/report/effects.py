"""What each choice does over the grid, and how the systems stand to each other, as the templates show it."""

from typing import Any

import pandas as pd

from manybleus.report.results import Results
from manybleus.report.words import AXIS_WORDS, cells_words, in_words, listed, percent
from manybleus.text import signed

_LISTED, _INTERACTIONS, _SETTLED = 20, 6, 8


def effects(results: Results) -> dict[str, Any]:
    """Return the choices by how often they turn the gap's pair, the interactions, and what settles the ranking."""
    if not results.study.gap:
        return {}
    names = {"-".join(results.study.gap), "-".join(reversed(results.study.gap))}
    told = results.over["effects"]
    told = told[told["pair"].isin(names)]
    if told.empty:
        return {}
    sign = 1 if told["pair"].iloc[0] == "-".join(results.study.gap) else -1
    shares = results.over["variances"]
    shares = shares[shares["of"].isin(names)]
    single = shares[shares["axes"] == 1].set_index("term")
    lines = []
    order = ["pivotality", "mean_absolute_change"]
    for row in told[told["from"].isna()].sort_values(order, ascending=False, kind="stable").to_dict("records"):
        axis = str(row["axis"])
        lines.append(
            {
                "axis": axis_words(axis),
                "share": percent(single["share"].get(axis)),
                "total": percent(single["total_share"].get(axis)),
                "size": f"{row['mean_absolute_change']:.4f}",
                "pivotality": percent(row["pivotality"]),
                "flips": f"{row['flips']:,} of {row['contexts']:,}",
                "step": _largest_step(told[told["axis"] == axis], sign),
            }
        )
    joint = shares[shares["axes"] > 1].sort_values("share", ascending=False, kind="stable")
    return {
        "axes": lines,
        "main": percent(single["share"].sum()),
        "interactions": [
            {"term": " and ".join(map(axis_words, row["term"].split(" x "))), "share": percent(row["share"])}
            for row in joint[:_INTERACTIONS].to_dict("records")
        ],
        "rest": {"count": max(len(joint) - _INTERACTIONS, 0), "share": percent(joint["share"][_INTERACTIONS:].sum())},
        **_settled(results),
    }


def axis_words(axis: str) -> str:
    """Put the name of an axis into words; of axes whose choices depend on each other, all."""
    return listed([AXIS_WORDS.get(each, each) for each in axis.split("+")], "and")


def _largest_step(rows: pd.DataFrame, sign: int) -> dict[str, str]:
    """The change of a choice that moves the gap most in the mean."""
    row = max(rows[rows["from"].notna()].to_dict("records"), key=lambda row: abs(row["mean_change"]))
    return {"change": f"{row['from']} → {row['to']}", "mean": signed(sign * row["mean_change"])}


def _settled(results: Results) -> dict[str, Any]:
    """Say which few choices leave one ranking, and which axes must be fixed before the ranking is."""
    fixed = results.over["fixed"]
    choices, axes = (fixed[fixed["kind"] == kind] for kind in ("choices", "axes"))
    return {
        "settled": [
            {
                "fixed": in_words(str(row["fixed"])) if row["size"] else "nothing at all",
                "ranking": str(row["ranking"]),
                "cells": cells_words(row["cells"], row["distinct_cells"], noun=""),
            }
            for row in choices[:_SETTLED].to_dict("records")
        ],
        "unlisted": max(len(choices) - _SETTLED, 0),
        "needed": [listed(list(map(axis_words, str(each).split("; "))), "and") for each in axes["fixed"].dropna()],
        "size": int(axes["size"].iloc[0]),
    }


def standings(results: Results) -> dict[str, Any]:
    """Return the places that the systems take over the grid, and the pairs that change their order."""
    if not results.study.gap:
        return {}
    pairs, places = results.over["pairs"], results.over["places"]
    baseline = results.scores(results.study.baseline)
    # Two columns are called as columns of names are.
    counts = pairs[["first", "second", "tied"]].astype(int)
    rarer = counts.sum(axis=1) - counts.max(axis=1)
    turning = pairs.assign(rarer=rarer)[rarer > 0]
    names = {f"{one}-{other}": (one, other) for one in baseline for other in baseline}
    return {
        "places": [
            {
                "system": str(row["system"]),
                "score": f"{baseline[str(row['system'])]:.4f}",
                "place": f"{row['baseline']}",
                "range": f"{row['best']} to {row['worst']}" if row["best"] < row["worst"] else f"always {row['best']}",
                "scores": f"{row['lowest_score']:.4f} to {row['highest_score']:.4f}",
            }
            for row in places.sort_values("baseline", kind="stable").to_dict("records")
        ],
        "pairs": [
            {
                "pair": listed(names[str(row["pair"])], "and"),
                "gap": signed(baseline[names[str(row["pair"])][0]] - baseline[names[str(row["pair"])][1]]),
                "counts": [
                    cells_words(int(row[name]), int(row[f"distinct_{name}"]), noun="")
                    for name in ("first", "tied", "second")
                ],
                "range": f"{signed(row['smallest_gap'])} to {signed(row['largest_gap'])}",
            }
            for row in turning.sort_values("rarer", ascending=False, kind="stable")[:_LISTED].to_dict("records")
        ],
        "turning": len(turning),
        "of": len(pairs),
    }

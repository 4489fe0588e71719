"""Tables, flips, the whole grid, lengths and precisions, as the templates show them."""

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from manybleus.report.results import OWN_TABLE, Results
from manybleus.report.tables import data_table, score_table
from manybleus.report.words import AXIS_WORDS, FEW_RANKINGS, MANY_SYSTEMS, percent, signed, unbroken

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 20


def tables(results: Results) -> list[dict[str, Any]]:
    """Return the study's tables of scores, and the user's own, with their flips marked."""
    shown = []
    for table in results.study.tables:
        name = table["name"]
        label = "Your own configurations" if name == OWN_TABLE else f"Table {name}"
        shown.append(
            score_table(
                f"table-{name.lower()}",
                label,
                label if name == OWN_TABLE else f"{label}: {table['title']}",
                _brief(results, results.tables[name]),
                results.flips[results.flips["table"] == name],
                {row: bool(results.cell(configuration)["equal"]) for row, configuration in table["rows"]},
            )
            | {"file": table["file"]}
        )
    return shown


def _brief(results: Results, table: "pd.DataFrame") -> "pd.DataFrame":
    """Write of the rankings of very many systems only how many pairs stand the other way round."""
    baseline = results.scores(results.study.baseline)
    if len(baseline) <= MANY_SYSTEMS:
        return table
    pairs = list(combinations(baseline, 2))
    turned = [
        sum((baseline[one] - baseline[other]) * (row[one] - row[other]) < 0 for one, other in pairs)
        for row in table.to_dict("records")
    ]
    return table.assign(ranking=[f"{count} of {len(pairs)} pairs turn" for count in turned])


def flips(results: Results) -> dict[str, Any]:
    """Return which of the study's rows flip, the range of the gap in them, and the count of a user's own flips."""
    rows = results.study_flips
    own = results.flips[results.flips["table"] == OWN_TABLE]
    return {
        "count": int(rows["flip"].sum()),
        "of": len(rows),
        "rows": list(rows["configuration"][rows["flip"]]),
        "own": f"{int(own['flip'].sum())} of {len(own)}" if len(own) else "",
        "lowest": signed(rows["gap"].min()) if len(rows) else "",
        "highest": signed(rows["gap"].max()) if len(rows) else "",
    }


def grid(results: Results) -> dict[str, Any]:
    """Return how many of the scored configurations give which ranking: in all, and by the answer to each choice."""
    cells, baseline = results.cells, results.baseline_ranking
    counts = Counter(map(str, cells["ranking"]))
    rankings = sorted(counts, key=lambda ranking: (-counts[ranking], ranking))
    few = len(rankings) <= FEW_RANKINGS and len(results.captions.systems) <= MANY_SYSTEMS
    axes = []
    for axis in results.study.baseline:
        lines = []
        for option, part in cells.groupby(axis, sort=False):
            inside = Counter(part["ranking"])
            lines.append(
                {
                    "option": str(option),
                    "cells": len(part),
                    "counts": [inside[ranking] for ranking in rankings] if few else [],
                    "share": f"{100 * (len(part) - inside[baseline]) / len(part):.1f}",
                    "low": signed(part["gap"].min()),
                    "high": signed(part["gap"].max()),
                }
            )
        axes.append({"axis": AXIS_WORDS.get(axis, axis), "lines": lines})
    shown = [
        {
            "ranking": unbroken(ranking) if few else ranking,
            "cells": counts[ranking],
            "is_baseline": ranking == baseline,
        }
        for ranking in rankings
    ]
    return {
        "cells": len(cells),
        "complete": len(cells) == math.prod(len(axis["lines"]) for axis in axes),
        "rankings": shown if few else [],
        "as_baseline": counts[baseline],
        "distinct": len(rankings),
        "frequent": [] if few else shown[:_LISTED],
        "axes": axes,
        "equal": int(cells["equal"].sum()),
    }


def numbers(results: Results) -> dict[str, Any]:
    """Return the smaller tables, with as many digits as the study prints."""
    found = results.numbers
    first = results.study.tables[0]["name"]
    return {
        "spread": data_table(
            "spread", f"Spread: largest minus smallest score in Table {first}", found["spread"], ".4f"
        ),
        "mean_minus_corpus": data_table(
            "mean-minus-corpus",
            "Mean sentence BLEU minus corpus BLEU, by smoothing",
            found["mean_minus_corpus"],
            "+.4f",
        ),
        "precisions": data_table(
            "precisions",
            "Modified precisions by number of references",
            found["precisions"].drop(columns="score"),
            ".3f",
            headings=2,
        ),
    }


# The shape of each system's points in the chart: a circle, a square, a triangle, a diamond.
_SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.5 -4.5h9v9h-9z",
    "M0 -6l6 11h-12z",
    "M0 -6.5l6 6.5-6 6.5-6-6.5z",
)
_PANEL, _BETWEEN, _TOP, _HEIGHT, _MARGIN = 132, 34, 24, 154, 40


def chart(results: Results) -> dict[str, Any]:
    """Lay out score and precisions by number of references; nothing of one number alone, or of many systems."""
    table = results.numbers["precisions"]
    systems, counts = list(dict.fromkeys(table["system"])), list(map(str, dict.fromkeys(table["references"])))
    if len(counts) < 2 or len(systems) > len(_SHAPES):
        return {}
    columns = ["score", *(name for name in table.columns if str(name).startswith("p"))]
    places = {count: round(12 + (_PANEL - 24) * place / (len(counts) - 1), 1) for place, count in enumerate(counts)}

    def y(value: float) -> float:
        return round(_TOP + _HEIGHT * (1 - value), 1)

    panels = []
    for number, column in enumerate(columns):
        lines = []
        for place, system in enumerate(systems):
            rows = table[table["system"] == system]
            points = [
                {"x": places[str(count)], "y": y(value)}
                for count, value in zip(rows["references"], rows[column], strict=True)
            ]
            path = "M" + "L".join(f"{point['x']} {point['y']}" for point in points)
            lines.append({"place": place, "d": path, "points": points, "shape": _SHAPES[place]})
        name = "BLEU" if column == "score" else str(column)
        panels.append({"name": name, "x": _MARGIN + number * (_PANEL + _BETWEEN), "lines": lines})
    return {
        "panels": panels,
        "panel": _PANEL,
        "middle": _PANEL / 2,
        "width": _MARGIN + len(columns) * (_PANEL + _BETWEEN),
        "ticks": [{"y": y(value), "text": f"{value:g}"} for value in (0, 0.25, 0.5, 0.75, 1)],
        "counts": [{"x": x, "text": count} for count, x in places.items()],
        "systems": [{"name": name, "place": place, "shape": _SHAPES[place]} for place, name in enumerate(systems)],
    }


def brevity(results: Results) -> list[dict[str, Any]]:
    """Return the length of each system's captions at the baseline, and what the two aggregations make of it."""
    lengths = results.scores(results.study.baseline, "candidate_length")
    references = results.scores(results.study.baseline, "effective_reference_length")
    lines = []
    for row in results.numbers["brevity_penalties"].to_dict("records"):
        system = row["system"]
        captions = results.lengths[results.lengths["system"] == system]
        lines.append(
            {
                "system": system,
                "c": f"{lengths[system]:.10g}",
                "r": f"{references[system]:.10g}",
                "short": int(captions["captions"][captions["difference"] < 0].sum()),
                "corpus": f"{row['corpus']:.4f}",
                "mean": f"{row['mean-sentence']:.4f}",
                "corpus_share": percent(row["corpus"]),
                "mean_share": percent(row["mean-sentence"]),
            }
        )
    return lines


def gaming(results: Results) -> str:
    """Return how G games its length, where the checks tell it; otherwise nothing."""
    told = {row["check"]: row["value"] for row in results.rows("checks")}
    try:
        return (
            f"G is made to show it: its truncated captions have {told['g-truncated-tokens']} tokens, where the"
            f" shortest reference has {told['references-min-tokens']}; to S1's caption on the other pictures it appends"
            f" {told['g-padding-words']} words."
        )
    except KeyError:
        return ""

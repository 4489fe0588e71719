"""Tables, flips, the whole grid, lengths and precisions, as the templates show them."""

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from manybleus.report.results import OWN_TABLE, Results
from manybleus.report.tables import data_table, score_table
from manybleus.report.words import AXIS_WORDS, FEW_RANKINGS, MANY_SYSTEMS, cells_words, percent, unbroken
from manybleus.text import signed

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
    given = cells["ranking"].astype(str)
    counts = Counter(given)
    rankings = sorted(counts, key=lambda ranking: (-counts[ranking], ranking))
    few = len(rankings) <= FEW_RANKINGS and len(results.captions.systems) <= MANY_SYSTEMS
    axes = []
    for axis in [axis for axis in results.study.baseline if cells[axis].nunique() > 1]:
        lines = []
        for option, part in cells.groupby(axis, sort=False):
            inside = cells[axis] == option
            lines.append(
                {
                    "option": str(option),
                    "cells": _cells(results, inside, noun=""),
                    "counts": [_cells(results, inside & (given == each), noun="") for each in rankings] if few else [],
                    "share": f"{100 * (part['ranking'] != baseline).mean():.1f}",
                    "low": signed(part["gap"].min()),
                    "high": signed(part["gap"].max()),
                }
            )
        axes.append({"axis": AXIS_WORDS.get(axis, axis), "lines": lines})
    # Of one system alone there is no ranking to hold against another.
    known = results.over["rankings"]
    agreement = {} if known.empty else dict(zip(known["ranking"], known["tau_b"], strict=True))
    shown = [
        {
            "ranking": unbroken(ranking) if few else ranking,
            "cells": _cells(results, given == ranking),
            "tau_b": _correlation(agreement.get(ranking)),
            "is_baseline": ranking == baseline,
        }
        for ranking in (rankings if few else rankings[:_LISTED])
    ]
    return {
        "cells": len(cells),
        "cells_words": _cells(results, given.notna()),
        "inside": results.grid_cells,
        "complete": len(cells) == math.prod(len(axis["lines"]) for axis in axes),
        "rankings": shown if few else [],
        "as_baseline": _cells(results, given == baseline),
        "ways": len(rankings),
        "frequent": shown[:_LISTED] if agreement else [],
        "axes": axes,
        "equal": _cells(results, cells["equal"]),
    }


def _cells(results: Results, which: "pd.Series[bool]", noun: str = " distinct") -> str:
    """Count configurations, and distinct ones, in words."""
    return cells_words(*results.count(which.to_numpy(dtype=bool)), noun)


def _correlation(tau_b: float | None) -> str:
    return "" if tau_b is None or math.isnan(tau_b) else f"{tau_b:.2f}"


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

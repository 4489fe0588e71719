"""What a flip is worth, and which cells contradict each other. Extends the study.

The order of two systems in a cell may be significant or not. So a flip between two cells is *decisive* if both orders
are, *soft* if one is, and a *tie* if neither is: against a baseline whose gap is none, no flip can be decisive.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybleus.analysis.orders import Pair, distinct_cells, pair_name, pair_orders, pairs_of
from manybleus.analysis.significance import (
    PLAIN,
    Judgement,
    block_t_table,
    bootstrap_p,
    interval,
    judgements,
    randomization_p,
    rounded,
    significance_table,
    verdict_name,
)
from manybleus.analysis.tables import Grid
from manybleus.arrays import Floats
from manybleus.bleu.configuration import Configuration, choice_text, choices, configurations
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.config import Significance, Table

KINDS = ("tie", "soft", "decisive")
_FLIPS = ["table", "configuration", "resampling", "pair", "gap", "low", "high", "p", "adjusted", "verdict"]
_WORTH = ["kind", "change", "change_low", "change_high", "change_p"]
_FLIPS += ["baseline_verdict", "turned", *_WORTH]


def significance_tables(
    statistics: CaptionStatistics,
    grid: pd.DataFrame,
    axes: Mapping[str, Sequence[Any]],
    outside: Sequence[Configuration],
    tables: Sequence[Table],
    baseline: Configuration,
    gap: tuple[str, str],
    tie_tolerance: float,
    plan: Significance,
    strata: Sequence[object] | None,
) -> dict[str, pd.DataFrame]:
    """Make every table about significance.

    Parameters
    ----------
    statistics
        Counted for all cells.
    grid
        As ``tables.grid_table`` makes it.
    axes, outside
        The full grid, and the cells that only a table names.
    tables
        The study's tables, for the rows that may flip.
    baseline
        What they are held against.
    gap
        The two systems whose difference the flips are about.
    tie_tolerance
        See ``rankings.ranking``.
    plan
        Draws, level and correction.
    strata
        One label for each image, or None.

    Returns
    -------
    dict
        File name -> table.
    """
    inside = configurations(axes)
    cells = list(dict.fromkeys([*inside, *outside]))
    looked_up = Grid(grid)
    systems = statistics.systems
    scores = np.array([[looked_up.scores(cell)[system] for system in systems] for cell in cells])
    first, second = np.array(pairs_of(systems)).T
    judged = judgements(statistics, cells, plan, strata)
    by_p = randomization_p(statistics, cells, plan)
    places = {cell: place for place, cell in enumerate(cells)}
    standard = scores[places[baseline]]
    falling = [systems[place] for place in np.argsort(-standard, kind="stable")]
    return {
        "significance.csv": significance_table(
            systems, cells, scores[:, first] - scores[:, second], judged, by_p, plan
        ),
        "flip_significance.csv": flip_table(
            systems, places, scores, judged, tables, baseline, gap, tie_tolerance, plan
        ),
        "reversals.csv": reversal_table(systems, inside, scores[: len(inside)], judged, plan),
        "block_t.csv": block_t_table(statistics, baseline, falling, plan.blocks),
    }


def change(drawn: Floats, baseline: Floats, pair: Pair, level: float) -> tuple[float, float, float]:
    """Return interval and p of a gap's change from one cell to another, by the same draws in both.

    Parameters
    ----------
    drawn, baseline
        The scores of the two cells, ``(systems, draws)``.
    pair
        Places of systems.
    level
        One minus the interval's coverage.
    """
    first, second = pair
    changes = (drawn[first] - drawn[second]) - (baseline[first] - baseline[second])
    low, high = interval(changes, level)
    return rounded(low), rounded(high), float(bootstrap_p(changes, changes))


def flip_table(
    systems: Sequence[str],
    places: Mapping[Configuration, int],
    scores: Floats,
    judged: Sequence[Judgement],
    tables: Sequence[Table],
    baseline: Configuration,
    gap: tuple[str, str],
    tie_tolerance: float,
    plan: Significance,
) -> pd.DataFrame:
    """Say of every counted row of the tables what its flip is worth, and how surely its gap has changed.

    Returns
    -------
    DataFrame
        ``table``, ``configuration``, ``resampling``, ``pair`` (the gap's systems), ``gap``, ``low``, ``high``, ``p``,
        ``adjusted``, ``verdict`` and the ``baseline_verdict``; ``turned``, the pairs whose order is not the baseline's,
        and their ``kind`` (the most decisive one's; missing if no pair is turned); ``change`` of the gap from the
        baseline's with ``change_low``, ``change_high`` and ``change_p``, which are not adjusted. The change and the
        bounds are rounded to ``DECIMALS``.
    """
    pairs = pairs_of(systems)
    mine = (systems.index(gap[0]), systems.index(gap[1]))
    column = pairs.index((min(mine), max(mine)))
    sign = 1 if mine in pairs else -1
    start = places[baseline]
    gaps = np.stack([scores[:, first] - scores[:, second] for first, second in pairs], axis=-1)
    orders = pair_orders(scores, tie_tolerance)
    needed = list(dict.fromkeys([start, *(places[cell] for table in tables for _, cell in table.rows)]))
    rows = []
    for one in judged:
        drawn = dict(zip(needed, one.draw(needed), strict=True))
        for table in tables:
            for name, cell in table.rows:
                if name not in table.counted:
                    continue
                at = places[cell]
                turned = [number for number in range(len(pairs)) if orders[at, number] != orders[start, number]]
                known = [sum(_stands(one, orders, place, number) for place in (at, start)) for number in turned]
                bounds = sorted((sign * one.low[at, column], sign * one.high[at, column]))
                low, high, p = change(drawn[at], drawn[start], mine, plan.level)
                rows.append(
                    {
                        "table": table.name,
                        "configuration": name,
                        "resampling": one.resampling,
                        "pair": "-".join(gap),
                        "gap": sign * gaps[at, column] + 0.0,
                        "low": rounded(bounds[0]),
                        "high": rounded(bounds[1]),
                        "p": one.p[at, column],
                        "adjusted": one.adjusted[at, column],
                        "verdict": verdict_name(sign * int(one.verdicts[at, column])),
                        "baseline_verdict": verdict_name(sign * int(one.verdicts[start, column])),
                        "turned": "; ".join(pair_name(systems, pairs[number]) for number in turned) or None,
                        "kind": KINDS[max(known)] if known else None,
                        "change": rounded(sign * (gaps[at, column] - gaps[start, column])),
                        "change_low": low,
                        "change_high": high,
                        "change_p": p,
                    }
                )
    return pd.DataFrame(rows, columns=_FLIPS)


def with_worth(flips: pd.DataFrame, tests: pd.DataFrame | None) -> pd.DataFrame:
    """Say of the study's flips what each is worth.

    Parameters
    ----------
    flips
        As ``rankings.flips`` makes it.
    tests
        As ``flip_table`` makes it, of the same rows; None where nothing was drawn.

    Returns
    -------
    DataFrame
        ``flips``, and by plain draws the ``kind`` of each flip and the ``change`` of the gap from the baseline's, with
        ``change_low``, ``change_high`` and ``change_p``; missing where nothing was drawn.
    """
    if tests is None:
        return flips.assign(**dict.fromkeys(_WORTH))
    rows = ["table", "configuration"]
    return flips.merge(tests.loc[tests["resampling"] == PLAIN, [*rows, *_WORTH]], on=rows, how="left")


def _stands(judged: Judgement, orders: Any, cell: int, pair: int) -> bool:
    """Whether a pair's order in a cell is significant."""
    return bool(judged.verdicts[cell, pair] != 0 and judged.verdicts[cell, pair] == orders[cell, pair])


def reversal_table(
    systems: Sequence[str],
    cells: Sequence[Configuration],
    scores: Floats,
    judged: Sequence[Judgement],
    plan: Significance,
) -> pd.DataFrame:
    """Count for each pair of systems the cells of the full grid that are significantly one way, the other, or neither.

    Parameters
    ----------
    systems
        Their names.
    cells
        The full grid; the judgements begin with these.
    scores
        ``(cells, systems)``, 0-1.
    judged
        By kind of draws.
    plan
        The level.

    Returns
    -------
    DataFrame
        ``pair``, ``resampling``, ``cells``, ``distinct_cells``; ``first``, ``second`` and ``neither``, and the same as
        ``distinct_...``; where both orders occur significantly, the two cells furthest apart among those:
        ``first_cell`` and ``second_cell`` with their gaps, and the ``change`` between them with interval and p.
    """
    varied = [axis for axis in choices(cells[0]) if len({choice_text(getattr(cell, axis, None)) for cell in cells}) > 1]
    rows, distinct = [], distinct_cells(scores)
    for one in judged:
        for number, pair in enumerate(pairs_of(systems)):
            gaps = scores[:, pair[0]] - scores[:, pair[1]]
            verdicts = one.verdicts[: len(cells), number]
            row: dict[str, Any] = {"pair": pair_name(systems, pair), "resampling": one.resampling, "cells": len(cells)}
            row["distinct_cells"] = distinct
            found = {verdict_name(verdict): verdicts == verdict for verdict in (1, -1, 0)}
            row |= {name: int(which.sum()) for name, which in found.items()}
            row |= {f"distinct_{name}": distinct_cells(scores[which]) for name, which in found.items()}
            row |= dict.fromkeys(["first_cell", "first_gap", "second_cell", "second_gap"])
            row |= dict.fromkeys(["change", "change_low", "change_high", "change_p"])
            if found["first"].any() and found["second"].any():
                most = int(np.argmax(np.where(found["first"], gaps, -np.inf)))
                least = int(np.argmin(np.where(found["second"], gaps, np.inf)))
                upper, lower = one.draw([most, least])
                low, high, p = change(upper, lower, pair, plan.level)
                row |= {"first_cell": _text(cells[most], varied), "first_gap": gaps[most]}
                row |= {"second_cell": _text(cells[least], varied), "second_gap": gaps[least]}
                row |= {
                    "change": rounded(gaps[most] - gaps[least]),
                    "change_low": low,
                    "change_high": high,
                    "change_p": p,
                }
            rows.append(row)
    return pd.DataFrame(rows)


def _text(cell: Configuration, axes: Sequence[str]) -> str:
    return "; ".join(f"{axis}={choice_text(getattr(cell, axis))}" for axis in axes)

"""How systems stand to each other over all cells of a grid: rankings, places, pairs.

This extends the study, which ranked the cells of its tables alone.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import ranking
from manybleus.arrays import Floats, Integers

Pair = tuple[int, int]

# Scores that agree to so many decimals are one cell: some smoothings move the last bits alone.
DISTINCT_DECIMALS = 9


def pairs_of(systems: Sequence[str]) -> list[Pair]:
    """Return every pair of systems by place, the earlier one first."""
    return list(combinations(range(len(systems)), 2))


def pair_name(systems: Sequence[str], pair: Pair) -> str:
    """Return how tables name a pair, and its gap: the first minus the second."""
    return "-".join(systems[place] for place in pair)


def places_of(scores: Floats, tie_tolerance: float) -> tuple[Integers, Integers]:
    """Return the best and the worst place, from 1, that each system may claim: they differ where it ties.

    Parameters
    ----------
    scores
        ``(cells, systems)``, 0-1.
    tie_tolerance
        See ``rankings.ranking``.
    """
    order = np.argsort(-scores, axis=1, kind="stable")
    falling = np.take_along_axis(scores, order, axis=1)
    leads = falling[:, :-1] - falling[:, 1:]
    tied = (leads < tie_tolerance) | (leads == 0)
    places = np.arange(scores.shape[1])
    opens = np.insert(~tied, 0, True, axis=1)
    closes = np.append(~tied, np.ones((len(scores), 1), dtype=bool), axis=1)
    first = np.maximum.accumulate(np.where(opens, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(closes, places, len(places))[:, ::-1], axis=1)[:, ::-1]
    best, worst = np.empty_like(order), np.empty_like(order)
    np.put_along_axis(best, order, first + 1, axis=1)
    np.put_along_axis(worst, order, last + 1, axis=1)
    return best, worst


def pair_orders(scores: Floats, tie_tolerance: float) -> Integers:
    """Return who leads each pair of ``pairs_of``: 1 the first, -1 the second, 0 neither, as the ranking ties them.

    Parameters are as in ``places_of``; the result is ``(cells, pairs)``.
    """
    best, _ = places_of(scores, tie_tolerance)
    first, second = np.triu_indices(scores.shape[1], 1)
    orders: Integers = np.sign(best[:, second] - best[:, first])
    return orders


def distinct_cells(scores: Floats, decimals: int | None = DISTINCT_DECIMALS) -> int:
    """Count the cells, ``(cells, systems)``, whose scores differ in that many decimals; None for any bit."""
    return len(np.unique(scores if decimals is None else scores.round(decimals), axis=0))


def rankings_of(scores: Floats, systems: Sequence[str], tie_tolerance: float) -> list[str]:
    """Return the ranking of every cell; scores ``(cells, systems)``."""
    return [ranking(dict(zip(systems, row, strict=True)), tie_tolerance) for row in scores.tolist()]


def ranking_counts(scores: Floats, rankings: Sequence[str]) -> pd.DataFrame:
    """Count the cells of each ranking, the most frequent first.

    Parameters
    ----------
    scores
        ``(cells, systems)``, 0-1.
    rankings
        Of every cell; see ``rankings_of``.

    Returns
    -------
    DataFrame
        ``ranking``, ``cells``, ``distinct_cells`` (to nine decimals), ``distinct_bits`` (to the last bit).
    """
    found: dict[str, list[int]] = {}
    for cell, name in enumerate(rankings):
        found.setdefault(name, []).append(cell)
    rows = [
        (name, len(cells), distinct_cells(scores[cells]), distinct_cells(scores[cells], None))
        for name, cells in sorted(found.items(), key=lambda each: -len(each[1]))
    ]
    return pd.DataFrame(rows, columns=["ranking", "cells", "distinct_cells", "distinct_bits"])


def ranking_table(scores: Floats, systems: Sequence[str], baseline: Floats, tie_tolerance: float) -> pd.DataFrame:
    """Count the cells of each ranking, the most frequent first, and hold each ranking against the baseline's.

    Parameters
    ----------
    scores
        ``(cells, systems)``, 0-1.
    systems
        Their names.
    baseline
        The baseline's scores, ``(systems,)``.
    tie_tolerance
        See ``rankings.ranking``.

    Returns
    -------
    DataFrame
        As ``ranking_counts`` has it, and ``tau_b``: Kendall's rank correlation with the baseline's ranking (Kendall
        1945), missing where all systems tie.
    """
    from scipy.stats import kendalltau

    rankings = rankings_of(scores, systems, tie_tolerance)
    best, _ = places_of(scores, tie_tolerance)
    standard, _ = places_of(baseline[None], tie_tolerance)
    counts = ranking_counts(scores, rankings)
    taus = [kendalltau(best[rankings.index(each)], standard[0], variant="b").statistic for each in counts["ranking"]]
    # A perfect agreement is 1, whatever the last bit.
    return counts.assign(tau_b=[round(float(tau), 15) for tau in taus])


def place_table(scores: Floats, systems: Sequence[str], baseline: Floats, tie_tolerance: float) -> pd.DataFrame:
    """Return each system's places over all cells; parameters as in ``ranking_table``.

    Returns
    -------
    DataFrame
        ``system``, ``baseline`` (its best place there), ``best`` and ``worst`` (the interval of its places, a tie taken
        both ways), ``lowest_score``, ``highest_score``.
    """
    best, worst = places_of(scores, tie_tolerance)
    standard, _ = places_of(baseline[None], tie_tolerance)
    return pd.DataFrame(
        {
            "system": list(systems),
            "baseline": standard[0],
            "best": best.min(axis=0),
            "worst": worst.max(axis=0),
            "lowest_score": scores.min(axis=0),
            "highest_score": scores.max(axis=0),
        }
    )


def pair_table(scores: Floats, systems: Sequence[str], tie_tolerance: float) -> pd.DataFrame:
    """Say of each pair of systems in how many cells which of them leads; parameters as in ``ranking_table``.

    Returns
    -------
    DataFrame
        ``pair``, ``cells``, ``distinct_cells``, ``first`` and ``second`` (cells in which that one leads), ``tied``,
        each of the three once more as ``distinct_...``, ``holds`` (True if one order holds in every cell),
        ``smallest_gap``, ``largest_gap``.
    """
    rows, distinct = [], distinct_cells(scores)
    for pair, orders in zip(pairs_of(systems), pair_orders(scores, tie_tolerance).T, strict=True):
        gaps = scores[:, pair[0]] - scores[:, pair[1]]
        row: dict[str, Any] = {"pair": pair_name(systems, pair), "cells": len(gaps), "distinct_cells": distinct}
        ahead = {name: orders == order for name, order in (("first", 1), ("second", -1), ("tied", 0))}
        row |= {name: int(which.sum()) for name, which in ahead.items()}
        row |= {f"distinct_{name}": distinct_cells(scores[which]) for name, which in ahead.items()}
        row |= {"holds": len(set(orders.tolist())) == 1, "smallest_gap": gaps.min(), "largest_gap": gaps.max()}
        rows.append(row)
    return pd.DataFrame(rows)

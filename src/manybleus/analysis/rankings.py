"""Rankings, ties and flips, of systems and of pairs of them."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

# A table's column before the gap; where it is the last one, there is no pair to tell of.
RANKING = "ranking"


def ranking(scores: Mapping[str, float], tie_tolerance: float) -> str:
    """Rank systems by falling score, e.g. ``"S1 > S2 = G"``.

    Parameters
    ----------
    scores
        System -> unrounded score, 0-1.
    tie_tolerance
        Neighbours closer than this, or equal, are tied and joined by ``=``. Equal scores keep the systems' order.
    """
    order = sorted(scores, key=lambda system: -scores[system])
    text = order[0]
    for better, worse in pairwise(order):
        lead = scores[better] - scores[worse]
        text += (" = " if lead < tie_tolerance or lead == 0 else " > ") + worse
    return text


def flips(tables: Mapping[str, pd.DataFrame], counted: Mapping[str, Sequence[str]], baseline: str) -> pd.DataFrame:
    """Say of every counted row whether its ranking differs from the baseline's.

    Parameters
    ----------
    tables
        Table name -> table as made by ``tables.build_table``.
    counted
        Table name -> the configurations that count; the row that is the baseline itself does not.
    baseline
        The baseline's ranking.

    Returns
    -------
    DataFrame
        ``table``, ``configuration``, ``pair``, ``baseline_ranking``, ``ranking``, ``gap`` (of the pair, 0-1), ``flip``.
        Of one system alone there is no pair and no gap.
    """
    parts = []
    for name, table in tables.items():
        rows = table[table["configuration"].isin(counted[name])]
        pair = gap_column(table)
        parts.append(
            pd.DataFrame(
                {
                    "table": name,
                    "configuration": rows["configuration"],
                    "pair": pair or "",
                    "baseline_ranking": baseline,
                    "ranking": rows["ranking"],
                    "gap": rows[pair] if pair else np.nan,
                    "flip": rows["ranking"] != baseline,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def gap_column(table: pd.DataFrame) -> str | None:
    """Return the column of a table that holds the gap of two systems, or None where there is none."""
    last = str(table.columns[-1])
    return None if last == RANKING else last


def closest_pair(scores: Mapping[str, float]) -> tuple[str, str] | None:
    """Return the two neighbours of a ranking whose scores are closest, the better one first; None of one system.

    Of several such pairs it is the one that ranks highest.
    """
    order = sorted(scores, key=lambda system: -scores[system])
    return min(pairwise(order), key=lambda pair: scores[pair[0]] - scores[pair[1]], default=None)


def rank_table(grid: pd.DataFrame, baseline: Mapping[str, float], tie_tolerance: float) -> pd.DataFrame:
    """Tell how high and how low each system ranks in the cells of a grid.

    Parameters
    ----------
    grid
        As ``tables.grid_table`` makes it.
    baseline
        System -> its score under the baseline.
    tie_tolerance
        A rank is 1 and the number of systems that lead by at least so much.

    Returns
    -------
    DataFrame
        ``system``, ``score`` and ``rank`` under the baseline, ``best_rank``, ``worst_rank``; in the baseline's order.
    """
    systems, scores = _scores(grid)
    of_baseline = np.array([[baseline[system] for system in systems]])
    at_baseline, ranks = _ranks(of_baseline, tie_tolerance)[0], _ranks(scores, tie_tolerance)
    table = pd.DataFrame(
        {
            "system": systems,
            "score": of_baseline[0],
            "rank": at_baseline,
            "best_rank": ranks.min(axis=0),
            "worst_rank": ranks.max(axis=0),
        }
    )
    return table.sort_values("score", ascending=False, kind="stable", ignore_index=True)


def pair_table(grid: pd.DataFrame, baseline: Mapping[str, float], tie_tolerance: float) -> pd.DataFrame:
    """Count for each pair of systems the cells in which either leads.

    Parameters
    ----------
    grid, baseline, tie_tolerance
        See ``rank_table``.

    Returns
    -------
    DataFrame
        ``first`` and ``second`` in the baseline's order, ``gap`` (first minus second under the baseline, 0-1), and
        the numbers of cells in which first is ``ahead``, ``tied`` or ``behind``; pairs that turn most often first.
    """
    systems, scores = _scores(grid)
    column = {system: place for place, system in enumerate(systems)}
    lines = []
    for first, second in combinations(sorted(systems, key=lambda system: -baseline[system]), 2):
        one, other = scores[:, column[first]], scores[:, column[second]]
        ahead = int(_leads(other, one, tie_tolerance).sum())
        behind = int(_leads(one, other, tie_tolerance).sum())
        counts = {"ahead": ahead, "tied": len(scores) - ahead - behind, "behind": behind}
        lines.append({"first": first, "second": second, "gap": baseline[first] - baseline[second]} | counts)
    table = pd.DataFrame(lines, columns=["first", "second", "gap", "ahead", "tied", "behind"])
    return table.sort_values("behind", ascending=False, kind="stable", ignore_index=True)


def _scores(grid: pd.DataFrame) -> tuple[list[str], NDArray[np.float64]]:
    """Return a grid's systems, and its scores as ``(cells, systems)``."""
    systems = list(map(str, grid["system"].unique()))
    return systems, grid["score"].to_numpy().reshape(-1, len(systems))


def _ranks(scores: NDArray[np.float64], tie_tolerance: float) -> NDArray[np.int64]:
    """Rank the systems of each cell, ``(cells, systems)``."""
    ranks = np.ones(scores.shape, dtype=np.int64)
    for place in range(scores.shape[1]):
        ranks += _leads(scores, scores[:, [place]], tie_tolerance)
    return ranks


def _leads(behind: Any, ahead: Any, tie_tolerance: float) -> Any:
    """Tell where one score leads another by so much that it is no tie."""
    lead = ahead - behind
    return (lead >= tie_tolerance) & (lead != 0)


def ranking_counts(grid: pd.DataFrame, tie_tolerance: float) -> pd.DataFrame:
    """Count the cells of a grid by their ranking, the most frequent first.

    Parameters
    ----------
    grid
        One row per cell and system, the systems of a cell together, as ``tables.grid_table`` makes it.
    tie_tolerance
        See ``ranking``.

    Returns
    -------
    DataFrame
        ``ranking``, ``cells``.
    """
    systems, scores = _scores(grid)
    rankings = [ranking(dict(zip(systems, row, strict=True)), tie_tolerance) for row in scores.tolist()]
    counts = pd.Series(rankings).value_counts(sort=False).sort_values(ascending=False, kind="stable")
    return pd.DataFrame({"ranking": counts.index, "cells": counts.to_numpy()})

"""Rankings, ties and flips, and the pair whose gap is told."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

# A table's column before the gap; where it is the last one, there is no pair to tell of.
RANKING = "ranking"


def ranking(scores: Mapping[str, float], tie_tolerance: float) -> str:
    """Rank systems by falling score, e.g. ``"S1 > S2 = G"``.

    Parameters
    ----------
    scores
        System -> unrounded score, 0-1.
    tie_tolerance
        Neighbours closer than this, or equal, are tied and joined by ``=``. Tied systems stand in the systems' order.
    """
    systems = list(scores)
    order = sorted(systems, key=lambda system: -scores[system])
    tied = [[order[0]]]
    for better, worse in pairwise(order):
        lead = scores[better] - scores[worse]
        if lead < tie_tolerance or lead == 0:
            tied[-1].append(worse)
        else:
            tied.append([worse])
    return " > ".join(" = ".join(sorted(each, key=systems.index)) for each in tied)


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
    """Return the two neighbours of a ranking whose scores are closest, as the systems are ordered; None of one system.

    Of several such pairs it is the one that ranks highest.
    """
    order = sorted(scores, key=lambda system: -scores[system])
    pair = min(pairwise(order), key=lambda pair: scores[pair[0]] - scores[pair[1]], default=None)
    # As every table has its pairs, so that a gap has the same sign in all of them.
    return (min(pair, key=list(scores).index), max(pair, key=list(scores).index)) if pair else None

"""What the draws of ``redraws.py`` come to: the distribution of the gap in each row, and how often each row flips."""

import statistics
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybleus.replication.redraws import BASELINE, FLIP, SCENES


def row_table(
    draws: pd.DataFrame, seeds: Collection[int], images: int, own_seed: int, tie_tolerance: float
) -> pd.DataFrame:
    """Summarize the draws of each row, for everything that was redrawn.

    Parameters
    ----------
    draws
        As ``redraws.redraw`` makes them, all seeds together.
    seeds
        The seeds that count; the study's own may stand among the draws without being one.
    images
        The study's number of images; other draws do not count here.
    own_seed
        The study's own seed, of which there is a draw.
    tie_tolerance
        Gaps below it are ties.

    Returns
    -------
    DataFrame
        ``redrawn``, ``table``, ``configuration``, ``pair``, then the distribution: ``draws`` (how many), ``mean``,
        ``sd`` (empty for one draw), ``lowest``, ``q1``, ``median``, ``q3``, ``highest`` of the gap (0-1), ``ahead``
        and ``tied`` (in how many draws the pair's first system leads, and in how many none does), ``flips`` (in how
        many the row flips); then the study's own draw: ``study_gap``, ``study_change``, and in how many draws the gap
        is ``below`` it.
    """
    at_size = draws[draws["images"] == images]
    row = ["table", "configuration"]
    own = at_size[(at_size["seed"] == own_seed) & (at_size["redrawn"] == SCENES)].set_index(row)
    lines: list[dict[str, Any]] = []
    for key, part in _groups(at_size[at_size["seed"].isin(list(seeds))], ["redrawn", *row, "pair"]):
        study = own.loc[key[1:3]]
        lines.append(
            {
                **dict(zip(["redrawn", *row, "pair"], key, strict=True)),
                **_distribution(part, tie_tolerance),
                "study_gap": study["gap"],
                "study_change": study["change"],
                "below": int((part["gap"] < study["gap"]).sum()),
            }
        )
    return pd.DataFrame(lines)


def size_table(draws: pd.DataFrame, seeds: Collection[int], tie_tolerance: float) -> pd.DataFrame:
    """Summarize the draws of scenes by number of images.

    Parameters
    ----------
    draws, tie_tolerance
        See ``row_table``.
    seeds
        Those that were drawn with every number of images.

    Returns
    -------
    DataFrame
        ``images``, from few to many, ``table``, ``configuration``, ``pair`` and the distribution; see ``row_table``.
    """
    of_seeds = draws[draws["seed"].isin(list(seeds)) & (draws["redrawn"] == SCENES)]
    names = ["images", "table", "configuration", "pair"]
    groups = _groups(of_seeds.sort_values("images", kind="stable"), names)
    return pd.DataFrame(
        {**dict(zip(names, key, strict=True)), **_distribution(part, tie_tolerance)} for key, part in groups
    )


def count_table(draws: pd.DataFrame, images: int, own_seed: int) -> pd.DataFrame:
    """Count the rows that flip in each draw.

    Parameters
    ----------
    draws, images, own_seed
        See ``row_table``.

    Returns
    -------
    DataFrame
        ``redrawn``, ``seed``, ``own`` (True for the study's own seed), ``baseline_ranking`` (empty if rows are not
        held against one ranking), ``flips`` and ``rows`` (how many flip, and of how many).
    """
    lines: list[dict[str, Any]] = []
    for (redrawn, seed), part in _groups(draws[draws["images"] == images], ["redrawn", "seed"]):
        compared = part["compared"].unique()
        lines.append(
            {
                "redrawn": redrawn,
                "seed": seed,
                "own": seed == own_seed,
                "baseline_ranking": compared[0] if (part["change"] == BASELINE).any() else None,
                "flips": int((part["change"] == FLIP).sum()),
                "rows": int((part["change"] != BASELINE).sum()),
            }
        )
    return pd.DataFrame(lines)


def _groups(draws: pd.DataFrame, names: Sequence[str]) -> list[tuple[Any, pd.DataFrame]]:
    return list(draws.groupby(list(names), sort=False))


def _distribution(part: pd.DataFrame, tie_tolerance: float) -> dict[str, Any]:
    gaps = part["gap"].to_numpy()
    tied = (np.abs(gaps) < tie_tolerance) | (gaps == 0)
    lowest, q1, median, q3, highest = np.quantile(gaps, [0, 0.25, 0.5, 0.75, 1]).tolist()
    return {
        "draws": len(gaps),
        "mean": statistics.fmean(gaps.tolist()),
        "sd": statistics.stdev(gaps.tolist()) if len(gaps) > 1 else None,
        "lowest": lowest,
        "q1": q1,
        "median": median,
        "q3": q3,
        "highest": highest,
        "ahead": int(((gaps > 0) & ~tied).sum()),
        "tied": int(tied.sum()),
        "flips": int((part["change"] == FLIP).sum()),
    }

"""Would an order of two systems survive another draw of images? Resampling tests in every cell. Extends the study.

Two questions, two tests. The paired bootstrap draws other images (Koehn 2004; Efron and Tibshirani 1993): its interval
and its p say whether the order would stand on them, and the verdicts rest on it. Approximate randomization swaps the
two systems' captions of an image (Noreen 1989): its p says whether such a gap comes from labels put on at random.
"""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from manybleus.analysis.orders import pair_name, pairs_of
from manybleus.arrays import Floats, Integers
from manybleus.bleu.configuration import AXES, Configuration, choice_text, choices
from manybleus.bleu.draws import (
    Counts,
    block_counts,
    bootstrap_draws,
    swap_draws,
    with_no_swap,
    with_plain_counts,
)
from manybleus.bleu.resampling import resampled_scores, swapped_differences
from manybleus.bleu.scores import by_scheme
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.config import Significance
from manybleus.corrections import CORRECTIONS

# Differences below this count as none, so that the last bits of a logarithm decide nothing.
EQUAL = 1e-9
# The decimals of an interval in a table: far finer than draws can tell, too coarse for the last bits to show.
DECIMALS = 8
PLAIN, STRATIFIED = "plain", "stratified"


# ----------------------------------------------------------------------------------------------- intervals and p-values


def interval(differences: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the percentile interval of resampled differences, ``(..., draws)`` in.

    The bounds are order statistics: the interval leaves zero out just where ``bootstrap_p`` is at most the level.
    """
    draws = differences.shape[-1]
    low = max(int(np.floor((draws + 1) * level / 2 + 1e-9)) - 1, 0)
    high = draws - 1 - low
    found = np.partition(differences, [low, high], axis=-1)
    return found[..., low], found[..., high]


def bootstrap_p(differences: Floats, _: Floats) -> Floats:
    """Return the two-sided p of resampled differences: the level at which their percentile interval reaches zero.

    p = 2 (1 + the draws on the rarer side of zero, those at zero among them) / (1 + draws), at most 1: it is 1 for a
    system and its copy.
    """
    draws = differences.shape[-1]
    rarer = np.minimum((differences <= EQUAL).sum(axis=-1), (differences >= -EQUAL).sum(axis=-1))
    p: Floats = np.minimum(2 * (rarer + 1) / (draws + 1), 1.0)
    return p


def sacrebleu_bootstrap_p(differences: Floats, observed: Floats) -> Floats:
    """Return p as sacreBLEU 2.6.0's paired bootstrap has it.

    The sizes of the resampled differences less their mean are held against the observed size. Equal ones do not count;
    in sacreBLEU the last bit decides of these.
    """
    sizes = np.abs(differences)
    larger = sizes - sizes.mean(axis=-1, keepdims=True) > np.abs(observed)[..., None] + EQUAL
    p: Floats = (larger.sum(axis=-1) + 1) / (differences.shape[-1] + 1)
    return p


def sacrebleu_interval(scores: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the half-width of the 95 % interval as sacreBLEU 2.6.0 has them, ``(..., draws)`` in."""
    draws = scores.shape[-1]
    ordered = np.sort(scores, axis=-1)
    return ordered.mean(axis=-1), 0.5 * (ordered[..., draws - draws // 40 - 1] - ordered[..., draws // 40])


@dataclass(frozen=True, slots=True)
class Procedure:
    """How p comes from draws.

    Attributes
    ----------
    bootstrap_p
        Function of the resampled differences, ``(pairs, draws)``, and the observed ones, ``(pairs,)``.
    margin
        A swapped difference counts if its size is above the observed size less this.
    """

    bootstrap_p: Callable[[Floats, Floats], Floats]
    margin: float


PROCEDURES: Mapping[str, Procedure] = {
    "manybleus": Procedure(bootstrap_p, EQUAL),
    "sacrebleu": Procedure(sacrebleu_bootstrap_p, -EQUAL),
}


# ----------------------------------------------------------------------------------------------------------- every cell


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the draws of one kind say of every cell and pair.

    Attributes
    ----------
    resampling
        ``plain`` or ``stratified``.
    draw
        Function of places of cells that returns their scores in every draw, ``(cells, systems, draws)``, 0-1.
    low, high, p, adjusted
        Interval and p of the bootstrap, the latter also adjusted for all cells and pairs; ``(cells, pairs)``.
    verdicts
        1 where the first system of a pair leads significantly, -1 where the second does, else 0; ``(cells, pairs)``.
    means, half_widths
        sacreBLEU's mean and interval, ``(cells, systems)``; None with another procedure.
    """

    resampling: str
    draw: Callable[[Sequence[int]], Floats]
    low: Floats
    high: Floats
    p: Floats
    adjusted: Floats
    verdicts: Integers
    means: Floats | None = None
    half_widths: Floats | None = None


def judge(
    resampling: str,
    statistics: CaptionStatistics,
    cells: Sequence[Configuration],
    counts: Counts,
    plan: Significance,
) -> Judgement:
    """Run the paired bootstrap in every cell, for every pair of systems.

    Parameters
    ----------
    resampling
        A name for the kind of draws.
    statistics
        Counted for at least these cells.
    cells
        The configurations.
    counts
        The draws.
    plan
        Level, correction and procedure.

    Raises
    ------
    ManybleusError
        If no p-value could ever be significant: too few draws for the correction and so many comparisons.
    """
    pairs = np.array(pairs_of(statistics.systems))
    plan.check_draws(len(cells) * len(pairs))
    low, high, p, observed = (np.empty((len(cells), len(pairs))) for _ in range(4))
    own = plan.procedure == "sacrebleu"
    means, half_widths = (np.empty((len(cells), len(statistics.systems))) if own else None for _ in range(2))
    counts_and_plain = with_plain_counts(counts)
    # One scheme at a time, to bound memory.
    for numbers in by_scheme(cells).values():
        scores = resampled_scores(statistics, [cells[number] for number in numbers], counts_and_plain)
        for number, of_cell in zip(numbers, scores, strict=True):
            differences = of_cell[pairs[:, 0]] - of_cell[pairs[:, 1]]
            observed[number], drawn = differences[:, 0], differences[:, 1:]
            low[number], high[number] = interval(drawn, plan.level)
            p[number] = PROCEDURES[plan.procedure].bootstrap_p(drawn, observed[number])
            if means is not None and half_widths is not None:
                means[number], half_widths[number] = sacrebleu_interval(of_cell[:, 1:])

    def draw(places: Sequence[int]) -> Floats:
        return resampled_scores(statistics, [cells[place] for place in places], counts)

    adjusted = CORRECTIONS[plan.correction].adjust(p.ravel()).reshape(p.shape)
    told = (adjusted <= plan.level) & (images_of(statistics) >= fewest_images(plan.level))
    verdicts = np.where(told, np.sign(observed), 0).astype(np.int64)
    return Judgement(resampling, draw, low, high, p, adjusted, verdicts, means, half_widths)


def fewest_images(level: float) -> int:
    """Return of how many images an order may be significant at all.

    All of n images favour one of two equal systems by chance with p = 2 / 2^n (the sign test).
    """
    return 1 - math.floor(math.log2(level))


def images_of(statistics: CaptionStatistics) -> int:
    """Return the number of images that were counted."""
    return len(next(iter(statistics.schemes.values())).reference_lengths)


def randomization_p(statistics: CaptionStatistics, cells: Sequence[Configuration], plan: Significance) -> Floats:
    """Return the p of approximate randomization, ``(cells, pairs)``: (1 + draws as far apart) / (1 + draws)."""
    pairs = pairs_of(statistics.systems)
    swaps = with_no_swap(swap_draws(images_of(statistics), plan.randomization, plan.seed))
    threshold, counts = np.empty((len(cells), len(pairs))), np.zeros((len(cells), len(pairs)), dtype=np.int64)
    for number, draws, differences in swapped_differences(statistics, cells, swaps, pairs):
        sizes = np.abs(differences)
        if draws.start == 0:
            threshold[number], sizes = sizes[:, 0] - PROCEDURES[plan.procedure].margin, sizes[:, 1:]
        counts[number] += (sizes > threshold[number][:, None]).sum(axis=-1)
    return (counts + 1) / (plan.randomization + 1)


def judgements(
    statistics: CaptionStatistics,
    cells: Sequence[Configuration],
    plan: Significance,
    strata: Sequence[object] | None,
) -> list[Judgement]:
    """Judge every cell by plain draws, and by draws within strata where there are any."""
    images = images_of(statistics)
    kinds: dict[str, Sequence[object] | None] = {PLAIN: None}
    if strata is not None:
        kinds[STRATIFIED] = strata
    return [
        judge(name, statistics, cells, bootstrap_draws(images, plan.bootstrap, plan.seed, labels), plan)
        for name, labels in kinds.items()
    ]


def significance_table(
    systems: Sequence[str],
    cells: Sequence[Configuration],
    gaps: Floats,
    judged: Sequence[Judgement],
    randomization: Floats,
    plan: Significance,
) -> pd.DataFrame:
    """Lay out the tests: one row for each kind of draws, cell and pair.

    Parameters
    ----------
    systems
        Their names.
    cells
        The configurations.
    gaps
        The exact gaps, ``(cells, pairs)``, 0-1.
    judged
        By kind of draws.
    randomization
        p of the swaps, ``(cells, pairs)``; an image is swapped within itself, so that strata change nothing in it.
    plan
        Level, correction and procedure.

    Returns
    -------
    DataFrame
        The axes, ``pair``, ``resampling``, ``gap``, ``low``, ``high``, ``p_bootstrap``, ``adjusted_bootstrap``,
        ``p_randomization``, ``adjusted_randomization``, ``verdict`` (``first``, ``second`` or ``neither``); with
        sacreBLEU's procedure also its mean and interval of either system.
    """
    pairs = pairs_of(systems)
    axes = [axis for axis in AXES if any(axis in choices(cell) for cell in cells)]
    named = {axis: np.repeat([choice_text(getattr(cell, axis)) for cell in cells], len(pairs)) for axis in axes}
    named["pair"] = np.tile([pair_name(systems, pair) for pair in pairs], len(cells))
    adjusted = CORRECTIONS[plan.correction].adjust(randomization.ravel())
    parts = []
    for one in judged:
        plain = one.resampling == PLAIN
        columns: dict[str, Any] = {
            **named,
            "resampling": one.resampling,
            "gap": gaps.ravel(),
            "low": rounded(one.low.ravel()),
            "high": rounded(one.high.ravel()),
            "p_bootstrap": one.p.ravel(),
            "adjusted_bootstrap": one.adjusted.ravel(),
            "p_randomization": randomization.ravel() if plain else np.nan,
            "adjusted_randomization": adjusted if plain else np.nan,
            "verdict": [verdict_name(verdict) for verdict in one.verdicts.ravel().tolist()],
        }
        if one.means is not None and one.half_widths is not None:
            for name, places in zip(("first", "second"), np.array(pairs).T, strict=True):
                columns[f"{name}_mean"] = rounded(one.means[:, places].ravel())
                columns[f"{name}_interval"] = rounded(one.half_widths[:, places].ravel())
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def rounded(values: Any) -> Any:
    """Round to ``DECIMALS``; zero has no sign."""
    return np.round(values, DECIMALS) + 0.0


def _small(p: float) -> float:
    """Return p with six digits; it is never 0."""
    return max(float(f"{p:.6g}"), sys.float_info.min)


def verdict_name(verdict: int) -> str:
    """Return a verdict as it stands in tables."""
    return {1: "first", -1: "second", 0: "neither"}[verdict]


def block_t_table(
    statistics: CaptionStatistics, cell: Configuration, systems: Sequence[str], blocks: int
) -> pd.DataFrame:
    """Compare neighbours of a ranking on blocks of images by a paired t-test (Papineni et al. 2002, section 4).

    Parameters
    ----------
    statistics
        Counted for this cell.
    cell
        The configuration.
    systems
        In falling order of their score.
    blocks
        How many, of neighbouring images; with fewer images, one each.

    Returns
    -------
    DataFrame
        ``better``, ``worse``, ``blocks``, ``smallest_block``, ``largest_block`` (in images), ``mean_difference`` (0-1),
        ``t``, ``p`` (two-sided). Where all differences are equal there is no t.
    """
    from scipy.stats import ttest_rel

    images = images_of(statistics)
    counts = block_counts(images, min(blocks, images))
    scores = resampled_scores(statistics, [cell], counts)[0]
    of_system = dict(zip(statistics.systems, scores, strict=True))
    sizes = counts.counts.sum(axis=1, dtype=np.int64)
    rows = []
    for better, worse in pairwise(systems):
        difference = of_system[better] - of_system[worse]
        varies = len(difference) > 1 and np.ptp(difference) > EQUAL
        found = ttest_rel(of_system[better], of_system[worse]) if varies else None
        rows.append(
            {
                "better": better,
                "worse": worse,
                "blocks": len(difference),
                "smallest_block": sizes.min(),
                "largest_block": sizes.max(),
                "mean_difference": rounded(difference.mean()),
                "t": rounded(found.statistic) if found else None,
                "p": _small(found.pvalue) if found else None,
            }
        )
    return pd.DataFrame(rows)

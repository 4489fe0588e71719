"""Scores of resampled images, of every configuration at once.

A resample is a row of weights on the images (``draws.py``), and statistics are sums over images: one matrix product
gives the statistics of all resamples. The formula then runs over arrays.

Only whole numbers are multiplied, and their sums stay below 2**53. So every product is exact, in whatever order it is
added: no machine, library or number of threads changes it. What is no whole number, a sentence's score or an average
reference length, is first put on a grid of 2**-s, as fine as that bound allows: about 12 decimals for 5,000 images.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manybleus.arrays import Floats, Integers
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import Formula
from manybleus.bleu.draws import Counts, Swaps, Weights, plain_counts
from manybleus.bleu.exact import distinct
from manybleus.bleu.scores import by_scheme
from manybleus.bleu.smoothing import PenaltyRule, brevity_penalty, coco_brevity_penalty, no_brevity_penalty
from manybleus.bleu.statistics import (
    CaptionStatistics,
    SchemeStatistics,
    effective_reference_lengths,
    ngram_totals,
    weighted_by_length,
)

# What a column of sums is: its kind, then what tells it from others of its kind.
Key = tuple[Any, ...]
Pair = tuple[int, int]

_DRAWS_PER_SHARD = 1 << 10
_IMAGES_PER_BLOCK = 1 << 12
_VALUES_PER_CHUNK = 1 << 16


def resampled_scores(statistics: CaptionStatistics, configurations: Sequence[Configuration], counts: Counts) -> Floats:
    """Score every system under every configuration in every resample, ``(configurations, systems, draws)``, 0-1.

    Parameters
    ----------
    statistics
        Counted for at least these configurations.
    configurations
        The cells.
    counts
        How often each image is taken.
    """
    scores = np.empty((len(configurations), len(statistics.systems), counts.shape[0]))
    for number, draws, found in _scores(statistics, configurations, counts, ()):
        scores[number, :, draws] = found
    return scores


def swapped_differences(
    statistics: CaptionStatistics,
    configurations: Sequence[Configuration],
    swaps: Swaps,
    pairs: Sequence[Pair],
) -> Iterator[tuple[int, slice, Floats]]:
    """Score the two halves of every pair after every swap.

    Parameters
    ----------
    statistics, configurations
        As in ``resampled_scores``.
    swaps
        Where captions are swapped.
    pairs
        Places of systems.

    Yields
    ------
    configuration, draws, differences
        The place of the configuration, a part of the draws, and the first half's score minus the second's,
        ``(pairs, draws)``.
    """
    for number, draws, found in _scores(statistics, configurations, swaps, pairs):
        yield number, draws, found[: len(pairs)] - found[len(pairs) :]


# ------------------------------------------------------------------------------------------------------ sums of columns


def _scores(
    statistics: CaptionStatistics,
    configurations: Sequence[Configuration],
    weights: Weights,
    pairs: Sequence[Pair],
) -> Iterator[tuple[int, slice, Floats]]:
    """Yield a configuration's place, a part of the draws, and the scores then, ``(systems, draws)``.

    With pairs, the systems are the first halves of all pairs after the swaps, then the second ones.
    """
    step = max(_VALUES_PER_CHUNK // (2 * len(pairs) or len(statistics.systems)), 1)
    for scheme, numbers in by_scheme(configurations).items():
        cells = [configurations[number] for number in numbers]
        sums = _Sums(_Columns(statistics, statistics.schemes[scheme], cells), weights, pairs)
        for first in range(0, weights.shape[0], step):
            draws = slice(first, min(first + step, weights.shape[0]))
            found = _cell_scores(statistics, cells, partial(sums.part, draws), weights.shape[1])
            for number, scores in zip(numbers, found, strict=True):
                yield number, draws, scores


class _Sums:
    """The sums of some columns in every draw, after the swaps where there are pairs."""

    def __init__(self, columns: "_Columns", weights: Weights, pairs: Sequence[Pair]) -> None:
        self._columns, self._pairs = columns, pairs
        self._sums = columns.sums(weights)
        self._whole = columns.sums(plain_counts(weights.shape[1])) if pairs else self._sums

    def part(self, draws: slice, key: Key) -> Floats:
        """Return one column's sums in some draws, ``(systems, draws)``."""
        rows = self._columns.rows(key)
        found = self._sums[rows, draws]
        if self._pairs:
            first, second = (list(places) for places in zip(*self._pairs, strict=True))
            moved, whole = found[second] - found[first], self._whole[rows]
            found = np.concatenate([whole[first] + moved, whole[second] - moved])
        grid = self._columns.grids[key]
        return found * 2.0**-grid if grid else found


class _Columns:
    """What is summed over the images for some cells of one scheme: for each key a row for each system.

    The keys: ``c``; ``t`` and an order; ``m``, a reference count and an order; ``r``, a reference count and a length
    rule; ``s`` and a cell, the sentence scores, times r where they are weighted by it.
    """

    def __init__(
        self, statistics: CaptionStatistics, counted: SchemeStatistics, cells: Sequence[Configuration]
    ) -> None:
        self._counted, self._images = counted, counted.candidate_lengths.shape[1]
        self._cuts: dict[Key, Callable[[slice], NDArray[Any]]] = {}
        self.grids: dict[Key, int] = {}
        self._lengths: dict[tuple[int, str], Floats] = {}
        totals = counted.totals(counted.matches.shape[-1])
        for cell in cells:
            k = statistics.place_of(cell.references)
            weighted = weighted_by_length(cell.aggregation)
            if weighted is not False:
                self._add(("r", k, cell.reference_length), self.lengths(statistics, k, cell.reference_length))
            if weighted is None:
                self._add(("c",), counted.candidate_lengths)
                for n in range(totals.shape[-1]):
                    self._add(("t", n), totals[..., n])
                    self._add(("m", k, n), counted.matches[:, k, :, n])
        self._add_sentences(statistics, [cell for cell in cells if weighted_by_length(cell.aggregation) is not None])
        self._places = {key: place for place, key in enumerate(self._cuts)}

    def rows(self, key: Key) -> slice:
        """Return where a column's sums stand, one row for each system."""
        systems = len(self._counted.candidate_lengths)
        return slice(self._places[key] * systems, (self._places[key] + 1) * systems)

    def lengths(self, statistics: CaptionStatistics, k: int, rule: str) -> Floats:
        """Return r of every system and image, ``(systems, images)``."""
        if (k, rule) not in self._lengths:
            used = self._counted.reference_lengths[:, : statistics.reference_counts[k]]
            numerators, denominators = effective_reference_lengths(self._counted.candidate_lengths, used, rule)
            self._lengths[k, rule] = numerators / denominators
        return self._lengths[k, rule]

    def _add(self, key: Key, values: NDArray[Any], cut: Callable[[slice], NDArray[Any]] | None = None) -> None:
        """Add a column, given as a whole, or by its largest value and a function that gives a part of the images."""
        if key in self._cuts:
            return
        whole = cut is None and bool((values == np.rint(values)).all())
        self.grids[key] = 0 if whole else _finest_grid(float(values.max(initial=0.0)), self._images)
        self._cuts[key] = cut or (lambda images: values[:, images])

    def _add_sentences(self, statistics: CaptionStatistics, cells: Sequence[Configuration]) -> None:
        if not cells:
            return
        c = self._counted.candidate_lengths
        ks = sorted({statistics.place_of(cell.references) for cell in cells})
        by_order = np.moveaxis(self._counted.matches[:, ks], -1, 0)
        (lengths, *matches), places = distinct([np.broadcast_to(c[:, None], by_order.shape[1:]), *by_order])
        totals = list(ngram_totals(lengths, len(matches)))
        means: dict[Formula, Floats] = {}
        penalties: dict[tuple[int, str, PenaltyRule], Floats] = {}
        for cell in cells:
            formula, k = cell.formula, statistics.place_of(cell.references)
            r = self.lengths(statistics, k, cell.reference_length)
            if formula not in means:
                means[formula] = geometric_means(formula, matches, totals) / formula.rule.scale
            asked = (k, cell.reference_length, formula.penalty_rule)
            if asked not in penalties:
                penalties[asked] = penalty(formula.penalty_rule, c, r)
            weight = r if weighted_by_length(cell.aggregation) else None
            place = places[:, ks.index(k)]
            largest = means[formula].max() * penalties[asked].max() * (1.0 if weight is None else weight.max())

            def cut(
                images: slice,
                mean: Floats = means[formula],
                penalties: Floats = penalties[asked],
                place: Integers = place,
                weight: Floats | None = weight,
            ) -> Floats:
                scores = mean[place[:, images]] * penalties[:, images]
                return scores if weight is None else scores * weight[:, images]

            self._add(("s", cell), np.array([largest]), cut)

    def sums(self, weights: Weights) -> Floats:
        """Return every column's sum in every draw, ``(columns * systems, draws)``, times 2**grid."""
        systems = len(self._counted.candidate_lengths)
        draws = weights.shape[0]
        sums = np.zeros((len(self._cuts) * systems, draws))
        for first in range(0, self._images, _IMAGES_PER_BLOCK):
            images = slice(first, min(first + _IMAGES_PER_BLOCK, self._images))
            block = np.empty((len(self._cuts), systems, images.stop - first))
            for values, (key, cut) in zip(block, self._cuts.items(), strict=True):
                grid = self.grids[key]
                values[:] = cut(images)
                if grid:
                    np.rint(np.multiply(values, 2.0**grid, out=values), out=values)
            columns = block.reshape(len(sums), -1)
            for start in range(0, draws, _DRAWS_PER_SHARD):
                shard = slice(start, min(start + _DRAWS_PER_SHARD, draws))
                sums[:, shard] += columns @ weights.block(shard, images).T
        return sums


def _finest_grid(largest: float, images: int) -> int:
    """Return s so that sums over the images of values on the grid 2**-s, and of two such sums, stay below 2**53."""
    return min(51 - images.bit_length() - int(np.frexp(largest)[1]), 1000)


# ------------------------------------------------------------------------------------------------ formulas over arrays


def _cell_scores(
    statistics: CaptionStatistics, cells: Sequence[Configuration], look_up: Callable[[Key], Floats], images: int
) -> Iterator[Floats]:
    """Score cells of one scheme from the sums that ``look_up`` gives."""
    orders = next(iter(statistics.schemes.values())).matches.shape[-1]
    counts: dict[Key, list[Floats]] = {}
    means: dict[tuple[int, Formula], Floats] = {}
    penalties: dict[tuple[int, str, PenaltyRule], Floats] = {}
    for cell in cells:
        formula, k = cell.formula, statistics.place_of(cell.references)
        weighted = weighted_by_length(cell.aggregation)
        if weighted is False:
            yield look_up(("s", cell)) / images
            continue
        r = look_up(("r", k, cell.reference_length))
        if weighted:
            sums = look_up(("s", cell))
            yield np.divide(sums, r, out=np.zeros_like(sums), where=r > 0)
            continue
        if ("t",) not in counts:
            counts["t",] = [look_up(("t", n)) for n in range(orders)]
        if ("m", k) not in counts:
            counts["m", k] = [look_up(("m", k, n)) for n in range(orders)]
        # The brevity penalty is another factor.
        grams = replace(formula, brevity_penalty=True)
        if (k, grams) not in means:
            means[k, grams] = geometric_means(formula, counts["m", k], counts["t",]) / formula.rule.scale
        asked = (k, cell.reference_length, formula.penalty_rule)
        if asked not in penalties:
            penalties[asked] = penalty(formula.penalty_rule, look_up(("c",)), r)
        yield penalties[asked] * means[k, grams]


def geometric_means(formula: Formula, matches: Sequence[NDArray[Any]], totals: Sequence[NDArray[Any]]) -> Floats:
    """Return the geometric mean of the smoothed precisions, on their scale; the array form of ``Formula.mean``.

    Parameters
    ----------
    formula
        The formula.
    matches, totals
        m and t by order, arrays of one shape.
    """
    precisions = formula.precisions(list(matches), list(totals))
    weights = [1.0] * len(precisions) if formula.weights is None else list(formula.weights)
    orders = formula.effective_orders(list(totals[: len(precisions)]))
    logarithms: Any = 0.0
    whole: Any = 0.0
    with np.errstate(divide="ignore"):
        for n, (precision, weight) in enumerate(zip(precisions, weights, strict=True)):
            if weight > 0:
                counted = np.less(n, orders)
                logarithms = logarithms + np.where(counted, weight * np.log(precision), 0.0)
                whole = whole + np.where(counted, weight, 0.0)
    return np.where(whole > 0, np.exp(logarithms / np.where(whole > 0, whole, 1.0)), 0.0)


def penalty(rule: PenaltyRule, c: NDArray[Any], r: NDArray[Any]) -> Floats:
    """Apply a brevity penalty to arrays of c and r."""
    if rule in _PENALTIES:
        return _PENALTIES[rule](c, r)
    # A rule that has no array form yet.
    found: Floats = np.vectorize(rule, otypes=[np.float64])(c, r)
    return found


def _plain_penalty(c: NDArray[Any], r: NDArray[Any]) -> Floats:
    shorter = (c <= r) & (c > 0)
    ratio = np.divide(r, c, out=np.ones(np.shape(c)), where=shorter)
    return np.where(shorter, np.exp(1 - ratio), np.where(c > 0, 1.0, 0.0))


def _coco_penalty(c: NDArray[Any], r: NDArray[Any]) -> Floats:
    ratio = (c + 1e-15) / (r + 1e-9)
    return np.where(ratio < 1, np.exp(1 - 1 / np.minimum(ratio, 1.0)), 1.0)


# The array forms of the brevity penalties in smoothing.py.
_PENALTIES: dict[PenaltyRule, Callable[[NDArray[Any], NDArray[Any]], Floats]] = {
    brevity_penalty: _plain_penalty,
    no_brevity_penalty: lambda c, r: np.where(c > 0, 1.0, 0.0),
    coco_brevity_penalty: _coco_penalty,
}

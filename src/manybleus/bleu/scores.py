"""From statistics to scores: every configuration of every system, equal to the definition bit by bit.

A sentence's score is a product of two factors that depend on few integers: the precisions on (m, t), the brevity
penalty on (c, r). Each distinct row of integers goes through the scalar definition once; arrays only gather and count.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import SMOOTHINGS, geometric_mean
from manybleus.bleu.statistics import (
    CaptionStatistics,
    Integers,
    Scheme,
    effective_reference_lengths,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Score:
    """One system under one configuration.

    ``score``, ``brevity_penalty`` and ``precisions`` (p_1..p_N after smoothing) are 0-1; under *mean-sentence* each is
    its mean over the images. ``candidate_length`` and ``reference_length`` are c and r summed over the images.
    """

    configuration: Configuration
    system: str
    score: float
    brevity_penalty: float
    precisions: tuple[float, ...]
    candidate_length: int
    reference_length: float


def score(statistics: CaptionStatistics, configurations: Sequence[Configuration]) -> list[Score]:
    """Score every system under every configuration.

    Parameters
    ----------
    statistics
        Counted for at least these configurations' schemes, reference counts and orders.
    configurations
        The cells.

    Returns
    -------
    list of Score
        Configuration by configuration, the systems in their order.
    """
    cells = {scheme: _Cells(statistics, scheme) for scheme in statistics.schemes}
    return [
        cells[cell.case, cell.tokenizer].score(cell, place, system)
        for cell in configurations
        for place, system in enumerate(statistics.systems)
    ]


def schemes(configurations: Sequence[Configuration]) -> list[Scheme]:
    """Return the pairs of case rule and tokenizer that the configurations need."""
    return list(dict.fromkeys((cell.case, cell.tokenizer) for cell in configurations))


class _Cells:
    """The cells of one scheme. What several cells share is computed once and kept."""

    def __init__(self, statistics: CaptionStatistics, scheme: Scheme) -> None:
        self._all = statistics
        self._counted = statistics.schemes[scheme]
        self._lengths = cache(self._compute_lengths)
        self._sentence_precisions = cache(self._compute_sentence_precisions)
        self._sentence_penalties = cache(self._compute_sentence_penalties)

    def score(self, cell: Configuration, place: int, system: str) -> Score:
        smoothing = SMOOTHINGS[cell.smoothing]
        numerators, denominators = self._lengths(cell.reference_length, cell.references)
        c = int(self._counted.candidate_lengths[place].sum())
        r = float(_sum_of_fractions(numerators[place], denominators))
        if cell.aggregation == "corpus":
            k = self._all.place_of(cell.references)
            m = self._counted.matches[place, k, :, : cell.max_order].sum(axis=0).tolist()
            t = self._counted.totals(cell.max_order)[place].sum(axis=0).tolist()
            penalty = smoothing.brevity_penalty(c, r)
            precisions = smoothing.precisions(m, t)
            value = penalty * geometric_mean(precisions) / smoothing.scale
        else:
            rows, means = self._sentence_precisions(cell.smoothing, cell.references, cell.max_order)
            penalties = self._sentence_penalties(smoothing.brevity_penalty, cell.reference_length, cell.references)
            value = _mean(penalties[place] * means[place] / smoothing.scale)
            penalty = _mean(penalties[place])
            precisions = [_mean(column) for column in rows[place].T]
        return Score(cell, system, value, penalty, tuple(p / smoothing.scale for p in precisions), c, r)

    def _compute_lengths(self, rule: str, references: int | str) -> tuple[Integers, Integers]:
        used = self._counted.reference_lengths[:, : self._all.reference_counts[self._all.place_of(references)]]
        return effective_reference_lengths(self._counted.candidate_lengths, used, rule)

    def _compute_sentence_precisions(
        self, smoothing: str, references: int | str, max_order: int
    ) -> tuple[Floats, Floats]:
        """Precisions, ``(systems, images, orders)``, and their geometric means, ``(systems, images)``."""
        matches = self._counted.matches[:, self._all.place_of(references), :, :max_order]
        rows = np.concatenate([matches, self._counted.totals(max_order)], axis=-1)
        distinct, where = _distinct(rows.reshape(-1, 2 * max_order))
        rule = SMOOTHINGS[smoothing]
        precisions = [rule.precisions(row[:max_order], row[max_order:]) for row in distinct.tolist()]
        means = np.array([geometric_mean(p) for p in precisions])
        return np.array(precisions)[where].reshape(matches.shape), means[where].reshape(matches.shape[:2])

    def _compute_sentence_penalties(
        self, brevity_penalty: Callable[[int, float], float], rule: str, references: int | str
    ) -> Floats:
        """Brevity penalties, ``(systems, images)``."""
        numerators, denominators = self._lengths(rule, references)
        c = self._counted.candidate_lengths
        rows = np.stack([c, numerators, np.broadcast_to(denominators, c.shape)], axis=-1)
        distinct, where = _distinct(rows.reshape(-1, 3))
        penalties = [brevity_penalty(c, up / down) for c, up, down in distinct.tolist()]
        return np.array(penalties)[where].reshape(c.shape)


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """Return the distinct rows of non-negative integers, and for each row the place of its like."""
    distinct, where = np.unique(rows, axis=0, return_inverse=True)
    return distinct, where.ravel()


def _mean(values: Floats) -> float:
    return math.fsum(values.tolist()) / len(values)


def _sum_of_fractions(numerators: Integers, denominators: Integers) -> Fraction:
    return sum(
        (Fraction(int(numerators[denominators == d].sum()), int(d)) for d in np.unique(denominators)),
        Fraction(0),
    )

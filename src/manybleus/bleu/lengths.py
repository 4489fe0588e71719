"""The lengths c and r of all systems under each rule, and the brevity penalties that follow."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np

from manybleus.arrays import Floats, Integers
from manybleus.bleu.exact import distinct
from manybleus.bleu.smoothing import PenaltyRule
from manybleus.bleu.statistics import CaptionStatistics, effective_reference_lengths
from manybleus.bleu.tokens import Scheme


class Lengths:
    """c and r of every system and image under one length rule, their distinct rows, and their sums over the images.

    Attributes
    ----------
    c, r
        The sum over the images, system by system; that of averages is rounded once.
    places
        Which distinct row each system has for each image, ``(systems, images)``.
    r_of_rows
        r of each distinct row.
    """

    def __init__(
        self, candidates: Integers, used: Integers, rule: str, remembering: Callable[[PenaltyRule], PenaltyRule]
    ) -> None:
        self._remembering = remembering
        numerators, denominators = effective_reference_lengths(candidates, used, rule)
        self.c: list[int] = candidates.sum(axis=1).tolist()
        if (denominators == denominators[0]).all():
            columns, self.places = distinct([candidates, numerators])
            columns.append(np.full_like(columns[0], denominators[0]))
            self.r = (numerators.sum(axis=1) / denominators[0]).tolist()
        else:
            columns, self.places = distinct([candidates, numerators, np.broadcast_to(denominators, candidates.shape)])
            parts = np.unique(denominators).tolist()
            shares = [(d, numerators[:, denominators == d].sum(axis=1).tolist()) for d in parts]
            self.r = [float(sum(Fraction(sums[s], d) for d, sums in shares)) for s in range(len(candidates))]
        self._rows = list(zip(*(column.tolist() for column in columns), strict=True))
        self._penalties: dict[PenaltyRule, Floats] = {}
        self._corpus_penalties: dict[PenaltyRule, list[float]] = {}
        self.r_of_rows = columns[1] / columns[2]

    def corpus_penalties(self, rule: PenaltyRule) -> list[float]:
        """Return the brevity penalty of each system's corpus."""
        if rule not in self._corpus_penalties:
            self._corpus_penalties[rule] = list(map(rule, self.c, self.r))
        return self._corpus_penalties[rule]

    def penalties(self, rule: PenaltyRule) -> Floats:
        """Return the brevity penalty of each distinct row."""
        if rule not in self._penalties:
            penalty = self._remembering(rule)
            self._penalties[rule] = np.array([penalty(c, r / parts) for c, r, parts in self._rows])
        return self._penalties[rule]


class LengthsOfSchemes:
    """The lengths under every rule; schemes that cut texts into as many tokens share them."""

    def __init__(self, statistics: CaptionStatistics) -> None:
        self._statistics = statistics
        self._like: dict[Scheme, Scheme] = {}
        self._known: dict[tuple[Scheme, int, str], Lengths] = {}
        # Of each rule the one that remembers its results: lengths recur.
        self._remembering: Callable[[PenaltyRule], PenaltyRule] = cache(cache)

    def under(self, scheme: Scheme, k: int, rule: str) -> Lengths:
        """Return c and r for the place of a reference count."""
        key = self._one_like(scheme), k, rule
        if key not in self._known:
            counted = self._statistics.schemes[scheme]
            used = counted.reference_lengths[:, : self._statistics.reference_counts[k]]
            self._known[key] = Lengths(counted.candidate_lengths, used, rule, self._remembering)
        return self._known[key]

    def _one_like(self, scheme: Scheme) -> Scheme:
        if scheme not in self._like:
            others = dict.fromkeys(self._like.values())
            self._like[scheme] = next((other for other in others if self._are_alike(scheme, other)), scheme)
        return self._like[scheme]

    def _are_alike(self, scheme: Scheme, other: Scheme) -> bool:
        one, two = self._statistics.schemes[scheme], self._statistics.schemes[other]
        return np.array_equal(one.candidate_lengths, two.candidate_lengths) and np.array_equal(
            one.reference_lengths, two.reference_lengths
        )

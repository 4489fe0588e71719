r"""BLEU as the papers define it: one sentence or one corpus at a time, readable beside the formula.

.. math:: \mathrm{BLEU} = \mathrm{BP} \cdot \exp\Big(\frac{1}{N} \sum_{n=1}^{N} \log \frac{m_n}{t_n}\Big),
          \qquad \mathrm{BP} = \min(1, e^{1 - r/c})

with m_n the clipped matches and t_n the number of the candidate's n-grams, c its length and r the effective
reference length (Papineni et al. 2002, section 2). What the formula leaves open: the reference length
(``LENGTH_RULES``), what is done about missing matches (``smoothing.py``), the number of orders, their weights, the
orders and the penalty that count (``Formula``), and how sentences are put together (``AGGREGATIONS``). The array path
(``statistics.py``, ``scores.py``) is held to these functions bit by bit. Scores are 0-1.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from manybleus.bleu.smoothing import PenaltyRule, Smoothing, no_brevity_penalty, smoothing_rule
from manybleus.bleu.tokens import check_references, check_tokens
from manybleus.errors import (
    MOST_COUNTED_ORDERS,
    MOST_ORDERS,
    ManybleusError,
    check_lengths,
    check_list,
    check_numbers,
    check_order,
    check_whole_lengths,
    is_number,
    is_whole,
    shown,
)
from manybleus.text import counted

# ---------------------------------------------------------------------------------------------- statistics


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BLEU needs to know of a sentence or, summed, of a corpus.

    ``matches`` and ``totals`` hold m_n and t_n for n = 1..N; ``candidate_length`` is c; ``reference_length`` is r,
    a fraction where the rule is a mean.

    Raises
    ------
    ManybleusError
        If no texts have these counts: they are whole numbers with 0 <= m_n <= t_n <= c.
    """

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    candidate_length: int
    reference_length: Fraction

    def __post_init__(self) -> None:
        for counts in (self.matches, self.totals):
            check_list(counts, "counts, one int for each order,")
        check_whole_lengths(self.candidate_length)
        check_lengths(self.reference_length)
        c, pairs = self.candidate_length, list(zip_longest(self.matches, self.totals))
        if not pairs or not all(is_whole(m) and is_whole(t) and 0 <= m <= t <= c for m, t in pairs):
            raise ManybleusError(
                "of the t n-grams of each order m match, ints with 0 <= m <= t <= c, unlike "
                f"m = {shown(self.matches)}, t = {shown(self.totals)} and c = {c}"
            )

    def __add__(self, other: "Statistics") -> "Statistics":
        _check_same_orders([self, other])
        return Statistics(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.candidate_length + other.candidate_length,
            self.reference_length + other.reference_length,
        )


def _check_same_orders(sentences: Sequence[Statistics]) -> None:
    for sentence in sentences:
        if not isinstance(sentence, Statistics):
            raise ManybleusError(f"the Statistics of each sentence is meant, not {shown(sentence)}")
    orders = sorted({len(statistics.totals) for statistics in sentences})
    if len(orders) > 1:
        raise ManybleusError(
            f"sentences are counted to the same number of orders, not {' and '.join(map(str, orders))}"
        )


def ngrams(tokens: Sequence[str], order: int) -> "Counter[tuple[str, ...]]":
    """Count the n-grams of one order."""
    check_tokens(tokens)
    check_order(order)
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped_matches(candidate: Sequence[str], references: Sequence[Sequence[str]], order: int) -> int:
    """Count the candidate's n-grams, each clipped at its largest count in any one reference (section 2.1)."""
    return (ngrams(candidate, order) & ceiling(references, order)).total()


def ceiling(references: Sequence[Sequence[str]], order: int) -> "Counter[tuple[str, ...]]":
    """Count each n-gram of the references as often as the one reference has it that has it most (section 2.1)."""
    most: Counter[tuple[str, ...]] = Counter()
    check_references(references)
    for reference in references:
        most |= ngrams(reference, order)
    return most


def _lengths(candidate_length: int, reference_lengths: Sequence[int]) -> Sequence[int]:
    check_list(reference_lengths, "the length of each reference")
    if not reference_lengths:
        raise ManybleusError("a candidate needs the length of at least one reference; an empty one has the length 0")
    check_whole_lengths(candidate_length, *reference_lengths)
    return reference_lengths


def closest(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The reference length closest to the candidate's; a tie goes to the shorter (NLTK, sacreBLEU, coco-caption)."""
    lengths = _lengths(candidate_length, reference_lengths)
    return Fraction(min(lengths, key=lambda length: (abs(length - candidate_length), length)))


def shortest(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The shortest reference's length (NIST mteval-v11b; coco-caption's option)."""
    return Fraction(min(_lengths(candidate_length, reference_lengths)))


def average(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The mean length of the references, not rounded (coco-caption's option)."""
    return Fraction(sum(_lengths(candidate_length, reference_lengths)), len(reference_lengths))


def longest(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The longest reference's length."""
    return Fraction(max(_lengths(candidate_length, reference_lengths)))


LENGTH_RULES: dict[str, Callable[[int, Sequence[int]], Fraction]] = {
    "closest": closest,
    "shortest": shortest,
    "average": average,
    "longest": longest,
}


def sentence_statistics(
    candidate: Sequence[str], references: Sequence[Sequence[str]], length_rule: str, max_order: int
) -> Statistics:
    """Return the statistics of one candidate.

    Parameters
    ----------
    candidate
        Its tokens.
    references
        The tokens of each reference; at least one reference, which may be empty.
    length_rule
        A name in ``LENGTH_RULES``.
    max_order
        N, at least 1.

    Raises
    ------
    ManybleusError
        If no list of tokens is given, there is no reference, or the order or rule is unknown.
    """
    check_tokens(candidate)
    check_references(references)
    check_order(max_order, MOST_COUNTED_ORDERS)
    if not isinstance(length_rule, str) or length_rule not in LENGTH_RULES:
        raise ManybleusError(f"the length rule is one of {', '.join(LENGTH_RULES)}, not {shown(length_rule)}")
    c = len(candidate)
    return Statistics(
        tuple(clipped_matches(candidate, references, n) for n in range(1, max_order + 1)),
        tuple(max(c - n + 1, 0) for n in range(1, max_order + 1)),
        c,
        LENGTH_RULES[length_rule](c, [len(reference) for reference in references]),
    )


# ----------------------------------------------------------------------------------------------------- the formula


@dataclass(frozen=True, slots=True)
class Formula:
    """What is left open once the n-grams are counted.

    Attributes
    ----------
    smoothing
        A name of ``smoothing.smoothing_rule``.
    max_order
        N; None for all the orders that were counted.
    weights
        One for each order, not negative, summing to 1; None for uniform ones.
    effective_order
        Leave out the orders that are empty even after smoothing (sacreBLEU's option of that name).
    brevity_penalty
        Whether BP counts.

    Raises
    ------
    ManybleusError
        If an order, a weight or the smoothing is not usable.
    """

    smoothing: str = "none"
    max_order: int | None = None
    weights: tuple[float, ...] | None = None
    effective_order: bool = False
    brevity_penalty: bool = True

    def __post_init__(self) -> None:
        smoothing_rule(self.smoothing)
        if self.max_order is not None:
            check_order(self.max_order, MOST_ORDERS)
        for switch in (self.effective_order, self.brevity_penalty):
            if not isinstance(switch, bool):
                raise ManybleusError(f"effective_order and brevity_penalty are True or False, not {shown(switch)}")
        if self.weights is not None:
            check_weights(self.weights, self.max_order)

    @property
    def rule(self) -> Smoothing:
        """The smoothing rule."""
        return smoothing_rule(self.smoothing)

    @property
    def penalty_rule(self) -> PenaltyRule:
        """The brevity penalty as a function of c and r, 0-1."""
        return self.rule.brevity_penalty if self.brevity_penalty else no_brevity_penalty

    def precisions(self, matches: Sequence[Any], totals: Sequence[Any]) -> list[Any]:
        """Return the modified precisions after smoothing, one per order, on its scale; of arrays of counts too."""
        for counts in (matches, totals):
            check_list(counts, "counts, one for each order,")
        rule = self.rule
        orders = self.max_order or len(totals)
        needed = orders + rule.further_orders
        if self.weights is not None and len(self.weights) != orders:
            check_weights(self.weights, orders)
        if len(totals) < orders or len(matches) < needed:
            needs = f"needs the matches of {counted(needed, 'order')}, not of {len(matches)}"
            raise ManybleusError(f"{self.smoothing} with max_order {orders} {needs}")
        return rule.precisions(matches[:needed], totals[:orders])

    def effective_orders(self, totals: Sequence[Any]) -> Any:
        """Return how many orders count, the first ones; ``totals`` may hold arrays."""
        if not self.effective_order or self.rule.fills_empty_orders:
            return len(totals)
        present = sum(t > 0 for t in totals)
        # One order counts in any case, so that there is a mean.
        return present + (present == 0)

    def mean(self, precisions: Sequence[float], totals: Sequence[int]) -> float:
        """Return the geometric mean of the precisions, on their scale."""
        return geometric_mean(precisions[: self.effective_orders(totals[: len(precisions)])], self.weights)

    def score(self, matches: Sequence[int], totals: Sequence[int], c: int, r: float) -> float:
        """Return BP times the geometric mean of the precisions, 0-1 (section 2.3); the counts may be no text's."""
        return self.penalty_rule(c, r) * self.mean(self.precisions(matches, totals), totals) / self.rule.scale


PLAIN = Formula()


# One, with room for the last bits of a sum.
_MOST_WEIGHT = 1 + 1e-9


def check_weights(weights: Sequence[float], max_order: int | None) -> None:
    """Raise an error unless weights are one per order, not negative, and sum to 1."""
    check_list(weights, "weights")
    if max_order is not None:
        check_order(max_order)
    usable = all(is_number(w) and 0 <= w <= _MOST_WEIGHT for w in weights)
    if not usable or not math.isclose(math.fsum(weights), 1, abs_tol=1e-9):
        uniform = ", ".join([f"1/{len(weights)}"] * len(weights))
        given = ", ".join(f"{w:g}" if isinstance(w, float) else shown(w) for w in weights)
        raise ManybleusError(
            f"weights are not negative and sum to 1, unlike ({given}); the uniform ones are ({uniform})"
        )
    if max_order is not None and len(weights) != max_order:
        raise ManybleusError(f"there is one weight for each order, {shown(max_order)} in all, not {len(weights)}")


def geometric_mean(precisions: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Exponential of the mean logarithm; 0 when a precision with some weight is 0.

    Where there are more weights than precisions, the weights of the first orders are scaled up to sum to 1.

    Raises
    ------
    ManybleusError
        If there is no precision, one of them is no number from 0, or the weights are fewer or no shares of 1.
    """
    check_list(precisions, "precisions, one for each order,")
    if not precisions:
        raise ManybleusError("a mean is one of at least one precision")
    check_numbers(precisions, "a precision")
    if weights is None:
        if min(precisions) <= 0:
            return 0.0
        return math.exp(math.fsum(map(math.log, precisions)) / len(precisions))
    check_list(weights, "weights")
    check_weights(weights, max(len(weights), len(precisions)))
    weighted = [(w, p) for w, p in zip(weights, precisions, strict=False) if w > 0]
    if not weighted or min(p for _, p in weighted) <= 0:
        return 0.0
    return math.exp(math.fsum(w * math.log(p) for w, p in weighted) / math.fsum(w for w, _ in weighted))


def bleu(statistics: Statistics, formula: Formula = PLAIN) -> float:
    """Return BLEU of one sentence or one corpus from its statistics, 0-1.

    Raises
    ------
    ManybleusError
        If the statistics or the formula are none, or the statistics lack orders that it needs.
    """
    if not isinstance(statistics, Statistics) or not isinstance(formula, Formula):
        raise ManybleusError(
            f"Statistics and a Formula('exp') or the like are meant, not {shown(statistics)} and {shown(formula)}"
        )
    c, r = statistics.candidate_length, float(statistics.reference_length)
    return formula.score(statistics.matches, statistics.totals, c, r)


# -------------------------------------------------------------------------------------------------- aggregation


def corpus_bleu(sentences: Iterable[Statistics], formula: Formula = PLAIN) -> float:
    """Sum m, t, c and r over the sentences, then one formula (section 2.1.1)."""
    first, *rest = _at_least_one(sentences)
    return bleu(sum(rest, start=first), formula)


def mean_sentence_bleu(sentences: Iterable[Statistics], formula: Formula = PLAIN) -> float:
    """The formula for every sentence, then the mean."""
    scores = [bleu(statistics, formula) for statistics in _at_least_one(sentences)]
    return math.fsum(scores) / len(scores)


def weighted_mean_sentence_bleu(sentences: Iterable[Statistics], formula: Formula = PLAIN) -> float:
    """The formula for every sentence, then the mean weighted by the effective reference length."""
    found = _at_least_one(sentences)
    weight = float(sum(statistics.reference_length for statistics in found))
    total = math.fsum(float(statistics.reference_length) * bleu(statistics, formula) for statistics in found)
    return total / weight if weight else 0.0


AGGREGATIONS: dict[str, Callable[[Iterable[Statistics], Formula], float]] = {
    "corpus": corpus_bleu,
    "mean-sentence": mean_sentence_bleu,
    "weighted-mean-sentence": weighted_mean_sentence_bleu,
}


def _at_least_one(sentences: Iterable[Statistics]) -> list[Statistics]:
    if not isinstance(sentences, Iterable):
        raise ManybleusError(f"the Statistics of several sentences are meant, e.g. in a list, not {shown(sentences)}")
    found = list(sentences)
    if not found:
        raise ManybleusError("BLEU of no sentence at all is not defined: give at least one candidate")
    _check_same_orders(found)
    return found

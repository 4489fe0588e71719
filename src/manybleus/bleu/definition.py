r"""BLEU as the papers define it: one sentence or one corpus at a time, readable beside the formula.

.. math:: \mathrm{BLEU} = \mathrm{BP} \cdot \exp\Big(\frac{1}{N} \sum_{n=1}^{N} \log \frac{m_n}{t_n}\Big),
          \qquad \mathrm{BP} = \min(1, e^{1 - r/c})

with m_n the clipped matches and t_n the number of the candidate's n-grams, c its length and r the effective
reference length (Papineni et al. 2002, section 2). Everything that the formula leaves open is a registry here:
``LENGTH_RULES`` and ``SMOOTHINGS``. The array path (``statistics.py``, ``scores.py``) is held to these functions
bit by bit. Scores are 0-1.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from manybleus.errors import ManybleusError

# ---------------------------------------------------------------------------------------------- statistics


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BLEU needs to know of a sentence or, summed, of a corpus.

    ``matches`` and ``totals`` hold m_n and t_n for n = 1..N; ``candidate_length`` is c; ``reference_length`` is r,
    a fraction where the rule is a mean.
    """

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    candidate_length: int
    reference_length: Fraction

    def __add__(self, other: "Statistics") -> "Statistics":
        return Statistics(
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            self.candidate_length + other.candidate_length,
            self.reference_length + other.reference_length,
        )


def ngrams(tokens: Sequence[str], order: int) -> "Counter[tuple[str, ...]]":
    """Count the n-grams of one order."""
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped_matches(candidate: Sequence[str], references: Iterable[Sequence[str]], order: int) -> int:
    """Count the candidate's n-grams, each clipped at its largest count in any one reference (section 2.1.1)."""
    ceiling: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        ceiling |= ngrams(reference, order)
    return (ngrams(candidate, order) & ceiling).total()


def closest(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The reference length closest to the candidate's; a tie goes to the shorter (NLTK, sacreBLEU, coco-caption)."""
    return Fraction(min(reference_lengths, key=lambda length: (abs(length - candidate_length), length)))


def shortest(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The shortest reference's length (NIST mteval-v11b; coco-caption's option)."""
    return Fraction(min(reference_lengths))


def average(candidate_length: int, reference_lengths: Sequence[int]) -> Fraction:
    """The mean length of the references, not rounded (coco-caption's option)."""
    return Fraction(sum(reference_lengths), len(reference_lengths))


LENGTH_RULES: dict[str, Callable[[int, Sequence[int]], Fraction]] = {
    "closest": closest,
    "shortest": shortest,
    "average": average,
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
        If a text is given where tokens are meant, there is no reference, or the order or rule is unknown.
    """
    if isinstance(candidate, str) or any(isinstance(reference, str) for reference in references):
        raise ManybleusError("a list of tokens is meant, not a string: tokenize the caption first")
    if not references:
        raise ManybleusError("a candidate needs at least one reference; an empty caption [] counts as one")
    if max_order < 1 or length_rule not in LENGTH_RULES:
        raise ManybleusError(
            f"max_order is 1 or more and the length rule one of {', '.join(LENGTH_RULES)}, "
            f"not {max_order!r} and {length_rule!r}"
        )
    c = len(candidate)
    return Statistics(
        tuple(clipped_matches(candidate, references, n) for n in range(1, max_order + 1)),
        tuple(max(c - n + 1, 0) for n in range(1, max_order + 1)),
        c,
        LENGTH_RULES[length_rule](c, [len(reference) for reference in references]),
    )


# ------------------------------------------------------------------------------------------- brevity penalty


def brevity_penalty(candidate_length: int, reference_length: float) -> float:
    """BP: 1 if c > r, else exp(1 - r/c) (section 2.2); 0 for an empty candidate."""
    if candidate_length == 0:
        return 0.0
    if candidate_length > reference_length:
        return 1.0
    return math.exp(1 - reference_length / candidate_length)


def coco_brevity_penalty(candidate_length: int, reference_length: float) -> float:
    """BP with coco-caption's guards: ratio = (c + 1e-15) / (r + 1e-9), exp(1 - 1/ratio) below 1."""
    ratio = (candidate_length + 1e-15) / (reference_length + 1e-9)
    return math.exp(1 - 1 / ratio) if ratio < 1 else 1.0


# ------------------------------------------------------------------------------------------------- smoothing


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A smoothing rule: m_n and t_n in, modified precisions out, on the given scale (1, or 100 for per cent).

    The scale changes nothing but the last bit: mteval and sacreBLEU count `exp` in per cent, and so does the study.
    """

    precisions: Callable[[Sequence[int], Sequence[int]], list[float]]
    brevity_penalty: Callable[[int, float], float] = brevity_penalty
    scale: int = 1


def unsmoothed(matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """m_n / t_n, and 0 where there is no n-gram."""
    return [m / t if t else 0.0 for m, t in zip(matches, totals, strict=True)]


def add_one(matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """BLEU+1: one more match and one more n-gram for n >= 2 (Lin and Och 2004)."""
    higher = [(m + 1) / (t + 1) for m, t in zip(matches[1:], totals[1:], strict=True)]
    return unsmoothed(matches[:1], totals[:1]) + higher


def exponential(matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """NIST's: the k-th order without a match counts 1/2^k matches, none at all if no order matches; in per cent."""
    precisions = [0.0] * len(totals)
    if any(matches):
        without_match = 0
        for i, (m, t) in enumerate(zip(matches, totals, strict=True)):
            if t == 0:
                break
            without_match += m == 0
            precisions[i] = 100 * m / t if m else 100 / (2**without_match * t)
    return precisions


def coco_guards(matches: Sequence[int], totals: Sequence[int]) -> list[float]:
    """coco-caption's guards against division by zero: 1e-15 on the matches, 1e-9 on the totals."""
    return [(m + 1e-15) / (t + 1e-9) for m, t in zip(matches, totals, strict=True)]


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(unsmoothed),
    "add-1": Smoothing(add_one),
    "exp": Smoothing(exponential, scale=100),
    "coco": Smoothing(coco_guards, brevity_penalty=coco_brevity_penalty),
}


# ------------------------------------------------------------------------------------------------------ BLEU


def geometric_mean(precisions: Sequence[float]) -> float:
    """exp of the mean logarithm; 0 when any precision is 0."""
    if min(precisions) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, precisions)) / len(precisions))


def bleu(statistics: Statistics, smoothing: str = "none", effective_order: bool = False) -> float:
    """Return BLEU of one sentence or one corpus from its statistics.

    Parameters
    ----------
    statistics
        m, t, c and r.
    smoothing
        A name in ``SMOOTHINGS``.
    effective_order
        Leave out the orders of which the candidate has no n-gram (sacreBLEU's option of that name).

    Returns
    -------
    float
        0-1.

    Raises
    ------
    ManybleusError
        If the smoothing is unknown.
    """
    if smoothing not in SMOOTHINGS:
        raise ManybleusError(f"smoothing is one of {', '.join(SMOOTHINGS)}, not {smoothing!r}")
    rule = SMOOTHINGS[smoothing]
    penalty = rule.brevity_penalty(statistics.candidate_length, float(statistics.reference_length))
    precisions = rule.precisions(statistics.matches, statistics.totals)
    if effective_order:
        precisions = precisions[: max(sum(t > 0 for t in statistics.totals), 1)]
    return penalty * geometric_mean(precisions) / rule.scale


def corpus_bleu(sentences: Iterable[Statistics], smoothing: str = "none") -> float:
    """Sum m, t, c and r over the sentences, then one formula (section 2.2.2)."""
    first, *rest = _at_least_one(sentences)
    return bleu(sum(rest, start=first), smoothing)


def mean_sentence_bleu(sentences: Iterable[Statistics], smoothing: str = "none") -> float:
    """The formula for every sentence, then the mean."""
    scores = [bleu(statistics, smoothing) for statistics in _at_least_one(sentences)]
    return math.fsum(scores) / len(scores)


AGGREGATIONS: dict[str, Callable[[Iterable[Statistics], str], float]] = {
    "corpus": corpus_bleu,
    "mean-sentence": mean_sentence_bleu,
}


def _at_least_one(sentences: Iterable[Statistics]) -> list[Statistics]:
    found = list(sentences)
    if not found:
        raise ManybleusError("BLEU of no sentence at all is not defined: give at least one candidate")
    return found

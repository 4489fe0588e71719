"""What is done about orders with few or no matches: the smoothing rules, and the brevity penalties that go with them.

A new rule is one function of (m, t) and one line in ``SMOOTHINGS``, or in ``PARAMETRIC`` if it takes a number.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from manybleus.errors import ManybleusError, check_lengths, shown

# A number, or an array of them: the rules are written once for both.
Number = Any
Counts = Sequence[Number]
Precisions = list[Number]
PenaltyRule = Callable[[int, float], float]


def brevity_penalty(candidate_length: int, reference_length: float) -> float:
    """BP: 1 if c > r, else exp(1 - r/c) (Papineni et al. 2002, section 2.2.2); 0 for an empty candidate."""
    check_lengths(candidate_length, reference_length)
    if candidate_length == 0:
        return 0.0
    if candidate_length > reference_length:
        return 1.0
    return math.exp(1 - reference_length / candidate_length)


def no_brevity_penalty(candidate_length: int, reference_length: float) -> float:
    """1, whatever the lengths; 0 for an empty candidate."""
    check_lengths(candidate_length, reference_length)
    return 1.0 if candidate_length else 0.0


def coco_brevity_penalty(candidate_length: int, reference_length: float) -> float:
    """BP with coco-caption's guards: ratio = (c + 1e-15) / (r + 1e-9), exp(1 - 1/ratio) below 1."""
    check_lengths(candidate_length, reference_length)
    ratio = (candidate_length + 1e-15) / (reference_length + 1e-9)
    return math.exp(1 - 1 / ratio) if ratio < 1 else 1.0


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A smoothing rule: m and t in, modified precisions p_1..p_N out.

    Attributes
    ----------
    precisions
        Function of the matches and totals by order, each a number or an array of them; an order without n-grams gets
        precision 0 unless it is filled.
    source
        Where the rule is from.
    scale
        1, or 100 for per cent. It changes nothing but the last bit: mteval and sacreBLEU count in per cent.
    further_orders
        How many orders above N the rule reads the matches of.
    fills_empty_orders
        Whether an order without n-grams has a precision all the same.
    """

    precisions: Callable[[Counts, Counts], Precisions]
    source: str
    brevity_penalty: PenaltyRule = brevity_penalty
    scale: int = 1
    further_orders: int = 0
    fills_empty_orders: bool = False


# ------------------------------------------------------------------------------------ numbers, or arrays of them, alike


def ratio(numerator: Number, denominator: Number) -> Number:
    """Divide; 0 where the denominator is 0, as for an order without n-grams."""
    if isinstance(numerator, np.ndarray) or isinstance(denominator, np.ndarray):
        shape = np.broadcast(numerator, denominator).shape
        return np.divide(numerator, denominator, out=np.zeros(shape), where=np.not_equal(denominator, 0))
    return numerator / denominator if denominator else 0.0


def choose(condition: Any, yes: Number, no: Number) -> Number:
    """Take one number where a condition holds, and the other elsewhere."""
    return np.where(condition, yes, no) if isinstance(condition, np.ndarray) else (yes if condition else no)


def logarithm(number: Number) -> Number:
    """Natural logarithm as ``math.log`` gives it, of arrays too, in which numbers recur."""
    if isinstance(number, np.ndarray):
        distinct, places = np.unique(number, return_inverse=True)
        return np.array(list(map(math.log, distinct.tolist())))[places].reshape(number.shape)
    return math.log(number)


# ----------------------------------------------------------------------------------------------- rules without a number


def unsmoothed(matches: Counts, totals: Counts) -> Precisions:
    """m_n / t_n, and 0 where there is no n-gram."""
    return [ratio(m, t) for m, t in zip(matches, totals, strict=True)]


def exponential(matches: Counts, totals: Counts) -> Precisions:
    """The k-th order without a match counts 1/2^k matches, none at all if no order matches; in per cent."""
    precisions: Precisions = []
    counts, without_match = sum(matches) > 0, 0
    for m, t in zip(matches, totals, strict=True):
        counts = counts & (t > 0)
        without_match = without_match + (m == 0)
        precision = choose(m == 0, ratio(100, 2**without_match * t), ratio(100 * m, t))
        precisions.append(choose(counts, precision, 0.0))
    return precisions


def coco_guards(matches: Counts, totals: Counts) -> Precisions:
    """Guards against division by zero: 1e-15 on the matches, 1e-9 on the totals."""
    return [(m + 1e-15) / (t + 1e-9) for m, t in zip(matches, totals, strict=True)]


# -------------------------------------------------------------------------------------------------- rules with a number


def add_k(k: float, matches: Counts, totals: Counts) -> Precisions:
    """K more matches and K more n-grams for n >= 2."""
    higher = [(m + k) / (t + k) for m, t in zip(matches[1:], totals[1:], strict=True)]
    return unsmoothed(matches[:1], totals[:1]) + higher


def floor(epsilon: float, matches: Counts, totals: Counts) -> Precisions:
    """E matches where an order has none, but none at all if no order matches."""
    counts = sum(matches) > 0
    return [choose(counts, precision, 0.0) for precision in epsilon_counts(epsilon, matches, totals)]


# -------------------------------------------------------------- Chen and Cherry 2014, section 3, by the paper's numbers


def epsilon_counts(epsilon: float, matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 1: a small number of matches where an order has none."""
    return unsmoothed([choose(m == 0, epsilon, m) for m in matches], totals)


def geometric_counts(matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 3: the k-th order without a match counts 1/2^k matches."""
    return unsmoothed(_decaying(matches, 2.0), totals)


def length_scaled_counts(matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 4: as 3, with K / ln(candidate length) for 2; K = 5."""
    return unsmoothed(_scaled_by_length(matches, totals), totals)


def averaged_counts(matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 5: m'_n is the mean of m'_(n-1), m_n and m_(n+1), with m'_0 = m_1 + 1."""
    averaged = [matches[0] + 1]
    for m, following in pairwise(matches):
        averaged.append((averaged[-1] + m + following) / 3)
    return unsmoothed(averaged[1:], totals)


def interpolated(matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 6: from n = 3 on, alpha = 5 n-grams of the expected precision p_(n-1)^2 / p_(n-2) join the counts."""
    alpha = 5
    precisions = unsmoothed(matches[:2], totals[:2])
    for m, t in zip(matches[2:], totals[2:], strict=True):
        expected = ratio(precisions[-1] * precisions[-1], precisions[-2])
        precisions.append(choose(t > 0, (m + alpha * expected) / (t + alpha), 0.0))
    return precisions


def scaled_then_averaged(matches: Counts, totals: Counts) -> Precisions:
    """Smoothing 7: 4, then 5; 4 smooths the orders 1..N."""
    orders = len(totals)
    return averaged_counts([*_scaled_by_length(matches[:orders], totals), *matches[orders:]], totals)


def _decaying(matches: Counts, factor: Number) -> list[Any]:
    decayed: list[Any] = []
    count: Any = 1.0
    for m in matches:
        count = choose(m == 0, count / factor, count)
        decayed.append(choose(m == 0, count, m))
    return decayed


def _scaled_by_length(matches: Counts, totals: Counts) -> list[Any]:
    """Counts for candidates of length t_1.

    ln(1) = 0 leaves none where an order has no match, and an order without n-grams stays without a count.
    """
    length = totals[0]
    factor = choose(length > 1, 5 / logarithm(choose(length > 1, length, 2)), math.inf)
    return [choose(t > 0, m, 0) for m, t in zip(_decaying(matches, factor), totals, strict=True)]


# --------------------------------------------------------------------------------------------------------- the registry

_CHEN_CHERRY = "Chen and Cherry 2014, section 3, smoothing {}"

SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(unsmoothed, "Papineni et al. 2002"),
    "add-1": Smoothing(partial(add_k, 1), "Lin and Och 2004 (BLEU+1)", fills_empty_orders=True),
    "exp": Smoothing(exponential, "NIST mteval-v13a; sacreBLEU's exp", scale=100),
    "coco": Smoothing(
        coco_guards, "coco-caption's bleu_scorer", brevity_penalty=coco_brevity_penalty, fills_empty_orders=True
    ),
    "chen-cherry-1": Smoothing(partial(epsilon_counts, 0.1), _CHEN_CHERRY.format(1)),
    "chen-cherry-2": Smoothing(partial(add_k, 1), _CHEN_CHERRY.format(2), fills_empty_orders=True),
    "chen-cherry-3": Smoothing(geometric_counts, _CHEN_CHERRY.format(3)),
    "chen-cherry-4": Smoothing(length_scaled_counts, _CHEN_CHERRY.format(4)),
    "chen-cherry-5": Smoothing(averaged_counts, _CHEN_CHERRY.format(5), further_orders=1),
    "chen-cherry-6": Smoothing(interpolated, _CHEN_CHERRY.format(6)),
    "chen-cherry-7": Smoothing(scaled_then_averaged, _CHEN_CHERRY.format(7), further_orders=1),
}

PARAMETRIC: dict[str, Callable[[float], Smoothing]] = {
    "add-k": lambda k: Smoothing(partial(add_k, k), "Lin and Och 2004; sacreBLEU's add-k", fills_empty_orders=True),
    "floor": lambda epsilon: Smoothing(partial(floor, epsilon), "sacreBLEU's floor"),
}

# Beyond these, a score or a sum of scores may not be a float.
_LEAST, _MOST = 1e-100, 1e100
_WITH_NUMBER = re.compile(r"(?P<name>[a-z-]+)\((?P<number>[0-9.]+(?:e[+-]?[0-9]+)?)\)")


def smoothing_rule(name: str) -> Smoothing:
    """Return a smoothing rule by its name, e.g. ``exp`` or ``floor(0.1)``.

    Raises
    ------
    ManybleusError
        If there is no such rule, or its number is out of range.
    """
    _check_name(name)
    return SMOOTHINGS[name] if name in SMOOTHINGS else _with_number(name)


@cache
def _with_number(name: str) -> Smoothing:
    found = _WITH_NUMBER.fullmatch(name)
    if found and found["name"] in PARAMETRIC:
        try:
            number = float(found["number"])
        except ValueError:
            number = math.nan
        if _LEAST <= number <= _MOST:
            return PARAMETRIC[found["name"]](number)
    raise ManybleusError(f"smoothing: {unknown_smoothing(name)}")


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        raise ManybleusError(f"smoothing: {unknown_smoothing(name)}")


def canonical_name(name: str) -> str:
    """Return the one name of a rule: ``floor(.10)`` is ``floor(0.1)``; no digit of its number is lost."""
    _check_name(name)
    found = _WITH_NUMBER.fullmatch(name)
    if not found or found["name"] not in PARAMETRIC or found["number"].count(".") > 1:
        return name
    number = float(found["number"])
    short = f"{number:g}"
    return f"{found['name']}({short if float(short) == number else repr(number)})"


def smoothing_names() -> tuple[str, ...]:
    """Return the names of all rules; a rule with a number is shown with an example."""
    return (*SMOOTHINGS, *(f"{name}(0.5)" for name in PARAMETRIC))


def unknown_smoothing(name: object) -> str:
    """Say that something is no rule, and which names and numbers are valid."""
    span = f"; the number is from {_LEAST:g} to {_MOST:g}" if "(" in shown(name) else ""
    return f"{shown(name)} is not one of {', '.join(smoothing_names())}{span}"

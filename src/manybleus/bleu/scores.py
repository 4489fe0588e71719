"""From statistics to scores: every configuration of every system, equal to the definition bit by bit.

A sentence's score is a product of two factors that depend on few integers: the smoothed precisions on (c, m), the
brevity penalty on (c, r). Sentences repeat these integers, so that each distinct row goes through the scalar definition
once, and a mean over sentences is an exact sum over distinct rows, each times how often it stands there.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import Formula
from manybleus.bleu.smoothing import PenaltyRule, logarithm, smoothing_rule
from manybleus.bleu.statistics import (
    CaptionStatistics,
    Integers,
    Scheme,
    SchemeStatistics,
    effective_reference_lengths,
)
from manybleus.errors import ManybleusError

Floats = NDArray[np.float64]
Row = tuple[int, ...]
# The aggregations: None is a score of the sums, else a mean over sentences, weighted by the reference length or not.
_WEIGHTED_BY_LENGTH = {"corpus": None, "mean-sentence": False, "weighted-mean-sentence": True}
# A score, its brevity penalty and its precisions.
Parts = tuple[float, float, tuple[float, ...]]


class Score(NamedTuple):
    """One system under one configuration.

    ``score``, ``brevity_penalty`` and ``precisions`` (p_1..p_N after smoothing) are 0-1; where sentences are averaged
    each is its mean over the images. ``candidate_length`` and ``reference_length`` are c and r summed over the images.
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
        Counted for at least these configurations' schemes, reference counts and orders (``schemes``, ``orders``).
    configurations
        The cells.

    Returns
    -------
    list of Score
        Configuration by configuration, the systems in their order.
    """
    blocks: dict[tuple[Scheme, int], dict[str, list[int]]] = {}
    for number, cell in enumerate(configurations):
        scheme = cell.case, cell.tokenizer
        if scheme not in statistics.schemes:
            raise ManybleusError(f"nothing was counted for case and tokenizer {' and '.join(scheme)}; count them too")
        place = scheme, statistics.place_of(cell.references)
        blocks.setdefault(place, {}).setdefault(cell.reference_length, []).append(number)
    rows = _Rows()
    grams = {place: _Grams(statistics.schemes[place[0]], place[1], rows) for place in blocks}
    formulas = [cell.formula for cell in configurations]
    scores: list[list[Score]] = [[] for _ in configurations]
    known: dict[tuple[bytes, bytes, str], _Lengths] = {}
    for (scheme, k), by_rule in blocks.items():
        for rule, numbers in by_rule.items():
            lengths = _lengths(statistics.schemes[scheme], statistics.reference_counts[k], rule, known)
            found = grams[scheme, k].scores(
                lengths, [(formulas[n], _WEIGHTED_BY_LENGTH[configurations[n].aggregation]) for n in numbers]
            )
            for n, parts in zip(numbers, found, strict=True):
                scores[n] = [
                    Score(configurations[n], system, *of_system, c, r)
                    for system, of_system, c, r in zip(statistics.systems, parts, lengths.c, lengths.r, strict=True)
                ]
    return [one for of_cell in scores for one in of_cell]


def schemes(configurations: Sequence[Configuration]) -> list[Scheme]:
    """Return the pairs of case rule and tokenizer that the configurations need."""
    return list(dict.fromkeys((cell.case, cell.tokenizer) for cell in configurations))


def orders(configurations: Sequence[Configuration]) -> int:
    """Return the number of orders that must be counted for the configurations."""
    if not configurations:
        raise ManybleusError("there is no configuration: give at least one")
    return max(cell.max_order + smoothing_rule(cell.smoothing).further_orders for cell in configurations)


class _Rows:
    """Distinct rows (t_1, .., m_1, ..) of sentences and corpora, and what the formulas make of them.

    The rules of smoothing take all rows at once; the rest of the definition is applied number by number.
    """

    def __init__(self) -> None:
        self._numbers: dict[Row, int] = {}
        self._values: dict[Formula, Floats] = {}
        self._penalties: dict[PenaltyRule, dict[Row, float]] = {}

    def number(self, rows: Sequence[Row]) -> Integers:
        """Return the numbers of rows, giving new rows new numbers."""
        numbers = self._numbers
        return np.array([numbers.setdefault(row, len(numbers)) for row in rows])

    def values(self, formula: Formula) -> Floats:
        """Return the geometric mean, then the precisions, of every row by number: ``(rows, 1 + orders)``."""
        if formula not in self._values:
            table = np.array(list(self._numbers)).T
            totals, matches = table[: len(table) // 2], table[len(table) // 2 :]
            precisions = np.stack(formula.precisions(list(matches), list(totals)))
            self._values[formula] = np.column_stack([_geometric_means(formula, precisions, totals), precisions.T])
        return self._values[formula]

    def penalties(self, rule: PenaltyRule, rows: Sequence[Row]) -> Floats:
        """Return the brevity penalty of each row (c, r), with r as a fraction of integers."""
        known = self._penalties.setdefault(rule, {})
        for row in rows:
            if row not in known:
                c, numerator, denominator = row
                known[row] = rule(c, numerator / denominator)
        return np.array([known[row] for row in rows])


def _geometric_means(formula: Formula, precisions: Floats, totals: Integers) -> Floats:
    """The array form of ``Formula.mean``: precisions and totals ``(orders, rows)`` in, means ``(rows,)`` out."""
    orders = formula.effective_orders(list(totals[: len(precisions)]))
    weights = np.ones(len(precisions)) if formula.weights is None else np.array(formula.weights)
    counts = (np.arange(len(precisions))[:, None] < np.broadcast_to(orders, totals.shape[1])) & (weights > 0)[:, None]
    logarithms = logarithm(np.where(precisions > 0, precisions, 1.0))
    # Terms that do not count are 0, which leaves an exact sum as it is.
    terms = np.where(counts, logarithms * weights[:, None], 0.0).T.tolist()
    wholes = np.where(counts, weights[:, None], 0.0).T.tolist()
    means = [math.exp(math.fsum(row) / (math.fsum(whole) or 1.0)) for row, whole in zip(terms, wholes, strict=True)]
    zero = (counts & (precisions <= 0)).any(axis=0) | ~counts.any(axis=0)
    return np.where(zero, 0.0, means)


def _lengths(
    counted: SchemeStatistics, references: int, rule: str, known: dict[tuple[bytes, bytes, str], "_Lengths"]
) -> "_Lengths":
    """Apply a length rule; schemes that cut texts into as many tokens share the answer."""
    used = counted.reference_lengths[:, :references]
    key = counted.candidate_lengths.tobytes(), used.tobytes(), rule
    if key not in known:
        known[key] = _Lengths(counted.candidate_lengths, used, rule)
    return known[key]


class _Lengths:
    """c and r of every system and image under one length rule, their distinct rows, and their sums over the images."""

    def __init__(self, candidates: Integers, used: Integers, rule: str) -> None:
        numerators, denominators = effective_reference_lengths(candidates, used, rule)
        self.c: list[int] = candidates.sum(axis=1).tolist()
        parts = np.unique(denominators).tolist()
        if len(parts) == 1:
            distinct, self.places = _distinct([candidates, numerators])
            self.rows = _as_rows([*distinct, np.full_like(distinct[0], parts[0])])
            self.r = [total / parts[0] for total in numerators.sum(axis=1).tolist()]
        else:
            distinct, self.places = _distinct([candidates, numerators, np.broadcast_to(denominators, candidates.shape)])
            self.rows = _as_rows(distinct)
            shares = [(d, numerators[:, denominators == d].sum(axis=1).tolist()) for d in parts]
            self.r = [float(sum(Fraction(sums[s], d) for d, sums in shares)) for s in range(len(candidates))]

    def r_of_rows(self) -> Floats:
        """r of each distinct row."""
        return np.array([numerator / denominator for _, numerator, denominator in self.rows])


class _Grams:
    """m and t of every system and image under one scheme and reference count, their distinct rows, and their sums."""

    def __init__(self, counted: SchemeStatistics, k: int, rows: _Rows) -> None:
        matches = counted.matches[:, k]
        orders = matches.shape[-1]
        distinct, self._places = _distinct([counted.candidate_lengths, *np.moveaxis(matches, -1, 0)])
        totals = np.maximum(distinct[0] - np.arange(orders)[:, None], 0)
        self._rows, self._numbers = rows, rows.number(_as_rows([*totals, *distinct[1:]]))
        self._times = _times(self._places, len(distinct[0]))
        sums = [counted.totals(orders).sum(axis=1), matches.sum(axis=1, dtype=np.int64)]
        self._corpora = rows.number(_as_rows(np.concatenate(sums, axis=1).T))
        self._of_sums: dict[Formula, list[tuple[float, tuple[float, ...]]]] = {}
        self._mean_precisions: dict[Formula, list[tuple[float, ...]]] = {}

    def scores(self, lengths: _Lengths, asked: Sequence[tuple[Formula, bool | None]]) -> list[list[Parts]]:
        """Return each system's score for each formula and aggregation."""
        averaged = [(formula, weighted) for formula, weighted in asked if weighted is not None]
        means = iter(self._means(lengths, averaged) if averaged else [])
        return [self._corpus(lengths, formula) if weighted is None else next(means) for formula, weighted in asked]

    def _corpus(self, lengths: _Lengths, formula: Formula) -> list[Parts]:
        scale = formula.rule.scale
        if formula not in self._of_sums:
            values = self._rows.values(formula)[self._corpora]
            self._of_sums[formula] = [(mean, tuple(scaled)) for mean, scaled in _split(values, scale)]
        penalties = map(formula.penalty_rule, lengths.c, lengths.r)
        return [
            (penalty * mean / scale, penalty, precisions)
            for penalty, (mean, precisions) in zip(penalties, self._of_sums[formula], strict=True)
        ]

    def _means(self, lengths: _Lengths, asked: Sequence[tuple[Formula, bool]]) -> list[list[Parts]]:
        """Return the means over the images, or those weighted by the reference length."""
        self._count_precisions([formula for formula, _ in asked])
        (gram, length), places = _distinct([self._places, lengths.places])
        times = _times(places, len(gram))
        number = self._numbers[gram]
        penalties = {
            rule: self._rows.penalties(rule, lengths.rows)[length]
            for rule in dict.fromkeys(formula.penalty_rule for formula, _ in asked)
        }
        columns = []
        for formula, weighted in asked:
            values = penalties[formula.penalty_rule] * self._rows.values(formula)[number, 0] / formula.rule.scale
            columns.append(lengths.r_of_rows()[length] * values if weighted else values)
        sums = exact_sums(np.stack([*columns, *penalties.values()], axis=-1), times)
        images = self._places.shape[1]
        found: list[list[Parts]] = []
        for f, (formula, weighted) in enumerate(asked):
            penalty = len(asked) + list(penalties).index(formula.penalty_rule)
            whole = lengths.r if weighted else [images] * len(sums)
            found.append(
                [
                    (row[f] / n if n else 0.0, row[penalty] / images, precisions)
                    for row, n, precisions in zip(sums, whole, self._mean_precisions[formula], strict=True)
                ]
            )
        return found

    def _count_precisions(self, formulas: Sequence[Formula]) -> None:
        new = [formula for formula in dict.fromkeys(formulas) if formula not in self._mean_precisions]
        if new:
            tables = [self._rows.values(formula)[self._numbers, 1:] for formula in new]
            sums = exact_sums(np.concatenate(tables, axis=1), self._times)
            images, first = self._places.shape[1], 0
            for formula, table in zip(new, tables, strict=True):
                last = first + table.shape[1]
                scale = formula.rule.scale
                self._mean_precisions[formula] = [tuple(s / images / scale for s in row[first:last]) for row in sums]
                first = last


def _split(values: Floats, scale: int) -> list[tuple[float, list[float]]]:
    return list(zip(values[:, 0].tolist(), (values[:, 1:] / scale).tolist(), strict=True))


def _as_rows(columns: Sequence[Integers] | Integers) -> list[Row]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _distinct(columns: Sequence[NDArray[np.integer]]) -> tuple[list[Integers], Integers]:
    """Return the distinct rows of some columns of non-negative integers, and for each row the place of its like.

    Rows are named column by column: a name and the next column's value make a number, and the numbers that occur are
    named anew, so that they stay small.
    """
    names, count = np.zeros(columns[0].shape, dtype=np.int64), 1
    for column in columns:
        width = int(column.max()) + 1
        numbers = names * width + column
        occurs = np.zeros(count * width, dtype=bool)
        occurs[numbers] = True
        new = np.cumsum(occurs)
        names, count = new[numbers] - 1, int(new[-1])
    flat = names.ravel()
    example = np.zeros(count, dtype=np.int64)
    example[flat] = np.arange(len(flat))
    return [np.ravel(column)[example].astype(np.int64) for column in columns], names


def _times(places: Integers, distinct: int) -> Integers:
    """Count each system's rows by place: ``(systems, images)`` places in, ``(systems, distinct)`` counts out."""
    systems = np.arange(len(places))[:, None] * distinct
    return np.bincount((systems + places).ravel(), minlength=len(places) * distinct).reshape(len(places), distinct)


def exact_sums(values: Floats, times: Integers) -> list[list[float]]:
    """Return sums of values, each taken some times, as ``math.fsum`` would round them.

    Values are cut into pieces on a common grid. A piece times a count, and sums of those, are whole multiples of the
    grid below 2**53: exact in whatever order they are added.

    Parameters
    ----------
    values
        ``(n, columns)``, finite.
    times
        ``(sums, n)``, not negative: how often each value is taken in each sum.

    Returns
    -------
    list of list of float
        ``(sums, columns)``.
    """
    if not np.isfinite(values).all():
        odd = values[~np.isfinite(values)][0]
        raise ManybleusError(f"only finite numbers have an exact sum, not {odd}")
    bits = 52 - int(times.sum(axis=1).max()).bit_length()
    exponent = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    counts = times.astype(np.float64)
    parts = [np.zeros((len(times), values.shape[1]))]
    rest = values
    while rest.any():
        exponent -= bits
        pieces = np.rint(np.ldexp(rest, -exponent))
        parts.append(np.ldexp(counts @ pieces, exponent))
        rest = rest - np.ldexp(pieces, exponent)
    stacked = np.stack(parts, axis=-1).tolist()
    return [[math.fsum(terms) for terms in row] for row in stacked]

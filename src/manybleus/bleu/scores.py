"""From statistics to scores: every configuration of every system, equal to the definition bit by bit.

A sentence's score is a product of two factors that depend on few integers: the smoothed precisions on (c, m), the
brevity penalty on (c, r). Sentences repeat these integers, so that each distinct row goes through the scalar definition
once, and a mean over sentences is an exact sum over distinct rows, each times how often it stands there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import Formula
from manybleus.bleu.smoothing import PenaltyRule, smoothing_rule
from manybleus.bleu.statistics import (
    CaptionStatistics,
    Integers,
    Scheme,
    SchemeStatistics,
    effective_reference_lengths,
)

Floats = NDArray[np.float64]
Row = tuple[int, ...]
# The aggregations: None is a score of the sums, else a mean over sentences, weighted by the reference length or not.
_WEIGHTED_BY_LENGTH = {"corpus": None, "mean-sentence": False, "weighted-mean-sentence": True}
# A score, its brevity penalty and its precisions.
Parts = tuple[float, float, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Score:
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
        place = (cell.case, cell.tokenizer), statistics.place_of(cell.references)
        blocks.setdefault(place, {}).setdefault(cell.reference_length, []).append(number)
    rows = _Rows()
    grams = {place: _Grams(statistics.schemes[place[0]], place[1], rows) for place in blocks}
    formulas = [cell.formula for cell in configurations]
    scores: list[list[Score]] = [[] for _ in configurations]
    for (scheme, k), by_rule in blocks.items():
        for rule, numbers in by_rule.items():
            lengths = _Lengths(statistics.schemes[scheme], statistics.reference_counts[k], rule)
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
    return max(cell.max_order + smoothing_rule(cell.smoothing).further_orders for cell in configurations)


class _Rows:
    """Distinct rows (c, m_1, m_2, ...) of all schemes and reference counts, and what the definition makes of each."""

    def __init__(self) -> None:
        self._numbers: dict[Row, int] = {}
        self._precisions: dict[Formula, Floats] = {}
        self._penalties: dict[PenaltyRule, dict[Row, float]] = {}

    def number(self, rows: Sequence[Row]) -> Integers:
        """Return the numbers of rows, giving new rows new numbers."""
        numbers = self._numbers
        return np.array([numbers.setdefault(row, len(numbers)) for row in rows])

    def precisions(self, formula: Formula) -> Floats:
        """Return the geometric mean, then the precisions, of every row by number: ``(rows, 1 + orders)``."""
        if formula not in self._precisions:
            totals = [
                [max(c - n, 0) for n in range(len(next(iter(self._numbers))))]
                for c in range(max(row[0] for row in self._numbers) + 1)
            ]
            found = []
            for c, *matches in self._numbers:
                precisions = formula.precisions(matches, totals[c])
                found.append([formula.mean(precisions, totals[c]), *precisions])
            self._precisions[formula] = np.array(found)
        return self._precisions[formula]

    def penalties(self, rule: PenaltyRule, rows: Sequence[Row]) -> Floats:
        """Return the brevity penalty of each row (c, r), with r as a fraction of integers."""
        known = self._penalties.setdefault(rule, {})
        for row in rows:
            if row not in known:
                c, numerator, denominator = row
                known[row] = rule(c, numerator / denominator)
        return np.array([known[row] for row in rows])


class _Lengths:
    """c and r of every system and image under one length rule, their distinct rows, and their sums over the images."""

    def __init__(self, counted: SchemeStatistics, references: int, rule: str) -> None:
        candidates = counted.candidate_lengths
        used = counted.reference_lengths[:, :references]
        numerators, denominators = effective_reference_lengths(candidates, used, rule)
        self.rows, self.places = _distinct([candidates, numerators, np.broadcast_to(denominators, candidates.shape)])
        self.c: list[int] = candidates.sum(axis=1).tolist()
        shares = [(d, numerators[:, denominators == d].sum(axis=1).tolist()) for d in np.unique(denominators).tolist()]
        self.r = [float(sum(Fraction(sums[s], d) for d, sums in shares)) for s in range(len(candidates))]


class _Grams:
    """m and t of every system and image under one scheme and reference count, their distinct rows, and their sums."""

    def __init__(self, counted: SchemeStatistics, k: int, rows: _Rows) -> None:
        matches = counted.matches[:, k]
        distinct, self._places = _distinct([counted.candidate_lengths, *np.moveaxis(matches, -1, 0)])
        self._rows, self._numbers = rows, rows.number(distinct)
        self._times = _times(self._places, len(distinct))
        self._m = matches.sum(axis=1, dtype=np.int64).tolist()
        self._t = counted.totals(matches.shape[-1]).sum(axis=1).tolist()
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
            precisions = [formula.precisions(m, t) for m, t in zip(self._m, self._t, strict=True)]
            self._of_sums[formula] = [
                (formula.mean(p, t), tuple(each / scale for each in p))
                for p, t in zip(precisions, self._t, strict=True)
            ]
        penalties = map(formula.penalty_rule, lengths.c, lengths.r)
        return [
            (penalty * mean / scale, penalty, precisions)
            for penalty, (mean, precisions) in zip(penalties, self._of_sums[formula], strict=True)
        ]

    def _means(self, lengths: _Lengths, asked: Sequence[tuple[Formula, bool]]) -> list[list[Parts]]:
        """Return the means over the images, or those weighted by the reference length."""
        self._count_precisions([formula for formula, _ in asked])
        pairs, places = _distinct([self._places, lengths.places])
        gram, length = np.array(pairs).T
        times = _times(places, len(pairs))
        number = self._numbers[gram]
        penalties = {
            rule: self._rows.penalties(rule, lengths.rows)[length]
            for rule in dict.fromkeys(formula.penalty_rule for formula, _ in asked)
        }
        reference_lengths = np.array([numerator / denominator for _, numerator, denominator in lengths.rows])[length]
        columns = []
        for formula, weighted in asked:
            values = penalties[formula.penalty_rule] * self._rows.precisions(formula)[number, 0] / formula.rule.scale
            columns.append(reference_lengths * values if weighted else values)
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
            tables = [self._rows.precisions(formula)[self._numbers, 1:] for formula in new]
            sums = exact_sums(np.concatenate(tables, axis=1), self._times)
            images, first = self._places.shape[1], 0
            for formula, table in zip(new, tables, strict=True):
                last = first + table.shape[1]
                self._mean_precisions[formula] = [
                    tuple(total / images / formula.rule.scale for total in row[first:last]) for row in sums
                ]
                first = last


def _distinct(columns: Sequence[NDArray[np.integer]]) -> tuple[list[Row], Integers]:
    """Return the distinct rows of some columns of non-negative integers, and for each row the place of its like.

    Rows are named column by column: a name and the next column's value make a number, and the numbers that occur are
    named anew, so that they stay small.
    """
    names = np.zeros(columns[0].shape, dtype=np.int64)
    for column in columns:
        width = int(column.max()) + 1
        numbers = names * width + column
        occurs = np.zeros((int(names.max()) + 1) * width, dtype=bool)
        occurs[numbers] = True
        names = (np.cumsum(occurs) - 1)[numbers]
    flat = names.ravel()
    example = np.zeros(int(flat.max()) + 1, dtype=np.int64)
    example[flat] = np.arange(len(flat))
    return list(zip(*(np.ravel(column)[example].tolist() for column in columns), strict=True)), names


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

"""From statistics to scores: every configuration of every system, equal to the definition bit by bit.

A sentence's score is a product of two factors that depend on few integers: the smoothed precisions on (c, m), the
brevity penalty on (c, r). Sentences repeat these integers, so that each distinct row goes through the scalar definition
once, and a mean over sentences is an exact sum over distinct rows, each times how often it stands there.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, repeat
from typing import NamedTuple, TypeVar

import numpy as np

from manybleus.arrays import Floats, Integers
from manybleus.bleu.configuration import Configuration, check_configurations
from manybleus.bleu.definition import Formula
from manybleus.bleu.exact import distinct, exact_sums, product, rounded_sums
from manybleus.bleu.lengths import Lengths, LengthsOfSchemes
from manybleus.bleu.smoothing import PenaltyRule, logarithm, smoothing_rule
from manybleus.bleu.statistics import (
    CaptionStatistics,
    caption_statistics,
    ngram_totals,
    weighted_by_length,
)
from manybleus.bleu.tokens import Scheme
from manybleus.captions import Captions
from manybleus.errors import ManybleusError, shown

Place = tuple[Scheme, int]  # of a reference count
Key = tuple[Place, str]  # and a length rule
Kind = tuple[Formula, bool | None]  # and an aggregation, as weighted_by_length tells it
_SENTENCES_AT_ONCE = 1 << 15
T = TypeVar("T")


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


class _Parts(NamedTuple):
    """What a cell has of each system in turn: scores, brevity penalties, precisions."""

    scores: Sequence[float]
    penalties: Sequence[float]
    precisions: Sequence[tuple[float, ...]]


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
    if not isinstance(statistics, CaptionStatistics):
        raise ManybleusError(f"CaptionStatistics, as count_for gives them, are meant, not {shown(statistics)}")
    check_configurations(configurations)
    asked: dict[Kind, int] = {}
    cells: dict[Key, list[tuple[int, int]]] = {}
    for number, cell in enumerate(configurations):
        scheme = cell.case, cell.tokenizer
        if scheme not in statistics.schemes:
            raise ManybleusError(f"nothing was counted for case and tokenizer {' and '.join(scheme)}; count them too")
        place = scheme, statistics.place_of(cell.references)
        kind = asked.setdefault((cell.formula, weighted_by_length(cell.aggregation)), len(asked))
        cells.setdefault((place, cell.reference_length), []).append((number, kind))
    grams = _Grams(statistics, list(dict.fromkeys(place for place, _ in cells)))
    shared = LengthsOfSchemes(statistics)
    lengths = {(place, rule): shared.under(*place, rule) for place, rule in cells}
    parts: dict[Key, dict[int, _Parts]] = {key: {} for key in cells}
    for key, kind, of_systems in chain(_corpora(grams, lengths, asked), _means(statistics, grams, lengths, asked)):
        parts[key][kind] = of_systems
    scores: list[list[Score]] = [[] for _ in configurations]
    for key, numbers in cells.items():
        c, r = lengths[key].c, lengths[key].r
        for number, kind in numbers:
            same = repeat(configurations[number])
            scores[number] = list(map(Score, same, statistics.systems, *parts[key][kind], c, r))
    return [one for of_cell in scores for one in of_cell]


def schemes(configurations: Sequence[Configuration]) -> list[Scheme]:
    """Return the pairs of case rule and tokenizer that the configurations need."""
    check_configurations(configurations)
    return list(by_scheme(configurations))


def by_scheme(configurations: Sequence[Configuration]) -> dict[Scheme, list[int]]:
    """Return the places of the configurations that share a case rule and a tokenizer."""
    found: dict[Scheme, list[int]] = {}
    for number, cell in enumerate(configurations):
        found.setdefault((cell.case, cell.tokenizer), []).append(number)
    return found


def orders(configurations: Sequence[Configuration]) -> int:
    """Return the number of orders that must be counted for the configurations."""
    check_configurations(configurations)
    return max(cell.max_order + smoothing_rule(cell.smoothing).further_orders for cell in configurations)


def count_for(captions: Captions, configurations: Sequence[Configuration]) -> CaptionStatistics:
    """Count what the configurations need; see ``statistics.caption_statistics``."""
    check_configurations(configurations)
    counts = [cell.references for cell in configurations]
    return caption_statistics(captions, schemes(configurations), counts, orders(configurations))


class _Rows:
    """Rows of t_1, .. and m_1, .., each ``(orders, rows)``, and what the formulas make of them.

    The rules of smoothing take all rows at once; the rest of the definition is applied number by number.
    """

    def __init__(self, totals: Integers, matches: Integers) -> None:
        self._totals, self._matches = totals, matches
        self._values: dict[Formula, Floats] = {}

    def __len__(self) -> int:
        return int(self._totals.shape[1])

    def summed(self, times: Integers) -> "_Rows":
        """Return the rows that are sums of these, each taken some times, ``(sums, rows)``."""
        # Integers below 2**53 are exact.
        sums = product(times.astype(np.float64), np.concatenate([self._totals, self._matches]).T.astype(np.float64))
        return _Rows(*np.split(sums.T.astype(np.int64), [len(self._totals)]))

    def values(self, formula: Formula) -> Floats:
        """Return the geometric mean, then the precisions, of every row: ``(1 + orders, rows)``."""
        if formula not in self._values:
            precisions = np.stack(formula.precisions(list(self._matches), list(self._totals)))
            self._values[formula] = np.vstack([_geometric_means(formula, precisions, self._totals), precisions])
        return self._values[formula]


def _geometric_means(formula: Formula, precisions: Floats, totals: Integers) -> Floats:
    """The array form of ``Formula.mean``: precisions and totals ``(orders, rows)`` in, means ``(rows,)`` out."""
    orders = formula.effective_orders(list(totals[: len(precisions)]))
    weights = np.ones(len(precisions)) if formula.weights is None else np.array(formula.weights)
    counts = (np.arange(len(precisions))[:, None] < np.broadcast_to(orders, totals.shape[1])) & (weights > 0)[:, None]
    means = np.zeros(totals.shape[1])
    above = np.flatnonzero(counts.any(axis=0) & ~(counts & (precisions <= 0)).any(axis=0))
    counts = counts[:, above]
    # Terms that do not count are 0, which leaves an exact sum as it is.
    terms = logarithm(np.where(counts, precisions[:, above], 1.0)) * weights[:, None]
    wholes = np.where(counts, weights[:, None], 0.0)
    exponents = rounded_sums(list(terms)) / rounded_sums(list(wholes))
    means[above] = list(map(math.exp, exponents.tolist()))
    return means


class _Grams:
    """m and t of all systems and images under some schemes and reference counts.

    Attributes
    ----------
    sentences
        The distinct sentences of all places together.
    sentence_of
        By place, which of them each system has for each image, ``(systems, images)``.
    times
        How often each system has them, ``(places, systems, sentences)``.
    """

    def __init__(self, statistics: CaptionStatistics, places: Sequence[Place]) -> None:
        columns, found = [], []
        for some in _at_once(places, statistics):
            lengths = np.stack([statistics.schemes[scheme].candidate_lengths for scheme, _ in some])
            matches = [np.moveaxis(statistics.schemes[scheme].matches[:, k], -1, 0) for scheme, k in some]
            rows, sentence_of = distinct([lengths, *np.stack(matches, axis=1)])
            columns.append(np.stack(rows))
            found.append(sentence_of)
        together, number = distinct(list(np.concatenate(columns, axis=1)))
        numbers = np.split(number, list(accumulate(rows.shape[1] for rows in columns))[:-1])
        named = (of_place for number, some in zip(numbers, found, strict=True) for of_place in number[some])
        self.sentence_of = dict(zip(places, named, strict=True))
        self.sentences = _Rows(ngram_totals(together[0], len(together) - 1), np.stack(together[1:]))
        size = len(self.sentences)
        self.times = np.stack([_times(one, size) for one in self.sentence_of.values()])
        # The systems of the first place, then those of the next.
        self.corpora = self.sentences.summed(self.times.reshape(-1, size))


def _corpora(
    grams: _Grams, lengths: Mapping[Key, Lengths], asked: Mapping[Kind, int]
) -> Iterator[tuple[Key, int, _Parts]]:
    """Yield each system's scores of the sums, by key and the number of the formula and kind of mean."""
    place_of = {place: n for n, place in enumerate(grams.sentence_of)}
    places = [place_of[place] for place, _ in lengths]
    shape = len(place_of), grams.times.shape[1]
    for (formula, weighted), number in asked.items():
        if weighted is not None:
            continue
        values = grams.corpora.values(formula).T.reshape(*shape, -1)
        penalties = np.array([of_key.corpus_penalties(formula.penalty_rule) for of_key in lengths.values()])
        scores = penalties * values[places, :, 0] / formula.rule.scale
        precisions = [list(map(tuple, of_place)) for of_place in (values[..., 1:] / formula.rule.scale).tolist()]
        rows = zip(lengths, scores.tolist(), penalties.tolist(), places, strict=True)
        for key, of_systems, penalty, place in rows:
            yield key, number, _Parts(of_systems, penalty, precisions[place])


def _means(
    statistics: CaptionStatistics, grams: _Grams, lengths: Mapping[Key, Lengths], asked: Mapping[Kind, int]
) -> Iterator[tuple[Key, int, _Parts]]:
    """Yield each system's means over the sentences, by key and the number of the formula and kind of mean."""
    wanted = [(formula, weighted, number) for (formula, weighted), number in asked.items() if weighted is not None]
    if not wanted:
        return
    formulas = list(dict.fromkeys(formula for formula, _, _ in wanted))
    precisions = _mean_precisions(grams, formulas)
    which = [formulas.index(formula) for formula, _, _ in wanted]
    penalty_rules = list(dict.fromkeys(formula.penalty_rule for formula in formulas))
    penalty_of = [penalty_rules.index(formula.penalty_rule) for formula, _, _ in wanted]
    weighted = np.array([by_length for _, by_length, _ in wanted])
    scales = np.array([formula.rule.scale for formula, _, _ in wanted])
    geometric = np.stack([grams.sentences.values(formula)[0] for formula, _, _ in wanted])
    images = next(iter(grams.sentence_of.values())).shape[1]
    for some in _at_once(list(lengths), statistics):
        sentences = _count_sentences([(grams.sentence_of[place], lengths[place, rule]) for place, rule in some])
        penalties = np.stack([sentences.penalties(rule) for rule in penalty_rules])
        values = penalties[penalty_of]
        values *= geometric[:, sentences.gram]
        values /= scales[:, None]
        if weighted.any():
            values[weighted] *= sentences.reference_lengths
        sums = exact_sums(np.concatenate([values, penalties]), sentences.times, sentences.begins)
        r = np.array([lengths[key].r for key in some])[..., None]
        whole = np.where(weighted, r, images)
        means = np.divide(sums[..., : len(wanted)], whole, out=np.zeros(whole.shape), where=whole > 0)
        of_penalties = (sums[..., len(wanted) :] / images).transpose(0, 2, 1).tolist()
        for key, of_key, penalty in zip(some, means.transpose(0, 2, 1).tolist(), of_penalties, strict=True):
            for (_, _, number), scores, f, p in zip(wanted, of_key, which, penalty_of, strict=True):
                yield key, number, _Parts(scores, penalty[p], precisions[key[0]][f])


def _mean_precisions(grams: _Grams, formulas: Sequence[Formula]) -> dict[Place, list[list[tuple[float, ...]]]]:
    """Return the systems' mean precisions over the sentences, by place, formula by formula."""
    tables = [grams.sentences.values(formula)[1:] for formula in formulas]
    ends = list(accumulate(map(len, tables)))
    systems = grams.times.shape[1]
    images = next(iter(grams.sentence_of.values())).shape[1]
    scales = np.repeat([formula.rule.scale for formula in formulas], list(map(len, tables)))
    (sums,) = exact_sums(np.concatenate(tables), grams.times.reshape(-1, len(grams.sentences)))
    means = (sums / images / scales).reshape(-1, systems, len(scales))
    return {
        place: [list(map(tuple, of_formula.tolist())) for of_formula in np.split(of_place, ends[:-1], axis=1)]
        for place, of_place in zip(grams.sentence_of, means, strict=True)
    }


class _Sentences(NamedTuple):
    """Distinct pairs of grams and lengths, run by run: all systems under one length rule at one place.

    ``gram`` and ``length`` number their rows, the latter over ``lengths`` one after the other; ``times`` tells how
    often each system has each pair, ``(systems, pairs)``; a run begins at each of ``begins``.
    """

    gram: Integers
    length: Integers
    lengths: Sequence[Lengths]
    times: Integers
    begins: Sequence[int]

    def penalties(self, rule: PenaltyRule) -> Floats:
        """Return each pair's brevity penalty."""
        return np.concatenate([one.penalties(rule) for one in self.lengths])[self.length]

    @property
    def reference_lengths(self) -> Floats:
        """r of each pair."""
        return np.concatenate([one.r_of_rows for one in self.lengths])[self.length]


def _count_sentences(places: Sequence[tuple[Integers, Lengths]]) -> _Sentences:
    lengths = list(dict.fromkeys(one for _, one in places))
    offsets = dict(zip(lengths, accumulate((len(one.r_of_rows) for one in lengths), initial=0), strict=False))
    systems = len(places[0][0])
    # A number for each sentence: gram, length, system.
    for_length = sum(len(one.r_of_rows) for one in lengths).bit_length()
    for_system = systems.bit_length()
    numbers = np.stack([(gram << for_length) + (length.places + offsets[length]) for gram, length in places])
    numbers = (numbers << for_system) + np.arange(systems)[:, None]
    # Small numbers are sorted faster.
    numbers = numbers.astype(np.min_scalar_type(-int(numbers.max()) - 1)).reshape(len(places), -1)
    numbers.sort(axis=1)
    pairs = numbers >> for_system
    changed = np.ones(pairs.shape, dtype=bool)
    np.not_equal(pairs[:, 1:], pairs[:, :-1], out=changed[:, 1:])
    distinct_pairs = pairs[changed].astype(np.int64)
    size = len(distinct_pairs)
    pair_of = np.cumsum(changed) - 1
    system_of = (numbers & ((1 << for_system) - 1)).ravel().astype(np.int64)
    times = np.bincount(system_of * size + pair_of, minlength=systems * size).reshape(systems, size)
    begins = list(accumulate(np.count_nonzero(changed, axis=1)[:-1].tolist(), initial=0))
    gram, length = distinct_pairs >> for_length, distinct_pairs & ((1 << for_length) - 1)
    return _Sentences(gram, length, lengths, times, begins)


def _at_once(several: Sequence[T], statistics: CaptionStatistics) -> Iterator[Sequence[T]]:
    """Part what is done for all systems and images into as many at once as memory holds with ease."""
    sentences = next(iter(statistics.schemes.values())).candidate_lengths.size
    step = max(_SENTENCES_AT_ONCE // sentences, 1)
    return (several[first : first + step] for first in range(0, len(several), step))


def _times(places: Integers, size: int) -> Integers:
    """Count each system's rows by place: ``(systems, images)`` places in, ``(systems, size)`` counts out."""
    systems = np.arange(len(places))[:, None] * size
    return np.bincount((systems + places).ravel(), minlength=len(places) * size).reshape(len(places), size)

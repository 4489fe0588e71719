"""Tests of significance on data where the truth is known.

The design, its seeds and its bounds were fixed before the first run. A caption is of one of six kinds, whose counts are
written out below. An image is easy or hard, with even chances; given that, each system draws its caption's kind by the
chances below, apart from the other. So what BLEU expects of a system is a sum over kinds, worked out here, and a null
comparison is one of two systems with the same chances.

Of 1,000 comparisons at the level 0.05, the number that go wrong is binomial where a test keeps its promise. Each bound
is the central 99.9 % of that binomial distribution; nothing is added for what a method is known to miss.
"""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom, norm

from manybleus.analysis.significance import Judgement, judge, judgements, randomization_p
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.draws import bootstrap_draws
from manybleus.bleu.statistics import CaptionStatistics, SchemeStatistics
from manybleus.config import Significance

SEED = 2002
COMPARISONS = 1000
IMAGES = 200
LEVEL = 0.05
PLAN = Significance(bootstrap=1000, randomization=1000, level=LEVEL, correction="none")
CORPUS = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)
SENTENCES = Configuration("all", "closest", "lower", "split", "exp", "mean-sentence", 4)
CELLS = [CORPUS, SENTENCES]

# Matches of the orders 1 to 4, and the length; every reference has ten tokens.
KINDS = np.array(
    [[10, 9, 8, 7, 10], [8, 6, 4, 2, 10], [6, 4, 2, 1, 7], [6, 3, 1, 0, 10], [4, 1, 0, 0, 9], [7, 4, 3, 2, 11]]
)
REFERENCE_LENGTH = 10
# Chances of the kinds for easy and for hard images.
GOOD = np.array([[0.30, 0.30, 0.20, 0.10, 0.05, 0.05], [0.05, 0.10, 0.20, 0.25, 0.30, 0.10]])
WORSE = np.array([[0.20, 0.25, 0.25, 0.15, 0.08, 0.07], [0.03, 0.07, 0.18, 0.27, 0.33, 0.12]])
# One that is cut short on even images and padded on odd ones; here chances go by parity.
ALTERNATING = np.array([[0.00, 0.00, 0.90, 0.00, 0.10, 0.00], [0.10, 0.20, 0.00, 0.20, 0.00, 0.50]])


def statistics_of(kinds):
    """Counts of systems whose captions are of these kinds, ``(systems, images)``."""
    counts = KINDS[kinds]
    lengths = np.full((kinds.shape[1], 1), REFERENCE_LENGTH)
    scheme = SchemeStatistics(counts[:, None, :, :4], counts[..., 4], lengths)
    names = tuple(f"system {number}" for number in range(len(kinds)))
    return CaptionStatistics(names, (1,), {("lower", "split"): scheme}, "made up")


def draw_kinds(rng, hard, chances):
    """A kind for each image, by the chances of its group."""
    return (rng.random(len(hard))[:, None] > np.cumsum(chances[hard], axis=1)[:, :-1]).sum(axis=1)


def sentence_score(kind):
    """BLEU with NIST's smoothing, by hand: the k-th order without a match counts 1 / 2^k."""
    *matches, c = KINDS[kind].tolist()
    halved, product_of = 1.0, 1.0
    for n, m in enumerate(matches):
        halved = halved / 2 if m == 0 else halved
        product_of *= (m or halved) / (c - n)
    return min(1.0, math.exp(1 - REFERENCE_LENGTH / c)) * product_of**0.25


def expected_scores(chances):
    """What corpus and mean-sentence BLEU are in the whole population; the two groups are equally frequent."""
    share = chances.mean(axis=0)
    *matches, c = (share @ KINDS).tolist()
    precisions = [m / (c - n) for n, m in enumerate(matches)]
    corpus = min(1.0, math.exp(1 - REFERENCE_LENGTH / c)) * math.prod(precisions) ** 0.25
    return np.array([corpus, share @ [sentence_score(kind) for kind in range(len(KINDS))]])


def simulate(first, second, groups_of):
    """Yield the statistics of each comparison, and its number."""
    for number in range(COMPARISONS):
        rng = np.random.default_rng([SEED, number])
        groups = groups_of(rng)
        yield number, statistics_of(np.stack([draw_kinds(rng, groups, chances) for chances in (first, second)]))


def of_even_chances(rng):
    return rng.integers(2, size=IMAGES)


def of_parity(_):
    return np.arange(IMAGES) % 2


@cache
def null_comparisons():
    """p of the bootstrap and of the randomization, ``(comparisons, cells)`` each."""
    found = []
    for number, statistics in simulate(GOOD, GOOD, of_even_chances):
        judged = judge("plain", statistics, CELLS, bootstrap_draws(IMAGES, PLAN.bootstrap, number), PLAN)
        by_swaps = randomization_p(statistics, CELLS, Significance(**{**as_keys(PLAN), "seed": number}))
        found.append((judged.p[:, 0], by_swaps[:, 0]))
    return tuple(np.array(each) for each in zip(*found, strict=True))


def as_keys(plan):
    return {name: getattr(plan, name) for name in plan.__dataclass_fields__}


def misses(judged: Judgement, truth):
    return (judged.low[:, 0] > truth) | (judged.high[:, 0] < truth)


@cache
def planted_comparisons():
    """Whether the interval misses the truth, and p of the bootstrap, ``(comparisons, cells)`` each."""
    truth = expected_scores(GOOD) - expected_scores(WORSE)
    found = []
    for number, statistics in simulate(GOOD, WORSE, of_even_chances):
        judged = judge("plain", statistics, CELLS, bootstrap_draws(IMAGES, PLAN.bootstrap, number), PLAN)
        found.append((misses(judged, truth), judged.p[:, 0]))
    return tuple(np.array(each) for each in zip(*found, strict=True))


@cache
def alternating_comparisons():
    """Whether the plain and the stratified interval miss the truth, ``(comparisons, cells)`` each."""
    share = GOOD.mean(axis=0)
    truth = expected_scores(np.stack([share, share])) - expected_scores(ALTERNATING)
    strata = (np.arange(IMAGES) % 2).tolist()
    found = []
    for number, statistics in simulate(np.stack([share, share]), ALTERNATING, of_parity):
        plan = Significance(**{**as_keys(PLAN), "seed": number})
        found.append([misses(judged, truth) for judged in judgements(statistics, CELLS, plan, strata)])
    return tuple(np.array(each) for each in zip(*found, strict=True))


def within_binomial_error(count, chance):
    low, high = binom.interval(0.999, COMPARISONS, chance)
    return low <= count <= high


@pytest.mark.parametrize("cell", [0, 1], ids=["corpus", "mean-sentence"])
@pytest.mark.parametrize("test", [0, 1], ids=["bootstrap", "randomization"])
def test_the_rate_of_false_findings_is_nominal(test, cell):
    assert within_binomial_error((null_comparisons()[test][:, cell] <= LEVEL).sum(), LEVEL)


@pytest.mark.parametrize("cell", [0, 1], ids=["corpus", "mean-sentence"])
def test_the_interval_of_a_planted_difference_covers_it_as_often_as_it_says(cell):
    assert within_binomial_error(planted_comparisons()[0][:, cell].sum(), LEVEL)


@pytest.mark.parametrize("cell", [0, 1], ids=["corpus", "mean-sentence"])
def test_stratified_draws_cover_where_the_design_is_stratified(cell):
    assert within_binomial_error(alternating_comparisons()[1][:, cell].sum(), LEVEL)


@pytest.mark.parametrize("cell", [0, 1], ids=["corpus", "mean-sentence"])
def test_plain_draws_miss_no_more_often_there(cell):
    """They take the parity of the images as chance, so that their interval is too wide if anything."""
    plain, _ = alternating_comparisons()
    assert plain[:, cell].sum() <= binom.ppf(0.9995, COMPARISONS, LEVEL)


def test_a_planted_difference_is_found_as_often_as_normal_theory_says():
    """Mean-sentence BLEU is a mean: its standard error is known, and so is the power, to a few hundredths."""
    scores = np.array([sentence_score(kind) for kind in range(len(KINDS))])
    pairs = list(product(range(len(KINDS)), repeat=2))
    chances = np.array([0.5 * sum(GOOD[group, a] * WORSE[group, b] for group in (0, 1)) for a, b in pairs])
    differences = np.array([scores[a] - scores[b] for a, b in pairs])
    gap = chances @ differences
    error = math.sqrt(chances @ (differences - gap) ** 2 / IMAGES)
    power = norm.cdf(gap / error - norm.ppf(1 - LEVEL / 2))
    assert gap == pytest.approx(np.subtract(*[expected_scores(each)[1] for each in (GOOD, WORSE)]))
    found = (planted_comparisons()[1][:, 1] <= LEVEL).mean()
    assert abs(found - power) < 0.03 + 3.3 * math.sqrt(power * (1 - power) / COMPARISONS)


# --------------------------------------------------------------------------------------- one comparison, in closed form


DRAWS = 20_000


@pytest.fixture(scope="module")
def one():
    """The statistics of one comparison, and its sentence scores."""
    rng = np.random.default_rng(SEED)
    hard = of_even_chances(rng)
    kinds = np.stack([draw_kinds(rng, hard, chances) for chances in (GOOD, WORSE)])
    scores = np.array([sentence_score(kind) for kind in range(len(KINDS))])
    return statistics_of(kinds), scores[kinds]


@pytest.mark.parametrize("strata", [None, (np.arange(IMAGES) % 3).tolist()], ids=["plain", "stratified"])
def test_the_bootstrap_of_a_mean_has_the_closed_forms_moments(one, strata):
    """The mean of n resampled values has variance sigma^2 / n; within strata, sum of n_h sigma_h^2, over n^2.

    Four standard errors are allowed: sd / sqrt(draws) for the mean, about sd / sqrt(2 draws) for the deviation.
    """
    statistics, scores = one
    judged = judge("x", statistics, [SENTENCES], bootstrap_draws(IMAGES, DRAWS, SEED, strata), PLAN)
    labels = np.array(strata or [0] * IMAGES)
    parts = [scores[0][labels == label] for label in np.unique(labels)]
    deviation = math.sqrt(sum(len(part) * part.var() for part in parts)) / IMAGES
    found = judged.draw([0])[0, 0]
    assert abs(found.mean() - scores[0].mean()) < 4 * deviation / math.sqrt(DRAWS)
    assert abs(found.std() / deviation - 1) < 4 / math.sqrt(2 * DRAWS)


def test_p_of_the_randomization_is_that_of_all_swaps():
    """Twelve images have 4,096 swaps, equally likely: the drawn p is theirs within four binomial errors."""
    rng = np.random.default_rng(SEED)
    kinds = rng.integers(len(KINDS), size=(2, 12))
    scores = np.array([sentence_score(kind) for kind in range(len(KINDS))])[kinds]
    signs = np.array(list(product((1, -1), repeat=12)))
    means = signs @ (scores[0] - scores[1]) / 12
    exact = (np.abs(means) >= abs((scores[0] - scores[1]).mean()) - 1e-9).mean()
    plan = Significance(**{**as_keys(PLAN), "randomization": DRAWS})
    found = randomization_p(statistics_of(kinds), [SENTENCES], plan)[0, 0]
    assert abs(found - exact) < 4 * math.sqrt(exact * (1 - exact) / DRAWS) + 1 / DRAWS


def test_the_order_of_the_images_changes_nothing_but_the_luck_of_the_draw(one):
    """The same seed takes other images then, from the same distribution: bounds move by Monte Carlo error alone.

    A quantile's standard error is sqrt(q (1 - q) / draws) over the density there, here that of a normal distribution.
    """
    statistics, scores = one
    scheme = statistics.schemes["lower", "split"]
    order = np.random.default_rng(SEED).permutation(IMAGES)
    shuffled = SchemeStatistics(
        scheme.matches[:, :, order], scheme.candidate_lengths[:, order], scheme.reference_lengths[order]
    )
    other = CaptionStatistics(statistics.systems, (1,), {("lower", "split"): shuffled}, "made up")
    counts = bootstrap_draws(IMAGES, DRAWS, SEED)
    first, second = (judge("x", each, [SENTENCES], counts, PLAN) for each in (statistics, other))
    deviation = (scores[0] - scores[1]).std() / math.sqrt(IMAGES)
    quantile = norm.ppf(LEVEL / 2)
    error = deviation * math.sqrt(LEVEL / 2 * (1 - LEVEL / 2) / DRAWS) / norm.pdf(quantile)
    for name in ("low", "high"):
        assert abs(getattr(first, name)[0, 0] - getattr(second, name)[0, 0]) < 4 * math.sqrt(2) * error
    assert (first.draw([0]) != second.draw([0])).any()


def test_nothing_is_found_between_a_system_and_its_copy():
    rng = np.random.default_rng(SEED)
    kinds = np.repeat(draw_kinds(rng, of_even_chances(rng), GOOD)[None], 2, axis=0)
    statistics = statistics_of(kinds)
    judged = judge("plain", statistics, CELLS, bootstrap_draws(IMAGES, PLAN.bootstrap, SEED), PLAN)
    assert judged.p.tolist() == randomization_p(statistics, CELLS, PLAN).tolist() == [[1], [1]]
    assert judged.verdicts.tolist() == [[0], [0]]

"""Scores of cells, against calculations by hand."""

from dataclasses import replace
from fractions import Fraction
from math import exp, fsum

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.scores import exact_sums, orders, schemes, score
from manybleus.bleu.statistics import CaptionStatistics, SchemeStatistics, caption_statistics
from manybleus.captions import Captions

CELL = Configuration(1, "closest", "lower", "split", "none", "corpus", 2)
CAPTIONS = Captions(
    (0, 1), (("a b c d",), ("a b c", "a b c d e")), {"X": ("a b c", "a b d"), "Y": ("a b c d", "a b c")}
)


def scores(*cells):
    counted = caption_statistics(CAPTIONS, schemes(cells), [cell.references for cell in cells], 4)
    return score(counted, cells)


def test_scores_come_cell_by_cell_and_system_by_system():
    cells = [CELL, replace(CELL, smoothing="add-1")]
    assert [(each.configuration, each.system) for each in scores(*cells)] == [
        (cell, system) for cell in cells for system in ("X", "Y")
    ]


def test_a_corpus_score_by_hand():
    x, y = scores(CELL)
    assert (x.candidate_length, x.reference_length) == (6, 7)
    assert x.precisions == (5 / 6, 3 / 4)
    assert x.brevity_penalty == exp(1 - 7 / 6)
    assert x.score == pytest.approx(exp(1 - 7 / 6) * (5 / 6 * 3 / 4) ** 0.5)
    assert (y.score, y.brevity_penalty, y.precisions) == (1, 1, (1, 1))


def test_a_mean_sentence_score_by_hand():
    x, _ = scores(replace(CELL, aggregation="mean-sentence"))
    assert x.brevity_penalty == pytest.approx((exp(1 - 4 / 3) + 1) / 2)
    assert x.precisions == pytest.approx(((1 + 2 / 3) / 2, (1 + 1 / 2) / 2))
    assert x.score == pytest.approx((exp(1 - 4 / 3) + (2 / 3 * 1 / 2) ** 0.5) / 2)
    assert (x.candidate_length, x.reference_length) == (6, 7)


def test_average_lengths_are_summed_without_rounding():
    x, _ = scores(replace(CELL, references="all", reference_length="average"))
    assert x.reference_length == 4 + 4
    assert x.brevity_penalty == exp(1 - 8 / 6)


def test_precisions_are_shares_under_every_smoothing():
    for smoothing in ("none", "exp", "coco"):
        x, _ = scores(replace(CELL, smoothing=smoothing))
        assert x.precisions == pytest.approx((5 / 6, 3 / 4), rel=1e-8)


def test_fewer_orders_than_were_counted():
    x, _ = scores(replace(CELL, max_order=1))
    assert x.precisions == (5 / 6,)


def test_counts_beyond_single_precision_stay_exact():
    """Four more tokens after 2 ** 24 are four more tokens."""
    most = 2**24
    counted = SchemeStatistics(np.array([[[[most], [4]]]]), np.array([[most, 4]]), np.array([[most], [4]]))
    statistics = CaptionStatistics(("X",), (1,), {("lower", "split"): counted}, "")
    (x,) = score(statistics, [replace(CELL, max_order=1)])
    assert (x.candidate_length, x.reference_length) == (16_777_220, 16_777_220)
    assert x.score == 1


def test_schemes_are_named_once_in_the_order_of_the_cells():
    cells = [CELL, replace(CELL, case="cased"), replace(CELL, smoothing="exp"), replace(CELL, tokenizer="kept")]
    assert schemes(cells) == [("lower", "split"), ("cased", "split"), ("lower", "kept")]


def test_the_rules_that_read_ahead_have_one_more_order_counted():
    assert orders([CELL]) == 2
    assert orders([CELL, replace(CELL, max_order=3), replace(CELL, smoothing="chen-cherry-4")]) == 3
    assert orders([replace(CELL, smoothing="chen-cherry-5")]) == orders([replace(CELL, smoothing="chen-cherry-7")]) == 3


def test_a_mean_weighted_by_the_reference_length_by_hand():
    x, _ = scores(replace(CELL, aggregation="weighted-mean-sentence"))
    assert x.score == pytest.approx((4 * exp(1 - 4 / 3) + 3 * (2 / 3 * 1 / 2) ** 0.5) / (4 + 3))


def test_weights_switches_and_the_longest_reference_by_hand():
    (x, _), (plain, _) = scores(replace(CELL, weights=(0.25, 0.75))), scores(replace(CELL, brevity_penalty=False))
    assert x.score == pytest.approx(exp(1 - 7 / 6) * (5 / 6) ** 0.25 * (3 / 4) ** 0.75)
    assert (plain.score, plain.brevity_penalty) == (pytest.approx((5 / 6 * 3 / 4) ** 0.5), 1)
    longest, _ = scores(replace(CELL, references="all", reference_length="longest"))
    assert longest.reference_length == 4 + 5
    four, _ = scores(replace(CELL, max_order=4, effective_order=True, aggregation="mean-sentence"))
    assert four.score == pytest.approx((exp(1 - 4 / 3) + 0) / 2)


# ---------------------------------------------------------------------------------------------------------- exact sums

numbers = st.floats(-1e270, 1e270) | st.floats(-1, 1) | st.sampled_from([0.0, 5e-324, 1e-310, 1e16, -1e16, 1.0, 0.1])


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 10**6), st.integers(0, 3)), min_size=1, max_size=12))
@example([(1e270, 1.0, 3, 1), (5e-324, 5e-324, 1, 3), (-1e270, -1.0, 3, 1)])
@example([(0.1, 0.1, 10, 3), (1e16, 1e-16, 1, 3), (-1e16, 0.0, 1, 1)])
def test_sums_are_rounded_once(rows):
    columns = np.array([row[:2] for row in rows])
    times = np.array([row[2:] for row in rows]).T
    expected = [
        [
            float(sum(Fraction(value) * n for value, n in zip(column, counts, strict=True)))
            for column in columns.T.tolist()
        ]
        for counts in times.tolist()
    ]
    assert exact_sums(columns.T, times).tolist() == [expected]


@given(st.lists(st.tuples(numbers, st.integers(0, 20)), min_size=1, max_size=12))
def test_sums_are_those_of_fsum(rows):
    values = np.array([[value for value, _ in rows]])
    repeated = [value for value, n in rows for _ in range(n)]
    assert exact_sums(values, np.array([[n for _, n in rows]])).tolist() == [[[fsum(repeated)]]]


def test_runs_are_summed_apart():
    values = np.array([[0.1, 0.2, 1e16], [1.0, 2.0, 3.0]])
    sums = exact_sums(values, np.array([[1, 2, 3], [10, 0, 1]]), [0, 2])
    assert sums.tolist() == [[[fsum([0.1, 0.2, 0.2]), 5.0], [fsum([0.1] * 10), 10.0]], [[3e16, 9.0], [1e16, 3.0]]]

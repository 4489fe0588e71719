"""Scores of cells, against calculations by hand."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.scores import schemes, score
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

"""Smoothing rules and brevity penalties, against calculations by hand."""

from math import exp

import pytest

from manybleus.bleu.smoothing import (
    SMOOTHINGS,
    add_k,
    brevity_penalty,
    coco_brevity_penalty,
    coco_guards,
    exponential,
    unsmoothed,
)


def test_brevity_penalty_by_hand():
    assert brevity_penalty(6, 5) == 1
    assert brevity_penalty(5, 5) == 1
    assert brevity_penalty(5, 6) == exp(1 - 6 / 5)
    assert brevity_penalty(5, 7.5) == exp(1 - 7.5 / 5)
    assert brevity_penalty(3, 0) == 1
    assert brevity_penalty(0, 4) == brevity_penalty(0, 0) == 0


def test_brevity_penalty_of_coco_caption_by_hand():
    assert coco_brevity_penalty(6, 5) == 1
    assert coco_brevity_penalty(5, 6) == pytest.approx(exp(-0.2), rel=1e-9)
    assert coco_brevity_penalty(5, 5) == pytest.approx(1, rel=1e-9)
    assert coco_brevity_penalty(5, 5) < 1
    assert coco_brevity_penalty(0, 4) == 0


def test_smoothing_rules_by_hand():
    m, t = [5, 3, 1, 0], [6, 5, 4, 3]
    assert unsmoothed(m, t) == [5 / 6, 3 / 5, 1 / 4, 0]
    assert add_k(1, m, t) == [5 / 6, 4 / 6, 2 / 5, 1 / 4]
    assert exponential(m, t) == pytest.approx([100 * 5 / 6, 60, 25, 100 / (2 * 3)])
    assert coco_guards(m, t) == pytest.approx([5 / 6, 3 / 5, 1 / 4, 1e-15 / 3])


def test_exp_halves_once_more_for_every_order_without_a_match():
    assert exponential([4, 0, 2, 0], [8, 7, 6, 5]) == pytest.approx([50, 100 / (2 * 7), 100 / 3, 100 / (4 * 5)])


def test_exp_gives_nothing_where_nothing_matches_and_from_the_first_order_without_n_grams_on():
    assert exponential([0, 0, 0, 0], [4, 3, 2, 1]) == [0, 0, 0, 0]
    assert exponential([2, 1, 0, 0], [2, 1, 0, 0]) == [100, 100, 0, 0]


def test_smoothing_rules_without_n_grams():
    none = [0, 0, 0, 0]
    assert unsmoothed(none, none) == [0, 0, 0, 0]
    assert add_k(1, none, none) == [0, 1, 1, 1]
    assert coco_guards(none, none) == pytest.approx([1e-6] * 4)


def test_smoothing_rules_change_none_of_their_input():
    for rule in SMOOTHINGS.values():
        given = [4, 2, 0, 0, 0][: 4 + rule.further_orders]
        m, t = list(given), [5, 4, 3, 2]
        once = rule.precisions(m, t)
        assert rule.precisions(m, t) == once
        assert (m, t) == (given, [5, 4, 3, 2])

"""Smoothing rules and brevity penalties, against calculations by hand."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from manybleus.bleu.smoothing import (
    SMOOTHINGS,
    add_k,
    brevity_penalty,
    canonical_name,
    coco_brevity_penalty,
    coco_guards,
    exponential,
    no_brevity_penalty,
    smoothing_names,
    smoothing_rule,
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


# ------------------------------------------------------------------------------------ one order without a match, or two

ONE, TWO, NONE, SHORT = ([5, 3, 1, 0, 0], 6), ([4, 2, 0, 0, 0], 5), ([0, 0, 0, 0, 0], 4), ([2, 1, 0, 0, 0], 2)


def smoothed(name, counts):
    """The precisions of a candidate of some length, from its matches of 1 to 5 words."""
    rule = smoothing_rule(name)
    matches, length = counts
    return rule.precisions(matches[: 4 + rule.further_orders], [max(length - n, 0) for n in range(4)])


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("chen-cherry-1", ONE, [5 / 6, 3 / 5, 1 / 4, 0.1 / 3]),
        ("chen-cherry-1", TWO, [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2]),
        ("chen-cherry-1", NONE, [0.1 / 4, 0.1 / 3, 0.1 / 2, 0.1]),
        ("chen-cherry-1", SHORT, [1, 1, 0, 0]),
        ("chen-cherry-2", ONE, [5 / 6, 4 / 6, 2 / 5, 1 / 4]),
        ("chen-cherry-2", NONE, [0, 1 / 4, 1 / 3, 1 / 2]),
        ("chen-cherry-2", SHORT, [1, 1, 1, 1]),
        ("chen-cherry-3", ONE, [5 / 6, 3 / 5, 1 / 4, 1 / 2 / 3]),
        ("chen-cherry-3", TWO, [4 / 5, 2 / 4, 1 / 2 / 3, 1 / 4 / 2]),
        ("chen-cherry-3", NONE, [1 / 2 / 4, 1 / 4 / 3, 1 / 8 / 2, 1 / 16]),
        ("chen-cherry-3", ([4, 0, 2, 0, 0], 8), [4 / 8, 1 / 2 / 7, 2 / 6, 1 / 4 / 5]),
        ("chen-cherry-4", ONE, [5 / 6, 3 / 5, 1 / 4, log(6) / 5 / 3]),
        ("chen-cherry-4", TWO, [4 / 5, 2 / 4, log(5) / 5 / 3, (log(5) / 5) ** 2 / 2]),
        ("chen-cherry-4", ([1, 0, 0, 0, 0], 1), [1, 0, 0, 0]),
        ("chen-cherry-4", ([0, 0, 0, 0, 0], 1), [0, 0, 0, 0]),
        ("chen-cherry-5", ONE, [14 / 3 / 6, 26 / 9 / 5, 35 / 27 / 4, 35 / 81 / 3]),
        ("chen-cherry-5", ([5, 4, 3, 2, 1], 5), [1, 1, 1, 1]),
        ("chen-cherry-5", ([0, 0, 0, 0, 0], 4), [1 / 3 / 4, 1 / 9 / 3, 1 / 27 / 2, 1 / 81]),
        ("chen-cherry-6", ONE, [5 / 6, 3 / 5, (1 + 5 * 54 / 125) / 9, 5 * (79 / 225) ** 2 / (3 / 5) / 8]),
        ("chen-cherry-6", ([4, 0, 0, 0, 0], 5), [4 / 5, 0, 0, 0]),
        ("chen-cherry-6", SHORT, [1, 1, 0, 0]),
        (
            "chen-cherry-7",
            ONE,
            [14 / 3 / 6, 26 / 9 / 5, (35 / 27 + log(6) / 15) / 4, (35 / 81 + log(6) / 45 + log(6) / 15) / 3],
        ),
        ("chen-cherry-7", ([5, 4, 3, 2, 1], 5), [1, 1, 1, 1]),
        ("add-k(0.5)", ONE, [5 / 6, 3.5 / 5.5, 1.5 / 4.5, 0.5 / 3.5]),
        ("add-k(3)", SHORT, [1, 1, 1, 1]),
        ("add-k(0.5)", NONE, [0, 0.5 / 3.5, 0.5 / 2.5, 0.5 / 1.5]),
        ("floor(0.1)", ONE, [5 / 6, 3 / 5, 1 / 4, 0.1 / 3]),
        ("floor(0.01)", TWO, [4 / 5, 2 / 4, 0.01 / 3, 0.01 / 2]),
        ("floor(0.1)", NONE, [0, 0, 0, 0]),
        ("floor(0.1)", SHORT, [1, 1, 0, 0]),
    ],
)
def test_further_smoothing_rules_by_hand(name, counts, expected):
    assert smoothed(name, counts) == pytest.approx(expected, rel=1e-14, abs=0)


def test_add_1_and_smoothing_2_are_add_k_of_1():
    for counts in (ONE, TWO, NONE, SHORT):
        assert smoothed("add-1", counts) == smoothed("chen-cherry-2", counts) == smoothed("add-k(1)", counts)


def test_without_a_brevity_penalty_only_an_empty_candidate_is_punished():
    assert no_brevity_penalty(1, 50) == no_brevity_penalty(50, 1) == 1
    assert no_brevity_penalty(0, 1) == no_brevity_penalty(0, 0) == 0


def test_numbers_of_smoothing_rules_may_be_written_in_several_ways():
    for written in ("floor(0.1)", "floor(.1)", "floor(0.10)", "floor(1e-1)"):
        assert smoothed(written, ONE) == smoothed("floor(0.1)", ONE)
    assert smoothed("add-k(2.)", ONE) == smoothed("add-k(2)", ONE)


@st.composite
def counts(draw):
    """Matches of five orders, no more than the n-grams that a candidate of some length has."""
    length = draw(st.integers(0, 9))
    return [draw(st.integers(0, max(length - n, 0))) for n in range(5)], length


@pytest.mark.parametrize("name", smoothing_names())
@given(several=st.lists(counts(), min_size=1, max_size=6))
@example(several=[ONE, TWO, NONE, SHORT, ([0] * 5, 0), ([1, 0, 0, 0, 0], 1)])
def test_a_rule_gives_arrays_of_counts_what_it_gives_each_of_them(name, several):
    rule = smoothing_rule(name)
    matches = np.array([m[: 4 + rule.further_orders] for m, _ in several]).T
    totals = np.array([[max(length - n, 0) for n in range(4)] for _, length in several]).T
    found = rule.precisions(list(matches), list(totals))
    assert np.array_equal(np.stack(found).T, [smoothed(name, each) for each in several])


# Smoothing 6 goes on as the precisions went before: where they rise, it expects more than 1.
@pytest.mark.parametrize("name", [name for name in smoothing_names() if name != "chen-cherry-6"])
@given(given_counts=counts())
@example(given_counts=SHORT)
def test_precisions_lie_between_0_and_1(name, given_counts):
    scale = smoothing_rule(name).scale
    assert all(0 <= precision <= scale * (1 + 1e-15) for precision in smoothed(name, given_counts))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("floor(.10)", "floor(0.1)"),
        ("add-k(1.0)", "add-k(1)"),
        ("floor(0.1234567)", "floor(0.1234567)"),
        ("floor(1000000)", "floor(1e+06)"),
        ("floor(1e+06)", "floor(1e+06)"),
        ("add-k(123456789)", "add-k(123456789.0)"),
        ("other(.10)", "other(.10)"),
        ("floor(1.2.3)", "floor(1.2.3)"),
    ],
)
def test_a_rule_has_one_name_which_keeps_every_digit(written, name):
    assert canonical_name(written) == canonical_name(name) == name

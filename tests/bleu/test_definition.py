"""The definition, against calculations by hand."""

from fractions import Fraction
from math import exp, log

import pytest

from manybleus.bleu.definition import (
    LENGTH_RULES,
    Formula,
    Statistics,
    bleu,
    clipped_matches,
    corpus_bleu,
    geometric_mean,
    mean_sentence_bleu,
    ngrams,
    sentence_statistics,
    weighted_mean_sentence_bleu,
)
from manybleus.bleu.smoothing import SMOOTHINGS

CAT = [text.split() for text in ("the cat is on the mat", "there is a cat on the mat")]


def counted(candidate, *references, rule="closest", max_order=4):
    return sentence_statistics(candidate.split(), [text.split() for text in references], rule, max_order)


def test_n_grams_are_counted():
    assert ngrams(["a", "b", "a", "b"], 2) == {("a", "b"): 2, ("b", "a"): 1}
    assert ngrams(["a", "b"], 3) == {}
    assert ngrams([], 1) == {}


def test_a_match_is_clipped_at_the_largest_count_in_one_reference():
    assert clipped_matches(["the"] * 7, CAT, 1) == 2
    assert clipped_matches(["the"] * 7, CAT[1:], 1) == 1
    assert clipped_matches(["the"] * 7, [["the"], ["the"], ["the"]], 1) == 1
    assert clipped_matches(["the", "cat", "the", "cat", "on", "the", "mat"], CAT, 2) == 4


def test_statistics_by_hand():
    found = counted("the cat the cat on the mat", *map(" ".join, CAT))
    assert found == Statistics((5, 4, 2, 1), (7, 6, 5, 4), 7, Fraction(7))
    assert counted("a b", "a b c d e", max_order=4) == Statistics((2, 1, 0, 0), (2, 1, 0, 0), 2, Fraction(5))
    assert counted("", "a") == Statistics((0, 0, 0, 0), (0, 0, 0, 0), 0, Fraction(1))


def test_an_empty_reference_counts_as_a_reference():
    assert counted("a b", "a b c d e", "").reference_length == 0
    assert bleu(counted("a b", "a b c d e", "", max_order=1)) == 1
    assert counted("a b", "a b c d e", "", rule="average").reference_length == Fraction(5, 2)


def test_statistics_of_a_corpus_are_sums():
    assert Statistics((1, 0), (2, 1), 2, Fraction(5, 2)) + Statistics((3, 2), (4, 3), 4, Fraction(1, 3)) == Statistics(
        (4, 2), (6, 4), 6, Fraction(17, 6)
    )


@pytest.mark.parametrize(
    ("c", "lengths", "closest", "shortest", "average", "longest"),
    [
        (5, [6, 4], 4, 4, 5, 6),
        (5, [4, 6], 4, 4, 5, 6),
        (5, [6, 9], 6, 6, Fraction(15, 2), 9),
        (5, [6, 3], 6, 3, Fraction(9, 2), 6),
        (5, [5, 1, 9], 5, 1, 5, 9),
        (0, [3, 7], 3, 3, 5, 7),
        (9, [3, 4, 4], 4, 3, Fraction(11, 3), 4),
        (2, [0], 0, 0, 0, 0),
    ],
)
def test_length_rules_by_hand(c, lengths, closest, shortest, average, longest):
    by_hand = {"closest": closest, "shortest": shortest, "average": average, "longest": longest}
    assert {rule: LENGTH_RULES[rule](c, lengths) for rule in by_hand} == by_hand


def test_geometric_mean_by_hand():
    assert geometric_mean([0.25, 1]) == pytest.approx(0.5)
    assert geometric_mean([0.5, 0, 1]) == 0
    assert geometric_mean([1, 1, 1, 1]) == 1


def test_weighted_geometric_mean_by_hand():
    assert geometric_mean([0.25, 1], [0.5, 0.5]) == pytest.approx(0.5)
    assert geometric_mean([0.25, 0.5], [0.75, 0.25]) == pytest.approx(2**-1.75)
    assert geometric_mean([0, 0.25], [0, 1]) == pytest.approx(0.25)
    assert geometric_mean([0, 0.25], [0.5, 0.5]) == 0


def test_weights_of_the_orders_that_count_are_scaled_up():
    assert geometric_mean([0.125, 1], [0.5, 0.25, 0.25]) == pytest.approx(0.25)
    assert geometric_mean([0.5], [0, 1]) == 0


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        ("none", exp(-0.2) * (1 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("add-1", exp(-0.2) * (1 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25),
        ("exp", exp(-0.2) * (1 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("coco", exp(-0.2) * (1 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
    ],
)
def test_bleu_by_hand(smoothing, expected):
    assert bleu(counted("the cat is on mat", "the cat is on the mat"), Formula(smoothing)) == pytest.approx(
        expected, rel=1e-9
    )


def test_a_zero_count_is_a_zero_score_unless_it_is_smoothed():
    zero = counted("a b c x d e", "a b c d e f")
    assert bleu(zero) == 0
    assert bleu(zero, Formula("add-1")) == pytest.approx((5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25)
    assert bleu(zero, Formula("exp")) == pytest.approx((5 / 6 * 3 / 5 * 1 / 4 * 1 / 6) ** 0.25)
    assert bleu(zero, Formula("coco")) == pytest.approx((5 / 6 * 3 / 5 * 1 / 4 * 1e-15 / 3) ** 0.25)


def test_an_empty_candidate_scores_0():
    for smoothing in SMOOTHINGS:
        formula = Formula(smoothing, max_order=4)
        assert bleu(counted("", "a b c d", max_order=5), formula) == 0
        assert bleu(counted("", "", max_order=5), formula) == pytest.approx(0, abs=1e-5)


def test_effective_order_leaves_out_the_orders_without_n_grams():
    short = counted("a b", "a b")
    assert bleu(short, Formula("exp")) == 0
    assert bleu(short, Formula("exp", effective_order=True)) == pytest.approx(1)
    assert bleu(counted("", "a"), Formula("exp", effective_order=True)) == 0


def test_corpus_bleu_sums_before_it_divides():
    sentences = [counted("a b c d e", "a b c d e"), counted("a x c y e", "a b c d e")]
    assert corpus_bleu(sentences) == pytest.approx((8 / 10 * 4 / 8 * 3 / 6 * 2 / 4) ** 0.25)
    assert mean_sentence_bleu(sentences) == pytest.approx((1 + 0) / 2)


def test_corpus_bleu_adds_average_lengths_without_rounding():
    sentences = [counted("a b c d e", "a b c d e f", "a b c d e", rule="average", max_order=1)] * 2
    assert corpus_bleu(sentences) == pytest.approx(exp(1 - 11 / 10))
    thirds = [counted("a", "a", "a", "a b", rule="average", max_order=1)] * 3
    assert sum((each.reference_length for each in thirds), Fraction(0)) == 4


def test_perfect_scores_are_exactly_1():
    text = "a red circle is above a blue square"
    assert bleu(counted(text, text)) == 1
    assert log(bleu(counted(text, text))) == 0
    # In per cent, as sacreBLEU counts, exp(log(100)) is more than 100 by its last bits.
    assert 1 < bleu(counted(text, text), Formula("exp")) == exp(log(100)) / 100 < 1 + 1e-15


def test_a_method_for_sentences_can_be_over_1_of_a_corpus():
    """Smoothing 5 by hand: nine captions of one word raise the count of the one bigram."""
    sentences = [counted("a", "a", max_order=3)] * 9 + [counted("a b", "a b", max_order=3)]
    unigrams, bigrams = (12 + 11 + 1) / 3 / 11, (8 + 1 + 0) / 3 / 1
    assert corpus_bleu(sentences, Formula("chen-cherry-5", max_order=2)) == pytest.approx((unigrams * bigrams) ** 0.5)


def test_the_weighted_mean_counts_a_sentence_as_often_as_its_reference_is_long():
    sentences = [counted("a b c", "a b c", max_order=1), counted("a x", "a b", max_order=1)]
    assert weighted_mean_sentence_bleu(sentences) == pytest.approx((3 * 1 + 2 * 0.5) / 5)
    assert weighted_mean_sentence_bleu([counted("", "", max_order=1)]) == 0

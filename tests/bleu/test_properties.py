"""What holds for all captions by the definition."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tokens

from manybleus.bleu.definition import (
    LENGTH_RULES,
    Formula,
    bleu,
    clipped_matches,
    corpus_bleu,
    sentence_statistics,
)
from manybleus.bleu.smoothing import SMOOTHINGS


def plain_matches(candidate, references, n):
    """Matches without a clip: the candidate's n-grams that stand in any reference."""
    known = {tuple(each[i : i + n]) for each in references for i in range(len(each) - n + 1)}
    return sum(tuple(candidate[i : i + n]) in known for i in range(len(candidate) - n + 1))


@given(tokens, st.lists(tokens, min_size=1, max_size=4), st.integers(1, 5))
def test_clipped_matches_stay_below_the_n_grams_and_the_plain_matches(candidate, references, n):
    counted = sentence_statistics(candidate, references, "closest", n)
    assert 0 <= counted.matches[-1] <= plain_matches(candidate, references, n) <= counted.totals[-1]


@given(tokens, st.lists(tokens, min_size=1, max_size=5), st.integers(1, 4))
def test_more_references_never_lower_the_matches(candidate, references, n):
    matches = [clipped_matches(candidate, references[:k], n) for k in range(1, len(references) + 1)]
    assert matches == sorted(matches)


@given(tokens, st.lists(tokens, min_size=1, max_size=5))
def test_unigram_matches_are_clipped_at_the_largest_count_in_any_one_reference(candidate, references):
    expected = sum(min(n, max(each.count(word) for each in references)) for word, n in Counter(candidate).items())
    assert clipped_matches(candidate, references, 1) == expected


@given(st.integers(0, 20), st.lists(st.integers(0, 20), min_size=1, max_size=6))
def test_length_rules_choose_as_their_names_say(c, lengths):
    found = {rule: choose(c, lengths) for rule, choose in LENGTH_RULES.items()}
    assert found["shortest"] == min(lengths)
    assert found["average"] * len(lengths) == sum(lengths)
    near = [length for length in lengths if abs(length - c) == min(abs(each - c) for each in lengths)]
    assert found["closest"] == min(near)
    assert found["longest"] == max(lengths)


@given(st.lists(st.sampled_from("abc"), min_size=4, max_size=9), st.lists(tokens, max_size=3))
def test_a_candidate_that_is_a_reference_scores_1(candidate, others):
    counted = sentence_statistics(candidate, [*others, candidate], "closest", 5)
    for smoothing in SMOOTHINGS:
        assert bleu(counted, Formula(smoothing, max_order=4)) == pytest.approx(1, abs=1e-8)
    assert bleu(counted, Formula(max_order=4)) == 1


@given(st.lists(st.tuples(tokens, tokens), min_size=1, max_size=4))
def test_corpus_bleu_of_one_sentence_many_times_is_that_sentence_s(pairs):
    for candidate, reference in pairs:
        counted = sentence_statistics(candidate, [reference], "closest", 4)
        for smoothing in ("none", "exp"):
            assert corpus_bleu([counted], Formula(smoothing)) == bleu(counted, Formula(smoothing))
            assert corpus_bleu([counted] * 3) == pytest.approx(bleu(counted), rel=1e-12)

"""Which n-grams match, are clipped or are in no reference, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybleus.bleu.definition import clipped_matches
from manybleus.bleu.matching import matching

M, C, U = "matched", "clipped", "unmatched"


def test_papinenis_example_of_clipping():
    """Section 2.1: of seven times "the", the first reference has two."""
    references = [[*["the", "cat", "is", "on", "the", "mat"]], [*["there", "is", "a", "cat", "on", "the", "mat"]]]
    assert matching(["the"] * 7, references, 1) == [M, M, C, C, C, C, C]
    assert matching(["the"] * 7, references, 2) == [U] * 6


@pytest.mark.parametrize(
    ("order", "found"),
    [(1, [M, M, M, C, U]), (2, [M, M, U, U]), (3, [M, U, U]), (4, [U, U]), (5, [U]), (6, [])],
)
def test_a_sentence_by_hand(order, found):
    """Both references have "a" once: the second "a" is clipped, and "c a" and "a x" are in neither."""
    assert matching(list("abcax"), [list("abcd"), list("ba")], order) == found


def test_without_references_or_tokens_nothing_matches():
    assert matching(["a"], [[]], 1) == [U]
    assert matching([], [["a"]], 1) == []


TOKENS = st.lists(st.sampled_from("abc"), max_size=9)


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3), st.integers(1, 4))
def test_as_many_match_as_the_definition_counts(candidate, references, order):
    found = matching(candidate, references, order)
    assert found.count(M) == clipped_matches(candidate, references, order)
    assert len(found) == max(len(candidate) - order + 1, 0)

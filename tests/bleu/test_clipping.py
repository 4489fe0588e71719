"""Matches of many captions at once, against counts by hand and the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manybleus.bleu import clipping, definition
from manybleus.bleu.clipping import clipped_matches


def count(images, counts, max_order=2):
    """Matches of images, each of them the token ids of its references and then of its candidates."""
    tokens = np.array([token for segments in images for one in segments for token in one], dtype=np.int64)
    lengths = np.array([[len(one) for one in segments] for segments in images], dtype=np.int64)
    return clipped_matches(tokens, lengths, counts, max_order)


def by_definition(images, counts, max_order):
    """The same, image by image and caption by caption."""
    named = [[list(map(str, one)) for one in segments] for segments in images]
    systems = range(counts[-1], len(images[0]))
    return [
        [
            [[definition.clipped_matches(one[s], one[:k], n) for n in range(1, max_order + 1)] for one in named]
            for k in counts
        ]
        for s in systems
    ]


def test_counts_by_hand():
    """The candidate 1 1 2 1: a reference holds 1 twice, the next one 2 and 1 2, the last one 1 three times."""
    image = [[1, 1], [1, 2], [1, 1, 1], [1, 1, 2, 1]]
    assert count([image], (1, 2, 3))[0, :, 0].tolist() == [[2, 1], [3, 2], [4, 2]]


def test_references_are_not_read_on_into_the_next():
    assert count([[[1], [2], [1, 2]]], (1, 2)).tolist() == [[[[1, 0]], [[2, 0]]]]


def test_no_token_at_all():
    assert count([[[], []], [[], []]], (1,)).tolist() == [[[[0, 0], [0, 0]]]]


@st.composite
def images(draw):
    """Images whose references take few words of 64 bits, many, or more than are counted at once."""
    references, systems = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    token = st.integers(0, draw(st.sampled_from([0, 1, 9])))
    longest = draw(st.sampled_from([1, 9, 40, 130]))
    segments = st.lists(st.lists(token, max_size=longest), min_size=references + systems, max_size=references + systems)
    found = draw(st.lists(segments, min_size=1, max_size=3))
    return found, tuple(sorted({*draw(st.lists(st.integers(1, references), max_size=2)), references}))


@pytest.mark.parametrize("words", [clipping._WORDS, ()], ids=["masks", "image by image"])
@settings(max_examples=200)
@given(images(), st.integers(1, 6))
def test_all_counts_are_those_of_the_definition(words, drawn, max_order):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clipping, "_WORDS", words)
        assert count(*drawn, max_order).tolist() == by_definition(*drawn, max_order)


@pytest.mark.parametrize("length", [255, 256, 257, 511, 512, 1000])
def test_a_word_that_stands_often_in_one_reference(length):
    """All of a candidate that is its reference match, and both words of a candidate of two."""
    assert count([[[1] * length, [1] * length, [1] * 2]], (1,))[:, 0, 0].tolist() == [[length, length - 1], [2, 1]]


@pytest.mark.parametrize("length", [62, 63, 64, 127, 128, 255, 256, 511, 512, 2000])
def test_references_at_the_edges_of_words(length):
    """References of one repeated token, with the others at their ends, beside an image of short ones."""
    long = [[1] * length, [2, *[1] * (length // 2), 3], [1] * (length + 5), [2, 1, 1, 3]]
    short = [[1, 2], [3], [1, 2, 3], [3, 3]]
    drawn = [long, short], (1, 2)
    assert count(*drawn, 4).tolist() == by_definition(*drawn, 4)


def test_orders_beyond_a_word_of_bits():
    caption = [*range(70)]
    assert count([[caption, caption]], (1,), 70)[0, 0, 0].tolist() == [*range(70, 0, -1)]


def test_groups_are_counted_apart(monkeypatch):
    drawn = [[[1, 2, 1], [1, 2]], [[1] * 70, [1] * 3], [[2, 2], [2]]], (1,)
    whole = count(*drawn).tolist()
    monkeypatch.setattr(clipping, "_WORDS", (1,))
    assert count(*drawn).tolist() == whole == by_definition(*drawn, 2)

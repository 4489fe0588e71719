"""Lengths and brevity penalties of systems and images, against calculations by hand."""

from math import exp

import numpy as np
import pytest

from manybleus.bleu.lengths import Lengths, LengthsOfSchemes
from manybleus.bleu.smoothing import brevity_penalty
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions

CANDIDATES = np.array([[3, 5, 3], [0, 6, 2]])
REFERENCES = np.array([[2, 4], [7, -1], [2, 4]])


def lengths(rule, references=REFERENCES):
    return Lengths(CANDIDATES, references, rule, lambda penalty: penalty)


@pytest.mark.parametrize(
    ("rule", "of_images"),
    [
        ("closest", [[2, 7, 2], [2, 7, 2]]),
        ("shortest", [[2, 7, 2], [2, 7, 2]]),
        ("average", [[3, 7, 3], [3, 7, 3]]),
        ("longest", [[4, 7, 4], [4, 7, 4]]),
    ],
)
def test_each_image_has_its_row_and_each_system_its_sums(rule, of_images):
    found = lengths(rule)
    assert (found.c, found.r) == ([11, 8], [sum(of_system) for of_system in of_images])
    assert found.r_of_rows[found.places].tolist() == of_images


def test_images_with_like_lengths_share_a_row():
    assert len(lengths("average").r_of_rows) == 5


def test_sums_of_averages_are_rounded_once():
    found = lengths("average", np.array([[1, 0, 0], [1, 1, -1], [0, 1, 0]]))
    # 1/3 + 1 + 1/3; added as floats, the last bit would depend on the order.
    assert found.r == [5 / 3, 5 / 3]


def test_penalties_of_rows_and_of_sums():
    found = lengths("longest")
    of_images = [[exp(1 - 4 / 3), exp(1 - 7 / 5), exp(1 - 4 / 3)], [0, exp(1 - 7 / 6), exp(1 - 4 / 2)]]
    assert found.penalties(brevity_penalty)[found.places].tolist() == of_images
    assert found.corpus_penalties(brevity_penalty) == [exp(1 - 15 / 11), exp(1 - 15 / 8)]


def test_schemes_with_as_many_tokens_share_their_lengths():
    captions = Captions((0,), (("A dog.",),), {"X": ("a dog",)})
    schemes = [("lower", "split"), ("cased", "split"), ("lower", "removed")]
    shared = LengthsOfSchemes(caption_statistics(captions, schemes, [1], 1))
    lower, cased, removed = (shared.under(scheme, 0, "closest") for scheme in schemes)
    assert lower is cased
    assert (lower.r, removed.r) == ([3], [2])
    assert shared.under(schemes[0], 0, "shortest") is not lower

"""The array path's counts, against counts by hand."""

import numpy as np
import pytest

from manybleus.bleu.statistics import CaptionStatistics, caption_statistics, effective_reference_lengths
from manybleus.captions import Captions

SCHEME = ("lower", "split")
CAPTIONS = Captions(
    (0, 1),
    (("the cat is on the mat", "there is a cat on the mat"), ("A dog.",)),
    {"X": ("the the the the the the the", "a dog"), "Y": ("the cat the cat on the mat", "")},
)


def count(captions=CAPTIONS, schemes=(SCHEME,), references=(1, "all"), max_order=4):
    return caption_statistics(captions, schemes, references, max_order)


def test_matches_by_hand():
    matches = count().schemes[SCHEME].matches
    assert matches.shape == (2, 2, 2, 4)
    assert matches[0, 0].tolist() == [[2, 0, 0, 0], [2, 1, 0, 0]]
    assert matches[0, 1].tolist() == [[2, 0, 0, 0], [2, 1, 0, 0]]
    assert matches[1, 0].tolist() == [[5, 3, 1, 0], [0, 0, 0, 0]]
    assert matches[1, 1].tolist() == [[5, 4, 2, 1], [0, 0, 0, 0]]


def test_lengths_by_hand_and_a_missing_reference_is_not_an_empty_one():
    counted = count().schemes[SCHEME]
    assert counted.candidate_lengths.tolist() == [[7, 2], [7, 0]]
    assert counted.reference_lengths.tolist() == [[6, 7], [3, -1]]
    assert counted.totals(4).tolist() == [[[7, 6, 5, 4], [2, 1, 0, 0]], [[7, 6, 5, 4], [0, 0, 0, 0]]]


def test_matches_are_never_found_across_captions_or_images():
    captions = Captions((0, 1), (("a b", "c d"), ("e f",)), {"X": ("b c", "d e")})
    matches = count(captions).schemes[SCHEME].matches
    assert matches[0, 1].tolist() == [[2, 0, 0, 0], [1, 0, 0, 0]]


def test_places_of_reference_counts():
    counted = count(references=(1,))
    assert counted.reference_counts == (1, 2)
    assert [counted.place_of(each) for each in (1, 2, "all")] == [0, 1, 1]


def test_every_scheme_is_counted_by_its_own_tokens():
    counted = count(schemes=[("lower", "split"), ("cased", "split"), ("lower", "kept"), ("lower", "removed")])
    dogs = {scheme: each.matches[0, 1, 1].tolist() for scheme, each in counted.schemes.items()}
    assert dogs == {
        ("lower", "split"): [2, 1, 0, 0],
        ("cased", "split"): [1, 0, 0, 0],
        ("lower", "kept"): [1, 0, 0, 0],
        ("lower", "removed"): [2, 1, 0, 0],
    }


def test_captions_without_any_token():
    captions = Captions((0,), (("", " "),), {"X": ("",)})
    counted = count(captions).schemes[SCHEME]
    assert counted.matches.sum() == 0
    assert counted.reference_lengths.tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("rule", "numerators", "denominators"),
    [
        ("closest", [[4, 9], [6, 9]], [1, 1]),
        ("shortest", [[4, 9], [4, 9]], [1, 1]),
        ("average", [[17, 9], [17, 9]], [3, 1]),
        ("longest", [[7, 9], [7, 9]], [1, 1]),
    ],
)
def test_length_rules_by_hand(rule, numerators, denominators):
    lengths = np.array([[7, 6, 4], [9, -1, -1]])
    found = effective_reference_lengths(np.array([[5, 1], [6, 30]]), lengths, rule)
    assert [each.tolist() for each in found] == [numerators, denominators]


def test_written_files_are_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        count().save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert CaptionStatistics.load(tmp_path / "a.npz").digest == CAPTIONS.digest

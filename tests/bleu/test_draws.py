"""Draws of images: what is drawn, from which stream, within which strata."""

import numpy as np
import pytest

from manybleus.bleu.draws import block_counts, bootstrap_draws, plain_counts, swap_draws


def unpacked(swaps):
    return swaps.block(slice(0, swaps.shape[0]), slice(0, swaps.images)).astype(bool)


@pytest.mark.parametrize(("images", "draws"), [(1, 3), (7, 40), (200, 1000)])
def test_the_bootstrap_draws_as_numpys_choice_does(images, draws):
    """sacreBLEU 2.6.0 draws all of its resamples by this one call."""
    places = np.random.default_rng(12345).choice(images, size=(draws, images), replace=True)
    expected = [np.bincount(row, minlength=images).tolist() for row in places]
    assert bootstrap_draws(images, draws, 12345).counts.tolist() == expected


@pytest.mark.parametrize(("images", "draws"), [(1, 3), (7, 40), (13, 2100), (200, 1025)])
def test_swaps_are_those_of_one_call_of_numpys_integers(images, draws):
    """They are drawn in shards; sacreBLEU 2.6.0 draws them at once."""
    expected = np.random.default_rng(12345).integers(2, size=(draws, images), dtype=bool)
    assert (unpacked(swap_draws(images, draws, 12345)) == expected).all()


def test_another_seed_gives_other_draws():
    assert (bootstrap_draws(50, 10, 1).counts != bootstrap_draws(50, 10, 2).counts).any()
    assert (unpacked(swap_draws(50, 10, 1)) != unpacked(swap_draws(50, 10, 2))).any()


def test_each_stratum_keeps_its_size():
    strata = ["a", "b", "a", "c", "b", "a", "c"]
    counts = bootstrap_draws(7, 500, 0, strata).counts
    sizes = {label: counts[:, [one == label for one in strata]].sum(axis=1) for label in "abc"}
    assert [set(sizes[label].tolist()) for label in "abc"] == [{3}, {2}, {2}]
    assert counts.max(axis=0).tolist() == [3, 2, 3, 2, 2, 3, 2]


def test_a_part_of_the_swaps_is_that_part():
    swaps = swap_draws(37, 50, 0)
    assert (swaps.block(slice(10, 30), slice(16, 37)) == unpacked(swaps)[10:30, 16:37]).all()
    assert (swaps.block(slice(10, 30), slice(8, 64)) == unpacked(swaps)[10:30, 8:]).all()


def test_blocks_part_the_images_in_order():
    assert block_counts(7, 3).counts.tolist() == [[1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 1]]
    assert plain_counts(3).counts.tolist() == [[1, 1, 1]]

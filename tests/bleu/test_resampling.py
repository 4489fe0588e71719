"""Resampled scores are the definition's scores of the captions that were drawn."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import QUICK_TOKENIZERS, captions, configurations

from manybleus.bleu import resampling
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.draws import Counts, bootstrap_draws, swap_draws
from manybleus.bleu.resampling import penalty, resampled_scores, swapped_differences
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.smoothing import brevity_penalty, coco_brevity_penalty, no_brevity_penalty
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions

BASE = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)
CELLS = [
    replace(BASE, aggregation=aggregation, smoothing=smoothing, reference_length=rule, references=references)
    for aggregation, smoothing, rule, references in product(
        ("corpus", "mean-sentence", "weighted-mean-sentence"),
        ("none", "exp", "coco"),
        ("closest", "average"),
        (1, "all"),
    )
]


def counted(given_captions, cells):
    return caption_statistics(given_captions, schemes(cells), [cell.references for cell in cells], orders(cells))


def scores_of(given_captions, cells):
    """The scores of the fast path, which is equal to the definition, ``(cells, systems)``."""
    found = score(counted(given_captions, cells), cells)
    return np.array([one.score for one in found]).reshape(len(cells), -1)


def taken(given_captions, places):
    """The captions of some images, which may stand there several times."""
    return Captions(
        tuple(range(len(places))),
        tuple(given_captions.references[place] for place in places),
        {name: tuple(texts[place] for place in places) for name, texts in given_captions.systems.items()},
    )


def exchanged(given_captions, first, second, swapped):
    """The captions of two systems, exchanged where it is said."""
    both = zip(given_captions.systems[first], given_captions.systems[second], swapped, strict=True)
    rows = [(b, a) if swap else (a, b) for a, b, swap in both]
    return replace(given_captions, systems={"1": tuple(a for a, _ in rows), "2": tuple(b for _, b in rows)})


def places_of(row):
    return [place for place, times in enumerate(row) for _ in range(times)]


any_cells = st.lists(
    configurations([("lower", "split"), ("cased", QUICK_TOKENIZERS[0])], counts=("all", 1)), max_size=4
)


@given(captions(), any_cells, st.data())
def test_a_resample_scores_as_its_captions_do(given_captions, cells, data):
    """Any captions and configurations: each image taken 0 to 3 times, but some image at least once."""
    images = len(given_captions.references)
    times = st.lists(st.integers(0, 3), min_size=images, max_size=images).filter(any)
    rows = data.draw(st.lists(times, min_size=1, max_size=3))
    cells = list(dict.fromkeys([BASE, *cells]))
    found = resampled_scores(counted(given_captions, cells), cells, Counts(np.array(rows)))
    for draw, row in enumerate(rows):
        # A row may take fewer or more images than there are; a mean is one over all of them.
        scale = [sum(row) / images if cell.aggregation == "mean-sentence" else 1 for cell in cells]
        expected = scores_of(taken(given_captions, places_of(row)), cells) * np.array(scale)[:, None]
        assert np.allclose(found[..., draw], expected, rtol=1e-12, atol=1e-12)


@given(captions(), any_cells, st.data())
def test_swapped_captions_score_as_they_stand(given_captions, cells, data):
    names = list(given_captions.systems)
    pairs = list(combinations(range(len(names)), 2))
    if not pairs:
        return
    cells = list(dict.fromkeys([BASE, *cells]))
    swaps = swap_draws(len(given_captions.references), 3, data.draw(st.integers(0, 99)))
    found = np.full((len(cells), len(pairs), 3), np.nan)
    for number, draws, differences in swapped_differences(counted(given_captions, cells), cells, swaps, pairs):
        found[number, :, draws] = differences
    masks = swaps.block(slice(0, 3), slice(0, len(given_captions.references)))
    for (number, (first, second)), draw in product(enumerate(pairs), range(3)):
        exchange = exchanged(given_captions, names[first], names[second], masks[draw])
        one, other = scores_of(exchange, cells).T
        assert np.allclose(found[:, number, draw], one - other, rtol=0, atol=1e-12)


@pytest.fixture(scope="module")
def many():
    """Forty images with one to three references."""
    rng = np.random.default_rng(1)

    def text():
        return " ".join(rng.choice(["a", "red", "blue", "dog", "cat", "sits", "on", "the"], rng.integers(1, 9)))

    references = tuple(tuple(text() for _ in range(1 + image % 3)) for image in range(40))
    return Captions(tuple(range(40)), references, {name: tuple(text() for _ in range(40)) for name in "ABC"})


def test_shards_of_images_and_draws_change_no_bit(many, monkeypatch):
    """All sums are exact: in whatever order they are added, they are the same."""
    statistics, counts, swaps = counted(many, CELLS), bootstrap_draws(40, 70, 0), swap_draws(40, 70, 0)
    pairs = [(0, 1), (0, 2), (1, 2)]

    def swapped():
        found = np.empty((len(CELLS), 3, 70))
        for number, draws, differences in swapped_differences(statistics, CELLS, swaps, pairs):
            found[number, :, draws] = differences
        return found

    whole, exchanged_whole = resampled_scores(statistics, CELLS, counts), swapped()
    monkeypatch.setattr(resampling, "_IMAGES_PER_BLOCK", 16)
    monkeypatch.setattr(resampling, "_DRAWS_PER_SHARD", 9)
    monkeypatch.setattr(resampling, "_VALUES_PER_CHUNK", 30)
    assert (resampled_scores(statistics, CELLS, counts) == whole).all()
    assert (swapped() == exchanged_whole).all()


def test_the_order_of_the_images_changes_no_bit_if_the_draws_go_with_them(many):
    """What depends on the order is which images a draw takes, not what they score."""
    order = np.random.default_rng(2).permutation(40)
    counts = bootstrap_draws(40, 70, 0)
    one = resampled_scores(counted(many, CELLS), CELLS, counts)
    other = resampled_scores(counted(taken(many, order.tolist()), CELLS), CELLS, Counts(counts.counts[:, order]))
    assert (one == other).all()


def test_a_system_and_its_copy_never_differ(many):
    copied = replace(many, systems=dict(many.systems, D=many.systems["A"]))
    statistics = counted(copied, CELLS)
    found = resampled_scores(statistics, CELLS, bootstrap_draws(40, 70, 0))
    assert (found[:, 0] == found[:, 3]).all()
    for _, _, differences in swapped_differences(statistics, CELLS, swap_draws(40, 70, 0), [(0, 3)]):
        assert (differences == 0).all()


@pytest.mark.parametrize("rule", [brevity_penalty, no_brevity_penalty, coco_brevity_penalty])
def test_the_array_form_of_a_penalty_is_its_scalar_form(rule):
    c, r = (grid.ravel().astype(float) for grid in np.meshgrid([0, 1, 2, 3, 10, 11], [0, 1, 1.5, 3, 10, 20]))
    expected = [rule(int(one), float(other)) for one, other in zip(c, r, strict=True)]
    assert np.allclose(penalty(rule, c, r), expected, rtol=1e-14, atol=0)


def test_a_penalty_without_an_array_form_is_applied_number_by_number():
    found = penalty(lambda c, r: c / (c + r), np.array([[1.0, 2.0]]), np.array([[3.0, 2.0]]))
    assert found.tolist() == [[0.25, 0.5]]

"""The array path gives the definition's scores, bit by bit, for all captions."""

import random
from dataclasses import replace
from functools import cache
from itertools import product
from math import fsum

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import ODD, SCHEMES, WORDS, captions, configurations

from manybleus.bleu import statistics as counting
from manybleus.bleu.configuration import AXES, Configuration, options
from manybleus.bleu.definition import AGGREGATIONS, LENGTH_RULES, sentence_statistics
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.smoothing import smoothing_names
from manybleus.bleu.statistics import CaptionStatistics, caption_statistics
from manybleus.bleu.tokens import tokenize_all
from manybleus.captions import Captions

BASE = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)


def counted_by_definition(given_captions, max_order):
    """A function that returns the definition's statistics of a system's sentences, each counted once."""
    told = [text for texts in given_captions.references for text in texts]
    said = [text for texts in given_captions.systems.values() for text in texts]

    @cache
    def tokens(case, tokenizer):
        texts = list(dict.fromkeys([*told, *said]))
        return dict(zip(texts, tokenize_all(texts, case, tokenizer), strict=True))

    @cache
    def sentences(case, tokenizer, system, references, rule):
        found, k = tokens(case, tokenizer), None if references == "all" else references
        return [
            sentence_statistics(found[text], [found[each] for each in texts[:k]], rule, max_order)
            for text, texts in zip(given_captions.systems[system], given_captions.references, strict=True)
        ]

    return lambda cell, system: sentences(cell.case, cell.tokenizer, system, cell.references, cell.reference_length)


def scores_by_definition(given_captions, cells):
    """Score, c and r of every system under every configuration."""
    counted = counted_by_definition(given_captions, orders(cells))
    found = []
    for cell, system in product(cells, given_captions.systems):
        sentences = counted(cell, system)
        c = sum(each.candidate_length for each in sentences)
        r = float(sum(each.reference_length for each in sentences))
        found.append((AGGREGATIONS[cell.aggregation](sentences, cell.formula), c, r))
    return found


def scores_by_arrays(given_captions, cells):
    counted = caption_statistics(given_captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    return [(each.score, each.candidate_length, each.reference_length) for each in score(counted, cells)]


def every_choice_of(*axes, **fixed):
    """All combinations of the choices of some axes, the others as in the base."""
    numbers = {"effective_order": (False, True), "brevity_penalty": (False, True)}
    choices = [numbers.get(axis) or options(axis) for axis in axes]
    return [replace(BASE, **dict(zip(axes, each, strict=True)), **fixed) for each in product(*choices)]


def grand_captions(images, systems, references, length):
    """Many references and long captions, with repeated words, empty captions and odd characters."""
    rng = random.Random(images)

    def caption():
        words = rng.choices(WORDS[:8], k=rng.randint(0, length))
        return " ".join(rng.choice(ODD) if rng.random() < 0.2 else word for word in words)

    told = [tuple(caption() for _ in range(rng.randint(1, references))) for _ in range(images - 1)]
    told = (tuple(caption() for _ in range(references)), *told)
    said = {f"system {i}": tuple(caption() for _ in range(images)) for i in range(systems)}
    return Captions(tuple(range(images)), tuple(told), said)


@settings(max_examples=120)
@given(st.data())
def test_scores_are_the_definition_s_for_all_captions_and_configurations(data):
    given_captions = data.draw(captions())
    counts = [*range(1, max(map(len, given_captions.references)) + 1), "all"]
    cells = data.draw(st.lists(configurations(counts=counts), min_size=1, max_size=12))
    assert scores_by_arrays(given_captions, cells) == scores_by_definition(given_captions, cells)


@pytest.mark.parametrize("tokenizer", list(dict.fromkeys(tokenizer for _, tokenizer in SCHEMES)))
@settings(max_examples=40)
@given(given_captions=captions())
@example(given_captions=Captions((0,), (("a :0 b .5 c 5. 5",),), {"X": ("a : 0 b . 5 c 5 . 5",)}))
def test_scores_are_the_definition_s_for_every_tokenizer(tokenizer, given_captions):
    cells = every_choice_of("case", tokenizer=tokenizer, max_order=2)
    assert scores_by_arrays(given_captions, cells) == scores_by_definition(given_captions, cells)


SIZES = {
    "one caption of 300 tokens": (1, 1, 1, 300, [1, "all"]),
    "captions of 300 tokens": (2, 1, 3, 300, [2, 3]),
    "up to 20 references": (4, 2, 20, 12, [1, 7, 20]),
    "24 systems": (3, 24, 3, 9, [1, 3]),
    "an image": (1, 2, 5, 20, [1, 4, "all"]),
}


@pytest.mark.parametrize("name", SIZES)
def test_scores_are_the_definition_s_for_many_and_long_captions(name):
    *sizes, counts = SIZES[name]
    given_captions = grand_captions(*sizes)
    cells = [
        replace(cell, references=count)
        for cell in every_choice_of("reference_length", "smoothing", "aggregation")
        for count in counts
    ]
    assert scores_by_arrays(given_captions, cells) == scores_by_definition(given_captions, cells)


def test_scores_are_the_definition_s_with_every_choice_of_the_formula():
    given_captions = grand_captions(9, 3, 4, 8)
    cells = [
        replace(cell, max_order=len(weights), weights=weights)
        for cell in every_choice_of("smoothing", "aggregation", "effective_order", "brevity_penalty")
        for weights in ((1,), (0.5, 0.5), (0.0, 0.25, 0.75), (0.4, 0.3, 0.2, 0.1), (0, 0, 0, 1))
    ]
    cells += every_choice_of("smoothing", "aggregation", "effective_order", "brevity_penalty", max_order=5)
    assert scores_by_arrays(given_captions, cells) == scores_by_definition(given_captions, cells)


def test_scores_are_the_definition_s_for_coco_caption_s_tokens():
    texts = ["A dog's (red) bowl.", "a dog\u2028bowl!", "", "It's 5.5 - a well-known bowl ...", "\U0001f600 \u200b"]
    given_captions = Captions((0, 1), (tuple(texts[:3]), tuple(texts[3:])), {"X": (texts[1], texts[3])})
    cells = every_choice_of("case", "aggregation", tokenizer="coco", max_order=2)
    assert scores_by_arrays(given_captions, cells) == scores_by_definition(given_captions, cells)


def test_penalties_and_precisions_are_the_definition_s():
    """Of a corpus those of its sums, of a mean over sentences their means."""
    given_captions = grand_captions(6, 2, 3, 9)
    cells = every_choice_of("smoothing", "aggregation", "brevity_penalty")
    counted = counted_by_definition(given_captions, orders(cells))
    found = score(caption_statistics(given_captions, schemes(cells), ["all"], orders(cells)), cells)
    for each in found:
        formula = each.configuration.formula
        sentences = counted(each.configuration, each.system)
        if each.configuration.aggregation == "corpus":
            sentences = [sum(sentences[1:], start=sentences[0])]
        penalties = [formula.penalty_rule(s.candidate_length, float(s.reference_length)) for s in sentences]
        precisions = [formula.precisions(s.matches, s.totals) for s in sentences]
        assert each.brevity_penalty == fsum(penalties) / len(penalties)
        means = [fsum(column) / len(sentences) / formula.rule.scale for column in zip(*precisions, strict=True)]
        assert each.precisions == pytest.approx(means, rel=1e-14)


# ---------------------------------------------------------------------------------------------- what changes no score


@pytest.mark.parametrize("chunks_per_shard", [1, 50])
def test_shards_change_nothing(monkeypatch, chunks_per_shard):
    given_captions = grand_captions(12, 3, 5, 9)
    whole = caption_statistics(given_captions, SCHEMES, [1, 3], 4)
    monkeypatch.setattr(counting, "_CHUNKS_PER_SHARD", chunks_per_shard)
    parts = caption_statistics(given_captions, SCHEMES, [1, 3], 4)
    for scheme in SCHEMES:
        for name in ("matches", "candidate_lengths", "reference_lengths"):
            assert np.array_equal(getattr(whole.schemes[scheme], name), getattr(parts.schemes[scheme], name))


def test_statistics_are_read_as_they_were_written(tmp_path):
    given_captions = grand_captions(5, 2, 3, 9)
    cells = every_choice_of("case", "tokenizer", "aggregation")
    cells = [cell for cell in cells if cell.tokenizer != "coco"]
    counted = caption_statistics(given_captions, schemes(cells), [1], orders(cells))
    counted.save(tmp_path / "statistics.npz")
    read = CaptionStatistics.load(tmp_path / "statistics.npz")
    assert (read.systems, read.reference_counts, read.digest) == (
        counted.systems,
        counted.reference_counts,
        counted.digest,
    )
    assert score(read, cells) == score(counted, cells)


@settings(max_examples=25)
@given(captions(), st.randoms(use_true_random=False))
def test_the_order_of_the_images_changes_no_score(given_captions, rng):
    order = list(range(len(given_captions.references)))
    rng.shuffle(order)
    shuffled = replace(
        given_captions,
        references=tuple(given_captions.references[i] for i in order),
        systems={name: tuple(said[i] for i in order) for name, said in given_captions.systems.items()},
    )
    cells = every_choice_of("reference_length", "smoothing", "aggregation")
    before, after = (
        caption_statistics(each, schemes(cells), [1], orders(cells)) for each in (given_captions, shuffled)
    )
    assert score(after, cells) == score(before, cells)
    counts = [each.schemes["lower", "split"].matches.sum(axis=2) for each in (before, after)]
    assert np.array_equal(*counts)


@settings(max_examples=25)
@given(captions())
def test_scores_and_penalties_and_precisions_lie_between_0_and_1(given_captions):
    cells = every_choice_of("reference_length", "smoothing", "aggregation", "effective_order", "brevity_penalty")
    # These are made for sentences: of a corpus, or where precisions rise, they can be more than 1.
    over_1 = [f"chen-cherry-{method}" for method in (4, 5, 6, 7)]
    cells = [cell for cell in cells if cell.smoothing not in over_1]
    for each in score(caption_statistics(given_captions, schemes(cells), [1], orders(cells)), cells):
        # exp counts in per cent: a perfect score is 1 but for the last bits.
        assert all(0 <= value <= 1 + 1e-12 for value in (each.score, each.brevity_penalty, *each.precisions))


def test_every_choice_is_among_those_that_are_compared():
    assert set(AXES) == set(BASE.__slots__)
    assert {cell.smoothing for cell in every_choice_of("smoothing")} == set(smoothing_names())
    assert {cell.reference_length for cell in every_choice_of("reference_length")} == set(LENGTH_RULES)
    assert {cell.aggregation for cell in every_choice_of("aggregation")} == set(AGGREGATIONS)

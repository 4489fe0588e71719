"""What holds for all captions: of the definition, and of the array path, which is the definition bit by bit."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import ODD, WORDS, captions, texts, tokens

from manybleus.bleu import statistics as counting
from manybleus.bleu.configuration import AXES, configurations, options
from manybleus.bleu.definition import (
    AGGREGATIONS,
    LENGTH_RULES,
    Formula,
    bleu,
    clipped_matches,
    corpus_bleu,
    sentence_statistics,
)
from manybleus.bleu.scores import orders, score
from manybleus.bleu.smoothing import SMOOTHINGS, smoothing_rule
from manybleus.bleu.statistics import CaptionStatistics, caption_statistics
from manybleus.bleu.tokens import CASES, TOKENIZERS, tokenize
from manybleus.captions import Captions

# Each call of coco starts Java: it has tests of its own.
SCHEMES = [(case, tokenizer) for case in CASES for tokenizer in TOKENIZERS if tokenizer != "coco"]


def scores_by_definition(given_captions, cells):
    """Every cell of every system by the scalar definition."""
    found = []
    for cell in cells:
        rules = cell.case, cell.tokenizer
        k = None if cell.references == "all" else cell.references
        for said in given_captions.systems.values():
            sentences = [
                sentence_statistics(
                    tokenize(text, *rules),
                    [tokenize(t, *rules) for t in told[:k]],
                    cell.reference_length,
                    cell.max_order + smoothing_rule(cell.smoothing).further_orders,
                )
                for text, told in zip(said, given_captions.references, strict=True)
            ]
            c = sum(each.candidate_length for each in sentences)
            r = float(sum(each.reference_length for each in sentences))
            found.append((AGGREGATIONS[cell.aggregation](sentences, cell.formula), c, r))
    return found


def scores_by_arrays(given_captions, cells, schemes):
    counted = caption_statistics(given_captions, schemes, [cell.references for cell in cells], orders(cells))
    return [(each.score, each.candidate_length, each.reference_length) for each in score(counted, cells)]


def cells_of(counts, max_orders, schemes):
    """Every choice of every registry under some schemes."""
    axes = {axis: options(axis) for axis in AXES if options(axis)} | {"references": counts, "max_order": max_orders}
    return [cell for cell in configurations(axes) if (cell.case, cell.tokenizer) in schemes]


# ----------------------------------------------------------------------------------------------- array path, definition


@settings(max_examples=40)
@given(captions(), st.sampled_from(SCHEMES), st.integers(1, 5))
def test_array_path_is_the_definition_in_every_cell(given_captions, scheme, order):
    most = max(map(len, given_captions.references))
    cells = cells_of(sorted({1, min(2, most), "all"}, key=str), [order], [scheme])
    assert scores_by_arrays(given_captions, cells, [scheme]) == scores_by_definition(given_captions, cells)


def grand_captions(images, systems, references, length, seed):
    """Many references and long captions, with repeated words, empty captions and odd characters."""
    rng = random.Random(seed)

    def caption(longest):
        return " ".join(rng.choice(WORDS[:8] if rng.random() < 0.8 else ODD) for _ in range(rng.randint(0, longest)))

    told = tuple(tuple(caption(length) for _ in range(rng.randint(1, references))) for _ in range(images - 1))
    told = (tuple(caption(length) for _ in range(references)), *told)
    said = {f"system {i}": tuple(caption(length) for _ in range(images)) for i in range(systems)}
    return Captions(tuple(range(images)), told, said)


@pytest.mark.parametrize(
    ("images", "systems", "references", "length", "counts"),
    [(1, 1, 1, 300, [1, "all"]), (3, 2, 20, 12, [1, 7, 20]), (2, 1, 3, 300, [2, 3]), (12, 4, 5, 9, [1, 5, "all"])],
)
def test_array_path_is_the_definition_for_long_captions_and_many_references(
    images, systems, references, length, counts
):
    given_captions = grand_captions(images, systems, references, length, seed=images)
    schemes = [("lower", "split"), ("cased", "kept")]
    cells = cells_of(counts, [1, 4], schemes)
    assert scores_by_arrays(given_captions, cells, schemes) == scores_by_definition(given_captions, cells)


@pytest.mark.parametrize("chunks_per_shard", [1, 50])
def test_shards_change_nothing(monkeypatch, chunks_per_shard):
    given_captions = grand_captions(12, 3, 5, 9, seed=0)
    whole = caption_statistics(given_captions, SCHEMES, [1, 3], 4)
    monkeypatch.setattr(counting, "_CHUNKS_PER_SHARD", chunks_per_shard)
    parts = caption_statistics(given_captions, SCHEMES, [1, 3], 4)
    for scheme in SCHEMES:
        for name in ("matches", "candidate_lengths", "reference_lengths"):
            assert np.array_equal(getattr(whole.schemes[scheme], name), getattr(parts.schemes[scheme], name))


@settings(max_examples=10)
@given(captions())
def test_statistics_are_read_as_they_were_written(tmp_path_factory, given_captions):
    cells = cells_of([1, "all"], [4], SCHEMES)
    counted = caption_statistics(given_captions, SCHEMES, [1], orders(cells))
    path = tmp_path_factory.mktemp("statistics") / "statistics.npz"
    counted.save(path)
    read = CaptionStatistics.load(path)
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
    cells = cells_of([1, "all"], [4], [("lower", "split")])
    before, after = (
        caption_statistics(each, [("lower", "split")], [1], orders(cells)) for each in (given_captions, shuffled)
    )
    assert score(after, cells) == score(before, cells)
    counts = [each.schemes["lower", "split"].matches.sum(axis=2) for each in (before, after)]
    assert np.array_equal(*counts)


@settings(max_examples=25)
@given(captions())
def test_scores_and_penalties_and_precisions_lie_between_0_and_1(given_captions):
    cells = cells_of([1, "all"], [4], SCHEMES)
    for each in score(caption_statistics(given_captions, SCHEMES, [1], orders(cells)), cells):
        # exp counts in per cent: a perfect score is 1 but for the last bits.
        assert all(0 <= value <= 1 + 1e-12 for value in (each.score, each.brevity_penalty, *each.precisions))


# ------------------------------------------------------------------------------------------------------- the definition


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


# --------------------------------------------------------------------------------------------------------------- tokens


@pytest.mark.parametrize(("case", "tokenizer"), [each for each in SCHEMES if TOKENIZERS[each[1]].cuts != "never"])
@given(text=texts | st.text())
@example(text="\u039f\u0394\u039f\u03a3 \u03a3 \u03a3\u0391\u03a3.\x1c\u03a3")
@example(text="\u0130I i\u0307\u2028\u00df \u1e9e")
def test_tokenizing_by_chunk_is_tokenizing_the_whole(case, tokenizer, text):
    assume(TOKENIZERS[tokenizer].cuts == "always" or "\n" not in text)
    whole = tokenize(text, case, tokenizer)
    assert [token for chunk in text.split() for token in tokenize(chunk, case, tokenizer)] == whole
    assert all(token and not any(map(str.isspace, token)) for token in whole)

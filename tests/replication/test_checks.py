"""The study's checks: they hold for the study, and tell when something is wrong."""

from dataclasses import replace

import pytest

from manybleus.bleu.definition import sentence_statistics
from manybleus.captions import Captions
from manybleus.replication import peers
from manybleus.replication.checks import (
    CHECKS,
    BaselineSentence,
    baseline_sentences,
    check_table,
    data_checks,
    guard_checks,
    length_checks,
    nltk_corpus_checks,
    nltk_sentence_checks,
    punctuation_checks,
    reading_checks,
    run_checks,
)
from manybleus.shapes.captioners import CAPTIONERS, look
from manybleus.shapes.references import references
from manybleus.shapes.scenes import draw_scenes, render

SCENES = draw_scenes(6, 0)
PICTURES = [render(scene) for scene in SCENES]
CAPTIONS = Captions(
    tuple(range(6)),
    tuple(tuple(references(scene)) for scene in SCENES),
    {name: tuple(speak(look(p), i) for i, p in enumerate(PICTURES)) for name, speak in CAPTIONERS.items()},
)


def sentence(candidate, *told):
    tokens = candidate.split(), [text.split() for text in told]
    return BaselineSentence(*tokens, sentence_statistics(*tokens, "closest", 4))


def test_every_check_of_a_run_has_its_words(study, nltk):
    values = run_checks(SCENES, PICTURES, CAPTIONS, study.baseline, [1, 4], nltk)
    assert [*values, "determinism", "runtime"] == list(CHECKS)


def test_data_checks_by_hand():
    assert data_checks(SCENES, PICTURES, CAPTIONS) == {
        "data-images": 6,
        "data-overlap": 0,
        "data-distinct-references": 8,
        "data-objects-read": "{2: 6}",
    }


def test_data_checks_tell_of_overlap_of_equal_references_and_of_other_numbers_of_things():
    scene = SCENES[0]
    over = replace(scene, second=replace(scene.first, colour=scene.second.colour, size=6))
    doubled = replace(
        CAPTIONS, references=(CAPTIONS.references[0][:7] + CAPTIONS.references[0][:1], *CAPTIONS.references[1:])
    )
    found = data_checks([over, *SCENES[1:]], [PICTURES[0] * 0, *PICTURES[1:]], doubled)
    assert found["data-overlap"] > 50
    assert found["data-distinct-references"] == 7
    assert found["data-objects-read"] == "{0: 1, 2: 5}"


def test_punctuation_checks_by_hand():
    captions = Captions((0,), (("A cat, is. here", ". - x"),), {"X": ("it's",), "Y": ("a b",)})
    assert punctuation_checks(captions) == {"punct-removed": 0, "punct-kept": 3}


def test_reading_checks_count_what_is_said_right():
    assert reading_checks(SCENES, CAPTIONS) == {"reading-s1": 6, "reading-s2": 6}
    said = {
        "S1": (CAPTIONS.systems["S1"][1], *CAPTIONS.systems["S1"][1:]),
        "S2": ("nothing", *CAPTIONS.systems["S2"][1:]),
    }
    assert reading_checks(SCENES, replace(CAPTIONS, systems=said)) == {"reading-s1": 5, "reading-s2": 5}
    assert reading_checks(SCENES, replace(CAPTIONS, systems={"G": CAPTIONS.systems["G"]})) == {}


def test_nltk_checks_tell_the_largest_difference():
    def two_too_many(told, said, smoothing):
        return peers.nltk_corpus(told, said, smoothing) + 2

    found = nltk_corpus_checks(CAPTIONS, [1, 2], two_too_many)
    assert found["nltk-short-cases"] == 2 * 2 * 2 * 3  # G is short under kept and removed
    assert found["nltk-corpus"] == found["nltk-short-floored"] == pytest.approx(2)
    assert found["nltk-short"] == pytest.approx(2, abs=0.5)
    sentences = {"X": [sentence("a b c d e", "a b c d e")]}
    assert nltk_sentence_checks(sentences, two_too_many)["nltk-sentence"] == pytest.approx(2)


def test_nltk_checks_are_zero_without_a_short_candidate():
    captions = Captions((0,), (("a b c d e", "a b c"),), {"X": ("a b c d",)})
    found = nltk_corpus_checks(captions, [1, 2], peers.nltk_corpus)
    assert (found["nltk-short-cases"], found["nltk-short"]) == (0, 0)
    assert found["nltk-corpus"] < 1e-12


def test_guards_are_compared_by_hand():
    sentences = {"X": [sentence("a b c d", "a b c d"), sentence("e f g h", "a b c d")]}
    found = guard_checks(sentences)
    assert found["coco-zero-sentences"] == 1
    assert found["coco-zero-max"] == pytest.approx((1e-15**4 / 24) ** 0.25, rel=1e-6)
    assert 0 < found["coco-corpus"] < 1e-8


def test_guards_of_a_system_that_scores_nothing_are_not_compared():
    found = guard_checks({"X": [sentence("x", "a b c d")]})
    assert found["coco-corpus"] == 0
    assert found["coco-zero-sentences"] == 1


def test_length_checks_by_hand(study):
    found = length_checks(baseline_sentences(CAPTIONS, study.baseline))
    assert found["g-truncated-tokens"] == "4"
    assert found["g-padding-words"] == "13"
    assert found["references-min-tokens"] == min(
        len(text.replace(".", " .").replace(",", " ,").replace(":", " :").split())
        for texts in CAPTIONS.references
        for text in texts[:4]
    )
    assert length_checks({"S1": []}) == {}


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        ("data-images", 200, 199),
        ("data-overlap", 0, 1),
        ("data-distinct-references", 8, 7),
        ("data-objects-read", "{2: 200}", "{1: 1, 2: 199}"),
        ("punct-removed", 0, 1),
        ("punct-kept", 2400, 0),
        ("reading-s1", 200, 199),
        ("reading-s2", 200, 199),
        ("nltk-corpus", 4.4e-16, 1e-9),
        ("nltk-short-floored", 4.4e-16, 1e-9),
        ("nltk-sentence", 6.7e-16, 1e-9),
        ("determinism", True, False),
    ],
)
def test_a_check_holds_or_does_not(check, good, bad):
    assert check_table({check: good}, 200)["holds"].tolist() == [True]
    assert check_table({check: bad}, 200)["holds"].tolist() == [False]


@pytest.mark.parametrize("check", [name for name, (_, condition) in CHECKS.items() if condition is None])
def test_what_is_only_told_neither_holds_nor_breaks(check):
    table = check_table({check: 5}, 200)
    assert table["holds"].tolist() == [None]
    assert table["what"].tolist() == [CHECKS[check][0]]

"""The peers: other tools called as they are."""

import warnings
from dataclasses import replace
from itertools import count, product

import pytest
from nltk.translate import bleu_score
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.tokens import tokenize_all
from manybleus.replication import peers

CELL = Configuration("all", "closest", "cased", "kept", "none", "corpus", 4)

TOLD = [[["a", "b", "c", "d", "e"], ["a", "b", "c", "x"]], [["f", "g", "h", "i"]]]
SAID = [["a", "b", "c", "d", "x"], ["f", "g", "h", "i"]]
TEXTS = [[" ".join(each) for each in texts] for texts in TOLD], [" ".join(each) for each in SAID]


@pytest.mark.parametrize(("smoothing", "method"), [("none", "method0"), ("add-1", "method2"), ("exp", "method3")])
def test_nltk_is_asked_with_the_method_of_a_smoothing(smoothing, method):
    rule = getattr(SmoothingFunction(), method)
    assert peers.nltk_corpus(TOLD, SAID, smoothing) == corpus_bleu(TOLD, SAID, smoothing_function=rule)
    assert peers.nltk_sentence(TOLD[0], SAID[0], smoothing) == sentence_bleu(TOLD[0], SAID[0], smoothing_function=rule)


def test_nltk_counts_once_while_the_same_lists_are_asked_about(monkeypatch):
    counted, count_them = [], bleu_score.modified_precision
    monkeypatch.setattr(bleu_score, "modified_precision", lambda *asked: counted.append(asked) or count_them(*asked))
    ask = peers.nltk_corpus_counted_once()
    for said in (SAID, SAID[::-1], list(SAID)):
        for smoothing in ("none", "add-1", "exp"):
            assert ask(TOLD, said, smoothing) == corpus_bleu(
                TOLD, said, smoothing_function=getattr(SmoothingFunction(), peers.NLTK_METHODS[smoothing])
            )
    # Three times two sentences and four orders, and as much for each of our own nine questions.
    assert len(counted) == (3 + 9) * 2 * 4


def test_nltk_is_asked_without_its_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        peers.nltk_sentence([["a", "b", "c", "d"]], ["a", "x", "b", "y"], "none")


def test_an_equal_question_is_asked_once():
    numbers = count()
    ask = peers.remembered(lambda *question: next(numbers))
    assert [ask([["a"]], ["b"]), ask([["a"]], ["c"]), ask([["a"]], ["b"])] == [0, 1, 0]


def test_sacrebleu_is_asked_with_all_references_of_each_candidate():
    told, said = TEXTS
    expected = BLEU().corpus_score(said, [["a b c d e", "f g h i"], ["a b c x", None]]).score
    assert peers.sacrebleu_corpus(told, said) == expected
    assert peers.sacrebleu_corpus([["a b c d"]], ["a b"], effective_order=True) > 0


def test_sacrebleu_signs_its_options():
    assert "smooth:exp" in peers.sacrebleu_signature()
    assert "smooth:floor" in peers.sacrebleu_signature(smooth_method="floor")
    assert peers.sacrebleu_tokens("one, two.", "13a") == "one , two ."
    assert peers.sacrebleu_tokens("one, two.", "none") == "one, two."


def test_coco_caption_is_asked_with_its_option():
    pytest.importorskip("pycocoevalcap")
    told, said = [["a b c d e f", "a b c"]], ["a b c d e"]
    shortest, closest = (peers.coco_corpus(told, said, option)[0] for option in ("shortest", "closest"))
    assert shortest == pytest.approx(1)
    assert closest == pytest.approx(0.8187, abs=1e-4)
    assert len(peers.coco_corpus(*TEXTS)) == 4


def test_coco_caption_answers_each_option_of_segments_that_it_counted_before():
    pytest.importorskip("pycocoevalcap")
    told, said = [["a b c d e f", "a b c"], ["x y z"]], [["a", "b", "c", "d", "e"], ["x", "y"]]
    segments = peers.Segments([], [], said, [[text.split() for text in texts] for texts in told])
    texts = [" ".join(tokens) for tokens in said]
    for order, option in product((2, 4, 1), ("shortest", "closest", "average")):
        corpus, sentences = peers.coco_scores(told, texts, option)
        cell = replace(CELL, smoothing="coco", reference_length=option, max_order=order)
        assert peers.COCO.corpus(cell, segments) == corpus[order - 1]
        assert peers.COCO.sentences(cell, segments) == sentences[order - 1]
    assert len({peers.coco_corpus(told, texts, option)[0] for option in ("shortest", "closest", "average")}) == 3


@pytest.mark.parametrize("tokenizer", ["kept", "13a"])
def test_scores_of_segments_are_the_tools_own_for_every_cell_and_system(tokenizer):
    """What was counted for one cell, and of the references for one system, serves the next."""
    told, count_of_nltk = {}, bleu_score.modified_precision
    for said in (["a b c d, e", "f. g"], ["a b x c d", "f g h i."]):
        texts = [["a b c d e", "a b c d, e f"], ["f g. h i"]]
        tokens = [tokenize_all(each, "cased", tokenizer) for each in texts]
        segments = peers.Segments(said, texts, tokenize_all(said, "cased", tokenizer), tokens, told=told)
        for smoothing, order in product(("none", "add-1", "exp"), (4, 2)):
            cell = replace(CELL, tokenizer=tokenizer, smoothing=smoothing, max_order=order)
            options = peers.sacrebleu_options(cell)
            assert 100 * peers.SACREBLEU.corpus(cell, segments) == pytest.approx(
                peers.sacrebleu_corpus(texts, said, **options), rel=1e-15
            )
            assert [100 * score for score in peers.SACREBLEU.sentences(cell, segments)] == pytest.approx(
                [peers.sacrebleu_corpus([each], [one], **options) for each, one in zip(texts, said, strict=True)]
            )
            asked = (segments.reference_tokens, segments.candidate_tokens)
            assert peers.NLTK.corpus(cell, segments) == peers.nltk_corpus(*asked, smoothing, order)
            assert peers.NLTK.sentences(cell, segments) == [
                peers.nltk_sentence(*each, smoothing, order) for each in zip(*asked, strict=True)
            ]
    assert bleu_score.modified_precision is count_of_nltk


def test_a_missing_coco_caption_is_named(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    with pytest.raises(peers.PeerMissingError, match=r"^pycocoevalcap$"):
        peers.coco_corpus([["a"]], ["a"])

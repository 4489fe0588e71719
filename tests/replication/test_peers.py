"""The peers: other tools called as they are."""

import warnings
from itertools import count

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from manybleus.replication import peers

TOLD = [[["a", "b", "c", "d", "e"], ["a", "b", "c", "x"]], [["f", "g", "h", "i"]]]
SAID = [["a", "b", "c", "d", "x"], ["f", "g", "h", "i"]]
TEXTS = [[" ".join(each) for each in texts] for texts in TOLD], [" ".join(each) for each in SAID]


@pytest.mark.parametrize(("smoothing", "method"), [("none", "method0"), ("add-1", "method2"), ("exp", "method3")])
def test_nltk_is_asked_with_the_method_of_a_smoothing(smoothing, method):
    rule = getattr(SmoothingFunction(), method)
    assert peers.nltk_corpus(TOLD, SAID, smoothing) == corpus_bleu(TOLD, SAID, smoothing_function=rule)
    assert peers.nltk_sentence(TOLD[0], SAID[0], smoothing) == sentence_bleu(TOLD[0], SAID[0], smoothing_function=rule)


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


def test_a_missing_coco_caption_is_named(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    with pytest.raises(peers.PeerMissingError, match=r"^pycocoevalcap$"):
        peers.coco_corpus([["a"]], ["a"])

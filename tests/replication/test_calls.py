"""A call that is shown for a configuration, typed as it stands, gives that tool's score."""

from dataclasses import replace
from functools import reduce
from itertools import zip_longest
from operator import iadd
from statistics import mean

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from manybleus.bleu.configuration import Configuration
from manybleus.replication.calls import peer_calls
from manybleus.replication.peers import PEERS, Segments

SPLIT = Configuration(2, "closest", "lower", "split", "none", "corpus", 4)
CANDIDATES = ["The red square is left of a blue disc .", "a green disc above it", "One Disc , red"]
REFERENCES = [
    ["a red square is left of a blue disc .", "the red square left of the disc"],
    ["the green disc is above it", "a green disc above the square"],
    ["a red disc , alone", "one disc only"],
]


def value_of(code: str, *, of_tokens: bool) -> float:
    given = (lambda text: text.split()) if of_tokens else str
    names = {
        "candidates": [given(text) for text in CANDIDATES],
        "references": [[given(text) for text in texts] for texts in REFERENCES],
        **{each.__name__: each for each in (BLEU, SmoothingFunction, corpus_bleu, sentence_bleu)},
        **{each.__name__: each for each in (mean, reduce, iadd, zip_longest)},
    }
    if "BleuScorer" in code:
        names["BleuScorer"] = pytest.importorskip("pycocoevalcap.bleu.bleu_scorer").BleuScorer
    return eval(code, names)


@pytest.mark.filterwarnings("ignore:\\s+The hypothesis:UserWarning")
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"smoothing": "exp"},
        {"smoothing": "add-1", "aggregation": "mean-sentence"},
        {"smoothing": "none", "aggregation": "mean-sentence", "max_order": 2},
        {"smoothing": "floor(0.25)", "effective_order": True},
        {"tokenizer": "13a", "smoothing": "exp"},
        {"tokenizer": "13a", "case": "cased", "smoothing": "add-k(0.5)", "max_order": 3},
        {"smoothing": "coco", "reference_length": "shortest"},
        {"smoothing": "coco", "aggregation": "mean-sentence", "max_order": 3},
    ],
    ids=str,
)
def test_a_call_gives_the_tools_score(change):
    cell = replace(SPLIT, **change)
    calls = peer_calls(cell, [2, 2, 2])
    assert [call.tool for call in calls] == [peer.name for peer in PEERS if peer.expresses(cell)]
    tokens = [text.split() for text in CANDIDATES]
    segments = Segments(CANDIDATES, REFERENCES, tokens, [[text.split() for text in texts] for texts in REFERENCES])
    for call in calls:
        peer = next(peer for peer in PEERS if peer.name == call.tool)
        corpus = cell.aggregation == "corpus"
        expected = peer.corpus(cell, segments) if corpus else mean(peer.sentences(cell, segments))
        assert value_of(call.code, of_tokens=call.given == "lists of tokens") == pytest.approx(expected, abs=1e-15)


def test_a_call_says_what_it_is_given_and_what_sacrebleu_prints():
    own = peer_calls(Configuration("all", "closest", "cased", "13a", "exp", "corpus", 4), [3, 3])
    assert [(call.tool, call.given) for call in own] == [("NLTK", "lists of tokens"), ("sacreBLEU", "texts")]
    assert own[1].code.startswith("BLEU().corpus_score(")
    assert own[1].signature.startswith("nrefs:3|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    split = peer_calls(SPLIT, [3, 3])
    assert split[1].code.startswith("BLEU(tokenize='none', smooth_method='none').corpus_score(")
    assert (split[1].given, split[1].signature) == ("texts in which a space parts the tokens", "")


def test_a_configuration_that_no_tool_has_has_no_call():
    assert peer_calls(replace(SPLIT, aggregation="weighted-mean-sentence"), [2]) == []

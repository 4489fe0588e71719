"""sacreBLEU's signature of a cell is the one that sacreBLEU prints for the same call."""

from dataclasses import replace

import pytest
from sacrebleu.metrics.bleu import BLEU

from manybleus.bleu.configuration import Configuration
from manybleus.replication.peers import sacrebleu_signature_of

DEFAULT = Configuration("all", "closest", "cased", "13a", "exp", "corpus", 4)


def printed(references, **options):
    metric = BLEU(**options)
    metric.corpus_score(["a b c d"] * len(references[0]), references)
    return str(metric.get_signature())


@pytest.mark.parametrize(
    ("change", "options"),
    [
        ({}, {}),
        ({"case": "lower"}, {"lowercase": True}),
        ({"tokenizer": "intl"}, {"tokenize": "intl"}),
        ({"tokenizer": "kept", "case": "lower"}, {"tokenize": "none", "lowercase": True}),
        ({"smoothing": "none"}, {"smooth_method": "none"}),
        ({"smoothing": "floor(0.25)"}, {"smooth_method": "floor", "smooth_value": 0.25}),
        ({"smoothing": "add-1"}, {"smooth_method": "add-k"}),
        (
            {"smoothing": "add-k(0.5)", "effective_order": True},
            {"smooth_method": "add-k", "smooth_value": 0.5, "effective_order": True},
        ),
    ],
    ids=str,
)
def test_a_cell_that_sacrebleu_can_express(change, options):
    two = [["a b c d", "a b"], ["a b c", "c d"]]
    assert sacrebleu_signature_of(replace(DEFAULT, **change), [2, 2]) == printed(two, **options)


def test_the_number_of_references_is_that_which_is_used():
    assert sacrebleu_signature_of(replace(DEFAULT, references=1), [3, 2]).startswith("nrefs:1|")
    assert sacrebleu_signature_of(DEFAULT, [3, 2]) == printed([["a b", "c d"], ["a", "c"], ["b", None]])


@pytest.mark.parametrize(
    "change",
    [
        {"max_order": 2},
        {"tokenizer": "split"},
        {"tokenizer": "coco"},
        {"smoothing": "coco"},
        {"smoothing": "chen-cherry-4"},
        {"reference_length": "average"},
        {"aggregation": "mean-sentence"},
        {"brevity_penalty": False},
        {"weights": (0.4, 0.3, 0.2, 0.1)},
    ],
    ids=str,
)
def test_a_cell_that_sacrebleu_cannot_express(change):
    assert sacrebleu_signature_of(replace(DEFAULT, **change), [2, 2]) is None

"""Scores calculated by hand, from bug reports of the field's tools: data/bleu_cases.jsonl says where each is from."""

import json
from fractions import Fraction

import pytest
from helpers import DATA

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import AGGREGATIONS, Formula, Statistics, bleu, sentence_statistics
from manybleus.bleu.scores import score
from manybleus.bleu.statistics import caption_statistics
from manybleus.bleu.tokens import tokenize
from manybleus.captions import Captions
from manybleus.errors import ManybleusError

LINES = (DATA / "bleu_cases.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
EXPRESSIBLE = [name for name, case in CASES.items() if case["needs"] is None]
FROM_TEXT = [name for name in EXPRESSIBLE if CASES[name]["candidates"]]
INEXPRESSIBLE = {
    "smoothing": {"nomatch-exp", "m5-gt-1", "m4-one-zero", "m4-1tok", "m6-assert", "m6-corpus-gt1", "m567-order"}
    | {"m3-short", "addk-half-ar"},
    "weights": {"weights-ones"},
    "tokenizers": {
        f"tok-{name}" for name in ("zwsp", "quotes", "apos", "ascii-apos", "hyphen", "hyphen-newline", "tab")
    }
    | {f"tok-{name}" for name in ("multi-punct", "emoji", "cjk", "cr", "u2028", "ff")},
    "bootstrap": {"numpy-float32", "mt-telescope-noseed"},
    "significance": {"cli-identical"},
    "no score": {"sig-order", "coco-unknown", "tm-float32"},
}


def sentences_of(case, max_order):
    if case["candidates"] is None:
        counted = case["statistics"]
        r = Fraction(counted["reference_length"])
        return [Statistics(tuple(counted["matches"]), tuple(counted["totals"]), counted["candidate_length"], r)]
    rules = case["case"], case["tokenizer"]
    return [
        sentence_statistics(
            tokenize(candidate, *rules),
            [tokenize(text, *rules) for text in texts if text is not None],
            case["reference_length"],
            max_order,
        )
        for candidate, texts in zip(case["candidates"], case["references"], strict=True)
    ]


def scored(case):
    if case["aggregation"] == "orders":
        return [AGGREGATIONS["corpus"](sentences_of(case, n), Formula(case["smoothing"])) for n in (1, 2, 3, 4)]
    sentences = sentences_of(case, case["max_order"])
    if case["aggregation"] == "sentence":
        return [bleu(each, Formula(case["smoothing"])) for each in sentences]
    return AGGREGATIONS[case["aggregation"]](sentences, Formula(case["smoothing"]))


def test_cases_that_today_s_choices_cannot_express_are_exactly_these():
    by_need = {}
    for name, case in CASES.items():
        if case["needs"] is not None:
            by_need.setdefault(case["needs"].partition(":")[0], set()).add(name)
    assert by_need == INEXPRESSIBLE
    assert len(EXPRESSIBLE) + sum(map(len, INEXPRESSIBLE.values())) == len(LINES) == len(CASES)


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_definition_gives_the_calculated_score(name):
    case = CASES[name]
    if isinstance(case["expected"], dict):
        with pytest.raises(ManybleusError, match=case["expected"]["error"]):
            scored(case)
    else:
        assert scored(case) == pytest.approx(case["expected"], rel=1e-14, abs=0)


@pytest.mark.parametrize("name", [name for name in EXPRESSIBLE if "statistics" in CASES[name]])
def test_definition_counts_the_calculated_statistics(name):
    case = CASES[name]
    first, *rest = sentences_of(case, case["max_order"])
    counted = sum(rest, start=first)
    assert {
        "matches": list(counted.matches),
        "totals": list(counted.totals),
        "candidate_length": counted.candidate_length,
        "reference_length": float(counted.reference_length),
    } == case["statistics"]


@pytest.mark.parametrize("name", [name for name in FROM_TEXT if isinstance(CASES[name]["expected"], float)])
def test_array_path_gives_the_calculated_score(name):
    case = CASES[name]
    references = tuple(tuple(text for text in texts if text is not None) for texts in case["references"])
    captions = Captions(tuple(range(len(references))), references, {"system": tuple(case["candidates"])})
    rules = {
        key: case[key] for key in ("reference_length", "case", "tokenizer", "smoothing", "aggregation", "max_order")
    }
    counted = caption_statistics(captions, [(case["case"], case["tokenizer"])], ["all"], case["max_order"])
    (found,) = score(counted, [Configuration(references="all", **rules)])
    assert found.score == pytest.approx(case["expected"], rel=1e-14, abs=0)


@pytest.mark.parametrize("name", [name for name in EXPRESSIBLE if "**" in str(CASES[name]["arithmetic"])])
def test_expected_scores_are_their_arithmetic(name):
    from math import exp, log

    case = CASES[name]
    value = eval(case["arithmetic"], {"exp": exp, "log": log, "__builtins__": {}})
    assert value == pytest.approx(case["expected"], rel=1e-12)

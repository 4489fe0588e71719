"""Conventions of the field's tools: shown by the installed tools, and told apart from a tool that is missing."""

import json
from math import log, prod

import pytest
from helpers import DATA

from manybleus.replication import peers
from manybleus.replication.conventions import CONVENTIONS, conventions

LINES = (DATA / "bleu_cases.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
CASES = [json.loads(line) for line in LINES]


def test_every_convention_is_shown_once():
    table = conventions()
    assert table["convention"].tolist() == list(CONVENTIONS)
    assert table["shown"].str.len().gt(0).all()


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_convention_holds(name):
    holds, shown = CONVENTIONS[name]()
    assert holds is True, shown


@pytest.mark.parametrize(
    ("name", "tool", "answer"),
    [
        ("tie-shorter", "nltk_sentence", 0.8187),
        ("tie-shorter", "sacrebleu_corpus", 81.87),
        ("nltk-method0", "nltk_sentence", 0.0),
        ("nltk-floor", "nltk_corpus", 1.0),
        ("nltk-method4", "nltk_by_method", 0.2887295193996486),
        ("nltk-method5", "nltk_by_method", 1.0),
        ("nltk-method6", "nltk_by_method", 1.2134792501051308),
        ("nltk-method7", "nltk_by_method", 0.34304),
        ("sacrebleu-nomatch", "sacrebleu_corpus", 7.99),
        ("sacrebleu-13a", "sacrebleu_tokens", "one two"),
        ("sacrebleu-signature", "sacrebleu_signature", "nrefs:1|case:mixed"),
        ("coco-average", "coco_corpus", [0.8187] * 4),
        ("coco-guards", "coco_corpus", [1.0] * 4),
        ("scales", "sacrebleu_corpus", 1.0),
        ("bleu-k", "coco_corpus", [0.5] * 4),
    ],
)
def test_a_tool_that_answers_otherwise_breaks_its_convention(monkeypatch, name, tool, answer):
    monkeypatch.setattr(peers, tool, lambda *arguments, **options: answer)
    holds, _ = CONVENTIONS[name]()
    assert not holds


@pytest.mark.parametrize(
    ("name", "case"), [("nltk-method4", "m4-one-zero"), ("nltk-method5", "m5-gt-1"), ("nltk-method6", "m6-corpus-gt1")]
)
def test_nltk_beside_the_paper_is_what_was_seen_and_calculated(name, case):
    (found,) = (each for each in CASES if each["id"] == case)
    (seen,) = found["observed"].values()
    _, shown = CONVENTIONS[name]()
    assert f"NLTK {seen:.6g}, Chen and Cherry {found['expected']:.6g}" in shown


def test_results_do_not_depend_on_the_version_of_sacrebleu():
    told = CONVENTIONS["sacrebleu-signature"]()
    assert told == (True, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:...")


def test_method_5_depends_on_the_order_of_the_segments_as_was_seen():
    (found,) = (each for each in CASES if each["id"] == "m567-order")
    one, other = found["observed"]["nltk 3.10.4 (3.9.2 identical) method5"]
    assert f"two segments NLTK {one:.6g}, turned round {other:.6g};" in CONVENTIONS["nltk-method5"]()[1]


def test_method_7_beside_the_paper():
    """By hand: m = 5, 3, 1, ln(7)/5 and 0, averaged from m'_0 = 6 on, over 7, 6, 5, 4 n-grams."""
    m, averaged = [5, 3, 1, log(7) / 5, 0], [6]
    for place in range(4):
        averaged.append((averaged[-1] + m[place] + m[place + 1]) / 3)
    paper = prod(count / total for count, total in zip(averaged[1:], (7, 6, 5, 4), strict=True)) ** 0.25
    assert f"NLTK 0.35312, Chen and Cherry {paper:.6g};" in CONVENTIONS["nltk-method7"]()[1]


def test_only_conventions_of_coco_caption_need_it(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    table = conventions().set_index("convention")
    missing = table[table["holds"] == "NOT_RUN"]
    assert set(missing.index) == {"tie-shorter", "coco-average", "coco-guards", "scales", "bleu-k"}
    assert set(table["holds"]) == {"True", "NOT_RUN"}

"""Conventions of the field's tools: shown by the installed tools, and told apart from a tool that is missing."""

import pytest

from manybleus.replication import peers
from manybleus.replication.conventions import CONVENTIONS, conventions


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


def test_only_conventions_of_coco_caption_need_it(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    table = conventions().set_index("convention")
    missing = table[table["holds"] == "NOT_RUN"]
    assert set(missing.index) == {"tie-shorter", "coco-average", "coco-guards", "scales", "bleu-k"}
    assert set(table["holds"]) == {"True", "NOT_RUN"}

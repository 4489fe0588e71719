"""Tokens: the rules for case and punctuation."""

import pytest

from manybleus.bleu.tokens import TOKENIZERS, tokenize, tokenize_all


@pytest.mark.parametrize(
    ("text", "split", "kept", "removed"),
    [
        ("A red circle.", "A|red|circle|.", "A|red|circle.", "A|red|circle"),
        ("Two shapes: a, b", "Two|shapes|:|a|,|b", "Two|shapes:|a,|b", "Two|shapes|a|b"),
        ("don't 1,000.5", "don|'|t|1|,|000|.|5", "don't|1,000.5", "don|t|1|000|5"),
        ("x_y _ --", "x_y|_|-|-", "x_y|_|--", "x_y|_"),
        ("wait!! ?!", "wait|!|!|?|!", "wait!!|?!", "wait"),
        ("\u732b\u3002 \U0001f600", "\u732b|\u3002|\U0001f600", "\u732b\u3002|\U0001f600", "\u732b"),
        ("a\u2028b\tc\u00a0d", "a|b|c|d", "a|b|c|d", "a|b|c|d"),
        ("a\u200bb", "a|\u200b|b", "a\u200bb", "a|b"),
        (" . ", ".", ".", ""),
        ("", "", "", ""),
        ("\n \t", "", "", ""),
    ],
)
def test_punctuation_rules_by_hand(text, split, kept, removed):
    expected = {"split": split, "kept": kept, "removed": removed}
    for tokenizer, tokens in expected.items():
        assert tokenize(text, "cased", tokenizer) == [token for token in tokens.split("|") if token], tokenizer


def test_case_rules_by_hand():
    assert tokenize("A RED \u03a3\u0391\u03a3", "cased", "kept") == ["A", "RED", "\u03a3\u0391\u03a3"]
    assert tokenize("A RED \u03a3\u0391\u03a3", "lower", "kept") == ["a", "red", "\u03c3\u03b1\u03c2"]
    assert tokenize("Stra\u00dfe", "lower", "kept") == ["stra\u00dfe"], "lower, not casefold"


def test_case_is_folded_before_the_text_is_split():
    assert tokenize("\u0130", "cased", "split") == ["\u0130"]
    assert tokenize("\u0130", "lower", "split") == ["i", "\u0307"], "the small letter has a mark of its own"


@pytest.mark.parametrize(
    ("tokenizer", "text", "tokens"),
    [
        ("13a", "Don't pay $5.00, 3%!", "Don't|pay|$|5.00|,|3|%|!"),
        ("13a", "a 10-year-old &quot;dog&quot; <skipped>bowl", 'a|10|-|year-old|"|dog|"|bowl'),
        ("intl", "Don't pay $5.00, 3%!", "Don|'|t|pay|$|5.00|,|3|%|!"),
        ("intl", "\u4e00\u53ea\u732b sat\u3002", "\u4e00\u53ea\u732b|sat|\u3002"),
        ("char", "a \u732b.", "a|\u732b|."),
        ("zh", "\u4e00\u53ea\u732b sat at 5.5\u3002", "\u4e00|\u53ea|\u732b|sat|at|5.5|\u3002"),
        ("coco-python", "Don't pay $5.00, 3% (now)!", "Do|n't|pay|$|5.00|3|%|now"),
        ("13a", " \n", ""),
        ("zh", "", ""),
    ],
)
def test_the_field_s_tokenizers_by_hand(tokenizer, text, tokens):
    assert tokenize(text, "cased", tokenizer) == [token for token in tokens.split("|") if token]


def test_every_tokenizer_has_a_source():
    assert all(each.source and each.cuts in ("always", "without line breaks", "never") for each in TOKENIZERS.values())


def test_several_texts_are_tokenized_one_by_one():
    texts = ["A dog.", "", "a cat,"]
    for tokenizer in ("kept", "13a", "coco", "coco-python"):
        assert tokenize_all(texts, "lower", tokenizer) == [tokenize(text, "lower", tokenizer) for text in texts]
    assert tokenize_all([], "lower", "split") == []

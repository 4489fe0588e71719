"""Tokens: the rules for case and punctuation."""

import pytest

from manybleus.bleu.tokens import tokenize


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

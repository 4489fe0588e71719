"""Texts made fit to be shown."""

import pytest

from manybleus.text import counted, isolating, shortened, signed, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x00\x07\x7f\x9b", "a\\x00\\x07\\x7f\\x9b"),
        ("\u202eabc\u202c \u2066x\u2069", "\\u202eabc\\u202c \\u2066x\\u2069"),
        ("a\u2028b\u200b\ufeff", "a\\u2028b\\u200b\\ufeff"),
        ("\ud83d", "\\ud83d"),
        ("\U000e0041", "\\U000e0041"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\u0633\u0644\u0627\u0645 \u732b e\u0301 \U0001f468\u200d\U0001f469", None),
        ("\u0928\u0940\u200c\u0915\u0964 a\xa0b", None),
        ("C:\\x1b", None),
    ],
)
def test_what_cannot_be_seen_is_an_escape_and_all_else_stays(text, shown):
    assert visible(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    ("names", "text", "shown"),
    [
        (["\u0627", "B"], "\u0627 > B", "\u2068\u0627\u2069 > B"),
        (["\u0627", "\u05d1"], "\u0627-\u05d1: \u0627\u05d1", "\u2068\u0627\u2069-\u2068\u05d1\u2069: \u0627\u05d1"),
        (["\u0627", "\u0627 1"], "\u0627\xa01 > \u0627", "\u2068\u0627\xa01\u2069 > \u2068\u0627\u2069"),
        (["A.", "B"], "A. > B", "A. > B"),
        ([], "\u0627 > B", "\u0627 > B"),
    ],
)
def test_names_from_right_to_left_stand_between_marks_and_no_others_do(names, text, shown):
    assert isolating(names)(text) == shown


def test_a_long_text_is_cut_visibly():
    assert shortened("x" * 10, 10) == "x" * 10
    assert shortened("x" * 1_000_000, 10) == "xxxxxxxxxx ... (1,000,000 characters)"


@pytest.mark.parametrize(
    ("gap", "told"),
    [
        (-0.0608, "-0.0608"),
        (0.118652, "+0.1187"),
        (0.00026, "+0.0003"),
        (0.00005, "+0.0001"),
        (0.0000499, "+5.0e-05"),
        (9.73e-07, "+9.7e-07"),
        (-1e-17, "-1.0e-17"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (float("nan"), ""),
    ],
)
def test_a_gap_has_four_decimals_and_an_exponent_only_where_these_are_zeros(gap, told):
    assert signed(gap) == told


def test_a_noun_goes_with_its_number():
    assert [counted(number, "line") for number in (0, 1, 2, 1000)] == ["0 lines", "1 line", "2 lines", "1,000 lines"]

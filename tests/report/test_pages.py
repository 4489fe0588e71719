"""A result table as a page: its cells as they are, numbers to the right, hostile text as text."""

import pandas as pd
from report.test_render import Page

from manybleus.report.pages import table_context
from manybleus.report.render import render_report


def page(**columns):
    return render_report(table_context("mine", "What flips", pd.DataFrame(columns, dtype=str)), "table")


def test_cells_are_shown_as_they_are():
    text = Page(page(configuration=["base", "<b>1</b>"], gap=["0.30000000000000004", ""])).text
    assert "What flips" in text
    assert "0.30000000000000004" in text
    assert "<b>1</b>" in text
    assert "2 rows" in text


def test_columns_of_numbers_alone_are_sorted_as_numbers():
    context = table_context("mine", "t", pd.DataFrame({"a": ["1", "x"], "b": ["1e-3", ""], "c": ["", ""]}, dtype=str))
    assert [column["numeric"] for column in context["columns"]] == [False, True, False]


def test_a_name_from_right_to_left_turns_no_ranking_round():
    text = page(ranking=["\u0627 > \u05d1", "\u05d1 = \u0627"], pair=["\u0627-\u05d1", ""])
    assert "\u2068\u0627\u2069 &gt; \u2068\u05d1\u2069<" in text
    assert "<td>\u2068\u0627\u2069-\u2068\u05d1\u2069<" in text


def test_a_table_without_rows_is_a_page():
    text = page(configuration=[], gap=[])
    assert Page(text).stack == []
    assert "0 rows" in text

"""Statements: each computed from the tables alone, and left out where an edited study cannot make it."""

import pandas as pd
import pytest
from helpers import numbers

from manybleus.files import read_tables
from manybleus.replication.statements import STATEMENTS, statements


@pytest.fixture
def of_study(results):
    """The study's tables with numbers as numbers; each test may change its copy."""
    return {file: numbers(text) for file, text in results.items() if file.startswith("tables/")}


def stated(tables, statement):
    table = statements(tables)
    rows = table[table["statement"] == statement]
    return dict(zip(rows["quantity"], rows["value"], strict=True))


def test_every_statement_is_made_of_the_study(of_study):
    assert set(statements(of_study)["statement"]) == set(STATEMENTS)


def test_statements_are_the_same_from_files(tmp_path, results, of_study):
    for file in of_study:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(results[file], encoding="utf-8")
    found = statements(read_tables(tmp_path, of_study))
    assert found.to_csv(index=False, lineterminator="\n") == results["statements.csv"]


def test_a_user_s_own_rows_are_no_part_of_the_study_s_flips(of_study):
    before = stated(of_study, "flips")
    own = of_study["tables/flips.csv"].iloc[:1].assign(table="own", flip=True)
    of_study["tables/flips.csv"] = pd.concat([of_study["tables/flips.csv"], own])
    assert stated(of_study, "flips") == before == {"value": "5 of 16"}


def test_s1_is_not_first_where_it_is_tied(of_study):
    assert stated(of_study, "s1-first") == {"value": True}
    of_study["tables/table_b.csv"].loc[3, "ranking"] = "S1 = S2 > G"
    assert stated(of_study, "s1-first") == {"value": False}


def test_a_larger_single_change_is_told(of_study):
    assert stated(of_study, "refs-largest-effect") == {"value": True}
    table = of_study["tables/table_a.csv"]
    table.loc[table["configuration"] == "cased", "S1"] = 0.1
    assert stated(of_study, "refs-largest-effect") == {"value": False}


def test_a_score_that_only_stays_does_not_rise(of_study):
    assert stated(of_study, "refs-monotone") == {"value": True}
    precisions = of_study["tables/precisions.csv"]
    precisions.loc[1, "score"] = precisions.loc[0, "score"]
    assert stated(of_study, "refs-monotone") == {"value": False}


def test_a_falling_precision_is_told(of_study):
    assert stated(of_study, "precisions-monotone") == {"value": True}
    of_study["tables/monotone.csv"].loc[2, "precisions"] = False
    assert stated(of_study, "precisions-monotone") == {"value": False}


def test_differences_that_vanish_are_counted(of_study):
    of_study["tables/mean_minus_corpus.csv"].loc[0, "S1"] = 0.0
    assert stated(of_study, "mean-vs-corpus")["differing"] == "11 of 12"


def test_another_system_with_the_lowest_p4_is_named(of_study):
    precisions = of_study["tables/precisions.csv"]
    precisions.loc[(precisions["system"] == "G") & (precisions["references"] == 4), "p4"] = 0.01
    assert stated(of_study, "s2-lowest-p4") == {"value": "G is the lowest"}


def test_a_zero_count_at_four_references_is_told(of_study):
    assert stated(of_study, "no-zero-counts") == {"value": True}
    of_study["tables/precisions.csv"].loc[2, "p4"] = 0.0
    assert stated(of_study, "no-zero-counts") == {"value": False}


def test_scores_that_change_in_the_fourth_decimal_are_told(of_study):
    assert stated(of_study, "exp-coco-corpus") == {"value": True}
    table = of_study["tables/table_b.csv"]
    table.loc[table["configuration"] == "corpus, coco", "G"] += 1e-4
    assert stated(of_study, "exp-coco-corpus") == {"value": False}


def test_gaps_are_those_of_the_flipped_rows_and_of_the_others(of_study):
    table = of_study["tables/flips.csv"]
    leads = [-gap for gap, flip in zip(table["gap"], table["flip"], strict=True) if flip]
    assert stated(of_study, "flip-gap") == {"lowest": min(leads), "highest": max(leads)}
    assert stated(of_study, "nonflip-gap-max") == {"value": max(table["gap"][~table["flip"]])}


@pytest.mark.parametrize(
    ("file", "left_out"),
    [
        ("tables/table_b.csv", {"s1-first", "mean-spread", "add1-corpus", "exp-coco-corpus"}),
        ("tables/precisions.csv", {"refs-monotone", "no-zero-counts", "s2-lowest-p4"}),
        ("tables/mean_minus_corpus.csv", {"mean-vs-corpus", "unsmoothed-mean-below"}),
    ],
)
def test_statements_about_a_table_that_is_missing_are_left_out(of_study, file, left_out):
    del of_study[file]
    assert set(STATEMENTS) - set(statements(of_study)["statement"]) == left_out


def test_statements_about_a_missing_row_or_system_are_left_out(of_study):
    table = of_study["tables/table_a.csv"]
    of_study["tables/table_a.csv"] = table[table["configuration"] != "8 references"]
    assert stated(of_study, "refs-largest-effect") == {}
    of_study["tables/precisions.csv"] = of_study["tables/precisions.csv"].query("system != 'S2'")
    assert stated(of_study, "s2-lowest-p4") == {}

"""The first screen: each number in the answer is one of the result files'."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manybleus.report.answer import answer, facts, grid_flips
from manybleus.report.context import report_context
from manybleus.report.render import render_report


def with_over(results, **tables):
    return replace(results, over=results.over | tables)


def test_the_flips_of_the_grid_are_those_of_its_rankings(small):
    table = small.table("rankings.csv")
    others = table[table["ranking"] != small.table("flips.csv")["baseline_ranking"].iloc[0]]
    found = grid_flips(small.read())
    assert (found.cells, found.flips) == (table["cells"].sum(), others["cells"].sum())
    assert (found.distinct, found.distinct_flips) == (table["distinct_cells"].sum(), others["distinct_cells"].sum())


def test_significant_and_decisive_flips_are_counted_cell_by_cell(small):
    results = small.read()
    table = small.table("significance.csv").query("resampling == 'plain'").reset_index(drop=True)
    pairs = table["pair"].nunique()
    start = table.index[np.all([table[a].astype(str) == str(c) for a, c in small.study.baseline.items()], axis=0)]
    changed = table.assign(verdict="neither", gap=1.0)
    # In the grid's first cell two pairs lead the other way, in its second one; at the baseline the first pair leads.
    changed.loc[[0, 1, pairs + 1], "verdict"] = "second"
    changed.loc[start[0], "verdict"] = "first"
    text = changed.astype(dict.fromkeys(small.study.baseline, str))
    found = grid_flips(with_over(results, significance=text))
    assert (found.significant, found.decisive) == (2, 1)


def test_the_answer_tells_how_many_how_many_distinct_and_how_many_decisively(small):
    results = small.read()
    names = [results.baseline_ranking, "G > S2 > S1"]
    rankings = pd.DataFrame({"ranking": names, "cells": [40, 6], "distinct_cells": [10, 3]})
    told = answer(with_over(results, rankings=rankings))
    assert told["word"] == "Yes"
    assert " 6 of 46 configurations of BLEU (3 of 13 distinct) rank the systems" in told["rest"]
    assert "decisively" in told["rest"]


def test_a_tie_at_the_baseline_is_marked(small):
    results = small.read()
    cells = results.cells.assign(equal=True)
    told = answer(replace(results, cells=cells))
    assert "which is a tie for any practical purpose" in told["worth"]
    assert told["example"][0]["tie"]
    never = answer(replace(results, cells=results.cells.assign(equal=False)))
    assert "tie for any" not in never["worth"]
    assert not never["example"][0]["tie"]


def test_where_nothing_was_drawn_the_answer_says_so_and_how_to_ask(small):
    results = small.read()
    bare = {name: results.over[name].iloc[:0] for name in ("significance", "flip_significance", "reversals", "block_t")}
    undrawn = replace(with_over(results, **bare), study=replace(results.study, draws=0))
    told = answer(undrawn)
    assert told["ask"]
    assert "decisively" not in told["rest"]
    assert "significance: {}" in render_report(report_context(undrawn))


def test_the_answer_is_no_where_nothing_flips(small):
    results = small.read()
    steady = results.flips.assign(flip=False, ranking=results.flips["baseline_ranking"])
    rankings = results.over["rankings"].query("ranking == @results.baseline_ranking")
    told = answer(replace(with_over(results, rankings=rankings), flips=steady))
    assert told["word"] == "No"
    assert f"in all {len(results.cells)} configurations" in told["rest"]
    assert told["example"] == []


def test_the_example_is_the_widest_flip_of_the_tables(small):
    flips = small.table("flips.csv")
    flipped = flips[flips["flip"]]
    widest = flipped.loc[flipped["gap"].abs().idxmax()]
    example = answer(small.read())["example"]
    assert [row["configuration"] for row in example] == ["the baseline", widest["configuration"]]
    assert example[1]["ranking"] == widest["ranking"]


@pytest.mark.parametrize("file", ["checks.csv", "claims.csv"])
def test_facts_are_counted_and_left_out_where_there_are_none(small, file):
    flips = small.table("flips.csv")
    told = {fact["link"]: fact["number"] for fact in facts(small.read())}
    assert told["tables"] == f"{flips['flip'].sum()} of {len(flips)}"
    assert {"checks", "ledger", "significance"} <= told.keys()
    without = {fact["link"] for fact in facts(small.read(without=(file,)))}
    assert told.keys() - without == {{"checks.csv": "checks", "claims.csv": "ledger"}[file]}


@pytest.mark.parametrize(
    ("equal", "told"),
    [(True, "none of them decisively: at the baseline S2 and G tie."),
     (False, "none of them decisively: at the baseline neither S2 nor G leads significantly.")],
)  # fmt: skip
def test_without_an_order_at_the_baseline_no_flip_is_decisive(small, equal, told):
    results = small.read()
    undecided = results.over["significance"].assign(verdict="neither")
    changed = replace(with_over(results, significance=undecided), cells=results.cells.assign(equal=equal))
    assert answer(changed)["rest"].endswith(told)


def test_the_reason_is_not_told_of_a_pair_that_keeps_its_order(small):
    results = small.read()
    undecided = results.over["significance"].assign(verdict="neither")
    changed = replace(with_over(results, significance=undecided), cells=results.cells.assign(equal=False, gap=1.0))
    assert answer(changed)["rest"].endswith("none of them decisively.")

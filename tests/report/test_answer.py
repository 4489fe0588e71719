"""The first screen: each number in the answer is one of the result files'."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manybleus.report.answer import answer, facts, grid_flips, turning_pair
from manybleus.report.context import report_context
from manybleus.report.curve import strip
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
    # The two cells have the same scores: they are one distinct cell.
    grid = results.grid.copy()
    systems = len(results.captions.systems)
    grid.loc[range(systems, 2 * systems), "score"] = grid["score"][:systems].to_numpy()
    found = grid_flips(replace(with_over(results, significance=text), grid=grid))
    assert (found.significant, found.decisive) == (2, 1)
    assert (found.distinct_significant, found.distinct_decisive) == (1, 1)


def test_the_answer_tells_how_many_how_many_distinct_and_how_many_decisively(small):
    results = small.read()
    names = [results.baseline_ranking, "G > S2 > S1"]
    rankings = pd.DataFrame({"ranking": names, "cells": [40, 6], "distinct_cells": [10, 3]})
    told = answer(with_over(results, rankings=rankings))
    assert told["word"] == "Yes"
    assert " 6 of 46 configurations of the grid (3 of 13 distinct) rank the systems" in told["rest"]
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
    rankings = results.over["rankings"].assign(ranking=results.baseline_ranking)
    told = answer(replace(with_over(results, rankings=rankings), flips=steady))
    assert told["word"] == "No"
    grid = results.grid["score"].round(9).to_numpy().reshape(len(results.cells), -1)[:96]
    distinct = len({tuple(row) for row in grid})
    assert 1 < distinct < 96
    rows = "and in every row of the tables."
    assert told["rest"].endswith(f"in all 96 configurations of the grid ({distinct} distinct), {rows}")
    # What a "Yes" has: the baseline beside another row, here the one nearest to a flip.
    nearest = steady.loc[steady["gap"].abs().idxmin()]
    assert [row["configuration"] for row in told["example"]] == ["the baseline", nearest["configuration"]]
    assert [row["flip"] for row in told["example"]] == [False, False]
    beside = steady.iloc[:0]
    assert answer(replace(with_over(results, rankings=rankings), flips=beside))["example"] == []


def test_the_example_is_the_widest_flip_of_the_tables(small):
    flips = small.table("flips.csv")
    flipped = flips[flips["flip"]]
    widest = flipped.loc[flipped["gap"].abs().idxmax()]
    example = answer(small.read())["example"]
    assert [row["configuration"] for row in example] == ["the baseline", widest["configuration"]]
    assert [row["flip"] for row in example] == [False, True]
    assert example[1]["ranking"].replace("\N{NO-BREAK SPACE}", " ") == widest["ranking"]


@pytest.mark.parametrize("file", ["checks.csv", "claims.csv"])
def test_facts_are_counted_and_left_out_where_there_are_none(small, file):
    flips = small.table("flips.csv")
    told = {fact["link"]: fact["number"] for fact in facts(small.read())}
    assert told["tables"] == f"{flips['flip'].sum()} of {len(flips)}"
    assert {"checks", "ledger", "significance"} <= told.keys()
    without = {fact["link"] for fact in facts(small.read(without=(file,)))}
    assert told.keys() - without == {{"checks.csv": "checks", "claims.csv": "ledger"}[file]}


@pytest.mark.parametrize(
    ("gap", "told"),
    [(1e-6, "none of them decisively (both orders significant): at the baseline S2 and G agree at four decimals."),
     (0.1, "none of them decisively (both orders significant): at the baseline neither S2 nor G leads significantly.")],
)  # fmt: skip
def test_without_an_order_at_the_baseline_no_flip_is_decisive(small, gap, told):
    results = small.read()
    undecided = results.over["significance"].assign(verdict="neither")
    grid = results.grid.copy()
    grid.loc[grid["system"] != "S1", "score"] = 0.25
    grid.loc[grid["system"] == "S2", "score"] += gap
    assert answer(replace(with_over(results, significance=undecided), grid=grid))["rest"].endswith(told)


def with_orders(results, counts):
    """S1 > S2 > G everywhere, but for each pair's cells in which its first leads, its second does, and both tie."""
    rows = [(name, sum(each), *each) for name, each in counts.items()]
    pairs = pd.DataFrame(rows, columns=["pair", "cells", "first", "second", "tied"])
    places = results.over["places"].assign(baseline=[1, 2, 3])
    grid = results.grid.assign(score=results.grid["system"].map({"S1": 0.9, "S2": 0.5, "G": 0.1}))
    undecided = results.over["significance"].assign(verdict="neither")
    pairs = pairs.assign(smallest_gap=-0.1, largest_gap=0.1, distinct_first=1, distinct_second=1, distinct_tied=1)
    return replace(with_over(results, pairs=pairs, places=places, significance=undecided), grid=grid)


@pytest.mark.parametrize(
    ("counts", "pair"),
    [
        ({"S1-S2": (6, 4, 0), "S1-G": (2, 7, 1), "S2-G": (9, 1, 0)}, ("S2", "G")),
        ({"S1-S2": (6, 4, 0), "S1-G": (2, 7, 1), "S2-G": (10, 0, 0)}, ("S1", "G")),
        ({"S1-S2": (6, 4, 0), "S1-G": (10, 0, 0), "S2-G": (10, 0, 0)}, ("S1", "S2")),
        ({"S1-S2": (10, 0, 0), "S1-G": (10, 0, 0), "S2-G": (10, 0, 0)}, None),
    ],
)
def test_the_answer_and_its_drawing_are_about_the_pair_that_turns(small, counts, pair):
    changed = with_orders(small.read(), counts)
    assert turning_pair(changed) == pair
    assert strip(changed)["pair"] == (pair or ("S2", "G"))
    if pair:
        page = " ".join(render_report(report_context(changed)).split())
        assert f"how far {pair[0]} is ahead of {pair[1]}" in page
        assert (f"These two keep their order; {pair[0]} and {pair[1]} do not" in page) == (pair != ("S2", "G"))
        reason = f"at the baseline neither {pair[0]} nor {pair[1]} leads significantly."
        assert answer(changed)["rest"].endswith(reason)


def test_the_strip_has_a_bar_for_each_cell_and_tells_how_far_each_is_ahead(small):
    results = small.read()
    one, other = turning_pair(results)
    grid = small.table("grid.csv").query("case == 'lower' and tokenizer == 'split'")
    scores = grid.pivot_table(index="signature", columns="system", values="score")
    gaps = scores[one] - scores[other]
    drawn = strip(results)
    assert drawn["same"].count("M") + drawn["flips"].count("M") == drawn["drawn"] == len(gaps)
    sides = f"← {other} ahead, by up to {-gaps.min():.4f}", f"{one} ahead, by up to {gaps.max():.4f} →"
    assert drawn["sides"] == sides


@pytest.mark.parametrize("gap", [("S2", "G"), ("G", "S2")])
def test_where_no_pair_turns_the_strip_is_that_of_the_gap_in_one_colour(small, gap):
    """S2 is 0.4 ahead of G everywhere."""
    steady = with_orders(small.read(), dict.fromkeys(("S1-S2", "S1-G", "S2-G"), (10, 0, 0)))
    cells = steady.cells.assign(ranking=steady.baseline_ranking)
    drawn = strip(replace(steady, cells=cells, study=replace(steady.study, gap=gap)))
    assert (drawn["pair"], drawn["flips"]) == (("S2", "G"), "")
    assert drawn["same"].count("M") == 96
    assert drawn["sides"] == ("S2 ahead, by 0.4000 at the least", "S2 ahead, by up to 0.4000 →")


def test_of_one_system_the_strip_has_the_scores_and_the_question_is_how_far_they_move(small):
    results = small.read()
    only = results.grid[results.grid["system"] == "G"].reset_index(drop=True)
    captions = replace(results.captions, systems={"G": results.captions.systems["G"]})
    bare = {name: table.iloc[:0] for name, table in results.over.items()}
    one = replace(results, grid=only, captions=captions, over=bare, study=replace(results.study, gap=None))
    low, high = (f"{end:.4f}" for end in (only["score"].min(), only["score"].max()))
    assert strip(one)["sides"] == (low, high)
    told = answer(one)
    assert (told["question"], told["word"]) == ("how far does the score move?", f"From {low} to {high}")
    own = next(iter(results.scores(results.study.baseline).keys() & {"G"}))
    assert told["rest"].endswith(f"At the baseline it is {results.scores(results.study.baseline)[own]:.4f}.")


def test_what_only_a_table_names_is_told_apart_from_the_grid_and_not_drawn_on_the_first_screen(small):
    """The grid has one case and one tokenizer; the tables have another case and two other tokenizers, one row each."""
    results, page = small.read(), " ".join(small.html().split())
    assert (len(results.cells), results.grid_cells, grid_flips(results).cells) == (99, 96, 96)
    assert strip(results)["drawn"] == 96
    assert " of 96 configurations of the grid (" in page
    assert "the curve and the picker: 3 configurations outside of the grid that only the tables name." in page
    assert "The grid's 96 configurations were scored, which the answer at the top counts, and 3 configurations" in page

"""The specification curve: what is drawn is where the results put it."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manybleus.report.curve import LEFT, RIGHT, band_path, curve, dot_path, round_numbers, row_path, strip_path
from manybleus.text import signed


def test_round_numbers_by_hand():
    assert round_numbers(-0.09, 0.27, 6) == [0.0, 0.1, 0.2]
    assert round_numbers(-0.013, 0.021, 6) == [-0.01, 0.0, 0.01, 0.02]
    assert round_numbers(0, 0, 5)[0] == 0


def test_dots_are_lines_that_paper_shows_too_in_the_middle_of_their_column():
    assert dot_path([10, 20.5, 30], [0, 1, 0], 0, 2) == f"M{LEFT + 1} 10h.01M{LEFT + 5} 30h.01"
    assert dot_path([10, 20.5, 30], [0, 1, 0], 1, 2) == f"M{LEFT + 3} 20.5h.01"


def test_a_row_of_the_matrix_is_a_line_for_each_run():
    assert row_path([0, 0, 1, 0], [0, 0, 0, 0], 0, 0, 50, 2) == f"M{LEFT} 50h4M{LEFT + 6} 50h2"
    # A flip ends a run; significance, the second bit, does not.
    assert row_path([0, 0, 0], [0, 1, 2], 0, 1, 50, 2) == f"M{LEFT + 2} 50h2"
    assert row_path([0, 0, 0], [0, 2, 0], 0, 0, 50, 2) == f"M{LEFT} 50h6"
    assert row_path([1], [0], 0, 0, 50, 2) == ""


def test_bars_of_the_strip_stand_on_the_zero_line():
    # From -1 to 3 is 100 high: zero is 75 from the top, the bar of -1 goes 25 down, that of 3 goes 75 up.
    assert strip_path([-1, 0, 3], [1, 0, 2], 1) == "M0 75v25h1V75z"
    assert strip_path([-1, 0, 3], [1, 0, 2], 0) == "M1 75v-0h1V75zM2 75v-75h1V75z"
    assert strip_path([0], [0], 0) == "M0 0v-0h1V0z"


def test_the_band_goes_there_on_top_and_back_below():
    assert band_path([30, 31], [10, 11], 2) == f"M{LEFT + 1} 10L{LEFT + 3} 11L{LEFT + 3} 31L{LEFT + 1} 30Z"


def test_every_configuration_is_drawn_where_its_gap_is(small):
    gaps = np.sort(small.table("figures/curve.csv")["gap"])
    drawn = curve(small.read())
    assert (drawn["cells"], drawn["drawn"]) == (len(gaps), len(gaps))
    ys = json.loads(drawn["data"])["y"]
    assert ys == sorted(ys, reverse=True)
    # Two gaps fix the scale; all others lie on the same line.
    scale = (ys[0] - ys[-1]) / (gaps[-1] - gaps[0])
    assert np.allclose(ys, ys[0] - scale * (gaps - gaps[0]), atol=0.11)
    assert drawn["zero"] == pytest.approx(ys[0] + scale * gaps[0], abs=0.11)
    dots = "".join(drawn["dots"])
    assert dots.count("M") == len(gaps)


def test_flips_and_open_orders_are_those_of_the_results(small):
    results, drawn = small.read(), curve(small.read())
    flips = (results.cells["ranking"] != results.baseline_ranking).to_numpy()
    scores = results.grid["score"].round(9).to_numpy().reshape(len(flips), -1)
    distinct = len({tuple(row) for row in scores[flips].tolist()})
    assert 0 < distinct < flips.sum()
    assert drawn["flips"] == f"{flips.sum()} ({distinct} distinct)"
    table = small.table("significance.csv").query("resampling == 'plain' and pair == 'S2-G'")
    assert drawn["open"].partition(" (")[0] == str((table["verdict"] == "neither").sum())
    lowest = table.loc[table["verdict"] == "neither", "gap"].min()
    assert drawn["tie"]["low"] == signed(lowest)


def test_a_gap_is_drawn_within_its_interval(small):
    data = json.loads(curve(small.read())["data"])
    assert all(high <= y <= low for low, y, high in zip(data["low"], data["y"], data["high"], strict=True))
    intervals = small.table("figures/curve.csv").sort_values("gap", kind="stable")
    lengths = (intervals["high"] - intervals["low"]).to_numpy()
    drawn = np.subtract(data["low"], data["high"])
    assert np.allclose(drawn / drawn.max(), lengths / lengths.max(), atol=0.01)


def test_the_matrix_has_a_mark_for_each_choice_of_each_configuration(small):
    drawn = curve(small.read())
    step = (RIGHT - LEFT) / drawn["drawn"]
    for axis, rows in pd.DataFrame(drawn["rows"]).groupby("axis"):
        runs = [float(run.split("h")[1]) for paths in rows["paths"] for path in paths for run in path.split("M")[1:]]
        assert sum(runs) == pytest.approx(drawn["drawn"] * step, abs=0.06 * len(runs)), axis


def test_the_baseline_and_every_row_of_the_tables_is_marked(small):
    marks = curve(small.read())["marks"]
    assert [mark["kind"] for mark in marks].count("baseline") == 1
    cells = {str(cell) for table in small.study.tables for _, cell in table["rows"]}
    assert len(marks) == len(cells)


def test_without_draws_the_tie_band_is_what_agrees_at_four_decimals(small):
    results = small.read()
    bare = results.cells.assign(low=np.nan, high=np.nan, verdict=np.nan)
    cells = bare.assign(equal=[True, *[False] * (len(bare) - 1)])
    undrawn = replace(results, cells=cells)
    drawn = curve(undrawn)
    gap = cells["gap"].iloc[0]
    assert drawn["band"] == ""
    assert (drawn["tie"]["low"], drawn["tie"]["high"]) == (signed(gap), signed(gap))
    assert drawn["tie"]["height"] == 2
    assert curve(replace(undrawn, cells=cells.assign(equal=False)))["tie"] is None

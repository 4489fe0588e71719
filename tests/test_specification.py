"""The specification curve: every configuration with its interval and its rows, and a drawing that has all of them."""

import numpy as np
import pandas as pd
import pytest

from manybleus.bleu.configuration import Configuration, choices
from manybleus.drawing import BLUE, THEMES, VERMILION
from manybleus.specification import curve_table, draw_curve, gap_tests, runs, thinned, tie_band

BASELINE = Configuration(1, "closest", "lower", "split", "none", "corpus", 4)
AXES = list(choices(BASELINE))
# Three cells: X leads by 0.2, Y leads by 0.1, and a tie at four decimals.
SCORES = {"none": (0.5, 0.3), "add-1": (0.4, 0.5), "exp": (0.40001, 0.40002)}
ROWS = [
    ("base", BASELINE),
    ("add", Configuration(1, "closest", "lower", "split", "add-1", "corpus", 4)),
    ("again", BASELINE),
]


def grid():
    cells = [{**choices(BASELINE), "smoothing": smoothing} for smoothing in SCORES]
    rows = [
        {**cell, "system": system, "score": score}
        for cell in cells
        for system, score in zip("XY", SCORES[cell["smoothing"]], strict=True)
    ]
    return pd.DataFrame(rows)


def significance():
    rows = [(0.1, 0.3, "first"), (-0.2, -0.05, "second"), (-0.1, 0.1, "neither")]
    tests = pd.DataFrame(rows, columns=["low", "high", "verdict"])
    tests.insert(0, "gap", [first - second for first, second in SCORES.values()])
    one, other = tests.assign(resampling="plain"), tests.assign(resampling="stratified", low=-9.0)
    return pd.concat([one, other]).assign(pair="X-Y")


def table(gap=("X", "Y"), tests=None):
    return curve_table(grid(), gap, 1e-12, significance() if tests is None else tests, ROWS)


def test_every_configuration_has_its_ranking_its_interval_and_its_rows():
    made = table()
    assert list(made.columns) == [*AXES, "ranking", "gap", "equal", "low", "high", "verdict", "row"]
    assert list(made["ranking"]) == ["X > Y", "Y > X", "Y > X"]
    assert list(made["gap"]) == pytest.approx([0.2, -0.1, -0.00001])
    assert list(made["equal"]) == [False, False, True]
    assert list(made["low"]) == [0.1, -0.2, -0.1]
    assert list(made["verdict"]) == ["first", "second", "neither"]
    assert list(made["row"]) == ["base; again", "add", ""]


def test_an_interval_is_turned_with_its_pair():
    turned = table(("Y", "X"))
    assert list(turned["gap"]) == pytest.approx([-0.2, 0.1, 0.00001])
    assert list(turned["low"]) == [-0.3, 0.05, -0.1]
    assert list(turned["high"]) == [-0.1, 0.2, 0.1]
    assert list(turned["verdict"]) == ["second", "first", "neither"]
    assert gap_tests(significance(), None).empty


def test_without_draws_there_is_no_interval_and_the_tie_band_is_what_agrees_at_four_decimals():
    bare = table(tests=pd.DataFrame())
    assert bare[["low", "high"]].isna().all(axis=None)
    assert tie_band(bare) == pytest.approx((-0.00001, -0.00001))
    assert tie_band(bare.assign(equal=False)) is None
    assert tie_band(table()) == pytest.approx((-0.00001, -0.00001))
    assert tie_band(table().assign(verdict="neither")) == pytest.approx((-0.1, 0.2))


def test_large_grids_are_thinned_to_quantiles_and_keep_what_is_named():
    assert thinned(5, [2], 10) == [0, 1, 2, 3, 4]
    assert thinned(101, [7], 5) == [0, 7, 25, 50, 75, 100]


def test_runs_by_hand():
    assert runs([True, True, False, True]) == [(0, 2), (3, 1)]
    assert runs([False, False]) == []


def test_the_drawing_has_every_gap_in_the_colour_of_its_ranking():
    above, below = draw_curve(table(), ("X", "Y"), BASELINE, THEMES["light"]).axes
    points = {
        colour: sorted(
            (float(x), float(y))
            for line in above.lines
            if line.get_color() == colour
            for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
        )
        for colour in (BLUE, VERMILION)
    }
    assert points[VERMILION] == [(0.5, pytest.approx(-0.1)), (1.5, pytest.approx(-0.00001))]
    assert points[BLUE] == [(2.5, pytest.approx(0.2))]
    hollow = [line for line in above.lines if line.get_markerfacecolor() == "none" and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in hollow] == [[1.5]]
    # The one axis with a choice, and the row of the study's tables above it.
    labels = [label.get_text() for label in below.get_yticklabels()]
    assert labels == ["rows of the tables", "smoothing:  none ●", "add-1", "exp"]
    widths = [path.get_extents().width for runs in below.collections for path in runs.get_paths()]
    assert np.sum(widths) == pytest.approx(3)

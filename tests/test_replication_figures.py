"""The figures of the replications: every draw has its mark, and the files are the same each time."""

import numpy as np
import pandas as pd
import pytest

from manybleus.drawing import BLUE, THEMES, VERMILION
from manybleus.replication.distributions import row_table
from manybleus.replication_figures import draw_rows, draw_sizes, replication_figures

# Row -> its gap in the seeds 0, 1, 2 of ten images, then of twenty; where it is below zero the row flips.
GAPS = {"base": (0.01, 0.02, 0.03, 0.02, 0.02, 0.02), "less": (-0.02, 0.01, -0.01, -0.03, -0.03, 0.04)}


@pytest.fixture(scope="module")
def draws():
    return pd.DataFrame(
        {
            "redrawn": redrawn,
            "seed": place % 3,
            "images": 10 if place < 3 else 20,
            "table": "A",
            "configuration": name,
            "pair": "X-Y",
            "gap": gap,
            "compared": "X > Y",
            "ranking": "X > Y" if gap > 0 else "Y > X",
            "change": "baseline" if name == "base" else "flip" if gap < 0 else "same",
        }
        for redrawn in ("scenes", "reference order", "one reference")
        for name, gaps in GAPS.items()
        for place, gap in enumerate(gaps if redrawn == "scenes" else gaps[:3])
    )


@pytest.fixture(scope="module")
def rows(draws):
    return row_table(draws, range(3), 10, 0, 1e-12)


def marks(axes):
    """The horizontal and vertical places of all marks: circles, then diamonds."""
    lines = [line for line in axes.lines if line.get_marker() in ("o", "D")]
    assert {(line.get_marker(), line.get_color()) for line in lines} == {("o", BLUE), ("D", VERMILION)}
    return [
        tuple(np.concatenate([line.get_data()[i] for line in lines if line.get_marker() == mark]) for i in (0, 1))
        for mark in ("o", "D")
    ]


def bars(axes, axis):
    """Where the study's own bars stand."""
    ends = [line.get_data()[axis] for line in axes.lines if line.get_linewidth() == 2.4]
    assert all(start == end for start, end in ends)
    return [start for start, _ in ends]


def test_every_draw_of_a_row_has_a_mark_and_the_study_a_bar(draws, rows):
    shown = draws[(draws["redrawn"] == "scenes") & (draws["images"] == 10)]
    (axes,) = draw_rows(shown, rows[rows["redrawn"] == "scenes"], ("X", "Y"), THEMES["light"]).axes
    circles, diamonds = marks(axes)
    assert sorted(circles[0]) == [0.01, 0.01, 0.02, 0.03]
    assert sorted(diamonds[0]) == [-0.02, -0.01]
    assert bars(axes, 0) == [0.01, -0.02]
    assert [text.get_text() for text in axes.texts] == ["Table A", "the baseline", "2 of 3 flip"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["base", "less"]
    # Marks of one row stay apart from those of the next.
    assert np.abs(diamonds[1] - 2).max() < 0.5


def test_every_number_of_images_has_its_draws(draws, rows):
    of_scenes = rows[rows["redrawn"] == "scenes"]
    first, second = draw_sizes(draws[draws["redrawn"] == "scenes"], of_scenes, ("X", "Y"), 10, THEMES["dark"]).axes
    circles, diamonds = marks(second)
    assert sorted(circles[1]) == [0.01, 0.04]
    assert sorted(diamonds[1]) == [-0.03, -0.03, -0.02, -0.01]
    assert np.round(diamonds[0]).tolist() == [0, 0, 1, 1]
    assert (bars(first, 1), bars(second, 1)) == ([0.01], [-0.02])
    assert first.get_ylim() == second.get_ylim()
    assert [label.get_text() for label in second.get_xticklabels()] == ["10", "20"]


def test_files_are_the_same_each_time_and_have_every_figure(draws, rows):
    made = replication_figures(draws, rows, ("X", "Y"), 10, range(3), range(3))
    assert replication_figures(draws, rows, ("X", "Y"), 10, range(3), range(3)) == made
    names = ("scenes", "order", "one_reference", "sizes")
    assert made.keys() == {f"{name}.{end}" for name in names for end in ("light.svg", "dark.svg", "png")}
    without = replication_figures(draws, rows, ("X", "Y"), 10, range(3), [])
    assert made.keys() - without.keys() == {"sizes.light.svg", "sizes.dark.svg", "sizes.png"}


def test_seeds_outside_of_the_range_are_not_drawn(draws, rows):
    more = pd.concat([draws, draws[draws["seed"] == 2].assign(seed=77, gap=0.5)])
    drawn = replication_figures(more, rows, ("X", "Y"), 10, range(3), range(3))
    assert drawn == replication_figures(draws, rows, ("X", "Y"), 10, range(3), range(3))

"""Tables cut out of a grid, against small grids by hand."""

from dataclasses import replace

import pandas as pd
import pytest
from helpers import numbers

from manybleus.analysis.rankings import ranking
from manybleus.analysis.tables import (
    Grid,
    aggregation_table,
    as_markdown,
    brevity_penalty_table,
    build_table,
    grid_table,
    monotone_table,
    nested_reference_counts,
    precision_table,
    spread_table,
    study_tables,
)
from manybleus.bleu.configuration import AXES, DEFAULTS, Configuration
from manybleus.bleu.scores import Score
from manybleus.config import Table
from manybleus.errors import ManybleusError
from manybleus.files import read_table, write_table

ALWAYS_NAMED = [axis for axis in AXES if axis not in DEFAULTS]
BASE = Configuration(4, "closest", "lower", "split", "none", "corpus", 2)
ONE = replace(BASE, references=1)
EVERY = replace(BASE, references="all")
MEAN = replace(BASE, aggregation="mean-sentence")
VALUES = {
    BASE: (0.5, 0.25),
    ONE: (0.125, 0.25),
    EVERY: (0.5, 0.5),
    MEAN: (0.4, 0.3),
    replace(ONE, aggregation="mean-sentence"): (0, 0),
}


def scores():
    return [
        Score(cell, system, value, 1 - value / 2, (value, value / 4), 10, 12.5)
        for cell, values in VALUES.items()
        for system, value in zip(("X", "Y"), values, strict=True)
    ]


@pytest.fixture
def grid():
    return Grid(grid_table(scores(), "digest"))


def test_a_grid_has_a_row_for_every_cell_and_system():
    table = grid_table(scores(), "digest")
    extra = ["candidate_length", "effective_reference_length", "signature"]
    assert list(table.columns) == [*ALWAYS_NAMED, "system", "score", "bp", "p1", "p2", *extra]
    assert len(table) == len(VALUES) * 2
    first = table.iloc[0]
    assert (first["system"], first["score"], first["bp"], first["p2"]) == ("X", 0.5, 0.75, 0.125)
    assert (first["candidate_length"], first["effective_reference_length"]) == (10, 12.5)
    assert first["signature"] == BASE.signature("digest")


def test_cells_of_fewer_orders_have_no_precision_of_the_others():
    table = grid_table([*scores(), Score(replace(BASE, max_order=1), "X", 0.5, 1, (0.5,), 1, 1)], "")
    assert table["p2"].isna().tolist() == [False] * 10 + [True]


def test_a_grid_is_read_back_from_its_file(tmp_path, grid):
    write_table(tmp_path / "grid.csv", grid_table(scores(), "digest"))
    read = Grid(read_table(tmp_path / "grid.csv"))
    for cell in VALUES:
        assert read.scores(cell) == grid.scores(cell)
        assert read.column(cell, "bp") == grid.column(cell, "bp")


def test_axes_that_some_cell_moves_have_columns_and_are_read_back(tmp_path):
    moved = {
        BASE: 0.5,
        replace(BASE, weights=(0.25, 0.75)): 0.4,
        replace(BASE, effective_order=True): 0.3,
        replace(BASE, brevity_penalty=False): 0.2,
    }
    found = [Score(cell, "X", value, 1, (value, value), 10, 10) for cell, value in moved.items()]
    table = grid_table(found, "")
    assert list(table.columns)[: len(AXES)] == list(AXES)
    assert table["weights"].tolist() == ["uniform", "0.25,0.75", "uniform", "uniform"]
    assert table["effective_order"].tolist() == ["no", "no", "yes", "no"]
    assert table["brevity_penalty"].tolist() == ["yes", "yes", "yes", "no"]
    write_table(tmp_path / "grid.csv", table)
    read = Grid(read_table(tmp_path / "grid.csv"))
    assert {cell: read.scores(cell)["X"] for cell in moved} == moved
    only = grid_table(found[:2], "")
    assert [axis for axis in AXES if axis in only] == [*ALWAYS_NAMED, "weights"]
    assert Grid(only).scores(BASE) == {"X": 0.5}


def test_a_missing_cell_is_named(grid):
    with pytest.raises(ManybleusError, match=r"grid\.csv has no cell .*'references': 2"):
        grid.scores(replace(BASE, references=2))


def test_a_table_by_hand(grid):
    table = build_table(grid, [("base", BASE), ("one", ONE), ("all", EVERY)], ("X", "Y"), 1e-12)
    assert table.to_dict("list") == {
        "configuration": ["base", "one", "all"],
        "X": [0.5, 0.125, 0.5],
        "Y": [0.25, 0.25, 0.5],
        "ranking": ["X > Y", "Y > X", "X = Y"],
        "X-Y": [0.25, -0.125, 0],
    }
    assert list(build_table(grid, [("base", BASE)], ("Y", "X"), 1e-12).columns)[-1] == "Y-X"


def test_a_table_for_reading(grid):
    table = build_table(grid, [("a | b", BASE), ("one", ONE)], ("X", "Y"), 1e-12)
    assert as_markdown(table) == (
        "| configuration | X | Y | ranking | X-Y |\n"
        "| :-- | --: | --: | :-- | --: |\n"
        "| a \\| b | 0.5000 | 0.2500 | X > Y | +2.50e-01 |\n"
        "| one | 0.1250 | 0.2500 | Y > X | -1.25e-01 |\n"
    )


def test_spreads_by_hand(grid):
    table = build_table(grid, [("base", BASE), ("one", ONE)], ("X", "Y"), 1e-12)
    assert spread_table(table, ["X", "Y"]).to_dict("list") == {"system": ["X", "Y"], "spread": [0.375, 0.0]}


def test_mean_minus_corpus_by_hand(grid):
    table = aggregation_table(grid, [("base", BASE), ("mean", MEAN)], BASE, ["X", "Y"])
    assert table["smoothing"].tolist() == ["none"]
    assert (table["X"][0], table["Y"][0]) == pytest.approx((-0.1, 0.05))


def test_a_smoothing_that_is_shown_under_one_aggregation_only_is_left_out(grid):
    table = aggregation_table(grid, [("base", BASE)], BASE, ["X", "Y"])
    assert list(table.columns) == ["smoothing", "X", "Y"]
    assert len(table) == 0


def test_brevity_penalties_by_hand(grid):
    table = brevity_penalty_table(grid, BASE, ["X", "Y"])
    assert table.to_dict("list") == {"system": ["X", "Y"], "corpus": [0.75, 0.875], "mean-sentence": [0.8, 0.85]}


def test_precisions_by_hand(grid):
    table = precision_table(grid, [ONE, BASE, EVERY], ["X", "Y"])
    assert table["system"].tolist() == ["X"] * 3 + ["Y"] * 3
    assert table["references"].tolist() == [1, 4, "all"] * 2
    assert table["score"].tolist() == [0.125, 0.5, 0.5, 0.25, 0.25, 0.5]
    assert table["p2"].tolist() == [0.125 / 4, 0.125, 0.125, 0.0625, 0.0625, 0.125]


@pytest.mark.parametrize(
    ("p1", "p2", "score", "expected"),
    [
        ([0.1, 0.2, 0.2], [0.1, 0.1, 0.3], [0.1, 0.2, 0.3], [True, True]),
        ([0.1, 0.2, 0.3], [0.1, 0.3, 0.2], [0.1, 0.2, 0.3], [False, True]),
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.3, 0.2, 0.2], [True, False]),
        ([0.1], [0.1], [0.1], [True, True]),
    ],
)
def test_what_never_falls(p1, p2, score, expected):
    precisions = pd.DataFrame({"system": "X", "references": range(len(p1)), "score": score, "p1": p1, "p2": p2})
    other = precisions.assign(system="Y", p1=0.0, p2=0.0, score=0.0)
    found = monotone_table(pd.concat([precisions, other]))
    assert found.to_dict("list") == {
        "system": ["X", "Y"],
        "precisions": [expected[0], True],
        "score": [expected[1], True],
    }


def test_nested_reference_counts_are_those_of_the_table_and_the_baseline_fewest_first():
    rows = [("all", EVERY), ("one", ONE), ("mean", MEAN), ("both", replace(ONE, case="cased"))]
    assert nested_reference_counts(rows, BASE) == [ONE, BASE, EVERY]
    assert nested_reference_counts([("mean", MEAN)], BASE) == [BASE]


def test_all_tables_of_a_study_and_their_files():
    grid = grid_table(scores(), "")
    tables = [
        Table("A", "first", (("base", BASE), ("one", ONE)), ("one",)),
        Table("more", "second", (("mean", MEAN), ("base again", BASE)), ("mean",)),
    ]
    made = study_tables(grid, tables, BASE, ("X", "Y"), 1e-12)
    smaller = ["spread", "mean_minus_corpus", "brevity_penalties", "precisions", "monotone"]
    assert list(made) == [
        "gap.csv",
        "tables/table_a.csv",
        "tables/table_more.csv",
        "tables/flips.csv",
        *(f"tables/{name}.csv" for name in smaller),
    ]
    assert made["tables/flips.csv"][["table", "configuration", "flip"]].to_numpy().tolist() == [
        ["A", "one", True],
        ["more", "mean", False],
    ]
    assert made["tables/spread.csv"]["spread"].tolist() == [0.375, 0.0], "of the first table"
    assert made["tables/mean_minus_corpus.csv"]["smoothing"].tolist() == ["none"]


def test_the_pair_of_the_gap_is_no_system_and_its_copy():
    """A and its copy are closest in the cell; A and B are the next. A copy alone is all that there is."""
    table = Table("A", "first", (("base", BASE),), ())

    def pair(**at_baseline):
        cells = [BASE, replace(BASE, aggregation="mean-sentence")]
        scored = [Score(cell, *each, 1.0, (0.5, 0.5), 9, 9.0) for cell in cells for each in at_baseline.items()]
        grid = grid_table(scored, "")
        return study_tables(grid, [table], BASE, None, 1e-12)["gap.csv"].iloc[0].tolist()

    assert pair(A=0.5, copy=0.5, B=0.4, C=0.1) == ["A", "B"]
    assert pair(A=0.5, B=0.4, C=0.39) == ["B", "C"]
    assert pair(A=0.5, copy=0.5) == ["A", "copy"]


def test_the_study_s_full_grid_ranks_as_was_counted(results):
    """Facts counted by an independent script: 468 and 108 of the 576 cells."""
    grid = numbers(results["grid.csv"])
    cells = grid.groupby(ALWAYS_NAMED, sort=False)
    found = pd.Series([ranking(dict(zip(cell["system"], cell["score"], strict=True)), 1e-12) for _, cell in cells])
    assert found.value_counts().to_dict() == {"S1 > S2 > G": 468, "S1 > G > S2": 108}

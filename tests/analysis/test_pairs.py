"""Ranks and pairs over a grid, and the pair whose gap is told."""

import pandas as pd
import pytest

from manybleus.analysis.rankings import closest_pair, flips, gap_column, pair_table, rank_table
from manybleus.analysis.tables import as_markdown, chosen_pair

SCORES = {"one": (0.5, 0.3, 0.4), "two": (0.2, 0.2, 0.4), "three": (0.1, 0.3, 0.3)}
GRID = pd.DataFrame(
    [
        {"cell": cell, "system": system, "score": score}
        for cell, scores in SCORES.items()
        for system, score in zip("XYZ", scores, strict=True)
    ]
)
BASELINE = dict(zip("XYZ", SCORES["one"], strict=True))


def test_ranks_are_counted_over_all_cells_in_the_baseline_s_order():
    """By hand: cell two ranks Z, X = Y; cell three Y = Z, X."""
    assert rank_table(GRID, BASELINE, 1e-12).to_dict("list") == {
        "system": ["X", "Z", "Y"],
        "score": [0.5, 0.4, 0.3],
        "rank": [1, 2, 3],
        "best_rank": [1, 1, 1],
        "worst_rank": [3, 2, 3],
    }


def test_a_tie_is_what_leads_by_less_than_the_tolerance():
    assert list(rank_table(GRID, BASELINE, 0.15)["worst_rank"]) == [3, 1, 2]
    (both,) = pair_table(GRID, BASELINE, 0.15).query("first == 'X' and second == 'Z'").to_dict("records")
    assert (both["ahead"], both["tied"], both["behind"]) == (0, 1, 2)


def test_pairs_stand_in_the_baseline_s_order_those_that_turn_most_first():
    table = pair_table(GRID, BASELINE, 1e-12)
    assert table.drop(columns="gap").values.tolist() == [
        ["X", "Z", 1, 0, 2],
        ["X", "Y", 1, 1, 1],
        ["Z", "Y", 2, 1, 0],
    ]
    assert list(table["gap"]) == [BASELINE["X"] - BASELINE["Z"], BASELINE["X"] - BASELINE["Y"], 0.4 - 0.3]


@pytest.mark.parametrize(
    ("scores", "pair"),
    [
        ({"A": 0.1, "B": 0.5, "C": 0.45}, ("B", "C")),
        ({"A": 0.1, "B": 0.1}, ("A", "B")),
        ({"A": 0.25, "B": 0.5, "C": 0.75}, ("C", "B")),
        ({"A": 0.1}, None),
    ],
)
def test_the_closest_neighbours_are_the_pair_the_better_first(scores, pair):
    assert closest_pair(scores) == pair


def test_one_system_alone_has_no_pair_no_gap_and_no_flip():
    grid = GRID[GRID["system"] == "X"]
    assert len(pair_table(grid, {"X": 0.5}, 1e-12)) == 0
    assert rank_table(grid, {"X": 0.5}, 1e-12)["worst_rank"].tolist() == [1]
    assert chosen_pair(pd.DataFrame(columns=["first", "second"])) is None
    table = pd.DataFrame({"configuration": ["base", "a | b"], "X": [0.5, 0.25], "ranking": ["X", "X"]})
    assert gap_column(table) is None
    found = flips({"A": table}, {"A": ["a | b"]}, "X").to_dict("records")
    assert [(row["pair"], row["flip"], row["gap"] != row["gap"]) for row in found] == [("", False, True)]
    assert as_markdown(table).splitlines() == [
        "| configuration | X | ranking |",
        "| :-- | --: | :-- |",
        "| base | 0.5000 | X |",
        "| a \\| b | 0.2500 | X |",
    ]

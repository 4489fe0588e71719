"""Rankings, ties and flips."""

import pandas as pd
import pytest

from manybleus.analysis.rankings import closest_pair, flips, gap_column, ranking


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"S1": 0.3, "S2": 0.2, "G": 0.1}, "S1 > S2 > G"),
        ({"S1": 0.1, "S2": 0.3, "G": 0.2}, "S2 > G > S1"),
        ({"S1": 0.5, "S2": 0.5, "G": 0.5}, "S1 = S2 = G"),
        ({"S1": 0.5, "S2": 0.5 + 5e-13, "G": 0.4}, "S1 = S2 > G"),
        ({"S1": 0.5, "S2": 0.5 - 2e-12, "G": 0.4}, "S1 > S2 > G"),
        ({"S1": 0.0, "S2": 0.0, "G": 1.0}, "G > S1 = S2"),
        ({"only": 0.2}, "only"),
    ],
)
def test_rankings_by_hand(scores, expected):
    assert ranking(scores, 1e-12) == expected


def test_neighbours_are_compared_one_by_one():
    """A chain of ties may reach further than the tolerance: only neighbours are compared."""
    assert ranking({"a": 0.30, "b": 0.29, "c": 0.28}, 0.011) == "a = b = c"
    assert ranking({"a": 0.30, "b": 0.29, "c": 0.25}, 0.011) == "a = b > c"


def test_a_difference_of_the_tolerance_is_no_tie():
    assert ranking({"a": 0.5, "b": 0.25}, 0.25) == "a > b"
    assert ranking({"a": 0.5, "b": 0.25}, 0.2500001) == "a = b"


def test_tied_systems_stand_in_their_order_whichever_has_the_last_bit():
    assert ranking({"a": 0.5 - 5e-17, "b": 0.5, "c": 0.6}, 1e-12) == ranking(
        {"a": 0.5, "b": 0.5 - 5e-17, "c": 0.6}, 1e-12
    )


def test_equal_scores_are_tied_whatever_the_tolerance():
    assert ranking({"a": 0.5, "b": 0.5}, 0) == "a = b"


TABLE = pd.DataFrame(
    {
        "configuration": ["baseline", "one", "two"],
        "S1": [0.3, 0.3, 0.1],
        "S2": [0.2, 0.2, 0.2],
        "ranking": ["S1 > S2", "S1 > S2", "S2 > S1"],
        "S1-S2": [0.1, 0.1, -0.1],
    }
)


def test_flips_are_counted_rows_that_rank_otherwise():
    found = flips({"A": TABLE, "B": TABLE}, {"A": ["one", "two"], "B": ["two"]}, "S1 > S2")
    assert found.to_dict("list") == {
        "table": ["A", "A", "B"],
        "configuration": ["one", "two", "two"],
        "pair": ["S1-S2"] * 3,
        "baseline_ranking": ["S1 > S2"] * 3,
        "ranking": ["S1 > S2", "S2 > S1", "S2 > S1"],
        "gap": [0.1, -0.1, -0.1],
        "flip": [False, True, True],
    }


def test_a_table_without_counted_rows_has_no_flips():
    found = flips({"A": TABLE}, {"A": []}, "S1 > S2")
    assert len(found) == 0
    assert "flip" in found


def test_a_table_of_one_system_has_no_gap():
    alone = TABLE[["configuration", "S1", "ranking"]]
    assert (gap_column(TABLE), gap_column(alone)) == ("S1-S2", None)
    found = flips({"A": alone}, {"A": ["two"]}, "S1")
    assert found["pair"].tolist() == [""]
    assert found["gap"].isna().all()


@pytest.mark.parametrize(
    ("scores", "pair"),
    [
        ({"a": 0.1, "b": 0.5, "c": 0.4}, ("b", "c")),
        ({"a": 0.25, "b": 0.5, "c": 0.75}, ("b", "c")),
        ({"a": 0.5, "b": 0.5}, ("a", "b")),
        ({"only": 0.5}, None),
    ],
)
def test_the_closest_pair_are_neighbours_in_the_order_of_the_systems(scores, pair):
    assert closest_pair(scores) == pair

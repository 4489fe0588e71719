"""Places, pairs and rank correlation over all cells."""

import math

import numpy as np
import pytest

from manybleus.analysis.orders import (
    distinct_cells,
    pair_name,
    pair_orders,
    pair_table,
    pairs_of,
    place_table,
    places_of,
    ranking_counts,
    ranking_table,
    rankings_of,
)

SYSTEMS = ("A", "B", "C")
SCORES = np.array([[0.3, 0.2, 0.1], [0.5, 0.5 + 5e-13, 0.4], [0.5, 0.5, 0.5], [0.3, 0.1, 0.2]])


def test_a_tie_is_held_both_ways():
    best, worst = places_of(SCORES, 1e-12)
    assert best.tolist() == [[1, 2, 3], [1, 1, 3], [1, 1, 1], [1, 3, 2]]
    assert worst.tolist() == [[1, 2, 3], [2, 2, 3], [3, 3, 3], [1, 3, 2]]


def test_pairs_tie_as_rankings_do():
    assert pair_orders(SCORES, 1e-12).tolist() == [[1, 1, 1], [0, 1, 1], [0, 0, 0], [1, 1, -1]]
    assert pair_orders(np.array([[0.0, 0.0], [0.0, 1e-300], [1e-300, 0.0]]), 0).tolist() == [[0], [-1], [1]]
    # A chain of ties holds the ends of it together: A = B = C.
    assert pair_orders(np.array([[0.30, 0.29, 0.28]]), 0.011).tolist() == [[0, 0, 0]]


def test_pairs_follow_the_systems():
    assert [pair_name(SYSTEMS, pair) for pair in pairs_of(SYSTEMS)] == ["A-B", "A-C", "B-C"]


def test_cells_are_told_apart_in_nine_decimals_or_in_any_bit():
    scores = np.array([[0.25, 0.5], [0.25 + 4e-10, 0.5], [0.25 + 2e-9, 0.5], [0.25, 0.5]])
    assert distinct_cells(scores) == 2
    assert distinct_cells(scores, None) == 3


def test_of_rankings_as_frequent_the_first_cell_comes_first():
    cells = np.array([(0.1, 0.2), (0.3, 0.2), (0.3, 0.1), (0.2, 0.2), (0.0, 0.3)])
    counts = ranking_counts(cells, rankings_of(cells, ["a", "b"], 1e-12))
    found = counts[["ranking", "cells"]].to_dict("list")
    assert found == {"ranking": ["b > a", "a > b", "a = b"], "cells": [2, 2, 1]}


def test_kendalls_tau_b_by_hand():
    """Of three pairs one is turned round: (2 - 1) / 3. One is tied: 2 / sqrt(2 * 3). All are tied: none."""
    table = ranking_table(SCORES, SYSTEMS, SCORES[0], 1e-12).set_index("ranking")
    assert table.loc["A > B > C", "tau_b"] == 1
    assert table.loc["A > C > B", "tau_b"] == pytest.approx(1 / 3, abs=1e-14)
    assert table.loc["A = B > C", "tau_b"] == pytest.approx(2 / math.sqrt(6), abs=1e-14)
    assert math.isnan(table.loc["A = B = C", "tau_b"])


def test_rankings_are_counted_the_most_frequent_first():
    table = ranking_table(SCORES[[0, 3, 3, 0, 3]] + np.array([[0], [0], [1e-12], [0], [1e-3]]), SYSTEMS, SCORES[0], 0)
    assert table[["ranking", "cells", "distinct_cells", "distinct_bits"]].to_numpy().tolist() == [
        ["A > C > B", 3, 2, 3],
        ["A > B > C", 2, 1, 1],
    ]


def test_the_interval_of_a_systems_places():
    table = place_table(SCORES[[0, 1, 3]], SYSTEMS, SCORES[0], 1e-12)
    assert table[["system", "baseline", "best", "worst"]].to_numpy().tolist() == [
        ["A", 1, 1, 2],
        ["B", 2, 1, 3],
        ["C", 3, 2, 3],
    ]
    assert table["lowest_score"].tolist() == [0.3, 0.1, 0.1]


def test_pairs_whose_order_holds_everywhere_and_those_that_do_not():
    table = pair_table(SCORES, SYSTEMS, 1e-12).set_index("pair")
    assert table[["first", "second", "tied", "holds"]].to_numpy().tolist() == [
        [2, 0, 2, False],
        [3, 0, 1, False],
        [2, 1, 1, False],
    ]
    assert pair_table(SCORES[[0, 3]], SYSTEMS, 1e-12)["holds"].tolist() == [True, True, False]
    assert table.loc["B-C", "smallest_gap"] == pytest.approx(-0.1)

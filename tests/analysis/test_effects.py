"""What each choice does, over the full grid."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from helpers import numbers

from manybleus.analysis.effects import (
    decompose,
    effect_table,
    effect_tables,
    fixed_table,
    full_grid,
    neighbour_table,
    variance_table,
)
from manybleus.bleu.configuration import Configuration, choice_text, choices, configurations
from manybleus.errors import ManybleusError

ALONE = {
    "references": [1, 2],
    "reference_length": ["closest"],
    "case": ["lower", "cased"],
    "tokenizer": ["split"],
    "smoothing": ["none"],
    "aggregation": ["corpus"],
    "max_order": [4],
}
# The gaps of A and B in the cells (1, lower), (1, cased), (2, lower), (2, cased).
GAPS = [0.1, 0.2, -0.1, 0.4]


def table_of(axes, scores):
    rows = [
        {**{axis: choice_text(choice) for axis, choice in choices(cell).items()}, "system": system, "score": score}
        for cell, of_cell in zip(configurations(axes), scores, strict=True)
        for system, score in of_cell.items()
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def grid():
    return full_grid(table_of(ALONE, [{"A": 0.5 + gap, "B": 0.5} for gap in GAPS]), ALONE)


def test_effects_by_hand(grid):
    table = effect_table(grid, 1e-12)
    assert table[["axis", "from", "to", "pair", "contexts", "flips"]].fillna("").to_numpy().tolist() == [
        ["references", "", "", "A-B", 2, 1],
        ["references", "1", "2", "A-B", 2, 1],
        ["case", "", "", "A-B", 2, 1],
        ["case", "lower", "cased", "A-B", 2, 1],
    ]
    assert table["mean_change"].tolist() == pytest.approx([np.nan, 0, np.nan, 0.3], nan_ok=True)
    assert table["mean_absolute_change"].tolist() == pytest.approx([0.2, 0.2, 0.3, 0.3])
    assert table["pivotality"].tolist() == [0.5] * 4


def test_an_axis_of_three_choices_is_pivotal_where_any_change_flips():
    axes = ALONE | {"references": [1, 2, 3], "case": ["lower"]}
    table = effect_table(full_grid(table_of(axes, [{"A": 0.5 + gap, "B": 0.5} for gap in (0.1, 0.2, -0.1)]), axes), 0)
    assert table["flips"].tolist() == [1, 0, 1, 1]
    assert table["mean_change"].tolist()[1:] == pytest.approx([0.1, -0.2, -0.3])


def test_variances_by_hand(grid):
    """The gaps' mean is 0.15; the means by references 0.15 and 0.15, by case 0 and 0.3; the variance is 0.0325."""
    table = variance_table(grid, 1e-12).set_index(["of", "term"])
    assert table.loc["A-B", "variance"].tolist() == pytest.approx([0, 0.0225, 0.01], abs=1e-16)
    assert table.loc["A-B", "share"].tolist() == pytest.approx([0, 9 / 13, 4 / 13])
    assert table.loc["A-B", "total_share"].tolist() == pytest.approx([4 / 13, 1, np.nan], nan_ok=True)
    assert table.loc["A", "share"].tolist() == pytest.approx([0, 9 / 13, 4 / 13])
    assert table.loc["B", "share"].isna().all()


def test_the_parts_sum_to_the_whole_and_are_orthogonal():
    values = np.random.default_rng(0).normal(size=(4, 3, 2, 3, 2))
    parts = decompose(values)
    assert len(parts) == 2**4
    assert np.allclose(sum(parts.values()), values, rtol=0, atol=1e-14)
    for one, other in combinations(parts.values(), 2):
        products = np.broadcast_to(one * other, values.shape)
        assert np.allclose(products.mean(axis=(0, 1, 2, 3)), 0, rtol=0, atol=1e-15)
    for term, part in parts.items():
        assert all(np.allclose(part.sum(axis=axis), 0, atol=1e-13) for axis in term)


def test_neighbours_by_hand(grid):
    table = neighbour_table(grid, ("A", "B"), 1e-12)
    assert table[["references", "case", "axis", "to", "ranking", "flip"]].to_numpy().tolist() == [
        ["1", "lower", "references", "2", "B > A", True],
        ["1", "lower", "case", "cased", "A > B", False],
        ["1", "cased", "references", "2", "A > B", False],
        ["1", "cased", "case", "lower", "A > B", False],
        ["2", "lower", "references", "1", "A > B", True],
        ["2", "lower", "case", "cased", "A > B", True],
        ["2", "cased", "references", "1", "A > B", False],
        ["2", "cased", "case", "lower", "B > A", True],
    ]
    assert table["gap"].tolist() == pytest.approx([-0.1, 0.2, 0.4, 0.1, 0.1, 0.4, 0.2, -0.1])


def test_the_smallest_sets_that_leave_one_ranking_by_hand(grid):
    assert fixed_table(grid, 1e-12).fillna("").to_numpy().tolist() == [
        ["choices", "references=1", 1, "A > B", 2, 2],
        ["choices", "case=cased", 1, "A > B", 2, 2],
        ["choices", "references=2; case=lower", 2, "B > A", 1, 1],
        ["axes", "references; case", 2, "", 4, 4],
    ]


def test_cells_with_the_same_scores_are_one_distinct_cell_of_what_is_fixed():
    """With one reference A leads by the same scores in both cells, with two B leads by different ones."""
    one, two, three = {"A": 0.6, "B": 0.5}, {"A": 0.4, "B": 0.5}, {"A": 0.3, "B": 0.5}
    grid = full_grid(table_of(ALONE, [one, {"A": 0.6 + 1e-12, "B": 0.5}, two, three]), ALONE)
    assert fixed_table(grid, 1e-12).fillna("").to_numpy().tolist() == [
        ["choices", "references=1", 1, "A > B", 2, 1],
        ["choices", "references=2", 1, "B > A", 2, 2],
        ["axes", "references", 1, "", 4, 3],
    ]


def test_nothing_needs_to_be_fixed_where_there_is_one_ranking():
    table = table_of(ALONE, [{"A": 0.5, "B": 0.4}] * 4)
    assert fixed_table(full_grid(table, ALONE), 0).fillna("").to_numpy().tolist() == [
        ["choices", "", 0, "A > B", 4, 1],
        ["axes", "", 0, "", 4, 1],
    ]


def test_weights_that_fit_some_orders_only_make_one_axis_with_them():
    axes = ALONE | {"references": [1], "max_order": [2, 3], "weights": ["uniform", (0.5, 0.25, 0.25)]}
    scores = [{"A": 0.5, "B": 0.4}, {"A": 0.5, "B": 0.6}] * 3
    table = table_of(axes, scores)
    table["weights"] = table["weights"].fillna("uniform")
    grid = full_grid(table, axes)
    assert grid.axes == {
        "case": ("lower", "cased"),
        "max_order+weights": ("2 uniform", "3 uniform", "3 0.5,0.25,0.25"),
    }
    assert grid.gaps((0, 1)).ravel().tolist() == pytest.approx([0.1, -0.1] * 3)


def test_a_grid_of_one_cell_has_no_effects():
    axes = ALONE | {"references": [1], "case": ["lower"]}
    baseline = Configuration(**{axis: options[0] for axis, options in axes.items()})
    made = effect_tables(table_of(axes, [{"A": 0.5, "B": 0.4}]), axes, baseline, ("B", "A"), 0)
    assert {file for file, table in made.items() if table.empty} == {"effects.csv", "variances.csv", "neighbours.csv"}
    assert made["rankings.csv"].to_numpy().tolist() == [["A > B", 1, 1, 1, 1.0]]


def test_a_cell_that_is_missing_is_named():
    with pytest.raises(ManybleusError, match=r"no cell .*'cased'"):
        full_grid(table_of(ALONE | {"case": ["lower"]}, [{"A": 0.5, "B": 0.4}] * 2), ALONE)


# ----------------------------------------------------------------------------------------------------- the study's grid


@pytest.fixture(scope="module")
def made(study, results):
    table = numbers(results["grid.csv"])
    return effect_tables(table, study.axes, study.baseline, study.gap, study.tie_tolerance)


def test_an_independent_count_of_the_studys_grid_holds(made):
    """Counted by another script: rankings and distinct triples, and two shares of the variance of S2 - G."""
    rankings = made["rankings.csv"].set_index("ranking")
    assert rankings["cells"].to_dict() == {"S1 > S2 > G": 468, "S1 > G > S2": 108}
    # The 272 are triples that differ in nine decimals; to the last bit there are 396, since some smoothings of corpus
    # scores move nothing else.
    assert rankings["distinct_cells"].sum() == 272
    pairs = made["pairs.csv"].set_index("pair")
    assert pairs["holds"].to_dict() == {"S1-S2": True, "S1-G": True, "S2-G": False}
    assert (pairs["distinct_cells"] == 272).all()
    shares = made["variances.csv"].set_index(["of", "term"])["share"]
    assert round(100 * shares["S2-G", "aggregation"], 1) == 27.5
    assert round(100 * shares["S2-G", "tokenizer"], 1) == 19.9


def test_the_shares_of_the_study_sum_to_one(made):
    sums = made["variances.csv"].groupby("of")["share"].sum()
    assert len(sums) == 6
    assert (sums - 1).abs().max() < 1e-12


def test_the_studys_smallest_sets_are_found_by_search_as_well(made, results, study):
    """Group the cells by every single choice, and by every two: only one choice alone leaves one ranking."""
    table = numbers(results["grid.csv"])
    axes = [axis for axis, options in study.axes.items() if len(options) > 1]
    scores = table.pivot(index=axes, columns="system", values="score").reset_index()
    scores["leads"] = scores["S2"] > scores["G"]
    alone, of_two = set(), set()
    for size, found in ((1, alone), (2, of_two)):
        for chosen in combinations(axes, size):
            for key, leads in scores.groupby(list(chosen))["leads"]:
                if leads.nunique() == 1:
                    found.add(("; ".join(f"{a}={c}" for a, c in zip(chosen, key, strict=True)), bool(leads.iloc[0])))
    assert not any(not leads for _, leads in of_two)
    fixed = made["fixed.csv"]
    assert {(row.fixed, True) for row in fixed.itertuples() if row.size == 1} == alone
    assert set(fixed["size"][fixed["ranking"] == "S1 > G > S2"]) == {3}

"""Distributions over draws: every figure by hand."""

import pandas as pd
import pytest

from manybleus.replication.distributions import count_table, row_table, size_table

GAPS = {
    # seed -> baseline's gap, then another row's.
    0: (0.01, -0.02),
    1: (0.03, -0.04),
    2: (-0.01, -0.06),
    3: (0.0, 0.08),
    9: (0.5, 0.5),
}


def draw(redrawn, seed, images, first, second):
    """Two rows in one draw; A leads where the gap is above zero."""
    ranking = {gap: "A > B" if gap > 0 else "B > A" if gap < 0 else "A = B" for gap in (first, second)}
    whole = redrawn != "one reference"
    rows = []
    for name, gap in (("base", first), ("other", second)):
        compared = ranking[first] if whole else "B > A"
        change = "same" if ranking[gap] == compared else "flip"
        rows.append(
            {
                "redrawn": redrawn,
                "seed": seed,
                "images": images,
                "table": "A",
                "configuration": name,
                "pair": "A-B",
                "gap": gap,
                "ranking": ranking[gap],
                "compared": compared,
                "change": "baseline" if whole and name == "base" else change,
            }
        )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def draws():
    parts = [draw("scenes", seed, images, *GAPS[seed]) for seed in GAPS for images in (100, 50)]
    parts += [draw("one reference", seed, 100, *GAPS[seed]) for seed in GAPS]
    return pd.concat(parts, ignore_index=True)


def test_the_distribution_of_each_row(draws):
    rows = row_table(draws, range(4), 100, 0, 1e-12).set_index(["redrawn", "configuration"])
    base = rows.loc["scenes", "base"]
    # -0.01, 0, 0.01, 0.03: mean 0.0075; squares of deviations 3.0625, 0.5625, 0.0625, 5.0625 (e-4), sum 8.75e-4.
    assert base["draws"] == 4
    assert base["mean"] == pytest.approx(0.0075, abs=1e-15)
    assert base["sd"] == pytest.approx((8.75e-4 / 3) ** 0.5, abs=1e-15)
    shown = base[["lowest", "q1", "median", "q3", "highest"]].tolist()
    assert shown == pytest.approx([-0.01, -0.0025, 0.005, 0.015, 0.03], abs=1e-15)
    assert base[["ahead", "tied", "flips", "below"]].tolist() == [2, 1, 0, 2]
    assert base[["study_gap", "study_change"]].tolist() == [0.01, "baseline"]
    other = rows.loc["scenes", "other"]
    assert other[["ahead", "tied", "flips", "below"]].tolist() == [1, 0, 3, 2]
    assert other[["study_gap", "study_change"]].tolist() == [-0.02, "flip"]
    alone = rows.loc["one reference", "base"]
    assert alone[["ahead", "tied", "flips", "below"]].tolist() == [2, 1, 3, 2]
    assert alone["study_gap"] == 0.01


def test_a_seed_outside_of_the_range_does_not_count_but_may_be_the_study_s_own(draws):
    rows = row_table(draws, range(4), 100, 9, 1e-12)
    assert rows["draws"].tolist() == [4] * 4
    assert rows["study_gap"].tolist() == [0.5] * 4
    assert rows["below"].tolist() == [4] * 4


def test_gaps_below_the_tolerance_are_ties(draws):
    rows = row_table(draws, range(4), 100, 0, 0.015).set_index(["redrawn", "configuration"])
    assert rows.loc["scenes", "base"][["ahead", "tied"]].tolist() == [1, 3]


def test_one_draw_has_no_deviation(draws):
    rows = row_table(draws, [1], 100, 0, 1e-12)
    assert rows["sd"].isna().all()
    assert rows["mean"].tolist() == [0.03, -0.04] * 2


def test_numbers_of_images_stand_from_few_to_many(draws):
    sizes = size_table(draws, [0, 1], 1e-12)
    assert sizes[["images", "configuration", "draws", "flips"]].to_numpy().tolist() == [
        [50, "base", 2, 0],
        [50, "other", 2, 2],
        [100, "base", 2, 0],
        [100, "other", 2, 2],
    ]
    assert sizes["mean"].tolist() == pytest.approx([0.02, -0.03] * 2, abs=1e-15)


def test_flips_are_counted_in_each_draw(draws):
    counts = count_table(draws, 100, 0)
    scenes = counts[counts["redrawn"] == "scenes"]
    assert scenes["seed"].tolist() == [0, 1, 2, 3, 9]
    assert scenes["own"].tolist() == [True, False, False, False, False]
    assert scenes["baseline_ranking"].tolist() == ["A > B", "A > B", "B > A", "A = B", "A > B"]
    assert scenes["flips"].tolist() == [1, 1, 0, 1, 0]
    assert scenes["rows"].tolist() == [1] * 5
    alone = counts[counts["redrawn"] == "one reference"]
    assert alone["baseline_ranking"].isna().all()
    assert alone["flips"].tolist() == [1, 1, 0, 2, 2]
    assert alone["rows"].tolist() == [2] * 5

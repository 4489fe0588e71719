"""What a flip is worth, and which cells contradict each other."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers import numbers

from manybleus.analysis.reversals import flip_table, reversal_table, significance_tables, with_worth
from manybleus.analysis.significance import Judgement
from manybleus.analysis.tables import grid_table
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.config import Significance, Table
from manybleus.replication.rerun import describe

BASE = Configuration(4, "closest", "lower", "split", "none", "corpus", 4)
CELLS = [replace(BASE, references=k) for k in (4, 1, 2, 8)]
PLACES = {cell: place for place, cell in enumerate(CELLS)}
ROWS = (("baseline", CELLS[0]), ("one", CELLS[1]), ("two", CELLS[2]), ("eight", CELLS[3]))
TABLE = Table("A", "title", ROWS, ("one", "two", "eight"))
# Three systems in four cells. A - B: 0.1, -0.1, 0.1, -0.2. A - C: always 0.3 or so. B - C: always ahead.
SCORES = np.array([[0.5, 0.4, 0.2], [0.4, 0.5, 0.1], [0.5, 0.4, 0.1], [0.3, 0.5, 0.1]])
PLAN = Significance(level=0.1)


def judgement(verdicts):
    """Draws that shift all systems alike, so that each gap is what it is in all of them, but B's by a hundredth."""
    shifts = np.linspace(-0.01, 0.01, 99)
    scores = SCORES[..., None] + np.stack([0 * shifts, shifts, 0 * shifts])
    gaps = np.stack([SCORES[:, a] - SCORES[:, b] for a, b in ((0, 1), (0, 2), (1, 2))], axis=-1)
    p = np.arange(12.0).reshape(4, 3) / 100
    return Judgement("plain", scores.__getitem__, gaps - 0.01, gaps + 0.01, p, p + 0.5, np.array(verdicts))


def flips_of(verdicts, gap):
    return flip_table("ABC", PLACES, SCORES, [judgement(verdicts)], [TABLE], BASE, gap, 1e-12, PLAN)


@pytest.mark.parametrize(
    ("at_baseline", "at_one", "kind"),
    [(1, -1, "decisive"), (1, 0, "soft"), (0, -1, "soft"), (0, 0, "tie"), (-1, 1, "tie")],
)
def test_the_kind_of_a_flip_is_how_many_of_its_orders_are_significant(at_baseline, at_one, kind):
    """The order is A before B at the baseline, and B before A with one reference."""
    table = flips_of([[at_baseline, 1, 1], [at_one, 1, 1], [0, 0, 0], [0, 0, 0]], ("A", "B"))
    assert table["configuration"].tolist() == ["one", "two", "eight"]
    assert table["turned"].fillna("").tolist() == ["A-B", "", "A-B"]
    assert table["kind"].fillna("").tolist()[:2] == [kind, ""]


@pytest.mark.parametrize(
    ("verdicts", "kind"),
    [([[1, 0, 0], [-1, 0, 0]], "decisive"), ([[0, 0, 0], [0, 0, -1]], "soft"), ([[0, 0, 0], [0, 0, 0]], "tie")],
)
def test_of_several_turned_pairs_the_most_decisive_one_counts(verdicts, kind):
    scores = np.array([[0.5, 0.4, 0.3], [0.3, 0.4, 0.5]])
    one = replace(
        judgement([*verdicts, [0, 0, 0], [0, 0, 0]]), draw=lambda places: scores[places, :, None] * np.ones(99)
    )
    table = Table("A", "title", ROWS[:2], ("one",))
    found = flip_table("ABC", PLACES, scores, [one], [table], BASE, ("A", "B"), 0, PLAN)
    assert (found["turned"][0], found["kind"][0]) == ("A-B; A-C; B-C", kind)


def test_a_table_without_counted_rows_keeps_its_columns():
    none = replace(TABLE, counted=())
    table = flip_table("ABC", PLACES, SCORES, [judgement([[0, 0, 0]] * 4)], [none], BASE, ("A", "B"), 0, PLAN)
    assert table.columns.tolist() == flips_of([[0, 0, 0]] * 4, ("A", "B")).columns.tolist()
    assert table.empty


def test_a_gap_may_be_named_against_the_systems_order():
    verdicts = [[1, 1, 1], [-1, 1, 1], [0, 1, 1], [-1, 1, 1]]
    one, other = flips_of(verdicts, ("A", "B")), flips_of(verdicts, ("B", "A"))
    assert one["pair"].unique().tolist() == ["A-B"]
    assert other["pair"].unique().tolist() == ["B-A"]
    for column in ("gap", "change"):
        assert (one[column] == -other[column]).all()
    for low, high in (("low", "high"), ("change_low", "change_high")):
        assert np.allclose(one[low], -other[high])
        assert np.allclose(one[high], -other[low])
    assert one["verdict"].tolist() == ["second", "neither", "second"]
    assert other["verdict"].tolist() == ["first", "neither", "first"]
    assert other["baseline_verdict"].tolist() == ["second"] * 3
    assert one["kind"].equals(other["kind"])
    assert one["p"].tolist() == [0.03, 0.06, 0.09]
    assert one["change"].tolist() == pytest.approx([-0.2, 0, -0.3])


def test_a_change_is_taken_by_the_same_draws_in_both_cells():
    """B moves alike in both cells, so that each gap has an interval, and the change has none."""
    table = flips_of([[0, 0, 0]] * 4, ("A", "B"))
    assert (table["high"] - table["low"]).tolist() == pytest.approx([0.02] * 3)
    assert table["change_low"].tolist() == table["change_high"].tolist() == pytest.approx([-0.2, 0, -0.3])
    assert table["change_p"].tolist() == [0.02, 1, 0.02]


def test_reversals_count_cells_either_way_and_show_the_furthest_two():
    verdicts = [[1, 1, 1], [-1, 1, 1], [0, 1, 0], [-1, 1, 0]]
    table = reversal_table("ABC", CELLS, SCORES, [judgement(verdicts)], PLAN).set_index("pair")
    counts = ["cells", "first", "second", "neither", "distinct_second"]
    assert table.loc[["A-B", "A-C", "B-C"], counts].to_numpy().tolist() == [
        [4, 1, 2, 1, 2],
        [4, 4, 0, 0, 0],
        [4, 2, 0, 2, 0],
    ]
    row = table.loc["A-B"]
    assert (row["first_cell"], row["second_cell"]) == ("references=4", "references=8")
    assert (row["first_gap"], row["second_gap"], row["change"]) == pytest.approx((0.1, -0.2, 0.3))
    assert (row["change_low"], row["change_high"], row["change_p"]) == pytest.approx((0.3, 0.3, 0.02))
    assert table.loc[["A-C", "B-C"], ["first_cell", "change"]].isna().all(axis=None)


def test_rows_of_the_same_name_in_two_tables_have_each_its_own_worth():
    tests = flips_of([[0, 1, 1], [-1, 1, 1], [0, 0, 0], [0, 0, 0]], ("A", "B"))
    other = pd.concat([tests.assign(table="B", kind="tie"), tests, tests.assign(resampling="stratified", kind="none")])
    flips = pd.DataFrame({"table": ["A", "B"], "configuration": "one", "flip": True})
    assert with_worth(flips, other)["kind"].tolist() == ["soft", "tie"]
    assert with_worth(flips, None)["kind"].isna().all()
    assert list(with_worth(flips, None).columns) == list(with_worth(flips, other).columns)


# ------------------------------------------------------------------------------------------------------------ the study


@pytest.fixture(scope="module")
def made(study):
    _, _, captions = describe(study)
    cells = study.cells
    counted = caption_statistics(captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    grid = grid_table(score(counted, cells), captions.digest)
    what = (grid, study.axes, study.outside, study.tables, study.baseline, study.gap, study.tie_tolerance)
    return significance_tables(counted, *what, study.significance, ["even", "odd"] * 100)


def test_no_flip_of_the_study_is_decisive_since_its_baseline_is_a_tie(made, results):
    table = made["flip_significance.csv"]
    assert set(table["baseline_verdict"]) == {"neither"}
    assert "decisive" not in set(table["kind"])
    flips = numbers(results["tables/flips.csv"])
    plain = table[table["resampling"] == "plain"].reset_index(drop=True)
    assert plain[["table", "configuration", "pair", "gap"]].equals(flips[["table", "configuration", "pair", "gap"]])
    assert plain["kind"].notna().equals(flips["flip"])
    worth = with_worth(flips, table)
    assert worth[flips.columns].equals(flips)
    added = ["kind", "change", "change_low", "change_high", "change_p"]
    assert list(worth.columns) == [*flips.columns, *added]
    assert worth[added].equals(plain[added])


def test_every_cell_and_pair_of_the_study_is_judged_by_either_kind_of_draws(made, results):
    table = made["significance.csv"]
    assert len(table) == 2 * 3 * 576
    grid = numbers(results["grid.csv"]).pivot_table(index="signature", columns="system", values="score", sort=False)
    gaps = table["gap"][(table["pair"] == "S2-G") & (table["resampling"] == "plain")].to_numpy()
    assert (gaps == (grid["S2"] - grid["G"]).to_numpy()).all()
    assert (table["low"] <= table["high"]).all()
    of_s1 = table[table["pair"] != "S2-G"]
    assert set(of_s1["verdict"]) == {"first"}
    reversals = made["reversals.csv"]
    assert (reversals[["first", "second", "neither"]].sum(axis=1) == 576).all()
    assert reversals["first_cell"].notna().tolist() == [False, False, True] * 2


def test_the_block_t_test_takes_the_neighbours_of_the_baselines_ranking(made):
    table = made["block_t.csv"]
    assert table[["better", "worse", "blocks", "largest_block"]].to_numpy().tolist() == [
        ["S1", "S2", 20, 10],
        ["S2", "G", 20, 10],
    ]
    assert table["p"][0] < 1e-7 < 0.9 < table["p"][1]

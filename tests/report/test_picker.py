"""The picker's plain values: each is one of grid.csv, whatever the grid, and hostile names stay text."""

import json
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers import SOURCE
from markupsafe import Markup

from manybleus.bleu.configuration import Configuration, options
from manybleus.replication import crosscheck
from manybleus.report.context import report_context
from manybleus.report.picker import Intervals, intervals_of, picker
from manybleus.report.render import render_report
from manybleus.text import signed

AXES = ["references", "reference_length", "case", "tokenizer", "smoothing", "aggregation", "max_order"]


ROWS = [{"configuration": "baseline"}, {"configuration": "all", "references": "all"}]


def island_of(results, **more):
    """The values as they stand in the page."""
    return json.loads(json.dumps(picker(results, **more)["island"]))


def cell_at(island, row):
    """A cell's choices, by its place among all combinations."""
    sizes = [len(axis["options"]) for axis in island["axes"]]
    numbers = np.unravel_index(island["places"][row], sizes)
    return [axis["options"][number] for axis, number in zip(island["axes"], numbers, strict=True)]


def ranking_text(island, row):
    text = ""
    for system in island["rankings"][island["ranking"][row]]:
        name = island["systems"][-1 - system if system < 0 else system]
        text += name if not text else f"{' = ' if system < 0 else ' > '}{name}"
    return text


def signature_of(island, row):
    chosen = cell_at(island, row)
    return "|".join(
        part if isinstance(part, str) else (axis := island["axes"][part])["parts"][axis["options"].index(chosen[part])]
        for part in island["signature"]
    )


def assert_equal_to_the_grid(made):
    results = made.read()
    island = island_of(results)
    grid, cells = made.table("grid.csv"), made.table("figures/curve.csv")
    systems = list(dict.fromkeys(grid["system"]))
    axes = list(grid.columns[: list(grid.columns).index("system")])
    assert island["systems"] == systems
    assert len(island["places"]) == len(set(island["places"])) == len(cells)
    for row, (_, rows) in enumerate(grid.groupby(axes, sort=False)):
        assert cell_at(island, row)[: len(axes)] == [str(rows[axis].iloc[0]) for axis in axes]
        shown = island["scores"][row * len(systems) : (row + 1) * len(systems)]
        assert [f"{score / 10_000:.4f}" for score in shown] == [f"{score:.4f}" for score in rows["score"]]
        assert signature_of(island, row) == rows["signature"].iloc[0]
        first, second = (rows["score"][rows["system"] == system].item() for system in made.study.gap)
        assert island["gaps"][row] == float(signed(first - second))
        assert ranking_text(island, row) == cells["ranking"].iloc[row]
    baseline = cell_at(island, island["baseline"])[: len(axes)]
    assert baseline == [str(made.study.baseline.get(axis, "no")) for axis in axes]
    assert [systems[one] for one in island["pair"]] == list(made.study.gap)


def test_the_values_are_those_of_the_grid(small):
    assert_equal_to_the_grid(small)


def test_a_grid_that_is_not_full_holds_what_was_scored(make):
    own = {"configuration": "own", "references": 3, "smoothing": "floor(0.1)", "effective_order": True}
    made = make(
        {"configurations": [own], "systems": ["G", "S2"], "tables": [{"name": "Z", "title": "t", "rows": ROWS}]}
    )
    assert_equal_to_the_grid(made)
    shown = picker(made.read())
    assert [axis["key"] for axis in shown["axes"]] == ["refs", "len", "smooth", "agg", "eff"]
    assert shown["axes"][0]["options"] == ["1", "2", "3", "4", "8", "all"]
    assert shown["rows"][-1] == {
        "name": "own",
        "link": "#refs=3&len=closest&smooth=floor%280.1%29&agg=corpus&eff=yes",
    }
    assert [axis["options"] for axis in shown["fixed"]] == [["lower"], ["split"], ["4"]]


@pytest.mark.parametrize("axis", ["tokenizer", "smoothing", "reference_length", "case", "aggregation"])
def test_no_choice_has_a_bar_in_its_name_in_signatures(axis):
    cell = Configuration(1, "closest", "lower", "split", "none", "corpus", 4)
    for choice in options(axis):
        assert replace(cell, **{axis: choice}).signature("data").count("|") == 11


def test_ties_are_marked(small):
    results = small.read()
    grid = results.grid.copy()
    rows = grid["system"].isin(["S2", "G"]).to_numpy() & (np.arange(len(grid)) < 3)
    grid.loc[rows, "score"] = 0.25
    cells = results.cells.copy()
    cells.loc[0, "ranking"] = "S1 > S2 = G"
    island = island_of(replace(results, grid=grid, cells=cells))
    assert island["rankings"][island["ranking"][0]] == [0, 1, -3]
    assert ranking_text(island, 0) == "S1 > S2 = G"


def test_calls_of_other_tools_stand_where_a_tool_has_the_configuration(small):
    island = island_of(small.read())
    table = small.table("crosscheck.csv")
    compared = {(tuple(map(str, row[:7])), row[8]): "" for row in table.itertuples(index=False)}
    for row in table[table["cause"].notna()].itertuples(index=False):
        compared[tuple(map(str, row[:7])), row.peer] = row.cause
    for row, calls in enumerate(island["peers"]):
        cell = tuple(cell_at(island, row)[:7])
        shown = {island["calls"][call][0]: island["calls"][call][4] for call in calls}
        assert set(shown) == {peer for each, peer in compared if each == cell}
        for peer, told in shown.items():
            cause = compared[cell, peer]
            assert told.endswith(f"here: {cause}") if cause else told == "gives the same scores"
    assert any("NLTK floor" in call[4] for call in island["calls"])


def test_what_was_compared_on_a_sample_is_told_so(small, monkeypatch):
    monkeypatch.setattr(crosscheck, "MOST_CHARACTERS", 1000)
    told = {call[4] for call in island_of(small.read())["calls"]}
    assert told - {"gives the same scores on a sample"}
    assert all(text.startswith("differs by up to ") and "on a sample: " in text for text in told if ":" in text)
    assert all("on a sample" in text for text in told)


def test_without_a_crosscheck_calls_are_shown_and_nothing_is_claimed_of_them(small):
    island = island_of(small.read(without=("crosscheck.csv",)))
    assert {call[4] for call in island["calls"]} == {""}


def test_intervals_and_leaders_come_with_the_gap(small):
    results = small.read()
    assert island_of(results, intervals=Intervals())["intervals"] is None
    cells = list(zip(*(results.cells[axis] for axis in AXES), strict=True))
    bounds = {cell: (number - 1.0, number + 0.123456) for number, cell in enumerate(cells)}
    leaders = {cells[0]: "G", cells[1]: "G", cells[2]: "S2"}
    island = island_of(results, intervals=Intervals("95 %", bounds, leaders))
    assert island["level"] == "95 %"
    assert island["intervals"][:2] == [[-1.0, 0.1235], [0.0, 1.1235]]
    assert island["leaders"] == [1, 1, 0, *[-1] * (len(cells) - 3)]


def test_no_pair_has_no_gap(small):
    results = small.read()
    study = SimpleNamespace(baseline=results.study.baseline, tables=results.study.tables, gap=None)
    assert island_of(replace(results, study=study))["pair"] is None


def test_hostile_names_cannot_leave_the_values(small):
    results = small.read()
    hostile = "</script><script>alert(1)</script><!--"
    names = {"S1": hostile, "S2": "S2", "G": "G"}
    grid = results.grid.assign(system=results.grid["system"].map(names))
    cells = results.cells.assign(ranking=[each.replace("S1", hostile) for each in results.cells["ranking"]])
    context = report_context(results)
    context["picker"] = picker(replace(results, grid=grid, cells=cells))
    html = render_report(context)
    assert hostile not in html
    island = html.partition('id="pick-grid">')[2].partition("</script>")[0]
    assert json.loads(island)["systems"][0] == hostile
    assert ranking_text(json.loads(island), 0).startswith(hostile)


def test_the_script_can_stand_in_a_page():
    script = (SOURCE / "report/static/picker.js").read_text(encoding="utf-8")
    assert "</script" not in script
    assert "<!--" not in script
    assert "innerHTML" not in script


def test_a_large_grid_of_many_systems_stays_small(small):
    """5,400 configurations of 24 systems, in which almost no two rankings are equal."""
    results = small.read()
    choices = {
        "references": ["1", "2", "3", "4", "5", "all"],
        "reference_length": ["closest", "shortest", "average"],
        "case": ["lower", "cased"],
        "tokenizer": ["split", "kept", "removed", "13a", "intl"],
        "smoothing": ["none", "add-1", "exp", "coco", "chen-cherry-4"],
        "aggregation": ["corpus", "mean-sentence", "weighted-mean-sentence"],
        "max_order": ["1", "2"],
    }
    cells = pd.DataFrame(product(*choices.values()), columns=list(choices))
    systems = [f"captioner-{number}" for number in range(24)]
    scores = np.random.default_rng(0).random((len(cells), len(systems)))
    grid = cells.loc[cells.index.repeat(len(systems))].reset_index(drop=True)
    parts = "refs:{}|len:{}|case:{}|tok:{}|smooth:{}|agg:{}|order:{}|weights:uniform|eff:no|bp:yes|data:0|manybleus:0"
    grid = grid.assign(
        system=systems * len(cells), score=scores.ravel(), signature=[parts.format(*row) for row in grid.to_numpy()]
    )
    order = np.argsort(-scores, axis=1)
    ranked = cells.assign(
        ranking=[" > ".join(systems[one] for one in row) for row in order], gap=scores[:, 0] - scores[:, 1]
    )
    study = SimpleNamespace(
        baseline={axis: options[0] for axis, options in choices.items()}, tables=(), gap=tuple(systems[:2])
    )
    island = picker(replace(results, grid=grid, cells=ranked, study=study), Intervals())["island"]
    assert len(island["rankings"]) == len(cells) == 5400
    assert len(Markup(json.dumps(island, separators=(",", ":")))) < 1_300_000


@pytest.mark.parametrize(
    ("gap", "bounds", "leader"), [(("S2", "G"), (-0.5, 0.25), "G"), (("G", "S2"), (-0.25, 0.5), "G")]
)
def test_intervals_are_those_of_the_tests_of_significance(small, gap, bounds, leader):
    results = small.read()
    cell = dict.fromkeys(AXES, "x")
    told = {"pair": "S2-G", "resampling": "plain", "gap": -0.125, "low": -0.5, "high": 0.25, "verdict": "second"}
    others = [{"pair": "S1-G"}, {"resampling": "stratified"}]
    table = pd.DataFrame([cell | told, *(cell | told | {"low": 9.0, "high": 9.0} | other for other in others)])
    study = replace(results.study, gap=gap, level=0.1)
    found = intervals_of(replace(results, study=study, over={**results.over, "significance": table}))
    assert found == Intervals("90 %", {("x",) * len(AXES): bounds}, {("x",) * len(AXES): leader})


def test_without_draws_there_are_no_intervals(small):
    results = small.read()
    assert intervals_of(replace(results, over={**results.over, "significance": pd.DataFrame()})) == Intervals()


def test_axes_at_rest_come_last_with_their_default_alone(small):
    rest = island_of(small.read())["axes"][7:]
    assert [(axis["key"], axis["name"], axis["options"]) for axis in rest] == [
        ("weights", "weights", ["uniform"]),
        ("eff", "effective_order", ["no"]),
        ("bp", "brevity_penalty", ["yes"]),
    ]

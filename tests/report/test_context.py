"""The report's plain values: each number is one of the result files'."""

import base64
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from manybleus.bleu.configuration import options
from manybleus.config import OWN_TABLE
from manybleus.replication import crosscheck as module
from manybleus.report import ledger
from manybleus.report import results as report_results
from manybleus.report.context import report_context
from manybleus.report.ledger import VERDICTS, brief_addresses
from manybleus.report.render import render_report
from manybleus.report.words import SYSTEM_WORDS, listed, option_words, short_number
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.text import counted, signed

NO_BREAK = "\N{NO-BREAK SPACE}"


def rankings_of(grid: pd.DataFrame) -> Counter:
    """Cells by ranking, counted anew from the scores."""
    axes = list(grid.columns[: list(grid.columns).index("system")])
    found = Counter()
    for _, cell in grid.groupby(axes):
        scores = sorted(zip(cell["score"], cell["system"], strict=True), reverse=True)
        joined = scores[0][1]
        for (better, _), (worse, system) in pairwise(scores):
            joined += (" = " if better - worse < 1e-12 else " > ") + system
        found[joined] += 1
    return found


def count(words: str) -> int:
    """The count of configurations before that of the distinct ones."""
    return int(words.partition(" (")[0])


def test_the_grid_is_counted_from_its_scores(small):
    grid = report_context(small.read())["grid"]
    expected = rankings_of(small.table("grid.csv"))
    rankings = {each["ranking"].replace(NO_BREAK, " "): count(each["cells"]) for each in grid["rankings"]}
    assert rankings == dict(expected)
    assert grid["cells"] == expected.total()
    for axis in grid["axes"]:
        assert sum(count(line["cells"]) for line in axis["lines"]) == grid["cells"]
        for place, each in enumerate(grid["rankings"]):
            assert sum(count(line["counts"][place]) for line in axis["lines"]) == count(each["cells"])


def test_every_count_of_configurations_has_that_of_the_distinct_ones_beside_it(make):
    grid = {"references": [1, 4], "reference_length": ["closest"], "smoothing": ["none", "exp"], "case": ["lower"]}
    grid |= {"tokenizer": ["split"], "aggregation": ["corpus", "mean-sentence"], "max_order": [4]}
    made = make({"grid": grid, "tables": [{"name": "Z", "title": "one", "rows": [{"configuration": "base"}]}]})
    # In the corpus no order is without a match, so that smoothing changes nothing there.
    table = made.table("rankings.csv")
    assert (table["cells"].sum(), table["distinct_cells"].sum()) == (8, 6)
    told = report_context(made.read())["grid"]
    assert told["cells_words"] == "8 (6 distinct)"
    assert told["equal"].endswith(" distinct)")
    by_axis = {axis["axis"]: axis["lines"] for axis in told["axes"]}
    assert [line["cells"] for line in by_axis["smoothing"]] == ["4 (4)", "4 (4)"]
    assert [line["cells"] for line in by_axis["number of references"]] == ["4 (3)", "4 (3)"]


def test_each_ranking_shows_its_correlation_with_the_baselines(small):
    """Of three systems with two in the other order: (2 - 1) of 3 pairs."""
    results = small.read()
    shown = {each["ranking"].replace(NO_BREAK, " "): each for each in report_context(results)["grid"]["frequent"]}
    assert shown[results.baseline_ranking]["tau_b"] == "1.00"
    assert [each["tau_b"] for name, each in shown.items() if name != results.baseline_ranking] == ["0.33"]
    page = small.html()
    assert "tau-b with the baseline's" in page
    assert '<td class="number">0.33</td>' in page.partition('id="rankings"')[2].partition("</table>")[0]


def test_the_grids_shares_and_gaps_are_those_of_the_scores(small):
    grid = small.table("grid.csv")
    axes = list(small.study.baseline)
    scores = grid.pivot_table(index=axes, columns="system", values="score", sort=False)
    gaps = (scores["S2"] - scores["G"]).reset_index(name="gap").astype(dict.fromkeys(axes, str))
    context = report_context(small.read())
    # S1 leads everywhere here, so another ranking than the baseline's is one in which S2 and G change places.
    assert {each["ranking"][:2] for each in context["grid"]["rankings"]} == {"S1"}
    baseline = gaps
    for axis, choice in small.study.baseline.items():
        baseline = baseline[baseline[axis] == str(choice)]
    gaps["other"] = (gaps["gap"] > 0) != (baseline["gap"].item() > 0)
    open_axes = [axis for axis in axes if grid[axis].nunique() > 1]
    assert 0 < len(open_axes) < len(axes)
    for axis, shown in zip(open_axes, context["grid"]["axes"], strict=True):
        for line in shown["lines"]:
            part = gaps[gaps[axis] == line["option"]]
            assert line["share"] == f"{100 * part['other'].mean():.1f}"
            assert (line["low"], line["high"]) == (signed(part["gap"].min()), signed(part["gap"].max()))


def test_no_counted_row_marks_only_the_baseline(small):
    results = small.read()
    context = report_context(replace(results, flips=results.flips.iloc[:0]))
    assert context["flips"]["of"] == 0
    assert {row["change"] for table in context["tables"] for row in table["rows"]} == {"baseline"}


def test_contents_name_the_sections_that_are_there(small, html):
    contents = report_context(small.read())["contents"]
    assert [f'<section id="{each["id"]}">' in html for each in contents] == [True] * 13
    assert html.count("<section ") == 13


def test_small_files_are_held_by_the_page_and_large_ones_are_named(small):
    results = small.read()
    downloads = report_context(results)["downloads"]
    kind, _, content = downloads["flips.csv"].partition(",")
    assert kind == "data:text/csv;base64"
    assert base64.b64decode(content) == (small.folder / "flips.csv").read_bytes()
    assert downloads["grid.csv"] == ""
    files = {name: content for name, content in results.files.items() if name != "flips.csv"}
    assert 'download="rankings.csv"' in render_report(report_context(replace(results, files=files)))
    without = render_report(report_context(replace(results, files={})))
    assert "The rankings: <code>rankings.csv</code> among the results" in without
    assert "download=" not in without


def test_tables_show_each_score_and_mark_each_flip(small):
    context = report_context(small.read())
    flips = {(row.table, row.configuration): row.flip for row in small.table("flips.csv").itertuples()}
    for table, plain in zip(context["tables"], small.study.tables, strict=True):
        scores = small.table(plain["file"])
        assert len(table["rows"]) == len(scores)
        for row, (_, expected) in zip(table["rows"], scores.iterrows(), strict=True):
            assert row["scores"] == [f"{expected[system]:.4f}" for system in table["systems"]]
            assert row["gap"] == signed(expected[table["gap"]])
            flip = flips.get((plain["name"], row["configuration"]))
            assert row["change"] == {None: "baseline", True: "flip", False: "same"}[flip]
            first, second = small.study.gap
            assert row["equal"] == (f"{expected[first]:.4f}" == f"{expected[second]:.4f}")


@pytest.mark.parametrize("verdict", list(VERDICTS))
def test_verdicts_are_counted(small, verdict):
    results = small.read()
    claims = results.answers["claims"].assign(verdict="MATCH")
    claims.loc[claims.index[:3], "verdict"] = verdict
    ledger = report_context(replace(results, answers=results.answers | {"claims": claims}))["ledger"]
    counts = {each["name"]: each["count"] for each in ledger["counts"]}
    assert counts[verdict] == (len(claims) if verdict == "MATCH" else 3)
    assert sum(counts.values()) == ledger["total"] == len(claims)
    assert len(ledger["differing"]) == (3 if verdict == "DIFFERS" else 0)
    assert ledger["groups"][0]["open"] == (verdict in ("DIFFERS", "NOT_RUN"))


def test_a_claim_that_was_not_run_shows_what_to_do(small):
    results = small.read()
    claims, tools = results.answers["claims"].copy(), results.answers["conventions"].copy()
    claims.loc[claims["id"] == "coco-average", "verdict"] = "NOT_RUN"
    tools.loc[tools["convention"] == "coco-average", ["holds", "shown"]] = ["NOT_RUN", "make it so"]
    answers = results.answers | {"claims": claims, "conventions": tools}
    ledger = report_context(replace(results, answers=answers))["ledger"]
    rows = [row for group in ledger["groups"] for row in group["rows"]]
    assert {row["id"]: row["hint"] for row in rows if row["hint"]} == {"coco-average": "make it so"}


@pytest.mark.parametrize(("held", "verdict"), [("True", "held"), ("False", "did not hold")])
def test_the_first_hypothesis_is_judged_by_its_statement(small, held, verdict):
    results = small.read()
    told = results.answers["statements"].copy()
    told.loc[told["statement"] == "refs-monotone", "value"] = held
    context = report_context(replace(results, answers=results.answers | {"statements": told}))
    assert context["outcomes"]["hypotheses"][0]["verdict"] == verdict


@pytest.mark.parametrize(
    ("differing", "spread", "verdict"),
    [
        ("12 of 12", "G 0.0636", "held"),
        ("11 of 12", "G 0.0636", "did not hold"),
        ("12 of 12", "G 0.0000", "did not hold"),
    ],
)
def test_the_second_hypothesis_needs_every_pair_and_a_spread(small, differing, spread, verdict):
    results = small.read()
    told = results.answers["statements"].copy()
    told.loc[told["quantity"] == "differing", "value"] = differing
    told.loc[told["quantity"] == "lowest unrounded", "value"] = spread
    context = report_context(replace(results, answers=results.answers | {"statements": told}))
    assert context["outcomes"]["hypotheses"][1]["verdict"] == verdict


def test_a_broken_check_and_a_falling_precision_are_told(small):
    results = small.read()
    broken = results.answers["checks"].copy()
    broken.loc[broken["check"] == "data-overlap", "holds"] = "False"
    falling = results.numbers["monotone"].copy()
    falling["precisions"] = False
    context = report_context(
        replace(results, answers=results.answers | {"checks": broken}, numbers=results.numbers | {"monotone": falling})
    )
    assert context["checks"]["broken"] == 1
    assert context["outcomes"]["derived"]["verdict"] == "broken"


def test_every_convention_is_put_into_words(small):
    shown = report_context(small.read())["conventions"]
    assert len(shown) == len(small.table("conventions.csv"))
    assert [each["what"] for each in shown if " " not in each["what"]] == []


def test_scores_beside_other_tools_are_counted_by_cause(small):
    table = small.table("crosscheck.csv")
    shown = report_context(small.read())["crosscheck"]
    assert (shown["compared"], shown["unexplained"]) == (len(table), 0)
    assert [(row["peer"], row["scores"]) for row in shown["rows"] if row["cause"].startswith("none")] == [
        (peer, len(rows)) for peer, rows in table[table["cause"].isna()].groupby("peer", sort=False)
    ]
    (floor,) = (row for row in shown["rows"] if row["cause"] == "NLTK floor")
    differences = table["difference"][table["cause"] == "NLTK floor"]
    assert (floor["scores"], floor["largest"]) == (len(differences), f"{differences.abs().max():.1e}")


def test_a_sample_that_was_compared_is_told(small, monkeypatch):
    results = small.read()
    assert report_context(results)["crosscheck"]["sample"] == ""
    monkeypatch.setattr(module, "MOST_CHARACTERS", 1000)
    monkeypatch.setattr(module, "SAMPLED_CHARACTERS", 1200)
    images = len(module.sampled(results.captions).image_ids)
    assert 0 < images < 12
    assert report_context(results)["crosscheck"]["sample"] == f"on {images} of 12 pictures"
    cells = small.table("crosscheck.csv").groupby("peer").size().max() // 3
    monkeypatch.setattr(ledger, "MOST_CELLS", cells)
    told = f"on {images} of 12 pictures and {cells} configurations a tool"
    assert f"since the tools are slow: {told}," in " ".join(render_report(report_context(results)).split())


def test_a_score_without_a_cause_and_a_missing_tool_are_told(small):
    results = small.read()
    found = results.answers["crosscheck"].iloc[:3].copy()
    found.loc[1, ["difference", "cause"]] = ["-0.25", "unexplained"]
    found.loc[2, ["peer", "ours", "theirs", "difference", "cause"]] = ["coco-caption", "", "", "", "not run"]
    changed = replace(results, answers=results.answers | {"crosscheck": found})
    shown = report_context(changed)["crosscheck"]
    assert (shown["compared"], shown["unexplained"]) == (2, 1)
    assert shown["rows"][1:] == [
        {"peer": "NLTK", "cause": "unexplained", "scores": 1, "largest": "2.5e-01", "wrong": True},
        {"peer": "coco-caption", "cause": "not run", "scores": 0, "largest": "", "wrong": False},
    ]
    assert "1 of the other tools" in render_report(report_context(changed))


def test_pictures_with_fewer_references_than_a_configuration_asks_for_are_told(small):
    results = small.read()
    assert report_context(results)["study"]["fewer_references"] == []
    first, *others = results.captions.references
    captions = replace(results.captions, references=(first[:3], *others))
    changed = replace(results, captions=captions)
    told = [f"1 of 12 images has fewer than {count} references and uses all it has." for count in (4, 8)]
    assert report_context(changed)["study"]["fewer_references"] == told
    assert " ".join(told) in render_report(report_context(changed))


def test_lengths_are_the_grids_and_the_captions(small):
    grid = small.table("grid.csv")
    for axis, choice in small.study.baseline.items():
        grid = grid[grid[axis].astype(str) == str(choice)]
    for line, (_, row) in zip(report_context(small.read())["brevity"], grid.iterrows(), strict=True):
        assert (line["system"], line["c"], line["corpus"]) == (
            row["system"],
            str(row["candidate_length"]),
            f"{row['bp']:.4f}",
        )


def test_own_configurations_are_counted_apart(make):
    made = make({"configurations": [{"configuration": "mine", "references": 3, "smoothing": "exp"}]})
    context = report_context(made.read())
    assert report_results.OWN_TABLE == OWN_TABLE
    assert context["tables"][-1]["heading"] == "Your own configurations"
    flips = made.table("flips.csv")
    own = flips[flips["table"] == OWN_TABLE]
    assert context["flips"]["own"] == f"{own['flip'].sum()} of {len(own)}"
    assert context["flips"]["of"] == len(flips) - len(own)
    assert not context["grid"]["complete"]


@pytest.mark.parametrize(
    ("where", "brief"),
    [
        ("a.csv: q = p1, column value", "a.csv: q = p1, column value"),
        ("a.csv: e = x, q = 1, column v; a.csv: e = x, q = 2, column v", "a.csv: e = x, q = 1, column v; q = 2"),
        ("a.csv: q = 1, column v; b.csv: q = 1, column w", "a.csv: q = 1, column v; b.csv: q = 1, column w"),
        ("a.csv: q = x; y, z, column v", "a.csv: q = x; y, z, column v"),
        ("", ""),
    ],
)
def test_addresses_are_written_in_full_once(where, brief):
    assert brief_addresses(where) == brief


@pytest.mark.parametrize(
    ("cell", "short"),
    [("4.440892098500626e-16", "4.4e-16"), ("0.005161450986399196", "0.0052"), ("40320", "40320"), ("7/7", "7/7"),
     ("True", "True"), ("{2: 200}", "{2: 200}"), ("1.0", "1.0"), ("12345678901", "12345678901")],
)  # fmt: skip
def test_only_long_decimal_numbers_are_shortened(cell, short):
    assert short_number(cell) == short


def test_words():
    assert [counted(n, "image") for n in (1, 2)] == ["1 image", "2 images"]
    assert [listed(names, "or") for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a or b", "a, b or c"]


def test_every_number_in_a_signature_row_is_the_grids(small):
    signatures = set(small.table("grid.csv")["signature"])
    context = report_context(small.read())
    assert all(row["signature"] in signatures for row in context["signatures"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", context["version"])


@pytest.mark.parametrize("axis", ["reference_length", "case", "tokenizer", "smoothing", "aggregation"])
def test_every_choice_is_put_into_words(axis):
    assert [option for option in options(axis) if not option_words(axis, option, "image")] == []


def test_a_choice_with_a_number_and_one_that_counts_segments_are_put_into_words():
    assert option_words("smoothing", "floor(2)", "image") == "that many matches where an order has none"
    assert option_words("aggregation", "corpus", "segment") == "counts summed over the segments, then one formula"
    assert option_words("references", "4", "image") == ""


def test_every_captioner_is_put_into_words():
    assert [name for name in CAPTIONERS if not SYSTEM_WORDS.get(name)] == []

"""What is told of intervals, flips and contradictions is what the draws said."""

from dataclasses import replace

import pytest

from manybleus.report.context import report_context
from manybleus.report.render import render_report
from manybleus.report.significance import is_near, noise, significance


def with_over(results, **tables):
    return replace(results, over=results.over | tables)


def test_the_noise_of_p_by_hand():
    """Twice a share of 0.025 of 1,000 draws: 2 sqrt(0.025 0.975 / 1000)."""
    assert noise(0.05, 1000) == pytest.approx(0.00987421, abs=1e-8)
    assert [is_near(p, 0.05, 1000) for p in (0.0492, 0.0508, 0.0302, 0.0303, 0.0697, 0.0698)] == [
        *(True, True, False, True, True, False)
    ]


def test_every_row_shows_its_interval_verdict_and_kind(small):
    results = small.read()
    table = results.over["flip_significance"].copy()
    first = table.index[0]
    table.loc[first, ["gap", "low", "high", "adjusted"]] = [-0.5, -0.75, -0.25, 0.05]
    table.loc[first, ["verdict", "kind"]] = ["second", "soft"]
    table.loc[first, ["change", "change_low", "change_high", "change_p"]] = [-0.125, -0.25, -0.0625, 0.00004]
    told = significance(with_over(results, flip_significance=table))
    assert len(told["rows"]) == (table["resampling"] == "plain").sum()
    row = told["rows"][0]
    assert (row["gap"], row["interval"], row["p"]) == ("-0.5000", "-0.7500 to -0.2500", "0.0500")
    assert (row["verdict"], row["kind"], row["near"]) == ("G\N{NO-BREAK SPACE}leads", "soft", True)
    assert row["change"] == "-0.1250"
    assert (row["change_interval"], row["change_p"]) == ("-0.2500 to -0.0625", "< 0.0001")
    low, gap, high = row["drawn"]
    assert low < gap < high < told["zero"]
    assert gap - low == pytest.approx(high - gap, abs=0.11)


def test_kinds_are_counted(small):
    results = small.read()
    table = results.over["flip_significance"].copy()
    plain = table.index[table["resampling"] == "plain"]
    table["kind"] = None
    table.loc[plain[:4], "kind"] = ["decisive", "soft", "soft", "tie"]
    told = significance(with_over(results, flip_significance=table))
    assert [(each["kind"], len(each["rows"])) for each in told["kinds"]] == [("decisive", 1), ("soft", 2), ("tie", 1)]
    assert told["flips"] == 4


def test_strata_are_explained_only_where_there_are_some(small):
    results = small.read()
    told = "samples none, so strata change nothing in it."
    assert told in render_report(report_context(results))
    plain = results.over["flip_significance"].query("resampling == 'plain'")
    assert told not in render_report(report_context(with_over(results, flip_significance=plain)))


@pytest.mark.parametrize(("verdict", "told"), [("neither", True), ("first", False)])
def test_against_a_tied_baseline_no_flip_can_be_decisive(small, verdict, told):
    results = small.read()
    table = results.over["significance"].assign(verdict=verdict)
    page = render_report(report_context(with_over(results, significance=table)))
    assert ("can be decisive</strong>: there was no order to reverse" in page.replace("\n    ", " ")) == told


def test_contradictions_are_shown_for_both_kinds_of_draws(small):
    results = small.read()
    table = results.over["reversals"].copy()
    of = table["pair"] == "S2-G"
    table.loc[of, ["first", "second"]] = ["3", "2"]
    table.loc[of, "neither"] = 7
    table.loc[of, ["first_cell", "second_cell"]] = ["references=1; case=lower", "references=4; case=cased"]
    numbers = ["first_gap", "second_gap", "change", "change_low", "change_high", "change_p"]
    table.loc[of, numbers] = [0.2, -0.1, 0.3, 0.25, 0.35, 0.002]
    told = significance(with_over(results, reversals=table))
    rows = [row for row in told["reversals"] if row["pair"] == "S2 and G"]
    assert [row["resampling"] for row in rows] == ["plain", "stratified"]
    assert rows[0]["one"] == {"leads": "S2", "cell": "1 reference, lowercased", "gap": "+0.2000"}
    assert rows[0]["two"] == {"leads": "G", "cell": "4 references, cased", "gap": "-0.1000"}
    assert (rows[0]["change"], rows[0]["interval"], rows[0]["p"]) == ("0.3000", "0.2500 to 0.3500", "0.0020")
    assert [count.split(" ")[0] for count in rows[0]["counts"]] == ["3", "7", "2"]

"""The page of the replications: each number is one of the draws'."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from manybleus.replication.distributions import count_table, row_table
from manybleus.report.render import render_report
from manybleus.report.replications import replication_context
from manybleus.text import signed

NO_BREAK = "\N{NO-BREAK SPACE}"
FRESH, ORDER, ONE = "scenes", "reference order", "one reference"


@pytest.fixture(scope="module")
def context(replicated):
    return replication_context(replicated.repeated, replicated.rows, replicated.counts, replicated.sizes, {})


def draws_of(replicated, redrawn, images=12):
    draws = replicated.draws
    return draws[(draws["redrawn"] == redrawn) & (draws["images"] == images)]


def test_the_answer_counts_the_baseline_s_rankings_and_the_flips(context, replicated):
    drawn = draws_of(replicated, FRESH)
    flips = (drawn["change"] == "flip").groupby(drawn["seed"]).sum()
    rankings = Counter(drawn["ranking"][drawn["change"] == "baseline"])
    answer = context["answer"].replace(NO_BREAK, " ")
    assert dict(re.findall(r"(S\S+ > \S+ > \S+) in (\d+)", answer)) == {k: str(n) for k, n in rankings.items()}
    assert f"; {flips.min()} to {flips.max()} of its 16 rows flip." in answer


def test_the_facts_are_those_of_the_draws(context, replicated):
    drawn = draws_of(replicated, FRESH)
    flips = (drawn["change"] == "flip").groupby(drawn["seed"]).sum()
    baseline = drawn[drawn["change"] == "baseline"].set_index("seed")["ranking"]
    signs = (drawn["S2"] > drawn["G"]).groupby([drawn["table"], drawn["configuration"]]).nunique()
    assert [fact["number"] for fact in context["facts"]] == [
        f"{(flips > 0).sum()} of 5",
        f"{(baseline == baseline[0]).sum()} of 5",
        f"{(flips >= flips[0]).sum()} of 5",
        f"{(signs == 1).sum()} of 17",
    ]


@pytest.mark.parametrize("redrawn", [FRESH, ORDER, ONE])
def test_the_tables_show_every_row_with_its_draws(context, replicated, redrawn):
    drawn = draws_of(replicated, redrawn)
    own = draws_of(replicated, FRESH).query("seed == 0").set_index(["table", "configuration"])
    lines = {
        (table["key"][-1].upper(), line["configuration"]): line
        for table in context["parts"][redrawn]
        for line in table["lines"]
    }
    assert len(lines) == 17
    for key, part in drawn.groupby(["table", "configuration"]):
        line = lines[key]
        assert line["study"] == signed(own.loc[key, "gap"])
        assert line["mean"] == f"{part['gap'].mean():+.4f}"
        assert line["below"] == (part["gap"] < own.loc[key, "gap"]).sum()
        assert (line["ahead"], line["draws"]) == ((part["S2"] > part["G"]).sum(), 5)
        assert line["flips"] == (part["change"] == "flip").sum()
        assert line["share"] == f"{20 * line['flips']}"
        assert line["counted"] == (redrawn == ONE or not key[1].startswith("baseline"))


def test_a_row_of_one_reference_has_none_to_choose_and_does_not_count(replicated):
    rows = replicated.rows.query("redrawn == 'one reference'")
    (of_one,) = rows.query("configuration == '1 reference'").to_dict("records")
    assert (of_one["lowest"], of_one["flips"]) == (of_one["highest"], 0)
    repeated = replace(replicated.repeated, single=(("A", "1 reference"),))
    made = replication_context(repeated, replicated.rows, replicated.counts, None, replicated_figures(replicated))
    assert made["kept"] == f"{(rows['flips'] == 0).sum() - 1} of {len(rows) - 1}"
    page = " ".join(render_report(made, "replications").split())
    assert "Not counted: 1 reference, where there is one reference, and none to choose." in page
    assert page.count("nothing drawn") == 1


def replicated_figures(replicated):
    return {file.removesuffix(".svg"): svg for file, svg in replicated.drawings().items() if file.endswith("svg")}


def test_sizes_show_the_baseline_and_the_rows_that_flip_in_the_study(context, replicated):
    own = draws_of(replicated, FRESH).query("seed == 0")
    shown = [row["configuration"] for row in context["sizes"]]
    assert shown == list(own["configuration"][own["change"] != "same"])
    assert len(shown) > 1
    for row in context["sizes"]:
        assert [line["images"] for line in row["lines"]] == ["6", "12", "20"]
        assert [line["draws"] for line in row["lines"]] == [4, 4, 4]


def test_the_page_says_that_it_is_an_extension_and_marks_the_study_s_rows(replicated, replicated_html):
    html = replicated_html
    assert "This page is an extension by this project." in html
    own = draws_of(replicated, FRESH).query("seed == 0")
    assert html.count('<tr class="flip">') == 3 * (own["change"] == "flip").sum()
    assert html == replicated.html()


def test_every_caption_names_one_table(replicated_html):
    captions = re.findall(r'<caption id="([^"]+)"><span>(.*?)</span>', replicated_html)
    assert len(captions) == 7
    assert len({text for _, text in captions}) == len(captions)


def test_without_other_sizes_the_page_has_no_part_about_them(replicated, replicated_html):
    assert 'id="sizes"' in replicated_html
    without = replace(replicated, sizes=None)
    assert 'id="sizes"' not in without.html()
    assert not [file for file in without.drawings() if file.startswith("sizes")]


def test_one_draw_can_be_shown(replicated):
    draws = replicated.draws[replicated.draws["seed"] == 0]
    alone = replace(
        replicated,
        repeated=replace(replicated.repeated, seeds=(0, 0)),
        draws=draws,
        rows=row_table(draws, [0], 12, 0, 1e-12),
        counts=count_table(draws, 12, 0),
        sizes=None,
    )
    html = alone.html()
    assert "drawn again with seed 0:" in html
    assert "<strong>1 draw</strong>" in html


def test_hostile_names_stay_text(replicated):
    hostile = "<script>alert(1)</script>{{ 7*7 }}"
    repeated = replace(replicated.repeated, study=hostile, titles=dict.fromkeys("AB", hostile))
    rows = replicated.rows.replace("cased", hostile)
    drawn = dict.fromkeys(
        (f"{name}.{theme}" for name in ("scenes", "order", "one_reference", "sizes") for theme in ("light", "dark")),
        b"",
    )
    page = replication_context(repeated, rows, replicated.counts, replicated.sizes, drawn)
    html = render_report(page, "replications")
    # The page has one script, its own.
    assert html.count("<script>") == 1
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;{{ 7*7 }}") >= 5

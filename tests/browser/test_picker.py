"""The configuration picker in a browser: every number is grid.csv's, links restore it, and keys reach all of it."""

import random
import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from browser.visits import write_report

from manybleus.report.context import report_context
from manybleus.report.picker import Intervals, picker
from manybleus.report.render import render_report
from manybleus.text import signed

AXES = ["references", "reference_length", "case", "tokenizer", "smoothing", "aggregation"]
KEYS = ["refs", "len", "case", "tok", "smooth", "agg"]
HOSTILE = "<img src=x onerror=alert(1)>\"'&{{ 7*7 }}"
NO_BREAK = "\N{NO-BREAK SPACE}"


class Grid:
    """grid.csv, looked up by the choices of a cell."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.systems = list(dict.fromkeys(table["system"]))
        texts = table.astype(dict.fromkeys(AXES, str))
        self.cells = {cell: rows.set_index("system") for cell, rows in texts.groupby(AXES, sort=False)}
        self.options = {axis: list(dict.fromkeys(texts[axis])) for axis in AXES}

    def ranking(self, cell) -> str:
        scores = self.cells[cell]["score"]
        order = sorted(self.systems, key=lambda system: -scores[system])
        signs = ["=" if scores[better] - scores[worse] < 1e-12 else ">" for better, worse in pairwise(order)]
        return " ".join([order[0], *(f"{sign} {name}" for sign, name in zip(signs, order[1:], strict=True))])

    def distinct(self, ranking: str) -> int:
        """How many cells with that ranking have scores of their own, to nine decimals."""
        return len(
            {tuple(rows["score"].round(9)) for cell, rows in self.cells.items() if self.ranking(cell) == ranking}
        )

    def gap(self, cell) -> str:
        scores = self.cells[cell]["score"]
        return signed(scores["S2"] - scores["G"])

    def changes(self, cell) -> list[list[str]]:
        """Each single change: the other answer, the ranking then, whether the order changes, and the gap then."""
        found = []
        for place, axis in enumerate(AXES):
            for option in self.options[axis]:
                to = (*cell[:place], option, *cell[place + 1 :])
                if to != cell:
                    order = "⇄ changes" if self.ranking(to) != self.ranking(cell) else "= same"
                    found.append([option, self.ranking(to), order, self.gap(to)])
        return found


def fragment(cell) -> str:
    return "#" + "&".join(f"{key}={choice}" for key, choice in zip(KEYS, cell, strict=True))


@pytest.fixture(scope="module")
def grid(made) -> Grid:
    return Grid(made.table("grid.csv"))


BASELINE = ("4", "closest", "lower", "split", "none", "corpus")


def chosen(page) -> tuple[str, ...]:
    return tuple(page.locator("#pick input:checked").evaluate_all("all => all.map(each => each.value)"))


def wait_for(page, *choices) -> None:
    """Wait until all these choices are chosen."""
    code = "choices => choices.every(each => document.querySelector(`#pick input:checked[value='${each}']`))"
    page.wait_for_function(code, arg=choices)


def address(page) -> str:
    """What stands behind # in the address, as the page has it: Playwright is told of it a little later."""
    return page.evaluate("location.hash.slice(1)")


def wait_for_address(page, part) -> None:
    """Wait until this stands behind # in the address."""
    page.wait_for_function("part => location.hash.includes(part)", arg=part)


def text(page, selector) -> str:
    return page.locator(selector).inner_text().replace(NO_BREAK, " ")


def lines(page, selector) -> list[list[str]]:
    """The cells of a table's body, without the names of groups and without bars."""
    code = (
        "all => all.map(row => [...row.cells].filter(cell => cell.scope !== 'rowgroup' && !cell.matches('.pick-bars'))"
        ".map(cell => cell.textContent))"
    )
    rows = page.locator(f"{selector} tbody tr").evaluate_all(code)
    return [[cell.replace(NO_BREAK, " ").strip() for cell in row] for row in rows]


def test_every_cell_of_a_sample_is_that_of_the_grid(visit, report, grid):
    page = visit(report).page
    cells = list(grid.cells)
    for cell in [BASELINE, *random.Random(6).sample(cells, 60)]:
        page.evaluate("fragment => { location.hash = fragment; }", fragment(cell))
        wait_for(page, *cell)
        assert chosen(page) == cell
        scores, ranking = grid.cells[cell]["score"], grid.ranking(cell)
        shown = lines(page, "#pick-scores")
        assert {system: score for _, system, score, _ in shown} == {
            name: f"{scores[name]:.4f}" for name in grid.systems
        }
        assert [hundred for *_, hundred in shown] == [f"{100 * float(score):.2f}" for _, _, score, _ in shown]
        assert [system for _, system, *_ in shown] == re.split(" [=>] ", ranking)
        assert text(page, "#pick-told").startswith(ranking)
        agreeing = sum(grid.ranking(other) == ranking for other in cells)
        share = f"{100 * agreeing / len(cells):.1f} %; {grid.distinct(ranking)} distinct"
        assert f"{agreeing} of {len(cells)} configurations ({share})" in text(page, "#pick-told")
        assert text(page, "#pick-gap p >> nth=0").startswith(f"S2 minus G: {grid.gap(cell)}")
        assert lines(page, "#pick-changes") == grid.changes(cell)
        signature = grid.cells[cell]["signature"].iloc[0]
        assert text(page, "#pick-calls div:first-child dd") == signature
        each = ", ".join(f"{name} {scores[name]:.4f}" for name in grid.systems)
        assert text(page, "#pick-sentence").startswith(
            f"BLEU-4 (0-1): {each}; ranking {ranking}; signature {signature}. "
        )


def test_a_link_shows_its_configuration_again(visit, report, grid):
    page = visit(report).page
    assert chosen(page) == BASELINE
    page.get_by_role("radio", name="shortest").check()
    wait_for_address(page, "len=shortest")
    page.get_by_role("radio", name="mean-sentence").check()
    wait_for_address(page, "agg=mean-sentence")
    changed = ("4", "shortest", "lower", "split", "none", "mean-sentence")
    assert address(page) == fragment(changed)[1:]
    again = visit(report, fragment=fragment(changed)).page
    assert chosen(again) == changed
    assert text(again, "#pick-told").startswith(grid.ranking(changed))
    assert again.evaluate("document.getElementById('picker').getBoundingClientRect().top") < 100
    page.go_back()
    wait_for(page, "corpus")
    assert chosen(page) == ("4", "shortest", *BASELINE[2:])
    page.go_back()
    wait_for(page, "closest")
    assert chosen(page) == BASELINE
    page.go_forward()
    wait_for(page, "shortest")
    assert chosen(page) == ("4", "shortest", *BASELINE[2:])


def test_a_row_of_the_tables_is_a_start(visit, report):
    page = visit(report).page
    page.get_by_text("Start from a row of the tables").click()
    page.get_by_role("link", name="punctuation kept on words").click()
    wait_for(page, "kept")
    assert chosen(page) == ("4", "closest", "lower", "kept", "none", "corpus")
    page.get_by_role("link", name="choose them").click()
    wait_for(page, "split")
    assert chosen(page) == BASELINE


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("#refs=9&tok=kept", "Not in this grid: refs=9. "),
        ("#colour=red", "Not in this grid: colour=red. "),
        ("#references=9&tok=kept", "Not in this grid: references=9. "),
        ("#refs=1&refs=2&tok=kept", "Two answers, so that neither counts: refs. "),
        ("#refs=1&references=2&tok=kept&x=1", "Not in this grid: x=1. Two answers, so that neither counts: refs. "),
        ("#bp=no", "Not in this grid: bp=no. "),
        ("#nowhere&tok=kept", "Not in this grid: nowhere=. "),
        ("#refs=1&=%3Cimg%20src=x%3E", "Not in this grid: =<img src=x>. "),
    ],
)
def test_an_address_that_names_no_choice_is_told(visit, report, address, told):
    page = visit(report, fragment=address).page
    assert text(page, "#pick-told").startswith(told.strip())
    assert chosen(page) == (*(("1",) if "img" in address else BASELINE[:1]), *BASELINE[1:3],
                            "kept" if "tok" in address else "split", *BASELINE[4:])  # fmt: skip
    assert page.locator("#pick-told img").count() == 0


@pytest.mark.parametrize("address", ["#weights=uniform&eff=no&bp=yes", "#effective_order=no&refs=4&refs=4"])
def test_an_address_may_name_what_is_at_rest_and_the_same_answer_twice(visit, report, grid, address):
    page = visit(report, fragment=address).page
    assert chosen(page) == BASELINE
    assert text(page, "#pick-told").startswith(grid.ranking(BASELINE))


def test_an_address_may_name_the_choices_as_the_grid_does(visit, report):
    long = "#references=2&reference_length=average&tokenizer=kept&agg=mean-sentence&max_order=4"
    page = visit(report, fragment=long).page
    assert chosen(page) == ("2", "average", "lower", "kept", "none", "mean-sentence")
    assert "Not in this grid" not in text(page, "#pick-told")


def test_places_of_the_page_leave_the_choice_as_it_is(visit, report):
    page = visit(report, fragment="#refs=1&len=closest").page
    page.evaluate("location.hash = '#ledger'")
    assert chosen(page)[0] == "1"
    assert chosen(visit(report, fragment="#ledger").page) == BASELINE


def test_a_place_of_the_page_keeps_the_choice_in_the_address(visit, report):
    page = visit(report).page
    page.locator(".contents a[href='#curve']").click()
    assert address(page) == "curve"
    page.get_by_role("radio", name="shortest").check()
    wait_for_address(page, "len=shortest")
    picked = address(page)
    page.locator(".contents a[href='#curve']").click()
    wait_for_address(page, "curve&")
    assert address(page) == f"curve&{picked}"
    assert page.evaluate("document.getElementById('curve').getBoundingClientRect().top") < 100
    again = visit(report, fragment=f"#curve&{picked}").page
    assert chosen(again) == ("4", "shortest", *BASELINE[2:])
    assert "Not in this grid" not in text(again, "#pick-told")
    assert again.evaluate("Math.abs(document.getElementById('curve').getBoundingClientRect().top)") < 100
    page.go_back()
    wait_for_address(page, "#refs=")
    assert chosen(page) == ("4", "shortest", *BASELINE[2:])


def test_keys_reach_every_choice_every_change_and_the_button(visit, report, grid):
    page = visit(report, fragment=fragment(BASELINE)).page
    page.locator("#picker a").first.focus()
    reached = []
    while not reached or reached[-1] != "pick-copy":
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("(({id, name, localName, textContent}) => id || name || textContent)(document.activeElement)")
        )
        assert len(reached) < 60
    assert [name for name in reached if name.startswith("pick-")] == [f"pick-{key}" for key in KEYS] + ["pick-copy"]
    for axis, key in zip(AXES, KEYS, strict=True):
        page.locator(f"input[name='pick-{key}']:checked").focus()
        passed = set()
        for _ in grid.options[axis]:
            page.keyboard.press("ArrowRight")
            passed.add(page.evaluate("document.activeElement.value"))
            outline = page.evaluate("getComputedStyle(document.activeElement.closest('label')).outlineStyle")
            assert outline == "solid"
        assert passed == set(grid.options[axis])
    assert chosen(page) == BASELINE
    links = page.locator("#pick-changes a")
    assert links.count() == len(grid.changes(BASELINE))
    links.nth(4).focus()
    page.keyboard.press("Enter")
    wait_for(page, "average")
    assert page.evaluate("[...document.querySelectorAll('#pick-changes a')].indexOf(document.activeElement)") == 4


def test_the_button_copies_the_sentence(visit, report):
    page = visit(report, permissions=["clipboard-read", "clipboard-write"]).page
    page.locator("#pick-copy").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == text(page, "#pick-sentence")


def test_where_the_clipboard_is_refused_the_sentence_is_marked(visit, report):
    page = visit(report).page
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    page.locator("#pick-copy").click()
    page.locator("#pick-copied:not(:empty)").wait_for()
    assert page.evaluate("getSelection().toString()") == text(page, "#pick-sentence")


def test_a_change_is_announced(visit, report):
    page = visit(report).page
    status = page.locator("#pick-told")
    assert (status.get_attribute("role"), status.get_attribute("aria-live")) == ("status", "polite")
    before = status.inner_text()
    status.evaluate(
        "status => { window.told = []; new MutationObserver(() => told.push(status.textContent))"
        ".observe(status, {childList: true, subtree: true, characterData: true}); }"
    )
    page.get_by_role("radio", name="1", exact=True).check()
    page.wait_for_function("told.length > 0")
    assert status.inner_text() != before
    assert page.evaluate("told.at(-1)").replace(NO_BREAK, " ").startswith("S1 > G > S2")


def test_a_grid_with_holes_disables_what_it_does_not_hold(visit, make):
    own = [
        {"configuration": HOSTILE, "references": 3},
        {"configuration": "two changes", "references": 1, "smoothing": "floor(0.1)"},
    ]
    page = visit(write_report(make({"configurations": own}))).page
    disabled = "all => all.filter(each => each.disabled).map(each => each.value)"
    assert page.locator("#pick input").evaluate_all(disabled) == ["floor(0.1)"]
    assert ["floor(0.1)", "not in this grid"] in lines(page, "#pick-changes")
    page.get_by_text("Start from a row of the tables").click()
    page.get_by_role("link", name="two changes").click()
    wait_for(page, "floor(0.1)")
    assert page.locator("#pick input").evaluate_all(disabled)
    assert chosen(page)[0] == "1"
    page.get_by_role("link", name=HOSTILE).click()
    wait_for(page, "3")
    assert chosen(page)[0] == "3"


def write_picker(path, results, intervals, **changes):
    """A report whose picker has intervals, or a grid of its own."""
    context = report_context(results)
    context["picker"] = picker(replace(results, **changes), intervals)
    path.write_text(render_report(context), encoding="utf-8")
    return path


def test_two_systems_are_ranked_too(visit, make):
    made = make({"systems": ["G", "S2"], "gap": ["G", "S2"]})
    baseline = made.table("tables/table_a.csv").iloc[0]
    page = visit(write_report(made)).page
    assert [line[1] for line in lines(page, "#pick-scores")] == baseline["ranking"].split(" > ")
    assert text(page, "#pick-gap p >> nth=0").startswith(f"G minus S2: {signed(baseline['G-S2'])}")


def test_one_system_has_scores_and_no_ranking(visit, small, tmp_path):
    results = small.read()
    grid = results.grid[results.grid["system"] == "S2"].reset_index(drop=True)
    cells = results.cells.assign(ranking="S2")
    study = SimpleNamespace(baseline=results.study.baseline, tables=(), gap=None)
    path = write_picker(tmp_path / "page.html", results, Intervals(), grid=grid, cells=cells, study=study)
    page = visit(path, fragment=fragment(BASELINE)).page
    own = Grid(grid).cells
    score = own[BASELINE]["score"]["S2"]
    assert text(page, "#pick-told") == f"S2 {score:.4f}\nOne system, and nothing to rank it with."
    assert text(page, "#pick-sentence").startswith(f"BLEU-4 (0-1): S2 {score:.4f}; signature refs:4|")
    assert not page.locator("#pick-gap").is_visible()
    shown = {line[0]: line[1] for line in lines(page, "#pick-changes")}
    assert shown["shortest"] == f"{own['4', 'shortest', *BASELINE[2:]]['score']['S2']:.4f}"
    assert {len(line) for line in lines(page, "#pick-changes")} == {2}


def test_an_interval_stands_beside_its_gap(visit, small, tmp_path):
    results = small.read()
    cells = list(zip(*(results.cells[axis] for axis in [*AXES, "max_order"]), strict=True))
    bounds = dict.fromkeys(cells, (-0.012345, 0.5))
    intervals = Intervals("95 %", bounds, {cells[0]: "G", cells[1]: "S2", cells[2]: "S2"})
    page = visit(write_picker(tmp_path / "page.html", results, intervals)).page
    assert "(95 % interval -0.0123 to +0.5000)" in text(page, "#pick-gap p >> nth=0")
    assert page.locator("#pick-gap .interval").count() == 1
    scores = results.grid["score"].round(9).to_numpy().reshape(len(cells), -1)
    distinct = 2 - bool((scores[1] == scores[2]).all())
    told = f"of all {len(cells)}, S2 does in 2 ({distinct} distinct) and G in 1 (1 distinct))."
    here = "decisive reversals of S2 and G: 0 (neither leads significantly here"
    assert f"; {here}; {told}" in text(page, "#pick-sentence")
    page.evaluate("fragment => { location.hash = fragment; }", fragment(cells[0][:-1]))
    wait_for(page, *cells[0][:-1])
    here = "decisive reversals of S2 and G: 2 (G leads significantly here"
    assert f"; {here}; {told}" in text(page, "#pick-sentence")


def test_rankings_of_many_systems_are_told_by_their_pairs(visit, small, tmp_path):
    """Twelve systems: at the baseline in the order of their names, in every other cell the first three turned round."""
    results = small.read()
    systems = [f"s{number}" for number in range(12)]
    one = results.grid.iloc[::3]
    grid = one.loc[one.index.repeat(12)].reset_index(drop=True).assign(system=systems * len(one))
    baseline = (one[AXES] == list(BASELINE)).all(axis=1).repeat(12).to_numpy()
    places = np.tile(np.arange(12), len(one))
    grid["score"] = (90 - np.where(~baseline & (places < 3), 2 - places, places)) / 100
    names = ["s2", "s1", "s0", *systems[3:]]
    at_baseline = (results.cells[AXES] == list(BASELINE)).all(axis=1)
    cells = results.cells.assign(ranking=np.where(at_baseline, " > ".join(systems), " > ".join(names)))
    study = replace(results.study, gap=("s0", "s1"))
    path = write_picker(tmp_path / "page.html", results, Intervals(), grid=grid, cells=cells, study=study)
    page = visit(path).page
    assert text(page, "#pick-told").startswith("1. s0, 2. s1, 3. s2, …\nIt is the baseline's ranking. ")
    assert {tuple(line[1:3]) for line in lines(page, "#pick-changes")} == {("3 of 66 pairs change places", "⇄ changes")}
    page.get_by_role("link", name="shortest").click()
    wait_for(page, "shortest")
    told = "1. s2, 2. s1, 3. s0, …\nIt is not the baseline's ranking: 3 of 66 pairs change places. "
    assert text(page, "#pick-told").startswith(told)
    assert [line[1] for line in lines(page, "#pick-scores")] == names

"""The report as a page: self-contained, the same every time, and safe with hostile text."""

import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pandas as pd
import pytest
from helpers import SOURCE
from jinja2 import UndefinedError

from manybleus import provenance
from manybleus.files import write_text
from manybleus.provenance import source_digest
from manybleus.report.context import report_context
from manybleus.report.render import render_report

HOSTILE = "<script>alert(1)</script>&\"'{{ 7*7 }}<img src=http://example.org/x>"
# Elements that HTML never closes.
VOID = {"meta", "img", "source", "br", "link", "input"}
# What is counted in captions, the grid for the picker, and the page's own code.
SCRIPTS = [
    {"type": "application/json", "id": "captions-data"},
    {"type": "application/json", "id": "pick-grid"},
    {"type": "application/json", "id": "curve-data"},
    {},
]


class Page(HTMLParser):
    """What a test needs to know of a page: its elements, its ids, its text, and whether its elements nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.stack: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack and self.stack[-1] not in ("style", "script"):
            self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def page(html) -> Page:
    return Page(html)


@pytest.fixture(scope="module", params=["report", "replications"])
def any_html(request, html, replicated_html) -> str:
    return html if request.param == "report" else replicated_html


@pytest.fixture(scope="module")
def any_page(any_html) -> Page:
    return Page(any_html)


def test_the_page_asks_nothing_of_any_network(any_page, any_html):
    page, html = any_page, any_html
    for _, attributes in page.elements:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert re.match(r"data:(image|text/csv)[/;]|#", attributes.get(name) or "#")
    assert page.all("script") == (SCRIPTS if 'id="pick-grid"' in html else SCRIPTS[-1:])
    assert "url(" not in html
    assert "@import" not in html


def test_the_page_is_well_formed(any_page):
    page = any_page
    assert page.stack == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        link = attributes.get("href") or "#main"
        assert "=" in link or link[1:] in ids or link.startswith("data:text/csv;base64,")
        assert attributes.get("aria-labelledby", ids[0]) in ids


def test_pictures_tables_and_headings_are_readable_without_seeing_them(any_page):
    page = any_page
    assert all(image["alt"] for image in page.all("img"))
    tables = [place for place, (tag, _) in enumerate(page.elements) if tag == "table"]
    assert all(page.elements[place + 1][0] == "caption" for place in tables)
    assert all("scope" in cell for cell in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.all("a")[0]["href"] == "#main"


def test_the_page_is_the_same_every_time(small, html):
    assert small.html() == html


def test_the_page_holds_no_path_and_no_date(small, html):
    assert str(small.folder) not in html
    assert not re.search(r"\b20\d\d-\d\d-\d\d", html)


def test_the_page_is_small(html):
    assert len(html.encode()) < 1_500_000


def test_flips_are_told_in_words(page, small):
    flips = small.table("flips.csv")
    rows = [attributes for attributes in page.all("tr") if attributes.get("class") == "flip"]
    assert len(rows) == flips["flip"].sum()
    for configuration in flips["configuration"][flips["flip"]]:
        assert re.search(rf"\n\s*{re.escape(configuration)}\n(?:.*\n)+?.*⇄ flips", page.text)


def test_a_hostile_caption_stays_text(small, page, tmp_path):
    made = replace(small, folder=tmp_path / "copy")
    shutil.copytree(small.folder, made.folder)
    for file in ("references", "S1"):
        path = made.folder / f"captions/{file}.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        captions = content["annotations"] if file == "references" else content
        for caption in captions:
            caption["caption"] = HOSTILE
        write_text(path, json.dumps(content))
    hostile = Page(made.html())
    assert HOSTILE in hostile.text
    assert hostile.all("script") == SCRIPTS
    assert len(hostile.all("img")) == len(page.all("img"))


def test_hostile_names_stay_text(make):
    made = make(
        {
            "configurations": [{"configuration": HOSTILE, "references": 2}, {"configuration": "$x^$ | \\frac"}],
            "tables": [{"name": "A", "title": HOSTILE, "rows": [{"configuration": f"{HOSTILE} 2", "case": "cased"}]}],
        }
    )
    results = made.read()
    claims = results.answers["claims"]
    answers = results.answers | {"claims": claims.assign(what=HOSTILE, note=HOSTILE, reproduced=HOSTILE, group=HOSTILE)}
    page = Page(render_report(report_context(replace(results, answers=answers))))
    assert page.text.count(HOSTILE) > len(claims)
    assert page.all("script") == SCRIPTS


def test_a_claim_that_differs_stands_at_the_top_and_in_the_ledger(small, html):
    results = small.read()
    claims = results.answers["claims"].copy()
    claims.loc[claims["id"] == "clip-the", "verdict"] = "DIFFERS"
    text = render_report(report_context(replace(results, answers=results.answers | {"claims": claims})))
    header, _, rest = text.partition("</header>")
    assert "1 DIFFERS" in header
    assert "1 DIFFERS" in rest
    assert "DIFFERS.</strong>" not in html.partition("</header>")[0]


def test_an_edited_study_says_that_it_was_edited(small, html):
    assert "set up otherwise" in html.partition("</header>")[0]
    results = small.read()
    claims = results.answers["claims"].assign(verdict="MATCH")
    text = render_report(report_context(replace(results, answers=results.answers | {"claims": claims})))
    assert "set up otherwise" not in text.partition("</header>")[0]


EDITED = {
    "one image": {"scenes": {"images": 1, "seed": 3}},
    "two systems, and another seed": {
        "scenes": {"images": 7, "seed": 60},
        "systems": ["S2", "G"],
        "gap": ["G", "S2"],
    },
    "one table of the baseline alone, and own configurations": {
        "tables": [{"name": "Z", "title": "alone", "rows": [{"configuration": "b"}]}],
        "configurations": [{"configuration": "all references, exp", "references": "all"}],
    },
    "another grid": {
        "grid": {
            "references": [3, 4, "all"],
            "reference_length": ["closest"],
            "case": ["lower"],
            "tokenizer": ["split"],
            "smoothing": ["none", "exp"],
            "aggregation": ["corpus"],
            "max_order": [2, 4],
        }
    },
}


@pytest.mark.parametrize("name", EDITED)
def test_edited_studies_render(make, name):
    made = make(EDITED[name])
    page = Page(made.html())
    assert page.stack == []
    assert len(made.table("figures/curve.csv")) * len(made.read().captions.systems) == len(made.table("grid.csv"))
    for table in made.study.tables:
        for score in made.table(table["file"]).iloc[:, 1]:
            assert f"{score:.4f}" in page.text


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("checks.csv", "has no checks"),
        ("claims.csv", None),
        ("worked_examples.csv", "has no worked examples"),
        ("conventions.csv", "asked no tool"),
        ("crosscheck.csv", "compared no score with a tool's"),
        ("statements.csv", "not evaluated in this study"),
        ("study_output.txt", None),
    ],
)
def test_a_file_that_a_study_does_not_have_is_not_needed(small, html, file, told):
    assert file in small.answers
    without = small.html(without=(file,))
    assert told is None or told in Page(without).text
    assert ('id="ledger"' in without) == (file != "claims.csv")
    assert ("printed output</h3>" in without) == (file != "study_output.txt")
    assert "printed output</h3>" in html


def test_every_table_that_a_page_can_hold_can_be_downloaded_from_it(small, html):
    offered = set(re.findall(r'download="([^"]+)"', html))
    held = {file.replace("/", "_") for file in small.read().files}
    # It is the same as tables/precisions.csv.
    assert held - offered == {"figures_precisions.csv"}
    assert offered <= held


def test_captions_without_pictures_render(small):
    text = render_report(report_context(replace(small.read(), pictures=(), sheet=b"")))
    assert "Contact sheet" not in text
    assert Page(text).stack == []


def test_an_unknown_value_is_an_error_not_a_blank(small):
    context = report_context(small.read())
    del context["grid"]["equal"]
    with pytest.raises(UndefinedError, match="equal"):
        render_report(context)


def test_the_printed_output_is_shown_to_the_letter(small, page):
    printed = (small.folder / "study_output.txt").read_text(encoding="utf-8")
    assert printed in page.text


def test_the_reports_digest_covers_its_templates_and_style(monkeypatch, tmp_path):
    shutil.copytree(SOURCE, tmp_path / "manybleus")
    monkeypatch.setattr(provenance, "_ROOT", tmp_path / "manybleus")
    before = source_digest(["report.context", "report.render"])
    for file in ("templates/curve.html.j2", "static/report.css", "static/curve.js", "static/picker.js"):
        with (tmp_path / "manybleus/report" / file).open("a", encoding="utf-8") as text:
            text.write("\n")
        after = source_digest(["report.context", "report.render"])
        assert after != before
        before = after


def test_figures_are_the_same_every_time(small, make):
    again = make()
    for path in (small.folder / "figures").iterdir():
        assert path.read_bytes() == (again.folder / "figures" / path.name).read_bytes()
    svg = (small.folder / "figures/gaps.light.svg").read_text(encoding="utf-8")
    assert "<dc:date>" not in svg
    assert "matplotlib" not in svg.lower().replace("matplotlib.axis", "")


def test_the_figures_data_is_the_tables_gap(small):
    gaps = small.table("figures/gaps.csv")
    tables = pd.concat([small.table(table["file"]) for table in small.study.tables])
    assert list(gaps["gap"]) == list(tables.iloc[:, -1])

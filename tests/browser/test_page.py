"""The report as a browser shows it: to every reader, at every width, on paper, without scripts or a network."""

import io
import json
import shutil
import socket
import subprocess
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.visits import is_missing
from skimage.io import imread

VNU = Path(__file__).parent / "node_modules/vnu-jar/build/dist/vnu.jar"
NARROW, WIDE = 320, 1280
# An A4 page less a margin of one centimetre on either side, in CSS pixels.
PAPER = 718
# Elements that reach over the right edge of the page and stand in no box that scrolls by itself.
OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter(element => {
    const box = element.getBoundingClientRect();
    if (!box.width || box.right <= document.documentElement.clientWidth + 1) return false;
    for (let at = element.parentElement; at; at = at.parentElement)
        if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX)) return false;
    return true;
}).map(element => element.outerHTML.slice(0, 80))"""

# Words of cells that name rows and columns which stand on more than one line.
BROKEN = """() => [...document.querySelectorAll('th')].flatMap(cell => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), range = document.createRange(), broken = [];
    while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) broken.push(word[0]);
    }
    return broken;
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_nothing_stands_in_a_readers_way(visit, report, width, scheme):
    page = visit(report, width=width, scheme=scheme).page
    options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    for is_open in ("false", "true"):
        page.evaluate(f"document.querySelectorAll('details').forEach(each => each.open = {is_open})")
        found = Axe().run(page, options=options)
        assert found.violations_count == 0, found.generate_report()
        assert len(found.response["passes"]) > 20


def test_nothing_of_the_repeated_study_stands_in_a_readers_way(visit, replicated_html, tmp_path):
    path = tmp_path / "replications.html"
    path.write_text(replicated_html, encoding="utf-8")
    found = Axe().run(visit(path).page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert len(found.response["passes"]) > 20


def test_the_html_is_valid(report):
    assert_is_valid(report)


def assert_is_valid(path: Path) -> None:
    if not VNU.exists() or shutil.which("java") is None:
        is_missing("vnu-jar, by npm, or java")
    command = ["java", "-jar", str(VNU), "--format", "json", "--exit-zero-always", str(path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [message["message"] for message in json.loads(checked.stderr)["messages"]] == []


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_nothing_reaches_over_the_edge(visit, report, width):
    page = visit(report, width=width).page
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OVERFLOWING) == []


def test_on_paper_every_column_is_there(visit, report):
    page = visit(report, width=PAPER).page
    assert page.pdf(format="A4", margin=dict.fromkeys(("left", "right"), "10mm")).startswith(b"%PDF")
    page.emulate_media(media="print")
    shown = "[...document.querySelectorAll('th, td')].filter(cell => cell.checkVisibility())"
    boxes = page.evaluate(f"{shown}.map(cell => cell.getBoundingClientRect().right)")
    assert len(boxes) == page.locator("th, td").count()
    assert max(boxes) <= PAPER + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER
    assert page.evaluate(BROKEN) == []


def test_on_paper_a_dark_page_is_light_with_its_figures(visit, report):
    page = visit(report, scheme="dark").page
    looks = []
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        ink = page.evaluate("getComputedStyle(document.body).color.match(/\\d+/)[0]")
        figures = [page.locator(f".drawing .on-{theme}:visible").count() for theme in ("light", "dark")]
        looks.append((int(ink) < 100, figures))
    assert looks == [(False, [0, 4]), (True, [4, 0])]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"media": "print"}], ids=str)
def test_bars_and_swatches_do_not_vanish(visit, report, media, scheme):
    page = visit(report, scheme=scheme).page
    page.emulate_media(**media)
    for selector, filled in (
        ("#grid-table .bar[style*='41.7']", 0.417),
        ("#lengths .bar.blue", 1),
        ("#pick-scores tr:first-child .pick-bars span:not(.unseen)", 1),
        (".strip .swatch.same", 1),
        (".strip .swatch.flips", 1),
    ):
        pixels = imread(io.BytesIO(page.locator(selector).first.screenshot()))[2:-2, 2:-2, :3].astype(int)
        behind = {"light": 255, "dark": 0}[scheme if "media" not in media else "light"]
        differing = np.abs(pixels - behind).max(axis=2) > 60
        assert abs(differing.mean() - filled) < 0.25, selector


def test_without_scripts_every_table_is_shown(visit, report):
    page = visit(report, java_script_enabled=False).page
    assert page.get_by_text("Picking needs JavaScript").is_visible()
    for summary in page.locator("summary:visible").all():
        summary.click()
    tables = page.locator("table:not(#pick table)").all()
    assert len(tables) > 10
    assert [table.get_attribute("id") for table in tables if not table.is_visible()] == []


def test_the_report_of_the_study_is_small(report):
    assert report.stat().st_size < 1_500_000


def test_the_browser_has_no_network_and_what_a_page_asks_for_is_seen(visit, report, tmp_path):
    """The other tests rest on this."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/picture.png"
        path = tmp_path / "page.html"
        path.write_text(f"<!DOCTYPE html><title>t</title><img src='{url}' alt=''>", encoding="utf-8")
        opened = visit(path)
        assert opened.others() == [url]
        assert opened.messages
        with pytest.raises(BlockingIOError):
            server.accept()
    opened.requests.clear()
    opened.messages.clear()

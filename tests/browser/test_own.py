"""The report of one's own captions in a browser: names and texts of any script and length."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser.test_page import NARROW, OVERFLOWING, PAPER, WIDE, assert_is_valid
from report.test_own_report import write_own_report

CAT, DOG, SAT = "\u0642\u0637\u0629", "\u0643\u0644\u0628", "\u062c\u0644\u0633"
TOLD = [[f"{CAT} {SAT} {DOG}", f"{DOG} {SAT}"], [f"{DOG} {DOG} {SAT} {CAT}", f"{CAT} {CAT}"]] * 3
ONE, OTHER = "\u0646\u0638\u0627\u0645 1", "\u05d0\u05d1"
SYSTEMS = {ONE: [f"{CAT} {SAT} {DOG} ."] * 6, OTHER: [f"{DOG} {SAT} {CAT}", f"{CAT} {DOG}"] * 3}

# Where each name begins in each text of these elements, by its left edge, in the order of the text.
PLACES = """([selector, names]) => [...document.querySelectorAll(selector)].flatMap(element => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
    while (texts.nextNode()) {
        const node = texts.currentNode, text = node.data.replaceAll('\\xa0', ' ');
        const at = names.map(name => text.indexOf(name)).filter(place => place >= 0).sort((a, b) => a - b);
        if (at.length > 1) found.push(at.map(place => {
            const name = names.find(each => text.startsWith(each, place));
            range.setStart(node, place); range.setEnd(node, place + name.length);
            return range.getBoundingClientRect().left;
        }));
    }
    return found;
})"""
# Systems' names that stand on a word of their caption.
COVERED = """() => [...document.querySelectorAll('.said')].filter(said => {
    const name = said.querySelector('.system').getBoundingClientRect();
    return [...said.querySelectorAll('ruby')].some(ruby => {
        const word = ruby.getBoundingClientRect();
        return word.left < name.right && name.left < word.right && word.top < name.bottom && name.top < word.bottom;
    });
}).length"""


@pytest.fixture(scope="module")
def from_right(tmp_path_factory):
    """A report in which all that people wrote is written from right to left."""
    return write_own_report(tmp_path_factory.mktemp("from_right"), SYSTEMS, TOLD)


@pytest.mark.parametrize("width", [320, 1280])
def test_names_from_right_to_left_turn_no_ranking_round_and_stand_on_no_caption(visit, from_right, width):
    page = visit(from_right, width=width).page
    for selector in (".ranking", "#pick-told", ".strip figcaption", "thead th"):
        places = page.evaluate(PLACES, [selector, [ONE, OTHER]])
        assert places, selector
        if width > 320 or selector == ".ranking":
            assert [each for each in places if each != sorted(each)] == []
    assert page.locator(".said").count() == 12
    assert page.evaluate(COVERED) == 0


def test_a_caption_from_right_to_left_begins_at_the_right(visit, from_right):
    page = visit(from_right).page
    first, second = (page.locator(".said").first.locator("ruby").nth(place).bounding_box()["x"] for place in (0, 1))
    assert second < first
    assert page.locator(".references bdi").first.evaluate("each => getComputedStyle(each).direction") == "rtl"
    number, box = (page.locator(f".references {each}").first.bounding_box()["x"] for each in ("li", "input"))
    assert number <= box < number + 40


LONG = ["a-name-as-long-as-names-may-be-and-of-many-words-" + "so" * 10, "x" * 79]
# Heads and cells whose words reach into the next column.
CROWDED = """() => [...document.querySelectorAll('thead th, tbody th, td')].filter(cell =>
    cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1 && !cell.querySelector('.unseen'))
    .map(cell => cell.outerHTML.slice(0, 80))"""


def test_names_of_any_length_have_room(visit, tmp_path):
    systems = dict(zip(LONG, SYSTEMS.values(), strict=True))
    path = write_own_report(tmp_path, systems, TOLD, gap=LONG)
    for width in (NARROW, WIDE):
        page = visit(path, width=width).page
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(OVERFLOWING) == []
        assert page.evaluate(CROWDED) == []
        head = page.locator("#table-a thead th").last
        assert head.inner_text().replace("\n", "").startswith(f"{LONG[0]}-{LONG[1]}")
        assert head.bounding_box()["width"] < NARROW
    page.set_viewport_size({"width": PAPER, "height": 900})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER
    assert page.evaluate(CROWDED) == []


def test_nothing_stands_in_the_way_of_readers_from_right_to_left(visit, from_right):
    for width in (NARROW, WIDE):
        found = Axe().run(visit(from_right, width=width).page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
    assert_is_valid(from_right)

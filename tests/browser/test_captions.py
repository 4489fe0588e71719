"""The references that count, chosen in a browser: every count is the definition's, and captions stay text."""

import re
from dataclasses import replace

import pytest

from manybleus.analysis.ngrams import ngram_table
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import ceiling, clipped_matches, ngrams
from manybleus.bleu.tokens import tokenize_all
from manybleus.report.context import report_context
from manybleus.report.render import render_report

HOSTILE = "<img src=x onerror=alert(1)>\"'&{{ 7*7 }} </script><script>alert(2)</script>"
ORDERS = (1, 2, 3, 4)


def picture(page, number):
    return page.locator(".shown > li").nth(number)


def choose(item, wanted) -> None:
    """Check these references and no other."""
    for place, box in enumerate(item.get_by_role("checkbox").all()):
        box.set_checked(place in wanted)


def counts(caption) -> list[tuple[int, int, int]]:
    """What a caption's line says: for each order the n-grams that match, all of them, and the clipped ones."""
    told = []
    for order, span in zip(ORDERS, caption.locator(".orders > span").all(), strict=True):
        found = re.fullmatch(rf"n = {order}: (\d+)/(\d+)(?: (\d+) clipped)?", span.inner_text())
        told.append(tuple(int(number or 0) for number in found.groups()))
    return told


def defined(candidate, references) -> list[tuple[int, int, int]]:
    told = []
    for order in ORDERS:
        matches, all_of_them = clipped_matches(candidate, references, order), ngrams(candidate, order)
        held = sum(count for ngram, count in all_of_them.items() if ngram in ceiling(references, order))
        told.append((matches, all_of_them.total(), held - matches))
    return told


def marks(caption) -> list[str]:
    """What stands below each word."""
    return caption.locator("rt").all_inner_texts()


def write_page(path, results, references, systems):
    """The report with other captions for the first pictures."""
    told = tuple(references.get(place, texts) for place, texts in enumerate(results.captions.references))
    said = {
        name: tuple(systems.get((name, place), text) for place, text in enumerate(texts))
        for name, texts in results.captions.systems.items()
    }
    captions = replace(results.captions, references=told, systems=said)
    cells = ngram_table(captions, Configuration(**results.study.baseline)).fillna("").astype(str)
    path.write_text(render_report(report_context(replace(results, captions=captions, ngrams=cells))), encoding="utf-8")
    return path


@pytest.mark.parametrize("chosen", [[0], [7], [1, 2], [0, 3, 6], [4, 5, 6, 7], range(8)], ids=str)
def test_every_count_is_that_of_the_definition(visit, report, made, chosen):
    page = visit(report).page
    captions = made.read().captions
    for number in (0, 1, 5):
        item = picture(page, number)
        choose(item, chosen)
        references = tokenize_all([captions.references[number][place] for place in chosen], "lower", "split")
        for texts, caption in zip(captions.systems.values(), item.locator(".said").all(), strict=True):
            (candidate,) = tokenize_all([texts[number]], "lower", "split")
            assert counts(caption) == defined(candidate, references)


def test_what_the_baseline_uses_is_checked_and_gives_the_same_marks(visit, report):
    page = visit(report).page
    plain = visit(report, java_script_enabled=False).page
    for number in range(6):
        item = picture(page, number)
        boxes = item.get_by_role("checkbox")
        assert [box.is_checked() for box in boxes.all()] == [True] * 4 + [False] * 4
        choose(item, [])
        assert {mark for caption in item.locator(".said").all() for mark in marks(caption)} == {"-"}
        choose(item, range(4))
        assert item.get_by_role("status").inner_text().startswith("4 of 8 references count, as at the baseline.")
        before = picture(plain, number).locator(".said")
        for now, then in zip(item.locator(".said").all(), before.all(), strict=True):
            assert re.sub(r"\s+", " ", now.inner_html()) == re.sub(r"\s+", " ", then.inner_html())


def test_without_scripts_the_baselines_references_are_listed(visit, report, made):
    item = picture(visit(report, java_script_enabled=False).page, 0)
    shown = [each.inner_text() for each in item.locator("li").all() if each.is_visible()]
    assert shown == list(made.read().captions.references[0][:4])
    assert item.get_by_role("checkbox").count() == 0


def test_keys_reach_and_turn_each_reference_and_the_change_is_announced(visit, report, made):
    page = visit(report).page
    item = picture(page, 1)
    texts = made.read().captions.references[1]
    item.get_by_role("checkbox").first.focus()
    for place, reference in enumerate(texts):
        box = item.get_by_role("checkbox", name=reference, exact=True)
        assert page.evaluate("document.activeElement.labels[0].textContent") == reference
        before = box.is_checked()
        page.keyboard.press("Space")
        assert box.is_checked() is not before
        status = item.get_by_role("status")
        assert status.get_attribute("aria-live") == "polite"
        assert status.inner_text().startswith(f"{[3, 2, 1, 'None', 1, 2, 3, 4][place]} of 8 references count")
        page.keyboard.press("Tab")
    said = item.locator(".said").first
    told = ", ".join(f"{matches}/{total}" for matches, total, _ in counts(said))
    assert f"{said.locator('.system').inner_text()} {told};" in status.text_content()
    assert item.get_by_role("group", name="References of picture 1").count() == 1


def test_repeated_words_are_clipped_at_the_one_reference_that_has_most(visit, small, tmp_path):
    """Papineni et al. 2002, section 2.1: "the" counts twice, as in the first reference; never thrice, as in both."""
    references = ["the cat is on the mat", "there is a cat on the mat", "a", "a"]
    page = visit(
        write_page(tmp_path / "page.html", small.read(), {0: references}, {("G", 0): "the the the the the the the"})
    ).page
    item = picture(page, 0)
    caption = item.locator(".said", has=page.get_by_text("G", exact=True))
    for chosen, found in (([0, 1], (2, 7, 5)), ([1], (1, 7, 6)), ([2], (0, 7, 0)), ([0], (2, 7, 5))):
        choose(item, chosen)
        assert counts(caption)[0] == found
        clipped = "\N{MULTIPLICATION SIGN}" if found[2] else "-"
        assert marks(caption) == ["1"] * found[0] + [clipped] * (7 - found[0])


def test_hostile_captions_stay_text(visit, small, tmp_path):
    references = {0: [f"{HOSTILE} {number}" for number in range(20)]}
    systems = {("G", 0): f"{HOSTILE} constructor __proto__ 15 15", ("S1", 0): ""}
    page = visit(write_page(tmp_path / "page.html", small.read(), references, systems)).page
    item = picture(page, 0)
    boxes = item.get_by_role("checkbox")
    assert boxes.count() == 13
    assert item.get_by_role("checkbox", name=f"{HOSTILE} 3").count() == 1
    rest = item.get_by_role("checkbox", name="and 8 more")
    choose(item, [])
    rest.check()
    assert item.get_by_role("status").inner_text().startswith("8 of 20 references count.")
    by_name = dict(zip(item.locator(".system").all_inner_texts(), item.locator(".said").all(), strict=True))
    (candidate,) = tokenize_all([systems["G", 0]], "lower", "split")
    assert counts(by_name["G"]) == defined(candidate, tokenize_all(references[0][12:], "lower", "split"))
    assert counts(by_name["S1"]) == [(0, 0, 0)] * 4
    words = by_name["G"].locator("ruby > span").all_text_contents()
    assert words == candidate
    assert item.locator(".references img, .said img, .references script, .said script").count() == 0

"""The report of one's own captions: what it shows of few and of many systems, and of texts that mean harm."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from manybleus.captions import Captions, read_files, write_references, write_results
from manybleus.config import check_study
from manybleus.own import STEPS, write_own_results

TOLD = [["a cat sat on a mat", "the cat sat there"], ["a dog ran away", "the dog ran off"], ["two cows eat", "cows"]]
GRID = {"tokenizer": ["split", "kept"], "smoothing": ["exp", "coco"], "reference_length": ["closest"]}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=y> \x1b[31m \u202eevil\u202c ="


class Text(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.code = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.code = tag in ("script", "style")
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []

    def handle_endtag(self, tag):
        self.code = False

    def handle_data(self, data):
        self.text += "" if self.code else data


def write_own_report(folder: Path, systems, told=TOLD, **config) -> Path:
    """Write captions as files and make their report."""
    write_references(folder / "r.json", told, "")
    named = []
    for name, texts in systems.items():
        write_results(folder / f"{name}.json", texts)
        named.append({"name": name, "captions": str(folder / f"{name}.json")})
    whole = {
        "study": "mine",
        "references": str(folder / "r.json"),
        "systems": named,
        "grid": GRID,
        # COCO's files would have Java's tokens, which have their own tests.
        "baseline": {"tokenizer": "split", "smoothing": "coco"},
        "significance": {"bootstrap": 100, "randomization": 100},
    } | config
    study = check_study(whole)
    captions = Captions(
        tuple(range(len(told))), tuple(map(tuple, told)), {name: tuple(texts) for name, texts in systems.items()}
    )
    begun = []
    write_own_results(study, captions, folder / "results", begun.append)
    assert begun == list(STEPS)
    return folder / "results/report.html"


@pytest.fixture
def report(tmp_path) -> Callable[..., str]:
    """Make the report of captions."""
    return lambda *given, **config: write_own_report(tmp_path, *given, **config).read_bytes().decode("utf-8")


FEW = {"A": ["a cat on a mat", "the dog ran", "cows eat"], "B": ["cat", "a dog ran away", "two cows"]}


def test_nothing_of_scenes_or_claims_is_left_and_every_link_leads_somewhere(report):
    page = Text(report(FEW))
    assert not re.search(r"scene|shapes|template|Picture|captioner|G games", page.text)
    assert {"outcomes", "conventions-table", "examples", "ledger"}.isdisjoint(page.ids)
    assert not re.search(r"This study (has no|asked|compared)", page.text)
    assert {link[1:] for link in page.links if link[0] == "#" and "=" not in link} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert "outside of the grid" not in page.text
    assert "3 images, 2 references each, 2 systems" in re.sub(r"\s+", " ", page.text)


def test_texts_have_segments_wherever_pictures_have_images(tmp_path):
    for name, texts in {"r1": ["a cat", "", "two cows"], "r2": ["the cat", "a dog", "cows"], **FEW}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    config = {"study": "mine", "references": [str(tmp_path / f"r{number}.txt") for number in (1, 2)]}
    config["systems"] = [{"name": name, "captions": str(tmp_path / f"{name}.txt")} for name in FEW]
    study = check_study(config | {"grid": GRID | {"references": [1, 2], "aggregation": ["corpus", "mean-sentence"]}})
    write_own_results(study, read_files(study.files), tmp_path / "results", lambda step: None)
    page = Text((tmp_path / "results/report.html").read_text(encoding="utf-8"))
    assert "counts summed over the segments" in page.text
    assert "1 of 3 segments has fewer than 2 references" in page.text
    assert re.findall(r".*\b(?:image|picture|scene)s?\b.*", page.text, re.IGNORECASE) == []


def test_images_with_fewer_references_than_a_configuration_asks_for_are_told(report):
    fewer = "1 of 3 images has fewer than 2 references and uses all it has."
    grid = GRID | {"references": [1, 2]}
    told = re.sub(r"\s+", " ", Text(report(FEW, told=[*TOLD[:2], ["cows"]], grid=grid)).text)
    assert "counts summed over the images" in told
    assert f"uses the first k of each image, in the files' order. {fewer}" in told
    assert "fewer than" not in Text(report(FEW, grid=grid)).text


def test_what_distinct_and_the_baseline_are_is_told_where_they_are_first_named(report):
    page = report(FEW)
    first = page.index(" distinct)")
    told = page.index("Two configurations are <em>distinct</em> if any system's score differs")
    assert first < told < page.index("<nav")
    assert '<a href="#question">its choices</a>' in page[told : page.index("<nav")]


@pytest.mark.parametrize("images", [5, 6])
def test_of_fewer_images_than_any_order_needs_neither_interval_nor_p_is_shown(report, images):
    """Five images favour one of two equal systems with p = 2 / 2^5 > 0.05, six with 2 / 2^6 < 0.05."""
    made = {"A": ["a cat on a mat", "the dog ran"] * 3, "B": ["cat", "a dog ran away"] * 3}
    page = report({name: texts[:images] for name, texts in made.items()}, told=(TOLD[:2] * 3)[:images])
    section = page.partition('<section id="significance">')[2].partition("</section>")[0]
    head = re.search(r'id="intervals".*?</thead>', section, re.DOTALL)[0]
    is_shown = images == 6
    assert ("it takes at least 6" in section) != is_shown
    assert ("p, adjusted" in head, "% interval" in head) == (is_shown, is_shown)
    assert [part in section for part in ("<small>", 'class="span"', 'id="blocks"')] == [is_shown] * 3
    assert ("% interval" in section.partition('id="changes"')[2]) == is_shown
    picker = json.loads(re.search(r'id="pick-grid">(.*?)</script>', page, re.DOTALL)[1])
    assert (picker["intervals"] is not None) == is_shown
    curve = json.loads(re.search(r'id="curve-data">(.*?)</script>', page, re.DOTALL)[1])
    assert bool(curve["low"]) == is_shown


def test_one_system_has_scores_and_no_pair(report, tmp_path):
    page = Text(report({"A": FEW["A"]}))
    assert "many BLEUs: how far does the score move?" in page.text
    assert re.search(r"From 0\.\d{4} to 0\.\d{4}: so far does the score of the same captions move over", page.text)
    assert "otherwise." not in page.text.partition("What BLEU leaves open")[0]
    assert {"effects", "significance", "pairs"}.isdisjoint(page.ids)
    assert "curve" in page.ids
    assert {"grid-table", "rankings"}.isdisjoint(page.ids)
    about_rankings = r"rank the systems|the ranking|\brankings?\b(?! with)|flips?\b|otherwise than"
    body = page.text.partition("What BLEU leaves open")[2].partition("Signatures")[0]
    assert re.findall(f".*(?:{about_rankings}).*", body) == []
    assert not re.search(r"\bnan\b", page.text)
    figures = {path.name for path in (tmp_path / "results/figures").iterdir()}
    assert {"gaps.csv", "curve.csv", "lengths.png", "penalties.png", "precisions.png"} <= figures
    assert not {"gaps.png", "curve.png"} & figures


def test_many_systems_are_shown_by_their_ranks_and_the_pairs_that_turn(report, tmp_path):
    words = ["a", "cat", "sat", "on", "the", "mat", "there", "dog", "ran", "away", "off", "two", "cows", "eat"]
    many = {f"S{n}": [" ".join(words[(n + i) % 9 : (n + i) % 9 + 3 + n % 4]) for i in range(3)] for n in range(24)}
    page = report(many)
    shown = Text(page)
    assert len(page.encode()) < 3_000_000
    body = page.partition("</style>")[2]
    places = body.partition('id="places"')[2].partition("</table>")[0]
    assert len(re.findall("<tr>", places)) == 25
    pairs = body.partition('id="pairs"')[2].partition("</table>")[0]
    assert 1 < len(re.findall("<tr>", pairs)) <= 21
    rankings = body.partition('id="rankings"')[2].partition("</table>")[0]
    assert len(re.findall("<tr>", rankings)) <= 21
    assert re.search(r"\d+ of 276 pairs turn", shown.text.replace("\N{NO-BREAK SPACE}", " "))
    assert (tmp_path / "results/pairs.csv").read_text().count("\n") == 277


def test_hostile_captions_and_names_of_rows_are_text(report):
    rows = [{"configuration": "base"}, {"configuration": HOSTILE, "case": "cased"}]
    page = report(
        {"A": [HOSTILE, "x", "y" * 1_000_000], "B": ["=1+1", "\x07", "z"]},
        told=[[HOSTILE, "a"], ["b", "c"], ["d", "e"]],
        tables=[{"name": "A", "title": HOSTILE, "rows": rows}],
    )
    shown = Text(page)
    # Its own: the data of the captions, the picker and the curve, and what uses them.
    assert shown.tags.count("script") == 4
    assert not {"\x1b", "\x07", "\u202e", "\u202c"} & set(page)
    assert shown.text.count("</script><script>alert(1)</script>") >= 4
    assert "\\x1b[31m \\u202eevil\\u202c" in shown.text
    assert "(1,000,000 characters)" in shown.text
    assert "y" * 301 not in page
    assert len(page) < 1_500_000


def test_names_from_right_to_left_are_apart_from_what_stands_beside_them(report):
    one, other = "\u0646\u0638\u0627\u0645 1", "\u05d0\u05d1"
    row = "\u0633\u0637\u0631"
    rows = [{"configuration": "base"}, {"configuration": row, "tokenizer": "kept"}]
    page = Text(report({one: FEW["A"], other: FEW["B"]}, tables=[{"name": "A", "title": "t", "rows": rows}])).text
    for name in (one, other, row):
        spaces = name.replace(" ", "[ \xa0]")
        assert len(re.findall(f"\u2068{spaces}\u2069", page)) > 5
        # The picker's data hold the names of rows as links alone, and those of systems with their marks.
        assert re.findall(f"(?<!\u2068){spaces}", page) == []
    assert not {"\u2068", "\u2069"} & set(report(FEW))


def test_remarks_stand_at_the_top(report):
    page = report({"A": FEW["A"], "B": FEW["A"]})
    assert "A and B are identical" in page.partition("</header>")[0]


def test_the_report_is_the_same_every_time(report):
    assert report(FEW) == report(FEW)

"""Cells beside other tools' scores: they agree, or a known cause gives the tool's score."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SCHEMES, captions

from manybleus.analysis.tables import grid_table
from manybleus.bleu.configuration import AXES, Configuration, choice_text
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions
from manybleus.replication import crosscheck as module
from manybleus.replication import peers
from manybleus.replication.crosscheck import NLTK_CAUSES, NOT_RUN, UNEXPLAINED, crosscheck, unexplained
from manybleus.shapes.captioners import CAPTIONERS, look
from manybleus.shapes.references import references
from manybleus.shapes.scenes import draw_scenes, render

CELL = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)


def captions_of(images, seed):
    """What the study would score if it drew these scenes."""
    scenes = draw_scenes(images, seed)
    sights = [look(render(scene)) for scene in scenes]
    return Captions(
        tuple(range(images)),
        tuple(tuple(references(scene)) for scene in scenes),
        {name: tuple(speak(sight, i) for i, sight in enumerate(sights)) for name, speak in CAPTIONERS.items()},
    )


def grid_of(given_captions, cells):
    counted = caption_statistics(given_captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    return grid_table(score(counted, cells), given_captions.digest)


def compared(given_captions, cells):
    return crosscheck(given_captions, grid_of(given_captions, cells), cells)


def several(said, told, **choices):
    """The cause of NLTK's difference for some captions under one configuration."""
    given_captions = Captions(tuple(range(len(said))), tuple(map(tuple, told)), {"X": tuple(said)})
    table = compared(given_captions, [replace(CELL, **choices)])
    return table[table["peer"] == "NLTK"]["cause"].tolist()


@pytest.fixture(scope="module")
def six_images(study):
    """The study's cells on the first six images of its draw."""
    return compared(captions_of(6, study.seed), study.cells)


# -------------------------------------------------------------------------------------------------------- the agreement


def test_every_difference_on_the_study_s_first_images_has_a_cause(six_images):
    assert unexplained(six_images) == []
    assert set(six_images["cause"]) == {"", "NLTK floor"}
    assert set(six_images.loc[six_images["cause"] != "", "peer"]) == {"NLTK"}
    assert six_images.loc[six_images["cause"] == "", "difference"].abs().max() <= 1e-12


@pytest.mark.parametrize("peer", peers.PEERS, ids=lambda peer: peer.name)
def test_every_cell_that_a_tool_can_express_is_compared(study, six_images, peer):
    pytest.importorskip("pycocoevalcap")
    rows = six_images[six_images["peer"] == peer.name]
    axes = [axis for axis in AXES if axis in six_images]
    found = set(map(tuple, rows[[*axes, "system"]].to_numpy().tolist()))
    expected = {
        (*(choice_text(getattr(cell, axis)) for axis in axes), system)
        for cell in study.cells
        if peer.expresses(cell)
        for system in CAPTIONERS
    }
    assert found == expected
    assert len(rows) == len(expected) > 300


@st.composite
def expressible(draw):
    """A configuration that at least one tool expresses."""
    smoothing = draw(st.sampled_from([*peers.NLTK_METHODS, "coco", "add-k(0.5)", "floor(0.1)"]))
    rules = ["closest", "shortest", "average"] if smoothing == "coco" else ["closest"]
    of_sacrebleu = smoothing in ("none", "exp", "add-1", "add-k(0.5)", "floor(0.1)")
    case, tokenizer = draw(st.sampled_from(SCHEMES))
    return Configuration(
        draw(st.sampled_from([1, "all"])),
        draw(st.sampled_from(rules)),
        case,
        tokenizer,
        smoothing,
        draw(st.sampled_from(["corpus", "mean-sentence"])),
        draw(st.integers(1, 4 if smoothing == "coco" else 5)),
        effective_order=of_sacrebleu and draw(st.booleans()),
    )


@settings(max_examples=100)
@given(captions(most_references=3), st.lists(expressible(), min_size=1, max_size=4))
def test_every_difference_on_odd_captions_has_a_cause(given_captions, cells):
    table = compared(given_captions, cells)
    assert unexplained(table) == []
    assert len(table) >= len(cells) * len(given_captions.systems)


ODD = Captions(
    (0, 1, 2, 3),
    (("a b c d e", "a b", ""), ("x",), ("", ""), ("a b c d e f", "f e d c b a")),
    {"X": ("", "x", "", "a b c"), "Y": ("a b c d e", "y z", "q", "a b x c d"), "Z": ("a", "a a a a a", "", "f e d c")},
)


def test_every_difference_on_short_and_empty_captions_has_a_cause(study):
    axes = {"references": (1, "all"), "case": ("lower",), "tokenizer": ("split", "kept")}
    own = [cell for cell in study.cells if all(getattr(cell, a) in choices for a, choices in axes.items())]
    methods = [
        replace(CELL, smoothing=name, aggregation=how)
        for name in peers.NLTK_METHODS
        for how in ("corpus", "mean-sentence")
    ]
    assert unexplained(compared(ODD, [*own, *methods])) == []


def test_what_a_tool_says_is_told_to_12_decimals_and_judged_by_all_of_them(monkeypatch):
    given_captions = captions_of(2, 0)
    (ours,) = compared(given_captions, [CELL]).query("peer == 'NLTK' and system == 'S2'")["ours"]
    for more, cause, told in [(3e-16, "", 0.0), (-3e-16, "", 0.0), (1.3e-12, UNEXPLAINED, 1e-12)]:
        peer = replace(peers.NLTK, corpus=lambda cell, segments, more=more: ours + more)
        monkeypatch.setattr(module, "PEERS", (peer,))
        row = compared(given_captions, [CELL]).set_index("system").loc["S2"]
        assert (row["cause"], str(row["difference"])) == (cause, str(told))
        assert row["theirs"] == float(f"{ours + more:.12f}") != ours == row["ours"]


# ----------------------------------------------------------------------------------------------------------- the causes

# A case of each cause, which no simpler one explains.
CASES = {
    "NLTK floor": (["a b c", "a b c d e"], [["a b c"], ["a b c d e"]], {}),
    "NLTK floor and zero without a unigram match": (["a b c d"], [["e f g h"]], {"smoothing": "chen-cherry-3"}),
}


def test_an_order_without_a_match_is_too_small_a_number_to_need_a_cause():
    """NLTK's method0 puts 2.2e-308 there: with the most orders its 20th root is 4e-16."""
    words = " ".join(f"w{n}" for n in range(20))
    for order in (4, 20):
        assert several([words.replace("w19", "other")], [[words]], max_order=order) == [""]
    assert several(["a b c x d"], [["a b c d e"]]) == [""]


@pytest.mark.parametrize("place", range(len(NLTK_CAUSES)))
def test_a_cause_explains_what_no_simpler_cause_explains(monkeypatch, place):
    causes = list(NLTK_CAUSES)
    said, told, choices = CASES[causes[place]]
    monkeypatch.setattr(module, "NLTK_CAUSES", {name: NLTK_CAUSES[name] for name in causes[:place]})
    assert several(said, told, **choices) == [UNEXPLAINED]
    monkeypatch.setattr(module, "NLTK_CAUSES", {name: NLTK_CAUSES[name] for name in causes[: place + 1]})
    assert several(said, told, **choices) == [causes[place]]


# --------------------------------------------------------------------------------------------------- what has no cause


@pytest.mark.parametrize("amount", [1e-9, -1e-3, 0.5])
@pytest.mark.parametrize("aggregation", ["corpus", "mean-sentence"])
def test_a_changed_cell_is_unexplained_and_told(aggregation, amount):
    given_captions = captions_of(2, 0)
    cells = [replace(CELL, smoothing=name, aggregation=aggregation) for name in ("exp", "coco")]
    grid = grid_of(given_captions, cells)
    grid.loc[(grid["smoothing"] == "exp") & (grid["system"] == "S2"), "score"] += amount
    table = crosscheck(given_captions, grid, cells)
    wrong = table[table["cause"] == UNEXPLAINED]
    assert set(zip(wrong["peer"], wrong["smoothing"], wrong["system"], strict=True)) == {
        ("NLTK", "exp", "S2"),
        ("sacreBLEU", "exp", "S2"),
    }
    lines = unexplained(table)
    assert len(lines) == 2
    for line, row in zip(lines, wrong.to_dict("records"), strict=True):
        assert line.startswith(
            f"{row['peer']} gives {row['theirs']} and not {row['ours']} for S2 under references all,"
        )
        assert f"smoothing exp, aggregation {aggregation}, max_order 4" in line


def test_a_missing_tool_has_a_line_that_says_so(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    table = compared(captions_of(2, 0), [replace(CELL, smoothing="coco")])
    assert table[["peer", "cause"]].to_numpy().tolist() == [["coco-caption", NOT_RUN]]
    assert unexplained(table) == []


@pytest.mark.parametrize(
    "change",
    [
        {"reference_length": "longest"},
        {"smoothing": "chen-cherry-4"},
        {"smoothing": "coco", "max_order": 5},
        {"weights": (0.5, 0.5, 0.0, 0.0)},
        {"brevity_penalty": False},
        {"aggregation": "weighted-mean-sentence"},
    ],
    ids=str,
)
def test_a_cell_that_no_tool_expresses_is_left_out(change):
    assert len(compared(captions_of(2, 0), [replace(CELL, **change)])) == 0


def test_of_many_images_a_sample_of_the_cells_is_compared_that_leaves_out_no_choice(study):
    given_captions = captions_of(4, 0)
    grid, axes = grid_of(given_captions, study.cells), ["case", "tokenizer", "smoothing", "aggregation"]
    table = crosscheck(given_captions, grid, study.cells, most_images=2)
    again = crosscheck(given_captions, grid, study.cells, most_images=2)
    pd.testing.assert_frame_equal(table, again)
    for peer in peers.PEERS:
        rows = table[table["peer"] == peer.name]
        expressed = [cell for cell in study.cells if peer.expresses(cell)]
        if peer.name in ("NLTK", "sacreBLEU"):
            assert len(rows) == len(CAPTIONERS) * len(expressed) / 2
            for axis in axes:
                assert set(rows[axis]) == {getattr(cell, axis) for cell in expressed}


def test_images_up_to_the_bound_leave_every_cell_compared(study):
    given_captions = captions_of(2, 0)
    grid = grid_of(given_captions, study.cells)
    pd.testing.assert_frame_equal(
        crosscheck(given_captions, grid, study.cells, most_images=2), compared(given_captions, study.cells)
    )


def test_axes_that_are_not_at_rest_have_a_column():
    table = compared(captions_of(2, 0), [CELL, replace(CELL, effective_order=True)])
    assert set(table["effective_order"]) == {"no", "yes"}
    assert "weights" not in table

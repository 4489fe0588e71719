"""The figures: what is drawn is what the results say."""

import warnings

import numpy as np
import pandas as pd
import pytest

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.scores import count_for
from manybleus.captions import Captions
from manybleus.drawing import BLUE, THEMES, VERMILION, as_files, gap_words, one_panel, unknown_signs, write
from manybleus.figures import draw_penalties, draw_precisions, length_table, penalty_table

BASELINE = Configuration(2, "closest", "lower", "split", "none", "corpus", 4)
CAPTIONS = Captions(
    (0, 1),
    (("a b c d", "a b c d e f"), ("a b c d", "a b c d e f")),
    {"short": ("a b", "a b"), "mixed": ("a b", "a b c d e f g h")},
)


@pytest.fixture(scope="module")
def penalties():
    return penalty_table(count_for(CAPTIONS, [BASELINE]), BASELINE)


def test_penalties_by_hand(penalties):
    """Two tokens against four pay exp(1 - 4/2); the mixed system's ten against 4 + 6 pay nothing."""
    half = np.exp(-1)
    assert penalties.values.tolist() == [
        ["short", "caption", 2, 4.0, pytest.approx(half), 2],
        ["short", "corpus", 4, 8.0, pytest.approx(half), 2],
        ["mixed", "caption", 2, 4.0, pytest.approx(half), 1],
        ["mixed", "caption", 8, 6.0, 1.0, 1],
        ["mixed", "corpus", 10, 10.0, 1.0, 2],
    ]
    assert list(penalties.columns) == ["system", "of", "c", "r", "penalty", "captions"]


def test_lengths_by_hand():
    made = length_table(count_for(CAPTIONS, [BASELINE]), BASELINE)
    assert made.values.tolist() == [["short", -2.0, 2], ["mixed", -2.0, 1], ["mixed", 2.0, 1]]


def test_the_drawing_shows_each_caption_the_corpus_and_the_mean(penalties):
    figure = draw_penalties(penalties, BASELINE, THEMES["light"])
    short, mixed = figure.axes
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["short", "mixed"]
    places = [tuple(place) for discs in mixed.collections for place in discs.get_offsets().tolist()]
    assert places == [(0.5, pytest.approx(np.exp(-1))), (pytest.approx(8 / 6), 1.0)]
    (diamond,) = [line for line in mixed.lines if line.get_marker() == "D"]
    assert (list(diamond.get_xdata()), list(diamond.get_ydata())) == ([1.0], [1.0])
    told = {text.get_text() for text in mixed.texts}
    assert told == {f"mean {(np.exp(-1) + 1) / 2:.4f}", "corpus 1.0000 ◆"}
    assert {text.get_text() for text in short.texts} == {"mean 0.3679", "corpus 0.3679 ◆"}


def test_of_many_systems_those_are_drawn_whose_corpus_and_mean_differ_most(penalties):
    """A system's captions move from 0.7 to 1, while its corpus stays at 1."""
    of_corpus = {"system": "", "of": "corpus", "c": 8, "r": 8.0, "penalty": 1.0, "captions": 1}
    rows = [
        row | {"system": f"S{n}"}
        for n in range(7)
        for row in (of_corpus, of_corpus | {"of": "caption", "penalty": 1 - (6 - n) / 20})
    ]
    figure = draw_penalties(pd.DataFrame(rows), BASELINE, THEMES["light"])
    drawn = [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")]
    assert drawn == [f"S{n}" for n in range(6)]


def test_without_a_penalty_all_is_drawn_at_1():
    baseline = Configuration(2, "closest", "lower", "split", "none", "corpus", 4, brevity_penalty=False)
    made = penalty_table(count_for(CAPTIONS, [baseline]), baseline)
    assert set(made["penalty"]) == {1.0}
    assert len(draw_penalties(made, baseline, THEMES["dark"]).axes) == 2


def precisions(systems):
    return pd.DataFrame(
        {"system": system, "references": count, "score": 0.1 * count, "p1": 0.2, "p2": 0.1}
        for system in systems
        for count in (1, 4)
    )


def test_precisions_have_a_panel_each_and_a_line_for_each_system():
    figure = draw_precisions(precisions(["$A$", "B"]), THEMES["light"])
    assert [axes.get_title() for axes in figure.axes] == ["BLEU", "p1", "p2"]
    assert [list(line.get_ydata()) for line in figure.axes[0].lines] == [pytest.approx([0.1, 0.4])] * 2
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["1", "4"]
    assert [line.get_color() for line in figure.axes[0].lines] == [BLUE, VERMILION]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["$A$", "B"]


def test_of_many_systems_the_lines_are_alike():
    figure = draw_precisions(precisions("ABCDE"), THEMES["light"])
    assert len({line.get_color() for line in figure.axes[0].lines}) == 1
    assert figure.legends == []


def test_arrows_keep_their_sides_beside_names_from_right_to_left():
    """A line whose first letter is from right to left would be set from there as a whole; the mark is the first."""
    assert gap_words(("\u05d0", "B")).splitlines() == [
        "\u200e\N{LEFTWARDS ARROW} B ahead        \u05d0 ahead \N{RIGHTWARDS ARROW}",
        "\u200e\u05d0 minus B, BLEU 0-1",
    ]
    assert "\u200e" not in gap_words(("A", "B"))


def test_signs_that_the_font_does_not_have_are_told_once_and_not_by_matplotlib():
    def draw(theme):
        figure, axes = one_panel(2, 1)
        write(axes, 0, 0, "\u732b\u732b")
        return figure

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(as_files({"cat": draw})) == 3
    told = "DejaVu Sans, the figures' font, has no \u732b \u0928: boxes stand for them there"
    assert unknown_signs(["\u732b\u0928", "\u732b A"]) == told
    assert unknown_signs(["A \u00e9", "\u05d0 \u0627"]) == ""
    assert unknown_signs(["\t=1", "@z\nline", "\x1b[31m\r"]) == ""
    assert unknown_signs(["\u732b\t\n", "\u0928\x1b"]) == told

"""The figures of the replications: the gap in every draw, by row and by number of images."""

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from manybleus.arrays import Floats
from manybleus.drawing import (
    BLUE,
    VERMILION,
    Theme,
    as_files,
    gap_words,
    minus,
    one_panel,
    panels_below,
    short,
    style,
    write,
)
from manybleus.replication.redraws import BASELINE, FLIP, ONE_REFERENCE, ORDER, SCENES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Figure -> what is redrawn in it.
OF_ROWS = {"scenes": SCENES, "order": ORDER, "one_reference": ONE_REFERENCE}
SIZES = "sizes"
_MOST_PANELS = 6


def replication_figures(
    draws: pd.DataFrame,
    rows: pd.DataFrame,
    gap: tuple[str, str],
    images: int,
    seeds: Collection[int],
    seeds_of_sizes: Collection[int],
) -> dict[str, bytes]:
    """Draw every figure of the replications.

    Parameters
    ----------
    draws
        As ``redraws.redraw`` makes them.
    rows
        As ``distributions.row_table`` makes them.
    gap
        The two systems whose difference is told.
    images
        The study's number of images.
    seeds, seeds_of_sizes
        All seeds, and those that were drawn with other numbers of images too; none leaves that figure out.

    Returns
    -------
    dict
        File name -> its content: each figure as SVG for a light and for a dark page, and as PNG.
    """
    draw: dict[str, Callable[[Theme], Figure]] = {}
    for name, redrawn in OF_ROWS.items():
        shown = draws[(draws["redrawn"] == redrawn) & (draws["images"] == images) & draws["seed"].isin(list(seeds))]
        draw[name] = partial(draw_rows, shown, rows[rows["redrawn"] == redrawn], gap)
    if seeds_of_sizes:
        shown = draws[(draws["redrawn"] == SCENES) & draws["seed"].isin(list(seeds_of_sizes))]
        draw[SIZES] = partial(draw_sizes, shown, rows[rows["redrawn"] == SCENES], gap, images)
    return as_files(draw)


def draw_rows(draws: pd.DataFrame, rows: pd.DataFrame, gap: tuple[str, str], theme: Theme) -> "Figure":
    """Draw the gap in every draw, row by row: a diamond where the row flips, else a circle; a bar is the study's own.

    ``draws`` and ``rows`` are of one thing that was redrawn, and of the study's number of images.
    """
    with style(theme):
        figure, axes = one_panel(8.4, 0.9 + 0.36 * (len(rows) + rows["table"].nunique()))
        axes.axvline(0, color=theme.ink, linewidth=1.2)
        gaps = [*draws["gap"], *rows["study_gap"], 0.0]
        span = max(max(gaps) - min(gaps), 1e-9)
        left, right = min(gaps) - 0.06 * span, max(gaps) + 0.3 * span
        height, ticks = 0, []
        for name, of_table in rows.groupby("table", sort=False):
            write(axes, left, height, f"Table {name}" if name != "own" else "Own", weight="bold")
            height += 1
            for row in of_table.to_dict("records"):
                of_row = draws[(draws["table"] == name) & (draws["configuration"] == row["configuration"])]
                flips = (of_row["change"] == FLIP).to_numpy()
                _draw_marks(axes, of_row["gap"].to_numpy(), height + _spread(len(of_row), 0.5), flips)
                axes.plot([row["study_gap"]] * 2, [height - 0.42, height + 0.42], color=theme.ink, linewidth=2.4)
                is_baseline = (of_row["change"] == BASELINE).all()
                told = "the baseline" if is_baseline else f"{row['flips']} of {row['draws']} flip"
                write(axes, right, height, told, ha="right", size=9.5)
                ticks.append((height, short(row["configuration"], 52)))
                height += 1
        axes.set_ylim(height - 0.4, -0.7)
        axes.set_xlim(left, right)
        axes.set_yticks(*zip(*ticks, strict=True), parse_math=False)
        axes.set_xlabel(gap_words(gap), parse_math=False)
        return figure


def draw_sizes(draws: pd.DataFrame, rows: pd.DataFrame, gap: tuple[str, str], images: int, theme: Theme) -> "Figure":
    """Draw the gap in every draw of scenes by number of images: the baseline, and rows that flip in the study.

    ``images`` is the study's number of them, at which a bar is its own gap.
    """
    shown = rows[rows["study_change"].isin([BASELINE, FLIP])].head(_MOST_PANELS)
    names = list(zip(shown["table"], shown["configuration"], strict=True))
    draws = draws[[name in names for name in zip(draws["table"], draws["configuration"], strict=True)]]
    sizes = sorted(draws["images"].unique())
    with style(theme):
        figure, panels = panels_below(8.4, 0.8 + 1.5 * len(shown), len(shown))
        room = 0.06 * max(float(draws["gap"].max() - draws["gap"].min()), 1e-9)
        for axes, row in zip(panels, shown.to_dict("records"), strict=True):
            axes.axhline(0, color=theme.ink, linewidth=1.2)
            of_row = draws[(draws["table"] == row["table"]) & (draws["configuration"] == row["configuration"])]
            for place, size in enumerate(sizes):
                of_size = of_row[of_row["images"] == size]
                flips = (of_size["change"] == FLIP).to_numpy()
                _draw_marks(axes, place + _spread(len(of_size), 0.4), of_size["gap"].to_numpy(), flips)
            place = sizes.index(images)
            axes.plot([place - 0.3, place + 0.3], [row["study_gap"]] * 2, color=theme.ink, linewidth=2.4)
            axes.set_ylim(min(float(draws["gap"].min()), 0) - room, max(float(draws["gap"].max()), 0) + room)
            axes.set_title(short(row["configuration"], 70), loc="left", fontsize=10.5, parse_math=False)
        panels[-1].set_xticks(range(len(sizes)), labels=[f"{size:,}" for size in sizes])
        panels[-1].set_xlabel("images")
        figure.supylabel(minus(*gap), fontsize=10.5, parse_math=False)
        return figure


def _draw_marks(axes: "Axes", x: Floats, y: Floats, flips: NDArray[np.bool_]) -> None:
    for which, mark, colour in ((~flips, "o", BLUE), (flips, "D", VERMILION)):
        axes.plot(x[which], y[which], mark, color=colour, markersize=3.4, alpha=0.55, markeredgewidth=0)


def _spread(count: int, width: float) -> Floats:
    """Return places around zero that keep marks of like value apart, the same in every run: of the golden ratio."""
    return width * (np.arange(count) * (5**0.5 - 1) / 2 % 1 - 0.5)

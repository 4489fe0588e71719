"""The specification curve: a gap in every configuration, sorted, above the choices of each; its data and its drawing.

The report draws the same data in the page (``report/curve.py``), where it can be sorted. Source of the form: Simonsohn,
Simmons and Nelson 2020, Specification curve analysis.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import ranking
from manybleus.analysis.significance import PLAIN
from manybleus.analysis.tables import named_axes
from manybleus.bleu.configuration import Configuration, choice_text
from manybleus.drawing import (
    BLUE,
    GREEN,
    VERMILION,
    Theme,
    forward,
    minus,
    panels_below,
    same_decimals,
    short,
    style,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NEITHER = "neither"
# Of more configurations, so many are drawn: every one whose place in the sorted order is next to a quantile.
MOST_DRAWN = 2000
_TURNED = {"first": "second", "second": "first"}


def gap_tests(significance: pd.DataFrame, gap: tuple[str, str] | None) -> pd.DataFrame:
    """Return the plain rows of ``significance.csv`` about the gap, turned as the gap is; none where nothing was drawn.

    The file has a pair's systems in the order of the systems, and the gap may have them the other way round.
    """
    if significance.empty or gap is None:
        return pd.DataFrame()
    plain = significance[significance["resampling"] == PLAIN]
    rows = plain[plain["pair"] == "-".join(gap)]
    if not rows.empty:
        return rows
    rows = plain[plain["pair"] == "-".join(reversed(gap))]
    return rows.assign(gap=-rows["gap"], low=-rows["high"], high=-rows["low"], verdict=rows["verdict"].replace(_TURNED))


def curve_table(
    grid: pd.DataFrame,
    gap: tuple[str, str] | None,
    tie_tolerance: float,
    significance: pd.DataFrame,
    rows: Iterable[tuple[str, Configuration]],
) -> pd.DataFrame:
    """Return one row per scored configuration, in the order of the grid.

    Parameters
    ----------
    grid
        As ``analysis.tables.grid_table`` makes it, the systems of a cell together.
    gap
        The two systems whose difference is told; None where there is no pair.
    tie_tolerance
        See ``rankings.ranking``.
    significance
        As ``analysis.significance.significance_table`` makes it, its cells in the order of the grid; empty where
        nothing was drawn.
    rows
        The rows of the study's tables.

    Returns
    -------
    DataFrame
        The axes, ``ranking``, ``gap`` (0-1, unrounded; empty without a pair), ``equal`` (whether the pair's scores
        agree at four decimals), the gap's interval ``low`` and ``high`` and its ``verdict`` (empty where nothing was
        drawn), and ``row``: the rows of the tables that are this configuration.
    """
    systems = list(map(str, grid["system"].unique()))
    scores = [
        dict(zip(systems, each, strict=True)) for each in grid["score"].to_numpy().reshape(-1, len(systems)).tolist()
    ]
    cells = grid.iloc[:: len(systems)][named_axes(grid)].reset_index(drop=True)
    tested = gap_tests(significance, gap)
    names = pd.Series("", index=cells.index)
    for name, cell in rows:
        here = is_cell(cells, cell)
        names[here] = names[here].map(lambda told, name=name: f"{told}; {name}" if told else name)
    return cells.assign(
        ranking=[ranking(each, tie_tolerance) for each in scores],
        gap=[each[gap[0]] - each[gap[1]] if gap else np.nan for each in scores],
        equal=[same_decimals(each[gap[0]], each[gap[1]]) if gap else False for each in scores],
        low=np.nan if tested.empty else tested["low"].to_numpy(),
        high=np.nan if tested.empty else tested["high"].to_numpy(),
        verdict="" if tested.empty else tested["verdict"].to_numpy(),
        row=names,
    )


def is_cell(cells: pd.DataFrame, cell: Configuration) -> "pd.Series[bool]":
    """Tell which rows of a table are about one configuration."""
    wanted = pd.Series({axis: choice_text(getattr(cell, axis)) for axis in named_axes(cells)})
    return (cells[list(wanted.index)].map(choice_text) == wanted).all(axis=1)


def thinned(count: int, kept: Sequence[int], most: int = MOST_DRAWN) -> list[int]:
    """Return the places to draw of a sorted list: all, or evenly spaced quantiles with both ends and what is kept."""
    if count <= most:
        return list(range(count))
    return sorted({*np.linspace(0, count - 1, most).round().astype(int).tolist(), *kept})


def tie_band(curve: pd.DataFrame) -> tuple[float, float] | None:
    """From the lowest to the highest gap whose order is open; where nothing was drawn, that agrees at four decimals."""
    tested = curve["low"].notna().any()
    gaps = curve["gap"][(curve["verdict"] == NEITHER) if tested else curve["equal"].astype(bool)]
    return (float(gaps.min()), float(gaps.max())) if len(gaps) else None


def runs(shown: Sequence[bool]) -> list[tuple[int, int]]:
    """Return where what is shown begins and how long it goes on, again and again."""
    edges = np.flatnonzero(np.diff(np.array([False, *shown, False]).astype(int)))
    return [(int(start), int(end - start)) for start, end in edges.reshape(-1, 2)]


def draw_curve(curve: pd.DataFrame, gap: tuple[str, str], baseline: Configuration, theme: Theme) -> "Figure":
    """Draw the specification curve; see ``curve_table``.

    Blue is ranked as by the baseline, vermilion otherwise; a mark is hollow where neither of the pair leads
    significantly.
    """
    ranked = curve.assign(baseline=is_cell(curve, baseline)).sort_values("gap", kind="stable", ignore_index=True)
    drawn = ranked.iloc[thinned(len(ranked), np.flatnonzero(ranked["row"] != "").tolist())].reset_index(drop=True)
    flips = (drawn["ranking"] != drawn["ranking"][drawn["baseline"]].iloc[0]).to_numpy()
    matrix = [
        (axis, choice)
        for axis in named_axes(drawn)
        if curve[axis].nunique() > 1
        for choice in dict.fromkeys(curve[axis])
    ]
    lower = 0.18 * (len(matrix) + 2) + 0.4
    with style(theme):
        figure, (above, below) = panels_below(10.4, 3.4 + lower, 2, [3.4, lower])
        _draw_gaps(above, drawn, flips, gap, theme)
        _draw_choices(below, drawn, flips, matrix, baseline)
        place = float(np.flatnonzero(drawn["baseline"])[0]) + 0.5
        for axes in (above, below):
            axes.axvline(place, color=theme.ink, linewidth=1, linestyle=(0, (4, 3)))
            axes.set_xlim(0, len(drawn))
            axes.set_xticks([])
        below.plot(place, 0, "^", color=theme.ink, markersize=7)
        return figure


def _draw_gaps(axes: "Axes", drawn: pd.DataFrame, flips: np.ndarray, gap: tuple[str, str], theme: Theme) -> None:
    places = np.arange(len(drawn)) + 0.5
    band = tie_band(drawn)
    if band:
        axes.axhspan(*band, color=GREEN, alpha=0.16, linewidth=0)
    if drawn["low"].notna().any():
        axes.fill_between(places, drawn["low"], drawn["high"], color=theme.ink, alpha=0.2, linewidth=0)
    axes.axhline(0, color=theme.ink, linewidth=1.2)
    is_open = (drawn["verdict"] == NEITHER).to_numpy()
    for which, colour, mark in ((~flips, BLUE, "o"), (flips, VERMILION, "s")):
        for shown, face in ((which & ~is_open, colour), (which & is_open, "none")):
            axes.plot(
                places[shown], drawn["gap"][shown], mark, color=colour, markerfacecolor=face, markersize=3.2, mew=0.9
            )
    axes.grid(visible=False, axis="x")
    axes.grid(axis="y")
    axes.set_ylabel(minus(*gap), parse_math=False)
    for words, y, side in ((f"{gap[0]} ahead ↑", 0.92, "top"), (f"{gap[1]} ahead ↓", 0.04, "bottom")):
        write(axes, 0.01, y, forward(short(words, 40)), transform=axes.transAxes, va=side, size=9.5)


def _draw_choices(
    axes: "Axes",
    drawn: pd.DataFrame,
    flips: np.ndarray,
    matrix: Sequence[tuple[str, object]],
    baseline: Configuration,
) -> None:
    axes.grid(visible=False)
    for mark, colour, which in (("D", VERMILION, flips), ("o", BLUE, ~flips)):
        named = np.flatnonzero((drawn["row"] != "").to_numpy() & which & ~drawn["baseline"].to_numpy())
        axes.plot(named + 0.5, np.zeros(len(named)), mark, color=colour, markersize=4.5)
    y, ticks, before = 0.6, [(0.0, "rows of the tables")], ""
    for axis, choice in matrix:
        y += 1.0 if axis == before else 1.5
        has = (drawn[axis] == choice).to_numpy()
        for which, colour, height in ((~flips, BLUE, 0.55), (flips, VERMILION, 0.75)):
            axes.broken_barh(runs(has & which), (y - height / 2, height), color=colour, linewidth=0)
        is_baseline = choice_text(choice) == choice_text(getattr(baseline, axis))
        named_axis = f"{axis.replace('_', ' ')}:  " if axis != before else ""
        ticks.append((y, f"{named_axis}{short(choice_text(choice), 26)}{' ●' if is_baseline else ''}"))
        before = axis
    axes.set_ylim(y + 0.8, -0.9)
    axes.set_yticks(*zip(*ticks, strict=True), parse_math=False, fontsize=9)
    axes.spines["bottom"].set_visible(False)
    axes.set_xlabel("each column one configuration, by its gap; ● ▲ the baseline, ◆ a row that flips", parse_math=False)

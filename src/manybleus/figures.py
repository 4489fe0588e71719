"""The figures: their data as tables, their drawing, and both as files that are the same to the byte in every run."""

import io
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import gap_column, ranking
from manybleus.analysis.tables import named_axes
from manybleus.bleu.configuration import Configuration, choice_text
from manybleus.bleu.statistics import CaptionStatistics, effective_reference_lengths
from manybleus.text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
# A ranking's colour and hatching in the histogram: the most frequent first.
_LOOKS = ((BLUE, ""), (VERMILION, "////"), (GREEN, "...."))
# Captions farther from their reference length are drawn at the edge; more bars or panels have no numbers.
_FAR, _LABELLED_BARS, _LABELLED_PANELS = 50, 40, 8
BASELINE, FLIP, SAME = "baseline", "flip", "same"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that depend on the page behind a figure; the background itself is left open."""

    ink: str
    grid: str


THEMES: Mapping[str, Theme] = {"light": Theme("#1b1f24", "#d0d5da"), "dark": Theme("#e8eaed", "#4a5058")}


# --------------------------------------------------------------------------------------------------------------- data


def cell_table(grid: pd.DataFrame, gap: tuple[str, str] | None, tie_tolerance: float) -> pd.DataFrame:
    """Return one row per scored configuration.

    Parameters
    ----------
    grid
        As ``analysis.tables.grid_table`` makes it, the systems of a cell together.
    gap
        The two systems whose difference is told; None where there is no pair.
    tie_tolerance
        See ``rankings.ranking``.

    Returns
    -------
    DataFrame
        The axes, ``ranking``, ``gap`` (0-1, unrounded; empty without a pair) and ``equal``: whether the pair's scores
        agree at four decimals.
    """
    systems = list(map(str, grid["system"].unique()))
    scores = [
        dict(zip(systems, row, strict=True)) for row in grid["score"].to_numpy().reshape(-1, len(systems)).tolist()
    ]
    cells = grid.iloc[:: len(systems)][named_axes(grid)].reset_index(drop=True)
    return cells.assign(
        ranking=[ranking(each, tie_tolerance) for each in scores],
        gap=[each[gap[0]] - each[gap[1]] if gap else np.nan for each in scores],
        equal=[_equal(each[gap[0]], each[gap[1]]) if gap else False for each in scores],
    )


def gap_table(tables: Mapping[str, pd.DataFrame], flips: pd.DataFrame, gap: tuple[str, str] | None) -> pd.DataFrame:
    """Return the gap of every row of every table.

    Parameters
    ----------
    tables
        Table name -> table as ``analysis.tables.build_table`` makes it.
    flips
        As ``rankings.flips`` makes it.
    gap
        The two systems whose difference is the tables' last column; None where there is no pair.

    Returns
    -------
    DataFrame
        ``table``, ``configuration``, ``pair``, ``gap`` (0-1), ``ranking``, ``change`` (baseline, flip or same) and
        ``equal``: whether the pair's scores agree at four decimals. Without a pair, ``pair`` and ``gap`` are empty.
    """
    flipped = {(row["table"], row["configuration"]): bool(row["flip"]) for row in flips.to_dict("records")}
    lines = []
    for name, table in tables.items():
        pair = gap_column(table)
        for row in table.to_dict("records"):
            flip = flipped.get((name, row["configuration"]))
            lines.append(
                {
                    "table": name,
                    "configuration": row["configuration"],
                    "pair": pair,
                    "gap": row[pair] if pair else None,
                    "ranking": row["ranking"],
                    "change": BASELINE if flip is None else FLIP if flip else SAME,
                    "equal": _equal(row[gap[0]], row[gap[1]]) if gap else False,
                }
            )
    return pd.DataFrame(lines)


def length_table(statistics: CaptionStatistics, baseline: Configuration) -> pd.DataFrame:
    """Return how far captions are from their effective reference length under the baseline.

    Returns
    -------
    DataFrame
        ``system``, ``difference`` (c - r of a caption, in tokens), ``captions`` (how many have it).
    """
    counted = statistics.schemes[baseline.case, baseline.tokenizer]
    count = statistics.reference_counts[statistics.place_of(baseline.references)]
    r, denominators = effective_reference_lengths(
        counted.candidate_lengths, counted.reference_lengths[:, :count], baseline.reference_length
    )
    parts = []
    for system, difference in zip(statistics.systems, counted.candidate_lengths - r / denominators, strict=True):
        values, captions = np.unique(difference.round(6), return_counts=True)
        parts.append(pd.DataFrame({"system": system, "difference": values, "captions": captions}))
    return pd.concat(parts, ignore_index=True)


def _equal(first: float, second: float) -> bool:
    return f"{first:.4f}" == f"{second:.4f}"


def study_figures(
    grid: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    flips: pd.DataFrame,
    statistics: CaptionStatistics,
    baseline: Configuration,
    gap: tuple[str, str] | None,
    tie_tolerance: float,
) -> tuple[dict[str, pd.DataFrame], dict[str, bytes]]:
    """Make every figure of a study.

    Returns
    -------
    data
        Figure name -> the table behind it.
    drawings
        File name -> its content: each figure as SVG for a light and for a dark page, and as PNG; without a pair only
        that of the lengths.
    """
    cells = cell_table(grid, gap, tie_tolerance)
    data = {"gaps": gap_table(tables, flips, gap), "cells": cells, "lengths": length_table(statistics, baseline)}
    draw: dict[str, Callable[[Theme], Figure]] = {"lengths": lambda theme: draw_lengths(data["lengths"], theme)}
    if gap:
        wanted = pd.Series({axis: choice_text(getattr(baseline, axis)) for axis in named_axes(cells)})
        at_baseline = cells[(cells[list(wanted.index)].map(choice_text) == wanted).all(axis=1)]
        draw["gaps"] = lambda theme: draw_gaps(data["gaps"], gap, theme)
        draw["cells"] = lambda theme: draw_cells(cells, gap, float(at_baseline["gap"].iloc[0]), theme)
    drawings = {f"{name}.{theme}.svg": as_svg(draw[name](THEMES[theme])) for name in draw for theme in THEMES}
    return data, drawings | {f"{name}.png": as_png(draw[name](THEMES["light"])) for name in draw}


# ------------------------------------------------------------------------------------------------------------ drawing


def draw_gaps(gaps: pd.DataFrame, gap: tuple[str, str], theme: Theme) -> "Figure":
    """Draw the gap of every row of every table beside the zero line; see ``gap_table``.

    A flip is a diamond, the rest are circles; a mark is hollow where the pair's scores agree at four decimals.
    """
    with style(theme):
        figure, axes = one_panel(8.4, 0.9 + 0.31 * (len(gaps) + gaps["table"].nunique()))
        axes.axvline(0, color=theme.ink, linewidth=1.2)
        height, ticks, labels = 0, [], []
        low, high = min(float(gaps["gap"].min()), 0), max(float(gaps["gap"].max()), 0)
        span = max(high - low, 1e-9)
        left, right = low - 0.27 * span, high + 0.27 * span
        for name, rows in gaps.groupby("table", sort=False):
            write(axes, left, height, f"Table {name}" if name != "own" else "Own", weight="bold")
            height += 1
            for row in rows.to_dict("records"):
                flips = row["change"] == FLIP
                colour = VERMILION if flips else BLUE
                axes.plot([0, row["gap"]], [height, height], color=colour, linewidth=2.2, solid_capstyle="butt")
                axes.plot(
                    row["gap"],
                    height,
                    "D" if flips else "o",
                    color=colour,
                    markersize=7.5,
                    markerfacecolor="none" if row["equal"] else colour,
                    markeredgewidth=1.8,
                )
                told = f"{row['gap']:+.2e}" + (" ≈ 0" if row["equal"] else "")
                side = -1 if row["gap"] < 0 else 1
                write(axes, row["gap"] + 0.035 * span * side, height, told, ha="right" if side < 0 else "left")
                ticks.append(height)
                labels.append(short(row["configuration"], 52) + (f"  [{row['change']}]" if flips else ""))
                height += 1
        axes.set_ylim(height - 0.4, -0.7)
        axes.set_xlim(left, right)
        axes.set_yticks(ticks, labels=labels, parse_math=False)
        told = f"← {gap[1]} ahead      {gap[0]} minus {gap[1]}, BLEU 0-1      {gap[0]} ahead →"
        axes.set_xlabel(told, parse_math=False)
        return figure


def draw_cells(cells: pd.DataFrame, gap: tuple[str, str], baseline_gap: float, theme: Theme) -> "Figure":
    """Draw how many configurations have which gap, by ranking; see ``cell_table``."""
    with style(theme):
        figure, axes = one_panel(8.4, 4.0)
        width = max(float(cells["gap"].abs().max()), 1e-9) / 20
        # Zero is an edge, so that no bar holds both signs.
        low, high = min(float(cells["gap"].min()), 0), max(float(cells["gap"].max()), 0)
        edges = width * np.arange(np.floor(low / width), np.ceil(high / width) + 2)
        counts = cells["ranking"].value_counts()
        names = sorted(counts.index, key=lambda name: (-counts[name], name))
        shown = {name: cells["gap"][cells["ranking"] == name] for name in names[: len(_LOOKS)]}
        rest = cells["gap"][~cells["ranking"].isin(list(shown))]
        bars = [*zip(shown, shown.values(), _LOOKS, strict=False)]
        bars += [("any other ranking", rest, (theme.grid, "xxxx"))] if len(rest) else []
        bottom = np.zeros(len(edges) - 1)
        for name, gaps, (colour, hatch) in bars:
            height = np.histogram(gaps, edges)[0]
            axes.bar(
                edges[:-1],
                height,
                width=width,
                bottom=bottom,
                align="edge",
                color=colour,
                hatch=hatch,
                edgecolor=theme.ink,
                linewidth=0.6,
                label=f"{short(name, 70)}: {len(gaps)} of {len(cells)}",
            )
            bottom = bottom + height
        axes.set_ylim(0, 1.05 * bottom.max())
        axes.axvline(0, color=theme.ink, linewidth=1.2)
        axes.axvline(baseline_gap, color=theme.ink, linewidth=1.2, linestyle=":", label="the baseline")
        axes.set_xlabel(f"{gap[0]} minus {gap[1]}, BLEU 0-1", parse_math=False)
        axes.set_ylabel("configurations")
        legend = figure.legend(frameon=False, loc="outside upper left")
        for text in legend.get_texts():
            text.set_parse_math(False)
        return figure


def draw_lengths(lengths: pd.DataFrame, theme: Theme) -> "Figure":
    """Draw how far captions are from their effective reference length, a panel per system; see ``length_table``."""
    systems = list(dict.fromkeys(lengths["system"]))
    axis = "caption length minus effective reference length, in tokens"
    if lengths["difference"].abs().max() > _FAR:
        axis += f"; all beyond {_FAR} at the edge"
        lengths = lengths.assign(difference=lengths["difference"].clip(-_FAR, _FAR))
        lengths = lengths.groupby(["system", "difference"], sort=False, as_index=False).sum()
    with style(theme):
        figure, panels = panels_below(8.4, 0.9 + 0.95 * len(systems), len(systems))
        most = int(lengths["captions"].max())
        for axes, system in zip(panels, systems, strict=True):
            rows = lengths[lengths["system"] == system]
            for short, colour, hatch in ((True, VERMILION, "////"), (False, BLUE, "")):
                part = rows[(rows["difference"] < 0) == short]
                axes.bar(
                    part["difference"], part["captions"], width=0.8, color=colour, hatch=hatch, edgecolor=theme.ink
                )
            if len(rows) <= _LABELLED_BARS and len(systems) <= _LABELLED_PANELS:
                for x, captions in zip(rows["difference"], rows["captions"], strict=True):
                    write(axes, x, captions + 0.04 * most, str(captions), ha="center", va="bottom", size=9)
            axes.axvline(0, color=theme.ink, linewidth=1.2, zorder=0)
            axes.set_ylim(0, 1.35 * most)
            axes.set_yticks([])
            axes.set_ylabel(system, rotation=0, ha="right", va="center", weight="bold", parse_math=False)
        panels[-1].set_xlabel(axis)
        return figure


def as_svg(figure: "Figure") -> bytes:
    """Return a figure as SVG, its text as outlines, without a date or any name of a program."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "manybleus", "svg.fonttype": "path"}):
        figure.savefig(
            content, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
    return content.getvalue()


def as_png(figure: "Figure") -> bytes:
    """Return a figure as PNG on white, without a date or any name of a program."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=160, facecolor="white", metadata={"Software": None})
    return content.getvalue()


@contextmanager
def style(theme: Theme) -> Iterator[None]:
    """Draw in the project's style, with a theme's colours."""
    from matplotlib import rc_context

    settings: dict[Any, Any] = {
        "font.family": "DejaVu Sans",
        "font.size": 10.5,
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "hatch.color"), theme.ink),
        **dict.fromkeys(("axes.edgecolor", "grid.color"), theme.grid),
        "grid.linewidth": 0.6,
        "hatch.linewidth": 0.7,
    }
    with rc_context(settings):
        yield


def panels_below(width: float, height: float, panels: int) -> "tuple[Figure, list[Axes]]":
    """Return a figure of that size in inches, with panels one below the other that share their horizontal axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0])
    for each in axes:
        each.spines[["top", "right", "left"]].set_visible(False)
        each.tick_params(length=0)
        each.grid(axis="x")
        each.set_axisbelow(True)
    return figure, axes


def one_panel(width: float, height: float) -> "tuple[Figure, Axes]":
    """Return a figure with one panel."""
    figure, axes = panels_below(width, height, 1)
    return figure, axes[0]


def write(axes: "Axes", x: float, y: float, text: str, **look: Any) -> None:
    """Write a text as it is, whatever it holds."""
    axes.text(x, y, text, parse_math=False, **{"va": "center", **look})


def short(name: str, width: int) -> str:
    """Return a name of at most that many characters."""
    return textwrap.shorten(visible(name), width, placeholder="...") or "..."

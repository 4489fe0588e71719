"""The figures: their data as tables, their drawing, and both as files that are the same to the byte in every run."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import gap_column
from manybleus.arrays import Floats, Integers
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.statistics import CaptionStatistics, effective_reference_lengths
from manybleus.drawing import (
    BLUE,
    GREEN,
    VERMILION,
    Theme,
    as_files,
    gap_words,
    one_panel,
    panels_below,
    panels_beside,
    same_decimals,
    short,
    style,
    write,
)
from manybleus.specification import curve_table, draw_curve
from manybleus.text import signed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The colour, the mark and the line of a system; of more systems all lines are alike.
_LOOKS = ((BLUE, "o", "-"), (VERMILION, "s", "--"), (GREEN, "^", ":"), ("#737b84", "D", "-."))
# A bar so near zero, in tokens, has its label on the zero line.
_ON_ZERO = 0.5
# Captions farther from their reference length are drawn at the edge; more bars or panels have no numbers.
_FAR, _LABELLED_BARS, _LABELLED_PANELS = 50, 40, 8
# Systems whose brevity penalty is drawn.
_MOST_PANELS = 6
BASELINE, FLIP, SAME = "baseline", "flip", "same"
CAPTION, CORPUS = "caption", "corpus"


@dataclass(frozen=True, slots=True)
class Asked:
    """What the figures must know of a study beside its results.

    Attributes
    ----------
    rows
        The rows of its tables.
    baseline
        Its baseline.
    gap
        The two systems whose difference is told; None where there is no pair.
    tie_tolerance
        See ``rankings.ranking``.
    """

    rows: Sequence[tuple[str, Configuration]]
    baseline: Configuration
    gap: tuple[str, str] | None
    tie_tolerance: float


# --------------------------------------------------------------------------------------------------------------- data


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
                    "equal": same_decimals(row[gap[0]], row[gap[1]]) if gap else False,
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
    candidates, references = _lengths(statistics, baseline)
    parts = []
    for system, difference in zip(statistics.systems, candidates - references, strict=True):
        values, captions = np.unique(difference.round(6), return_counts=True)
        parts.append(pd.DataFrame({"system": system, "difference": values, "captions": captions}))
    return pd.concat(parts, ignore_index=True)


def penalty_table(statistics: CaptionStatistics, baseline: Configuration) -> pd.DataFrame:
    """Return every length of captions under the baseline with its brevity penalty, and the corpus's.

    Returns
    -------
    DataFrame
        ``system``, ``of`` (caption or corpus), ``c`` and ``r`` (lengths in tokens; of the corpus summed), ``penalty``
        (0-1), ``captions`` (how many have this c and r). The mean of a system's penalties, each counted as often as
        captions have it, is its penalty under mean-sentence.
    """
    candidates, references = _lengths(statistics, baseline)
    penalty = baseline.formula.penalty_rule
    lines = []
    for system, ours, theirs in zip(statistics.systems, candidates, references.round(6), strict=True):
        pairs, captions = np.unique(np.column_stack([ours, theirs]), axis=0, return_counts=True)
        lines += [(system, CAPTION, int(c), r, n) for (c, r), n in zip(pairs.tolist(), captions.tolist(), strict=True)]
        lines.append((system, CORPUS, int(ours.sum()), round(float(theirs.sum()), 6), len(ours)))
    table = pd.DataFrame(lines, columns=["system", "of", "c", "r", "captions"])
    table.insert(4, "penalty", [penalty(c, r) for c, r in zip(table["c"], table["r"], strict=True)])
    return table


def _lengths(statistics: CaptionStatistics, baseline: Configuration) -> tuple[Integers, Floats]:
    """Return c and r of every caption under the baseline, ``(systems, images)``."""
    counted = statistics.schemes[baseline.case, baseline.tokenizer]
    count = statistics.reference_counts[statistics.place_of(baseline.references)]
    numerators, denominators = effective_reference_lengths(
        counted.candidate_lengths, counted.reference_lengths[:, :count], baseline.reference_length
    )
    return counted.candidate_lengths, numerators / denominators


def study_figures(
    asked: Asked,
    grid: pd.DataFrame,
    tables: Mapping[str, pd.DataFrame],
    flips: pd.DataFrame,
    precisions: pd.DataFrame,
    statistics: CaptionStatistics,
    significance: pd.DataFrame,
) -> tuple[dict[str, pd.DataFrame], dict[str, bytes]]:
    """Make every figure of a study.

    Parameters
    ----------
    asked
        What is known beside the results.
    grid, tables, flips, precisions
        As ``analysis.tables`` makes them; ``tables`` by name.
    statistics
        The counts of the captions.
    significance
        As ``analysis.significance`` makes it; empty where nothing was drawn.

    Returns
    -------
    data
        Figure name -> the table behind it.
    drawings
        File name -> its content: each figure as SVG for a light and for a dark page, and as PNG; without a pair no gaps
        and no curve.
    """
    curve = curve_table(grid, asked.gap, asked.tie_tolerance, significance, asked.rows)
    data = {
        "gaps": gap_table(tables, flips, asked.gap),
        "curve": curve,
        "precisions": precisions,
        "penalties": penalty_table(statistics, asked.baseline),
        "lengths": length_table(statistics, asked.baseline),
    }
    draw: dict[str, Callable[[Theme], Figure]] = {
        "precisions": lambda theme: draw_precisions(precisions, theme),
        "penalties": lambda theme: draw_penalties(data["penalties"], asked.baseline, theme),
        "lengths": lambda theme: draw_lengths(data["lengths"], theme),
    }
    if (gap := asked.gap) is not None:
        draw["gaps"] = lambda theme: draw_gaps(data["gaps"], gap, theme)
        draw["curve"] = lambda theme: draw_curve(curve, gap, asked.baseline, theme)
    return data, as_files(draw)


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
                told = signed(row["gap"]) + (" ≈ 0" if row["equal"] else "")
                side = -1 if row["gap"] < 0 else 1
                write(axes, row["gap"] + 0.035 * span * side, height, told, ha="right" if side < 0 else "left")
                ticks.append(height)
                labels.append(short(row["configuration"], 52) + (f"  [{row['change']}]" if flips else ""))
                height += 1
        axes.set_ylim(height - 0.4, -0.7)
        axes.set_xlim(left, right)
        axes.set_yticks(ticks, labels=labels, parse_math=False)
        axes.set_xlabel(gap_words(gap), parse_math=False)
        return figure


def draw_precisions(precisions: pd.DataFrame, theme: Theme) -> "Figure":
    """Draw BLEU and the modified precisions by number of references; see ``tables.precision_table``."""
    systems = list(dict.fromkeys(precisions["system"]))
    counts = list(map(str, dict.fromkeys(precisions["references"])))
    columns = ["score", *(str(name) for name in precisions.columns if str(name).startswith("p"))]
    looks = _LOOKS if len(systems) <= len(_LOOKS) else [("#737b84", ".", "-")] * len(systems)
    with style(theme):
        figure, panels = panels_beside(1.95 * len(columns), 2.7, len(columns))
        for axes, column in zip(panels, columns, strict=True):
            for system, (colour, mark, line) in zip(systems, looks, strict=False):
                values = precisions[column][precisions["system"] == system]
                axes.plot(range(len(counts)), values, color=colour, marker=mark, linestyle=line, label=system, ms=6)
            axes.set_title("BLEU" if column == "score" else column, fontsize=10.5, weight="bold")
            axes.set_xticks(range(len(counts)), labels=counts)
            axes.set_xlim(-0.35, len(counts) - 0.65)
            axes.set_ylim(0, 1.04)
        figure.supxlabel("number of references", fontsize=10.5)
        if len(systems) <= len(_LOOKS):
            legend = figure.legend(
                *panels[0].get_legend_handles_labels(), loc="outside upper left", ncols=4, frameon=False
            )
            for text in legend.get_texts():
                text.set_parse_math(False)
        return figure


def draw_penalties(penalties: pd.DataFrame, baseline: Configuration, theme: Theme) -> "Figure":
    """Draw the brevity penalty by relative length, a panel per system; see ``penalty_table``.

    Discs are captions, their areas how many; the diamond is the corpus, and the line the mean over the captions. Of
    many systems those are drawn whose corpus and mean differ most.
    """
    known = list(dict.fromkeys(penalties["system"]))
    systems, axis = known, "caption length / effective reference length"
    if len(known) > _MOST_PANELS:
        systems = sorted(sorted(known, key=lambda system: -_spread(penalties, system))[:_MOST_PANELS], key=known.index)
        axis += f"; {_MOST_PANELS} of {len(known)} systems, whose corpus and mean differ most"
    beside = min(len(systems), 3)
    # Captions without a word, or of very many, are drawn at the edges.
    relative = (penalties["c"] / penalties["r"].where(penalties["r"] > 0, 1)).clip(0, 3)
    penalties = penalties.assign(relative=relative)
    right = max(1.5, 1.08 * float(relative.max()))
    curve = np.linspace(0.05, right, 200)
    with style(theme):
        figure, panels = panels_beside(9.2, 2.9 * math.ceil(len(systems) / beside) + 0.4, len(systems), beside)
        for axes, system in zip(panels, systems, strict=False):
            rows = penalties[penalties["system"] == system]
            captions, corpus = rows[rows["of"] == CAPTION], rows[rows["of"] == CORPUS].iloc[0]
            mean = _mean_penalty(captions)
            # A length of a thousand tokens, so that a rule's guards against zero do not count.
            rule = [baseline.formula.penalty_rule(round(1000 * x), 1000) for x in curve]
            axes.plot(curve, rule, color=theme.grid, linewidth=2, zorder=1)
            for is_short, colour in ((True, VERMILION), (False, BLUE)):
                part = captions[(captions["penalty"] < 1) == is_short]
                areas = 500 * part["captions"] / captions["captions"].sum()
                axes.scatter(part["relative"], part["penalty"], s=areas + 6, color=colour, alpha=0.75, linewidth=0)
            axes.axhline(mean, color=VERMILION, linewidth=1.4, linestyle="--")
            axes.plot(corpus["relative"], corpus["penalty"], "D", color=theme.ink, markersize=8)
            write(axes, right, mean - 0.03, f"mean {mean:.4f}", ha="right", va="top")
            write(axes, right, 1.13, f"corpus {corpus['penalty']:.4f} ◆", ha="right")
            axes.set_title(short(system, 30), loc="left", fontsize=10.5, weight="bold", parse_math=False)
            axes.set_xlim(0, right)
            axes.set_ylim(0, 1.2)
            axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        figure.supxlabel(axis, fontsize=10.5)
        figure.supylabel("brevity penalty", fontsize=10.5)
        return figure


def _mean_penalty(captions: pd.DataFrame) -> float:
    return float(np.average(captions["penalty"], weights=captions["captions"]))


def _spread(penalties: pd.DataFrame, system: str) -> float:
    """How far the brevity penalty of a system's corpus is from the mean over its captions."""
    rows = penalties[penalties["system"] == system]
    corpus = rows["penalty"][rows["of"] == CORPUS].iloc[0]
    return abs(float(corpus) - _mean_penalty(rows[rows["of"] == CAPTION]))


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
            # The zero line begins above the label of a bar that stands on it.
            at_zero = rows["captions"][rows["difference"].abs() < _ON_ZERO].max()
            axes.vlines(
                0, 0 if np.isnan(at_zero) else at_zero + 0.36 * most, 2 * most, color=theme.ink, linewidth=1.2, zorder=0
            )
            axes.set_ylim(0, 1.35 * most)
            axes.set_yticks([])
            axes.set_ylabel(system, rotation=0, ha="right", va="center", weight="bold", parse_math=False)
        panels[-1].set_xlabel(axis)
        return figure

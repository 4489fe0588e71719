"""The specification curve as the page draws it: in text, so that it can be sorted there.

The drawing is laid out here and written by ``templates/curve.html.j2``; ``static/curve.js`` sorts it anew. Its data
are those of ``specification.py``, which draws the same as a figure.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from manybleus.report.answer import turning_pair
from manybleus.report.results import Results
from manybleus.report.words import AXIS_WORDS, cells_words
from manybleus.specification import NEITHER, runs, thinned, tie_band
from manybleus.text import signed

# The drawing's measures, in units of its own: one is about a pixel.
LEFT, RIGHT, TOP, CURVE, STRIP, ROW, GROUP = 232, 992, 14, 280, 28, 15, 8
# What a configuration is, as static/curve.js knows it, too: bit 0 for a flip, bit 1 where neither leads significantly.
FLIP, OPEN = 1, 2
_LONG_LABEL = 26


def curve(results: Results) -> dict[str, Any]:
    """Lay out the specification curve of the gap; of one system alone, of its score.

    Returns
    -------
    dict
        What the template draws: paths as SVG writes them, labels with their places, and ``data``, the same for
        ``static/curve.js``.
    """
    cells = _cells(results)
    drawn = cells.iloc[thinned(len(cells), np.flatnonzero(cells["row"] != "").tolist())].reset_index(drop=True)
    axes = [axis for axis in results.study.baseline if axis in cells and cells[axis].nunique() > 1]
    has_intervals = bool(drawn["low"].notna().any())
    bounds = {name: drawn[name].fillna(drawn["gap"]) for name in ("low", "high")}
    low, high = min(0.0, float(bounds["low"].min())), max(0.0, float(bounds["high"].max()))
    ticks = round_numbers(low, high, 6)
    margin = 0.03 * (high - low or 1.0)
    bottom, top = low - margin, high + margin

    def y(value: float) -> float:
        return round(TOP + CURVE * (top - value) / (top - bottom), 1)

    ys = {name: [y(value) for value in values] for name, values in {"gap": drawn["gap"], **bounds}.items()}
    kinds = list(map(int, drawn["kind"]))
    options = {axis: list(dict.fromkeys(results.cells[axis])) for axis in axes}
    codes = {axis: [options[axis].index(choice) for choice in drawn[axis]] for axis in axes}
    step = (RIGHT - LEFT) / len(drawn)
    rows, height = _rows(options, results, TOP + CURVE + STRIP + 6)
    tie = tie_band(drawn)
    return {
        "cells": len(cells),
        "drawn": len(drawn),
        **{"left": LEFT, "right": RIGHT, "top": TOP, "height": height},
        **{"foot": TOP + CURVE - 6, "between": TOP + CURVE + STRIP / 2},
        "has_intervals": has_intervals,
        **{name: _count(results, drawn[drawn["kind"] & kind > 0]) for name, kind in (("open", OPEN), ("flips", FLIP))},
        "ticks": [{"y": y(tick), "text": tick_text(tick)} for tick in ticks],
        "zero": y(0),
        "tie": tie and {"y": y(tie[1]), "height": round(max(y(tie[0]) - y(tie[1]), 2), 1),
                        "low": signed(tie[0]), "high": signed(tie[1])},
        "band": band_path(ys["low"], ys["high"], step) if has_intervals else "",
        "dots": [dot_path(ys["gap"], kinds, kind, step) for kind in range(4)],
        "rows": [
            row | {"paths": [row_path(codes[row["axis"]], kinds, row["code"], flips, row["y"], step)
                             for flips in (0, FLIP)]}
            for row in rows
        ],
        "marks": [
            {
                "name": row,
                "x": round(LEFT + (place + 0.5) * step, 1),
                "kind": "baseline" if is_baseline else "flip" if kind & FLIP else "same",
                "place": place,
            }
            for place, (row, is_baseline, kind) in enumerate(zip(drawn["row"], drawn["baseline"], kinds, strict=True))
            if row
        ],
        "sorts": [{"axis": axis, "words": AXIS_WORDS.get(axis, axis)} for axis in axes],
        "first": drawn["gap"].iloc[0],
        "last": drawn["gap"].iloc[-1],
        "data": json.dumps(
            {
                "left": LEFT,
                "right": RIGHT,
                "y": ys["gap"],
                "low": ys["low"] if has_intervals else [],
                "high": ys["high"] if has_intervals else [],
                "kinds": kinds,
                "codes": codes,
            },
            separators=(",", ":"),
        ).replace("<", "\\u003c"),
    }  # fmt: skip


def strip(results: Results) -> dict[str, Any]:
    """Lay out the first screen's bars: of the pair that the answer is about, how far the first is ahead in each cell.

    Where no pair turns, it is that of the gap, the baseline's leader first; of one system alone, bars are its scores.

    Returns
    -------
    dict
        The ``pair``, how many bars are ``drawn``, their paths ``same`` and ``flips``, and ``sides``, what is told at
        either end; nothing where there is nothing to draw.
    """
    scores = results.scores(results.study.baseline)
    turning = turning_pair(results)
    pair = turning or results.study.gap or ()
    if pair and not turning and scores[pair[0]] < scores[pair[1]]:
        pair = pair[::-1]
    all_scores = results.grid["score"].to_numpy().reshape(-1, len(scores))[: results.grid_cells]
    columns = [all_scores[:, list(scores).index(system)] for system in pair or scores]
    values = columns[0] - columns[1] if pair else columns[0]
    if len(values) == 1 or not values.any():
        return {}
    order = np.argsort(values, kind="stable")
    drawn = order[thinned(len(order), [])]
    gaps = values[drawn].tolist()
    kinds = (FLIP * (results.cells["ranking"] != results.baseline_ranking)).to_numpy()[drawn].tolist()
    return {
        "pair": pair,
        "drawn": len(drawn),
        **{name: strip_path(gaps, kinds, flips) for name, flips in (("same", 0), ("flips", FLIP))},
        "sides": _sides(pair, gaps[0], gaps[-1]),
    }


def _sides(pair: Sequence[str], low: float, high: float) -> tuple[str, str]:
    if not pair:
        return f"{low:.4f}", f"{high:.4f}"
    ends = [
        f"{system} ahead, by up to {signed(most).lstrip('+')}" for system, most in zip(pair, (high, -low), strict=True)
    ]
    left = f"← {ends[1]}" if low < 0 else f"{pair[0]} ahead, by {signed(low).lstrip('+')} at the least"
    return left, f"{ends[0]} →" if high > 0 else ""


def _cells(results: Results) -> pd.DataFrame:
    """Every configuration by rising gap, with its interval, its kind, and the row of a table that it is."""
    cells, study = results.cells.copy(), results.study
    if not study.gap:
        cells["gap"] = results.grid["score"].to_numpy()
    if results.too_few_below:
        cells = cells.assign(low=np.nan, high=np.nan, verdict="")
    cells["kind"] = FLIP * (cells["ranking"] != results.baseline_ranking) + OPEN * (cells["verdict"] == NEITHER)
    cells["row"] = cells["row"].fillna("")
    cells["number"] = np.arange(len(cells))
    cells["baseline"] = False
    at_baseline = results.at(cells, study.baseline).index
    cells.loc[at_baseline, "row"] = "baseline"
    cells.loc[at_baseline, "baseline"] = True
    return cells.sort_values("gap", kind="stable", ignore_index=True)


def _count(results: Results, drawn: pd.DataFrame) -> str:
    return cells_words(*results.count(np.isin(np.arange(len(results.cells)), drawn["number"])))


def _rows(options: dict[str, list[str]], results: Results, y: float) -> tuple[list[dict[str, Any]], float]:
    """Return a row of the matrix for each choice of each axis, and where the drawing ends."""
    rows = []
    for axis, choices in options.items():
        y += GROUP
        for code, choice in enumerate(choices):
            y += ROW
            label = choice if len(choice) <= _LONG_LABEL else f"{choice[:_LONG_LABEL]}..."
            rows.append(
                {
                    "axis": axis,
                    "code": code,
                    "y": y,
                    "label": label,
                    "first": AXIS_WORDS.get(axis, axis).removeprefix("effective ") if code == 0 else "",
                    "baseline": choice == str(results.study.baseline[axis]),
                }
            )
    return rows, y + ROW


def round_numbers(low: float, high: float, about: int) -> list[float]:
    """Return round numbers from ``low`` to ``high``, in steps of 1, 2 or 5 and zeros, from zero."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / about))
    step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= about)
    return [round(step * place, 12) for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def tick_text(tick: float) -> str:
    """Return a number of the axis with its sign."""
    return f"{tick:+.4g}" if tick else "0"


def dot_path(ys: Sequence[float], kinds: Sequence[int], kind: int, step: float) -> str:
    """Return the path of the dots of one kind: lines so short that round or square ends make dots."""
    return "".join(
        f"M{_text(LEFT + (place + 0.5) * step)} {_text(y)}h.01"
        for place, (y, each) in enumerate(zip(ys, kinds, strict=True))
        if each == kind
    )


def band_path(lows: Sequence[float], highs: Sequence[float], step: float) -> str:
    """Return the path around all intervals, there along the upper bounds and back along the lower ones."""
    there = [f"{_text(LEFT + (place + 0.5) * step)} {_text(y)}" for place, y in enumerate(highs)]
    back = [f"{_text(LEFT + (place + 0.5) * step)} {_text(y)}" for place, y in enumerate(lows)]
    return f"M{'L'.join([*there, *reversed(back)])}Z"


def strip_path(gaps: Sequence[float], kinds: Sequence[int], flips: int) -> str:
    """Return the bars of flips or of others, each one unit wide, from a zero line; lowest and highest are 100 apart."""
    low, high = min(0.0, *gaps), max(0.0, *gaps)
    scale = 100 / ((high - low) or 1.0)
    return "".join(
        f"M{place} {_text(scale * high)}v{_text(-scale * gap)}h1V{_text(scale * high)}z"
        for place, (gap, kind) in enumerate(zip(gaps, kinds, strict=True))
        if kind & FLIP == flips
    )


def row_path(codes: Sequence[int], kinds: Sequence[int], code: int, flips: int, y: float, step: float) -> str:
    """Return the path of one row of the matrix, of flips or of others: a line below each run of its configurations."""
    shown = [each == code and kind & FLIP == flips for each, kind in zip(codes, kinds, strict=True)]
    return "".join(f"M{_text(LEFT + start * step)} {_text(y)}h{_text(length * step)}" for start, length in runs(shown))


def _text(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")

"""The configuration picker: what its form shows, and the whole grid as small numbers for ``static/picker.js``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd

from manybleus.bleu.configuration import AXES, DEFAULTS, Configuration, choice_text, parse_choice
from manybleus.replication.calls import peer_calls
from manybleus.replication.crosscheck import sampled
from manybleus.report.results import Results
from manybleus.report.words import AXIS_WORDS
from manybleus.text import isolating, signed

# The choices of a cell as text, in the order of the grid's axes.
Cell = tuple[str, ...]
# Where the cross-check has no score of a tool.
_NOT_COMPARED = "not run"


@dataclass(frozen=True, slots=True)
class Intervals:
    """The gap's interval in each cell.

    Attributes
    ----------
    level
        What an interval covers, in words, e.g. ``"95 %"``.
    bounds
        Cell -> lower and upper bound of the gap.
    leaders
        Cell -> the system of the gap that leads significantly; no entry where neither does.
    """

    level: str = ""
    bounds: Mapping[Cell, tuple[float, float]] = field(default_factory=dict)
    leaders: Mapping[Cell, str] = field(default_factory=dict)


def intervals_of(results: Results) -> Intervals:
    """Return the gap's plain intervals as the tests have them; none where nothing, or too little, was drawn."""
    rows = results.gap_tests(results.study.gap)
    if rows.empty or results.too_few_below:
        return Intervals()
    cells = list(zip(*(rows[axis] for axis in AXES if axis in rows.columns), strict=True))
    leading = dict(zip(("first", "second"), results.study.gap or (), strict=True))
    return Intervals(
        f"{100 * (1 - results.study.level):g} %",
        dict(zip(cells, zip(rows["low"].tolist(), rows["high"].tolist(), strict=True), strict=True)),
        {cell: leading[verdict] for cell, verdict in zip(cells, rows["verdict"], strict=True) if verdict in leading},
    )


def picker(results: Results, intervals: Intervals | None = None) -> dict[str, Any]:
    """Return what the picker is made of.

    Parameters
    ----------
    results
        The result files of one study.
    intervals
        The gap's intervals; if None, those of ``intervals_of``.

    Returns
    -------
    dict
        ``axes`` that leave a choice, with their options; the ``fixed`` ones; how many ``cells`` there are; links to the
        ``baseline`` and to the ``rows`` of the tables; and ``island``: the grid as plain values, of which picker.js
        tells the meaning.
    """
    intervals = intervals_of(results) if intervals is None else intervals
    grid = results.grid
    systems = list(map(str, dict.fromkeys(grid["system"])))
    first = grid.iloc[:: len(systems)]
    names = [axis for axis in AXES if axis in grid.columns]
    cells = list(zip(*(first[axis] for axis in names), strict=True))
    axes = [_axis(axis, list(first[axis]), list(first["signature"])) for axis in names]
    # Links may name what is at rest, too.
    at_rest = [
        _axis(axis, [choice_text(DEFAULTS[axis])], list(first["signature"])[:1]) for axis in AXES if axis not in names
    ]
    baseline = _cell(results.study.baseline, names)
    return {
        "axes": [
            axis | {"baseline": default}
            for axis, default in zip(axes, baseline, strict=True)
            if len(axis["options"]) > 1
        ],
        "fixed": [axis for axis in axes if len(axis["options"]) == 1],
        "rows": [
            {"name": name, "link": _link(axes, _cell(configuration, names))}
            for table in results.study.tables
            for name, configuration in table["rows"]
        ],
        "cells": len(cells),
        "baseline": _link(axes, baseline),
        "island": {
            "axes": [*axes, *at_rest],
            "systems": list(map(isolating(systems), systems)),
            "baseline": cells.index(baseline),
            "signature": _frame(str(first["signature"].iloc[0]), names),
            "places": _places(axes, cells),
            "scores": [round(score * 10_000) for score in map(float, map("{:.4f}".format, grid["score"]))],
            **_rankings(results, names, cells, systems),
            **_gaps(results.cells, names, cells, systems, results.study.gap),
            **_calls(results, names, cells),
            **_intervals(intervals, cells, results),
        },
    }


def _cell(configuration: Mapping[str, Any], names: Sequence[str]) -> Cell:
    return tuple(choice_text(configuration.get(axis, DEFAULTS.get(axis))) for axis in names)


def _axis(axis: str, choices: Sequence[str], signatures: Sequence[str]) -> dict[str, Any]:
    """An axis: its keys in links, the signatures' first; its words, its options, and what signatures call them."""
    place = AXES.index(axis)
    called = {choice: text.split("|")[place] for choice, text in zip(choices, signatures, strict=True)}
    options = sorted(called, key=_amount) if all(map(_is_amount, called)) else list(called)
    return {
        "key": called[options[0]].partition(":")[0],
        "name": axis,
        "words": AXIS_WORDS.get(axis, axis.replace("_", " ")),
        "options": options,
        "parts": [called[option] for option in options],
    }


def _is_amount(choice: str) -> bool:
    return choice == "all" or choice.isdecimal()


def _amount(choice: str) -> float:
    return float("inf" if choice == "all" else choice)


def _link(axes: Sequence[Mapping[str, Any]], cell: Cell) -> str:
    chosen = {axis["key"]: choice for axis, choice in zip(axes, cell, strict=True) if len(axis["options"]) > 1}
    return f"#{urlencode(chosen)}"


def _frame(signature: str, names: Sequence[str]) -> list[str | int]:
    """A signature's parts, the number of an axis in the place of what its options say."""
    parts: list[str | int] = [*signature.split("|")]
    for number, axis in enumerate(names):
        parts[AXES.index(axis)] = number
    return parts


def _places(axes: Sequence[Mapping[str, Any]], cells: Sequence[Cell]) -> list[int]:
    """Where each cell stands among all combinations of the options, the last axis moving fastest."""
    numbers = [{option: number for number, option in enumerate(axis["options"])} for axis in axes]
    places = []
    for cell in cells:
        place = 0
        for options, choice in zip(numbers, cell, strict=True):
            place = place * len(options) + options[choice]
        places.append(place)
    return places


def _rankings(results: Results, names: Sequence[str], cells: Sequence[Cell], systems: Sequence[str]) -> dict[str, Any]:
    """All rankings, as ``_with_ties`` writes them, their distinct cells and shares in percent, and each cell's own."""
    texts = _by_cell(results.cells, names, "ranking")
    counts = Counter(texts[cell] for cell in cells)
    places = {ranking: place for place, ranking in enumerate(counts)}
    return {
        "rankings": [_with_ties(ranking, systems) for ranking in counts],
        "distinct": [results.count((results.cells["ranking"] == ranking).to_numpy())[1] for ranking in counts],
        "shares": [f"{100 * count / len(cells):.1f}" for count in counts.values()],
        "ranking": [places[texts[cell]] for cell in cells],
    }


def _with_ties(ranking: str, systems: Sequence[str]) -> list[int]:
    """Write a ranking as numbers of systems, best first; -1 - number for one that is tied with the one before."""
    numbers = {system: number for number, system in enumerate(systems)}
    tied = [[numbers[system] for system in each.split(" = ")] for each in ranking.split(" > ")]
    return [number if place == 0 else -1 - number for each in tied for place, number in enumerate(each)]


def _gaps(
    table: pd.DataFrame,
    names: Sequence[str],
    cells: Sequence[Cell],
    systems: Sequence[str],
    pair: Sequence[str] | None,
) -> dict[str, Any]:
    """The pair's numbers, and its gap in each cell, with the digits that tables show."""
    if not pair:
        return {"pair": None, "gaps": []}
    gaps = _by_cell(table, names, "gap")
    return {"pair": [systems.index(one) for one in pair], "gaps": [float(signed(gaps[cell])) for cell in cells]}


def _by_cell(table: pd.DataFrame, names: Sequence[str], column: str) -> dict[Cell, Any]:
    return dict(zip(zip(*(table[axis] for axis in names), strict=True), table[column], strict=True))


def _calls(results: Results, names: Sequence[str], cells: Sequence[Cell]) -> dict[str, Any]:
    """Calls of other tools with what the cross-check says of them, and which of them each cell has."""
    counts = [len(texts) for texts in results.captions.references]
    compared = _compared(results, names)
    found: dict[tuple[str, ...], int] = {}
    peers = []
    for cell in cells:
        choices = {axis: parse_choice(axis, choice) for axis, choice in zip(names, cell, strict=True)}
        calls = [(*call, compared.get((cell, call.tool), "")) for call in peer_calls(Configuration(**choices), counts)]
        peers.append([found.setdefault(call, len(found)) for call in calls])
    return {"calls": [list(call) for call in found], "peers": peers}


def _compared(results: Results, names: Sequence[str]) -> dict[tuple[Cell, str], str]:
    """What came of asking a tool for a cell's scores."""
    largest: dict[tuple[Cell, str], tuple[float, str]] = {}
    for row in results.rows("crosscheck"):
        if row["cause"] == _NOT_COMPARED:
            continue
        key = tuple(row.get(axis, choice_text(DEFAULTS.get(axis))) for axis in names), row["peer"]
        told = abs(float(row["difference"])) if row["cause"] else 0.0, row["cause"]
        largest[key] = max(largest.get(key, told), told)
    where = "here" if sampled(results.captions) is results.captions else "on a sample"
    same = "gives the same scores" if where == "here" else f"gives the same scores {where}"
    return {
        key: f"differs by up to {size:.0e} {where}: {cause}" if cause else same
        for key, (size, cause) in largest.items()
    }


def _intervals(intervals: Intervals, cells: Sequence[Cell], results: Results) -> dict[str, Any]:
    """The gap's intervals, and which of the pair leads significantly, if one does; nothing without intervals."""
    pair = results.study.gap
    if not intervals.bounds or not pair:
        return {"intervals": None}
    places = {system: place for place, system in enumerate(pair)}
    leaders = [places.get(intervals.leaders.get(cell, ""), -1) for cell in cells]
    bounds = [[float(signed(bound)) for bound in intervals.bounds[cell]] for cell in cells]
    distinct = [results.count(np.array(leaders) == place)[1] for place in (0, 1)]
    return {"level": intervals.level, "intervals": bounds, "leaders": leaders, "leads": distinct}

"""What each choice does, over the full grid: exact, without samples and without a model.

This extends the study, which changed one or two choices at a time around its baseline.

The grid is a full factorial design: every combination of the choices is there. So a mean over it is a plain mean, and
the functional analysis of variance (Hoeffding 1948; Sobol 1993) is a sum of means, with no remainder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from manybleus.analysis.orders import (
    distinct_cells,
    pair_name,
    pair_orders,
    pair_table,
    pairs_of,
    place_table,
    ranking_table,
    rankings_of,
)
from manybleus.analysis.tables import Grid
from manybleus.arrays import Floats
from manybleus.bleu.configuration import AXES, Configuration, choice_text, configurations

# The axes whose choices depend on each other, so that not all of their combinations are cells.
_TIED_AXES = ("max_order", "weights")
_EFFECTS = ["axis", "from", "to", "pair", "contexts", "mean_change", "mean_absolute_change", "flips", "pivotality"]
_VARIANCES = ["of", "term", "axes", "variance", "share", "total_share"]
_FIXED = ["kind", "fixed", "size", "ranking", "cells", "distinct_cells"]


@dataclass(frozen=True, slots=True)
class FullGrid:
    """The scores of a full grid as one array.

    Attributes
    ----------
    axes
        Axis -> its choices as tables write them; only axes with more than one. Where some weights fit only some
        orders, ``max_order`` and ``weights`` are one axis.
    systems
        Their names.
    scores
        ``(choices of the first axis, ..., of the last axis, systems)``, 0-1.
    cells
        The configurations, the last axis moving fastest.
    """

    axes: Mapping[str, tuple[str, ...]]
    systems: tuple[str, ...]
    scores: Floats
    cells: tuple[Configuration, ...]

    @property
    def rows(self) -> Floats:
        """The scores cell by cell, ``(cells, systems)``."""
        return self.scores.reshape(-1, len(self.systems))

    def gaps(self, pair: tuple[int, int]) -> Floats:
        """The first system's score minus the second's, one axis for each of ``axes``."""
        gaps: Floats = self.scores[..., pair[0]] - self.scores[..., pair[1]]
        return gaps


def full_grid(table: pd.DataFrame, axes: Mapping[str, Sequence[Any]]) -> FullGrid:
    """Cut the full grid out of a table of scores; cells outside of it are left out.

    Parameters
    ----------
    table
        As ``tables.grid_table`` makes it.
    axes
        Axis -> choices.

    Raises
    ------
    ManybleusError
        If the table lacks a cell.
    """
    cells = tuple(configurations(axes))
    looked_up = Grid(table)
    scores = [looked_up.scores(cell) for cell in cells]
    systems = tuple(scores[0])
    levels: dict[str, tuple[str, ...]] = {}
    for names in _independent_axes(cells):
        found = dict.fromkeys(" ".join(choice_text(getattr(cell, axis)) for axis in names) for cell in cells)
        if len(found) > 1:
            levels["+".join(names)] = tuple(found)
    shape = [len(choices) for choices in levels.values()]
    return FullGrid(levels, systems, np.array([list(one.values()) for one in scores]).reshape(*shape, -1), cells)


def _independent_axes(cells: Sequence[Configuration]) -> list[tuple[str, ...]]:
    """The axes, those together whose choices depend on each other."""
    seen = [{getattr(cell, axis) for cell in cells} for axis in _TIED_AXES]
    both = {tuple(getattr(cell, axis) for axis in _TIED_AXES) for cell in cells}
    if len(both) == len(seen[0]) * len(seen[1]):
        return [(axis,) for axis in AXES]
    return [_TIED_AXES if axis == _TIED_AXES[0] else (axis,) for axis in AXES if axis != _TIED_AXES[1]]


def effect_tables(
    table: pd.DataFrame,
    axes: Mapping[str, Sequence[Any]],
    baseline: Configuration,
    gap: tuple[str, str],
    tie_tolerance: float,
) -> dict[str, pd.DataFrame]:
    """Make every table about the full grid.

    Parameters
    ----------
    table
        As ``tables.grid_table`` makes it.
    axes
        Axis -> choices.
    baseline
        The cell against which rankings are held; it may lie outside the grid.
    gap
        The two systems whose difference ``neighbours.csv`` shows.
    tie_tolerance
        See ``rankings.ranking``.

    Returns
    -------
    dict
        File name -> table.
    """
    grid = full_grid(table, axes)
    of_baseline = Grid(table).scores(baseline)
    standard = np.array([of_baseline[system] for system in grid.systems])
    return {
        "effects.csv": effect_table(grid, tie_tolerance),
        "variances.csv": variance_table(grid, tie_tolerance),
        "neighbours.csv": neighbour_table(grid, gap, tie_tolerance),
        "fixed.csv": fixed_table(grid, tie_tolerance),
        "rankings.csv": ranking_table(grid.rows, grid.systems, standard, tie_tolerance),
        "places.csv": place_table(grid.rows, grid.systems, standard, tie_tolerance),
        "pairs.csv": pair_table(grid.rows, grid.systems, tie_tolerance),
    }


def effect_table(grid: FullGrid, tie_tolerance: float) -> pd.DataFrame:
    """Say what changing one choice alone does to each pair of systems.

    A context is a setting of all other axes. A pair flips if its order, ``>``, ``=`` or ``<``, is another.

    Returns
    -------
    DataFrame
        ``axis``, ``from``, ``to``, ``pair``, ``contexts``, ``mean_change`` of the gap from ``from`` to ``to``,
        ``mean_absolute_change``, ``flips`` (contexts in which the pair flips), ``pivotality`` (their share). A row
        without ``from`` and ``to`` is about the axis as a whole: its flips are the contexts in which some change of it
        flips the pair, its mean is over all changes.
    """
    rows = []
    pairs = zip(pairs_of(grid.systems), pair_orders(grid.rows, tie_tolerance).T, strict=True)
    for (pair, leads), (number, (axis, choices)) in product(pairs, enumerate(grid.axes.items())):
        gaps, orders = (
            np.moveaxis(each, number, 0).reshape(len(choices), -1)
            for each in (grid.gaps(pair), leads.reshape(grid.scores.shape[:-1]))
        )
        steps = list(combinations(range(len(choices)), 2))
        changes = np.stack([gaps[later] - gaps[earlier] for earlier, later in steps])
        name, contexts = pair_name(grid.systems, pair), gaps.shape[1]
        pivotal = (orders != orders[0]).any(axis=0)
        absolute = np.abs(changes)
        rows.append([axis, None, None, name, contexts, None, absolute.mean(), pivotal.sum(), pivotal.mean()])
        for (earlier, later), change, size in zip(steps, changes, absolute, strict=True):
            flips = orders[earlier] != orders[later]
            step = [choices[earlier], choices[later]]
            rows.append([axis, *step, name, contexts, change.mean(), size.mean(), flips.sum(), flips.mean()])
    return pd.DataFrame(rows, columns=_EFFECTS)


def variance_table(grid: FullGrid, tie_tolerance: float) -> pd.DataFrame:
    """Split the variance of each gap and of each system's score over the grid into main effects and interactions.

    Returns
    -------
    DataFrame
        ``of`` (a pair or a system), ``term`` (axes joined by `` x ``), ``axes`` (how many), ``variance``, ``share`` of
        the variance over the cells (missing where that is zero), ``total_share``: for a single axis, the share of all
        terms that it is in. The shares of one quantity sum to 1.
    """
    quantities = {pair_name(grid.systems, pair): grid.gaps(pair) for pair in pairs_of(grid.systems)}
    quantities |= {system: grid.scores[..., number] for number, system in enumerate(grid.systems)}
    values = np.stack(list(quantities.values()), axis=-1)
    values = values - values.reshape(-1, len(quantities)).mean(axis=0)
    parts = {term: part for term, part in decompose(values).items() if term}
    variances = {term: (part**2).reshape(-1, len(quantities)).mean(axis=0) for term, part in parts.items()}
    wholes = (values**2).reshape(-1, len(quantities)).mean(axis=0)
    names = list(grid.axes)
    rows = []
    for number, quantity in enumerate(quantities):
        whole = wholes[number] if wholes[number] > tie_tolerance**2 else np.nan
        for term in sorted(parts, key=lambda term: (len(term), term)):
            share = variances[term][number] / whole
            total = sum(one[number] for other, one in variances.items() if set(term) <= set(other)) / whole
            name = " x ".join(names[axis] for axis in term)
            single = total if len(term) == 1 else None
            rows.append([quantity, name, len(term), variances[term][number], share, single])
    return pd.DataFrame(rows, columns=_VARIANCES)


def decompose(values: Floats) -> dict[tuple[int, ...], Floats]:
    """Write an array as a sum of orthogonal parts, one for each set of axes; the last axis holds separate quantities.

    The part of a set is what is left of the mean over all other axes when the parts of its subsets are taken away.
    Each part has length 1 along the axes that are not in its set.
    """
    parts: dict[tuple[int, ...], Floats] = {(): values}
    for axis in range(values.ndim - 1):
        split: dict[tuple[int, ...], Floats] = {}
        for term, part in parts.items():
            mean = part.mean(axis=axis, keepdims=True)
            split |= {term: mean, (*term, axis): part - mean}
        parts = split
    return parts


def neighbour_table(grid: FullGrid, gap: tuple[str, str], tie_tolerance: float) -> pd.DataFrame:
    """Say of every cell what each single change would do.

    Returns
    -------
    DataFrame
        The axes of the cell, ``axis`` and ``to`` (the change), and what is then: ``ranking``, ``gap`` of the gap's
        systems, ``flip`` (True if the ranking is another than the cell's own).
    """
    names = np.array(rankings_of(grid.rows, grid.systems, tie_tolerance), dtype=object)
    first, second = (grid.systems.index(system) for system in gap)
    gaps = grid.rows[:, first] - grid.rows[:, second]
    shape = grid.scores.shape[:-1]
    places = np.indices(shape).reshape(len(shape), len(names))
    cells = np.arange(len(names))
    parts = []
    for number, (axis, choices) in enumerate(grid.axes.items()):
        stride = int(np.prod(shape[number + 1 :]))
        for to, choice in enumerate(choices):
            moved = cells[places[number] != to]
            there = moved + (to - places[number][moved]) * stride
            parts.append(
                pd.DataFrame(
                    {
                        "cell": moved,
                        "axis": axis,
                        "to": choice,
                        "ranking": names[there],
                        "gap": gaps[there],
                        "flip": names[there] != names[moved],
                    }
                )
            )
    own = {
        axis: [choice_text(getattr(cell, axis)) for cell in grid.cells]
        for axis in AXES
        if any(axis in name.split("+") for name in grid.axes)
    }
    if not parts:
        return pd.DataFrame(columns=[*own, "axis", "to", "ranking", "gap", "flip"])
    changes = pd.concat(parts).sort_values("cell", kind="stable")
    described = pd.DataFrame(own).iloc[changes["cell"]].reset_index(drop=True)
    return pd.concat([described, changes.drop(columns="cell").reset_index(drop=True)], axis=1)


def fixed_table(grid: FullGrid, tie_tolerance: float) -> pd.DataFrame:
    """Find the smallest sets of choices that, once fixed, leave one ranking.

    Returns
    -------
    DataFrame
        ``kind``, ``fixed``, ``size``, ``ranking``, ``cells``, ``distinct_cells`` (to nine decimals). A row of the kind
        ``choices`` fixes choices: in all ``cells`` with them the ranking is the one shown; for each ranking the
        smallest such sets stand there. A row of the kind ``axes`` fixes axes: whatever their choices, the others do not
        matter.
    """
    names = rankings_of(grid.rows, grid.systems, tie_tolerance)
    known = list(dict.fromkeys(names))
    codes = np.array([known.index(name) for name in names]).reshape(grid.scores.shape[:-1])
    axes = list(grid.axes)
    found: dict[str, list[list[Any]]] = {}
    whole: list[list[Any]] = []
    for size in range(len(axes) + 1):
        for chosen in combinations(range(len(axes)), size):
            others = tuple(axis for axis in range(len(axes)) if axis not in chosen)
            low, high = codes.min(axis=others), codes.max(axis=others)
            for place in np.argwhere(low == high):
                choice = [f"{axes[axis]}={grid.axes[axes[axis]][at]}" for axis, at in zip(chosen, place, strict=True)]
                name = known[int(low[tuple(place)])]
                inside = np.moveaxis(grid.scores, chosen, range(size))[tuple(place)].reshape(-1, len(grid.systems))
                counts = [len(inside), distinct_cells(inside)]
                found.setdefault(name, []).append(["choices", "; ".join(choice), size, name, *counts])
            if (low == high).all():
                counts = [codes.size, distinct_cells(grid.rows)]
                whole.append(["axes", "; ".join(axes[axis] for axis in chosen), size, None, *counts])
    rows = [row for name in known for row in found[name] if row[2] == found[name][0][2]]
    return pd.DataFrame([*rows, *(row for row in whole if row[2] == whole[0][2])], columns=_FIXED)

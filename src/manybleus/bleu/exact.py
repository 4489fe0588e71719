"""Exact work on arrays: sums that do not depend on their order, and distinct rows of integers."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manybleus.errors import ManybleusError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Rows are named anew before their numbers reach this.
_MOST_NAMES = 1 << 17


def exact_sums(values: Floats, times: Integers, begins: Sequence[int] = (0,)) -> Floats:
    """Return sums of values, each taken some times, as ``math.fsum`` would round them.

    Values are cut into pieces on a common grid. A piece times a count, and sums of those, are whole multiples of the
    grid below 2**53: exact in whatever order they are added.

    Parameters
    ----------
    values
        ``(n, columns)``, finite.
    times
        ``(sums, n)``, not negative: how often each value is taken in each sum.
    begins
        Where the runs of values begin that are summed apart, ascending from 0.

    Returns
    -------
    ndarray
        ``(runs, sums, columns)``.

    Raises
    ------
    ManybleusError
        If a value is not finite.
    """
    if not np.isfinite(values).all():
        odd = values[~np.isfinite(values)][0]
        raise ManybleusError(f"only finite numbers have an exact sum, not {odd}")
    bits = 52 - int(times.sum(axis=1).max(initial=0)).bit_length()
    exponent = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    counts = times.astype(np.float64)
    runs = [slice(*edges) for edges in pairwise([*begins, len(values)])]
    parts = [np.zeros((len(runs), len(times), values.shape[1]))]
    rest, pieces = values.copy(), np.empty_like(values)
    while rest.any():
        exponent -= bits
        np.rint(np.ldexp(rest, -exponent, out=pieces), out=pieces)
        parts.append(np.ldexp([product(counts[:, run], pieces[run]) for run in runs], exponent))
        rest -= np.ldexp(pieces, exponent, out=pieces)
    together = np.stack(parts, axis=-1)
    rounded = list(map(math.fsum, together.reshape(-1, len(parts)).tolist()))
    return np.array(rounded).reshape(together.shape[:-1])


def product(rows: Floats, columns: Floats) -> Floats:
    """Return a matrix product row by row: small ones are quicker without the threads that a large one would start."""
    found: Floats = np.matmul(rows[:, None], columns)[:, 0]
    return found


def distinct(columns: Sequence[NDArray[np.integer[Any]]]) -> tuple[list[Integers], Integers]:
    """Return the distinct rows of columns of non-negative integers, and for each row the place of its like.

    Parameters
    ----------
    columns
        Arrays of one shape, and of any number of axes.

    Returns
    -------
    columns, places
        One-dimensional columns of the distinct rows; an array of the columns' shape.
    """
    names, count = columns[0].astype(np.int64), int(columns[0].max(initial=0)) + 1
    for column in columns[1:]:
        width = int(column.max(initial=0)) + 1
        if count * width > _MOST_NAMES:
            names, count = _renamed(names, count)
        names, count = names * width + column, count * width
    names, count = _renamed(names, count)
    flat = names.ravel()
    example = np.zeros(count, dtype=np.int64)
    example[flat] = np.arange(len(flat))
    return [np.ravel(column)[example].astype(np.int64) for column in columns], names


def _renamed(names: Integers, count: int) -> tuple[Integers, int]:
    """Name the names that occur 0, 1, .. in their order."""
    if count > names.size * 8:
        found, places = np.unique(names, return_inverse=True)
        return places.reshape(names.shape), len(found)
    occurs = np.zeros(count, dtype=bool)
    occurs[names] = True
    new = np.cumsum(occurs)
    return new[names] - 1, int(new[-1])

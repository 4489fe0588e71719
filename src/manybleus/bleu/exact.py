"""Exact work on arrays: sums that do not depend on their order, and distinct rows of integers."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from manybleus.arrays import Floats, Integers
from manybleus.errors import ManybleusError

# Rows are named anew before their numbers reach this.
_MOST_NAMES = 1 << 17
_LARGEST = 1e270
# Of a float: the smallest number is 2**-1074.
_LEAST_EXPONENT = -1074


def exact_sums(values: Floats, times: Integers, begins: Sequence[int] = (0,)) -> Floats:
    """Return sums of values, each taken some times, as ``math.fsum`` would round them.

    Values are cut into pieces on a common grid. A piece times a count, and sums of those, are whole multiples of the
    grid that a float holds exactly: they are exact in whatever order they are added.

    Parameters
    ----------
    values
        ``(columns, n)``, between -1e270 and 1e270.
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
        If a value is not finite, or beyond these bounds.
    """
    rest, pieces = values.copy(), np.empty_like(values)
    largest = float(np.abs(values, out=pieces).max(initial=0.0))
    if not largest <= _LARGEST:
        raise ManybleusError(f"numbers up to {_LARGEST:g} have an exact sum here, not {largest}")
    bits = 52 - int(times.sum(axis=1).max(initial=0)).bit_length()
    exponent = math.frexp(largest)[1]
    counts = times.astype(np.float64)
    runs = [slice(*edges) for edges in pairwise([*begins, values.shape[1]])]
    parts = [np.zeros((len(runs), len(times), len(values)))]
    columns = np.arange(len(values))
    while len(columns):
        exponent = max(exponent - bits, _LEAST_EXPONENT)
        # The sum with this number keeps the multiples of 2**exponent.
        shift = 1.5 * 2.0 ** (52 + exponent)
        np.add(rest, shift, out=pieces)
        pieces -= shift
        parts.append(np.zeros_like(parts[0]))
        parts[-1][..., columns] = np.stack([product(counts[:, run], pieces[:, run].T) for run in runs])
        rest -= pieces
        # Few columns are cut a third time.
        if not (live := rest.any(axis=1)).all():
            columns, rest, pieces = columns[live], rest[live], pieces[: np.count_nonzero(live)]
    return rounded_sums(parts)


def rounded_sums(terms: Sequence[Floats]) -> Floats:
    """Return the sums of arrays of one shape, element by element, as ``math.fsum`` rounds them.

    Beside the sum stands its error, exact but for a little slack. Where the slack could decide the rounding,
    ``math.fsum`` does.
    """
    total, error, size = terms[0], np.zeros_like(terms[0]), np.zeros_like(terms[0])
    for term in terms[1:]:
        # Knuth's sum of two numbers and its exact error.
        longer = total + term
        part = longer - total
        lost = (total - (longer - part)) + (term - part)
        total = longer
        error += lost
        size += np.abs(lost)
    slack = size * (len(terms) * 2.0**-50)
    rounded = total + error
    unsure = (total + (error - slack) != rounded) | (total + (error + slack) != rounded)
    rounded[unsure] = [math.fsum(each) for each in zip(*(term[unsure].tolist() for term in terms), strict=True)]
    return rounded


def product(rows: Floats, columns: Floats) -> Floats:
    """Return a matrix product, computed so that no threads are started: they would take longer than small products."""
    if columns.shape[1] == 1:
        by_row: Floats = np.einsum("ij,jk->ik", rows, columns)
        return by_row
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

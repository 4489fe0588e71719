"""The project's exception: what a user did not expect, where it is, and how to mend it."""

import math
from collections.abc import Iterable
from numbers import Real
from typing import TypeGuard

MOST_ORDERS = 20
# Some smoothing reads the matches of one order more.
MOST_COUNTED_ORDERS = MOST_ORDERS + 1
# Sums and logarithms of numbers up to this are floats.
_LARGEST = 1e300


class ManybleusError(ValueError):
    """A problem that a user can mend. Its text says where, what, what was expected, and how to mend it.

    ``problems`` holds the lines where it tells of several.
    """

    def __init__(self, text: str, problems: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.problems = tuple(problems) or (text,)


def raise_all(problems: Iterable[str], heading: str, further: int = 0) -> None:
    r"""Raise one error that lists every problem; do nothing when there is none.

    Parameters
    ----------
    problems
        Where, what, what was expected; each is told in one line, with its line breaks written as ``\n``.
    heading
        What was being read, e.g. ``config/config.yaml is not usable``.
    further
        How many problems beyond these lines there are.

    Raises
    ------
    ManybleusError
        If there is at least one problem.
    """
    lines = [problem.replace("\n", "\\n") for problem in problems]
    if lines:
        number = len(lines) + further
        count = "1 problem" if number == 1 else f"{number} problems"
        raise ManybleusError("\n".join([f"{heading}: {count}", *(f"  - {line}" for line in lines)]), lines)


def shown(value: object) -> str:
    """Return a value as an error tells it, in one line of at most 120 characters."""
    try:
        return f"{value!r:.120}".replace("\n", " ")
    except ValueError:
        return f"{type(value).__name__} with more digits than Python writes"


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a real number of any kind, and no truth value."""
    return not isinstance(value, bool) and isinstance(value, Real)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an int, and no truth value; NumPy's integers are none, as they overflow."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_list(value: object, of: str) -> None:
    """Raise an error unless a value is a list or a tuple: a text is one thing, though Python parts it into letters."""
    if not isinstance(value, list | tuple):
        raise ManybleusError(f"a list of {of} is meant, not {shown(value)}")


def check_strings(values: Iterable[object], noun: str) -> None:
    """Raise an error unless all values are strings."""
    given = list(values)
    if all(issubclass(kind, str) for kind in set(map(type, given))):
        return
    odd = next(value for value in given if not isinstance(value, str))
    raise ManybleusError(f"{noun} is a string, not {type(odd).__name__}: {shown(odd)}")


def check_numbers(values: Iterable[object], noun: str) -> None:
    """Raise an error unless all values are numbers from 0 that are far from overflowing."""
    for value in values:
        if not (is_number(value) and 0 <= value <= _LARGEST):
            raise ManybleusError(f"{noun} is a number from 0 to {_LARGEST:g}, not {shown(value)}")


def check_lengths(*lengths: object) -> None:
    """Raise an error unless lengths are numbers from 0; a mean of lengths need not be whole."""
    check_numbers(lengths, "a length")


def check_whole_lengths(*lengths: object) -> None:
    """Raise an error unless lengths are whole numbers from 0, as those of texts are."""
    check_lengths(*lengths)
    for length in lengths:
        if not is_whole(length):
            raise ManybleusError(f"the length of a text is an int, its number of tokens, not {shown(length)}")


def check_order(order: object, most: float = math.inf) -> None:
    """Raise an error unless an n-gram order is a whole number from 1, and at most ``most``."""
    if not is_whole(order) or not 1 <= order <= most:
        span = "from 1" if most == math.inf else f"from 1 to {most}"
        raise ManybleusError(f"an order is a whole number {span}, not {shown(order)}")

"""The project's exception: what a user did not expect, where it is, and how to mend it."""

import math
from collections.abc import Iterable


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


def check_list(value: object, of: str) -> None:
    """Raise an error unless a value is a list or a tuple: a text is one thing, though Python parts it into letters."""
    if not isinstance(value, list | tuple):
        raise ManybleusError(f"a list of {of} is meant, not {value!r:.60}")


def check_lengths(*lengths: float) -> None:
    """Raise an error unless lengths are numbers from 0."""
    for length in lengths:
        if not 0 <= length < math.inf:
            raise ManybleusError(f"a length is a number from 0, not {length!r}")


def check_order(order: object) -> None:
    """Raise an error unless an n-gram order is a whole number from 1."""
    if not isinstance(order, int) or isinstance(order, bool) or order < 1:
        raise ManybleusError(f"an order is a whole number from 1, not {order!r}")

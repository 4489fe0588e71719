"""Errors: every problem in one message."""

import pytest

from manybleus.errors import ManybleusError, raise_all


def test_problems_come_together_under_their_heading():
    with pytest.raises(ManybleusError) as error:
        raise_all(["first", "second"], "it is not usable")
    assert str(error.value) == "it is not usable: 2 problems\n  - first\n  - second"


def test_one_problem_is_one_problem():
    with pytest.raises(ManybleusError, match=r"^it: 1 problem\n  - only$"):
        raise_all(iter(["only"]), "it")


def test_a_line_break_in_a_name_makes_no_second_line():
    with pytest.raises(ManybleusError) as error:
        raise_all(["two\nlines", "one"], "it")
    assert str(error.value) == "it: 2 problems\n  - two\\nlines\n  - one"


def test_no_problem_is_no_error():
    raise_all([], "it")

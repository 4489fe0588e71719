"""Strata from a rule or a file."""

import pandas as pd
import pytest

from manybleus.errors import ManybleusError
from manybleus.strata import strata_of


def table(**stratum_of):
    return pd.DataFrame({"image_id": [name.removeprefix("i") for name in stratum_of], "stratum": stratum_of.values()})


def test_no_rule_gives_no_strata():
    assert strata_of(None, [1, 2, 3, 4], None) is None


def test_parity_is_that_of_the_place():
    assert strata_of("parity", range(7, 29, 2), None) == ["even", "odd"] * 5 + ["even"]


def test_parity_of_fewer_than_ten_images_gives_none():
    """A stratum of four images varies too little."""
    assert strata_of("parity", range(9), None) is None


def test_a_file_gives_the_stratum_by_image_id_in_the_images_order():
    asked = table(**{f"i{n}": "xy"[n % 2] for n in reversed(range(12))}, ib="y", i99="z")
    assert strata_of("strata.csv", [10, "b", *range(9)], asked) == list("xyxyxyxyxyx")


def test_all_problems_of_a_file_are_told():
    twice = pd.concat([table(i1="x", i2="x"), table(i1="y")])
    with pytest.raises(ManybleusError) as error:
        strata_of("strata.csv", [1, 2, 3], twice)
    assert str(error.value).splitlines() == [
        "strata.csv gives no strata: 2 problems",
        "  - image_id 1: stands there 2 times; keep one",
        "  - image_id 3: is missing; give its stratum",
    ]


def test_a_file_without_the_columns_is_refused():
    with pytest.raises(ManybleusError, match=r"column stratum: is missing; .* there are image_id, group"):
        strata_of("strata.csv", [1], pd.DataFrame({"image_id": ["1"], "group": ["x"]}))


@pytest.mark.parametrize(("size", "words"), [(1, "1 image,"), (4, "4 images,")])
def test_a_small_stratum_is_refused(size, words):
    of_image = {f"i{n}": "x" if n >= size else "y" for n in range(size + 5)}
    with pytest.raises(ManybleusError, match=f"stratum 'y': has {words} .* at least 5"):
        strata_of("strata.csv", range(size + 5), table(**of_image))


def test_an_image_whose_stratum_is_empty_is_told():
    with pytest.raises(ManybleusError, match="image_id 2: has no stratum; give its stratum"):
        strata_of("strata.csv", [1, 2], table(i1="x", i2=" "))

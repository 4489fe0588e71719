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
    assert strata_of("parity", [7, 9, 11, 13, 15], None) == ["even", "odd", "even", "odd", "even"]


def test_parity_of_fewer_than_four_images_gives_none():
    """A stratum of one image cannot be resampled."""
    assert strata_of("parity", [0, 1, 2], None) is None


def test_a_file_gives_the_stratum_by_image_id_in_the_images_order():
    assert strata_of("strata.csv", [10, "b", 12, 13], table(i13="x", i12="y", ib="y", i10="x", i99="z")) == list("xyyx")


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


def test_a_stratum_of_one_image_is_refused():
    with pytest.raises(ManybleusError, match="stratum 'y': has one image only"):
        strata_of("strata.csv", [1, 2, 3], table(i1="x", i2="x", i3="y"))

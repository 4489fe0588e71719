"""Distinct rows and sums of rows; the other exact sums are tested beside the scores that they make."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from manybleus.bleu import exact
from manybleus.bleu.exact import distinct, rounded_sums

rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**40), st.integers(0, 1)), min_size=1, max_size=20)


@pytest.mark.parametrize("most", [1, 5, exact._MOST_NAMES])
@given(rows)
def test_each_row_finds_its_like(most, drawn):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "_MOST_NAMES", most)
        columns, places = distinct([np.array(column) for column in zip(*drawn, strict=True)])
    found = list(zip(*(column.tolist() for column in columns), strict=True))
    assert len(found) == len(set(found)) == len(set(drawn))
    assert [found[place] for place in places.tolist()] == drawn


def test_columns_of_any_shape():
    columns, places = distinct([np.array([[1, 2], [2, 1]]), np.array([[0, 5], [5, 7]])])
    assert places.shape == (2, 2)
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == [(1, 0), (1, 7), (2, 5)]
    assert places[0, 1] == places[1, 0]


floats = st.floats(-1e270, 1e270) | st.floats(-1, 1) | st.sampled_from([0.0, 5e-324, 1.0, 2.0**-53, 2.0**-54, -1.0])


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(floats, min_size=n, max_size=n), min_size=1, max_size=9)))
@example([[1.0, 2.0**-53, 2.0**-107], [1.0, 2.0**-53, -(2.0**-107)], [1.0, 2.0**-53, 0.0]])
def test_sums_of_rows_are_rounded_as_fsum_rounds_them(drawn):
    terms = [np.array(term) for term in zip(*drawn, strict=True)]
    assert rounded_sums(terms).tolist() == list(map(math.fsum, drawn))

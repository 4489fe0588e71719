"""Distinct rows; the exact sums are tested beside the scores that they make."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybleus.bleu import exact
from manybleus.bleu.exact import distinct

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

"""The pair whose gap is told."""

import pandas as pd
import pytest

from manybleus.analysis.rankings import closest_pair, flips, gap_column
from manybleus.analysis.tables import as_markdown, chosen_pair


@pytest.mark.parametrize(
    ("scores", "pair"),
    [
        ({"A": 0.1, "B": 0.5, "C": 0.45}, ("B", "C")),
        ({"A": 0.1, "B": 0.1}, ("A", "B")),
        ({"A": 0.25, "B": 0.5, "C": 0.75}, ("B", "C")),
        ({"A": 0.1}, None),
    ],
)
def test_the_closest_neighbours_are_the_pair_in_the_order_of_the_systems(scores, pair):
    assert closest_pair(scores) == pair


def test_one_system_alone_has_no_pair_no_gap_and_no_flip():
    assert chosen_pair(pd.DataFrame(columns=["first", "second"])) is None
    table = pd.DataFrame({"configuration": ["base", "a | <b>"], "X": [0.5, 0.25], "ranking": ["X", "X"]})
    assert gap_column(table) is None
    found = flips({"A": table}, {"A": ["a | <b>"]}, "X").to_dict("records")
    assert [(row["pair"], row["flip"], row["gap"] != row["gap"]) for row in found] == [("", False, True)]
    assert as_markdown(table).splitlines() == [
        "| configuration | X | ranking |",
        "| :-- | --: | :-- |",
        "| base | 0.5000 | X |",
        "| a \\| &lt;b> | 0.2500 | X |",
    ]

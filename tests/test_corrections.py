"""Corrections of p for many comparisons, by hand and by their papers' examples."""

from dataclasses import replace

import numpy as np
import pytest

from manybleus.config import Significance
from manybleus.corrections import CORRECTIONS
from manybleus.errors import ManybleusError


def adjusted(name, p):
    return CORRECTIONS[name].adjust(np.array(p))


def test_holm_by_hand():
    """Times 4, 3, 2, 1 from the smallest on, never falling, at most 1 (Holm 1979)."""
    assert adjusted("holm", [0.02, 0.01, 0.04, 0.03]).tolist() == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjusted("holm", [0.9, 0.4]).tolist() == pytest.approx([0.9, 0.8])


def test_the_example_of_benjamini_and_hochberg():
    """Their section 4.1: of 15 comparisons at 0.05, theirs finds the four smallest, Bonferroni's and Holm's three."""
    small = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p = [*small, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]
    assert (adjusted("benjamini-hochberg", p) <= 0.05).sum() == 4
    assert (adjusted("holm", p) <= 0.05).sum() == 3
    assert adjusted("none", p).tolist() == p


@pytest.mark.parametrize("name", CORRECTIONS)
def test_one_comparison_needs_no_correction(name):
    assert adjusted(name, [0.03]).tolist() == [0.03]


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_bounds_the_chance_of_any_false_finding_multiplies_the_smallest_p(name):
    """The least that four comparisons can have: if all of them have the smallest p."""
    assert adjusted(name, [0.01] * 4)[0] == pytest.approx(0.04 if CORRECTIONS[name].bounds_any else 0.01)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_draws_with_which_no_p_can_reach_the_level_are_refused(name):
    """The smallest p of n draws is 2 / (n + 1)."""
    plan = Significance(bootstrap=100, level=0.01, correction=name)
    least = 1000 if CORRECTIONS[name].bounds_any else 200
    with pytest.raises(ManybleusError, match=f"100 draws can never reach the level 0.01.*; give {least} or more, or "):
        plan.check_draws(5)
    replace(plan, bootstrap=least).check_draws(5)

"""Configurations: checked, listed, signed."""

from dataclasses import FrozenInstanceError, asdict, replace
from fractions import Fraction

import numpy as np
import pytest

from manybleus.bleu.configuration import (
    AXES,
    DEFAULTS,
    Configuration,
    check_choice,
    choice_text,
    choices,
    configurations,
    options,
    parse_choice,
)
from manybleus.bleu.definition import AGGREGATIONS, LENGTH_RULES, Formula
from manybleus.bleu.smoothing import smoothing_names
from manybleus.bleu.tokens import CASES, TOKENIZERS
from manybleus.errors import ManybleusError

CELL = Configuration(4, "closest", "lower", "split", "none", "corpus", 4)


def test_choices_are_those_of_the_registries():
    registries = {
        "reference_length": LENGTH_RULES,
        "case": CASES,
        "tokenizer": TOKENIZERS,
        "smoothing": smoothing_names(),
        "aggregation": AGGREGATIONS,
        "references": ["all"],
        "weights": ["uniform"],
        "max_order": [],
        "effective_order": [],
        "brevity_penalty": [],
    }
    assert {axis: list(options(axis)) for axis in AXES} == {axis: list(names) for axis, names in registries.items()}


def test_choices_leave_out_the_axes_that_are_at_rest():
    assert list(choices(CELL)) == [axis for axis in AXES if axis not in DEFAULTS]
    assert choices(CELL) | DEFAULTS == asdict(CELL)
    other = replace(CELL, weights=(0.5, 0.5, 0, 0), effective_order=True, brevity_penalty=False)
    assert list(choices(other)) == list(AXES)
    assert choices(other) == asdict(other)


def test_all_wrong_choices_are_named_together():
    with pytest.raises(ManybleusError) as error:
        Configuration(0, "closest", "upper", "split", "add1", "corpus", "4")
    assert str(error.value).splitlines() == [
        "this is no BLEU configuration: 4 problems",
        "  - references: 0 is not a whole number from 1 or 'all'",
        "  - case: 'upper' is not one of lower, cased",
        f"  - smoothing: 'add1' is not one of {', '.join(smoothing_names())}",
        "  - max_order: '4' is not a whole number from 1",
    ]


@pytest.mark.parametrize("number", [0, -1, 1.0, True, "1", None, [1]])
@pytest.mark.parametrize("axis", ["references", "max_order"])
def test_what_is_no_number_from_1_is_refused(axis, number):
    assert check_choice(axis, number)


@pytest.mark.parametrize("choice", [None, 1, True, ["lower"], {}])
def test_what_is_no_name_is_refused(choice):
    assert check_choice("case", choice) == f"case: {choice!r} is not one of lower, cased"


@pytest.mark.parametrize("choice", [["all"], {}, {"exp"}, ([1],), np.array(["exp", "all"]), np.array("exp")], ids=repr)
@pytest.mark.parametrize("axis", AXES)
def test_a_choice_without_a_hash_is_refused_like_any_other(axis, choice):
    with pytest.raises(ManybleusError, match=f"this is no BLEU configuration: 1 problem\n  - {axis}: "):
        replace(CELL, **{axis: choice})


@pytest.mark.parametrize("weights", [None, 1, np.array([1.0])], ids=repr)
def test_what_is_no_list_of_weights_is_refused_in_a_grid_too(weights):
    axes = {axis: (choice,) for axis, choice in choices(CELL).items()}
    with pytest.raises(ManybleusError, match="is not uniform or a list of one weight for each order"):
        configurations({**axes, "weights": [weights]})


def test_all_references_are_a_choice_and_all_orders_are_not():
    assert check_choice("references", "all") is None
    assert check_choice("max_order", "all") == "max_order: 'all' is not a whole number from 1"


def test_a_grid_is_every_combination_with_the_last_axis_moving_fastest():
    axes = {axis: (choice,) for axis, choice in choices(CELL).items()}
    cells = configurations({**axes, "references": (1, "all"), "max_order": (3, 4)})
    assert [(cell.references, cell.max_order) for cell in cells] == [(1, 3), (1, 4), ("all", 3), ("all", 4)]
    assert len(set(cells)) == 4


def test_configurations_are_frozen():
    with pytest.raises(FrozenInstanceError):
        CELL.case = "cased"


def test_a_signature_names_every_choice():
    assert CELL.signature("abc").startswith(
        "refs:4|len:closest|case:lower|tok:split|smooth:none|agg:corpus|order:4"
        "|weights:uniform|eff:no|bp:yes|data:abc|manybleus:"
    )


OTHERS = {"references": "all", "reference_length": "average", "case": "cased", "tokenizer": "kept"}
OTHERS |= {"smoothing": "exp", "aggregation": "mean-sentence", "max_order": 2}
OTHERS |= {"weights": (0.4, 0.3, 0.2, 0.1), "effective_order": True, "brevity_penalty": False}


@pytest.mark.parametrize("axis", AXES)
def test_signatures_differ_with_every_choice(axis):
    other = replace(CELL, **{axis: OTHERS[axis]})
    assert other.signature("abc") != CELL.signature("abc") != CELL.signature("abd")


def test_weights_that_are_not_one_for_each_order_are_left_out_of_a_grid():
    axes = {axis: (choice,) for axis, choice in choices(CELL).items()}
    weights = ["uniform", (0.5, 0.5), (0.25, 0.25, 0.25, 0.25)]
    cells = configurations({**axes, "max_order": (2, 4), "weights": weights})
    assert [(cell.max_order, cell.weights) for cell in cells] == [
        (2, "uniform"),
        (2, (0.5, 0.5)),
        (4, "uniform"),
        (4, (0.25, 0.25, 0.25, 0.25)),
    ]


AXES_OF_CELL = {axis: [choice] for axis, choice in choices(CELL).items()}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"max_order": [1, 2, 3, 4], "weights": [(0.1, 0.2, 0.3, 0.4)]},
            "max_order: no weights fit 1, 2, 3; add uniform to weights, or take these orders out",
        ),
        ({"weights": ["uniform", (0.5, 0.5)]}, "weights: a list of 2 weights fits no order of max_order, 4"),
        ({"brevity_penality": [False]}, "'brevity_penality' is no axis; the axes are references, "),
        ({"case": "lower"}, "a list of choices of case is meant, not 'lower'"),
        ({"max_order": 4}, "a list of choices of max_order is meant, not 4"),
        ({"max_order": []}, "max_order: give at least one choice"),
    ],
)
def test_a_grid_that_would_lose_a_choice_is_refused(change, words):
    with pytest.raises(ManybleusError) as error:
        configurations({**AXES_OF_CELL, **change})
    assert words in str(error.value)


def test_a_grid_without_a_required_axis_is_refused():
    with pytest.raises(ManybleusError, match="max_order: None is not a whole number from 1"):
        configurations({axis: choice for axis, choice in AXES_OF_CELL.items() if axis != "max_order"})


def test_a_list_of_weights_is_kept_as_they_are_counted():
    cell = replace(CELL, max_order=2, weights=[0.5, 0.5])
    assert cell == replace(CELL, max_order=2, weights=(0.5, 0.5))
    assert replace(CELL, max_order=2, weights=[1, 0]).signature("x") == replace(
        CELL, max_order=2, weights=(1.0, 0.0)
    ).signature("x")


@pytest.mark.parametrize("number", [Fraction, np.float32, np.float64])
def test_weights_are_the_same_whatever_kind_of_number_they_are(number):
    assert replace(CELL, weights=(number(1) / 4,) * 4).signature("x") == replace(CELL, weights=(0.25,) * 4).signature(
        "x"
    )
    assert Formula(weights=(number(1) / 4,) * 4) == Formula(weights=(0.25,) * 4)


def test_a_weight_is_no_truth_value_even_where_1_was_asked_before():
    assert replace(CELL, weights=(1, 0, 0, 0)).weights == (1.0, 0.0, 0.0, 0.0)
    for call in (
        lambda: replace(CELL, weights=(True, 0, 0, 0)),
        lambda: Formula(weights=(True, 0, 0, 0)),
        lambda: configurations(
            {**{axis: [choice] for axis, choice in asdict(CELL).items()}, "weights": [[1, 0, 0, False]]}
        ),
    ):
        with pytest.raises(ManybleusError, match="weights are not negative and sum to 1"):
            call()


def test_a_weight_of_nothing_has_no_sign():
    assert "|weights:1.0,0.0,0.0,0.0|" in replace(CELL, weights=(1, -0.0, 0, 0)).signature("x")


def test_a_formula_is_what_is_left_when_the_n_grams_are_counted():
    cell = replace(CELL, smoothing="exp", max_order=2, weights=(0.25, 0.75), effective_order=True)
    assert cell.formula == Formula("exp", 2, (0.25, 0.75), effective_order=True)
    assert CELL.formula == Formula(max_order=4)
    assert replace(CELL, brevity_penalty=False).formula == Formula(max_order=4, brevity_penalty=False)


@pytest.mark.parametrize(
    ("axis", "text", "choice"),
    [
        ("references", "3", 3),
        ("references", "all", "all"),
        ("references", "-1", "-1"),
        ("max_order", "4", 4),
        ("max_order", "four", "four"),
        ("weights", "uniform", "uniform"),
        ("weights", "0.5,.25,2.5e-1", (0.5, 0.25, 0.25)),
        ("weights", "a,b", "a,b"),
        ("effective_order", "Yes", True),
        ("brevity_penalty", "off", False),
        ("brevity_penalty", "maybe", "maybe"),
        ("smoothing", "floor(0.1)", "floor(0.1)"),
        ("case", "4", "4"),
    ],
)
def test_choices_are_read_from_a_text(axis, text, choice):
    assert parse_choice(axis, text) == choice


def test_choices_are_written_so_that_they_can_be_read():
    other = replace(CELL, references="all", weights=(0.5, 0.25, 0.25, 0.0), effective_order=True)
    for cell in (CELL, other):
        for axis in AXES:
            choice = getattr(cell, axis)
            assert parse_choice(axis, choice_text(choice)) == choice

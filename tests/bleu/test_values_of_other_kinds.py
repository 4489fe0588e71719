"""Values of a kind that no function means: each place of each function refuses them in words."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from helpers import alarm

from manybleus.bleu.configuration import AXES, Configuration, check_choice, choices, configurations, parse_choice
from manybleus.bleu.configuration import options as named_choices
from manybleus.bleu.definition import (
    AGGREGATIONS,
    LENGTH_RULES,
    Formula,
    Statistics,
    bleu,
    ceiling,
    check_weights,
    clipped_matches,
    geometric_mean,
    ngrams,
    sentence_statistics,
)
from manybleus.bleu.matching import matching
from manybleus.bleu.scores import count_for, orders, schemes, score
from manybleus.bleu.smoothing import (
    SMOOTHINGS,
    brevity_penalty,
    canonical_name,
    coco_brevity_penalty,
    no_brevity_penalty,
    smoothing_rule,
)
from manybleus.bleu.statistics import caption_statistics, weighted_by_length
from manybleus.bleu.tokens import tokenize, tokenize_all, tokenize_groups
from manybleus.captions import Captions
from manybleus.errors import MOST_COUNTED_ORDERS, MOST_ORDERS, ManybleusError

CELL = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)
CAPTIONS = Captions((0,), (("a b c d",),), {"X": ("a b c",)})
COUNTED = count_for(CAPTIONS, [CELL])
SENTENCE = sentence_statistics(["a", "b", "c"], [["a", "b", "c", "d"]], "closest", 4)


def count_captions(*parts):
    return count_for(Captions(*parts), [CELL])


def problem_of_choice(axis, choice):
    """Raise what ``check_choice`` returns, as those do that ask it."""
    if problem := check_choice(axis, choice):
        raise ManybleusError(problem)


@dataclass(frozen=True)
class Call:
    """A function, arguments that it takes, and the places at which None, or a number of any size, is one too."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    optional: tuple[int, ...] = ()
    unbounded: tuple[int, ...] = ()


CALLS = {
    "ngrams": Call(ngrams, (["a"], 1), unbounded=(1,)),
    "clipped_matches": Call(clipped_matches, (["a"], [["a"]], 1), unbounded=(2,)),
    "ceiling": Call(ceiling, ([["a"]], 1), unbounded=(1,)),
    "matching": Call(matching, (["a"], [["a"]], 1), unbounded=(2,)),
    "sentence_statistics": Call(sentence_statistics, (["a"], [["a"]], "closest", 4)),
    **{name: Call(rule, (3, [2, 4])) for name, rule in LENGTH_RULES.items()},
    "brevity_penalty": Call(brevity_penalty, (3, 4)),
    "no_brevity_penalty": Call(no_brevity_penalty, (3, 4)),
    "coco_brevity_penalty": Call(coco_brevity_penalty, (3, 4)),
    "Statistics": Call(Statistics, ((1,), (1,), 1, Fraction(1))),
    "sum of Statistics": Call(SENTENCE.__add__, (SENTENCE,)),
    "geometric_mean": Call(geometric_mean, ([0.5], [1.0]), optional=(1,)),
    "check_weights": Call(check_weights, ([1.0], 1), optional=(1,)),
    "Formula": Call(Formula, ("none", 2, (0.5, 0.5), False, True), optional=(1, 2)),
    "bleu": Call(bleu, (SENTENCE, Formula())),
    **{name: Call(rule, ([SENTENCE], Formula())) for name, rule in AGGREGATIONS.items()},
    "smoothing_rule": Call(smoothing_rule, ("exp",)),
    "canonical_name": Call(canonical_name, ("exp",)),
    "Configuration": Call(
        Configuration, (1, "closest", "lower", "split", "none", "corpus", 4, "uniform", False, True), unbounded=(0,)
    ),
    "signature": Call(CELL.signature, ("x",)),
    "choices": Call(choices, (CELL,)),
    "configurations": Call(configurations, ({axis: [getattr(CELL, axis)] for axis in AXES},)),
    "parse_choice": Call(parse_choice, ("references", "5")),
    "check_choice": Call(problem_of_choice, ("references", 5), unbounded=(1,)),
    "options": Call(named_choices, ("case",)),
    "tokenize": Call(tokenize, ("a", "lower", "split")),
    "tokenize_all": Call(tokenize_all, (["a"], "lower", "split")),
    "tokenize_groups": Call(tokenize_groups, ([["a"]], "lower", "split")),
    "Captions": Call(count_captions, ((0,), (("a b",),), {"X": ("a b",)}), unbounded=(0,)),
    "count_for": Call(count_for, (CAPTIONS, [CELL])),
    "caption_statistics": Call(caption_statistics, (CAPTIONS, [("lower", "split")], ["all"], 4)),
    "place_of": Call(COUNTED.place_of, (1,)),
    "weighted_by_length": Call(weighted_by_length, ("corpus",)),
    "score": Call(score, (COUNTED, [CELL])),
    "orders": Call(orders, ([CELL],)),
    "schemes": Call(schemes, ([CELL],)),
}
PLACES = [(name, place) for name, call in CALLS.items() for place in range(len(call.arguments))]
NO_VALUES = [b"a", nan, inf, -1, 1j, {1}, object(), [None], [b"a"], [{1}], [np.array([1, 2])]]
NO_VALUES += [np.array(["a", "b"]), np.array([1, 2]), np.array([[0.5, 0.5], [1, 0]]), np.array([])]


def refusal(name, place, value):
    call = CALLS[name]
    with alarm(5), pytest.raises(ManybleusError) as error:
        call.function(*call.arguments[:place], value, *call.arguments[place + 1 :])
    return str(error.value)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_meant_is_taken(name):
    CALLS[name].function(*CALLS[name].arguments)


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_a_value_of_another_kind(name, place):
    for value in NO_VALUES:
        assert len(refusal(name, place, value)) < 1000, value


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_none_in_the_place_of_a_value(name, place):
    if place not in CALLS[name].optional:
        assert "None" in refusal(name, place, None)


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_a_number_of_thousands_of_digits(name, place):
    if place not in CALLS[name].unbounded:
        for value in (10**5000, [10**5000]):
            assert "with more digits than Python writes" in refusal(name, place, value)


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_a_generator_is_refused_before_it_is_used(name, place):
    if name not in AGGREGATIONS or place:
        given = (value for value in CALLS[name].arguments[place : place + 1])
        refusal(name, place, given)
        assert next(given) is CALLS[name].arguments[place]


def test_a_token_that_is_a_list_and_references_that_are_one_text():
    for call in (sentence_statistics, clipped_matches, matching):
        rest = ("closest", 4) if call is sentence_statistics else (1,)
        with pytest.raises(ManybleusError, match=r"^a token is a string, not list: \['a'\]$"):
            call([["a"]], [["a"]], *rest)
        with pytest.raises(ManybleusError, match=r"^a token is a string, not list: \['a'\]$"):
            call(["a"], [[["a"]]], *rest)
        with pytest.raises(ManybleusError, match=r"^a list of at least one reference is meant, not 'a cat'$"):
            call(["a"], "a cat", *rest)


@pytest.mark.parametrize("order", [MOST_COUNTED_ORDERS + 1, 10**12, 10**400])
def test_more_orders_than_are_counted(order):
    for name, place in (("sentence_statistics", 3), ("caption_statistics", 3)):
        assert f"a whole number from 1 to {MOST_COUNTED_ORDERS}, not 10" in refusal(name, place, 10**12)
        assert "a whole number from 1 to" in refusal(name, place, order)
    assert f"a whole number from 1 to {MOST_ORDERS}, not {MOST_ORDERS + 1}" in refusal("Formula", 1, MOST_ORDERS + 1)


def test_every_smoothing_has_the_orders_that_it_reads():
    cells = [Configuration("all", "closest", "lower", "split", name, "corpus", MOST_ORDERS) for name in SMOOTHINGS]
    assert orders(cells) == MOST_COUNTED_ORDERS
    words = ["a"] * 30
    counted = sentence_statistics(words, [words], "closest", MOST_COUNTED_ORDERS)
    found = score(count_for(Captions((0,), ((" ".join(words),),), {"X": (" ".join(words),)}), cells), cells)
    assert [one.score for one in found] == [bleu(counted, cell.formula) for cell in cells]


def test_the_statistics_of_many_sentences_are_those_of_a_corpus():
    assert Statistics((6, 4, 2, 0), (6, 4, 2, 0), 6, Fraction(8)) == SENTENCE + SENTENCE


@pytest.mark.parametrize("ids", [None, 7, "7", ([7],), (None,), (7.5,)])
def test_image_ids_of_another_kind(ids):
    assert "image id" in refusal("Captions", 0, ids)


@pytest.mark.parametrize("systems", [None, ["X"], [("X", ("a",))], "X"])
def test_systems_that_have_no_names(systems):
    assert "a dict of systems with a list of captions each is meant, not" in refusal("Captions", 2, systems)
    assert "the name of a system is a string, not int: 1" in refusal("Captions", 2, {1: ("a",)})

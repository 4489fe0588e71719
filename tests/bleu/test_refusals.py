"""Bad input: every function says what is wrong and what is valid."""

from dataclasses import replace
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from helpers import alarm
from sacrebleu import corpus_bleu

from manybleus.bleu.configuration import AXES, Configuration, check_choice, options
from manybleus.bleu.definition import (
    AGGREGATIONS,
    LENGTH_RULES,
    Formula,
    Statistics,
    bleu,
    check_weights,
    clipped_matches,
    geometric_mean,
    ngrams,
    sentence_statistics,
)
from manybleus.bleu.matching import matching
from manybleus.bleu.scores import count_for, exact_sums, orders, score
from manybleus.bleu.smoothing import (
    SMOOTHINGS,
    brevity_penalty,
    canonical_name,
    coco_brevity_penalty,
    no_brevity_penalty,
    smoothing_rule,
)
from manybleus.bleu.statistics import caption_statistics, effective_reference_lengths, weighted_by_length
from manybleus.bleu.tokens import CASES, TOKENIZERS, tokenize, tokenize_all, tokenize_groups
from manybleus.captions import Captions
from manybleus.errors import ManybleusError

CELL = Configuration("all", "closest", "lower", "split", "none", "corpus", 4)
CAPTIONS = Captions((0,), (("a b c d",),), {"X": ("a b c",)})
SENTENCE = sentence_statistics(["a", "b", "c"], [["a", "b", "c", "d"]], "closest", 4)
COUNTED = caption_statistics(CAPTIONS, [("lower", "split")], ["all"], 4)


def count(captions=CAPTIONS, scheme=("lower", "split"), references="all", max_order=4):
    return caption_statistics(captions, [scheme], [references], max_order)


def refusal(call, *arguments, **options):
    with pytest.raises(ManybleusError) as error:
        call(*arguments, **options)
    return str(error.value)


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (ngrams, ("the cat", 1)),
        (clipped_matches, ("the cat", [["the", "cat"]], 1)),
        (clipped_matches, (["the", "cat"], ["the cat"], 1)),
        (sentence_statistics, ("the cat", [["the", "cat"]], "closest", 4)),
        (sentence_statistics, (["the", "cat"], ["the cat"], "closest", 4)),
        (matching, ("the cat", [["the", "cat"]], 1)),
        (matching, (["the", "cat"], ["the cat"], 1)),
        (ngrams, (b"the cat", 1)),
        (clipped_matches, (b"the cat", [b"the cat"], 1)),
        (sentence_statistics, (b"the cat", [b"the cat"], "closest", 4)),
        (sentence_statistics, (None, [["the", "cat"]], "closest", 4)),
        (sentence_statistics, (["the", "cat"], [None], "closest", 4)),
    ],
)
def test_a_text_in_the_place_of_tokens(call, arguments):
    assert "a list of tokens, as tokenize gives it, is meant, not" in refusal(call, *arguments)


@pytest.mark.parametrize("text", ["a", b"a", None])
def test_a_text_in_the_place_of_an_image_s_references_or_a_system_s_captions(text):
    message = refusal(count, Captions((7,), (text,), {"X": ("a",)}))
    assert message == f"a list of references of image 7 is meant, not {text!r}"
    message = refusal(count, Captions((7,), (("a",),), {"X": text}))
    assert message == f"a list of captions of system X is meant, not {text!r}"


@pytest.mark.parametrize("image_ids", [(7, 7), (7,), (7, 8, 9)])
def test_image_ids_that_are_not_one_for_each_image(image_ids):
    message = refusal(count, Captions(image_ids, (("a",), ("b",)), {"X": ("a", "b")}))
    assert "each image has an id of its own: give 2 ids, no two of them alike" in message


@pytest.mark.parametrize("order", [0, -1, 2.5, nan, True, "4"])
@pytest.mark.parametrize(
    "call",
    [
        lambda order: ngrams(["a"], order),
        lambda order: clipped_matches(["a"], [["a"]], order),
        lambda order: sentence_statistics(["a"], [["a"]], "closest", order),
        lambda order: count(max_order=order),
        lambda order: Formula(max_order=order),
        lambda order: replace(CELL, max_order=order),
    ],
    ids=["ngrams", "clipped_matches", "sentence_statistics", "caption_statistics", "Formula", "Configuration"],
)
def test_an_order_that_is_no_whole_number_from_1(call, order):
    message = refusal(call, order)
    assert repr(order) in message
    assert "1" in message


@pytest.mark.parametrize("rule", LENGTH_RULES)
def test_a_length_rule_without_references(rule):
    assert "reference" in refusal(LENGTH_RULES[rule], 3, [])


def test_an_image_without_references():
    for references in ([], None):
        assert "at least one reference" in refusal(sentence_statistics, ["a"], references, "closest", 4)
        assert "at least one reference" in refusal(clipped_matches, ["a"], references, 1)
        assert "at least one reference" in refusal(matching, ["a"], references, 1)
    assert "reference" in refusal(count, Captions((7,), ((),), {"X": ("a",)}))
    assert "7" in refusal(count, Captions((3, 7), (("a",), ()), {"X": ("a", "a")}))


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_no_sentence(aggregation):
    assert "at least one candidate" in refusal(AGGREGATIONS[aggregation], [])


def test_no_image_no_system_no_configuration():
    assert "image" in refusal(count, Captions((), (), {"X": ()}))
    assert "system" in refusal(count, Captions((0,), (("a",),), {}))
    for call in (lambda: orders([]), lambda: score(COUNTED, []), lambda: count_for(CAPTIONS, [])):
        assert refusal(call) == "there is no configuration: give at least one"


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1), (0.5, 0.6), (-1, 2), (nan, 1), (inf, 0), (1e308, 1e308), (10**400, 0), ("a", 1), ()]
)
def test_weights_that_are_no_shares(weights):
    for call in (
        lambda: Formula(weights=weights),
        lambda: check_weights(weights, None),
        lambda: replace(CELL, max_order=len(weights) or 1, weights=weights),
    ):
        message = refusal(call)
        assert "weight" in message
        assert weights == () or f"1/{len(weights)}" in message


def test_weights_for_another_number_of_orders():
    shares = (0.5, 0.5)
    assert "one weight for each order, 4 in all" in refusal(Formula, max_order=4, weights=shares)
    assert "give one for each order" in refusal(replace, CELL, weights=shares)
    assert "weight" in refusal(bleu, SENTENCE, Formula(weights=shares))


@pytest.mark.parametrize("weights", [0.5, "equal", None])
def test_weights_that_are_no_list(weights):
    assert "one weight for each order" in refusal(replace, CELL, weights=weights)
    assert refusal(check_weights, weights, None) == f"a list of weights is meant, not {weights!r}"
    if weights is not None:
        assert refusal(Formula, weights=weights) == f"a list of weights is meant, not {weights!r}"


@pytest.mark.parametrize("name", [None, 3, ["none"]])
def test_what_is_no_name_of_a_rule(name):
    assert f"smoothing: {name!r} is not one of none, add-1" in refusal(canonical_name, name)


@pytest.mark.parametrize(("statistics", "formula"), [(None, Formula()), ((5, 5), Formula()), (SENTENCE, None)])
def test_what_are_no_statistics_or_is_no_formula(statistics, formula):
    message = refusal(bleu, statistics, formula)
    assert repr(statistics) in message
    assert repr(formula) in message


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("one", [SENTENCE, None], ids=["Statistics", "None"])
def test_the_statistics_of_one_sentence_alone(aggregation, one):
    assert f"of several sentences are meant, e.g. in a list, not {one!r}" in refusal(AGGREGATIONS[aggregation], one)
    assert "the Statistics of each sentence is meant, not None" in refusal(AGGREGATIONS[aggregation], [None])


def test_numbers_of_references_that_are_no_list():
    assert "a list of numbers of references is meant, not 4" in refusal(
        caption_statistics, CAPTIONS, [("lower", "split")], 4, 4
    )


@pytest.mark.parametrize("one", [CELL, None], ids=["Configuration", "None"])
def test_one_configuration_where_several_are_meant(one):
    for call, counted in ((score, COUNTED), (count_for, CAPTIONS)):
        assert "a list of configurations is meant, not" in refusal(call, counted, one)


@pytest.mark.parametrize("axis", ["nope", None, "brevity_penality"])
def test_a_choice_of_what_is_no_axis(axis):
    assert refusal(check_choice, axis, 1) == f"{axis!r} is no axis; the axes are {', '.join(AXES)}"


UNKNOWN_SMOOTHINGS = [
    "add1",
    "",
    None,
    3,
    ["none"],
    "Exp",
    "exp(1)",
    "floor",
    "add-k",
    "add-k()",
    "add-k(x)",
    "add-k(1",
]
NO_NUMBERS_OF_SMOOTHING = [
    f"{rule}({k})" for rule in ("add-k", "floor") for k in ("0", "-1", "nan", "inf", "1e999", "1e306", "1e-320")
]


@pytest.mark.parametrize("name", [*UNKNOWN_SMOOTHINGS, *NO_NUMBERS_OF_SMOOTHING])
def test_an_unknown_smoothing_or_one_whose_number_is_not_positive(name):
    for call in (lambda: smoothing_rule(name), lambda: Formula(name), lambda: replace(CELL, smoothing=name)):
        message = refusal(call)
        assert repr(name) in message
        for valid in (*SMOOTHINGS, "add-k(0.5)", "floor(0.5)"):
            assert valid in message


@pytest.mark.parametrize("axis", [axis for axis in AXES if options(axis)])
def test_an_unknown_choice(axis):
    message = refusal(replace, CELL, **{axis: "unheard-of"})
    assert "'unheard-of'" in message
    for valid in options(axis):
        assert valid in message


def test_sacrebleu_s_names_of_tokenizers_are_known_or_explained():
    from sacrebleu.metrics.bleu import _TOKENIZERS

    told = {name: check_choice("tokenizer", name) for name in _TOKENIZERS if name not in TOKENIZERS}
    assert told.pop("none").endswith("; sacreBLEU's none is kept")
    assert told
    assert [name for name, message in told.items() if "other packages or downloads" not in message] == []
    # sacreBLEU's none leaves a text as it is, and what it scores are the words between white space.
    assert corpus_bleu(["a, b c.d  e"], [["a, b c.d f e"]], tokenize="none").sys_len == len(
        tokenize("a, b c.d  e", "cased", "kept")
    )


@pytest.mark.parametrize("axis", ["effective_order", "brevity_penalty"])
@pytest.mark.parametrize("switch", ["no", 1, None])
def test_a_switch_that_is_neither_yes_nor_no(axis, switch):
    assert f"{axis}: {switch!r} is not yes or no" in refusal(replace, CELL, **{axis: switch})
    assert repr(switch) in refusal(Formula, **{axis: switch})


@pytest.mark.parametrize("text", [None, 3, nan, ["a"], b"a"])
def test_what_is_no_text(text):
    for call in (lambda: tokenize(text, "lower", "split"), lambda: tokenize_all(["a", text], "lower", "split")):
        assert f"a caption is a string, not {type(text).__name__}" in refusal(call)
    assert f"a caption is a string, not {type(text).__name__}" in refusal(
        count, Captions((0,), (("a",),), {"X": (text,)})
    )


@pytest.mark.parametrize("text", ["a cat", b"a cat", None])
def test_one_text_where_several_are_meant(text):
    for call in (tokenize_all, lambda one, *scheme: tokenize_groups([one], *scheme)):
        assert refusal(call, text, "lower", "split") == f"a list of captions is meant, not {text!r}"


@pytest.mark.parametrize(
    "scheme", [("upper", "split"), ("lower", "spilt"), (None, "split"), ("lower", None), (["lower"], "split")]
)
def test_unknown_cases_and_tokenizers(scheme):
    for call in (lambda: tokenize("a", *scheme), lambda: count(scheme=scheme)):
        message = refusal(call)
        for word in (*CASES, *TOKENIZERS, *map(repr, scheme)):
            assert word in message


@pytest.mark.parametrize("scheme", ["split", None, ["lower", "split"], ("lower", "split", "none")])
def test_what_is_no_pair_of_case_and_tokenizer(scheme):
    message = refusal(count, scheme=scheme)
    assert "a pair of case and tokenizer is meant" in message
    assert repr(scheme) in message


@pytest.mark.parametrize("rule", ["median", None, ["closest"]])
def test_an_unknown_length_rule(rule):
    message = refusal(sentence_statistics, ["a"], [["a"]], rule, 4)
    for valid in LENGTH_RULES:
        assert valid in message
    assert repr(rule) in message
    assert repr(rule) in refusal(effective_reference_lengths, np.array([[1]]), np.array([[1]]), rule)


@pytest.mark.parametrize("references", [0, 2, 20])
def test_references_that_no_image_has(references):
    assert f"{references} are asked for; valid is 1, the most that an image has" in refusal(
        count, references=references
    )


@pytest.mark.parametrize("references", [nan, 1.5, "most", True])
def test_a_number_of_references_that_is_none(references):
    assert repr(references) in refusal(count, references=references)


@pytest.mark.parametrize(
    "change",
    [{"references": 3}, {"case": "cased"}, {"tokenizer": "kept"}, {"max_order": 5}, {"smoothing": "chen-cherry-5"}],
    ids=str,
)
def test_a_configuration_whose_counts_are_missing(change):
    message = refusal(score, COUNTED, [replace(CELL, **change)])
    assert any(str(value) in message for value in change.values())


def test_references_beyond_the_most():
    several = Captions((0, 1), (("a", "b"), ("a",)), {"X": ("a", "a")})
    assert "3 are asked for; valid is 1 to 2, the most" in refusal(count, several, references=3)


def test_systems_with_other_numbers_of_captions_than_images():
    message = refusal(count, Captions((0,), (("a",),), {"X": ("a",), "Y": ("a", "b")}))
    assert message == "system Y has 2 captions for 1 image; give one for each"


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_sentences_with_other_numbers_of_orders(aggregation):
    fewer = sentence_statistics(["a"], [["a"]], "closest", 2)
    message = "sentences are counted to the same number of orders, not 2 and 4"
    for formula in (Formula(), Formula(max_order=2)):
        assert refusal(AGGREGATIONS[aggregation], [SENTENCE, fewer], formula) == message


@pytest.mark.parametrize(
    "matches", [(3, 2, 1), (3, 2, 1, 0, 0), *((3, m, 1, 0) for m in (3, -1, nan, 0.5, True, None, "2", np.int8(2)))]
)
def test_matches_that_are_not_among_the_n_grams(matches):
    message = refusal(Statistics, matches, (3, 2, 1, 0), 3, Fraction(3))
    told = "of the t n-grams of each order m match, ints with 0 <= m <= t <= c, unlike m = "
    assert message == f"{told}{matches}, t = (3, 2, 1, 0) and c = 3"


@pytest.mark.parametrize("totals", [(4,), (3.0,), (True,), ()])
def test_totals_that_no_texts_have(totals):
    assert f"t = {totals} and c = 3" in refusal(Statistics, (1,) * len(totals), totals, 3, Fraction(3))


@pytest.mark.parametrize("length", [nan, inf, -1.0, None, "3", b"3", True, 1j, 10**301, [3]])
def test_a_length_that_is_none(length):
    message = f"a length is a number from 0 to 1e+300, not {length!r:.120}"
    for penalty in (brevity_penalty, no_brevity_penalty, coco_brevity_penalty):
        assert refusal(penalty, length, 3) == refusal(penalty, 3, length) == message
    for rule in LENGTH_RULES.values():
        assert refusal(rule, length, [1, 2]) == refusal(rule, 3, [1, length]) == message
    assert refusal(replace, SENTENCE, reference_length=length) == message
    assert refusal(replace, SENTENCE, candidate_length=length) == message


@pytest.mark.parametrize("length", [2.5, Fraction(5, 2), np.int8(3)])
def test_a_length_of_a_text_that_is_no_int(length):
    message = f"the length of a text is an int, its number of tokens, not {length!r}"
    for rule in LENGTH_RULES.values():
        assert refusal(rule, length, [1, 2]) == refusal(rule, 3, [1, length]) == message
    assert refusal(replace, SENTENCE, candidate_length=length) == message


@pytest.mark.parametrize("precision", [nan, inf, -0.5, None, "a", True, 10**400])
def test_a_precision_that_is_no_number(precision):
    message = f"a precision is a number from 0 to 1e+300, not {precision!r:.120}"
    for weights in (None, (0.5, 0.5)):
        assert refusal(geometric_mean, [0.5, precision], weights) == message
    assert refusal(geometric_mean, []) == "a mean is one of at least one precision"


def test_weights_of_a_mean_that_are_no_shares_or_too_few():
    for weights in ((1, 1), (nan, 1), (0.5, -0.5)):
        assert "weights are not negative and sum to 1" in refusal(geometric_mean, [0.5, 0.25], weights)
    assert "nan" in refusal(geometric_mean, [0.5], (nan,))
    assert refusal(geometric_mean, [0.5, 0.25], (1,)) == "there is one weight for each order, 2 in all, not 1"


@pytest.mark.parametrize("value", [nan, inf, 1e280])
def test_a_sum_of_what_is_too_large_or_no_number(value):
    with alarm(5):
        assert str(value) in refusal(exact_sums, np.array([[0.5, value]]), np.array([[1, 1]]))


def test_an_aggregation_without_an_array_form():
    told = "no array form of the aggregation 'median-sentence'; add one beside the others"
    assert told in refusal(weighted_by_length, "median-sentence")


def test_every_aggregation_has_an_array_form():
    assert {weighted_by_length(name) for name in AGGREGATIONS} == {None, False, True}

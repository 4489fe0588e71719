"""Cases from bug reports of the field's tools: data/bleu_cases.jsonl says where each is from and what it should give.

Numbers are calculated by hand there; the rest is told in words, and is a test of its own here.
"""

import json
from fractions import Fraction
from math import exp, log

import pytest
from helpers import DATA

from manybleus.bleu import coco
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import AGGREGATIONS, Formula, Statistics, bleu, corpus_bleu, sentence_statistics
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.bleu.tokens import tokenize, tokenize_all
from manybleus.captions import Captions, read_captions
from manybleus.errors import ManybleusError

LINES = (DATA / "bleu_cases.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
CASES = {case["id"]: case for case in map(json.loads, LINES)}

DEFAULT = Configuration("all", "closest", "cased", "kept", "none", "corpus", 4)
# What a case is scored under, where that is not the default.
SCORED = {
    "short-2tok": {},
    "short-1tok": {},
    "phantom-floor": {},
    "zero-4gram": {},
    "empty-cand": {},
    "tie-shorter-first": {},
    "var-refs": {},
    "hand-catmat": {},
    "case-mixed": {},
    "string-input": {},
    "comparemt-log0": {},
    "short-2tok-order2": {"max_order": 2},
    "clip": {"max_order": 1},
    "nomatch": {"smoothing": "add-1"},
    "nomatch-exp": {"smoothing": "chen-cherry-3"},
    "m5-gt-1": {"smoothing": "chen-cherry-5"},
    "m4-one-zero": {"smoothing": "chen-cherry-4"},
    "m4-1tok": {"smoothing": "chen-cherry-4"},
    "m6-assert": {"smoothing": "chen-cherry-6"},
    "m6-corpus-gt1": {"smoothing": "chen-cherry-6"},
    "weights-zero-bigram": {"max_order": 2, "weights": (0.5, 0.5)},
    "empty-string-is-not-missing": {"max_order": 1},
    "hf-pycoco-comma": {"tokenizer": "13a"},
    "tm-vs-nltk-k": {"max_order": 3},
    "coco-mean-vs-corpus": {"case": "lower", "tokenizer": "coco"},
}
FROM_COUNTS = {"addk-mutates": "add-1", "addk-half-ar": "add-k(0.5)"}
TOLD = {"m567-order", "m3-short", "weights-ones", "method0-order", "no-refs", "empty-corpus", "sig-order"}
TOLD |= {"coco-linebreak", "coco-unknown", "coco-guard-inversion", "coco-second-call"}
TOKENIZED = {f"tok-{name}" for name in ("zwsp", "quotes", "apos", "ascii-apos", "hyphen", "hyphen-newline", "tab")}
TOKENIZED |= {f"tok-{name}" for name in ("multi-punct", "emoji", "cjk")}
WITH_LINE_BREAK = {"tok-cr", "tok-u2028", "tok-ff"}
OTHER_TOOLS = {
    "tm-float32": "torchmetrics counts in float32; counts beyond 2**24 are tested in test_scores.py",
    "numpy-float32": "sacreBLEU's bootstrap under two versions of NumPy; there is no bootstrap here",
    "cli-identical": "the p-value of sacreBLEU's command line; there is no test of significance here",
    "mt-telescope-noseed": "MT-Telescope's bootstrap has no seed; there is no bootstrap here",
}


def captions_of(name):
    """A case's captions; an empty text stands for a missing reference where the case says so."""
    case = CASES[name]
    absent = {"", None} if name == "empty-string-is-not-missing" else {None}
    if isinstance(case["references"], dict):
        told, said = list(case["references"].values()), [each["caption"] for each in case["candidates"]]
    else:
        told, said = case["references"], case["candidates"]
    references = tuple(tuple(text for text in texts if text not in absent) for texts in told)
    return Captions(tuple(range(len(references))), references, {"system": tuple(said)})


def sentences(captions, cell, counted):
    """The definition's statistics of each sentence, of so many orders."""
    rules = cell.case, cell.tokenizer
    return [
        sentence_statistics(tokenize(text, *rules), tokenize_all(texts, *rules), cell.reference_length, counted)
        for text, texts in zip(captions.systems["system"], captions.references, strict=True)
    ]


def scored(captions, cell):
    """Score captions by the definition and by the array path, which must be equal."""
    by_definition = AGGREGATIONS[cell.aggregation](sentences(captions, cell, orders([cell])), cell.formula)
    (found,) = score(caption_statistics(captions, schemes([cell]), [cell.references], orders([cell])), [cell])
    assert found.score == by_definition
    return by_definition


def with_choices(**changes):
    return Configuration(**{axis: getattr(DEFAULT, axis) for axis in Configuration.__slots__} | changes)


def test_every_case_is_tested_or_is_about_other_tools_alone():
    groups = [set(SCORED), set(FROM_COUNTS), TOLD, TOKENIZED, WITH_LINE_BREAK, set(OTHER_TOOLS)]
    assert set().union(*groups) == set(CASES)
    assert sum(map(len, groups)) == len(CASES) == len(LINES)


# ------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("name", SCORED)
def test_a_case_has_its_calculated_score(name):
    assert scored(captions_of(name), with_choices(**SCORED[name])) == pytest.approx(
        CASES[name]["expected"], rel=1e-14, abs=0
    )


@pytest.mark.parametrize("name", FROM_COUNTS)
def test_counts_have_their_calculated_score_and_stay_as_they_were(name):
    """These are calculated in per cent."""
    m, t = [4, 2, 0, 0], [5, 4, 3, 2]
    counted = Statistics(tuple(m), tuple(t), 5, Fraction(5))
    assert bleu(counted, Formula(FROM_COUNTS[name])) == pytest.approx(CASES[name]["expected"] / 100, rel=1e-14)
    rule = Formula(FROM_COUNTS[name])
    assert rule.precisions(m, t) == rule.precisions(m, t)
    assert (m, t) == ([4, 2, 0, 0], [5, 4, 3, 2])


@pytest.mark.parametrize("name", [*SCORED, *FROM_COUNTS])
def test_calculated_scores_are_their_arithmetic(name):
    value = eval(CASES[name]["arithmetic"], {"exp": exp, "log": log, "__builtins__": {}})
    assert value == pytest.approx(CASES[name]["expected"], rel=1e-12)


@pytest.mark.parametrize("name", [name for name in SCORED if "stats m,t,c,r" in CASES[name]["settings"]])
def test_a_case_has_its_calculated_counts(name):
    first, *rest = sentences(captions_of(name), DEFAULT, CASES[name]["settings"]["max_order"])
    found = sum(rest, start=first)
    counts = [*map(list, (found.matches, found.totals)), found.candidate_length, float(found.reference_length)]
    assert counts == CASES[name]["settings"]["stats m,t,c,r"]


# ------------------------------------------------------------------------------------------------------------ behaviour


@pytest.mark.parametrize("number", [5, 6, 7])
def test_the_order_of_the_segments_changes_no_corpus_score(number):
    captions = captions_of("m567-order")
    turned = Captions((0, 1), captions.references[::-1], {"system": captions.systems["system"][::-1]})
    cell = with_choices(smoothing=f"chen-cherry-{number}")
    assert scored(captions, cell) == scored(turned, cell) > 0


def test_orders_without_n_grams_count_nothing_unless_they_are_left_out():
    captions = captions_of("m3-short")
    for smoothing in ("exp", "chen-cherry-3"):
        assert scored(captions, with_choices(smoothing=smoothing)) == 0
        left_out = with_choices(smoothing=smoothing, effective_order=True)
        assert scored(captions, left_out) == pytest.approx(1, rel=1e-14)


def test_weights_that_do_not_sum_to_1_are_refused_beside_the_uniform_ones():
    weights = tuple(CASES["weights-ones"]["settings"]["weights"])
    for make in (lambda: Formula(weights=weights), lambda: with_choices(weights=weights)):
        with pytest.raises(ManybleusError, match=r"sum to 1, unlike \(1, 1, 1, 1\); .* \(1/4, 1/4, 1/4, 1/4\)"):
            make()
    uniform = scored(captions_of("weights-ones"), with_choices(weights=(0.25,) * 4))
    assert uniform == pytest.approx(exp(-0.2) * 0.25**0.25, rel=1e-14)


@pytest.mark.parametrize("name", ["method0-order", "coco-guard-inversion"])
def test_sentences_without_a_four_gram_in_common_are_tied_at_0(name):
    assert {bleu(each) for each in sentences(captions_of(name), DEFAULT, 4)} == {0}


def test_a_segment_without_references_is_refused_by_its_name(tmp_path):
    with pytest.raises(ManybleusError, match="at least one reference"):
        sentences(captions_of("no-refs"), DEFAULT, 4)
    with pytest.raises(ManybleusError, match="image_id 7 has no references; add an annotation or remove the image"):
        read_coco(tmp_path, {7: []}, [{"image_id": 7, "caption": "a b"}])


def test_an_empty_corpus_is_refused(tmp_path):
    with pytest.raises(ManybleusError, match="give at least one candidate"):
        corpus_bleu([])
    with pytest.raises(ManybleusError, match="expected at least one annotation"):
        read_coco(tmp_path, {}, [])


def test_signatures_tell_orders_apart():
    two, four = with_choices(max_order=2), with_choices(max_order=4)
    assert two.signature("x") == four.signature("x").replace("order:4", "order:2") != four.signature("x")


def test_a_second_question_gets_its_own_answer():
    captions = captions_of("coco-second-call")
    average, shortest = (with_choices(reference_length=rule) for rule in ("average", "shortest"))
    cells = [average, shortest, average]
    found = score(caption_statistics(captions, schemes(cells), ["all"], 4), cells)
    assert [each.reference_length for each in found] == [5, 3, 5]
    assert [each.brevity_penalty for each in found] == [1, 1, 1]
    assert found[0] == found[2]


# --------------------------------------------------------------------------------------------------------- COCO's files


def read_coco(folder, references, results):
    """Write captions in COCO's formats and read them back."""
    pairs = [(image, text) for image, texts in references.items() for text in texts]
    annotations = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]
    told = {"images": [{"id": image} for image in references], "annotations": annotations}
    (folder / "references.json").write_text(json.dumps(told), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
    return read_captions(folder / "references.json", {"system": folder / "results.json"})


def read_case(folder, name):
    case = CASES[name]
    return read_coco(folder, {int(image): texts for image, texts in case["references"].items()}, case["candidates"])


def test_a_line_break_in_a_caption_file_shifts_no_caption(tmp_path):
    captions = read_case(tmp_path, "coco-linebreak")
    cells = [with_choices(case="lower", tokenizer="coco", max_order=n) for n in (1, 2, 3, 4)]
    assert [scored(captions, cell) for cell in cells] == CASES["coco-linebreak"]["expected"]


def test_an_unknown_image_is_refused_by_its_id(tmp_path):
    with pytest.raises(ManybleusError, match=r"item 3: image_id 9 is not among the references' images"):
        read_case(tmp_path, "coco-unknown")


def test_the_mean_of_sentences_is_not_the_corpus(tmp_path):
    captions = read_case(tmp_path, "coco-mean-vs-corpus")
    corpus, mean = (
        scored(captions, with_choices(case="lower", tokenizer="coco", aggregation=aggregation))
        for aggregation in ("corpus", "mean-sentence")
    )
    assert corpus == pytest.approx(CASES["coco-mean-vs-corpus"]["expected"], rel=1e-14)
    assert mean == pytest.approx(2 / 3, rel=1e-14)


# --------------------------------------------------------------------------------------------------------------- tokens


@pytest.mark.parametrize("name", sorted(TOKENIZED | WITH_LINE_BREAK))
@pytest.mark.parametrize("tokenizer", ["13a", "intl"])
def test_tokens_of_sacrebleu_are_those_that_were_seen(name, tokenizer):
    case = CASES[name]
    assert tokenize(case["candidates"][0], "cased", tokenizer) == case["observed"][f"sacrebleu {tokenizer}"]


@pytest.mark.parametrize("name", sorted(TOKENIZED))
def test_tokens_of_coco_caption_are_those_that_were_seen(name):
    if coco.route() != "coco":
        pytest.skip("coco-caption's tokenizer needs Java and pycocoevalcap")
    case = CASES[name]
    (seen,), (following,) = case["observed"]["pycocoevalcap PTB"]
    assert tokenize_all([case["candidates"][0], "end"], "lower", "coco") == [seen.split(), [following]]


@pytest.mark.parametrize("name", sorted(WITH_LINE_BREAK))
@pytest.mark.parametrize("tokenizer", ["coco", "coco-python"])
def test_a_line_break_within_a_caption_is_a_space(name, tokenizer):
    found = tokenize_all([CASES[name]["candidates"][0], "end"], "lower", tokenizer)
    assert found == [["a", "red", "circle"], ["end"]]


@pytest.mark.parametrize(
    ("name", "tokenizer", "expected"),
    [
        ("tok-quotes", "split", "\u201c red \u201d circle"),
        ("tok-apos", "split", "it \u2019 s"),
        ("tok-ascii-apos", "removed", "it s a dog s bowl"),
        ("tok-hyphen", "split", "10 - year - old well - known"),
        ("tok-hyphen-newline", "kept", "well- known"),
        ("tok-zwsp", "kept", "a\u200bb"),
        ("tok-tab", "kept", "a b"),
        ("tok-multi-punct", "removed", "wait what"),
        ("tok-emoji", "split", "cat \U0001f600 here"),
        ("tok-cjk", "zh", "\u4e00 \u53ea \u732b \u3002"),
    ],
)
def test_a_tokenizer_gives_what_the_report_wished_for(name, tokenizer, expected):
    assert tokenize(CASES[name]["candidates"][0], "cased", tokenizer) == expected.split(" ")

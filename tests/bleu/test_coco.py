"""coco-caption's tokenization, beside its own."""

import random
import subprocess
from subprocess import CompletedProcess

import pytest
from strategies import ODD, WORDS

from manybleus.bleu import coco
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.tokens import tokenize_all
from manybleus.errors import ManybleusError

needs_java = pytest.mark.skipif(coco.route() != "coco", reason="coco-caption's tokenizer needs Java and pycocoevalcap")
LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
DOZEN = [
    "A red circle is to the left of a blue square.",
    "a dog's bowl, full of water",
    "It's 5.5 metres wide - a well-known bridge ...",
    "Don't walk; the light won't change!",
    "a man (in black) cannot see the [small] sign",
    "Mr. Smith's car in the U.S. for $5.00, 3% off",
    "a 10-year-old boy with 1/2 a cup",
    "two na\u00efve caf\u00e9 guests",
    "A man \u2014 standing",
    "\u201cquoted\u201d words\u2026",
    "One man sits. Another stands.",
    "rock 'n' roll",
    "1 1/2 cups of tea",
]


def odd_captions():
    """Captions of every kind of character but line breaks."""
    rng = random.Random(0)
    ranges = [(32, 126), (160, 0x24F), (0x2000, 0x206F), (0x3000, 0x30FF)]
    of_words = [" ".join(rng.choices(WORDS + ODD, k=rng.randint(0, 8))) for _ in range(200)]
    of_characters = [
        "".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(0, 12))) for _ in range(200)
    ]
    marks = ["", "  ", "...", "?!", "a--b", "a -", "\u00a0 a\u00a0b", "<a> {b} #c @d", "\x00", "a\x1fb", "``a'' 'b'"]
    return [text for text in [*DOZEN, *marks, *of_words, *of_characters] if not set(text) & set(LINE_BREAKS)]


@needs_java
def test_tokens_are_those_of_coco_caption():
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    texts = odd_captions()
    theirs = PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(texts)})
    found = coco.tokenize(texts, "lower")
    assert len(texts) > 300
    # As its scorer splits them.
    assert found == [theirs[i][0].split() for i in range(len(texts))]
    assert any(theirs[i][0].split() != theirs[i][0].split(" ") for i in range(len(texts)) if theirs[i][0])


@needs_java
def test_a_token_that_holds_a_no_break_space_is_split_as_coco_captions_scorer_splits_it():
    from pycocoevalcap.bleu.bleu_scorer import precook

    assert coco.tokenize(["1 1/2 cups"], "lower") == [["1", "1/2", "cups"]]
    assert dict(precook("1\u00a01/2 cups", n=1)[1]) == {("1",): 1, ("1/2",): 1, ("cups",): 1}


@needs_java
def test_case_is_kept_on_demand():
    assert coco.tokenize(["A dog (or Cat)."], "cased") == [["A", "dog", "or", "Cat"]]
    assert coco.tokenize(["A dog (or Cat)."], "lower") == [["a", "dog", "-lrb-", "or", "cat", "-rrb-"]]


@pytest.mark.parametrize("tokenizer", ["coco", "coco-python"])
def test_no_line_break_shifts_the_captions_that_follow(tokenizer):
    texts = [f"a red{mark}circle" for mark in LINE_BREAKS]
    assert tokenize_all([*texts, "the end"], "lower", tokenizer) == [["a", "red", "circle"]] * 10 + [["the", "end"]]


def test_no_caption_has_no_tokens():
    assert coco.tokenize([], "lower") == coco.tokenize_in_python([], "lower") == []
    assert coco.tokenize([""], "lower") == coco.tokenize_in_python([""], "lower") == [[]]


@needs_java
def test_python_agrees_in_8_captions_of_12():
    """It leaves other quotation marks, dashes and full stops within a caption where they are."""
    theirs, ours = coco.tokenize(DOZEN, "lower"), coco.tokenize_in_python(DOZEN, "lower")
    assert [place for place in range(12) if theirs[place] != ours[place]] == [8, 9, 10, 11]


def test_without_java_the_other_tokenizer_is_used_and_named(monkeypatch):
    cell = Configuration("all", "closest", "lower", "coco", "none", "corpus", 4)
    monkeypatch.setattr(coco, "_jar", lambda: None)
    assert coco.route() == "coco-python"
    assert "|tok:coco-python|" in cell.signature("x")
    assert coco.tokenize(DOZEN, "lower") == coco.tokenize_in_python(DOZEN, "lower")
    monkeypatch.setattr(coco, "_jar", lambda: "a.jar")
    assert "|tok:coco|" in cell.signature("x")


@pytest.mark.parametrize(("code", "output"), [(1, b"a\nb\n"), (0, b"a\n"), (0, b"a\nb\nc\n"), (0, b"")])
def test_a_java_that_fails_or_loses_captions_is_refused(monkeypatch, code, output):
    monkeypatch.setattr(coco, "_jar", lambda: "a.jar")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: CompletedProcess([], code, output, b"out of memory"))
    with pytest.raises(ManybleusError, match=r"lines? for 2 captions; use the tokenizer coco-python .*out of memory"):
        coco.tokenize(["a", "b"], "lower")


@needs_java
@pytest.mark.parametrize("after", ["The clock", "a clock", "<b>", "5", ""])
def test_what_comes_after_a_caption_does_not_change_its_tokens(after):
    """Where the tool tokenizes lines together, a final "5p.m." is cut otherwise before a capital."""
    alone = [coco.tokenize([text], "lower")[0] for text in ("it is 5p.m.", "see No.")]
    assert coco.tokenize(["it is 5p.m.", after, "see No.", after], "lower")[::2] == alone

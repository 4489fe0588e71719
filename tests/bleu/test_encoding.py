"""Texts as integers: whatever was cut and joined, a text's tokens are those of the whole text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import SCHEMES, texts

from manybleus.bleu import encoding
from manybleus.bleu.encoding import cut, encode
from manybleus.bleu.tokens import TOKENIZERS, tokenize, tokenize_all


def pieces(several):
    """The chunks of each text."""
    chunks = cut(several)
    words = iter(chunks.ids.tolist())
    return [[chunks.words[next(words)] for _ in range(size)] for size in chunks.lengths.tolist()]


def numbered(several):
    """Token lists with a number for each distinct token, in the order of their first occurrence."""
    numbers = {}
    return [[numbers.setdefault(token, len(numbers)) for token in tokens] for tokens in several]


def encoded(several, case, tokenizer):
    """The token ids of each text."""
    (texts,) = encode(several, cut(several), [(case, tokenizer)])
    tokens, sizes = texts.take(0, len(several))
    ids = iter(tokens.tolist())
    found = [[next(ids) for _ in range(size)] for size in sizes.tolist()]
    assert next(ids, None) is None
    return found


@given(st.lists(texts | st.text(), max_size=5))
@example(["\0", "a\0\0 b", "", " "])
def test_texts_are_cut_where_split_cuts_them(several):
    assert pieces(several) == [text.split() for text in several]


def test_texts_are_cut_in_parts(monkeypatch):
    several = ["a b", "", "b\0 \0", "c a"]
    monkeypatch.setattr(encoding, "_TEXTS_AT_ONCE", 1)
    assert pieces(several) == [text.split() for text in several]


@pytest.mark.parametrize(("several", "expected"), [(["a b", "c"], False), (["a", "b\nc"], True), ([], False)])
def test_line_breaks_are_noticed(several, expected):
    assert cut(several).line_breaks is expected


@pytest.mark.parametrize(("case", "tokenizer"), [*SCHEMES])
@settings(max_examples=60)
@given(several=st.lists(texts | st.text(), max_size=4))
@example(several=["a :0 b", "at .5 or 5. 5", "well-\nknown", "well- known"])
@example(several=["\u039f\u0394\u039f\u03a3 \u03a3 \u03a3\u0391\u03a3.\x1c\u03a3", "\u0130I i\u0307\u2028\u00df"])
def test_ids_stand_for_the_tokens_of_the_whole_text(case, tokenizer, several):
    assert numbered(encoded(several, case, tokenizer)) == numbered(tokenize_all(several, case, tokenizer))


def test_ids_stand_for_the_tokens_of_coco_caption_too():
    several = ["A dog. One more", "a dog . one more", "a red\u2028circle (here)", ""]
    assert numbered(encoded(several, "lower", "coco")) == numbered(tokenize_all(several, "lower", "coco"))


@pytest.mark.parametrize(("case", "tokenizer"), [each for each in SCHEMES if TOKENIZERS[each[1]].cuts != "never"])
@settings(max_examples=60)
@given(text=texts | st.text())
@example(text="\u039f\u0394\u039f\u03a3 \u03a3 \u03a3\u0391\u03a3.\x1c\u03a3")
@example(text="\u0130I i\u0307\u2028\u00df \u1e9e")
@example(text="a :0 .5 5. 5 -5 $5 5 - 5")
def test_a_tokenizer_that_allows_cuts_gives_the_whole_what_it_gives_the_pieces(case, tokenizer, text):
    if TOKENIZERS[tokenizer].cuts != "always":
        text = text.replace("\n", " ")
    whole = tokenize(text, case, tokenizer)
    assert [token for chunk in text.split() for token in tokenize(chunk, case, tokenizer)] == whole
    assert all(token and not any(map(str.isspace, token)) for token in whole)


def test_a_part_of_the_texts_may_be_taken():
    several = ["a b", "", "b c c", "a"]
    (texts,) = encode(several, cut(several), [("lower", "split")])
    tokens, sizes = texts.take(1, 3)
    assert sizes.tolist() == [0, 3]
    assert numbered([tokens.tolist()]) == [[0, 1, 1]]

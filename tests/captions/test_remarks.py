"""What is odd about captions that can be scored."""

import pytest

from manybleus.captions import Captions, read_captions, remarks

TOLD = (("a cat", "the cat"), ("a dog", "the dog"), ("a cow", "the cow"))


def said(**systems):
    return [(each.of, each.count) for each in remarks(captions(**systems))]


def captions(references=TOLD, **systems):
    return Captions((1, 2, 3), references, systems)


def test_ordinary_captions_and_one_system_alone_are_not_odd():
    assert remarks(captions(A=("x", "y", "z"), B=("x", "y", "w"))) == []
    assert remarks(captions(A=("x", "y", "z"))) == []


def test_empty_captions_are_counted_white_space_being_nothing():
    assert said(A=("", " \t", "z"), B=("x", "y", "")) == [("A", 2), ("B", 1)]
    (remark,) = remarks(captions((("", "x"), *TOLD[1:]), A=("x", "y", "z")))
    assert remark.text == "references: 1 caption is empty"


def test_empty_lines_of_reference_files_are_told_since_sacrebleu_takes_them_otherwise(tmp_path):
    for name, text in {"r1": "a\nb\n\n", "r2": "a\n\nc\n", "A": "x\ny\nz\n"}.items():
        (tmp_path / name).write_text(text)
    read = read_captions([tmp_path / "r1", tmp_path / "r2"], {"A": tmp_path / "A"})
    assert read.references == (("a", "a"), ("b",), ("c",))
    (remark,) = remarks(read)
    assert (remark.of, remark.count) == ("references", 2)
    assert "2 lines of their files are empty: no reference stands there; sacreBLEU" in remark.text


def test_systems_that_are_the_same_are_told_by_pair():
    same = ("x", "y", "z")
    found = remarks(captions(A=same, B=("x", "y", "w"), C=same))
    assert [each.text for each in found] == ["A and C are identical: every caption of one is the other's"]


def test_as_many_references_as_images_look_transposed():
    told = (("a cat sat", "the cat sits", "a cat"), ("two dogs", "dogs", "some dogs run"), ("rain", "it rains", "rain"))
    assert remarks(captions(told, A=("x", "y", "z"))) == []
    found = remarks(captions(tuple(zip(*told, strict=True)), A=("x", "y", "z")))
    assert [each.of for each in found] == ["references"]
    assert "transposed" in found[0].text
    assert remarks(Captions((1,), (("a",),), {"A": ("x",)})) == []


def test_very_long_captions_are_counted_and_the_longest_is_told():
    found = remarks(captions(A=("x" * 1000, "x" * 1001, "x" * 5000)))
    assert [each.text for each in found] == ["A: 2 captions are longer than 1000 characters; the longest has 5000"]


@pytest.mark.parametrize(
    ("references", "caption", "odd"),
    [
        ("caf\u00e9", "cafe\u0301", True),
        ("cafe\u0301", "cafe\u0301", False),
        ("caf\u00e9", "caf\u00e9", False),
        ("cafe", "cafe\u0301", False),
        ("\u732b", "\u732b", False),
    ],
)
def test_composed_and_decomposed_letters_together_are_odd(references, caption, odd):
    found = remarks(captions(((references,), *TOLD[1:]), A=(caption, "y", "z")))
    assert [("NFC" in each.text, each.count) for each in found] == ([(True, 1)] if odd else [])

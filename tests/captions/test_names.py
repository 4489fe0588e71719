"""Names of systems."""

import pytest

from manybleus.captions.names import name_problems


@pytest.mark.parametrize(
    "name",
    ["A", "S1", "BLIP-2 (large)", "v1.0_b+c, 2", "\u732b", "\u0939\u093f\u0928\u094d\u0926\u0940", "x" * 80],
)  # fmt: skip
def test_names_that_can_be_files_and_columns_are_names(name):
    assert list(name_problems([name])) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "a name is missing"),
        (".hidden", "begins with a letter or digit"),
        ("-A", "begins with a letter or digit"),
        ("+A", "begins with a letter or digit"),
        (" A", "begins with a letter or digit"),
        ("A ", "ends with no space"),
        ("a/b", "'/' cannot stand in a name"),
        ("a\\b", "cannot stand in a name"),
        ("a{b}", "'{' cannot stand in a name"),
        ("a\nb", "cannot stand in a name"),
        ("a\u202eb", "cannot stand in a name"),
        ("a>b", "'>' cannot stand in a name"),
        ("x" * 81, "at most 80 characters"),
        ("\U00020000" * 61, "240 bytes in UTF-8"),
        ("References", "are taken"),
        ("ranking", "are taken"),
    ],
)
def test_a_name_that_can_be_none_is_refused_with_the_reason(name, words):
    (line,) = name_problems([name])
    assert words in line


def test_names_are_unique_also_without_regard_to_case():
    (line,) = name_problems(["Base", "other", "base"])
    assert line == "systems 'Base' and 'base' differ in case alone; their files would be the same"
    (line,) = name_problems(["A", "A"])
    assert "is named twice" in line


@pytest.mark.parametrize(("other", "in_what"), [("a\u0308", ""), ("A\u0308", "case and ")])
def test_names_that_differ_in_how_a_letter_is_written_are_said_to(other, in_what):
    (line,) = name_problems(["\u00e4", other])
    how = f"differ in {in_what}how letters with marks are written alone, composed (NFC) or decomposed (NFD)"
    assert line == f"systems '\u00e4' and {other!r} {how}; their files would be the same"


def test_a_name_is_not_what_a_difference_of_two_others_is_called():
    assert list(name_problems(["A", "B", "A-C"])) == []
    (line,) = name_problems(["A", "B", "A-B"])
    assert line == "system 'A-B': is also what A minus B is called in the tables; choose another name"


def test_two_pairs_are_not_called_the_same():
    (line,) = name_problems(["A", "A-B", "B-C", "C"])
    assert line == "A minus B-C and A-B minus C are both called 'A-B-C' in the tables; choose other names"

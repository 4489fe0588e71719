"""Captions from text files and tables: what is accepted without a word, and every problem by its place."""

import bz2
import csv
import gzip
import json
import lzma
import os
from pathlib import Path

import pytest

from manybleus.captions import CaptionFiles, Captions, Survey, read_captions, read_files, remarks, survey
from manybleus.errors import ManybleusError


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name: str, content: object) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    if not isinstance(content, bytes):
        content = (content if isinstance(content, str) else json.dumps(content)).encode()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return path


def annotations(*pairs):
    return {"annotations": [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]}


def results(*pairs):
    return [{"image_id": image, "caption": text} for image, text in pairs]


def problems(*arguments, **options) -> list[str]:
    read = read_files if isinstance(arguments[0], CaptionFiles) else read_captions
    with pytest.raises(ManybleusError) as error:
        read(*arguments, **options)
    return [line.removeprefix("  - ") for line in str(error.value).splitlines()[1:]]


TEXTS = {"r1.txt": "a cat\na dog\n", "r2.txt": "the cat\nthe dog\n", "A.txt": "cat\ndog\n"}


def text_files(**changes):
    for name, content in (TEXTS | {f"{key}.txt": value for key, value in changes.items()}).items():
        write(name, content)
    return [Path("r1.txt"), Path("r2.txt")], {"A": Path("A.txt")}


# ------------------------------------------------------------------------------------------- accepted without a word


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbfcat\ndog\n", b"cat\r\ndog\r\n", b"cat\ndog"], ids=["BOM", "CRLF", "no end"]
)
def test_text_may_be_written_in_several_ways(content):
    found = read_captions(*text_files(A=content))
    assert found == Captions((1, 2), (("a cat", "the cat"), ("a dog", "the dog")), {"A": ("cat", "dog")})
    assert remarks(found) == []


def test_odd_white_space_stays_in_a_caption_and_is_no_oddity():
    odd = "a\tcat\u2028sat\u2029on\x0bthe\xa0mat\x85"
    found = read_captions(*text_files(A=f"{odd}\ndog\n"))
    assert found.systems == {"A": (odd, "dog")}
    assert remarks(found) == []


def test_an_empty_line_of_a_reference_file_is_no_reference():
    found = read_captions(*text_files(r2="\nthe dog\n"))
    assert found.references == (("a cat",), ("a dog", "the dog"))


def test_paths_may_have_spaces_and_letters_of_any_script():
    path = write("Ordner \u00e4 \u732b/refs 1.json", annotations((1, "a cat")))
    found = read_captions(path, {"Modell \u00e4 (2)": write("Ordner \u00e4 \u732b/a b.json.gz", results((1, "cat")))})
    assert found.systems == {"Modell \u00e4 (2)": ("cat",)}


@pytest.mark.parametrize(("told", "said"), [(42, "42"), ("42", 42)])
def test_a_number_and_its_text_are_one_image_where_only_one_is_meant(told, said):
    path = write("r.json", annotations((told, "a cat"), ("b", "x")))
    found = read_captions(path, {"A": write("a.json", results((said, "cat"), ("b", "y")))})
    assert found.image_ids == (told, "b")
    assert found.systems == {"A": ("cat", "y")}


def test_images_and_annotations_of_one_file_may_write_ids_in_two_ways():
    path = write("r.json", {"images": [{"id": 7}]} | annotations(("7", "a cat")))
    found = read_captions(path, {"A": write("a.json", results((7, "cat")))})
    assert (found.image_ids, found.references) == ((7,), (("a cat",),))


def test_a_number_and_its_text_are_two_images_where_both_are_known():
    path = write("r.json", annotations((7, "a cat"), ("7", "a dog")))
    found = read_captions(path, {"A": write("a.json", results(("7", "dog"), (7, "cat")))})
    assert found.systems == {"A": ("cat", "dog")}


def test_references_of_text_serve_results_of_coco_whose_images_are_the_line_numbers():
    found = read_captions([write("r.txt", "a\nb\n")], {"A": write("a.json", results((2, "y"), (1, "x")))})
    assert found.systems == {"A": ("x", "y")}


# --------------------------------------------------------------------------------------------------------------- tables


TABLE = "image_id,reference_1,A,reference_2,B\n10,a cat,cat,the cat,dog\nx,a dog,dog,,\n"


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.tsv", "t.tsv.gz"])
def test_a_table_holds_references_in_the_order_of_its_columns_and_systems_in_the_others(name):
    path = write(name, TABLE if ".csv" in name else TABLE.replace(",", "\t"))
    assert read_files(CaptionFiles(table=path)) == Captions(
        (10, "x"), (("a cat", "the cat"), ("a dog",)), {"A": ("cat", "dog"), "B": ("dog", "")}
    )


def test_the_column_of_ids_may_be_called_id():
    by_id = read_files(CaptionFiles(table=write("t.csv", TABLE.removeprefix("image_"))))
    assert by_id == read_files(CaptionFiles(table=write("u.csv", TABLE)))


def test_a_table_without_ids_numbers_its_images_and_named_columns_are_the_systems():
    path = write("t.csv", "note,reference,B,A\nsome,a cat,cat,dog\nmore,a dog,x,y\n")
    found = read_files(CaptionFiles(table=path, columns=("A", "B")))
    assert (found.image_ids, found.systems) == ((1, 2), {"A": ("dog", "y"), "B": ("cat", "x")})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_a_table_is_read_as_a_spreadsheet_writes_it(name):
    """Python's writer quotes as spreadsheets do; the reader here is to give the cells back."""
    rows = [["reference", "A"], ['a "cat", and\ta\nline', "x" * 200_000], ["\u2028", '"']]
    path = Path(name)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter="\t" if name == "t.tsv" else ",", lineterminator="\r\n").writerows(rows)
    found = read_files(CaptionFiles(table=path))
    assert found.references == ((rows[1][0],), (rows[2][0],))
    assert found.systems == {"A": (rows[1][1], rows[2][1])}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "t.csv: is empty"),
        ("reference,A\n", "t.csv: has no rows"),
        ("ref,A\nx,y\n", "has no column reference, reference_1, reference_2, ...; its columns are 'ref', 'A'"),
        ("reference\nx\n", "has no column of a system"),
        ("reference,A,A\nx,y,z\n", "the column 'A' stands there twice"),
        ("reference,A\nx,y\nx\n", "t.csv, line 3: has 1 cell, and the first line 2"),
        ("reference,A\nx,y\n,y\n", "t.csv, line 3: image_id 2 has no references"),
        ("image_id,reference,A\n1,x,y\n1,x,y\n", "t.csv, line 3: image_id 1 stands there already"),
        ("image_id,reference,A\n,x,y\n", "t.csv, line 2: has no image_id"),
        ("id,reference,A\n1,x,y\n1,x,y\n", "t.csv, line 3: id 1 stands there already"),
        ("id,image_id,reference,A\n1,1,x,y\n", "t.csv: has the columns image_id and id, which both hold ids; keep one"),
        ('reference,A\n"x" z,y\n', "t.csv, line 2: is no row of a table"),
        ('reference,A\n"x,y\n', "is no row of a table (unexpected end of data)"),
        ("reference,=A\nx,y\n", "t.csv: system '=A': '=' cannot stand in a name"),
        (",reference,A\n0,x,y\n", "t.csv: column 1 has no name; name it (image_id, say) or remove it"),
        ("reference,A,\nx,y,\n", "t.csv: column 3 has no name; name it (image_id, say) or remove it"),
        ("Reference_1,A\nx,y\n", "t.csv: has a column 'Reference_1'; did you mean 'reference_1'?"),
        ("reference,A, reference_2\nx,y,z\n", "t.csv: has a column ' reference_2'; did you mean 'reference_2'?"),
        ("Image_ID,reference,A\n1,x,y\n", "t.csv: has a column 'Image_ID'; did you mean 'image_id'?"),
        ("image_id;reference_1;A\n1;x;y\n", "t.csv: the cells look parted by ';': save it with commas"),
        ('"reference";"A"\n"x";"y"\n', "t.csv: the cells look parted by ';': save it with commas"),
        (
            "reference\tA\nx\ty\n",
            r"t.csv: the cells look parted by '\t': save it with commas, or let its name end in .tsv",
        ),
        ("sep=;\nreference;A\nx;y\n", "t.csv: the first line, 'sep=;', holds no names: remove it, and save the table"),
        ("sep=,\r\nreference,A\r\nx,y\r\n", "t.csv: the first line, 'sep=,', holds no names: remove it"),
        (b"reference,A\n\xff,y\n", "t.csv: is not UTF-8 at byte 12"),
    ],
)
def test_a_table_that_is_none_is_named_by_its_line(content, words):
    (line,) = problems(CaptionFiles(table=write("t.csv", content)))
    assert words in line


def test_cells_parted_by_commas_in_a_file_named_tsv_are_told():
    (line,) = problems(CaptionFiles(table=write("t.tsv", TABLE)))
    assert line == "t.tsv: the cells look parted by ',': save it with tabs, or let its name end in .csv"


def test_a_column_without_a_name_may_stand_beside_named_systems():
    found = read_files(CaptionFiles(table=write("t.csv", ",,reference,A\n0,,a cat,cat\n"), columns=("A",)))
    assert found.systems == {"A": ("cat",)}


def test_problems_of_a_table_s_names_and_rows_come_together():
    found = problems(CaptionFiles(table=write("t.csv", "reference,=A,references\nx,y\n")))
    assert [line.partition(":")[0] for line in found] == ["t.csv", "t.csv", "t.csv, line 2"]


def test_a_column_that_is_not_there_is_named():
    (line,) = problems(CaptionFiles(table=write("t.csv", TABLE), columns=("A", "C")))
    assert line == "t.csv: has no column 'C'; the columns of systems are 'A', 'B'"


def test_a_table_is_known_by_its_name():
    assert "is no table by its name" in problems(CaptionFiles(table=write("t.txt", TABLE)))[0]
    assert "t.csv: is a table by its name" in problems([write("t.csv", TABLE)], {"A": write("a.txt", "x\n")})[0]


# ------------------------------------------------------------------------------------------------------------- problems


def test_files_that_cannot_be_read_are_named_with_the_reason(tmp_path):
    Path("folder.txt").mkdir()
    locked = write("locked.txt", "a\nb\n")
    locked.chmod(0)
    references, _ = text_files()
    found = problems(references, {"A": Path("folder.txt"), "B": Path("none.txt"), "C": locked})
    assert "folder.txt: cannot be read (Is a directory)" in found[0]
    assert "none.txt: cannot be read (No such file or directory)" in found[1]
    assert os.getuid() == 0 or "locked.txt: cannot be read (Permission denied)" in found[2]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "A.txt: is empty"),
        ("cat\n", "A.txt: has 1 line, and the references 2 segments"),
        (b"cat\n\xfe\n", "A.txt: is not UTF-8 at byte 4; save it as UTF-8"),
        (
            gzip.compress(b"cat\ndog\n", mtime=0),
            "is not UTF-8 at byte 1; it is compressed (gzip): let its name end in .gz",
        ),
        (b"cat\rdog\r", "A.txt: its lines end in carriage returns alone; save it with line feeds"),
        (b"cat\rdog\n", "A.txt: its lines end in carriage returns alone; save it with line feeds"),
        (b"cat\rdog\r\n", "A.txt: its lines end in carriage returns alone; save it with line feeds"),
        ("cat\ndo\0g\n", "A.txt: line 2 holds a NUL"),
        ("cat\ndog\n".encode("utf-16-le"), "A.txt: line 1 holds a NUL; is it a text file? save one in UTF-16 as UTF-8"),
        (bz2.compress(b"cat\ndog\n"), "it is compressed (bzip2): unpack it, or compress it once with gzip alone"),
        (lzma.compress(b"cat\ndog\n"), "it is compressed (xz): unpack it"),
        # A file of zip's whose bytes are all ASCII, as far as they go.
        (b"PK\x03\x04\x14\0\0\0\x08\0", "A.txt: line 1 holds a NUL; it is compressed (zip): unpack it"),
    ],
)
def test_text_that_does_not_fit_is_named(content, words):
    (line,) = problems(*text_files(A=content))
    assert words in line


def test_what_is_compressed_twice_is_told():
    references, _ = text_files()
    (line,) = problems(references, {"A": write("A.txt.gz", gzip.compress(b"cat\ndog\n", mtime=0))})
    assert line.startswith("A.txt.gz: is not UTF-8 at byte 1; it is compressed (gzip): unpack it, or compress it once")


def test_reference_files_of_different_lengths_are_named():
    (line,) = problems(*text_files(r2="x\n"))
    assert "different numbers of lines: r1.txt has 2, r2.txt has 1" in line


def test_a_segment_without_references_is_named_by_its_line():
    (line,) = problems(*text_files(r1="a\n\n", r2="b\n\n"))
    assert line == "r1.txt, r2.txt: line 2 is empty: the segment has no reference; give one"


def test_transposed_reference_files_are_guessed_from_the_lines_of_a_system():
    files = [write(f"{n}.txt", "one\nother\n") for n in range(3)]
    (line,) = problems(files, {"A": write("A.txt", "x\ny\nz\n")})
    assert "A.txt: has 3 lines, and the references 2 segments" in line
    assert "are the references transposed?" in line
    (line,) = problems([write("one.txt", "one\nother\n")], {"A": write("A.txt", "x\n")})
    assert line == "A.txt: has 1 line, and the references 2 segments; give one line each"


def test_the_same_references_have_one_digest_in_every_format():
    told = [["a cat", "the cat"], ["dogs", "two dogs"]]
    pairs = [(image, text) for image, texts in zip((70, 7), told, strict=True) for text in texts]
    coco = read_captions(write("r.json", annotations(*pairs)), {"A": write("a.json", results((7, "x"), (70, "y")))})
    files = [write(f"{n}.txt", "".join(f"{texts[n]}\n" for texts in told)) for n in range(2)]
    text = read_captions(files, {"A": write("a.txt", "y\nx\n")})
    rows = "".join(f"i{place},{','.join(texts)},z\n" for place, texts in enumerate(told))
    table = read_files(CaptionFiles(table=write("t.csv", f"id,reference_1,reference_2,A\n{rows}")))
    assert coco.digest == text.digest == table.digest
    assert read_captions(files[::-1], {"A": Path("a.txt")}).digest != text.digest


def test_references_of_text_and_results_about_other_images_are_told_once():
    said = write("a.json", results(*((image, "y") for image in range(1000, 1050))))
    (line,) = problems([write("r.txt", "x\n" * 50)], {"A": said})
    assert line == (
        "a.json: the references are text, whose images are the lines 1 to 50, and this is a file of COCO results about "
        "other images, such as 1000; give both in one format"
    )


def test_ids_of_another_kind_are_told_once():
    path = write("r.json", annotations(*((image, "x") for image in range(50))))
    (line,) = problems(path, {"A": write("a.json", results(*((f"img{image}", "y") for image in range(50))))})
    assert line == (
        "a.json: no image id fits: they are texts such as 'img0', and those of the references numbers such as 0; "
        "write them alike"
    )


@pytest.mark.parametrize(
    ("caption", "words"), [("a\0b", "item 0: image_id 1: the caption holds a NUL"), ("\ud83d", "half of a surrogate")]
)
def test_a_caption_that_no_file_can_hold_is_named(caption, words):
    path = write("r.json", annotations((1, "x")))
    assert words in problems(path, {"A": write("a.json", results((1, caption)))})[0]


@pytest.mark.parametrize("image_id", ["a\0b", "\ud83d"])
def test_an_image_id_that_no_file_can_hold_is_named(image_id):
    path = write("r.json", annotations((image_id, "x")))
    first, second = problems(path, {"A": write("a.json", results((image_id, "x")))})
    assert "r.json, annotations, item 0: image_id" in first
    assert "a.json, item 0: image_id" in second
    assert all(": the image id holds " in line for line in (first, second))


def test_of_very_many_problems_some_are_shown_and_all_are_counted():
    path = write("r.json", annotations((1, "x")))
    said = results((1, "x"), *((image, "x") for image in range(2, 1002)))
    with pytest.raises(ManybleusError) as error:
        read_captions(path, {"A": write("a.json", said)})
    heading, *lines = str(error.value).splitlines()
    assert heading == "the caption files do not fit together: 1000 problems"
    assert len(lines) == 101
    assert lines[-1] == "  - a.json: 900 more"


def test_missing_captions_are_a_problem_or_empty_as_asked():
    path = write("r.json", annotations(*((image, "x") for image in range(3))))
    said = {"A": write("a.json", results((1, "y"))), "B": write("b.json", results((0, ""), (1, "y"), (2, "z")))}
    (line,) = problems(path, said)
    assert "a.json: no caption for 2 of 3 images (image_id 0, 2); add them, or have them scored as empty" in line
    found = read_captions(path, said, missing="empty")
    assert found.systems["A"] == ("", "y", "")
    assert found.missing == {"A": 2}
    assert [(each.of, each.count) for each in remarks(found)] == [("A", 2), ("B", 1)]
    assert remarks(found)[0].text == "A: 2 captions are missing, and scored as empty"


def test_unknown_images_are_a_problem_even_where_missing_ones_are_not():
    path = write("r.json", annotations((1, "x")))
    (line,) = problems(path, {"A": write("a.json", results((2, "y"), (1, "z")))}, missing="empty")
    assert "image_id 2 is not among" in line


def test_all_problems_of_all_files_come_together_with_those_of_the_names():
    references, _ = text_files()
    files = CaptionFiles(
        tuple(references), (("A", Path("none.txt")), ("A", write("b.txt", "x\n")), ("a/b", write("c.txt", "x\ny\n")))
    )
    found = problems(files)
    assert [line.partition(":")[0] for line in found] == ["none.txt", "b.txt", "system A is named twice; give each "
        "system a name of its own", "system 'a/b'"]  # fmt: skip


# --------------------------------------------------------------------------------------------------------------- survey


def test_a_survey_tells_systems_and_numbers_of_references():
    references, systems = text_files(r2="\nthe dog\n")
    assert survey(CaptionFiles(tuple(references), tuple(systems.items()))) == Survey(("A",), 1, 2, 2, (1, 2))
    assert survey(CaptionFiles(table=write("t.csv", TABLE))) == Survey(("A", "B"), 1, 2, 2, (10, "x"))


def test_a_survey_of_files_that_are_wrong_tells_all_problems():
    with pytest.raises(ManybleusError, match="2 problems"):
        survey(CaptionFiles((write("r.json", "{"),), (("A", Path("none.json")),)))

"""Sums: what coreutils would write, and every change of a file told."""

import shutil
import subprocess

import pytest
from helpers import DATA

from manybleus.sums import changed_outputs, differences, file_sums, read_sums, sums_text, without_pictures

# FIPS 180-2, appendix B.1, and the digest of the empty text.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.fixture
def folder(tmp_path):
    """Two files and a folder with one, as a run leaves them."""
    (tmp_path / "images").mkdir()
    for name, content in {"b.csv": b"abc", "a b.csv": b"", "images/0.png": b"abc"}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "images/.snakemake_timestamp").touch()
    (tmp_path / "SHA256SUMS").write_text(sums_text(file_sums(tmp_path, outputs_of(tmp_path))))
    return tmp_path


def outputs_of(folder):
    return [folder / name for name in ("b.csv", "a b.csv", "images")]


def changed_in(folder, *more):
    """What must be made anew, as paths in the folder."""
    outputs = [*outputs_of(folder), *(folder / name for name in more)]
    told = changed_outputs(folder / "SHA256SUMS", folder / "provenance.json", outputs)
    return [path.relative_to(folder).as_posix() for path in told]


def test_sums_are_written_in_the_order_of_the_paths_and_read_back(folder):
    text = (folder / "SHA256SUMS").read_text()
    assert text == f"{EMPTY}  a b.csv\n{ABC}  b.csv\n{ABC}  images/0.png\n"
    assert read_sums(folder / "SHA256SUMS") == {"a b.csv": EMPTY, "b.csv": ABC, "images/0.png": ABC}


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs coreutils")
def test_sha256sum_checks_them(folder):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)


def test_what_is_as_it_was_is_not_told(folder):
    assert changed_in(folder) == []


@pytest.mark.parametrize("content", [b"abd", b"ab", b""])
def test_a_changed_file_is_told(folder, content):
    (folder / "b.csv").write_bytes(content)
    assert changed_in(folder) == ["b.csv"]


def test_of_a_folder_any_change_is_told(folder):
    for change in ("0.png", "1.png"):
        (folder / "images" / change).write_bytes(b"new")
        assert changed_in(folder) == ["images"]
        (folder / "images" / change).unlink()
        (folder / "images/0.png").write_bytes(b"abc")
    (folder / "images/0.png").unlink()
    assert changed_in(folder) == ["images"]


def test_what_is_not_there_is_not_told_and_what_the_sums_do_not_name_is(folder):
    (folder / "b.csv").unlink()
    (folder / "new.csv").write_bytes(b"new")
    (folder / "empty").mkdir()
    assert changed_in(folder, "new.csv", "empty") == ["new.csv", "empty"]


def test_without_sums_nothing_is_told_unless_what_is_made_after_them_is_there(folder):
    (folder / "SHA256SUMS").unlink()
    assert changed_in(folder) == []
    (folder / "provenance.json").touch()
    assert changed_in(folder) == ["b.csv", "a b.csv", "images"]
    for name in ("b.csv", "a b.csv"):
        (folder / name).unlink()
    assert changed_in(folder) == ["images"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", ["b.csv", "a b.csv", "images"]),
        (f"{EMPTY}  a b.csv\n{ABC}  b.csv\n", ["images"]),
        (f"{EMPTY}  a b.csv\n{ABC}  b.c", ["b.csv", "images", "SHA256SUMS", "provenance.json"]),
        (f"{EMPTY}  a b.csv\n{ABC[:30]}", ["b.csv", "images", "SHA256SUMS", "provenance.json"]),
        (f"{EMPTY}  a b.csv\n{ABC}  b.csv\n{ABC}  images/0.png\nx\n", ["SHA256SUMS", "provenance.json"]),
        (
            f"{EMPTY}  a b.csv\r\n{ABC}  b.csv\r\n{ABC}  images/0.png\r\n",
            ["b.csv", "a b.csv", "images"],
        ),
    ],
)
def test_damaged_sums_are_told_with_all_that_they_do_not_vouch_for(folder, content, told):
    (folder / "provenance.json").touch()
    (folder / "SHA256SUMS").write_bytes(content.encode())
    assert changed_in(folder) == told


def test_names_may_hold_what_ends_lines_elsewhere(folder):
    name = "a\u2028b\x85.csv"
    (folder / name).write_bytes(b"abc")
    (folder / "SHA256SUMS").write_text(sums_text(file_sums(folder, [*outputs_of(folder), folder / name])))
    assert changed_in(folder, name) == []


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"no sums\n\n  \n"])
def test_sums_that_are_garbage_are_no_sums(folder, content):
    (folder / "SHA256SUMS").write_bytes(content)
    assert read_sums(folder / "SHA256SUMS") == {}


def test_each_file_that_differs_is_named():
    expected, found = {"a": ABC, "b": ABC, "c": ABC}, {"a": ABC, "b": EMPTY, "d": ABC}
    assert [*differences(expected, found)] == [
        "b: has other bytes than expected",
        "c: was not made",
        "d: was made, and is not expected",
    ]
    assert [*differences(found, found)] == []


def test_numbers_and_tables_are_what_is_no_picture():
    sums = dict.fromkeys(
        ["grid.csv", "a.npz", "t.md", "figures/gaps.png", "figures/gaps.light.svg", "report.html"], ABC
    )
    assert [*without_pictures(sums)] == ["grid.csv", "a.npz", "t.md"]


def test_the_study_computed_in_memory_has_the_expected_sums(results, tmp_path):
    for file, text in results.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_bytes(text.encode())
    expected = read_sums(DATA / "SHA256SUMS")
    told = {"checks.csv"}  # the workflow adds two checks that are about the run
    found = file_sums(tmp_path, [tmp_path / file for file in results if file not in told])
    assert found == {file: expected[file] for file in found}
    assert "grid.csv" in found

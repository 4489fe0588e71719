"""Files: whole or not there, and read as they were written."""

import csv
import hashlib
import os
from pathlib import Path

import pandas as pd
import pytest

from manybleus.errors import ManybleusError
from manybleus.files import cells, read_cells, read_table, read_tables, write_bytes, write_table, write_text


def fail(*arguments, **options):
    raise OSError("no space left on device")


@pytest.mark.parametrize(("owner", "name"), [(os, "replace"), (Path, "write_bytes")])
def test_a_failure_in_the_middle_leaves_the_old_file(monkeypatch, tmp_path, owner, name):
    path = tmp_path / "file.txt"
    write_text(path, "old")
    monkeypatch.setattr(owner, name, fail)
    with pytest.raises(OSError, match="no space left"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_two_that_write_one_file_at_once_do_not_share_a_draft(monkeypatch, tmp_path):
    """The slower of two runs finds its own draft, not the other's."""
    path, drafts = tmp_path / "file.txt", []
    replace = os.replace

    def slow(draft, to):
        drafts.append(draft)
        if len(drafts) == 1:
            write_text(path, "second")
        replace(draft, to)

    monkeypatch.setattr(os, "replace", slow)
    write_text(path, "first")
    assert len(set(drafts)) == 2
    assert path.read_text() == "first"


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path):
    path = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="too long") as error:
        write_text(path, "new")
    assert error.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    write_text(tmp_path / ("x" * 255), "new")
    assert [each.name for each in tmp_path.iterdir()] == ["x" * 255]


def test_a_new_file_is_not_there_until_it_is_whole(monkeypatch, tmp_path):
    path = tmp_path / "folder" / "file.txt"
    seen = []
    replace = os.replace
    monkeypatch.setattr(
        os, "replace", lambda draft, to: (seen.append((path.exists(), Path(draft).read_bytes())), replace(draft, to))
    )
    write_bytes(path, b"new")
    assert seen == [(False, b"new")]
    assert [each.name for each in path.parent.iterdir()] == ["file.txt"]


def test_texts_are_written_in_utf_8_with_their_line_ends(tmp_path):
    write_text(tmp_path / "file", "\u732b\r\n\u2028\n")
    assert (tmp_path / "file").read_bytes() == "\u732b\r\n\u2028\n".encode()


def test_tables_are_read_as_they_were_written(tmp_path):
    table = pd.DataFrame(
        {"x": [0.1 + 0.2, 1e-17, 2 / 3], "n": [1, 2, 3], "t": ["none", "NA", 'a, "b"'], "b": [True, False, True]}
    )
    path = tmp_path / "table.csv"
    write_table(path, table)
    pd.testing.assert_frame_equal(read_table(path), table)
    assert b"\r" not in path.read_bytes()
    assert read_tables(tmp_path, ["table.csv"]).keys() == {"table.csv"}


@pytest.mark.parametrize("content", [b"", b"\n", b'a,b\n"1', b"a,b\n1,2,3,4\n1,2\n1,2,3,4,5\n", b"a\n\xff\n"])
def test_what_is_left_of_a_table_is_no_table(tmp_path, content):
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(ManybleusError, match=r"table.csv: is not the table that was written .*; delete it"):
        read_table(tmp_path / "table.csv")


def test_a_missing_value_is_written_as_nothing(tmp_path):
    write_table(tmp_path / "table.csv", pd.DataFrame({"a": [1.5, None], "b": ["x", None]}))
    assert (tmp_path / "table.csv").read_text() == "a,b\n1.5,x\n,\n"
    assert read_table(tmp_path / "table.csv")["a"].isna().tolist() == [False, True]


def test_cells_are_the_text_of_a_table_or_the_digest_of_a_file(tmp_path):
    write_text(tmp_path / "table.csv", "a,b\n1.50,\nnone,NA\n")
    assert read_cells(tmp_path / "table.csv").to_dict("list") == {"a": ["1.50", "none"], "b": ["", "NA"]}
    assert cells("page.html", b"x").to_dict("list") == {"sha256": [hashlib.sha256(b"x").hexdigest()]}


RUN = ["=1+1", "+A1", "-A1", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "'=1", "''=1", "\uff1d1"]
HARMLESS = ["none", "'quoted'", "a=b", "-1.5e-07", "+0.25", "-0.1598; 0.0658; 12 of 12", "", "x-y", "1-2"]


def test_a_text_that_a_spreadsheet_would_run_is_no_formula_in_the_file_and_reads_back(tmp_path):
    table = pd.DataFrame({"what": [*RUN, *HARMLESS], "gap": [-0.5] * len(RUN + HARMLESS)})
    write_table(tmp_path / "t.csv", table)
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    shown = [what for what, _ in rows]
    assert shown == [f"'{text}" for text in RUN] + HARMLESS
    assert {gap for _, gap in rows} == {"-0.5"}
    assert list(read_cells(tmp_path / "t.csv")["what"]) == RUN + HARMLESS
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.csv").fillna(""), table)


def test_numbers_among_texts_stay_numbers(tmp_path):
    write_table(tmp_path / "t.csv", pd.DataFrame({"value": [-1, -0.25, "=x", None, True]}))
    assert (tmp_path / "t.csv").read_text() == 'value\n-1\n-0.25\n\'=x\n""\nTrue\n'


def test_a_system_that_is_called_as_a_column_of_names_has_scores(tmp_path):
    table = pd.DataFrame({"configuration": ["1", "2"], "first": [0.1 + 0.2, 2 / 3], "ranking": ["1", "2"]})
    write_table(tmp_path / "t.csv", table)
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.csv"), table)

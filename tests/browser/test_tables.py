"""Tables in a browser: sorted by a press on a column's head, by keys too, and downloaded."""

import pytest

from manybleus.text import signed


def column(page, key: str, number: int) -> list[str]:
    code = "(all, number) => all.map(row => row.cells[number].textContent.replace(/\\s+/g, ' ').trim())"
    return page.locator(f"#{key} tbody tr").evaluate_all(code, number)


def test_a_column_is_sorted_up_then_down_then_as_it_was(visit, report, made):
    page = visit(report).page
    table = made.table("tables/table_a.csv")
    head = page.locator("#table-a thead th").last
    head.locator("button").focus()
    for order, rows in (
        ("ascending", table.sort_values("S2-G", kind="stable")),
        ("descending", table.sort_values("S2-G", kind="stable", ascending=False)),
        (None, table),
    ):
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == order
        assert [float(text.split()[-1]) for text in column(page, "table-a", 6)] == [
            float(signed(gap)) for gap in rows["S2-G"]
        ]
        if order:
            assert set(column(page, "table-a", 0)) == set(table["configuration"])
    assert column(page, "table-a", 0) == list(table["configuration"])


def test_thousands_are_sorted_by_their_size(visit, report):
    page = visit(report).page
    cells = page.locator("#table-a tbody tr td:last-child")
    cells.evaluate_all(
        "all => all.forEach((cell, place) => { cell.textContent = ['1,234 of 2,000', '20', '1,000,000'][place % 3]; })"
    )
    page.locator("#table-a thead th").last.locator("button").click()
    found = list(dict.fromkeys(cells.all_inner_texts()))
    assert found == ["20", "1,234 of 2,000", "1,000,000"]


def test_text_is_sorted_as_text_and_only_one_column_is_marked(visit, report):
    page = visit(report).page
    heads = page.locator("#precisions thead th")
    heads.nth(2).locator("button").click()
    heads.nth(0).locator("button").click()
    assert [head.get_attribute("aria-sort") for head in heads.all()].count("ascending") == 1
    assert column(page, "precisions", 0) == ["G"] * 4 + ["S1"] * 4 + ["S2"] * 4


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_table_is_downloaded_as_its_file_is(visit, report, made, name):
    page = visit(report).page
    with page.expect_download() as loading:
        page.locator(f"a[download='tables_table_{name}.csv']").click()
    assert loading.value.suggested_filename == f"tables_table_{name}.csv"
    assert loading.value.path().read_bytes() == (made.folder / f"tables/table_{name}.csv").read_bytes()

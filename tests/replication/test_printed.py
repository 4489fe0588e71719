"""The printed output of other tables than the study's."""

import pandas as pd
import pytest
from helpers import numbers

from manybleus.files import cells
from manybleus.replication.printed import printed_output


@pytest.fixture
def printed(results):
    """Print the study's tables, some of them changed."""

    told = cells("checks.csv", results["checks.csv"].encode())
    checks = dict(zip(told["check"], told["value"], strict=True))
    tables = {file: numbers(results[file]) for file in results if file.startswith("tables/")}
    return lambda **changed: printed_output(
        checks, tables | {f"tables/{name}.csv": table for name, table in changed.items()}
    )


def test_tables_read_from_files_print_what_was_published(printed, published):
    assert printed() == published


def test_no_flips_print_an_empty_list(printed, results):
    flips = numbers(results["tables/flips.csv"]).assign(flip=False)
    assert printed(flips=flips).splitlines()[-1].endswith("(S1 > S2 > G): 0 of 16: []")


def test_own_rows_are_not_printed(printed, published, results):
    flips = numbers(results["tables/flips.csv"])
    assert printed(flips=pd.concat([flips, flips.iloc[:1].assign(table="own", flip=True)])) == published

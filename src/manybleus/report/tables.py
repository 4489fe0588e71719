"""Tables as the templates show them: a heading, columns, and rows of text."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from manybleus.analysis.rankings import RANKING, gap_column
from manybleus.report.words import unbroken
from manybleus.text import signed


def score_table(
    key: str, label: str, heading: str, table: pd.DataFrame, flips: pd.DataFrame, equal: Mapping[str, bool]
) -> dict[str, Any]:
    """Return a table of scores with its flips marked.

    Parameters
    ----------
    key, label, heading
        Its place in the page, its name, and its name with its title.
    table
        ``configuration``, one column per system, ``ranking``, and the gap where there is a pair.
    flips
        This table's rows of ``flips.csv``; a row that is not among them is the baseline.
    equal
        Configuration -> whether the pair's scores agree at four decimals.

    Returns
    -------
    dict
        Scores with four decimals, the gap with its sign, and of each row its ``change``: baseline, flip or same.
    """
    columns, gap = list(map(str, table.columns)), gap_column(table)
    systems = columns[1 : columns.index(RANKING)]
    changes = {row["configuration"]: "flip" if row["flip"] else "same" for row in flips.to_dict("records")}
    return {
        "key": key,
        "label": label,
        "heading": heading,
        "systems": systems,
        "gap": gap or "",
        "flips": int(flips["flip"].sum()),
        "counted": len(flips),
        "rows": [
            {
                "configuration": row["configuration"],
                "scores": [f"{row[system]:.4f}" for system in systems],
                "ranking": unbroken(row["ranking"]),
                "gap": signed(row[gap]) if gap else "",
                "change": changes.get(row["configuration"], "baseline"),
                "equal": equal[row["configuration"]],
            }
            for row in table.to_dict("records")
        ],
    }


def data_table(key: str, heading: str, table: pd.DataFrame, form: str, headings: int = 1) -> dict[str, Any]:
    """Return a table whose first columns name its rows and whose other cells are numbers.

    Parameters
    ----------
    key, heading
        Its place in the page and its name.
    table
        The table.
    form
        How a number is written, e.g. ``".4f"``.
    headings
        How many columns name a row.
    """
    return {
        "key": key,
        "heading": heading,
        "columns": list(map(str, table.columns)),
        "headings": headings,
        "rows": [
            [*map(str, row[:headings]), *("" if pd.isna(value) else format(value, form) for value in row[headings:])]
            for row in table.itertuples(index=False)
        ],
    }

"""A result table as a page of its own: what a CSV file holds, to read and to sort."""

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from manybleus import __version__


def table_context(study: str, title: str, cells: pd.DataFrame) -> dict[str, Any]:
    """Return what ``templates/table.html.j2`` shows.

    Parameters
    ----------
    study
        The study's name.
    title
        What the table is.
    cells
        A CSV file's cells as text, as ``files.read_cells`` reads them; they are shown as they are.
    """
    numeric = [_is_numeric(cells.iloc[:, place]) for place in range(cells.shape[1])]
    return {
        "study": {"name": study},
        "names": {name for column in cells if "ranking" in str(column) for name in _ranked(cells[column])},
        "version": __version__,
        "title": title,
        "columns": [{"name": str(name), "numeric": each} for name, each in zip(cells.columns, numeric, strict=True)],
        "rows": [list(zip(row, numeric, strict=True)) for row in cells.itertuples(index=False, name=None)],
    }


def _ranked(rankings: "pd.Series[str]") -> Iterable[str]:
    return (name for ranking in rankings for name in re.split(" [>=] ", ranking))


def _is_numeric(column: "pd.Series[str]") -> bool:
    filled = column[column != ""]
    return bool(len(filled)) and bool(pd.to_numeric(filled, errors="coerce").notna().all())

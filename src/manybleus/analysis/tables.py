"""The grid as a table of scores, and the study's tables cut out of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import closest_pair, flips, gap_column, ranking
from manybleus.bleu.configuration import AXES, DEFAULTS, Configuration, choice_text, choices
from manybleus.bleu.scores import Score
from manybleus.config import COMPARED_AGGREGATIONS, TABLE_A, TABLE_B, Table, table_file
from manybleus.errors import ManybleusError
from manybleus.text import visible

Row = tuple[str, Configuration]


def grid_table(scores: Sequence[Score], data: str) -> pd.DataFrame:
    """Lay out scores as one row per configuration and system.

    Parameters
    ----------
    scores
        As ``bleu.scores.score`` returns them.
    data
        The digest of the images and references, for the signatures.

    Returns
    -------
    DataFrame
        The axes (those of ``configuration.DEFAULTS`` only where some cell departs from its default), ``system``,
        ``score``, ``bp``, ``p1``..``pN``, ``candidate_length``, ``effective_reference_length`` and ``signature``.
        Scores are 0-1 and unrounded.
    """
    orders = max(len(score.precisions) for score in scores)
    cells = dict.fromkeys(score.configuration for score in scores)
    axes = [axis for axis in AXES if any(axis in choices(cell) for cell in cells)]
    named = {cell: {axis: choice_text(getattr(cell, axis)) for axis in axes} for cell in cells}
    signatures = {cell: cell.signature(data) for cell in cells}
    return pd.DataFrame(
        {
            **named[score.configuration],
            "system": score.system,
            "score": score.score,
            "bp": score.brevity_penalty,
            **{f"p{n + 1}": value for n, value in enumerate(_padded(score.precisions, orders))},
            "candidate_length": score.candidate_length,
            "effective_reference_length": score.reference_length,
            "signature": signatures[score.configuration],
        }
        for score in scores
    )


def named_axes(grid: pd.DataFrame) -> list[str]:
    """Return the axes that a grid table names: those that are not at rest in all of it."""
    return [axis for axis in AXES if axis in grid.columns]


class Grid:
    """Look-ups in a grid table: cell -> system -> value."""

    def __init__(self, table: pd.DataFrame) -> None:
        self._table = table
        self._rows: dict[tuple[str, ...], list[int]] = {}
        at_rest = {axis: [choice_text(DEFAULTS.get(axis))] * len(table) for axis in AXES}
        columns = [table[axis].map(str) if axis in table.columns else at_rest[axis] for axis in AXES]
        for row, key in enumerate(zip(*columns, strict=True)):
            self._rows.setdefault(key, []).append(row)

    def __contains__(self, configuration: Configuration) -> bool:
        return _key(configuration) in self._rows

    def column(self, configuration: Configuration, column: str) -> dict[str, float]:
        """Return one column of a cell by system.

        Raises
        ------
        ManybleusError
            If the grid has no such cell.
        """
        if configuration not in self:
            raise ManybleusError(f"grid.csv has no cell {choices(configuration)}; run the grid again")
        rows = self._table.iloc[self._rows[_key(configuration)]]
        return dict(zip(map(str, rows["system"]), rows[column].tolist(), strict=True))

    def scores(self, configuration: Configuration) -> dict[str, float]:
        """Return the scores of a cell by system."""
        return self.column(configuration, "score")


def _key(configuration: Configuration) -> tuple[str, ...]:
    return tuple(choice_text(getattr(configuration, axis)) for axis in AXES)


def build_table(grid: Grid, rows: Sequence[Row], gap: tuple[str, str] | None, tie_tolerance: float) -> pd.DataFrame:
    """Cut a table out of the grid.

    Parameters
    ----------
    grid
        The scored grid.
    rows
        Names and configurations.
    gap
        The two systems whose difference is the last column, named e.g. ``S2-G``; None where there is none.
    tie_tolerance
        See ``rankings.ranking``.

    Returns
    -------
    DataFrame
        ``configuration``, one column of scores per system, ``ranking``, the gap; unrounded.
    """
    lines = []
    for name, configuration in rows:
        scores = grid.scores(configuration)
        lines.append(
            {
                "configuration": name,
                **scores,
                "ranking": ranking(scores, tie_tolerance),
                **({"-".join(gap): scores[gap[0]] - scores[gap[1]]} if gap else {}),
            }
        )
    return pd.DataFrame(lines)


def as_markdown(table: pd.DataFrame) -> str:
    """Write a table for reading: scores with four decimals, the gap with three digits, as the study prints them."""
    columns, gap = list(map(str, table.columns)), gap_column(table)
    systems = columns[1 : -2 if gap else -1]
    rows = [
        [
            visible(str(row["configuration"])),
            *(f"{row[system]:.4f}" for system in systems),
            str(row["ranking"]),
            *([f"{row[gap]:+.2e}"] if gap else []),
        ]
        for row in table.to_dict("records")
    ]
    rule = [":--", *["--:"] * len(systems), ":--", *(["--:"] if gap else [])]
    cells = [[_in_markdown(cell) for cell in line] for line in (columns, rule, *rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def _in_markdown(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def spread_table(table: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """Return each system's largest minus smallest score in a table: ``system``, ``spread``."""
    scores = table[list(systems)]
    return pd.DataFrame({"system": systems, "spread": (scores.max() - scores.min()).to_numpy()})


def aggregation_table(grid: Grid, rows: Sequence[Row], baseline: Configuration, systems: Sequence[str]) -> pd.DataFrame:
    """Return mean sentence minus corpus BLEU, everything else as in the baseline: ``smoothing``, a column per system.

    The smoothings are those that the rows show under both aggregations.
    """
    shown = {cell for _, cell in rows}
    lines = []
    for smoothing in dict.fromkeys(cell.smoothing for _, cell in rows):
        corpus = replace(baseline, smoothing=smoothing, aggregation="corpus")
        mean = replace(corpus, aggregation="mean-sentence")
        if {corpus, mean} <= shown:
            low, high = grid.scores(corpus), grid.scores(mean)
            lines.append({"smoothing": smoothing} | {system: high[system] - low[system] for system in systems})
    return pd.DataFrame(lines, columns=["smoothing", *systems])


def brevity_penalty_table(grid: Grid, baseline: Configuration, systems: Sequence[str]) -> pd.DataFrame:
    """Return the baseline's brevity penalty of each system: ``system``, ``corpus``, ``mean-sentence``."""
    columns = {
        aggregation: grid.column(replace(baseline, aggregation=aggregation), "bp")
        for aggregation in COMPARED_AGGREGATIONS
    }
    return pd.DataFrame(
        {"system": system} | {aggregation: column[system] for aggregation, column in columns.items()}
        for system in systems
    )


def precision_table(grid: Grid, cells: Sequence[Configuration], systems: Sequence[str]) -> pd.DataFrame:
    """Return the modified precisions by number of references: ``system``, ``references``, ``score``, ``p1``..``pN``."""
    orders = [f"p{n}" for n in range(1, cells[0].max_order + 1)]
    return pd.DataFrame(
        {"system": system, "references": cell.references}
        | {column: grid.column(cell, column)[system] for column in ("score", *orders)}
        for system in systems
        for cell in cells
    )


def monotone_table(precisions: pd.DataFrame) -> pd.DataFrame:
    """Say of each system whether its precisions and its score never fall: ``system``, ``precisions``, ``score``."""
    orders = [column for column in precisions.columns if column.startswith("p")]
    return pd.DataFrame(
        {
            "system": system,
            "precisions": bool((rows[orders].diff().dropna() >= 0).all(axis=None)),
            "score": bool((rows["score"].diff().dropna() >= 0).all()),
        }
        for system, rows in precisions.groupby("system", sort=False)
    )


def nested_reference_counts(rows: Sequence[Row], baseline: Configuration) -> list[Configuration]:
    """Return a table's configurations that differ from the baseline in the number of references alone, fewest first."""
    cells = {cell for _, cell in rows if replace(cell, references=baseline.references) == baseline} | {baseline}
    return sorted(cells, key=lambda cell: math.inf if cell.references == "all" else cell.references)


def _aggregation_rows(cells: Grid, grid: pd.DataFrame, baseline: Configuration) -> list[Row]:
    """Return the cells that differ from the baseline in smoothing and aggregation alone, as rows of a table."""
    rows = [
        replace(baseline, smoothing=smoothing, aggregation=aggregation)
        for smoothing in grid["smoothing"].unique()
        for aggregation in COMPARED_AGGREGATIONS
    ]
    return [("", row) for row in rows if row in cells]


def chosen_pair(gap: pd.DataFrame) -> tuple[str, str] | None:
    """Return the pair of ``gap.csv``; None where there is none."""
    return (str(gap["first"][0]), str(gap["second"][0])) if len(gap) else None


def _padded(precisions: Sequence[float], orders: int) -> list[float | None]:
    return [*precisions, *[None] * (orders - len(precisions))]


def study_tables(
    grid: pd.DataFrame,
    tables: Sequence[Table],
    baseline: Configuration,
    gap: tuple[str, str] | None,
    tie_tolerance: float,
) -> dict[str, pd.DataFrame]:
    """Make every table of a study from its grid.

    Parameters
    ----------
    grid
        As ``grid_table`` makes it.
    tables, baseline, tie_tolerance
        The study's.
    gap
        The two systems whose difference is told; None for the closest neighbours at the baseline.

    Returns
    -------
    dict
        File name below the study's results -> table: the pair whose gap is told, one for each of ``tables``, the flips,
        and the smaller tables that go with Table A (spread, precisions by number of references) and Table B
        (aggregation).
    """
    cells = Grid(grid)
    at_baseline = cells.scores(baseline)
    systems, gap = (
        list(at_baseline),
        gap or closest_pair(_without_copies(grid, at_baseline)) or closest_pair(at_baseline),
    )
    built = {table.name: build_table(cells, table.rows, gap, tie_tolerance) for table in tables}
    counted = {table.name: table.counted for table in tables}
    first = next((table for table in tables if table.name == TABLE_A), tables[0])
    second = next((table.rows for table in tables if table.name == TABLE_B), _aggregation_rows(cells, grid, baseline))
    precisions = precision_table(cells, nested_reference_counts(first.rows, baseline), systems)
    return {
        "gap.csv": pd.DataFrame([gap] if gap else [], columns=["first", "second"]),
        **{table_file(name): table for name, table in built.items()},
        "tables/flips.csv": flips(built, counted, ranking(at_baseline, tie_tolerance)),
        "tables/spread.csv": spread_table(built[first.name], systems),
        "tables/mean_minus_corpus.csv": aggregation_table(cells, second, baseline, systems),
        "tables/brevity_penalties.csv": brevity_penalty_table(cells, baseline, systems),
        "tables/precisions.csv": precisions,
        "tables/monotone.csv": monotone_table(precisions),
    }


def _without_copies(grid: pd.DataFrame, at_baseline: Mapping[str, float]) -> dict[str, float]:
    """Leave out the systems that have an earlier one's scores in every cell."""
    scores = grid["score"].to_numpy().reshape(-1, len(at_baseline))
    kept = set(np.unique(scores, axis=1, return_index=True)[1].tolist())
    return {system: score for place, (system, score) in enumerate(at_baseline.items()) if place in kept}

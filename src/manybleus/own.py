"""The whole study of one's own captions in one process: what the workflow does in jobs, by the same functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from manybleus.analysis.effects import effect_tables
from manybleus.analysis.ngrams import ngram_table
from manybleus.analysis.reversals import significance_tables, with_worth
from manybleus.analysis.tables import as_markdown, chosen_pair, grid_table, study_tables
from manybleus.bleu.configuration import choices
from manybleus.bleu.scores import count_for, score
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.captions import Captions, remark_table, remarks
from manybleus.config import Study, table_file
from manybleus.figures import Asked, study_figures
from manybleus.files import read_cells, read_table, write_bytes, write_table, write_text
from manybleus.replication.crosscheck import crosscheck
from manybleus.report import results as report
from manybleus.report.context import report_context
from manybleus.report.render import render_report
from manybleus.strata import strata_of

CROSSCHECK, FLIPS, FLIP_TESTS = "crosscheck.csv", "tables/flips.csv", "flip_significance.csv"
# The files and folders that the results take below theirs.
PLACES = (
    *("grid.csv", "flips.csv", "gap.csv", "ngrams.csv", "report.html", "captions/remarks.csv", "tables", "figures"),
    *("effects.csv", "variances.csv", "neighbours.csv", "fixed.csv", "rankings.csv", "places.csv", "pairs.csv"),
    *("significance.csv", FLIP_TESTS, "reversals.csv", "block_t.csv", CROSSCHECK),
)


@dataclass(frozen=True)
class _Run:
    """A study of one's own captions on its way into a folder; what several steps need is made or read once."""

    study: Study
    captions: Captions
    folder: Path
    written: set[str] = field(default_factory=set)

    @cached_property
    def counted(self) -> CaptionStatistics:
        return count_for(self.captions, self.study.cells)

    @cached_property
    def grid(self) -> pd.DataFrame:
        return read_table(self.folder / "grid.csv")

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        return chosen_pair(read_table(self.folder / "gap.csv"))

    @cached_property
    def results(self) -> report.Results:
        study = self.study
        asked = report.Study(
            name=study.name,
            seed=None,
            tables=tuple({**named.plain(), "file": table_file(named.name)} for named in study.tables),
            baseline=choices(study.baseline),
            gap=self.pair,
            unit=study.unit,
            level=study.significance.level,
            draws=study.significance.bootstrap if study.is_drawn else 0,
        )
        return report.read_results(self.folder, asked, [CROSSCHECK], self.captions)

    def write(self, made: Mapping[str, pd.DataFrame]) -> None:
        for file, table in made.items():
            write_table(self.folder / file, table)
        self.written.update(made)

    def forget_others(self) -> None:
        """Remove the tables of an earlier run in this folder that this one has none of."""
        for place in PLACES:
            if place.endswith(".csv") and place not in self.written:
                (self.folder / place).unlink(missing_ok=True)


def _count(run: _Run) -> None:
    run.write({"captions/remarks.csv": remark_table(remarks(run.captions))})
    run.write({"ngrams.csv": ngram_table(run.captions, run.study.baseline)})
    # Counted now, and not where it is first asked for: it is the longest part.
    _ = run.counted


def _score(run: _Run) -> None:
    run.write({"grid.csv": grid_table(score(run.counted, run.study.cells), run.captions.digest)})


def _cut_tables(run: _Run) -> None:
    study = run.study
    made = study_tables(run.grid, study.tables, study.baseline, study.gap, study.tie_tolerance)
    run.write(made)
    for named in study.tables:
        write_text(run.folder / table_file(named.name, "md"), as_markdown(made[table_file(named.name)]))


def _tell_effects(run: _Run) -> None:
    if run.pair:
        run.write(effect_tables(run.grid, run.study.axes, run.study.baseline, run.pair, run.study.tie_tolerance))


def _test_significance(run: _Run) -> None:
    study, plan = run.study, run.study.significance
    if run.pair and study.is_drawn:
        labels = read_cells(Path(plan.strata_file)) if plan.strata_file else None
        strata = strata_of(plan.strata, run.captions.image_ids, labels)
        what = (study.axes, study.outside, study.tables, study.baseline, run.pair, study.tie_tolerance)
        run.write(significance_tables(run.counted, run.grid, *what, plan, strata))
    tests = read_table(run.folder / FLIP_TESTS) if run.pair and study.is_drawn else None
    run.write({"flips.csv": with_worth(read_table(run.folder / FLIPS), tests)})


def _ask_other_tools(run: _Run) -> None:
    run.write({CROSSCHECK: crosscheck(run.captions, run.grid, run.study.cells)})


def _draw_figures(run: _Run) -> None:
    study = run.study
    tables = {named.name: read_table(run.folder / table_file(named.name)) for named in study.tables}
    flips = read_table(run.folder / FLIPS)
    asked = Asked([row for named in study.tables for row in named.rows], study.baseline, run.pair, study.tie_tolerance)
    precisions = read_table(run.folder / "tables/precisions.csv")
    tested = read_table(run.folder / "significance.csv") if run.pair and study.is_drawn else pd.DataFrame()
    data, drawings = study_figures(asked, run.grid, tables, flips, precisions, run.counted, tested)
    run.write({f"figures/{name}.csv": table for name, table in data.items()})
    for file, content in drawings.items():
        write_bytes(run.folder / f"figures/{file}", content)


def _write_report(run: _Run) -> None:
    write_text(run.folder / "report.html", render_report(report_context(run.results)))


# What is done, in this order: each step reads what earlier ones wrote, and the report all of it.
STEPS: Mapping[str, Callable[[_Run], None]] = {
    "counting": _count,
    "scoring": _score,
    "tables": _cut_tables,
    "effects": _tell_effects,
    "significance": _test_significance,
    "other tools": _ask_other_tools,
    "figures": _draw_figures,
    "report": _write_report,
}


def write_own_results(study: Study, captions: Captions, folder: Path, begin: Callable[[str], None]) -> report.Results:
    """Score captions, write the tables, the figures and the report of a study, and return what the report stands on.

    Parameters
    ----------
    study
        A study of one's own captions.
    captions
        What its files hold.
    folder
        Where the result files go, under the names that the workflow gives them.
    begin
        Called with the name of each of ``STEPS`` as it begins.

    Returns
    -------
    Results
        What is in the files, ``report.html`` of them aside.
    """
    run = _Run(study, captions, folder)
    for name, step in STEPS.items():
        begin(name)
        step(run)
    run.forget_others()
    return run.results

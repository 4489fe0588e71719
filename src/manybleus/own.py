"""The whole study of one's own captions in one process: what the workflow does in jobs, by the same functions."""

from collections.abc import Callable
from pathlib import Path

from manybleus.analysis.tables import as_markdown, chosen_pair, grid_table, study_tables
from manybleus.bleu.configuration import choices
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions, remark_table, remarks
from manybleus.config import Study, table_file
from manybleus.figures import study_figures
from manybleus.files import read_table, write_bytes, write_table, write_text
from manybleus.report import results as report
from manybleus.report.context import report_context
from manybleus.report.render import render_report

STEPS = ("counting", "scoring", "tables", "figures", "report")
# The files and folders that the results take below theirs.
PLACES = ("grid.csv", "flips.csv", "gap.csv", "captions/remarks.csv", "tables", "figures")


def write_own_results(study: Study, captions: Captions, folder: Path, begin: Callable[[str], None]) -> str:
    """Score captions, write the tables and figures of a study, and return its report.

    Parameters
    ----------
    study
        A study of one's own captions.
    captions
        What its files hold.
    folder
        Where the result files go, under the names that the workflow gives them.
    begin
        Called with each of ``STEPS`` as it begins.

    Returns
    -------
    str
        The report as HTML.
    """
    cells = study.cells
    write_table(folder / "captions/remarks.csv", remark_table(remarks(captions)))
    begin("counting")
    counted = caption_statistics(captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    begin("scoring")
    write_table(folder / "grid.csv", grid_table(score(counted, cells), captions.digest))
    begin("tables")
    grid = read_table(folder / "grid.csv")
    made = study_tables(grid, study.tables, study.baseline, study.gap, study.tie_tolerance)
    for file, table in made.items():
        write_table(folder / file, table)
    for named in study.tables:
        write_text(folder / table_file(named.name, "md"), as_markdown(made[table_file(named.name)]))
    begin("figures")
    tables = {named.name: read_table(folder / table_file(named.name)) for named in study.tables}
    pair = chosen_pair(made["gap.csv"])
    flips = read_table(folder / "flips.csv")
    data, drawings = study_figures(grid, tables, flips, counted, study.baseline, pair, study.tie_tolerance)
    for name, table in data.items():
        write_table(folder / f"figures/{name}.csv", table)
    for file, content in drawings.items():
        write_bytes(folder / f"figures/{file}", content)
    begin("report")
    plain = tuple({**named.plain(), "file": table_file(named.name)} for named in study.tables)
    asked = report.Study(study.name, None, plain, choices(study.baseline), pair, study.unit)
    return render_report(report_context(report.read_results(folder, asked, [], captions)))

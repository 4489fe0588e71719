from pathlib import Path

from manybleus.analysis.tables import chosen_pair
from manybleus.files import read_table, write_text
from manybleus.job import begin_job
from manybleus.report.context import report_context
from manybleus.report.render import render_report
from manybleus.report.results import Study, read_results

begin_job(snakemake.log[0])

folder = Path(snakemake.output[0]).parent
study = Study(
    name=snakemake.params.study,
    seed=snakemake.params.seed,
    unit=snakemake.params.unit,
    tables=tuple(snakemake.params.tables),
    baseline=snakemake.params.baseline,
    level=snakemake.params.level,
    draws=snakemake.params.draws,
    gap=chosen_pair(read_table(folder / "gap.csv")),
)
results = read_results(folder, study, snakemake.params.answers)
write_text(Path(snakemake.output[0]), render_report(report_context(results)))

from pathlib import Path

from manybleus.files import write_text
from manybleus.job import log_errors
from manybleus.report.context import report_context
from manybleus.report.render import render_report
from manybleus.report.results import Study, read_results

log_errors(snakemake.log[0])

study = Study(
    name=snakemake.params.study,
    seed=snakemake.params.seed,
    tables=tuple(snakemake.params.tables),
    baseline=snakemake.params.baseline,
    gap=tuple(snakemake.params.gap),
)
results = read_results(Path(snakemake.output[0]).parent, study, snakemake.params.answers)
write_text(Path(snakemake.output[0]), render_report(report_context(results)))

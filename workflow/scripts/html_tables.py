from pathlib import Path

from manybleus.files import read_cells, write_text
from manybleus.job import begin_job
from manybleus.report.pages import table_context
from manybleus.report.render import render_report

begin_job(snakemake.log[0])

for title, file, page in zip(snakemake.params.titles, snakemake.input, snakemake.output, strict=True):
    context = table_context(snakemake.params.study, title, read_cells(Path(file)))
    write_text(Path(page), render_report(context, "table"))

from pathlib import Path

from manybleus.files import read_table, write_text
from manybleus.job import begin_job
from manybleus.report.render import render_report
from manybleus.report.replications import Repeated, replication_context

begin_job(snakemake.log[0])

first, count = snakemake.params.seeds
repeated = Repeated(
    study=snakemake.params.study,
    images=snakemake.params.images,
    seed=snakemake.params.seed,
    seeds=(first, first + count - 1),
    gap=tuple(snakemake.params.gap),
    titles=snakemake.params.titles,
    single=tuple(map(tuple, snakemake.params.single)),
)
tables = {Path(file).stem: read_table(Path(file)) for file in snakemake.input.tables}
drawings = {Path(file).stem: Path(file).read_bytes() for file in snakemake.input.figures if Path(file).suffix == ".svg"}
context = replication_context(repeated, tables["rows"], tables["counts"], tables.get("sizes"), drawings)
write_text(Path(snakemake.output[0]), render_report(context, "replications"))

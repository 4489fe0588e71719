from pathlib import Path

from manybleus.files import read_table, write_bytes
from manybleus.job import begin_job
from manybleus.replication_figures import replication_figures

begin_job(snakemake.log[0])

first, count = snakemake.params.seeds
draws = Path(snakemake.input.draws)
drawings = replication_figures(
    read_table(draws),
    read_table(draws.with_name("rows.csv")),
    tuple(snakemake.params.gap),
    snakemake.params.images,
    range(first, first + count),
    snakemake.params.seeds_of_sizes,
)
for file, content in drawings.items():
    write_bytes(draws.with_name(file), content)

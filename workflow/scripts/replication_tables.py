from pathlib import Path

import pandas as pd

from manybleus.files import read_table, write_table
from manybleus.job import begin_job
from manybleus.replication.distributions import count_table, row_table, size_table

begin_job(snakemake.log[0])

first, count = snakemake.params.seeds
images, seed, tie_tolerance = snakemake.params.images, snakemake.params.seed, snakemake.params.tie_tolerance
draws = pd.concat([read_table(Path(shard)) for shard in snakemake.input], ignore_index=True)
tables = {
    "draws": draws,
    "rows": row_table(draws, range(first, first + count), images, seed, tie_tolerance),
    "counts": count_table(draws, images, seed),
}
if snakemake.params.seeds_of_sizes:
    tables["sizes"] = size_table(draws, snakemake.params.seeds_of_sizes, tie_tolerance)
for name, table in tables.items():
    write_table(Path(snakemake.output.draws).with_name(f"{name}.csv"), table)

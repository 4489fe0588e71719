from pathlib import Path

import pandas as pd

from manybleus.errors import raise_all
from manybleus.files import read_table, write_table
from manybleus.job import begin_job
from manybleus.replication.distributions import count_table, row_table, size_table
from manybleus.replication.redraws import draws_problem

begin_job(snakemake.log[0])

first, count = snakemake.params.seeds
images, seed, tie_tolerance = snakemake.params.images, snakemake.params.seed, snakemake.params.tie_tolerance
sizes = dict.fromkeys(snakemake.params.seeds_of_sizes, snakemake.params.sizes)
rows = [*map(tuple, snakemake.params.rows)]


def read_shard(shard):
    try:
        return read_table(Path(shard))
    except ValueError:
        return pd.DataFrame()


shards = {shard: read_shard(shard) for shard in snakemake.input}
found = {
    shard: draws_problem(shards[shard], images, snakemake.params.systems, rows, seeds, sizes)
    for shard, seeds in zip(shards, snakemake.params.shards, strict=True)
}
mend = "remove this file, and run the same command again"
raise_all([f"{shard}: {told}; {mend}" for shard, told in found.items() if told], "draws are not as they were made")
draws = pd.concat(shards.values(), ignore_index=True)
tables = {
    "draws": draws,
    "rows": row_table(draws, range(first, first + count), images, seed, tie_tolerance),
    "counts": count_table(draws, images, seed),
}
if snakemake.params.seeds_of_sizes:
    tables["sizes"] = size_table(draws, snakemake.params.seeds_of_sizes, tie_tolerance)
for name, table in tables.items():
    write_table(Path(snakemake.output.draws).with_name(f"{name}.csv"), table)

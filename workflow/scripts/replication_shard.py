import sys
from pathlib import Path

import pandas as pd

from manybleus.bleu.configuration import Configuration
from manybleus.config import Table
from manybleus.files import write_table
from manybleus.job import begin_job
from manybleus.replication.redraws import Original, redraw

begin_job(snakemake.log[0])

original = Original(
    images=snakemake.params.images,
    seed=snakemake.params.seed,
    systems=tuple(snakemake.params.systems),
    tables=tuple(map(Table.from_plain, snakemake.params.tables)),
    baseline=Configuration(**snakemake.params.baseline),
    gap=tuple(snakemake.params.gap),
    tie_tolerance=snakemake.params.tie_tolerance,
)
seeds = snakemake.params.seeds
draws = []
with Path(snakemake.log[0]).open("w", encoding="utf-8") as log:
    for seed, drawn in zip(seeds, redraw(original, seeds, dict(snakemake.params.sizes)), strict=True):
        draws.append(drawn)
        told = f"seed {seed} is done, {len(draws)} of {len(seeds)} in this shard"
        for stream in (log, sys.stderr):
            print(told, file=stream, flush=True)
write_table(Path(snakemake.output[0]), pd.concat(draws, ignore_index=True))

from pathlib import Path

from manybleus.analysis.effects import effect_tables
from manybleus.analysis.tables import chosen_pair
from manybleus.bleu.configuration import Configuration
from manybleus.files import read_table, write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

grid = Path(snakemake.input[0])
made = effect_tables(
    read_table(grid),
    snakemake.params.axes,
    Configuration(**snakemake.params.baseline),
    tuple(snakemake.params.gap) or chosen_pair(read_table(Path(snakemake.input.gap))),
    snakemake.params.tie_tolerance,
)
for file, table in made.items():
    write_table(grid.parent / file, table)

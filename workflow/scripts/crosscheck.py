from pathlib import Path

from manybleus.bleu.configuration import Configuration, configurations
from manybleus.captions import read_captions
from manybleus.files import read_table, write_table
from manybleus.job import begin_job
from manybleus.replication.crosscheck import crosscheck

begin_job(snakemake.log[0])

files = dict(zip(snakemake.params.systems, map(Path, snakemake.input.systems), strict=True))
cells = [*configurations(snakemake.params.axes), *(Configuration(**cell) for cell in snakemake.params.outside)]
captions = read_captions(Path(snakemake.input.references), files)
write_table(Path(snakemake.output[0]), crosscheck(captions, read_table(Path(snakemake.input.grid[0])), cells))

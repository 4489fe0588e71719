from pathlib import Path

from manybleus.analysis.reversals import with_worth
from manybleus.files import read_table, write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

tests = read_table(Path(snakemake.input.tests)) if snakemake.input.tests else None
write_table(Path(snakemake.output[0]), with_worth(read_table(Path(snakemake.input.flips)), tests))

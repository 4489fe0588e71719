from pathlib import Path

from manybleus.files import read_tables, write_table
from manybleus.job import begin_job
from manybleus.replication.statements import statements

begin_job(snakemake.log[0])

tables = read_tables(Path(snakemake.output[0]).parent, snakemake.params.files)
write_table(Path(snakemake.output[0]), statements(tables))

from pathlib import Path

from manybleus.files import read_cells, read_tables, write_text
from manybleus.job import begin_job
from manybleus.replication.printed import printed_output

begin_job(snakemake.log[0])

checks = read_cells(Path(snakemake.input.checks)).set_index("check")["value"].to_dict()
tables = read_tables(Path(snakemake.output[0]).parent, snakemake.params.files)
write_text(Path(snakemake.output[0]), printed_output(checks, tables))

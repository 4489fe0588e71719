from pathlib import Path

from manybleus.files import read_cells, read_tables, write_text
from manybleus.job import log_errors
from manybleus.replication.printed import printed_output

log_errors(snakemake.log[0])

checks = read_cells(Path(snakemake.input.checks)).set_index("check")["value"].to_dict()
tables = read_tables(Path(snakemake.output[0]).parent, snakemake.params.files)
write_text(Path(snakemake.output[0]), printed_output(checks, tables))

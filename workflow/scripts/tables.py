from pathlib import Path

from manybleus.analysis.tables import as_markdown, study_tables
from manybleus.bleu.configuration import Configuration
from manybleus.config import Table
from manybleus.files import read_table, write_table, write_text
from manybleus.job import begin_job

begin_job(snakemake.log[0])

tables = [Table.from_plain(table) for table in snakemake.params.tables]
made = study_tables(
    read_table(Path(snakemake.input[0])),
    tables,
    Configuration(**snakemake.params.baseline),
    tuple(snakemake.params.gap) or None,
    snakemake.params.tie_tolerance,
)

folder = Path(snakemake.input[0]).parent
for file, table in made.items():
    write_table(folder / file, table)
for file in snakemake.output.markdown:
    write_text(Path(file), as_markdown(made[f"tables/{Path(file).stem}.csv"]))

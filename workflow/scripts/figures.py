import sys
from pathlib import Path

import pandas as pd

from manybleus.analysis.tables import chosen_pair
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.config import Table, table_file
from manybleus.drawing import unknown_signs
from manybleus.figures import Asked, study_figures
from manybleus.files import read_table, write_bytes, write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

folder = Path(snakemake.output[0]).parents[1]
tables = [Table.from_plain(table) for table in snakemake.params.tables]
asked = Asked(
    rows=[row for table in tables for row in table.rows],
    baseline=Configuration(**snakemake.params.baseline),
    gap=chosen_pair(read_table(folder / "gap.csv")),
    tie_tolerance=snakemake.params.tie_tolerance,
)
statistics = CaptionStatistics.load(Path(snakemake.input.statistics))
data, drawings = study_figures(
    asked,
    read_table(Path(snakemake.input.grid)),
    {table.name: read_table(folder / table_file(table.name)) for table in tables},
    read_table(folder / "tables/flips.csv"),
    read_table(folder / "tables/precisions.csv"),
    statistics,
    read_table(Path(snakemake.input.significance)) if snakemake.input.significance else pd.DataFrame(),
)
if told := unknown_signs([*statistics.systems, *(name for name, _ in asked.rows)]):
    print(f"manybleus: {told}", file=sys.stderr)
for name, table in data.items():
    write_table(folder / f"figures/{name}.csv", table)
for file, content in drawings.items():
    write_bytes(folder / f"figures/{file}", content)

from pathlib import Path

from manybleus import figures
from manybleus.analysis.tables import chosen_pair
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.files import read_table, write_bytes, write_table
from manybleus.job import log_errors

log_errors(snakemake.log[0])

folder = Path(snakemake.output[0]).parents[1]
baseline = Configuration(**snakemake.params.baseline)
tables = {name: read_table(folder / file) for name, file in snakemake.params.tables.items()}
data, drawings = figures.study_figures(
    read_table(Path(snakemake.input.grid)),
    tables,
    read_table(folder / "tables/flips.csv"),
    CaptionStatistics.load(Path(snakemake.input.statistics)),
    baseline,
    chosen_pair(read_table(folder / "gap.csv")),
    snakemake.params.tie_tolerance,
)
for name, table in data.items():
    write_table(folder / f"figures/{name}.csv", table)
for file, content in drawings.items():
    write_bytes(folder / f"figures/{file}", content)

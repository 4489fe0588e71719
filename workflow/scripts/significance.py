from pathlib import Path

from manybleus.analysis.reversals import significance_tables
from manybleus.analysis.significance import images_of
from manybleus.analysis.tables import chosen_pair
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.captions import read_captions
from manybleus.config import Significance, Table
from manybleus.files import read_cells, read_table, write_table
from manybleus.job import begin_job
from manybleus.strata import strata_of

begin_job(snakemake.log[0])

grid = Path(snakemake.input.grid)
statistics = CaptionStatistics.load(Path(snakemake.input.statistics))
plan = Significance(**snakemake.params.plan)
image_ids, labels = range(images_of(statistics)), None
if snakemake.input.get("strata"):
    files = dict(zip(statistics.systems, map(Path, snakemake.input.systems), strict=True))
    image_ids = read_captions(Path(snakemake.input.references), files).image_ids
    labels = read_cells(Path(snakemake.input.strata))
made = significance_tables(
    statistics,
    read_table(grid),
    snakemake.params.axes,
    [Configuration(**cell) for cell in snakemake.params.outside],
    [Table.from_plain(table) for table in snakemake.params.tables],
    Configuration(**snakemake.params.baseline),
    tuple(snakemake.params.gap) or chosen_pair(read_table(Path(snakemake.input.gap))),
    snakemake.params.tie_tolerance,
    plan,
    strata_of(plan.strata, image_ids, labels),
)
for file, table in made.items():
    write_table(grid.parent / file, table)

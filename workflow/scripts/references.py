from pathlib import Path

from manybleus.captions import write_references
from manybleus.files import read_table
from manybleus.job import begin_job
from manybleus.shapes.references import references
from manybleus.shapes.scenes import scenes_from_table

begin_job(snakemake.log[0])

scenes = scenes_from_table(read_table(Path(snakemake.input.table)))
write_references(
    Path(snakemake.output[0]),
    [references(scene) for scene in scenes],
    "two coloured shapes, described by eight templates",
)

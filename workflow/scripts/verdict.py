from pathlib import Path

from manybleus.errors import raise_all
from manybleus.files import read_cells
from manybleus.job import begin_job
from manybleus.replication.claims import failures
from manybleus.replication.crosscheck import unexplained

begin_job(snakemake.log[0])

checks, claims, tools = (
    [read_cells(Path(file)) for file in files]
    for files in (snakemake.input.checks, snakemake.input.claims, snakemake.input.crosscheck)
)
raise_all(
    [
        *(failures(checks[0] if checks else None, claims[0]) if claims else []),
        *(problem for table in tools for problem in unexplained(table)),
    ],
    "the results do not agree with what was published, or with other tools",
)

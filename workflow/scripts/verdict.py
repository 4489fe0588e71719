from pathlib import Path

from manybleus.errors import raise_all
from manybleus.files import read_cells
from manybleus.job import log_errors
from manybleus.replication.claims import failures
from manybleus.replication.crosscheck import unexplained

log_errors(snakemake.log[0])

checks, claims, crosscheck = (
    read_cells(Path(file)) for file in (snakemake.input.checks, *snakemake.input.claims, *snakemake.input.crosscheck)
)
raise_all(
    [*failures(checks, claims), *unexplained(crosscheck)],
    "the results do not agree with what was published, or with other tools",
)

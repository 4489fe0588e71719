from functools import cache
from pathlib import Path

from manybleus.config_problems import read_yaml
from manybleus.files import read_cells, write_table
from manybleus.job import log_errors
from manybleus.replication.claims import read_claims, verdicts

log_errors(snakemake.log[0])

claims = [claim for ledger in map(Path, snakemake.input.ledger) for claim in read_claims(read_yaml(ledger)[0])]
folder = Path(snakemake.output[0]).parent
write_table(
    Path(snakemake.output[0]),
    verdicts(claims, snakemake.params.inputs, cache(lambda file: read_cells(folder / file))),
)

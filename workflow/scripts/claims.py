from functools import cache
from pathlib import Path

import yaml

from manybleus.files import read_cells, write_table
from manybleus.replication.claims import read_claims, verdicts

with open(snakemake.input.ledger, encoding="utf-8") as text:
    claims = read_claims(yaml.safe_load(text))
folder = Path(snakemake.output[0]).parent
write_table(
    Path(snakemake.output[0]),
    verdicts(claims, snakemake.params.inputs, cache(lambda file: read_cells(folder / file))),
)

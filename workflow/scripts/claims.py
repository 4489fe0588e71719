from functools import cache
from pathlib import Path

from manybleus.errors import raise_all
from manybleus.files import read_cells, write_table
from manybleus.job import begin_job
from manybleus.replication.claims import read_claims, verdicts
from manybleus.yaml_files import read_yaml

begin_job(snakemake.log[0])

claims = []
for ledger in map(Path, snakemake.input.ledger):
    content, twice = read_yaml(ledger)
    raise_all(twice, f"{ledger} is not usable")
    claims += read_claims(content)
folder = Path(snakemake.output[0]).parent
write_table(
    Path(snakemake.output[0]),
    verdicts(claims, snakemake.params.inputs, cache(lambda file: read_cells(folder / file))),
)

import json
from pathlib import Path

from manybleus.files import write_text
from manybleus.job import begin_job
from manybleus.provenance import provenance

begin_job(snakemake.log[0])

facts = provenance(snakemake.params.config, Path(snakemake.params.benchmarks), Path())
write_text(Path(snakemake.output[0]), json.dumps(facts, indent=2, ensure_ascii=False) + "\n")

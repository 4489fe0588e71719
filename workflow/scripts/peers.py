from pathlib import Path

from manybleus.files import write_table
from manybleus.job import begin_job
from manybleus.replication.conventions import conventions
from manybleus.replication.examples import worked_examples

begin_job(snakemake.log[0])

write_table(Path(snakemake.output.examples), worked_examples())
write_table(Path(snakemake.output.conventions), conventions())

from pathlib import Path

from manybleus.files import write_text
from manybleus.job import begin_job
from manybleus.sums import file_sums, sums_text

begin_job(snakemake.log[0])

made = Path(snakemake.output[0])
write_text(made, sums_text(file_sums(made.parent, map(Path, snakemake.input))))

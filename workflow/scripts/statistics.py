from pathlib import Path

from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import read_captions
from manybleus.job import begin_job

begin_job(snakemake.log[0])

files = dict(zip(snakemake.params.systems, map(Path, snakemake.input.systems), strict=True))
captions = read_captions(Path(snakemake.input.references), files)
schemes = [tuple(scheme) for scheme in snakemake.params.schemes]
statistics = caption_statistics(captions, schemes, snakemake.params.references, snakemake.params.orders)
statistics.save(Path(snakemake.output[0]))

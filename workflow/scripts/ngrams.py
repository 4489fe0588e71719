from pathlib import Path

from manybleus.analysis.ngrams import ngram_table
from manybleus.bleu.configuration import Configuration
from manybleus.captions import read_captions
from manybleus.files import write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

files = dict(zip(snakemake.params.systems, map(Path, snakemake.input.systems), strict=True))
captions = read_captions(Path(snakemake.input.references), files)
write_table(Path(snakemake.output[0]), ngram_table(captions, Configuration(**snakemake.params.baseline)))

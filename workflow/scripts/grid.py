from pathlib import Path

from manybleus.analysis.tables import grid_table
from manybleus.bleu.configuration import Configuration, configurations
from manybleus.bleu.scores import score
from manybleus.bleu.statistics import CaptionStatistics
from manybleus.files import write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

statistics = CaptionStatistics.load(Path(snakemake.input[0]))
outside = [Configuration(**cell) for cell in snakemake.params.outside]
scores = score(statistics, [*configurations(snakemake.params.axes), *outside])
write_table(Path(snakemake.output[0]), grid_table(scores, statistics.digest))

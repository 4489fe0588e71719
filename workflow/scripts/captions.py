from pathlib import Path

from skimage.io import imread

from manybleus.captions import write_results
from manybleus.job import begin_job
from manybleus.shapes.captioners import CAPTIONERS, look

begin_job(snakemake.log[0])

captioner = CAPTIONERS[snakemake.wildcards.system]
pictures = sorted(Path(snakemake.input.pictures).glob("*.png"))
write_results(Path(snakemake.output[0]), [captioner(look(imread(path)), image) for image, path in enumerate(pictures)])

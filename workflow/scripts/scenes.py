from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from skimage.io import imsave
from skimage.util import montage

from manybleus.files import write_bytes, write_table
from manybleus.job import begin_job
from manybleus.shapes.scenes import draw_scenes, file_name, render, scene_table

begin_job(snakemake.log[0])

scenes = draw_scenes(snakemake.params.images, snakemake.params.seed)
pictures = [render(scene) for scene in scenes]

shown = np.stack(pictures[:400])
columns = min(20, len(shown))
sheet = montage(
    shown, fill=(96, 96, 96), padding_width=2, grid_shape=(-(-len(shown) // columns), columns), channel_axis=3
)

folder = Path(snakemake.output.pictures)
files = {folder / file_name(image): picture for image, picture in enumerate(pictures)}
with TemporaryDirectory() as scratch:
    drawn = Path(scratch) / "drawn.png"
    for path, picture in {**files, Path(snakemake.output.sheet): sheet}.items():
        imsave(drawn, picture, check_contrast=False)
        write_bytes(path, drawn.read_bytes())
write_table(Path(snakemake.output.table), scene_table(scenes))

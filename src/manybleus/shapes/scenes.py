"""The scenes: a seed in, ground truth, reference orders and pixels out.

One generator serves the whole study, so the order of the draws is part of the definition: all scenes first, then
one reference order per scene.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from manybleus.errors import ManybleusError

if TYPE_CHECKING:
    import pandas as pd

Relation = Literal["left", "right", "above", "below"]
Pixels = NDArray[np.uint8]

SIZE = 64
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0)}
SHAPES = ("circle", "square", "triangle")
RELATIONS: tuple[Relation, ...] = ("left", "right", "above", "below")
MAX_REFERENCES = 8


@dataclass(frozen=True, slots=True)
class Thing:
    """One coloured shape: centre ``(row, column)`` and half-width ``size``, in pixels."""

    colour: str
    shape: str
    row: int
    column: int
    size: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Two things, the relation of the first to the second, and the order of the scene's reference templates."""

    first: Thing
    second: Thing
    relation: Relation
    reference_order: tuple[int, ...]


def draw_scenes(images: int, seed: int) -> list[Scene]:
    """Draw the scenes of a study.

    Parameters
    ----------
    images
        Number of scenes, at least 1.
    seed
        Seed of ``numpy.random.default_rng``; the study's is 0.

    Returns
    -------
    list of Scene
        In image order.

    Raises
    ------
    ManybleusError
        If ``images`` is below 1 or ``seed`` is negative.
    """
    if images < 1 or seed < 0:
        raise ManybleusError(f"scenes need images >= 1 and seed >= 0, not images = {images} and seed = {seed}")
    rng = np.random.default_rng(seed)
    layouts = [_draw_layout(rng) for _ in range(images)]
    orders = [tuple(int(i) for i in rng.permutation(MAX_REFERENCES)) for _ in range(images)]
    return [Scene(*layout, order) for layout, order in zip(layouts, orders, strict=True)]


def _draw_layout(rng: np.random.Generator) -> tuple[Thing, Thing, Relation]:
    colours = [str(colour) for colour in rng.choice(list(COLOURS), size=2, replace=False)]
    shapes = [str(shape) for shape in rng.choice(SHAPES, size=2)]
    relation = RELATIONS[rng.integers(len(RELATIONS))]
    sign = -1 if relation in ("left", "above") else 1
    major = [int(SIZE // 2 + side * sign * 16 + rng.integers(-3, 4)) for side in (1, -1)]
    minor = [int(SIZE // 2 + rng.integers(-8, 9)) for _ in range(2)]
    sizes = [int(rng.integers(6, 10)) for _ in range(2)]
    rows, columns = (minor, major) if relation in ("left", "right") else (major, minor)
    first, second = (Thing(*fields) for fields in zip(colours, shapes, rows, columns, sizes, strict=True))
    return first, second, relation


def footprint(thing: Thing) -> NDArray[np.bool_]:
    """Return the pixels that a thing covers, as a ``(SIZE, SIZE)`` mask clipped to the image."""
    from skimage import draw

    r, c, s = thing.row, thing.column, thing.size
    canvas = (SIZE, SIZE)
    if thing.shape == "circle":
        covered = draw.disk((r, c), s + 0.5, shape=canvas)
    elif thing.shape == "square":
        covered = draw.rectangle((r - s, c - s), end=(r + s, c + s), shape=canvas)
    else:
        covered = draw.polygon((r - s, r + s, r + s), (c, c - s, c + s), shape=canvas)
    mask = np.zeros(canvas, dtype=bool)
    mask[covered] = True
    return mask


def overlap(scene: Scene) -> int:
    """Return how many pixels the two things of a scene share."""
    return int(np.count_nonzero(footprint(scene.first) & footprint(scene.second)))


def render(scene: Scene) -> Pixels:
    """Return the picture of a scene: ``(SIZE, SIZE, 3)``, 0 or 255, black background, the first thing drawn first."""
    pixels = np.zeros((SIZE, SIZE, 3), dtype=np.uint8)
    for thing in (scene.first, scene.second):
        pixels[footprint(thing)] = COLOURS[thing.colour]
    return pixels


def scene_table(scenes: Sequence[Scene]) -> "pd.DataFrame":
    """Lay out the ground truth, one row per scene: ``image_id``, ``file_name``, both things, ``reference_order``."""
    import pandas as pd

    return pd.DataFrame(
        {"image_id": image, "file_name": file_name(image), "relation": scene.relation}
        | {f"first_{field}": value for field, value in asdict(scene.first).items()}
        | {f"second_{field}": value for field, value in asdict(scene.second).items()}
        | {"reference_order": " ".join(map(str, scene.reference_order))}
        for image, scene in enumerate(scenes)
    )


def scenes_from_table(table: "pd.DataFrame") -> list[Scene]:
    """Return the scenes of a table that ``scene_table`` made."""
    fields = [field.name for field in dataclass_fields(Thing)]
    return [
        Scene(
            Thing(*(row[f"first_{field}"] for field in fields)),
            Thing(*(row[f"second_{field}"] for field in fields)),
            row["relation"],
            tuple(map(int, str(row["reference_order"]).split())),
        )
        for row in table.to_dict("records")
    ]


def file_name(image: int) -> str:
    """Return the name of a picture's file."""
    return f"{image:06d}.png"

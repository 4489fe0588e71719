"""The captioners: pixels in, captions out. They never see the ground truth.

A new captioner is one function of what was seen and the image's index, registered in ``CAPTIONERS``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from manybleus.errors import ManybleusError
from manybleus.shapes.scenes import COLOURS, Pixels

SHAPE_BY_FILLED_CORNERS = {4: "square", 2: "triangle", 0: "circle"}
PADDING = " in a small synthetic picture with a plain black background and nothing else"
# A pixel as one number: its red, green and blue beside each other.
_PLACES = np.array([1 << 16, 1 << 8, 1])
_COLOUR_BY_CODE = {int(np.dot(rgb, _PLACES)): colour for colour, rgb in COLOURS.items()}


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing read off the pixels; its centroid is ``(row, column)`` in pixels."""

    colour: str
    shape: str
    centroid: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sight:
    """The two things of a picture in the order in which they are named, and the phrase that relates them."""

    first: Seen
    second: Seen
    relation: str


Captioner = Callable[[Sight, int], str]


def read_things(pixels: Pixels) -> list[Seen]:
    """Find the coloured things in a picture.

    Parameters
    ----------
    pixels
        ``(rows, columns, 3)`` array of RGB values 0 or 255.

    Returns
    -------
    list of Seen
        In the order of ``COLOURS``. A thing's shape is told by how many corners of its bounding box are filled.
    """
    from skimage.measure import label

    codes = pixels @ _PLACES
    labels = label(np.where(np.isin(codes, list(_COLOUR_BY_CODE)), codes, 0)).ravel()
    filled = np.flatnonzero(labels)
    thing_of = labels[filled]
    found: dict[str, list[Seen]] = {colour: [] for colour in COLOURS}
    for thing in range(1, int(thing_of.max(initial=0)) + 1):
        rows, columns = np.divmod(filled[thing_of == thing], pixels.shape[1])
        top, bottom, left, right = rows[0], rows[-1], columns.min(), columns.max()
        code = codes[rows[0], columns[0]]
        corners = codes[[top, top, bottom, bottom], [left, right, left, right]] == code
        shape = SHAPE_BY_FILLED_CORNERS.get(int(corners.sum()), "shape")
        colour = _COLOUR_BY_CODE[int(code)]
        found[colour].append(Seen(colour, shape, (float(rows.mean()), float(columns.mean()))))
    return [seen for of_colour in found.values() for seen in of_colour]


def look(pixels: Pixels) -> Sight:
    """Read two things and their relation: side by side names the left one first, else the upper one.

    Raises
    ------
    ManybleusError
        If the picture does not hold exactly two things.
    """
    things = read_things(pixels)
    if len(things) != 2:
        raise ManybleusError(f"a captioner expects 2 things in a picture and sees {len(things)}")
    a, b = things
    dy, dx = b.centroid[0] - a.centroid[0], b.centroid[1] - a.centroid[1]
    side_by_side = abs(dx) >= abs(dy)
    first, second = (a, b) if (dx if side_by_side else dy) >= 0 else (b, a)
    return Sight(first, second, "to the left of" if side_by_side else "above")


def s1(sight: Sight, index: int) -> str:
    """Name all: both colours, both shapes and the relation."""
    a, b = sight.first, sight.second
    return f"A {a.colour} {a.shape} {sight.relation} a {b.colour} {b.shape}."


def s2(sight: Sight, index: int) -> str:
    """Never name a shape; lower case, no full stop."""
    return f"a {sight.first.colour} shape {sight.relation} a {sight.second.colour} shape"


def g(sight: Sight, index: int) -> str:
    """Game the corpus length: too short on even images, padded on odd ones."""
    if index % 2 == 0:
        return f"A {sight.first.colour} {sight.first.shape}."
    return s1(sight, index).removesuffix(".") + PADDING + "."


CAPTIONERS: dict[str, Captioner] = {"S1": s1, "S2": s2, "G": g}

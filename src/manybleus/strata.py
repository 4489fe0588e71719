"""Strata: groups of images that a resample draws from one by one, as a system's or a data set's design asks for."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from manybleus.errors import raise_all
from manybleus.text import counted

if TYPE_CHECKING:
    import pandas as pd

PARITY = "parity"
# Resamples of n images vary by (n - 1) / n of what they should: of fewer images, too little to tell anything by.
FEWEST_IMAGES = 5


def strata_of(rule: str | None, image_ids: Sequence[Hashable], table: "pd.DataFrame | None") -> list[str] | None:
    """Return the stratum of each image, or None where there are no strata.

    Parameters
    ----------
    rule
        ``parity``: even and odd places, counted from 0; else the name of the file that holds the table; or None.
    image_ids
        The images in their order.
    table
        ``image_id`` and ``stratum``, as text.

    Raises
    ------
    ManybleusError
        If an image has no stratum or two, or a stratum has fewer than ``FEWEST_IMAGES`` images.
    """
    if rule is None:
        return None
    if rule == PARITY or table is None:
        labels = [("even", "odd")[place % 2] for place in range(len(image_ids))]
        return labels if len(labels) >= 2 * FEWEST_IMAGES else None
    heading = f"{rule} gives no strata"
    there = ", ".join(map(str, table.columns))
    raise_all(
        [
            f"column {column}: is missing; image_id and stratum are needed, there are {there}"
            for column in ("image_id", "stratum")
            if column not in table.columns
        ],
        heading,
    )
    times = Counter(table["image_id"])
    of_image = dict(zip(table["image_id"], table["stratum"], strict=True))
    known = [str(image_id) for image_id in image_ids]
    problems = [f"image_id {image_id}: stands there {n} times; keep one" for image_id, n in times.items() if n > 1]
    labels = [of_image.get(image_id, "") for image_id in known]
    problems += [
        f"image_id {image_id}: {'has no stratum' if image_id in of_image else 'is missing'}; give its stratum"
        for image_id, label in zip(known, labels, strict=True)
        if not label.strip()
    ]
    sizes = Counter(labels)
    if not problems:
        problems += [
            f"stratum {stratum!r}: has {counted(size, 'image')}, among which resamples vary too little; "
            f"join it with another, so that each has at least {FEWEST_IMAGES}"
            for stratum, size in sizes.items()
            if size < min(FEWEST_IMAGES, len(labels))
        ]
    raise_all(problems, heading)
    return labels

"""Draws: rows of weights on the images.

A row says how often each image is taken (the bootstrap, Efron and Tibshirani 1993), or whether two systems swap their
captions of it (approximate randomization, Noreen 1989). One seed gives the same draws for every configuration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from manybleus.arrays import Floats

_DRAWS_PER_SHARD = 1 << 10
_VALUES_PER_SHARD = 1 << 16


class Weights(Protocol):
    """Rows of weights on the images."""

    @property
    def shape(self) -> tuple[int, int]:
        """Draws and images."""

    def block(self, draws: slice, images: slice) -> Floats:
        """Return a part of the rows and of the images."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each image is taken, ``(draws, images)``."""

    counts: NDArray[np.integer[Any]]

    @property
    def shape(self) -> tuple[int, int]:
        """Draws and images."""
        draws, images = self.counts.shape
        return draws, images

    def block(self, draws: slice, images: slice) -> Floats:
        """Return a part of the rows and of the images."""
        return self.counts[draws, images].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Swaps:
    """Whether two systems swap their captions of an image; eight images to a byte, ``(draws, bytes)``."""

    packed: NDArray[np.uint8]
    images: int

    @property
    def shape(self) -> tuple[int, int]:
        """Draws and images."""
        return len(self.packed), self.images

    def block(self, draws: slice, images: slice) -> Floats:
        """Return a part of the rows and of the images; the images start at a multiple of eight."""
        last = min(images.stop, self.images)
        found = np.unpackbits(self.packed[draws, images.start // 8 : -(-last // 8)], axis=1, count=last - images.start)
        return found.astype(np.float64)


def bootstrap_draws(images: int, draws: int, seed: int, strata: Sequence[object] | None = None) -> Counts:
    """Draw images with replacement, as many as there are.

    Parameters
    ----------
    images, draws
        How many.
    seed
        Of ``numpy.random.default_rng``; without strata the draws are those of its ``choice(images, (draws, images))``,
        as in sacreBLEU 2.6.0.
    strata
        One label for each image: from each stratum as many images are drawn as it has.
    """
    rng = np.random.default_rng(seed)
    labels = list(strata) if strata is not None else [None] * images
    places: dict[object, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    counts = np.zeros((draws, images), dtype=np.uint16)
    for members in places.values():
        size = len(members)
        taken = members if len(places) > 1 else slice(None)
        rows = max(_VALUES_PER_SHARD // size, 1)
        for first in range(0, draws, rows):
            shard = counts[first : first + rows]
            drawn = rng.integers(size, size=(len(shard), size)) + size * np.arange(len(shard))[:, None]
            shard[:, taken] = np.bincount(drawn.ravel(), minlength=size * len(shard)).reshape(-1, size)
    return Counts(counts)


def swap_draws(images: int, draws: int, seed: int) -> Swaps:
    """Draw for each image whether two systems swap their captions of it, as sacreBLEU 2.6.0 draws it.

    Parameters
    ----------
    images, draws
        How many.
    seed
        Of ``numpy.random.default_rng``; the draws are those of ``integers(2, size=(draws, images), dtype=bool)``.
    """
    rng = np.random.default_rng(seed)
    # Whole words of 32 bits are drawn: shards of as many rows leave the stream as it is.
    shards = [
        np.packbits(rng.integers(2, size=(min(_DRAWS_PER_SHARD, draws - first), images), dtype=bool), axis=1)
        for first in range(0, draws, _DRAWS_PER_SHARD)
    ]
    return Swaps(np.concatenate(shards), images)


def with_plain_counts(counts: Counts) -> Counts:
    """Put the row that takes each image once before the others: its score is the observed one."""
    return Counts(np.concatenate([np.ones_like(counts.counts[:1]), counts.counts]))


def with_no_swap(swaps: Swaps) -> Swaps:
    """Put the row that swaps nothing before the others: its difference is the observed one."""
    return Swaps(np.concatenate([np.zeros_like(swaps.packed[:1]), swaps.packed]), swaps.images)


def plain_counts(images: int) -> Counts:
    """Return the one row of weights that takes each image once."""
    return Counts(np.ones((1, images), dtype=np.uint8))


def block_counts(images: int, blocks: int) -> Counts:
    """Return the rows of weights that each take one block of neighbouring images, of nearly the same size."""
    parts = np.array_split(np.arange(images), blocks)
    return Counts(np.stack([np.isin(np.arange(images), part) for part in parts]).astype(np.uint8))

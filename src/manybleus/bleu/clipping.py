"""Clipped matches of many captions at once: the array path of ``definition.clipped_matches``.

Each reference token of an image has a bit, in reference order. The mask of a candidate's token has the bits of the
equal reference tokens. The mask of an n-gram, the bits at which a reference holds it, is that of its first n-1 tokens
and, moved down by n-1 bits, that of its last one; of each reference only those bits count from which on n tokens are
its own. Clipping then reads: the n-gram that stands in the candidate for the r-th time (from 0) is matched by the first
reference that holds it more than r times, and by every number of references that takes this one in.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from manybleus.arrays import Integers

Tokens = NDArray[np.int32]
Masks = NDArray[np.uint64]

WORD = 64
# Words of 64 bits that an image's references take, and tokens of its longest candidate, that are counted together;
# what is longer is counted image by image.
_WORDS = (1, 2, 4, 8)
_LONGEST = (32, 64, 128, 256)
# Pairs of tokens of a candidate that are held at once.
_PAIRS_AT_ONCE = 1 << 23
# Pairs of a candidate's and a reference's token that are compared at once.
_PAIRS_IN_CACHE = 1 << 18
# No token; there are two of them, as they are not equal.
_NO_REFERENCE_TOKEN, _NO_CANDIDATE_TOKEN = -1, -2
# The masks of the lowest 0, 1, .. 64 bits.
_LOWEST = np.array([(1 << bits) - 1 for bits in range(WORD + 1)], dtype=np.uint64)


def clipped_matches(tokens: Tokens, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
    """Count clipped matches.

    Parameters
    ----------
    tokens
        The token ids of all segments one after the other: image by image, the references in their order, then the
        candidates of the systems.
    lengths
        Their numbers of tokens, ``(images, references + systems)``.
    counts
        The numbers of references, ascending; the last one is that of all.
    max_order
        N.

    Returns
    -------
    ndarray
        ``(systems, reference counts, images, orders)``.
    """
    images, systems = len(lengths), lengths.shape[1] - counts[-1]
    # Laid out order by order, as they are written and read.
    matches = np.zeros((max_order, systems, len(counts), images), dtype=np.int32)
    sizes = lengths.sum(axis=1)
    for together, fit in _alike(lengths, counts[-1], max_order):
        inside = np.zeros(images, dtype=bool)
        inside[together] = True
        some = tokens if inside.all() else tokens[np.repeat(inside, sizes)]
        count = _count if fit else _count_long
        matches[..., together] = count(some, lengths[together], counts, max_order)
    return matches.transpose(1, 2, 3, 0)


def _alike(lengths: Integers, references: int, max_order: int) -> Iterator[tuple[Integers, bool]]:
    """Part images into those that take about as much room; tell of each part whether masks can hold it."""
    words = np.searchsorted(_WORDS, -(-lengths[:, :references].sum(axis=1) // WORD))
    longest = np.searchsorted(_LONGEST, lengths[:, references:].max(axis=1, initial=0))
    # A mask is moved by less than a word.
    fit = (words < len(_WORDS)) & (longest < len(_LONGEST)) & (max_order <= WORD)
    group = np.where(fit, words * len(_LONGEST) + longest, -1)
    for number in np.unique(group).tolist():
        places = np.flatnonzero(group == number)
        pairs = _LONGEST[number % len(_LONGEST)] ** 2 * (lengths.shape[1] - references)
        step = max(_PAIRS_AT_ONCE // pairs, 1)
        for first in range(0, len(places), step):
            yield places[first : first + step], number >= 0


def _count_long(tokens: Tokens, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
    """Count images that are too long for masks, one by one: ``(orders, systems, reference counts, images)``."""
    matches = np.zeros((max_order, lengths.shape[1] - counts[-1], len(counts), len(lengths)), dtype=np.int32)
    for image, of_image in enumerate(np.split(tokens, np.cumsum(lengths.sum(axis=1))[:-1])):
        unigrams, size = _numbered(np.split(of_image, np.cumsum(lengths[image])[:-1]))
        ngrams = unigrams
        for n in range(1, max_order + 1):
            if n > 1:
                ngrams, size = _numbered([a[:-1] * size + b[n - 1 :] for a, b in zip(ngrams, unigrams, strict=True)])
            held = [np.bincount(one, minlength=size) for one in ngrams[: counts[-1]]]
            ceilings = np.maximum.accumulate(held)[np.subtract(counts, 1)]
            for system, one in enumerate(ngrams[counts[-1] :]):
                matches[n - 1, system, :, image] = np.minimum(np.bincount(one, minlength=size), ceilings).sum(axis=1)
    return matches


def _numbered(segments: Sequence[NDArray[np.integer[Any]]]) -> tuple[list[Integers], int]:
    """Number what stands in some segments from 0; tell how many numbers there are."""
    distinct, numbers = np.unique(np.concatenate(segments), return_inverse=True)
    return np.split(numbers, np.cumsum(list(map(len, segments)))[:-1]), len(distinct)


def _count(tokens: Tokens, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
    """Count images that fit together, ``(orders, systems, reference counts, images)``."""
    matches = np.zeros((max_order, lengths.shape[1] - counts[-1], len(counts), len(lengths)), dtype=np.int32)
    references, candidates = _lay_out(tokens, lengths, counts[-1])
    masks = unigrams = _equal_tokens(candidates, references)
    own_bits = _bits_of_references(lengths[:, : counts[-1]], len(masks))
    earlier = _earlier(candidates, max_order)
    for n in range(1, min(max_order, len(candidates)) + 1):
        if n > 1:
            masks = masks[:, :-1] & _moved_down(unigrams[:, n - 1 :], n - 1)
            # One bit less of each reference begins an n-gram.
            own_bits = own_bits & _moved_down(own_bits, 1)
        times = next(earlier)
        first_time = times == 0
        bits_of_first = np.bitwise_or.accumulate(own_bits, axis=1)
        for place, k in enumerate(counts):
            held = reduce(np.bitwise_or, masks & bits_of_first[:, k - 1, None, None]) != 0
            matches[n - 1, :, place] = np.add.reduce(held & first_time, axis=0, dtype=np.int32)
        # Now held is what any reference holds.
        again = np.flatnonzero(held & ~first_time)
        if len(again):
            masks_again = masks.reshape(len(masks), -1)[:, again]
            matches[n - 1] += _count_again(again, masks_again, times.ravel()[again], own_bits, counts, matches.shape[1])
    return matches


def _count_again(
    places: Integers,
    masks: Masks,
    times: NDArray[np.unsignedinteger[Any]],
    own_bits: Masks,
    counts: tuple[int, ...],
    systems: int,
) -> Integers:
    """Count n-grams that their candidate holds ``times`` times before, ``(systems, reference counts, images)``."""
    images = own_bits.shape[-1]
    candidate = places % (systems * images)
    bits = masks[:, None] & np.take(own_bits, candidate % images, axis=-1)
    often_enough = np.bitwise_count(bits).sum(axis=0, dtype=np.int64) > times
    matched = np.flatnonzero(often_enough.any(axis=0))
    # The place of the smallest number of references that takes in the first that suffices.
    of_count = np.searchsorted(counts, often_enough[:, matched].argmax(axis=0), side="right")
    number = of_count * (systems * images) + candidate[matched]
    found = np.bincount(number, minlength=len(counts) * systems * images).reshape(len(counts), systems, images)
    return np.moveaxis(found.cumsum(axis=0), 0, 1)


def _lay_out(tokens: Tokens, lengths: Integers, references: int) -> tuple[Tokens, Tokens]:
    """Return references bit by bit, ``(images, bits)``, and candidates, ``(places, systems, images)``."""
    images = len(lengths)
    of_references, of_candidates = lengths[:, :references].sum(axis=1), lengths[:, references:]
    bits = WORD * max(-(-int(of_references.max()) // WORD), 1)
    longest = int(of_candidates.max(initial=0))
    # An image is a row: its references one after the other, then each candidate in a place of its own.
    taken = np.concatenate(
        [
            np.arange(bits) < of_references[:, None],
            (np.arange(longest) < of_candidates[..., None]).reshape(images, -1),
        ],
        axis=1,
    )
    # Small numbers are compared faster.
    laid = np.empty(taken.shape, dtype=np.min_scalar_type(-int(tokens.max(initial=0)) - 1))
    laid[:, :bits] = _NO_REFERENCE_TOKEN
    laid[:, bits:] = _NO_CANDIDATE_TOKEN
    laid[taken] = tokens
    candidates = laid[:, bits:].reshape(images, of_candidates.shape[1], longest).transpose(2, 1, 0)
    return np.ascontiguousarray(laid[:, :bits]), np.ascontiguousarray(candidates)


def _equal_tokens(candidates: Tokens, references: Tokens) -> Masks:
    """Return the masks of the candidates' tokens, ``(words, places, systems, images)``."""
    words = references.shape[1] // WORD
    masks = np.empty((words, *candidates.shape), dtype=np.uint64)
    step = max(_PAIRS_IN_CACHE // max(candidates[:1].size * references.shape[1], 1), 1)
    for first in range(0, len(candidates), step):
        some = candidates[first : first + step]
        packed = np.packbits(np.equal(some[..., None], references).reshape(-1), bitorder="little")
        masks[:, first : first + step] = np.moveaxis(packed.view("<u8").reshape(*some.shape, words), -1, 0)
    return masks


def _earlier(candidates: Tokens, max_order: int) -> Iterator[NDArray[np.unsignedinteger[Any]]]:
    """Yield, order by order, how often the n-gram at each place stands earlier in its candidate."""
    length = len(candidates)
    # Each place beside those before it, the nearest first.
    padded = np.full((2 * length, *candidates.shape[1:]), _NO_REFERENCE_TOKEN, dtype=np.int32)
    padded[length:] = candidates
    before = sliding_window_view(padded, length, axis=0)[:-1]
    unigrams = same = candidates == np.moveaxis(before, -1, 0)
    for n in range(1, max_order + 1):
        if n > 1:
            same = same[:, :-1] & unigrams[:, n - 1 :]
        yield np.add.reduce(same.view(np.uint8), axis=0, dtype=np.min_scalar_type(length))


def _moved_down(masks: Masks, bits: int) -> Masks:
    """Move masks down by some bits; what leaves one word enters the one below."""
    moved = masks >> np.uint64(bits)
    moved[:-1] |= masks[1:] << np.uint64(WORD - bits)
    return moved


def _bits_of_references(lengths: Integers, words: int) -> Masks:
    """Return the bits of each reference, ``(words, references, images)``."""
    last = np.cumsum(lengths, axis=1)
    word = np.arange(0, words * WORD, WORD)[:, None, None]
    below, through = (_LOWEST[np.clip(edge.T - word, 0, WORD)] for edge in (last - lengths, last))
    bits: Masks = below ^ through
    return bits

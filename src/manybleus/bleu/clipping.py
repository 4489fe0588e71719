"""Clipped matches of many captions at once: the array path of ``definition.clipped_matches``.

Each reference token of an image has a bit, in reference order, with an empty bit after each reference. The mask of a
candidate's token has the bits of the equal reference tokens. The mask of an n-gram, the places at which a reference
holds it, is that of its first n-1 tokens and, moved down by n-1 bits, that of its last one. Clipping then reads: the
n-gram that stands in the candidate for the r-th time (from 0) is matched by the first reference that holds it more than
r times, and by every number of references that takes this one in.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu import definition

Integers = NDArray[np.int64]
Masks = NDArray[np.uint64]

_WORD = 64
# Words of 64 bits that the references of an image take; images that take more are counted by the definition.
_GROUPS = (1, 2, 4, 8, 16)
_SIEVE = 1 << 18
_BITS = np.uint64(1) << np.arange(_WORD, dtype=np.uint64)
# The masks of the lowest 0, 1, .. 64 bits.
_LOWEST = np.array([(1 << bits) - 1 for bits in range(_WORD + 1)], dtype=np.uint64)


def clipped_matches(tokens: Integers, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
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
    sizes = lengths.sum(axis=1)
    words = -(-(lengths[:, : counts[-1]] + 1).sum(axis=1) // _WORD)
    # Images that take about as many words are counted together; a mask is moved by less than a word.
    group = np.searchsorted(_GROUPS, words if max_order <= _WORD else words + _GROUPS[-1])
    if len(lengths) and group[0] < len(_GROUPS) and (group == group[0]).all():
        return _count(tokens, lengths, counts, max_order)
    shape = max_order, lengths.shape[1] - counts[-1], len(counts), len(lengths)
    matches = np.zeros(shape, dtype=np.int32).transpose(1, 2, 3, 0)
    for number in range(len(_GROUPS)):
        inside = group == number
        if inside.any():
            matches[:, :, inside] = _count(tokens[np.repeat(inside, sizes)], lengths[inside], counts, max_order)
    ends = np.cumsum(sizes)
    for image in np.flatnonzero(group == len(_GROUPS)).tolist():
        segments = np.split(tokens[ends[image] - sizes[image] : ends[image]], np.cumsum(lengths[image])[:-1])
        matches[:, :, image] = _by_definition([list(map(str, one)) for one in segments], counts, max_order)
    return matches


def _by_definition(segments: list[list[str]], counts: tuple[int, ...], max_order: int) -> Integers:
    return np.array(
        [
            [[definition.clipped_matches(candidate, segments[:k], n) for n in range(1, max_order + 1)] for k in counts]
            for candidate in segments[counts[-1] :]
        ]
    )


class _Layout(NamedTuple):
    """Where the tokens stand.

    Attributes
    ----------
    words
        The words of 64 bits that an image's references take.
    starts
        Of each segment, ``(images, references + systems)``: a reference's first bit, with those of the images before
        it, or a candidate's first position, above all bits. A position is left empty after each candidate.
    bits, positions
        How many bits and positions there are.
    owner, first_bit
        Of each position: its candidate, ``system * images + image``, and the first bit of its image.
    """

    words: int
    starts: Integers
    bits: int
    positions: int
    owner: Integers
    first_bit: Integers


def _lay_out(lengths: Integers, references: int) -> _Layout:
    images = len(lengths)
    spans = lengths + 1
    ends = np.cumsum(spans[:, :references], axis=1)
    words = -(-int(ends[:, -1].max()) // _WORD)
    bits = images * words * _WORD
    of_candidates = spans[:, references:].ravel()
    positions = np.cumsum(of_candidates)
    first_bits = np.arange(0, bits, words * _WORD)
    starts = np.empty_like(lengths)
    starts[:, :references] = ends - spans[:, :references] + first_bits[:, None]
    starts[:, references:] = (bits + positions - of_candidates).reshape(images, -1)
    owner = np.repeat(np.arange(len(of_candidates)).reshape(-1, images).T.ravel(), of_candidates)
    return _Layout(words, starts, bits, int(positions[-1]), owner, first_bits[owner % images])


def _count(tokens: Integers, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
    images, slots = lengths.shape
    references = counts[-1]
    candidates = images * (slots - references)
    # Laid out order by order, as they are written and read.
    matches = np.zeros((max_order, slots - references, len(counts), images), dtype=np.int32)
    layout = _lay_out(lengths, references)
    unigrams, repeated, names = _unigram_masks(tokens, lengths, layout)
    again = _again(repeated, names, layout)
    reference_of_bit = _reference_of_bit(lengths[:, :references], layout)
    own_bits = _own_bits(lengths[:, :references], layout)
    # The place of the first reference count that takes in a reference.
    enough = np.searchsorted(counts, np.arange(references), side="right")
    masks = unigrams
    for n in range(max_order):
        if n:
            masks = masks[:, :-1] & _moved_down(unigrams[:, n:], n)
        held: NDArray[np.bool_] = np.bitwise_or.reduce(masks) != 0
        late, times = next(again)
        found = held[late]
        late, times = late[found], times[found]
        held[late] = False
        early = np.flatnonzero(held)
        first = reference_of_bit[layout.first_bit[early] + _lowest_bit(masks[:, early])]
        cells = enough[first] * candidates + layout.owner[early]
        by_count = np.bincount(cells, minlength=len(counts) * candidates)
        if len(late):
            owner = layout.owner[late]
            held_often = (
                np.bitwise_count(masks[:, late, None] & own_bits[:, owner % images]).sum(axis=0) > times[:, None]
            )
            matched = np.flatnonzero(held_often.any(axis=1))
            cells = enough[held_often[matched].argmax(axis=1)] * candidates + owner[matched]
            by_count += np.bincount(cells, minlength=len(counts) * candidates)
        np.cumsum(by_count.reshape(len(counts), -1, images), axis=0, out=matches[n].transpose(1, 0, 2))
    return matches.transpose(1, 2, 3, 0)


def _unigram_masks(tokens: Integers, lengths: Integers, layout: _Layout) -> tuple[Masks, Integers, Integers]:
    """Return the masks of the tokens, ``(words, positions)``, and what ``_again`` needs to know."""
    # A key is image, token and place; sorted, the places of one token in one image stand together, references first.
    size = (layout.bits + layout.positions).bit_length()
    flat = lengths.ravel()
    images = np.arange(len(lengths))[:, None] * (int(tokens.max(initial=0)) + 1)
    keys = np.repeat(((images << size) + layout.starts).ravel() - (np.cumsum(flat) - flat), flat)
    keys += tokens << size
    keys += np.arange(len(tokens))
    keys = keys[_perhaps_shared(keys >> size, keys & ((1 << size) - 1) < layout.bits)]
    keys.sort()
    token = np.cumsum(_changes(keys >> size)) - 1
    place = keys & ((1 << size) - 1)
    of_candidate = place >= layout.bits
    inside, outside = np.flatnonzero(~of_candidate), np.flatnonzero(of_candidate)
    bit, cell = place[inside], token[inside]
    if layout.words > 1:
        cell = cell * layout.words + (bit // _WORD) % layout.words
    begins = np.flatnonzero(_changes(cell))
    # Bits that differ add up to their union; the difference of two running sums is right even where they overflow.
    sums = np.zeros(len(bit) + 1, dtype=np.uint64)
    np.cumsum(_BITS[bit & (_WORD - 1)], out=sums[1:])
    union = np.zeros(layout.words * (int(token[-1]) + 1 if len(token) else 0), dtype=np.uint64)
    union[cell[begins]] = sums[np.append(begins[1:], len(bit))] - sums[begins]
    token, position = token[outside], place[outside] - layout.bits
    masks = np.zeros((layout.words, layout.positions), dtype=np.uint64)
    for word in range(layout.words):
        masks[word, position] = union[token * layout.words + word]
    name = token * len(layout.owner) + layout.owner[position]
    again = np.flatnonzero(~_changes(name))
    repeated = np.zeros(len(name), dtype=bool)
    repeated[again] = repeated[again - 1] = True
    several = np.flatnonzero(repeated)
    return masks, position[several], np.cumsum(_changes(name[several]))


def _perhaps_shared(key: Integers, of_reference: NDArray[np.bool_]) -> Integers:
    """Return the places whose token may stand both in a candidate and in a reference: a sieve before the sort."""
    sieve = key & (_SIEVE - 1)
    in_references, in_candidates = np.zeros((2, _SIEVE), dtype=bool)
    in_references[sieve[of_reference]] = True
    in_candidates[sieve[~of_reference]] = True
    return np.flatnonzero((in_candidates & in_references)[sieve])


def _again(repeated: Integers, names: Integers, layout: _Layout) -> Iterator[tuple[Integers, Integers]]:
    """Yield, order by order, the positions of n-grams that stand before in their candidate, and how often they do.

    ``repeated`` are the positions at which a token stands several times in its candidate, ``names`` tells them apart.
    """
    unigram = np.full(layout.positions + 1, -1)
    unigram[repeated] = names
    for n in count(1):
        # Places of one name stay in their order.
        order = np.argsort(names, kind="stable")
        repeated = repeated[order]
        changes = _changes(names[order])
        name = np.cumsum(changes) - 1
        times = np.arange(len(name)) - np.flatnonzero(changes)[name]
        yield repeated[~changes], times[~changes]
        # An n-gram of the next order is one of this order and one more token.
        last = unigram[np.minimum(repeated + n, layout.positions)]
        goes_on = np.flatnonzero(last >= 0)
        repeated, names = repeated[goes_on], name[goes_on] * len(unigram) + last[goes_on]


def _moved_down(masks: Masks, bits: int) -> Masks:
    """Move masks down by some bits; what leaves one word enters the one below."""
    moved = masks >> np.uint64(bits)
    moved[:-1] |= masks[1:] << np.uint64(_WORD - bits)
    return moved


def _lowest_bit(masks: Masks) -> Integers:
    """Return the number of the lowest bit of each mask, ``(words, n)`` in; each has one."""
    word, below = masks[0], np.int64(-1)
    for next_word in masks[1:]:
        empty = word == 0
        word = np.where(empty, next_word, word)
        below = below + _WORD * empty
    found: Integers = below + np.bitwise_count(word ^ (word - np.uint64(1)))
    return found


def _reference_of_bit(lengths: Integers, layout: _Layout) -> NDArray[np.int16]:
    """Return the reference that each bit of the images belongs to."""
    images, references = lengths.shape
    spans = np.empty((images, references + 1), dtype=np.int64)
    spans[:, :-1] = lengths + 1
    spans[:, -1] = layout.words * _WORD - spans[:, :-1].sum(axis=1)
    return np.repeat(np.tile(np.arange(references + 1, dtype=np.int16), images), spans.ravel())


def _own_bits(lengths: Integers, layout: _Layout) -> Masks:
    """Return the bits of each reference, ``(words, images, references)``."""
    first = layout.starts[:, : lengths.shape[1]] % (layout.words * _WORD)
    word = np.arange(0, layout.words * _WORD, _WORD)[:, None, None]
    below, through = (_LOWEST[np.clip(bits - word, 0, _WORD)] for bits in (first, first + lengths))
    bits: Masks = below ^ through
    return bits


def _changes(values: Integers) -> NDArray[np.bool_]:
    """Tell where a value differs from the one before it; the first one does."""
    changed = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed

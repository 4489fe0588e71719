"""From captions to statistics: m, c and the reference lengths of every system, image and reference count, in one pass.

This is the array path of ``definition.clipped_matches``. All n-grams of an order are sorted once, by n-gram and then
by place; a running maximum over the references of each n-gram, in reference order, is the clip for every nested
reference count at once. The id of an n-gram is the pair of its first (n-1)-gram and its last (token), so that no text
is touched after tokenization.
"""

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.encoding import Encoded, cut, encode
from manybleus.bleu.tokens import check_scheme, check_texts
from manybleus.captions import Captions
from manybleus.errors import ManybleusError, check_order
from manybleus.files import write_bytes

Integers = NDArray[np.int64]
Scheme = tuple[str, str]
LengthRule = Callable[[Integers, Integers], tuple[Integers, Integers]]

_CHUNKS_PER_SHARD = 1 << 17
_IMAGES_PER_SHARD = 1 << 14


@dataclass(frozen=True, slots=True)
class SchemeStatistics:
    """The statistics under one case rule and one tokenizer.

    Attributes
    ----------
    matches
        m_n, ``(systems, reference counts, images, orders)``.
    candidate_lengths
        c, ``(systems, images)``; t_n is c - n + 1 where that is positive.
    reference_lengths
        ``(images, references)``, in tokens; -1 where an image has no such reference.
    """

    matches: Integers
    candidate_lengths: Integers
    reference_lengths: Integers

    def totals(self, max_order: int) -> Integers:
        """t_n, ``(systems, images, orders)``."""
        return np.maximum(self.candidate_lengths[..., None] - np.arange(max_order), 0)


_ARRAYS = tuple(field.name for field in fields(SchemeStatistics))


@dataclass(frozen=True, slots=True)
class CaptionStatistics:
    """The statistics of a set of captions: by scheme, for the systems and reference counts named here."""

    systems: tuple[str, ...]
    reference_counts: tuple[int, ...]
    schemes: Mapping[Scheme, SchemeStatistics]
    digest: str

    def place_of(self, references: int | str) -> int:
        """Return the place of a number of references on the second axis of the matches."""
        wanted = self.reference_counts[-1] if references == "all" else references
        if wanted not in self.reference_counts:
            counted = ", ".join(map(str, self.reference_counts))
            raise ManybleusError(f"nothing was counted for {references} references, but for {counted}; count them too")
        return self.reference_counts.index(int(wanted))

    def save(self, path: Path) -> None:
        """Write the statistics as one ``.npz`` file."""
        header = {"systems": self.systems, "reference_counts": self.reference_counts, "digest": self.digest}
        arrays = {
            f"{case}/{tokenizer}/{name}": getattr(counted, name)
            for (case, tokenizer), counted in self.schemes.items()
            for name in _ARRAYS
        }
        content = io.BytesIO()
        np.savez(content, header=np.array(json.dumps(header)), **arrays)
        write_bytes(path, content.getvalue())

    @classmethod
    def load(cls, path: Path) -> "CaptionStatistics":
        """Read statistics that ``save`` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            header = json.loads(str(arrays["header"]))
            names = dict.fromkeys(tuple(key.split("/")[:2]) for key in arrays.files if key != "header")
            schemes = {
                (case, tokenizer): SchemeStatistics(*(arrays[f"{case}/{tokenizer}/{name}"] for name in _ARRAYS))
                for case, tokenizer in names
            }
        return cls(tuple(header["systems"]), tuple(header["reference_counts"]), schemes, header["digest"])


def caption_statistics(
    captions: Captions, schemes: Sequence[Scheme], reference_counts: Sequence[int | str], max_order: int
) -> CaptionStatistics:
    """Count what every configuration over these schemes and reference counts needs.

    Parameters
    ----------
    captions
        References and candidates.
    schemes
        Pairs of a case rule and a tokenizer.
    reference_counts
        Numbers of references, or ``"all"``; an image with fewer gives all that it has.
    max_order
        The largest N.

    Raises
    ------
    ManybleusError
        If a reference count is larger than that of every image.
    """
    check_order(max_order)
    for scheme in schemes:
        check_scheme(*scheme)
    _check_captions(captions)
    odd = [count for count in reference_counts if count != "all" and not isinstance(count, int)]
    if odd:
        raise ManybleusError(f"references: {odd[0]!r} is not a whole number from 1 or 'all'")
    most = max(map(len, captions.references))
    counts = tuple(sorted({most if count == "all" else int(count) for count in (*reference_counts, "all")}))
    wrong = [count for count in counts if not 1 <= count <= most]
    if wrong:
        raise ManybleusError(f"references: {wrong[0]} are asked for; valid is 1 to {most}, the most that an image has")
    missing = np.zeros((len(captions.references), most + len(captions.systems)), dtype=bool)
    missing[:, :most] = np.arange(most) >= np.array([len(texts) for texts in captions.references])[:, None]
    absent = [""] * most
    rows = zip(captions.references, *captions.systems.values(), strict=True)
    texts = [
        text for references, *candidates in rows for text in (*references, *absent[len(references) :], *candidates)
    ]
    chunks = cut(texts)
    counted = {
        scheme: _count_scheme(encode(texts, chunks, *scheme), missing, counts, max_order)
        for scheme in dict.fromkeys(schemes)
    }
    return CaptionStatistics(tuple(captions.systems), counts, counted, captions.digest)


def _check_captions(captions: Captions) -> None:
    if not captions.references or not captions.systems:
        raise ManybleusError("there is nothing to count: give at least one image and one system")
    given: Iterable[object] = captions.references
    for image_id, references in zip(captions.image_ids, given, strict=True):
        if isinstance(references, str) or not references:
            raise ManybleusError(f"image {image_id!r} needs a list of at least one reference, not {references!r:.60}")
    images = len(captions.references)
    for system, texts in captions.systems.items():
        if len(texts) != images:
            raise ManybleusError(f"system {system} has {len(texts)} captions for {images} images; give one for each")
    check_texts(text for texts in (*captions.references, *captions.systems.values()) for text in texts)


def _count_scheme(
    encoded: Encoded, missing: NDArray[np.bool_], counts: tuple[int, ...], max_order: int
) -> SchemeStatistics:
    """Count one scheme shard by shard, so that the work fits into the processor's cache and memory stays bounded."""
    images, slots = missing.shape
    references = counts[-1]
    lengths = np.empty((images, slots), dtype=np.int64)
    matches = np.empty((slots - references, len(counts), images, max_order), dtype=np.int32)
    chunks = np.add.reduceat(np.diff(encoded.texts), np.arange(0, images * slots, slots))
    first = 0
    while first < images:
        sizes = np.cumsum(chunks[first : first + _IMAGES_PER_SHARD])
        last = first + max(int(np.searchsorted(sizes, _CHUNKS_PER_SHARD, side="right")), 1)
        tokens, found = encoded.take(first * slots, last * slots)
        lengths[first:last] = found.reshape(-1, slots)
        matches[:, :, first:last] = _clipped_matches(tokens, lengths[first:last], counts, max_order)
        first = last
    lengths[missing] = -1
    return SchemeStatistics(matches, np.ascontiguousarray(lengths[:, references:].T), lengths[:, :references].copy())


def _clipped_matches(tokens: Integers, lengths: Integers, counts: tuple[int, ...], max_order: int) -> NDArray[np.int32]:
    """Count clipped matches, ``(systems, reference counts, images, orders)``.

    ``tokens`` holds the token ids of all segments one after the other: image by image, the references in their order,
    then the systems; ``lengths`` their numbers of tokens, ``(images, references + systems)``.
    """
    images, slots = lengths.shape
    references = counts[-1]
    matches = np.zeros((slots - references, len(counts), images, max_order), dtype=np.int32)
    if not len(tokens):
        return matches
    flat = lengths.ravel()
    image_of, slot_of = np.divmod(np.arange(lengths.size), slots)
    segment = np.repeat(np.arange(lengths.size), flat)
    key = np.repeat(image_of * (int(tokens.max()) + 1), flat) + tokens
    places = _perhaps_shared(key, np.repeat(slot_of >= references, flat))
    key = key[places]
    bits = len(tokens).bit_length()
    for n in range(max_order):
        if not len(places):
            break
        order = np.sort(key << bits | places)
        places = order & ((1 << bits) - 1)
        # The places of one n-gram stand together, in the order of the slots: the references' before the systems'.
        begins = np.flatnonzero(_changes(order >> bits))
        ends = np.append(begins[1:], len(places))
        first_slot, last_slot = slot_of[segment[places[begins]]], slot_of[segment[places[ends - 1]]]
        shared = (first_slot < references) & (last_slot >= references)
        sizes = (ends - begins)[shared]
        places = places[np.repeat(shared, ends - begins)]
        gram = np.repeat(np.arange(len(sizes)), sizes)
        # One run is one n-gram in one segment.
        home = segment[places]
        runs = np.flatnonzero(_changes(gram) | _changes(home))
        times = np.diff(runs, append=len(places))
        home = home[runs]
        matches[..., n] = _clip(gram[runs], slot_of[home], image_of[home], times, counts, matches.shape)
        # An n-gram of the next order is a pair of overlapping ones of this order.
        shares = np.zeros(len(tokens) + 1, dtype=bool)
        shares[places] = True
        name = np.empty(len(tokens), dtype=np.int64)
        name[places] = gram
        places = np.flatnonzero(shares[:-1] & shares[1:])
        places = places[segment[places] == segment[places + 1]]
        key = name[places] * len(sizes) + name[places + 1]
    return matches


def _clip(
    gram: Integers, slot: Integers, image: Integers, times: Integers, counts: tuple[int, ...], shape: tuple[int, ...]
) -> NDArray[np.int32]:
    """Clip the runs of candidates at the longest run of the same n-gram among the first references, and add them up.

    Most n-grams stand once in a candidate, and then only the first reference that holds it matters. The rest needs the
    running maximum over the references. Returns ``(systems, reference counts, images)``.
    """
    systems, ks, images, _ = shape
    candidate = np.flatnonzero(slot >= counts[-1])
    cell = (slot[candidate] - counts[-1]) * images + image[candidate]
    begins = np.flatnonzero(_changes(gram))
    repeated = np.zeros(len(begins), dtype=bool)
    repeated[gram[candidate[times[candidate] > 1]]] = True
    once = ~repeated[gram[candidate]]
    # The place of the first reference count that takes in the first reference with the n-gram.
    enough = np.searchsorted(counts, slot[begins], side="right")[gram[candidate[once]]]
    found = np.bincount(cell[once] * ks + enough, minlength=systems * images * ks)
    clipped = np.cumsum(found.reshape(systems, images, ks), axis=-1).transpose(0, 2, 1).astype(np.int32)
    if repeated.any():
        inside = repeated[gram]
        slot, times = slot[inside], times[inside]
        floor = gram[inside] * (int(times.max()) + 1)
        candidate = np.flatnonzero(slot >= counts[-1])
        for k, count in enumerate(counts):
            ceiling = np.maximum.accumulate(floor + np.where(slot < count, times, 0)) - floor
            of_runs = np.minimum(times, ceiling)[candidate]
            more = np.bincount(cell[~once], of_runs, systems * images)
            clipped[:, k] += more.reshape(systems, images).astype(np.int32)
    return clipped


def _changes(values: Integers) -> NDArray[np.bool_]:
    """Tell where a value differs from the one before it; the first one does."""
    changed = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def _perhaps_shared(key: Integers, of_candidate: NDArray[np.bool_]) -> Integers:
    """Return the places whose n-gram may stand both in a candidate and in a reference: a sieve before the sort."""
    size = 1 << 18
    sieve = key & (size - 1)
    in_candidates, in_references = np.zeros((2, size), dtype=bool)
    in_candidates[sieve[of_candidate]] = True
    in_references[sieve[~of_candidate]] = True
    return np.flatnonzero((in_candidates & in_references)[sieve])


def effective_reference_lengths(
    candidate_lengths: Integers, reference_lengths: Integers, rule: str
) -> tuple[Integers, Integers]:
    """Apply a length rule to all candidates at once.

    Parameters
    ----------
    candidate_lengths
        c, ``(systems, images)``.
    reference_lengths
        ``(images, references)``; -1 where there is no such reference.
    rule
        A name in ``definition.LENGTH_RULES``.

    Returns
    -------
    numerators, denominators
        r as a fraction, ``(systems, images)`` and ``(images,)``: integers, so that sums over images are exact.
    """
    if rule not in _LENGTH_RULES:
        raise ManybleusError(f"no array form of the reference length rule {rule!r}; add one beside the others")
    return _LENGTH_RULES[rule](candidate_lengths, reference_lengths)


def _averages(candidate_lengths: Integers, reference_lengths: Integers) -> tuple[Integers, Integers]:
    present = reference_lengths >= 0
    totals = np.where(present, reference_lengths, 0).sum(axis=1)
    return np.broadcast_to(totals, candidate_lengths.shape), np.count_nonzero(present, axis=1).astype(np.int64)


def _of_images(lengths: Callable[[Integers], Integers]) -> LengthRule:
    def apply(candidate_lengths: Integers, reference_lengths: Integers) -> tuple[Integers, Integers]:
        found = lengths(reference_lengths)
        return np.broadcast_to(found, candidate_lengths.shape), np.ones_like(found)

    return apply


def _closest(candidate_lengths: Integers, reference_lengths: Integers) -> tuple[Integers, Integers]:
    shorter_first = np.sort(_without_absent(reference_lengths), axis=1)
    distances = np.abs(shorter_first[None] - candidate_lengths[..., None])
    nearest = distances.argmin(axis=2)
    found = np.take_along_axis(shorter_first[None], nearest[..., None], axis=2)[..., 0]
    return found, np.ones(len(reference_lengths), dtype=np.int64)


def _without_absent(reference_lengths: Integers) -> Integers:
    """Lengths with an absent reference longer than any."""
    return np.where(reference_lengths >= 0, reference_lengths, np.iinfo(np.int64).max // 4)


# The array forms of definition.LENGTH_RULES.
_LENGTH_RULES: dict[str, LengthRule] = {
    "closest": _closest,
    "shortest": _of_images(lambda lengths: _without_absent(lengths).min(axis=1)),
    "average": _averages,
    "longest": _of_images(lambda lengths: lengths.max(axis=1)),
}

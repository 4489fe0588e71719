"""From captions to statistics: m, c and the reference lengths of every system, image and reference count, in one pass.

This is the array path of ``definition.clipped_matches``. All n-grams of an order are sorted once, by n-gram and then
by place; a running maximum over the references of each n-gram, in reference order, is the clip for every nested
reference count at once. The id of an n-gram is the pair of its first (n-1)-gram and its last (token), so that no text
is touched after tokenization.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.tokens import tokenize
from manybleus.captions import Captions
from manybleus.errors import ManybleusError
from manybleus.files import write_bytes

Integers = NDArray[np.int64]
Scheme = tuple[str, str]

_TOKENS_PER_SHARD = 1 << 18


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
        return self.reference_counts.index(self.reference_counts[-1] if references == "all" else int(references))

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
    most = max(map(len, captions.references))
    counts = tuple(sorted({most if count == "all" else int(count) for count in (*reference_counts, "all")}))
    if counts[-1] > most or counts[0] < 1:
        raise ManybleusError(f"references: {counts[-1]} are asked for, and no image has more than {most}")
    counted = {scheme: _count_scheme(captions, scheme, counts, max_order) for scheme in dict.fromkeys(schemes)}
    return CaptionStatistics(tuple(captions.systems), counts, counted, captions.digest)


def _count_scheme(captions: Captions, scheme: Scheme, counts: tuple[int, ...], max_order: int) -> SchemeStatistics:
    references, systems = counts[-1], len(captions.systems)
    vocabulary: dict[str, int] = {}
    chunk_tokens: dict[str, list[int]] = {}

    def encode(text: str) -> list[int]:
        ids: list[int] = []
        for chunk in text.split():
            if chunk not in chunk_tokens:
                found = tokenize(chunk, *scheme)
                chunk_tokens[chunk] = [vocabulary.setdefault(token, len(vocabulary)) for token in found]
            ids += chunk_tokens[chunk]
        return ids

    images = len(captions.references)
    lengths = np.full((images, references + systems), -1, dtype=np.int64)
    matches = np.zeros((systems, len(counts), images, max_order), dtype=np.int64)
    shard: list[int] = []
    start = 0
    for image in range(images):
        candidates = [texts[image] for texts in captions.systems.values()]
        slots = [*enumerate(captions.references[image]), *enumerate(candidates, start=references)]
        for slot, text in slots:
            ids = encode(text)
            lengths[image, slot] = len(ids)
            shard += ids
        if len(shard) > _TOKENS_PER_SHARD or image == images - 1:
            part = slice(start, image + 1)
            tokens = np.array(shard, dtype=np.int64)
            matches[:, :, part] = _clipped_matches(tokens, np.maximum(lengths[part], 0), counts, max_order)
            shard, start = [], image + 1
    return SchemeStatistics(matches, np.ascontiguousarray(lengths[:, references:].T), lengths[:, :references])


def _clipped_matches(tokens: Integers, lengths: Integers, counts: tuple[int, ...], max_order: int) -> Integers:
    """Count clipped matches, ``(systems, reference counts, images, orders)``.

    ``tokens`` holds the token ids of all segments one after the other: image by image, the references in their order,
    then the systems; ``lengths`` their numbers of tokens, ``(images, references + systems)``.
    """
    images, slots = lengths.shape
    references = counts[-1]
    systems = slots - references
    matches = np.zeros((systems, len(counts), images, max_order), dtype=np.int64)
    segment = np.repeat(np.arange(lengths.size), lengths.ravel())
    left = np.repeat(np.cumsum(lengths.ravel()), lengths.ravel()) - np.arange(len(tokens))
    bits = len(tokens).bit_length()
    places = np.arange(len(tokens))
    gram, last = segment // slots, tokens
    for n in range(max_order):
        places = places[left[places] > n]
        if not len(places):
            break
        key = gram[places] * (int(last.max()) + 1) + last[places + n]
        order = np.sort(key << bits | places)
        place = order & ((1 << bits) - 1)
        new_gram = np.diff(order >> bits, prepend=-1) != 0
        number = np.cumsum(new_gram) - 1
        gram = np.zeros(len(tokens), dtype=np.int64)
        gram[place] = number
        if n == 0:
            last = gram
        # One run is one n-gram in one segment; the runs of an n-gram stand in the order of the slots.
        home = segment[place]
        starts = np.flatnonzero(new_gram | (np.diff(home, prepend=-1) != 0))
        run_count = np.diff(starts, append=len(place))
        run_image, run_slot = np.divmod(home[starts], slots)
        group = number[starts] * (int(run_count.max()) + 1)
        candidate = run_slot >= references
        cell = (run_slot[candidate] - references) * images + run_image[candidate]
        for k, count in enumerate(counts):
            ceiling = np.maximum.accumulate(group + np.where(run_slot < count, run_count, 0)) - group
            clipped = np.minimum(run_count, ceiling)[candidate]
            matches[:, k, :, n] = np.bincount(cell, clipped, systems * images).reshape(systems, images)
    return matches


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
    present = reference_lengths >= 0
    one = np.ones(len(reference_lengths), dtype=np.int64)
    everywhere = np.ones_like(candidate_lengths)
    if rule == "average":
        total = np.where(present, reference_lengths, 0).sum(axis=1)
        return everywhere * total, np.count_nonzero(present, axis=1).astype(np.int64)
    absent = np.iinfo(np.int64).max // 4
    if rule == "shortest":
        return everywhere * np.where(present, reference_lengths, absent).min(axis=1), one
    if rule == "closest":
        shorter_first = np.sort(np.where(present, reference_lengths, absent), axis=1)
        distance = np.abs(shorter_first[None] - candidate_lengths[..., None])
        nearest = distance.argmin(axis=2)
        return np.take_along_axis(shorter_first[None], nearest[..., None], axis=2)[..., 0], one
    raise ManybleusError(f"no array form of the reference length rule {rule!r}")

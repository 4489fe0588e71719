"""From captions to statistics: m, c and the reference lengths of every system, image and reference count, in one pass.

Texts become token ids once for each scheme, and no text is touched after that; ``clipping.py`` counts the matches.
"""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from operator import methodcaller
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from manybleus.arrays import Integers
from manybleus.bleu.clipping import WORD, clipped_matches
from manybleus.bleu.encoding import Encoded, cut, encode
from manybleus.bleu.tokens import Scheme, check_scheme, check_texts
from manybleus.captions import Captions
from manybleus.errors import MOST_COUNTED_ORDERS, ManybleusError, check_list, check_order, is_whole, shown
from manybleus.files import write_bytes
from manybleus.text import counted

LengthRule = Callable[[Integers, Integers], tuple[Integers, Integers]]

_CHUNKS_PER_SHARD = 1 << 16
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

    matches: NDArray[np.integer[Any]]
    candidate_lengths: Integers
    reference_lengths: Integers

    def totals(self, max_order: int) -> Integers:
        """t_n, ``(systems, images, orders)``."""
        return np.moveaxis(ngram_totals(self.candidate_lengths, max_order), 0, -1)


def ngram_totals(candidate_lengths: Integers, max_order: int) -> Integers:
    """Return t_1, t_2, .. of candidates of some lengths, ``(orders, ...)``."""
    orders = np.arange(max_order).reshape(-1, *[1] * candidate_lengths.ndim)
    totals: Integers = np.maximum(candidate_lengths - orders, 0)
    return totals


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
        wanted = self.reference_counts[-1] if isinstance(references, str) and references == "all" else references
        if not is_whole(wanted) or wanted not in self.reference_counts:
            counted, asked = ", ".join(map(str, self.reference_counts)), shown(references)
            raise ManybleusError(f"nothing was counted for {asked} references, but for {counted}; count them too")
        return self.reference_counts.index(wanted)

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
    check_order(max_order, MOST_COUNTED_ORDERS)
    check_list(schemes, "pairs of case and tokenizer")
    for scheme in schemes:
        check_scheme(scheme)
    distinct_schemes = list(dict.fromkeys(schemes))
    _check_captions(captions)
    check_list(reference_counts, "numbers of references")
    odd = [count for count in reference_counts if not (count == "all" if isinstance(count, str) else is_whole(count))]
    if odd:
        raise ManybleusError(f"references: {shown(odd[0])} is not a whole number from 1 or 'all'")
    most = max(map(len, captions.references))
    counts = tuple(sorted({most if count == "all" else int(count) for count in (*reference_counts, "all")}))
    wrong = [count for count in counts if not 1 <= count <= most]
    if wrong:
        span = f"1 to {most}" if most > 1 else "1"
        raise ManybleusError(
            f"references: {shown(wrong[0])} are asked for; valid is {span}, the most that an image has"
        )
    missing = np.arange(most) >= np.array([len(texts) for texts in captions.references])[:, None]
    absent = [""] * most
    rows = [
        (*references, *absent[len(references) :], *candidates)
        for references, *candidates in zip(captions.references, *captions.systems.values(), strict=True)
    ]
    # Images that take like room in clipped_matches stand together.
    words = np.array([" ".join(references).count(" ") // WORD for references in captions.references])
    longest = np.max([list(map(methodcaller("count", " "), texts)) for texts in captions.systems.values()], axis=0)
    order = np.lexsort([longest, words])
    ordered = list(chain.from_iterable(map(rows.__getitem__, order.tolist())))
    chunks = cut(ordered)
    counted = _count(encode(ordered, chunks, distinct_schemes), order, missing, counts, max_order)
    by_scheme = dict(zip(distinct_schemes, counted, strict=True))
    return CaptionStatistics(tuple(captions.systems), counts, by_scheme, captions.digest)


def _check_captions(captions: Captions) -> None:
    if not isinstance(captions, Captions):
        raise ManybleusError(f"Captions are meant, not {shown(captions)}")
    if not captions.references or not captions.systems:
        raise ManybleusError("there is nothing to count: give at least one image and one system")
    images = len(captions.references)
    if len(captions.image_ids) != images or len(set(captions.image_ids)) != images:
        raise ManybleusError(f"each image has an id of its own: give {counted(images, 'id')}, no two of them alike")
    for image_id, references in zip(captions.image_ids, captions.references, strict=True):
        if not isinstance(references, list | tuple) or not references:
            image = f"image {shown(image_id)}"
            check_list(references, f"references of {image}")
            raise ManybleusError(f"{image} needs at least one reference; an empty caption counts as one")
    for system, texts in captions.systems.items():
        check_list(texts, f"captions of system {system}")
        if len(texts) != images:
            given = counted(len(texts), "caption")
            raise ManybleusError(f"system {system} has {given} for {counted(images, 'image')}; give one for each")
    check_texts(chain.from_iterable((*captions.references, *captions.systems.values())))


def _count(
    encoded: Iterable[Encoded], order: Integers, missing: NDArray[np.bool_], counts: tuple[int, ...], max_order: int
) -> list[SchemeStatistics]:
    """Count schemes shard by shard, so that the work fits into the processor's cache and memory stays bounded.

    ``encoded`` holds the images in that order, each with its references and then its candidates, under each scheme;
    ``missing`` tells which references there are not, ``(images, references)``. Small shards are counted together.
    """
    images, references = missing.shape
    counted: list[tuple[NDArray[np.int32], Integers]] = []
    waiting: list[_Shard] = []
    for texts in encoded:
        slots = len(texts.lengths) // images
        # Laid out order by order, as clipped_matches gives them.
        matches = np.empty((max_order, slots - references, len(counts), images), dtype=np.int32)
        lengths = np.empty((images, slots), dtype=np.int64)
        counted.append((matches, lengths))
        for first, last in _shards(texts.lengths.reshape(images, slots).sum(axis=1)):
            tokens, sizes = texts.take(first * slots, last * slots)
            lengths[order[first:last]] = sizes.reshape(-1, slots)
            waiting.append(_Shard(tokens, sizes.reshape(-1, slots), matches[..., first:last]))
            if sum(len(shard.tokens) for shard in waiting) >= _CHUNKS_PER_SHARD // 2:
                _count_matches(waiting, counts, max_order)
                waiting.clear()
    _count_matches(waiting, counts, max_order)
    place = np.argsort(order)
    return [
        SchemeStatistics(
            np.moveaxis(np.take(matches, place, axis=-1), 0, -1),
            np.ascontiguousarray(lengths[:, references:].T),
            np.where(missing, -1, lengths[:, :references]),
        )
        for matches, lengths in counted
    ]


class _Shard(NamedTuple):
    """Some images: their tokens, the lengths of their segments, and where the matches go."""

    tokens: NDArray[np.int32]
    lengths: Integers
    matches: NDArray[np.int32]


def _shards(chunks: Integers) -> Iterator[tuple[int, int]]:
    """Part images, with that many chunks each, into shards."""
    first = 0
    while first < len(chunks):
        sizes = np.cumsum(chunks[first : first + _IMAGES_PER_SHARD])
        last = first + max(int(np.searchsorted(sizes, _CHUNKS_PER_SHARD, side="right")), 1)
        yield first, last
        first = last


def _count_matches(shards: Sequence[_Shard], counts: tuple[int, ...], max_order: int) -> None:
    if shards:
        tokens, lengths = np.concatenate([s.tokens for s in shards]), np.concatenate([s.lengths for s in shards])
        matches = np.moveaxis(clipped_matches(tokens, lengths, counts, max_order), -1, 0)
        ends = np.cumsum([len(shard.lengths) for shard in shards])
        for shard, part in zip(shards, np.split(matches, ends[:-1], axis=-1), strict=True):
            shard.matches[...] = part


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
    if not isinstance(rule, str) or rule not in _LENGTH_RULES:
        raise ManybleusError(f"no array form of the reference length rule {shown(rule)}; add one beside the others")
    return _LENGTH_RULES[rule](candidate_lengths, reference_lengths)


def weighted_by_length(aggregation: str) -> bool | None:
    """Tell of a mean over sentences whether the reference lengths weight it; None of a score of the sums."""
    if not isinstance(aggregation, str) or aggregation not in _WEIGHTED_BY_LENGTH:
        raise ManybleusError(f"no array form of the aggregation {shown(aggregation)}; add one beside the others")
    return _WEIGHTED_BY_LENGTH[aggregation]


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
    lengths = reference_lengths.T[:, None]
    # Distance and length as one number, so that a tie goes to the shorter.
    base = int(reference_lengths.max(initial=0)) + 1
    keys = np.abs(lengths - candidate_lengths) * base + lengths
    found = np.where(lengths < 0, np.iinfo(np.int64).max, keys).min(axis=0) % base
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

# The array forms of definition.AGGREGATIONS, as ``weighted_by_length`` tells them.
_WEIGHTED_BY_LENGTH = {"corpus": None, "mean-sentence": False, "weighted-mean-sentence": True}

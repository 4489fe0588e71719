"""Every cell that another tool can express, beside that tool's score, and the cause where they differ.

A cause counts only if the definition with that cause built in gives the peer's score to 1e-12.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import pandas as pd

from manybleus.analysis.tables import Grid, grid_table
from manybleus.bleu.configuration import AXES, Configuration, choice_text, choices
from manybleus.bleu.definition import Statistics, bleu, sentence_statistics
from manybleus.bleu.scores import count_for, score
from manybleus.bleu.tokens import tokenize_groups
from manybleus.captions import Captions
from manybleus.replication.peers import PEERS, Peer, PeerMissingError, Segments

TOLERANCE = 1e-12
# Of the tools' scores, the decimals that are told. The later ones depend on the version of Python: the tools add
# floats by its `sum`, which makes up for rounding from CPython 3.12 on.
DECIMALS = 12
UNEXPLAINED = "unexplained"
NOT_RUN = "not run"
# The tools are slow: of more texts than these, in characters, they are asked about a sample of so many, and of more
# cells than these about a sample of the cells. The study is below both.
MOST_CHARACTERS, SAMPLED_CHARACTERS = 120_000, 40_000
MOST_CELLS = 1_000


def sampled(captions: Captions) -> Captions:
    """Return captions of which other tools can be asked within seconds: all, or a sample of the images.

    Of candidates and references of more than ``MOST_CHARACTERS`` together, images are drawn by chance, the same ones
    in each run, and kept where their texts still fit into ``SAMPLED_CHARACTERS``; none is kept if all are longer.
    """
    sizes = [
        sum(map(len, texts)) + sum(len(said[image]) for said in captions.systems.values())
        for image, texts in enumerate(captions.references)
    ]
    if sum(sizes) <= MOST_CHARACTERS:
        return captions
    kept, left = [], SAMPLED_CHARACTERS
    for image in Random(0).sample(range(len(sizes)), len(sizes)):
        if sizes[image] <= left:
            kept.append(image)
            left -= sizes[image]
    kept.sort()
    return Captions(
        tuple(captions.image_ids[image] for image in kept),
        tuple(captions.references[image] for image in kept),
        {name: tuple(said[image] for image in kept) for name, said in captions.systems.items()},
    )


def crosscheck(captions: Captions, grid: pd.DataFrame, cells: Sequence[Configuration]) -> pd.DataFrame:
    """Compare every cell that a peer can express with that peer.

    Parameters
    ----------
    captions
        What was scored. Where it is much, a sample of the images is compared, see ``sampled``, for which our scores
        are computed anew.
    grid
        The scores, as ``analysis.tables.grid_table`` lays them out.
    cells
        The configurations to compare. Of more than ``MOST_CELLS`` that a peer can express, a sample of so many is, the
        same one in each run.

    Returns
    -------
    DataFrame
        The axes, ``system``, ``peer``, ``ours``, ``theirs``, ``difference`` (theirs - ours), ``cause`` (empty where
        they agree to 1e-12). ``theirs`` and ``difference`` are rounded to 12 decimals, after the cause was looked for.
        Where a peer is not installed it has one row without scores. No rows where the sample has no image.
    """
    sample = sampled(captions)
    compared = {peer.name: _expressed(peer, cells) if sample.image_ids else [] for peer in PEERS}
    if sample is not captions:
        asked = list(dict.fromkeys(cell for of_peer in compared.values() for cell in of_peer))
        grid = grid_table(score(count_for(sample, asked), asked), sample.digest) if asked else grid
    scores = Grid(grid)
    axes = [axis for axis in AXES if any(axis in choices(cell) for cell in cells)]
    lines: list[dict[str, object]] = []
    prepared = _Prepared(sample)
    for peer in PEERS:
        try:
            for cell in compared[peer.name]:
                ours = scores.scores(cell)
                for system in sample.systems:
                    segments = prepared.segments(cell, system)
                    lines.append(
                        {axis: choice_text(getattr(cell, axis)) for axis in axes}
                        | {"system": system, "peer": peer.name}
                        | _compare(peer, cell, segments, ours[system])
                    )
        except PeerMissingError:
            lines.append({"peer": peer.name, "cause": NOT_RUN})
    return pd.DataFrame(lines, columns=[*axes, "system", "peer", "ours", "theirs", "difference", "cause"])


def _expressed(peer: Peer, cells: Sequence[Configuration]) -> list[Configuration]:
    """The cells that a peer is asked about."""
    expressed = [cell for cell in cells if peer.expresses(cell)]
    places = Random(0).sample(range(len(expressed)), min(MOST_CELLS, len(expressed)))
    return [expressed[place] for place in sorted(places)]


def unexplained(table: pd.DataFrame) -> list[str]:
    """Return a line for every difference without a cause; the table may hold its cells as text."""
    rows = table[table["cause"] == UNEXPLAINED].to_dict("records")
    return [
        f"{row['peer']} gives {row['theirs']} and not {row['ours']} for {row['system']} under "
        + ", ".join(f"{axis} {row[axis]}" for axis in AXES if axis in row)
        for row in rows
    ]


class _Prepared:
    """The captions' segments, tokenized once for each case rule and tokenizer."""

    def __init__(self, captions: Captions) -> None:
        self._captions = captions
        self._tokens = cache(self._tokenize)
        self._segments = cache(self._cut)
        self._told: Callable[..., dict[object, object]] = cache(lambda *scheme_and_count: {})

    def segments(self, cell: Configuration, system: str) -> Segments:
        count = None if cell.references == "all" else cell.references
        return self._segments(cell.case, cell.tokenizer, system, count)

    def _cut(self, case: str, tokenizer: str, system: str, count: int | None) -> Segments:
        references, candidates = self._tokens(case, tokenizer)
        return Segments(
            self._captions.systems[system],
            [texts[:count] for texts in self._captions.references],
            candidates[system],
            [texts[:count] for texts in references],
            told=self._told(case, tokenizer, count),
        )

    def _tokenize(self, case: str, tokenizer: str) -> tuple[list[list[list[str]]], dict[str, list[list[str]]]]:
        """The tokens of the references by image, and of the candidates by system."""
        references, systems = self._captions.references, self._captions.systems
        tokens = tokenize_groups([*references, *systems.values()], case, tokenizer)
        return tokens[: len(references)], dict(zip(systems, tokens[len(references) :], strict=True))


def _compare(peer: Peer, cell: Configuration, segments: Segments, ours: float) -> dict[str, object]:
    if cell.aggregation == "corpus":
        theirs = peer.corpus(cell, segments)
    else:
        each = peer.sentences(cell, segments)
        theirs = math.fsum(each) / len(each)
    difference = theirs - ours
    cause = "" if abs(difference) <= TOLERANCE else _cause(peer, cell, segments, ours, theirs)
    return {"ours": ours, "theirs": _told(theirs), "difference": _told(difference), "cause": cause}


def _told(value: float) -> float:
    """Round to the decimals that are told, without a negative zero."""
    return round(value, DECIMALS) + 0.0


# --------------------------------------------------------------------------------------------------------------- causes


def _cause(peer: Peer, cell: Configuration, segments: Segments, ours: float, theirs: float) -> str:
    if peer.name != "NLTK":
        return UNEXPLAINED
    counted = _counted(cell, segments)
    if abs(_aggregate(cell, counted, _as_defined) - ours) > TOLERANCE:
        # A cause explains a difference from the definition, not from a wrong score.
        return UNEXPLAINED
    for cause, as_peer in NLTK_CAUSES.items():
        if abs(_aggregate(cell, counted, as_peer) - theirs) <= TOLERANCE:
            return cause
    return UNEXPLAINED


def _counted(cell: Configuration, segments: Segments) -> list[Statistics]:
    """Each sentence's statistics by the definition."""
    counting = "definition", cell.reference_length, cell.max_order
    if counting not in segments.counted:
        segments.counted[counting] = [
            sentence_statistics(candidate, references, cell.reference_length, cell.max_order)
            for candidate, references in zip(segments.candidate_tokens, segments.reference_tokens, strict=True)
        ]
    found: list[Statistics] = segments.counted[counting]
    return found


@dataclass(frozen=True, slots=True)
class _Sums:
    """Statistics, and the totals with NLTK's floor: at least one n-gram of each order in each sentence."""

    statistics: Statistics
    floored: tuple[int, ...]

    @classmethod
    def of(cls, sentences: Sequence[Statistics]) -> "_Sums":
        first, *rest = sentences
        floors = zip(*([max(t, 1) for t in each.totals] for each in sentences), strict=True)
        return cls(sum(rest, start=first), tuple(map(sum, floors)))


ScoreSums = Callable[[Configuration, _Sums], float]


def _aggregate(
    cell: Configuration, counted: Sequence[Statistics], score: Callable[[Configuration, _Sums], float]
) -> float:
    if cell.aggregation == "corpus":
        return score(cell, _Sums.of(counted))
    return math.fsum(score(cell, _Sums.of([each])) for each in counted) / len(counted)


def _as_defined(cell: Configuration, sums: _Sums) -> float:
    return bleu(sums.statistics, cell.formula)


def _with_floor(cell: Configuration, sums: _Sums) -> float:
    """NLTK counts at least one n-gram of each order in each sentence."""
    counted = sums.statistics
    return cell.formula.score(counted.matches, sums.floored, counted.candidate_length, float(counted.reference_length))


def _with_zero(cell: Configuration, sums: _Sums) -> float:
    """NLTK returns 0 where no unigram matches, whatever the smoothing."""
    return _with_floor(cell, sums) if sums.statistics.matches[0] else 0.0


# What NLTK's method0 puts for a precision without a match is below the tolerance for any number of orders.
NLTK_CAUSES: Mapping[str, ScoreSums] = {
    "NLTK floor": _with_floor,
    "NLTK floor and zero without a unigram match": _with_zero,
}

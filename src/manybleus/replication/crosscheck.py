"""Every cell that another tool can express, beside that tool's score, and the cause where they differ.

A cause counts only if the definition with that cause built in gives the peer's score to 1e-12.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from random import Random

import pandas as pd

from manybleus.analysis.tables import Grid
from manybleus.bleu.configuration import AXES, Configuration, choice_text, choices
from manybleus.bleu.definition import Statistics, bleu, sentence_statistics
from manybleus.bleu.tokens import tokenize_all
from manybleus.captions import Captions
from manybleus.replication.peers import PEERS, Peer, PeerMissingError, Segments

TOLERANCE = 1e-12
# Of the tools' scores, the decimals that are told. The later ones depend on the version of Python: the tools add
# floats by its `sum`, which makes up for rounding from CPython 3.12 on.
DECIMALS = 12
UNEXPLAINED = "unexplained"
NOT_RUN = "not run"


def crosscheck(
    captions: Captions, grid: pd.DataFrame, cells: Sequence[Configuration], most_images: int = 2000
) -> pd.DataFrame:
    """Compare every cell that a peer can express with that peer.

    Parameters
    ----------
    captions
        What was scored.
    grid
        The scores, as ``analysis.tables.grid_table`` lays them out.
    cells
        The configurations to compare.
    most_images
        Where there are more images, a sample of the expressible cells is compared, fewer the more images there are:
        drawn by chance, and the same ones in each run.

    Returns
    -------
    DataFrame
        The axes, ``system``, ``peer``, ``ours``, ``theirs``, ``difference`` (theirs - ours), ``cause`` (empty where
        they agree to 1e-12). ``theirs`` and ``difference`` are rounded to 12 decimals, after the cause was looked for.
        Where a peer is not installed it has one row without scores.
    """
    scores = Grid(grid)
    share = min(1, most_images / max(1, len(captions.image_ids)))
    axes = [axis for axis in AXES if any(axis in choices(cell) for cell in cells)]
    lines: list[dict[str, object]] = []
    prepared = _Prepared(captions)
    for peer in PEERS:
        expressed = _sample([cell for cell in cells if peer.expresses(cell)], share)
        try:
            for cell in expressed:
                ours = scores.scores(cell)
                for system in captions.systems:
                    segments = prepared.segments(cell, system)
                    lines.append(
                        {axis: choice_text(getattr(cell, axis)) for axis in axes}
                        | {"system": system, "peer": peer.name}
                        | _compare(peer, cell, segments, ours[system])
                    )
        except PeerMissingError:
            lines.append({"peer": peer.name, "cause": NOT_RUN})
    return pd.DataFrame(lines, columns=[*axes, "system", "peer", "ours", "theirs", "difference", "cause"])


def _sample(cells: Sequence[Configuration], share: float) -> list[Configuration]:
    places = Random(0).sample(range(len(cells)), math.ceil(share * len(cells)))
    return [cells[place] for place in sorted(places)]


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
        self._references = cache(self._tokenize_references)
        self._candidates = cache(self._tokenize_candidates)
        self._segments = cache(self._cut)
        self._told: Callable[..., dict[object, object]] = cache(lambda *scheme_and_count: {})

    def segments(self, cell: Configuration, system: str) -> Segments:
        count = None if cell.references == "all" else cell.references
        return self._segments(cell.case, cell.tokenizer, system, count)

    def _cut(self, case: str, tokenizer: str, system: str, count: int | None) -> Segments:
        return Segments(
            self._captions.systems[system],
            [texts[:count] for texts in self._captions.references],
            self._candidates(case, tokenizer, system),
            [texts[:count] for texts in self._references(case, tokenizer)],
            told=self._told(case, tokenizer, count),
        )

    def _tokenize_references(self, case: str, tokenizer: str) -> list[list[list[str]]]:
        flat = tokenize_all([text for texts in self._captions.references for text in texts], case, tokenizer)
        tokens = iter(flat)
        return [list(islice(tokens, len(texts))) for texts in self._captions.references]

    def _tokenize_candidates(self, case: str, tokenizer: str, system: str) -> list[list[str]]:
        return tokenize_all(self._captions.systems[system], case, tokenizer)


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
    for cause, score in NLTK_CAUSES.items():
        if abs(_aggregate(cell, counted, score) - theirs) <= TOLERANCE:
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
    return bleu(replace(sums.statistics, totals=sums.floored), cell.formula)


def _with_zero(cell: Configuration, sums: _Sums) -> float:
    """NLTK returns 0 where no unigram matches, whatever the smoothing."""
    return _with_floor(cell, sums) if sums.statistics.matches[0] else 0.0


# What NLTK's method0 puts for a precision without a match is below the tolerance for any number of orders.
NLTK_CAUSES: Mapping[str, ScoreSums] = {
    "NLTK floor": _with_floor,
    "NLTK floor and zero without a unigram match": _with_zero,
}

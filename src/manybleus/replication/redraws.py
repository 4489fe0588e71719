"""The study repeated: on fresh scenes, on other orders of its references, and with one reference per image.

Only the rows of the tables are scored, and everything stays in memory. The captioners read the pixels as ever.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from manybleus.analysis.rankings import ranking
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.scores import count_for, score
from manybleus.captions import Captions
from manybleus.config import Table
from manybleus.replication.rerun import captions_of
from manybleus.shapes.captioners import Sight, look
from manybleus.shapes.references import references
from manybleus.shapes.scenes import Scene, draw_scenes, render
from manybleus.text import counted

# What is drawn anew.
SCENES, ORDER, ONE_REFERENCE = "scenes", "reference order", "one reference"
BASELINE, FLIP, SAME = "baseline", "flip", "same"
_KEY = ("redrawn", "seed", "images")
Scores = Mapping[Configuration, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Original:
    """What is repeated: the part of a study that its tables depend on; see ``config.Study``."""

    images: int
    seed: int
    systems: tuple[str, ...]
    tables: tuple[Table, ...]
    baseline: Configuration
    gap: tuple[str, str]
    tie_tolerance: float

    @property
    def cells(self) -> list[Configuration]:
        """The baseline and the tables' configurations, each once."""
        return list(dict.fromkeys([self.baseline, *(cell for table in self.tables for _, cell in table.rows)]))


def redraw(original: Original, seeds: Iterable[int], sizes: Mapping[int, Sequence[int]]) -> Iterator[pd.DataFrame]:
    """Repeat a study, seed by seed.

    Parameters
    ----------
    original
        The study.
    seeds
        A seed is ``scenes.draw_scenes``'s: the study's own gives the study.
    sizes
        Seed -> the numbers of images with which it is drawn beside the study's own number.

    Yields
    ------
    DataFrame
        The draws of one seed, one row for each row of the tables: ``redrawn`` (``SCENES``: scenes and references, as
        the whole study; ``ORDER``: the order of each scene's references, the scenes being the study's; or
        ``ONE_REFERENCE``: for each image of the study, one of the references that the row uses, as the only one),
        ``seed``, ``images``, ``table``, ``configuration``, a score for each system (0-1), ``pair``, ``gap``,
        ``ranking``, ``compared`` (the ranking that it is held against: that of the baseline in the same draw, and
        with one reference that of the row with all its references in the study) and ``change``: whether the two
        differ (``flip``) or not (``same``); the baseline itself is ``baseline``.

    Notes
    -----
    One random reference is the check of Papineni et al. 2002, section 3: does the ranking stay what it is with several?
    """
    scenes = draw_scenes(original.images, original.seed)
    sights = _see(scenes)
    in_study = _score(original.cells, captions_of(original.systems, map(references, scenes), sights))
    for seed in seeds:
        drawn = [*_fresh(original, seed, sizes.get(seed, ())), _reordered(original, seed, scenes, sights)]
        of_row = {cell: ranking(scores, original.tie_tolerance) for cell, scores in in_study.items()}
        alone = _table(original, (ONE_REFERENCE, seed, original.images), _alone(original, seed, scenes, sights), of_row)
        yield pd.concat([*drawn, alone], ignore_index=True)


def draws_problem(
    draws: pd.DataFrame,
    images: int,
    systems: Sequence[str],
    rows: Sequence[tuple[str, str]],
    seeds: Iterable[int],
    sizes: Mapping[int, Sequence[int]],
) -> str | None:
    """Tell what is wrong with draws that were read from a file; None if they are as ``redraw`` makes them.

    Parameters
    ----------
    draws
        Those of some seeds, all together.
    images, systems
        See ``Original``.
    rows
        The name of the table and of the configuration of each row of the tables.
    seeds, sizes
        See ``redraw``.
    """
    columns = [*_KEY, "table", "configuration", *systems, "pair", "gap", "ranking", "compared", "change"]
    if list(draws.columns) != columns:
        return f"its columns are not {', '.join(columns)}"
    keys = [
        (*key, *row)
        for seed in seeds
        for key in [
            *((SCENES, seed, number) for number in sorted({images, *sizes.get(seed, ())})),
            (ORDER, seed, images),
            (ONE_REFERENCE, seed, images),
        ]
        for row in rows
    ]
    if len(draws) != len(keys):
        return f"it has {counted(len(draws), 'row')}, not {len(keys)}"
    if list(draws[[*_KEY, "table", "configuration"]].itertuples(index=False, name=None)) != keys:
        return "its rows are not those of its seeds, in their order"
    scores = draws[[*systems, "gap"]]
    if (
        draws.isna().to_numpy().any()
        or not all(kind.kind == "f" for kind in scores.dtypes)
        or not draws["change"].isin([BASELINE, FLIP, SAME]).all()
    ):
        return "a cell is empty, or holds what no draw has"
    return None


def chosen_references(seed: int, images: int, count: int) -> list[int]:
    """Return the place of one reference among the first ``count`` for each image, drawn from a stream of its own.

    The same fraction of each image's references is drawn for every count.
    """
    drawn = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,))).random(images)
    return [int(place) for place in drawn * count]


def _fresh(original: Original, seed: int, sizes: Sequence[int]) -> Iterator[pd.DataFrame]:
    """Draw scenes and references; more images are the same ones and further ones, with other orders of references."""
    sights: list[Sight] = []
    for images in sorted({original.images, *sizes}):
        scenes = draw_scenes(images, seed)
        sights += _see(scenes[len(sights) :])
        scores = _score(original.cells, captions_of(original.systems, map(references, scenes), sights))
        yield _against_baseline(original, (SCENES, seed, images), scores)


def _reordered(original: Original, seed: int, scenes: Sequence[Scene], sights: Sequence[Sight]) -> pd.DataFrame:
    others = draw_scenes(original.images, seed)
    reordered = [
        replace(scene, reference_order=other.reference_order) for scene, other in zip(scenes, others, strict=True)
    ]
    scores = _score(original.cells, captions_of(original.systems, map(references, reordered), sights))
    return _against_baseline(original, (ORDER, seed, original.images), scores)


def _alone(original: Original, seed: int, scenes: Sequence[Scene], sights: Sequence[Sight]) -> Scores:
    """Score each configuration with one of its references for each image."""
    texts = [references(scene) for scene in scenes]
    scores: dict[Configuration, Mapping[str, float]] = {}
    for count in dict.fromkeys(cell.references for cell in original.cells):
        used = len(texts[0]) if count == "all" else int(count)
        places = chosen_references(seed, len(texts), used)
        chosen = ([of_image[place]] for of_image, place in zip(texts, places, strict=True))
        cells = {cell: replace(cell, references=1) for cell in original.cells if cell.references == count}
        found = _score(list(dict.fromkeys(cells.values())), captions_of(original.systems, chosen, sights))
        scores |= {cell: found[alone] for cell, alone in cells.items()}
    return scores


def _see(scenes: Sequence[Scene]) -> list[Sight]:
    return [look(render(scene)) for scene in scenes]


def _score(cells: Sequence[Configuration], captions: Captions) -> Scores:
    scores: dict[Configuration, dict[str, float]] = {}
    for one in score(count_for(captions, cells), cells):
        scores.setdefault(one.configuration, {})[one.system] = one.score
    return scores


def _against_baseline(original: Original, key: tuple[str, int, int], scores: Scores) -> pd.DataFrame:
    of_baseline = ranking(scores[original.baseline], original.tie_tolerance)
    table = _table(original, key, scores, dict.fromkeys(scores, of_baseline))
    counted = {(table.name, name) for table in original.tables for name in table.counted}
    is_counted = [row in counted for row in zip(table["table"], table["configuration"], strict=True)]
    return table.assign(change=np.where(is_counted, table["change"], BASELINE))


def _table(
    original: Original, key: tuple[str, int, int], scores: Scores, compared: Mapping[Configuration, str]
) -> pd.DataFrame:
    first, second = original.gap
    lines: list[dict[str, Any]] = []
    for table in original.tables:
        for name, cell in table.rows:
            found = ranking(scores[cell], original.tie_tolerance)
            lines.append(
                {
                    **dict(zip(_KEY, key, strict=True)),
                    "table": table.name,
                    "configuration": name,
                    **scores[cell],
                    "pair": f"{first}-{second}",
                    "gap": scores[cell][first] - scores[cell][second],
                    "ranking": found,
                    "compared": compared[cell],
                    "change": SAME if found == compared[cell] else FLIP,
                }
            )
    return pd.DataFrame(lines)

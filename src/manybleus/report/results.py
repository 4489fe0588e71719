"""What the report is made from: the result files of one study, read and not yet looked at."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from manybleus.analysis.ngrams import SHOWN_IMAGES
from manybleus.analysis.orders import distinct_cells
from manybleus.analysis.significance import fewest_images
from manybleus.bleu.configuration import AXES, DEFAULTS, choice_text
from manybleus.captions import Captions, read_captions
from manybleus.files import read_cells, read_table
from manybleus.specification import gap_tests

# The draws of the tests of significance that know no strata.
PLAIN = "plain"
# The name of the table of a user's own configurations.
OWN_TABLE = "own"
# The figures of ``figures.py`` that the report holds.
FIGURES = ("gaps", "precisions", "penalties", "lengths")
_NUMBERS = ("spread", "mean_minus_corpus", "brevity_penalties", "precisions", "monotone")
# Tables over the full grid, of two systems or more; and about draws, where they were drawn.
_EFFECTS = ("effects", "variances", "fixed", "rankings", "places", "pairs")
_DRAWN = ("significance", "flip_significance", "reversals", "block_t")
# Larger files are named, and not held by the page.
_MOST_BYTES = 64_000
_ANSWERS = ("checks", "statements", "worked_examples", "conventions", "crosscheck", "claims")


@dataclass(frozen=True, slots=True)
class Study:
    """What the report must know of a study beside its results.

    Attributes
    ----------
    tables
        Each with ``name``, ``title``, ``file``, and ``rows``: pairs of a name and a configuration as plain values.
    baseline
        The baseline's choice on every axis.
    seed
        That of the scenes; None where the captions are one's own.
    gap
        The two systems whose difference is told; None of one system alone.
    unit
        What a caption is about: a picture, or an image or a segment of one's own.
    level, draws
        Of the tests of significance; no draws where nothing was drawn.
    """

    name: str
    seed: int | None
    tables: tuple[Mapping[str, Any], ...]
    baseline: Mapping[str, Any]
    gap: tuple[str, str] | None
    unit: str = "picture"
    level: float = 0.05
    draws: int = 0

    @property
    def noun(self) -> str:
        """What its captions are counted by."""
        return "image" if self.unit == "picture" else self.unit

    @property
    def is_own(self) -> bool:
        """Whether the captions are one's own, and not those of drawn scenes."""
        return self.seed is None


@dataclass(frozen=True, slots=True)
class Results:
    """A study's result files.

    Attributes
    ----------
    tables
        Table name -> its scores.
    numbers
        The smaller tables, by name; scores are numbers.
    over
        The tables over the full grid, and those about draws, by name; empty where there is no file.
    ngrams
        The first captions token by token, as cells of text.
    answers
        Checks, statements, worked examples, conventions, the cross-check and claims as cells of text; empty where there
        is no file.
    remarks
        What is odd about one's own captions.
    cells
        Every scored configuration, its axes as text; see ``specification.curve_table``.
    pictures, sheet
        The first pictures and the contact sheet as PNG; empty where the captions are of no drawn scenes.
    drawings
        File name -> figure as SVG.
    printed
        The study's printed output, or None.
    files
        File name -> content, of the tables that are small enough to be held by the page.
    """

    study: Study
    captions: Captions
    grid: pd.DataFrame
    cells: pd.DataFrame
    tables: Mapping[str, pd.DataFrame]
    flips: pd.DataFrame
    numbers: Mapping[str, pd.DataFrame]
    over: Mapping[str, pd.DataFrame]
    ngrams: pd.DataFrame
    answers: Mapping[str, pd.DataFrame]
    remarks: tuple[str, ...]
    lengths: pd.DataFrame
    pictures: tuple[bytes, ...]
    sheet: bytes
    drawings: Mapping[str, bytes]
    printed: str | None
    files: Mapping[str, bytes]

    @property
    def study_flips(self) -> pd.DataFrame:
        """The flips without those of a user's own configurations."""
        return self.flips[self.flips["table"] != OWN_TABLE]

    @property
    def baseline_ranking(self) -> str:
        """How the baseline ranks the systems."""
        return str(self.cell(self.study.baseline)["ranking"])

    @property
    def grid_cells(self) -> int:
        """How many of the scored configurations are the grid's; they come first, and what only a table names behind."""
        rankings = self.over["rankings"]
        return len(self.cells) if rankings.empty else int(rankings["cells"].sum())

    @property
    def too_few_below(self) -> int | None:
        """Of how many images an order may be significant at all; None where there are as many.

        With fewer, draws tell nothing that should be shown: neither an interval nor p.
        """
        fewest = fewest_images(self.study.level)
        return fewest if len(self.captions.references) < fewest else None

    def count(self, which: NDArray[np.bool_]) -> tuple[int, int]:
        """Count the scored configurations of a mask, in the order of ``cells``: all, and the distinct ones."""
        scores = self.grid["score"].to_numpy().reshape(len(self.cells), -1)
        return int(which.sum()), distinct_cells(scores[which])

    def gap_tests(self, pair: tuple[str, str] | None) -> pd.DataFrame:
        """The plain rows of ``significance.csv`` about a pair; see ``specification.gap_tests``."""
        return gap_tests(self.over["significance"], pair)

    def rows(self, answers: str) -> list[dict[str, str]]:
        """Return the rows of checks, statements or the like; none where the study has no such file."""
        return [{str(key): value for key, value in row.items()} for row in self.answers[answers].to_dict("records")]

    def cell(self, configuration: Mapping[str, Any]) -> dict[str, Any]:
        """Return one scored configuration with its ranking and gap."""
        return {str(key): value for key, value in self.at(self.cells, configuration).to_dict("records")[0].items()}

    def at(self, table: pd.DataFrame, configuration: Mapping[str, Any]) -> pd.DataFrame:
        """Return the rows of a table that are about one configuration."""
        for axis in AXES:
            if axis in table.columns:
                table = table[table[axis] == choice_text(configuration.get(axis, DEFAULTS.get(axis)))]
        return table

    def scores(self, configuration: Mapping[str, Any], column: str = "score") -> dict[str, Any]:
        """Return one column of the grid for one configuration, by system."""
        rows = self.at(self.grid, configuration)
        return dict(zip(rows["system"], rows[column], strict=True))


def read_results(folder: Path, study: Study, answers: Collection[str], captions: Captions | None = None) -> Results:
    """Read the result files of a study.

    Parameters
    ----------
    folder
        The study's results.
    study
        What was asked.
    answers
        The files of checks, statements and the like that the study has; others that lie there are of an earlier study.
    captions
        What was scored, where it is at hand; else it is read from the folder, too.
    """
    grid = read_table(folder / "grid.csv")
    systems = list(dict.fromkeys(grid["system"]))
    if captions is None:
        files = {system: folder / f"captions/{system}.json" for system in systems}
        captions = read_captions(folder / "captions/references.json", files)
    pictures = [] if study.is_own else sorted((folder / "scenes/images").glob("*.png"))[:SHOWN_IMAGES]
    sheet, printed = folder / "scenes/contact_sheet.png", "study_output.txt"
    drawn = FIGURES if study.gap else FIGURES[1:]
    over = [*(_EFFECTS if study.gap else ()), *(_DRAWN if study.draws else ())]
    named = [
        *("flips.csv", "ngrams.csv", "figures/curve.csv"),
        *(f"figures/{name}.csv" for name in FIGURES),
        *(table["file"] for table in study.tables),
        *(f"tables/{name}.csv" for name in _NUMBERS),
        *(f"{name}.csv" for name in over),
        *(file for file in answers if file.endswith(".csv")),
    ]
    return Results(
        study=study,
        captions=captions,
        grid=_with_text_axes(grid),
        cells=_with_text_axes(read_table(folder / "figures/curve.csv")),
        tables={table["name"]: read_table(folder / table["file"]) for table in study.tables},
        flips=read_table(folder / "flips.csv"),
        numbers={name: read_table(folder / f"tables/{name}.csv") for name in _NUMBERS},
        over={
            name: _with_text_axes(read_table(folder / f"{name}.csv")) if name in over else pd.DataFrame()
            for name in (*_EFFECTS, *_DRAWN)
        },
        ngrams=read_cells(folder / "ngrams.csv"),
        answers={
            name: read_cells(folder / file) if (file := f"{name}.csv") in answers else pd.DataFrame()
            for name in _ANSWERS
        },
        remarks=tuple(read_cells(folder / "captions/remarks.csv")["remark"]) if study.is_own else (),
        lengths=read_table(folder / "figures/lengths.csv"),
        pictures=tuple(path.read_bytes() for path in pictures),
        sheet=sheet.read_bytes() if sheet.exists() and not study.is_own else b"",
        drawings={
            f"{name}.{theme}": (folder / f"figures/{name}.{theme}.svg").read_bytes()
            for name in drawn
            for theme in ("light", "dark")
        },
        printed=(folder / printed).read_text(encoding="utf-8") if printed in answers else None,
        files={file: (folder / file).read_bytes() for file in named if (folder / file).stat().st_size <= _MOST_BYTES},
    )


def _with_text_axes(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype({axis: str for axis in AXES if axis in table.columns})

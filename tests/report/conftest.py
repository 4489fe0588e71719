"""Studies for the report: computed in memory from an edited configuration, and written as the workflow writes them."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from helpers import CONFIG
from skimage.io import imsave

from manybleus.analysis.effects import effect_tables
from manybleus.analysis.ngrams import ngram_table
from manybleus.analysis.reversals import significance_tables, with_worth
from manybleus.analysis.tables import chosen_pair
from manybleus.bleu.configuration import choices
from manybleus.bleu.scores import orders, schemes
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import write_references, write_results
from manybleus.config import check_study, inputs_of, table_file
from manybleus.figures import Asked, study_figures
from manybleus.files import read_cells, read_table, write_bytes, write_table, write_text
from manybleus.replication.claims import Claim, verdicts
from manybleus.replication.conventions import conventions
from manybleus.replication.crosscheck import crosscheck
from manybleus.replication.distributions import count_table, row_table, size_table
from manybleus.replication.examples import worked_examples
from manybleus.replication.redraws import Original, redraw
from manybleus.replication.rerun import describe, rerun
from manybleus.replication_figures import replication_figures
from manybleus.report.context import report_context
from manybleus.report.render import render_report
from manybleus.report.replications import Repeated, replication_context
from manybleus.report.results import Results, Study, read_results
from manybleus.shapes.scenes import file_name
from manybleus.strata import strata_of

ANSWERS = ["claims.csv", "checks.csv", "statements.csv", "worked_examples.csv", "conventions.csv", "crosscheck.csv"]
DRAWS = 200


@dataclass(frozen=True)
class Made:
    """A study's results in a folder."""

    folder: Path
    study: Study
    answers: list[str]

    def read(self, without: tuple[str, ...] = ()) -> Results:
        return read_results(self.folder, self.study, [file for file in self.answers if file not in without])

    def html(self, **read: Any) -> str:
        return render_report(report_context(self.read(**read)))

    def table(self, file: str):
        return read_table(self.folder / file)


@pytest.fixture(scope="session")
def make(
    tmp_path_factory: pytest.TempPathFactory, nltk: Callable[..., float], claims: list[Claim]
) -> Callable[..., Made]:
    """Make the results of config/config.yaml with some keys replaced; 12 images unless told."""

    def made(changes: Mapping[str, Any] | None = None) -> Made:
        config = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
        config["scenes"]["images"] = 12
        config["grid"] |= {"case": ["lower"], "tokenizer": ["split"]}
        config |= deepcopy(dict(changes or {}))
        return write_study(tmp_path_factory.mktemp("study"), config, nltk, claims)

    return made


@pytest.fixture(scope="session")
def small(make: Callable[..., Made]) -> Made:
    """The study with 12 images and a small grid."""
    return make()


@pytest.fixture(scope="session")
def html(small: Made) -> str:
    """The report of the small study."""
    return small.html()


@dataclass(frozen=True)
class MadeReplications:
    """What the page of the replications is made from."""

    repeated: Repeated
    draws: pd.DataFrame
    rows: pd.DataFrame
    counts: pd.DataFrame
    sizes: pd.DataFrame | None

    def drawings(self) -> dict[str, bytes]:
        """The figures, as the workflow draws them."""
        first, last = self.repeated.seeds
        of_sizes = range(first, last) if self.sizes is not None else ()
        gap, images = self.repeated.gap, self.repeated.images
        return replication_figures(self.draws, self.rows, gap, images, range(first, last + 1), of_sizes)

    def html(self) -> str:
        drawn = {file.removesuffix(".svg"): svg for file, svg in self.drawings().items() if file.endswith("svg")}
        return render_report(
            replication_context(self.repeated, self.rows, self.counts, self.sizes, drawn), "replications"
        )


@pytest.fixture(scope="session")
def replicated() -> MadeReplications:
    """The study with 12 images, repeated with the seeds 0 to 4, of which 0 to 3 have 6 and 20 images, too."""
    study = replace(check_study(yaml.safe_load(CONFIG.read_text(encoding="utf-8"))), images=12)
    original = Original(12, 0, study.systems, study.tables, study.baseline, study.gap, study.tie_tolerance)
    draws = pd.concat(redraw(original, range(5), dict.fromkeys(range(4), (6, 20))), ignore_index=True)
    return MadeReplications(
        Repeated("shapes", 12, 0, (0, 4), study.gap, {table.name: table.title for table in study.tables}),
        draws,
        row_table(draws, range(5), 12, 0, 1e-12),
        count_table(draws, 12, 0),
        size_table(draws, range(4), 1e-12),
    )


@pytest.fixture(scope="session")
def replicated_html(replicated: MadeReplications) -> str:
    """The page of the replications."""
    return replicated.html()


def write_study(folder: Path, config: Mapping[str, Any], ask: Callable[..., float], claims: list[Claim]) -> Made:
    study = check_study(config)
    computed = rerun(study, ask)
    # The two checks that the workflow adds after it has computed the study twice.
    computed["checks.csv"] += "determinism,the same once more,True,True\nruntime,under a minute,True,\n"
    for file, text in computed.items():
        write_text(folder / file, text)
    _, pictures, captions = describe(study)
    write_references(folder / "captions/references.json", captions.references, "test")
    for name, texts in captions.systems.items():
        write_results(folder / f"captions/{name}.json", texts)
    (folder / "scenes/images").mkdir(parents=True)
    for place, picture in enumerate(pictures):
        imsave(folder / "scenes/images" / file_name(place), picture, check_contrast=False)
    imsave(folder / "scenes/contact_sheet.png", pictures[0], check_contrast=False)
    write_table(folder / "worked_examples.csv", worked_examples())
    write_table(folder / "conventions.csv", conventions())
    write_table(folder / "crosscheck.csv", crosscheck(captions, read_table(folder / "grid.csv"), study.cells))
    held = verdicts(claims, inputs_of(study), cache(lambda file: read_cells(folder / file)))
    write_table(folder / "claims.csv", held)
    statistics = caption_statistics(
        captions, schemes(study.cells), [cell.references for cell in study.cells], orders(study.cells)
    )
    tables = {table.name: read_table(folder / table_file(table.name)) for table in study.tables}
    flips, grid = read_table(folder / "tables/flips.csv"), read_table(folder / "grid.csv")
    gap, tie = chosen_pair(read_table(folder / "gap.csv")), study.tie_tolerance
    write_table(folder / "ngrams.csv", ngram_table(captions, study.baseline))
    plan = replace(study.significance, bootstrap=DRAWS, randomization=DRAWS)
    strata = strata_of(plan.strata, captions.image_ids, None)
    what = (study.axes, study.outside, study.tables, study.baseline, gap, tie)
    told = effect_tables(grid, study.axes, study.baseline, gap, tie) if gap else {}
    told |= significance_tables(statistics, grid, *what, plan, strata) if gap else {}
    told["flips.csv"] = with_worth(flips, told.get("flip_significance.csv"))
    for file, table in told.items():
        write_table(folder / file, table)
    asked = Asked([row for table in study.tables for row in table.rows], study.baseline, gap, tie)
    tested = told["significance.csv"] if gap else pd.DataFrame()
    precisions = read_table(folder / "tables/precisions.csv")
    data, drawings = study_figures(asked, grid, tables, flips, precisions, statistics, tested)
    for name, table in data.items():
        write_table(folder / f"figures/{name}.csv", table)
    for file, content in drawings.items():
        write_bytes(folder / f"figures/{file}", content)
    plain = tuple({**table.plain(), "file": table_file(table.name)} for table in study.tables)
    printed = ["study_output.txt"] if study.is_printed else []
    draws = DRAWS if gap else 0
    asked = Study(study.name, study.seed, plain, choices(study.baseline), gap, level=plan.level, draws=draws)
    return Made(folder, asked, [*ANSWERS, *printed])

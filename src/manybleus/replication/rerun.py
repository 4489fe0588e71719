"""The whole study in memory, from its seed to its printed output: what the pipeline does, without files or jobs."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from manybleus.analysis.tables import grid_table, nested_reference_counts, study_tables
from manybleus.bleu.scores import count_for, score
from manybleus.captions import Captions
from manybleus.config import TABLE_A, Study
from manybleus.files import as_csv
from manybleus.replication import peers
from manybleus.replication.checks import AskNltk, Value, check_table, run_checks
from manybleus.replication.printed import printed_output
from manybleus.replication.statements import statements
from manybleus.shapes.captioners import CAPTIONERS, Sight, look
from manybleus.shapes.references import references
from manybleus.shapes.scenes import Pixels, Scene, draw_scenes, render


def rerun(study: Study, ask: AskNltk = peers.nltk_corpus) -> dict[str, str]:
    """Compute a study of scenes.

    Parameters
    ----------
    study
        The study.
    ask
        NLTK's corpus score, see ``checks.run_checks``.

    Returns
    -------
    dict
        Result file -> its text: the grid, every table, the checks, the statements and the printed output.
    """
    scenes, pictures, captions = describe(study)
    grid = grid_table(score(count_for(captions, study.cells), study.cells), captions.digest)
    tables = study_tables(grid, study.tables, study.baseline, study.gap, study.tie_tolerance)
    checks = run_checks(scenes, pictures, captions, study.baseline, compared_reference_counts(study), ask)
    printed = {"study_output.txt": print_study(checks, tables)} if study.is_printed else {}
    return {
        "grid.csv": as_csv(grid),
        **{file: as_csv(table) for file, table in tables.items()},
        "statements.csv": as_csv(statements(tables)),
        "checks.csv": as_csv(check_table(checks, study.images)),
        **printed,
    }


def describe(study: Study) -> tuple[list[Scene], list[Pixels], Captions]:
    """Draw the study's scenes, render them, and let the captioners describe what they see."""
    scenes = draw_scenes(study.images, study.seed)
    pictures = [render(scene) for scene in scenes]
    sights = [look(picture) for picture in pictures]
    return scenes, pictures, captions_of(study.systems, map(references, scenes), sights)


def captions_of(systems: Sequence[str], texts: Iterable[Sequence[str]], sights: Sequence[Sight]) -> Captions:
    """Let captioners, by name, describe what they see; ``texts`` are the references of each picture."""
    return Captions(
        tuple(range(len(sights))),
        tuple(map(tuple, texts)),
        {name: tuple(CAPTIONERS[name](sight, i) for i, sight in enumerate(sights)) for name in systems},
    )


def compared_reference_counts(study: Study) -> list[int]:
    """Return the numbers of references under which the study is compared with NLTK: those of Table A."""
    table = next((table for table in study.tables if table.name == TABLE_A), study.tables[0])
    cells = nested_reference_counts(table.rows, study.baseline)
    return [int(cell.references) for cell in cells if cell.references != "all"]


def print_study(checks: Mapping[str, Value], tables: Mapping[str, pd.DataFrame]) -> str:
    """Return the study's printed output from its checks and tables."""
    return printed_output({check: str(value) for check, value in checks.items()}, tables)

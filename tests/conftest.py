"""What the tests share: the study, its results in memory, and NLTK asked once."""

import os

# Products of small matrices: threads would only wait for each other. To be set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

import nltk.translate.bleu_score as nltk_bleu
import pandas as pd
import pytest
import yaml
from helpers import CONFIG, DATA, LEDGER
from hypothesis import settings
from projects import Project

from manybleus.config import Study, read_study
from manybleus.files import as_csv, cells
from manybleus.replication import peers
from manybleus.replication.claims import Claim, read_claims
from manybleus.replication.conventions import conventions
from manybleus.replication.examples import worked_examples
from manybleus.replication.rerun import rerun

settings.register_profile("manybleus", derandomize=True, deadline=None)
settings.load_profile("manybleus")


def pytest_configure(config: pytest.Config) -> None:
    """Say how many inputs each test in tests/fuzz tries."""
    settings.register_profile("fuzz", max_examples=5000 if config.getoption("--long") else 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests out where they are not asked for."""
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(scope="session")
def study() -> Study:
    """The study of config/config.yaml."""
    return read_study(CONFIG)


@pytest.fixture(scope="session")
def narrow_study(study: Study) -> Study:
    """The study with a grid of the baseline alone: its tables are the same, and are made in a fraction of the time."""
    return replace(study, axes={axis: (choice,) for axis, choice in asdict(study.baseline).items()})


@pytest.fixture(scope="session")
def published() -> str:
    """What the study printed."""
    return (DATA / "published_output.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of the project in which the study of one's own texts has run."""
    project = Project(tmp_path_factory.mktemp("own") / "project")
    run = project.snakemake("--configfile", "config/examples/own_text.yaml")
    assert run.returncode == 0, run.stdout
    return project


@pytest.fixture(scope="session")
def nltk() -> Iterator[Callable[..., float]]:
    """NLTK's corpus BLEU, asked once per question; its own count of a sentence's matches is remembered, too."""
    count, counted = nltk_bleu.modified_precision, {}

    def remembered(references, hypothesis, n):
        key = (tuple(map(tuple, references)), tuple(hypothesis), n)
        if key not in counted:
            counted[key] = count(references, hypothesis, n)
        return counted[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk_bleu, "modified_precision", remembered)
        yield peers.remembered(peers.nltk_corpus)


@pytest.fixture(scope="session")
def results(study: Study, nltk: Callable[..., float]) -> dict[str, str]:
    """The study's result files, computed in memory."""
    return rerun(study, nltk)


@pytest.fixture(scope="session")
def tables(results: dict[str, str]) -> dict[str, pd.DataFrame]:
    """The result files as cells of text, with what the workflow adds to the computation: peers, two told checks."""
    told = {"determinism": "True", "runtime": "True"}
    found = {file: cells(file, text.encode()) for file, text in results.items()}
    extra = pd.DataFrame({"check": told.keys(), "what": "", "value": told.values(), "holds": "True"})
    found["checks.csv"] = pd.concat([found["checks.csv"], extra], ignore_index=True)
    for file, table in {"worked_examples.csv": worked_examples(), "conventions.csv": conventions()}.items():
        found[file] = cells(file, as_csv(table).encode())
    return found


@pytest.fixture(scope="session")
def claims() -> list[Claim]:
    """The claims of config/claims.yaml."""
    return read_claims(yaml.safe_load(LEDGER.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def computable(claims: list[Claim]) -> list[Claim]:
    """The claims that the project recomputes."""
    return [claim for claim in claims if claim.kind != "literature"]

"""The documents name what there is: commands, keys, choices, files and columns."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from helpers import numbers
from mutation import TESTS

from manybleus.analysis.effects import effect_tables
from manybleus.analysis.ngrams import ngram_table
from manybleus.analysis.reversals import significance_tables
from manybleus.analysis.significance import PROCEDURES
from manybleus.bleu.configuration import AXES, options
from manybleus.bleu.scores import orders, schemes
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions, remark_table
from manybleus.cli import main
from manybleus.config import Significance, Study, inputs_of, read_study
from manybleus.corrections import CORRECTIONS
from manybleus.files import as_csv, read_table
from manybleus.replication.claims import Verdict, read_claims, verdicts
from manybleus.replication.conventions import conventions
from manybleus.replication.crosscheck import crosscheck
from manybleus.replication.examples import worked_examples
from manybleus.replication.rerun import describe, rerun
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.shapes.scenes import draw_scenes, scene_table

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "config/README.md",
    "results/README.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
    "benchmarks/README.md",
    "CHANGELOG.md",
]


# Both kinds of study, with all that they can make.
STUDIES = {
    "config/config.yaml": ["all", "notebooks", "replications"],
    "config/examples/own_captions.yaml": ["all", "notebooks"],
}


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def anchors(path: Path) -> set[str]:
    """What GitHub calls the headings of a document in an address."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def names(document: str) -> set[str]:
    """Everything that a document sets as code, and the last part of dotted keys."""
    spans = re.findall(r"`([^`\n]+)`", read(document))
    return {*spans, *(span.rpartition(".")[2] for span in spans)}


@pytest.fixture(scope="module")
def planned(tmp_path_factory) -> Callable[..., str]:
    """What Snakemake tells of a run in a folder without results."""
    folder = tmp_path_factory.mktemp("planned")
    for part in ("Snakefile", "environment.yml", "config", "workflow", "profiles", "notebooks"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, folder / part)
    env = {**os.environ, "HOME": str(folder)}

    def ask(*options: str) -> str:
        command = [sys.executable, "-m", "snakemake", "--cores", "1", *options]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True).stdout

    return ask


def schema_keys(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from schema_keys(part)


def test_the_readme_opens_with_the_two_commands():
    title, block = re.match(r"# ([^\n]+)\n\n```\n(.*?)```\n", read("README.md"), re.DOTALL).groups()
    assert title == "manybleus"
    assert block.splitlines() == ["make", "make test"]


def test_the_scores_in_the_readme_are_the_published_ones():
    ledger = yaml.safe_load(read("config/claims.yaml"))
    published = {tuple(row[1:4]) for table in ledger["tables"] for row in table["rows"] if table["columns"][0] == "S1"}
    shown = re.findall(r"\| (0\.\d{4}) \| (0\.\d{4}) \| (0\.\d{4}) \|", read("README.md"))
    assert shown
    assert set(shown) <= published
    assert f"under {len(read_study(ROOT / 'config/config.yaml').cells)} configurations" in read("README.md")


def test_a_newcomer_s_commands_run_as_they_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    section = read("README.md").partition("in five minutes\n")[2].partition("\n## ")[0]
    commands = [shlex.split(line) for line in section.replace("\\\n", "").splitlines() if line.startswith("manybleus ")]
    assert [command[1] for command in commands] == ["check", "report"]
    for _, *arguments in commands:
        assert main([word.replace("results/", f"{tmp_path}/") for word in arguments]) == 0
    flips = read_table(tmp_path / "my_tables/flips.csv").set_index("configuration")
    flipped = flips[flips["flip"]]
    assert dict(flipped["kind"]) == {"1 reference": "soft", "average reference length": "soft"}
    assert set(flipped["ranking"]) == {"detailed > concise > formula"}
    page = (tmp_path / "my_report.html").read_text(encoding="utf-8")
    assert "<strong>Yes</strong>" in page
    assert re.search(r", [1-9]\d* \([1-9]\d* distinct\) of them decisively", page)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files(document):
    """And to headings, where they name one."""
    here = ROOT / document
    for file, heading in re.findall(r"\]\((?!https:)([^)#]*)#?([^)]*)\)", read(document)):
        path = here.parent / file if file else here
        assert path.exists(), file
        assert not heading or heading in anchors(path), f"{file}#{heading}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_make_commands_are_targets_of_the_makefile(document):
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([\w-]+)(?:`|$)", read(document), re.MULTILINE)) <= targets


def arrows_drawn() -> list[tuple[str, str]]:
    """The arrows of the flow in docs/architecture.md."""
    (drawn,) = re.findall(r"```mermaid\nflowchart TD\n(.*?)```", read("docs/architecture.md"), re.DOTALL)
    lines = [re.fullmatch(r" +(\w+(?: & \w+)*) -->(?:\|[^|]+\|)? (\w+)", line) for line in drawn.splitlines()]
    return [(start, line[2]) for line in lines for start in line[1].split(" & ")]


def reached(start: str, arrows: list[tuple[str, str]]) -> set[str]:
    """Where arrows lead to from a rule, by way of others, too."""
    ends = {end for begin, end in arrows if begin == start}
    return ends.union(*(reached(end, arrows) for end in ends))


def test_the_drawn_flow_has_every_rule_and_no_other():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk")]
    rules = {rule for text in texts for rule in re.findall(r"^rule (\w+):", text, re.MULTILINE)}
    assert {rule for arrow in arrows_drawn() for rule in arrow} == rules


@pytest.mark.workflow
def test_the_drawn_flow_is_that_of_the_workflow(planned):
    """Every arrow is one of the rules' graph, and every one of these is there, maybe by way of other rules."""
    drawn, found = arrows_drawn(), set()
    for config, targets in STUDIES.items():
        told = planned("--configfile", config, "--rulegraph", "--", *targets)
        rules = dict(re.findall(r'(\d+)\[label = "(\w+)"', told))
        every = {(rules[start], rules[end]) for start, end in re.findall(r"(\d+) -> (\d+)", told)}
        graph = {arrow for arrow in every if arrow[1] != "all"}
        here = [arrow for arrow in drawn if set(rules.values()).issuperset(arrow)]
        assert {(start, end) for start, end in graph if end not in reached(start, here)} == set()
        found |= graph
    assert sorted(drawn) == sorted(set(drawn) & found)


def test_the_modules_that_mutations_change_are_named():
    assert {name for name in names("docs/mutation.md") if re.fullmatch(r"\w+/\w+\.py", name)} == set(TESTS)


def test_every_key_of_the_schema_is_explained():
    schema = yaml.safe_load(files("manybleus").joinpath("config.schema.yaml").read_text(encoding="utf-8"))
    assert set(schema_keys(schema)) <= names("config/README.md")


@pytest.mark.parametrize("axis", ["systems", *(axis for axis in AXES if options(axis))])
def test_every_choice_has_a_line_of_its_own(axis):
    choices = CAPTIONERS if axis == "systems" else options(axis)
    lines = re.findall(r"^\| `([^`]+)`", read("config/README.md"), re.MULTILINE)
    assert set(choices) <= set(lines)


def test_every_correction_and_procedure_has_a_line_of_its_own_and_is_valid():
    lines = re.findall(r"^\| `([^`]+)`", read("config/README.md"), re.MULTILINE)
    assert {*CORRECTIONS, *PROCEDURES} <= set(lines)
    schema = yaml.safe_load(files("manybleus").joinpath("config.schema.yaml").read_text(encoding="utf-8"))
    keys = schema["properties"]["significance"]["properties"]
    assert (keys["correction"]["enum"], keys["procedure"]["enum"]) == (list(CORRECTIONS), list(PROCEDURES))
    assert list(keys) == list(asdict(Significance()))


@pytest.mark.parametrize("document", ["README.md", "config/README.md"])
def test_every_verdict_is_explained(document):
    assert set(map(str, Verdict)) <= names(document)


def test_every_kind_and_key_of_a_claim_is_explained():
    ledger = yaml.safe_load(read("config/claims.yaml"))
    entries = [entry for group in ledger["claims"].values() for entry in group]
    used = {entry["kind"] for entry in entries} | {key for entry in [*entries, *ledger["tables"]] for key in entry}
    assert {*used, *ledger, *ledger["inputs"]} <= names("config/README.md")


@pytest.mark.workflow
def test_every_output_of_the_pipeline_is_named(planned):
    patterns = [re.sub(r"<\w+>", "*", name) for name in names("results/README.md")]
    for config, targets in STUDIES.items():
        told = planned("--configfile", config, "--summary", "--", *targets)
        folder = f"results/{yaml.safe_load(read(config))['study']}/"
        outputs = [line.split("\t")[0] for line in told.splitlines()]
        results = [output.removeprefix(folder) for output in outputs if output.startswith(folder)]
        assert "report.html" in results
        assert [file for file in results if not any(fnmatch(file, pattern) for pattern in patterns)] == []


@pytest.fixture(scope="module")
def small_study() -> Study:
    study = read_study(ROOT / "config/config.yaml")
    return replace(study, images=4, axes={axis: (choice,) for axis, choice in asdict(study.baseline).items()})


def test_every_column_is_named(small_study):
    texts = {file: text for file, text in rerun(small_study).items() if file.endswith(".csv")}
    grid = numbers(texts["grid.csv"])
    told = effect_tables(grid, small_study.axes, small_study.baseline, small_study.gap, small_study.tie_tolerance)
    _, _, captions = describe(small_study)
    cells = small_study.cells
    counted = caption_statistics(captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    plan = Significance(bootstrap=100, randomization=100, procedure="sacrebleu")
    what = (grid, small_study.axes, small_study.outside, small_study.tables, small_study.baseline, small_study.gap)
    told |= significance_tables(counted, *what, small_study.tie_tolerance, plan, None)
    told["ngrams.csv"] = ngram_table(captions, small_study.baseline)
    texts |= {file: as_csv(table) for file, table in told.items()}
    columns = {column for text in texts.values() for column in text.partition("\n")[0].split(",")}
    ledger = yaml.safe_load(read("config/claims.yaml"))
    none = verdicts(read_claims(ledger)[:1], inputs_of(small_study), {}.__getitem__)
    empty = Captions((), (), {})
    compared = crosscheck(empty, pd.DataFrame(), [])
    for table in (scene_table(draw_scenes(1, 0)), worked_examples(), conventions(), none, compared, remark_table([])):
        columns.update(table.columns)
    assert columns - set(small_study.systems) <= names("results/README.md")

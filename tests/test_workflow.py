"""The pipeline, driven by Snakemake in a copy of the project with a study of 12 images."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from helpers import cut_off
from projects import Project

from manybleus.files import read_cells
from manybleus.sums import file_sums, read_sums

pytestmark = pytest.mark.workflow

PEERS = {"peers"}
FROM_CLAIMS = {"claims", "html_tables", "report", "verdict", "sums", "provenance", "all"}
FROM_TABLES = {"tables", "significance", "flips", "checks", "statements", "study_output", "figures", *FROM_CLAIMS}
FROM_GRID = {"grid", "crosscheck", "effects", *FROM_TABLES}
FROM_STATISTICS = {"statistics", *FROM_GRID}
FROM_SCENES = {"scenes", "references", "captions", "ngrams", *FROM_STATISTICS}

DOCUMENTED = [
    "SHA256SUMS",
    "block_t.csv",
    "captions/G.json",
    "captions/S1.json",
    "captions/S2.json",
    "captions/references.json",
    "checks.csv",
    "claims.csv",
    "conventions.csv",
    "crosscheck.csv",
    "effects.csv",
    "fixed.csv",
    "flip_significance.csv",
    "flips.csv",
    "gap.csv",
    "grid.csv",
    "neighbours.csv",
    "ngrams.csv",
    "pairs.csv",
    "places.csv",
    "provenance.json",
    "rankings.csv",
    "report.html",
    "reversals.csv",
    "scenes/contact_sheet.png",
    "scenes/scenes.csv",
    "significance.csv",
    "statements.csv",
    "statistics.npz",
    "study_output.txt",
    "tables/brevity_penalties.csv",
    "tables/flips.csv",
    "tables/mean_minus_corpus.csv",
    "tables/monotone.csv",
    "tables/precisions.csv",
    "tables/spread.csv",
    "tables/table_a.csv",
    "tables/table_a.md",
    "tables/table_b.csv",
    "tables/table_b.md",
    "variances.csv",
    "worked_examples.csv",
    "tables/table_a.html",
    "tables/table_b.html",
    *(f"{name}.html" for name in ("claims", "effects", "fixed", "flips", "flip_significance")),
    *(f"{name}.html" for name in ("pairs", "places", "rankings", "reversals")),
    *(f"scenes/images/{image:06d}.png" for image in range(12)),
    *(
        f"figures/{name}.{end}"
        for name in ("gaps", "curve", "precisions", "penalties", "lengths")
        for end in ("csv", "light.svg", "dark.svg", "png")
    ),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The copy, before any run."""
    return Project(tmp_path_factory.mktemp("workflow") / "project")


@pytest.fixture(scope="module")
def finished(project):
    """The copy, after a full run."""
    run = project.snakemake()
    assert run.returncode == 0, run.stdout
    return project


# ------------------------------------------------------------------------------------------------- before the first run


def test_a_bad_configuration_is_refused_with_all_its_problems_and_without_a_trace(project):
    before = project.files()
    bad = {
        "smoothing: [none, add-1, exp]": "smoothing: [none, add-1, ekp]",
        "images: 12": "images: 0",
        "references: [1, 2, 4, 8]": "references: [1, 2, 4, 9]",
        "tie_tolerance: 1.0e-12": "tie_tolerance: 1e-3",
    }
    content = project.config.read_text(encoding="utf-8")
    try:
        for old, new in bad.items():
            project.edit(project.config, old, new)
        run = project.snakemake("-n")
    finally:
        project.config.write_text(content, encoding="utf-8")
    assert run.returncode != 0
    assert "config/config.yaml is not usable: 4 problems" in run.stdout
    for words in ("did you mean 'exp'?", "scenes.images: 0 is out of range", "9 of 8", "write 1.0e-3"):
        assert run.stdout.count(words) == 1, run.stdout
    assert "Traceback" not in run.stdout
    assert project.files().keys() == before.keys()


def test_a_key_that_stands_twice_is_refused(project):
    with project.edited(project.config, "gap: [S2, G]", "gap: [S2, G]\ngap: [S1, G]"):
        run = project.snakemake("-n")
    assert run.returncode != 0
    assert "gap: stands twice" in run.stdout
    assert "Traceback" not in run.stdout


def test_another_configuration_file_inherits_nothing(project):
    other = project.folder / "other.yaml"
    other.write_text("study: other\n", encoding="utf-8")
    run = project.snakemake("-n", "--configfile", "other.yaml")
    assert run.returncode != 0
    assert "other.yaml is not usable: 6 problems" in run.stdout
    for key in ("scenes", "systems", "grid", "baseline", "tables", "gap"):
        assert f"{key}: is missing" in run.stdout
    assert "Traceback" not in run.stdout
    other.unlink()


def test_another_configuration_file_is_a_study_of_its_own(project):
    own = yaml.safe_load(project.config.read_text(encoding="utf-8"))
    own |= {"study": "own", "tables": own["tables"][:1]}
    del own["configurations"], own["tie_tolerance"]
    other = project.folder / "own.yaml"
    other.write_text(yaml.safe_dump(own), encoding="utf-8")
    run = project.snakemake("-n", "--configfile", "own.yaml")
    other.unlink()
    assert run.returncode == 0, run.stdout
    assert "results/own/tables/table_a.csv" in run.stdout
    assert "table_b" not in run.stdout
    assert "results/shapes" not in run.stdout


def test_a_study_without_claims_can_be_planned(project):
    with project.edited(project.config, "claims: config/claims.yaml", ""):
        run = project.snakemake("-n")
    assert run.returncode == 0, run.stdout
    assert "Traceback" not in run.stdout


# -------------------------------------------------------------------------------------------------------- after a run


def test_a_run_makes_every_documented_output(finished):
    missing = [file for file in DOCUMENTED if not (finished.results / file).is_file()]
    assert missing == []


@pytest.fixture(scope="module")
def shown(finished) -> dict[str, Any]:
    """What Snakemake's own report shows, made without a network where the system can take it away."""
    before = finished.files()
    run = finished.snakemake("--report", "shown.zip", before=cut_off())
    assert run.returncode == 0, run.stdout
    assert finished.files().keys() - before.keys() == {"shown.zip"}
    with ZipFile(finished.folder / "shown.zip") as content:
        page = content.read("shown/report.html").decode("utf-8")
        files = {Path(name).name for name in content.namelist()}
    (finished.folder / "shown.zip").unlink()
    found = {
        name: json.JSONDecoder().raw_decode(page, re.search(f'var {name} = (?=[{{"])', page).end())[0]
        for name in ("categories", "results", "workflow_desc")
    }
    return {"page": page, "files": files, **found}


def test_snakemake_s_own_report_has_its_categories(shown):
    told = {category: set(parts) for category, parts in shown["categories"].items()}
    assert told == {
        "Report": {"Other"},
        "Tables": {"Other"},
        "Figures": {"Other"},
        "Extensions": {"Grid", "Effects", "Significance"},
        "Checks": {"Study", "Other tools"},
    }
    assert "one fixed set of captions" in shown["workflow_desc"]
    assert "<em>shapes</em>" in shown["workflow_desc"]
    assert shown["categories"]["Report"]["Other"] == ["results/shapes/report.html"]
    assert {"results/shapes/tables/table_a.csv", "results/shapes/tables/table_a.html"} <= {
        *shown["categories"]["Tables"]["Other"]
    }
    assert {"report.html", "table_a.html", "curve.light.svg", "flip_significance.csv"} <= shown["files"]


def test_everything_in_it_has_a_caption_and_words(finished, shown):
    assert all(result["caption"].strip() and result["labels"]["what"] for result in shown["results"].values())
    captions = {path.stem for path in (finished.folder / "workflow/report").iterdir()}
    used = {Path(path).name.partition(".")[0] for path in shown["results"]}
    used = {"table" if name.startswith("table_") else name for name in used}
    # The first page, and what a run makes only when it is asked for.
    assert captions == used | {"workflow", "replications", "notebook"}


def test_a_second_run_has_nothing_to_do(finished):
    before = finished.files()
    run = finished.snakemake()
    assert run.returncode == 0, run.stdout
    assert "Nothing to be done" in run.stdout
    assert finished.files() == before


def test_the_sums_are_those_of_every_documented_output_but_themselves_and_the_provenance(finished):
    told = read_sums(finished.results / "SHA256SUMS")
    assert list(told) == sorted({*DOCUMENTED} - {"SHA256SUMS", "provenance.json"})
    assert told == file_sums(finished.results, [finished.results / name for name in told])


def test_the_provenance_names_every_rule_that_ran_and_no_place(finished):
    text = (finished.results / "provenance.json").read_text(encoding="utf-8")
    facts = json.loads(text)
    jobs = {"captions" if job.startswith("captions_") else job for job in facts["seconds"]}
    # The verdict may come after it.
    assert jobs | {"verdict"} == (FROM_SCENES | PEERS) - {"all", "provenance"}
    assert facts["commit"] is None
    for place in (str(finished.folder), str(Path.home()), socket.gethostname(), sys.prefix):
        assert place not in text


# Each with the time that it had. The long tests do everything to every file.
DAMAGES = {
    "emptied": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "lengthened": lambda content: content + b"x",
}
DAMAGED = ["grid.csv", "scenes/images/000003.png", "scenes/scenes.csv", "report.html"]
QUICKLY = {("grid.csv", "emptied"), ("scenes/images/000003.png", "cut off"), ("scenes/scenes.csv", "lengthened")}


def overwrite(path, content):
    """Change the content of a file, but not its time."""
    times = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def refusal(finished, path):
    """What a run that does not start tells to remove."""
    run = finished.snakemake()
    assert run.returncode != 0
    assert "Traceback" not in run.stdout
    assert "not as the last run left them" in run.stdout
    (told,) = re.findall(r"^ +rm -r (.*)$", run.stdout, re.MULTILINE)
    assert any(path.is_relative_to(finished.folder / one) for one in told.split())
    return told


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        pytest.param(file, damage, marks=() if (file, damage) in QUICKLY else pytest.mark.long)
        for file in DAMAGED
        for damage in DAMAGES
    ],
)
def test_an_output_that_was_changed_by_hand_stops_the_next_run(finished, file, damage):
    path = finished.results / file
    content = path.read_bytes()
    overwrite(path, DAMAGES[damage](content))
    try:
        refusal(finished, path)
    finally:
        overwrite(path, content)


@pytest.mark.parametrize("how", ["emptied", "cut off", pytest.param("removed", marks=pytest.mark.long)])
def test_damaged_sums_do_not_hide_a_changed_output(finished, how):
    sums, grid = finished.results / "SHA256SUMS", finished.results / "grid.csv"
    before, content = sums.read_bytes(), grid.read_bytes()
    overwrite(grid, content.replace(b",0.7", b",0.9"))
    if how == "removed":
        sums.unlink()
    else:
        sums.write_bytes(before[: 300 if how == "cut off" else 0])
    try:
        refusal(finished, grid)
    finally:
        overwrite(grid, content)
        sums.write_bytes(before)


@pytest.mark.long
def test_after_the_sums_were_removed_everything_is_made_anew(finished):
    sums, grid = finished.results / "SHA256SUMS", finished.results / "grid.csv"
    before, content = sums.read_bytes(), grid.read_bytes()
    overwrite(grid, content.replace(b",0.7", b",0.9"))
    sums.unlink()
    subprocess.run(["rm", "-r", *refusal(finished, grid).split()], cwd=finished.folder, check=True)
    run = finished.snakemake()
    assert run.returncode == 0, run.stdout
    assert sums.read_bytes() == before
    assert finished.jobs() == set()


def test_a_damaged_provenance_is_made_anew(finished):
    path = finished.results / "provenance.json"
    overwrite(path, b"")
    assert refusal(finished, path) == "results/shapes/provenance.json"
    path.unlink()
    run = finished.snakemake()
    assert run.returncode == 0, run.stdout
    assert json.loads(path.read_text(encoding="utf-8"))["versions"]


@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=() if file == "report.html" else pytest.mark.long) for file in DAMAGED]
)
def test_what_a_stopped_run_tells_to_do_ends_in_the_right_bytes(finished, file):
    path = finished.results / file
    content, before = path.read_bytes(), read_sums(finished.results / "SHA256SUMS")
    overwrite(path, content[: len(content) // 2])
    subprocess.run(["rm", "-r", *refusal(finished, path).split()], cwd=finished.folder, check=True)
    run = finished.snakemake()
    assert run.returncode == 0, run.stdout
    assert path.read_bytes() == content
    assert read_sums(finished.results / "SHA256SUMS") == before
    assert finished.jobs() == set()


def test_the_printed_output_of_the_run_is_that_of_the_computation_in_memory(finished, study, nltk):
    from dataclasses import replace

    from manybleus.replication.rerun import rerun

    results = rerun(replace(study, images=12), nltk)
    assert (finished.results / "study_output.txt").read_text(encoding="utf-8") == results["study_output.txt"]
    for file in ("tables/flips.csv", "tables/table_a.csv", "tables/table_b.csv", "statements.csv"):
        assert (finished.results / file).read_text(encoding="utf-8") == results[file]


ROW = '      - {configuration: "8 references", references: 8}\n'
EDITS = {
    "a smoothing": ("smoothing: [none, add-1, exp]", "smoothing: [none, add-1, exp, coco]", FROM_GRID),
    "a number of references": ("references: [1, 2, 4, 8]", "references: [1, 2, 3, 4, 8]", FROM_STATISTICS),
    "an order": ("max_order: [4]", "max_order: [4, 5]", FROM_STATISTICS),
    "an own configuration inside the grid": (
        "configurations: []",
        "configurations: [{configuration: mine, references: 2, case: cased}]",
        FROM_TABLES,
    ),
    "an own configuration outside the grid": (
        "configurations: []",
        "configurations: [{configuration: mine, references: 2, smoothing: coco}]",
        FROM_GRID,
    ),
    "an own configuration with other references": (
        "configurations: []",
        "configurations: [{configuration: mine, references: 3}]",
        FROM_STATISTICS,
    ),
    "images": ("images: 12", "images: 13", FROM_SCENES),
    "seed": ("seed: 0", "seed: 1", FROM_SCENES),
    "tie tolerance": ("tie_tolerance: 1.0e-12", "tie_tolerance: 1.0e-3", FROM_TABLES | {"effects"}),
    "title of a table": ('title: "corpus BLEU-4"', 'title: "BLEU-4"', FROM_TABLES),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_the_configuration_runs_what_depends_on_it_alone(finished, name):
    old, new, expected = EDITS[name]
    with finished.edited(finished.config, old, new):
        assert finished.jobs() == expected


SOURCES = {
    "shapes/scenes.py": ('"""The scenes:', '"""All scenes:', FROM_SCENES),
    "bleu/definition.py": ('r"""BLEU as', 'r"""The BLEU as', FROM_STATISTICS - {"statistics"} | PEERS | {"ngrams"}),
    "replication/claims.py": ('"""The ledger:', '"""A ledger:', FROM_CLAIMS),
}


@pytest.mark.parametrize("module", SOURCES)
def test_an_edit_of_the_source_runs_what_depends_on_it_alone(finished, module):
    old, new, expected = SOURCES[module]
    with finished.edited(finished.folder / "src" / "manybleus" / module, old, new):
        assert finished.jobs() == expected


@pytest.mark.long
def test_a_deleted_output_is_made_again(finished):
    deleted = [finished.results / "claims.csv", finished.results / "report.html"]
    content = [path.read_bytes() for path in deleted]
    for path in deleted:
        path.unlink()
    run = finished.snakemake()
    assert run.returncode == 0, run.stdout
    assert [path.read_bytes() for path in deleted] == content
    assert finished.jobs() == set()


def test_deleted_outputs_within_the_flow_are_planned_again(finished):
    """Every documented output is one that a run owes, not only the report and the verdict."""
    gone = ["scenes/contact_sheet.png", "captions/S1.json", "grid.csv", "tables/table_a.md", "statements.csv"]
    for file in gone:
        (finished.results / file).rename(finished.results / f"{file}.kept")
    try:
        assert {"scenes", "captions", "grid", "tables", "statements"} <= finished.jobs()
    finally:
        for file in gone:
            (finished.results / f"{file}.kept").rename(finished.results / file)


def forget_sums(finished):
    """As after a run that did not come to its end."""
    for name in ("SHA256SUMS", "provenance.json"):
        (finished.results / name).unlink(missing_ok=True)


def test_a_score_that_differs_from_another_tool_s_without_a_cause_fails_the_run_after_the_report(finished):
    table, report = finished.results / "crosscheck.csv", finished.results / "report.html"
    assert set(read_cells(table)["cause"]) == {"", "NLTK floor"}
    forget_sums(finished)
    row = re.search(r"^1,closest,lower,split,exp,corpus,4,S2,sacreBLEU,.*,$", table.read_text(), re.MULTILINE)[0]
    report.unlink()
    with finished.edited(table, row, f"{row}unexplained"):
        run = finished.snakemake()
    assert run.returncode != 0
    assert "the results do not agree with what was published, or with other tools: 1 problem" in run.stdout
    assert "for S2 under references 1, reference_length closest, case lower, tokenizer split" in run.stdout
    assert "Traceback" not in run.stdout.partition("Error in rule verdict")[2]
    assert "without a known cause" in report.read_text(encoding="utf-8")
    # What was made from the edited table.
    report.unlink()
    forget_sums(finished)


def test_a_claim_that_differs_fails_the_run_after_the_report(finished):
    """The last test: the copy does not pass its verdict from here on."""
    ledger = finished.folder / "config" / "claims.yaml"
    report = finished.results / "report.html"
    report.unlink(missing_ok=True)
    finished.edit(ledger, 'published: ["7/7", "2/7"]', 'published: ["7/7", "3/7"]')
    run = finished.snakemake()
    assert run.returncode != 0
    assert "claim clip-the: published 7/7; 3/7, reproduced 7/7; 2/7" in run.stdout
    assert "the results do not agree with what was published" in run.stdout
    assert report.is_file()
    again = finished.snakemake()
    assert again.returncode != 0
    assert "claim clip-the" in again.stdout


def test_a_ledger_replaced_by_an_older_one_is_held_against_the_results(finished):
    ledger = finished.folder / "config/claims.yaml"
    with finished.edited(ledger, "a score carries a signature that names", "a score has a signature that names"):
        os.utime(ledger, (0, 0))
        assert finished.jobs() == FROM_CLAIMS

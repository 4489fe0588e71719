"""The replications, driven by Snakemake in copies of the project: interrupted, gone on with, on one core and on two."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from copy import copy

import pytest
from helpers import numbers
from test_workflow import Project

from manybleus.files import read_table
from manybleus.sums import file_sums, read_sums

pytestmark = pytest.mark.workflow

OF_STUDY = """replications:
  seeds: {first: 0, count: 100}
  shard: 10
  sizes: {images: [25, 50, 100, 200, 400, 800, 1600, 3200], seeds: 20}
"""
# Three seeds and the study's own, in jobs of one seed each.
SMALL = """replications:
  seeds: {first: 1, count: 3}
  shard: 1
  sizes: {images: [6, 30], seeds: 2}
"""
SHARDS = ["0-0", "1-1", "2-2", "3-3"]


def project_in(folder):
    project = Project(folder / "project")
    project.edit(project.config, OF_STUDY, SMALL)
    return project


def outputs(project):
    """Every result file with its content."""
    files = [path for path in project.results.rglob("*") if path.is_file()]
    return {str(path.relative_to(project.results)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy after an uninterrupted run on two cores."""
    project = project_in(tmp_path_factory.mktemp("replications"))
    run = project.snakemake("replications")
    assert run.returncode == 0, run.stdout
    return project


def test_a_run_makes_every_output_of_the_replications_and_nothing_of_the_study(finished):
    figures = ("scenes", "order", "one_reference", "sizes")
    assert outputs(finished).keys() == {
        "SHA256SUMS.replications",
        "replications.html",
        *(f"replications/shards/{shard}.csv" for shard in SHARDS),
        *(f"replications/{name}.csv" for name in ("draws", "rows", "counts", "sizes")),
        *(f"replications/{name}.{end}" for name in figures for end in ("light.svg", "dark.svg", "png")),
    }
    assert "replication" not in " ".join(finished.jobs("all"))
    sums = read_sums(finished.results / "SHA256SUMS.replications")
    assert sums.keys() == outputs(finished).keys() - {"SHA256SUMS.replications"}
    assert sums == file_sums(finished.results, [finished.results / name for name in sums])


def test_the_study_s_own_seed_is_drawn_though_it_is_not_asked_for(finished, study, nltk):
    from dataclasses import replace

    from manybleus.replication.rerun import rerun

    draws = read_table(finished.results / "replications" / "draws.csv")
    own = draws[(draws["seed"] == 0) & (draws["redrawn"] == "scenes")]
    results = rerun(replace(study, images=12), nltk)
    for name in ("a", "b"):
        table = numbers(results[f"tables/table_{name}.csv"])
        assert own["gap"][own["table"] == name.upper()].tolist() == table["S2-G"].tolist()
    rows = read_table(finished.results / "replications" / "rows.csv")
    assert set(rows["draws"]) == {3}
    assert rows["study_gap"].tolist()[:17] == own["gap"].tolist()


def test_progress_is_told_in_the_log(finished):
    log = finished.folder / "logs" / "shapes" / "replication_shard_2-2.log"
    assert log.read_text(encoding="utf-8") == "seed 2 is done, 1 of 1 in this shard\n"


def test_an_interrupted_run_goes_on_where_it_stopped_and_gives_the_same_on_one_core(finished, tmp_path):
    project = project_in(tmp_path)
    shards = project.results / "replications" / "shards"
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "replications"]
    env = {**os.environ, "PYTHONPATH": str(project.folder / "src")}
    env["PATH"] = f"{os.path.dirname(sys.executable)}{os.pathsep}{env['PATH']}"
    run = subprocess.Popen(
        command,
        cwd=project.folder,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        while not list(shards.glob("*.csv")) and time.monotonic() < deadline and run.poll() is None:
            time.sleep(0.05)
    finally:
        # Snakemake and its job at once, as when a machine goes down.
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    done = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.csv")}
    assert 0 < len(done) < len(SHARDS)
    assert not (project.results / "replications.html").exists()

    project.snakemake("--unlock")
    again = project.snakemake("--cores", "1", "replications")
    assert again.returncode == 0, again.stdout
    assert "is done, 1 of 1 in this shard" in again.stdout
    kept = {path.name: path.stat().st_mtime_ns for path in shards.glob("*.csv")}
    # What Snakemake had not yet noted as finished is made again; the rest is not touched.
    assert sum(kept[name] == when for name, when in done.items()) >= len(done) - 1
    assert outputs(project) == outputs(finished)


@contextmanager
def damaged(project, **changes):
    """The copy with other contents of some files of the replications, by their stems, with the times they had."""
    kept = {path: (path.read_bytes(), path.stat()) for path in project.results.rglob("*.csv") if path.stem in changes}
    assert len(kept) == len(changes)
    for path, (content, times) in kept.items():
        path.write_bytes(changes[path.stem](content))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    try:
        yield
    finally:
        for path, (content, times) in kept.items():
            path.write_bytes(content)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def cut(content):
    """A file without its end, parted between two lines."""
    return b"".join(content.splitlines(keepends=True)[:40])


def refusal(project):
    run = project.snakemake("replications")
    assert run.returncode != 0
    assert "Traceback" not in run.stdout
    assert "not as the last run left them" in run.stdout
    (told,) = re.findall(r"^ +rm -r (.*)$", run.stdout, re.MULTILINE)
    return [path.removeprefix("results/shapes/replications/") for path in told.split()]


def test_a_file_that_was_changed_by_hand_stops_the_next_run(finished):
    changes = {"1-1": cut, "draws": lambda content: content.replace(b",0.7", b",0.9"), "rows": lambda content: b""}
    with damaged(finished, **changes):
        assert refusal(finished) == ["shards/1-1.csv", "draws.csv", "rows.csv"]


@pytest.mark.long
def test_sums_that_were_removed_stop_the_next_run(finished):
    sums = finished.results / "SHA256SUMS.replications"
    content = sums.read_bytes()
    sums.unlink()
    try:
        assert "draws.csv" in refusal(finished)
    finally:
        sums.write_bytes(content)


def with_cut_shards(finished, folder):
    """A copy as before the end of the first run, without sums, in which two shards are not whole."""
    project = copy(finished)
    project.folder, project.results = folder / "project", folder / "project/results/shapes"
    shutil.copytree(finished.folder, project.folder, ignore=shutil.ignore_patterns("replication_sums.tsv"))
    (project.results / "SHA256SUMS.replications").unlink()
    shards = project.results / "replications/shards"
    (shards / "1-1.csv").write_bytes(cut((shards / "1-1.csv").read_bytes()))
    (shards / "2-2.csv").write_bytes(b"")
    return project


def test_a_shard_that_is_not_whole_makes_no_table(finished, tmp_path):
    run = with_cut_shards(finished, tmp_path).snakemake("replications")
    assert run.returncode != 0
    assert "Traceback" not in run.stdout
    assert "shards/1-1.csv: it has 39 rows, not 85; remove this file, and run the same command again" in run.stdout
    assert "shards/2-2.csv: its columns are not redrawn, seed" in run.stdout


@pytest.mark.long
def test_a_shard_that_was_removed_is_drawn_anew(finished, tmp_path):
    project = with_cut_shards(finished, tmp_path)
    for name in ("1-1.csv", "2-2.csv"):
        (project.results / "replications/shards" / name).unlink()
    run = project.snakemake("replications")
    assert run.returncode == 0, run.stdout
    assert outputs(project) == outputs(finished)


@pytest.mark.long
def test_what_is_around_a_run_does_not_count(finished, tmp_path):
    project = project_in(tmp_path)
    around = {"PYTHONHASHSEED": "12345", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "OPENBLAS_NUM_THREADS": "2"}
    run = project.snakemake("replications", **around)
    assert run.returncode == 0, run.stdout
    assert outputs(project) == outputs(finished)


@pytest.mark.parametrize(
    ("old", "new", "shards"),
    [
        ("count: 3", "count: 4", 1),
        ("seeds: 2}", "seeds: 3}", 1),
        ('title: "corpus BLEU-4"', 'title: "BLEU-4"', 0),
        ("configurations: []", "configurations: [{configuration: mine, references: 3}]", 4),
    ],
)
def test_an_edit_draws_only_what_depends_on_it(finished, old, new, shards):
    with finished.edited(finished.config, old, new):
        told = finished.snakemake("-n", "replications").stdout.partition("Job stats:")[2].partition("total")[0]
    counts = {name: int(count) for name, count in re.findall(r"^(replication_\w+) +(\d+)$", told, re.MULTILINE)}
    assert counts.get("replication_shard", 0) == shards
    assert counts["replication_page"] == 1


def test_an_edit_of_the_replications_leaves_the_study_alone(finished):
    study = finished.jobs("all")
    with finished.edited(finished.config, "count: 3", "count: 4"):
        assert finished.jobs("all") == study


def test_a_mistake_is_told_before_anything_runs(finished):
    with finished.edited(finished.config, "count: 3", "count: 0"):
        run = finished.snakemake("-n", "replications")
    assert run.returncode != 0
    assert "replications.seeds.count: 0 is out of range; valid is from 1 to 100000" in run.stdout
    assert "Traceback" not in run.stdout

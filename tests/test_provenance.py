"""Provenance: a digest changes with whatever its modules rest on, and with nothing else."""

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from helpers import SOURCE

from manybleus import provenance
from manybleus.replication.peers import PEERS


def forget():
    """Forget what is remembered of source files."""
    for each in vars(provenance).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()


@pytest.fixture
def package(monkeypatch, tmp_path):
    """A copy of the package, which may be edited."""
    copy = tmp_path / "manybleus"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(provenance, "_ROOT", copy)
    forget()
    yield copy
    forget()


def digest_after(path, modules):
    """The digest before and after one more line in a file."""
    before = provenance.source_digest(modules)
    path.write_text(path.read_text(encoding="utf-8") + "# one more line\n", encoding="utf-8")
    forget()
    return before, provenance.source_digest(modules)


@pytest.mark.parametrize(
    ("module", "imported"),
    [
        ("bleu.scores", "bleu/scores.py"),
        ("bleu.scores", "bleu/definition.py"),
        ("bleu.scores", "bleu/tokens.py"),
        ("bleu.scores", "errors.py"),
        ("shapes.captioners", "shapes/scenes.py"),
        ("replication.rerun", "replication/peers.py"),
        ("replication.rerun", "shapes/references.py"),
        ("replication.rerun", "bleu/tokens.py"),
        ("analysis.tables", "analysis/rankings.py"),
        ("bleu.scores", "__init__.py"),
    ],
)
def test_a_digest_changes_with_a_module_that_is_imported_at_any_remove(package, module, imported):
    before, after = digest_after(package / imported, [module])
    assert before != after


@pytest.mark.parametrize(
    ("module", "other"),
    [
        ("shapes.scenes", "shapes/captioners.py"),
        ("shapes.captioners", "bleu/definition.py"),
        ("bleu.statistics", "shapes/scenes.py"),
        ("bleu.statistics", "bleu/configuration.py"),
        ("replication.statements", "bleu/definition.py"),
    ],
)
def test_a_digest_does_not_change_with_another_module(package, module, other):
    before, after = digest_after(package / other, [module])
    assert before == after


def test_a_digest_changes_with_a_data_file_beside_a_module(package):
    template = package / "report" / "templates" / "new.html"
    template.parent.mkdir(exist_ok=True)
    template.write_text("<p>", encoding="utf-8")
    (package / "report" / "made_up.py").write_text('"""Nothing."""\n', encoding="utf-8")
    before, after = digest_after(template, ["report.made_up"])
    assert before != after


def test_a_digest_is_of_the_modules_together_in_any_order(package):
    both = provenance.source_digest(["bleu.scores", "files"])
    assert provenance.source_digest(["files", "bleu.scores"]) == both
    assert provenance.source_digest(["bleu.scores"]) != provenance.source_digest(["errors"])
    assert len(both) == 16


def test_a_digest_does_not_depend_on_where_the_package_stands(monkeypatch, package):
    copied = provenance.source_digest(["replication.rerun"])
    moved = package.rename(package.with_name("elsewhere"))
    monkeypatch.setattr(provenance, "_ROOT", moved)
    assert provenance.source_digest(["replication.rerun"]) == copied


def test_versions_name_python_and_the_libraries_and_those_that_are_missing(monkeypatch):
    versions = provenance.package_versions()
    assert {"python", "numpy", "nltk", "sacrebleu", "pycocoevalcap", "scikit-image"} <= versions.keys()

    def version(package):
        raise provenance.PackageNotFoundError(package)

    monkeypatch.setattr(provenance, "version", version)
    assert set(provenance.package_versions().values()) == {versions["python"], "not installed"}


# ----------------------------------------------------------------------------------------------------- facts of a run


@pytest.fixture
def benchmarks(tmp_path):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "grid.tsv").write_text("s\th:m:s\tmax_rss\n2.25\t0:00:02\t100.1\n")
    (folder / "empty.tsv").write_text("s\th:m:s\n")
    return folder


def git(folder, *words):
    name = {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)}
    who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, env={**os.environ, **name}, check=True, capture_output=True)


def test_the_facts_of_a_run_hold_no_path_and_no_host(benchmarks, tmp_path):
    facts = provenance.provenance({"study": "shapes"}, benchmarks, tmp_path)
    assert facts["versions"] == provenance.package_versions()
    assert facts["seconds"] == {"empty": None, "grid": 2.25}
    assert (facts["commit"], facts["changed"]) == (None, None)
    text = json.dumps(facts)
    assert str(Path.home()) not in text
    assert str(tmp_path) not in text
    assert socket.gethostname() not in text


def test_the_order_of_keys_in_the_configuration_does_not_count(benchmarks, tmp_path):
    one = provenance.provenance({"a": {"b": 1, "c": 2}, "d": 3}, benchmarks, tmp_path)
    same = provenance.provenance({"d": 3, "a": {"c": 2, "b": 1}}, benchmarks, tmp_path)
    other = provenance.provenance({"d": 3, "a": {"c": 2, "b": 2}}, benchmarks, tmp_path)
    assert one["config"] == same["config"] != other["config"]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs Git")
def test_the_commit_is_that_of_the_project_s_own_repository(benchmarks, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    git(tmp_path, "init", "--quiet")
    assert provenance.provenance({}, benchmarks, project)["commit"] is None
    git(project, "init", "--quiet")
    assert provenance.provenance({}, benchmarks, project)["commit"] is None
    (project / "file").write_text("one")
    git(project, "add", "file")
    git(project, "commit", "--quiet", "-m", "one")
    facts = provenance.provenance({}, benchmarks, project)
    assert len(facts["commit"]) == 40
    assert facts["changed"] is False
    (project / "file").write_text("two")
    assert provenance.provenance({}, benchmarks, project)["changed"] is True


def test_without_git_there_is_no_commit(monkeypatch, benchmarks, tmp_path):
    monkeypatch.setenv("PATH", "")
    assert provenance.provenance({}, benchmarks, tmp_path)["commit"] is None


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_the_versions_of_the_tools_that_are_compared_are_told(peer):
    assert peer.package in provenance.package_versions()


def test_a_part_of_the_facts_is_no_provenance(tmp_path):
    path = tmp_path / "provenance.json"
    text = json.dumps(provenance.provenance({}, tmp_path, tmp_path), indent=2)
    path.write_text(text, encoding="utf-8")
    assert provenance.is_provenance(path)
    for damaged in (b"", text[:-1].encode(), text[:40].encode(), b"\xff", b"1", b"[]"):
        path.write_bytes(damaged)
        assert not provenance.is_provenance(path)

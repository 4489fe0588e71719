"""A run gives the same bytes whatever is around it, and those that the repository expects."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT
from projects import Project

pytestmark = [pytest.mark.workflow, pytest.mark.long]

SOURCES = ("src", "workflow", "config", "profiles", "notebooks", "Snakefile", "environment.yml", "pyproject.toml")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The sums of a run on one core."""
    project = Project(tmp_path_factory.mktemp("expected") / "project")
    return sums_after(project, cores=1)


def sums_after(project, **how):
    run = project.snakemake(**how)
    assert run.returncode == 0, run.stdout
    return project.sums()


AROUND = {
    "two cores": {"cores": 2},
    "hash seed 0": {"PYTHONHASHSEED": "0"},
    "hash seed 12345": {"PYTHONHASHSEED": "12345"},
    "random hash seed": {"PYTHONHASHSEED": "random"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "locale C": {"LC_ALL": "C", "LANG": "C"},
    "locale C without the UTF-8 mode": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "locale C.UTF-8": {"LC_ALL": "C.UTF-8"},
    "nobody else may read": {"before": ["sh", "-c", 'umask 077; exec "$@"', "sh"]},
    "others may read": {"before": ["sh", "-c", 'umask 022; exec "$@"', "sh"]},
    "threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
}


@pytest.mark.parametrize("what", AROUND)
def test_what_is_around_a_run_does_not_count(tmp_path, expected, what):
    assert sums_after(Project(tmp_path / "project"), **AROUND[what]) == expected


def test_a_turkish_locale_does_not_count(tmp_path, expected):
    """There the small letter of I is another than i."""
    made = tmp_path / "locales" / "tr_TR.UTF-8"
    made.parent.mkdir()
    if shutil.which("localedef") is None:
        pytest.skip("localedef is not installed")
    told = subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", str(made)], capture_output=True, check=False)
    if not made.is_dir():
        pytest.skip(f"localedef cannot make the locale (Debian: package locales): {told.stderr.decode().strip()}")
    locale = {"LOCPATH": str(made.parent), "LC_ALL": "tr_TR.UTF-8"}
    code = "import locale; print(locale.setlocale(locale.LC_ALL, ''))"
    found = subprocess.run([sys.executable, "-c", code], env={**os.environ, **locale}, capture_output=True, check=True)
    assert found.stdout.decode().strip() == "tr_TR.UTF-8"
    assert sums_after(Project(tmp_path / "project"), **locale) == expected


def test_a_java_that_does_not_work_does_not_count(tmp_path, expected):
    """The study asks coco-caption's BLEU alone, which is Python, and not its tokenizer."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    java.chmod(0o755)
    path = os.pathsep.join([str(java.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    assert sums_after(Project(tmp_path / "project"), PATH=path) == expected


def test_a_folder_with_spaces_and_other_letters_does_not_count(tmp_path, expected):
    """The Python of the run stands in the folder, too, as that of `make` does."""
    project = Project(tmp_path / "çok büyük, \u732b & 'co'")
    home = project.folder / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "shared.pth").write_text("\n".join(path for path in sys.path if path.endswith("-packages")))
    assert sums_after(project, python=str(home / "bin/python")) == expected


def test_a_source_tree_that_cannot_be_written_to_does_not_count(tmp_path, expected):
    project = Project(tmp_path / "project")
    parts = [project.folder / name for name in SOURCES]
    before = []
    if os.geteuid() == 0:
        mounts = "; ".join(
            f"mount --bind '{path}' '{path}' && mount -o remount,ro,bind '{path}'" for path in parts if path.is_dir()
        )
        before = ["unshare", "--mount", "sh", "-ec", f'{mounts}; exec "$@"', "sh"]
        if subprocess.run([*before, "true"], cwd=project.folder, capture_output=True, check=False).returncode:
            pytest.skip("read-only mounts cannot be made here")
        assert subprocess.run([*before, "touch", "src/x"], cwd=project.folder, check=False).returncode
    else:
        subprocess.run(["chmod", "-R", "a-w", *map(str, parts)], check=True)
    try:
        assert sums_after(project, before=before) == expected
    finally:
        subprocess.run(["chmod", "-R", "u+w", *map(str, parts)], check=True)
    assert [*Path(project.folder / "src").rglob("__pycache__")] == []


def test_a_second_clean_run_does_not_count(tmp_path, expected):
    project = Project(tmp_path / "project")
    assert sums_after(project) == expected
    shutil.rmtree(project.results)
    assert sums_after(project) == expected


def test_the_full_study_has_the_bytes_that_the_repository_expects():
    """Those of the locked libraries; with others, numbers and tables."""
    locked = (ROOT / "requirements/test.txt").read_text(encoding="utf-8")
    import matplotlib

    part = [] if f"matplotlib=={matplotlib.__version__} " in locked else ["--tables"]
    command = [sys.executable, "workflow/verify.py", "--cores", "2", *part]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    told = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "files have the bytes that" in told.stdout

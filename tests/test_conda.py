"""environment.yml: Python and pip from conda, all else from the lock, which conda's own pip step can install."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from helpers import ROOT
from packaging.specifiers import SpecifierSet
from projects import copy_project

ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def locked(file):
    return set(re.findall(r"^([\w.-]+==[^ \\\n]+)", (ROOT / "requirements" / file).read_text("utf-8"), re.MULTILINE))


def test_conda_gives_python_and_pip_and_the_lock_the_rest():
    assert ENVIRONMENT["name"] == PROJECT["name"]
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]
    *conda, pip = ENVIRONMENT["dependencies"]
    assert [re.split("=", name)[0] for name in conda] == ["python", "pip"]
    assert pip == {"pip": ["-r requirements/pins.txt", "-e ."]}


def test_its_python_is_one_that_the_project_supports():
    version = ENVIRONMENT["dependencies"][0].partition("=")[2]
    assert f"{version}.0" in SpecifierSet(PROJECT["requires-python"])
    assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]


def test_the_pins_are_those_of_the_lock():
    assert locked("pins.txt") == locked("main.txt") != set()
    assert locked("main.txt") <= locked("test.txt")


@pytest.mark.long
def test_the_pip_step_installs_the_project_in_a_fresh_environment(tmp_path):
    """As conda writes it: the lines of `pip` in a file beside environment.yml, installed from that folder."""
    project = tmp_path / "project"
    copy_project(project)
    (project / "condaenv.requirements.txt").write_text("\n".join(ENVIRONMENT["dependencies"][-1]["pip"]))
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    python = str(tmp_path / "env/bin/python")
    install = [python, "-m", "pip", "install", "-U", "-r", "condaenv.requirements.txt", "--exists-action=b"]
    ran = subprocess.run(install, cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    asked = [python, "-m", "pip", "freeze", "--exclude-editable"]
    frozen = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    names = {re.sub(r"[-_.]+", "-", line).lower() for line in locked("main.txt")}
    assert {re.sub(r"[-_.]+", "-", line).lower() for line in frozen} <= names
    run = subprocess.run(
        [python, "-m", "snakemake", "-n", "--cores", "1"], cwd=project, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr

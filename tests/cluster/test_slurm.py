"""The study on a real SLURM of two nodes, one of which is lost on the way: the bytes of a run on this machine."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from helpers import ROOT
from projects import Project

pytestmark = [pytest.mark.workflow, pytest.mark.long]

CLUSTER = Path(__file__).with_name("slurm.sh")
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "unshare")


@pytest.fixture(scope="module")
def python():
    """A Python with the plugin: that of `make test-all`, or this one."""
    for found in (ROOT / ".venv/slurm/bin/python", Path(sys.executable)):
        asked = "import snakemake_executor_plugin_slurm"
        if found.exists() and not subprocess.run([found, "-c", asked], capture_output=True, check=False).returncode:
            return str(found)
    return pytest.skip("Snakemake's plugin for SLURM is not installed: make .venv/slurm")


@pytest.fixture(scope="module")
def cluster():
    """What stands before a command that is to run in the cluster, but for the folder."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed (Debian: slurmctld slurmd slurm-client munge)")
    before = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() or subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a cluster of one's own needs root")
    return [*before, str(CLUSTER)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory, python):
    """The sums of a run on this machine."""
    project = Project(tmp_path_factory.mktemp("local") / "project")
    run = project.snakemake(python=python)
    assert run.returncode == 0, run.stdout
    return project.sums()


def below(process, words):
    """The processes that a process started whose commands hold some words."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            if words in " ".join(child.cmdline()):
                found.append(child)
        except psutil.Error:
            continue
    return found


def jobs_on(process, node):
    """The processes of SLURM that watch over a job on a node."""
    return [job for each in below(process, f"--uts slurmd -D -N {node}") for job in below(each, "slurmstepd")]


def test_a_run_that_loses_a_node_ends_with_the_bytes_of_a_local_run(tmp_path, expected, python, cluster):
    project = Project(tmp_path / "project")
    profile = ["--profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "2"]
    process = project.start(*profile, before=[*cluster, str(tmp_path / "cluster")], python=python)
    killed = False
    while process.poll() is None:
        begun = (project.results / "captions/references.json").exists()
        if begun and not killed and jobs_on(process, "n1"):
            (node,) = below(process, "--uts slurmd -D -N n1")
            node.kill()
            killed = True
        try:
            process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            continue
    output = process.stdout.read()
    assert process.returncode == 0, output
    assert killed
    assert "n1             1      all* idle" in output
    log = (tmp_path / "cluster/slurmctld.log").read_text(encoding="utf-8")
    assert re.search("(Requeuing|Killing) JobId=", log)
    assert "n1 not responding, setting DOWN" in log
    assert project.sums() == expected

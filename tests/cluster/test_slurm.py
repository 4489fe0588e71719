"""The study and replications on a real SLURM of two nodes, one of which is lost: the bytes of a run on this machine."""

import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from helpers import ROOT, alarm
from projects import Project

from manybleus.sums import file_sums

pytestmark = [pytest.mark.workflow, pytest.mark.long]

CLUSTER = Path(__file__).with_name("slurm.sh")
TARGETS = ("all", "replications")
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "unshare")


@pytest.fixture(scope="module")
def python():
    """A Python with the plugin: that of `make test-all`, or this one."""
    for found in (ROOT / ".venv/slurm/bin/python", Path(sys.executable)):
        asked = "import snakemake_executor_plugin_slurm"
        if found.exists() and not subprocess.run([found, "-c", asked], capture_output=True, check=False).returncode:
            return str(found)
    return pytest.skip("Snakemake's plugin for SLURM is not installed: make slurm")


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


def project_in(folder):
    """The study of 12 pictures, with replications of four seeds, each a job."""
    project = Project(folder / "project")
    project.edit(project.config, "first: 0, count: 100", "first: 0, count: 4")
    project.edit(project.config, "shard: 10", "shard: 1")
    project.edit(project.config, "[25, 50, 100, 200, 400, 800, 1600, 3200], seeds: 20", "[6, 30], seeds: 2")
    return project


def sums_of(project):
    """The sums of all files of the study and of the replications."""
    told = project.sums()
    found = file_sums(project.results, [project.results])
    assert len([name for name in found if name.startswith("replications/shards/")]) == 4
    assert told.items() <= found.items()
    return {name: digest for name, digest in found.items() if name != "provenance.json"}


@pytest.fixture(scope="module")
def expected(tmp_path_factory, python):
    """The sums of a run on this machine."""
    project = project_in(tmp_path_factory.mktemp("local"))
    run = project.snakemake(*TARGETS, python=python)
    assert run.returncode == 0, run.stdout
    return sums_of(project)


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
    project = project_in(tmp_path)
    options = [*TARGETS, "--profile", "profiles/slurm", "--slurm-init-seconds-before-status-checks", "2"]
    process = project.start(*options, before=[*cluster, str(tmp_path / "cluster")], python=python)
    killed = False
    with ThreadPoolExecutor() as reader:
        told = reader.submit(process.stdout.read)
        try:
            with alarm(1500):
                while process.poll() is None:
                    begun = (project.results / "captions/references.json").exists()
                    if begun and not killed and jobs_on(process, "n1"):
                        (node,) = below(process, "--uts slurmd -D -N n1")
                        node.kill()
                        killed = True
                    time.sleep(0.5)
        finally:
            # The cluster lives in a namespace of processes, which ends with its first one.
            process.kill()
            process.wait()
    output = told.result()
    assert process.returncode == 0, output
    assert killed
    assert "n1             1      all* idle" in output
    log = (tmp_path / "cluster/slurmctld.log").read_text(encoding="utf-8")
    assert re.search("(Requeuing|Killing) JobId=", log)
    assert "n1 not responding, setting DOWN" in log
    assert sums_of(project) == expected

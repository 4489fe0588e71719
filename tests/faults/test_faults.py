"""After whatever befalls a run, one command ends in the right bytes, or the failure says what to do."""

import os
import random
import re
import shutil
import subprocess
import time

import pytest

from faults.harness import KILLS, Victim, interrupt, mounted, survive, wait_for

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def small(own):
    """The sums of a study of one's own captions, which ran undisturbed."""
    return own.sums("own_text")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """The sums of the study with 12 pictures."""
    return whole(Victim(tmp_path_factory.mktemp("study") / "project"))


def whole(victim):
    run = victim.run()
    assert run.returncode == 0, run.stdout
    return victim.sums()


def test_a_run_that_does_not_end_is_killed_with_its_jobs_and_told(tmp_path):
    victim = Victim(tmp_path / "project")
    # The job holds the output open, so that to wait for its end is to wait for the job's.
    stuck = ["sh", "-c", "echo stuck; sleep 1000 & wait"]
    with pytest.raises(TimeoutError, match=r"no end after 0\.5 seconds: (?s:.*)\nstuck"):
        victim.snakemake(limit=0.5, before=stuck)


def test_a_run_survives_a_kill_of_all_of_snakemake_alone_and_of_a_job(tmp_path, small):
    moments = [("snakemake", 3), ("job", 5), ("all", 9)]
    survive(Victim(tmp_path / "project", "own_text"), small, moments)


def test_the_harness_notices_if_files_are_not_replaced_in_one_step(tmp_path, small):
    victim = Victim(tmp_path / "project", "own_text")
    files = victim.folder / "src/manybleus/files.py"
    victim.edit(
        files,
        "        draft.write_bytes(content)\n        os.replace(draft, path)",
        "        path.write_bytes(content)",
    )
    with pytest.raises(AssertionError):
        survive(victim, small, [("all", writes) for writes in (5, 4, 3)])


@pytest.mark.long
def test_a_run_survives_fifty_kills_at_random_moments(tmp_path, study):
    draw = random.Random(0)
    moments = [(draw.choice([*KILLS]), draw.randint(1, 30)) for _ in range(50)]
    survive(Victim(tmp_path / "project"), study, moments)


@pytest.mark.long
@pytest.mark.parametrize("size", ["100k", "400k"])
def test_a_full_disk_is_told_and_with_room_the_same_command_ends_in_the_right_bytes(tmp_path, small, size):
    victim = Victim(tmp_path / "project", "own_text")
    if not mounted(victim.folder / "results", "-o", f"size={size}"):
        pytest.skip("no file system can be mounted here: this needs root")
    try:
        run = victim.run()
        assert run.returncode != 0
        assert "No space left on device; make room, and run the same command again" in run.stdout
        assert "Traceback" not in run.stdout
        assert victim.broken(small) == []
        subprocess.run(["mount", "-o", "remount,size=50m", str(victim.folder / "results")], check=True)
        assert whole(victim) == small
    finally:
        subprocess.run(["umount", str(victim.folder / "results")], check=True)


@pytest.mark.long
def test_a_results_folder_that_cannot_be_written_to_is_told(tmp_path, small):
    victim = Victim(tmp_path / "project", "own_text")
    results = victim.folder / "results"
    if os.geteuid() == 0:
        if not mounted(results, "-o", "ro"):
            pytest.skip("no file system can be mounted here")
    else:
        results.mkdir(mode=0o555)
    try:
        run = victim.run()
        assert run.returncode != 0
        assert re.search("Read-only file system|Permission denied", run.stdout)
        assert "Traceback" not in run.stdout
    finally:
        if os.geteuid() == 0:
            subprocess.run(["umount", str(results)], check=True)
        else:
            results.chmod(0o755)
    assert whole(victim) == small


@pytest.mark.long
def test_a_second_run_in_one_folder_is_refused_and_the_first_one_ends_well(tmp_path, small):
    victim = Victim(tmp_path / "project", "own_text")
    first = victim.begin()
    assert wait_for(lambda: victim.writes() >= 2, first)
    second = victim.run()
    assert second.returncode != 0
    assert "cannot be locked" in second.stdout
    assert "--unlock" in second.stdout
    output, _ = first.communicate()
    assert first.returncode == 0, output
    assert victim.sums() == small


@pytest.mark.long
@pytest.mark.parametrize("writes", [1, 4, 12, 25])
def test_after_ctrl_c_the_same_command_ends_in_the_right_bytes(tmp_path, small, writes):
    victim = Victim(tmp_path / "project", "own_text")
    process = victim.begin()
    assert wait_for(lambda: victim.writes() >= writes, process)
    interrupt(process)
    assert process.returncode != 0
    assert victim.broken(small) == []
    assert whole(victim) == small


@pytest.mark.long
@pytest.mark.parametrize("by", ["old sources", "results from the future", "faketime"])
def test_a_clock_that_was_set_back_does_not_hide_an_edit(tmp_path, study, by):
    """The right bytes, or a failure that tells of the clock, and after `make clean` the right bytes."""
    victim = Victim(tmp_path / "project")
    # Older than any clock here says that it is.
    for path in victim.folder.rglob("*"):
        os.utime(path, (time.time() - 30 * 86400,) * 2)
    assert whole(victim) == study
    victim.edit(victim.config, "seed: 0", "seed: 1")
    before = []
    if by == "faketime":
        if shutil.which("faketime") is None:
            pytest.skip("faketime is not installed")
        before = victim.set_clock_back()
    else:
        part, when = ("src", 0) if by == "old sources" else ("results", time.time() + 86400)
        paths = [victim.config, *(victim.folder / part).rglob("*")]
        for path in paths:
            os.utime(path, (when, when))
    run = victim.snakemake(before=before)
    if run.returncode:
        assert "clock skew" in run.stdout, run.stdout
        assert not (victim.results / "SHA256SUMS").exists()
        victim.clean()
        run = victim.snakemake(before=before)
    fresh = Victim(tmp_path / "fresh")
    fresh.edit(fresh.config, "seed: 0", "seed: 1")
    expected = fresh.run()
    assert run.returncode == expected.returncode == 0, run.stdout
    assert victim.sums() == fresh.sums() != study

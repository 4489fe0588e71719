"""What may befall a run, done to a copy of the project on a slow disk."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
from projects import Project

from manybleus.sums import file_sums

# Every file is written in two halves with a pause between them, which is noted: a moment at which to be killed.
SLOW_DISK = """
import pathlib
import time


def write_bytes(path, content):
    with open(path, "wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        with open("writes.log", "a") as log:
            log.write(f"{path}\\n")
        time.sleep(0.15)
        file.write(content[len(content) // 2 :])
    return len(content)


pathlib.Path.write_bytes = write_bytes
"""
PATIENCE = 600
# The monotonic clock stays: faketime 0.9.10 moves it, but not the ends of waits for a lock, which then never come.
CLOCK_SET_BACK = ["faketime", "-m", "--exclude-monotonic", "-f", "-10d"]
# But it moves the ends of sleeps, which fail (EINVAL): so wait for a lock instead.
SLEEP = """
import threading

time.sleep = lambda seconds: threading.Event().wait(seconds) or None
"""


class Victim(Project):
    """A copy of the project with a study of one's own captions, or of 12 pictures, on a slow disk."""

    def __init__(self, folder: Path, config: str | None = None) -> None:
        super().__init__(folder)
        self.options = ["--configfile", f"config/examples/{config}.yaml"] if config else []
        self.results = folder / "results" / (config or "shapes")
        (folder / "src" / "sitecustomize.py").write_text(SLOW_DISK, encoding="utf-8")

    def set_clock_back(self) -> list[str]:
        """Return what is to stand before a command, by whose clock it is ten days ago."""
        with (self.folder / "src" / "sitecustomize.py").open("a", encoding="utf-8") as code:
            code.write(SLEEP)
        return CLOCK_SET_BACK

    def begin(self, *before: str, **how) -> "subprocess.Popen[str]":
        """Start the study."""
        return self.start(*self.options, before=before, **how)

    def run(self, *more: str, **how) -> "subprocess.CompletedProcess[str]":
        """Run the study to its end."""
        return self.snakemake(*self.options, *more, **how)

    def clean(self) -> None:
        """As `make clean` does."""
        for name in ("results", "logs", ".snakemake"):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def writes(self) -> int:
        """How many files were begun so far."""
        log = self.folder / "writes.log"
        return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0

    def has_written(self, files: float) -> bool:
        """Whether so many files were begun."""
        return self.writes() >= files

    def broken(self, expected: dict[str, str]) -> list[str]:
        """Results that are there without being whole."""
        found = file_sums(self.results, [self.results]) if self.results.is_dir() else {}
        return [name for name, digest in found.items() if name in expected and expected[name] != digest]


def wait_for(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> bool:
    """Wait until something holds; False if the process ends before."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.01)
    raise TimeoutError("neither came what was waited for, nor did the run end")


def scripts_of(process: "subprocess.Popen[str]") -> Iterator[psutil.Process]:
    """The jobs of a run that execute a script of the workflow."""
    try:
        below = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return
    for child in below:
        try:
            words = child.cmdline()
        except psutil.Error:
            continue
        if any("/.snakemake/scripts/" in word for word in words) and "bash" not in words[0]:
            yield child


def kill_all(process: "subprocess.Popen[str]") -> None:
    """End Snakemake and its jobs at once, as a power cut does."""
    below = psutil.Process(process.pid).children(recursive=True)
    for each in (process, *below):
        try:
            each.kill()
        except psutil.NoSuchProcess:
            continue
    process.communicate()


def kill_snakemake(process: "subprocess.Popen[str]") -> None:
    """End Snakemake alone: its jobs go on."""
    process.kill()
    process.wait()


def kill_job(process: "subprocess.Popen[str]") -> None:
    """End one job: Snakemake tells it and ends."""
    jobs = [*scripts_of(process)]
    if not jobs:
        kill_all(process)
        return
    jobs[0].kill()
    output, _ = process.communicate()
    # Unless the job had just ended.
    assert process.returncode == 0 or "Error in rule" in output, output


KILLS = {"all": kill_all, "snakemake": kill_snakemake, "job": kill_job}


def survive(victim: Victim, expected: dict[str, str], moments: list[tuple[str, float]]) -> None:
    """Kill a run again and again; after each kill no result is broken, and in the end all have the right bytes.

    Parameters
    ----------
    moments
        Whom to kill, a name in ``KILLS``, and when: within so many writes of files from the start.
    """
    for whom, after in moments:
        process, until = victim.begin(), victim.writes() + after
        if not wait_for(partial(victim.has_written, until), process):
            output, _ = process.communicate()
            assert process.returncode == 0, output
            assert victim.sums() == expected
            victim.clean()
            continue
        # Anywhere from the middle of a write to a while after it.
        time.sleep(random.Random(f"{whom} {after}").choice([0, 0, 0.1, 0.3, 1]))
        if process.poll() is None:
            KILLS[whom](process)
        assert victim.broken(expected) == [], "results that are there without being whole"
        unlocked = victim.run("--unlock")
        assert unlocked.returncode == 0, unlocked.stdout
    run = victim.run()
    assert run.returncode == 0, run.stdout
    assert victim.sums() == expected
    assert victim.broken(expected) == []


def mounted(folder: Path, *options: str) -> bool:
    """Mount a file system of its own at a folder; False if that is not possible here."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0


def interrupt(process: "subprocess.Popen[str]") -> str:
    """Press Ctrl-C: all processes of the terminal get the signal."""
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    return output

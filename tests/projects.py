"""A copy of the project, with a small study, in which tests may run Snakemake and change files."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers import ROOT

from manybleus.sums import file_sums, read_sums

# Seconds, for a run that takes a minute or two on a machine with nothing else to do.
LIMIT = 1800
# Few, for the sake of time.
DRAWS = "  bootstrap: 100\n  randomization: 100\n"
GRID = "grid:\n  smoothing: [exp, coco]\n  reference_length: [closest]\n"


def copy_project(folder: Path, *, tests: bool = False) -> None:
    """Copy the project into a new folder, without what was made; its tests only if they are asked for."""
    unneeded = [".*", "__pycache__", "node_modules", "results", "logs", "htmlcov", "dist", "docs"]
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*unneeded, *([] if tests else ["tests"])))


class Project:
    """A copy of the project in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config" / "config.yaml"
        self.results = folder / "results" / "shapes"
        copy_project(folder)
        self.edit(self.config, "images: 200", "images: 12")
        self.edit(self.config, "smoothing: [none, add-1, exp, coco]", "smoothing: [none, add-1, exp]")
        self.edit(self.config, "  strata: parity\n", f"  strata: parity\n{DRAWS}")
        for example in (folder / "config" / "examples").glob("*.yaml"):
            with example.open("a", encoding="utf-8") as text:
                text.write(f"{GRID}significance:\n{DRAWS}")

    def start(
        self,
        *options: str,
        before: Sequence[str] = (),
        python: str = sys.executable,
        cores: int = 2,
        **environment: str,
    ) -> subprocess.Popen[str]:
        """Start Snakemake on the copy's own source, in a process group of its own; output and messages come together.

        ``before`` stands before the command, ``environment`` is added to that of the tests.
        """
        scripts = str(Path(python).parent)
        paths = {"PYTHONPATH": str(self.folder / "src"), "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.Popen(
            [*before, python, "-m", "snakemake", "--cores", str(cores), *options],
            cwd=self.folder,
            env={**os.environ, **paths, **environment},
            text=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # What a shell starts in the background ignores Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def snakemake(self, *options: str, limit: float = LIMIT, **how: Any) -> subprocess.CompletedProcess[str]:
        """Run Snakemake as ``start`` starts it, to its end; after ``limit`` seconds it is killed with all its jobs."""
        started = self.start(*options, **how)
        try:
            output, _ = started.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            output, _ = started.communicate()
            raise TimeoutError(f"no end after {limit} seconds: {started.args}\n{output}") from None
        return subprocess.CompletedProcess(started.args, started.returncode, output)

    def sums(self, study: str | None = None) -> dict[str, str]:
        """What the last whole run of a study told of its results, checked against the files."""
        results = self.folder / "results" / study if study else self.results
        told = read_sums(results / "SHA256SUMS")
        assert told == file_sums(results, [results / name for name in told])
        return told

    def jobs(self, *options: str, **environment: str) -> set[str]:
        """The rules that a run would run now."""
        run = self.snakemake("-n", *options, **environment)
        assert run.returncode == 0, run.stdout
        table = run.stdout.partition("Job stats:")[2].partition("total")[0]
        return {line.split()[0] for line in table.splitlines() if re.fullmatch(r"\w+ +\d+", line.strip())}

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path} holds {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    @contextmanager
    def edited(self, path: Path, old: str, new: str):
        """Change a file for a while; its time is put back with its text."""
        content, times = path.read_bytes(), path.stat()
        self.edit(path, old, new)
        try:
            yield
        finally:
            path.write_bytes(content)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def files(self) -> dict[str, int]:
        """Every file with its time, without what Snakemake keeps for itself."""
        return {
            str(path.relative_to(self.folder)): path.stat().st_mtime_ns
            for path in self.folder.rglob("*")
            if path.is_file() and not {".snakemake", "__pycache__"} & set(path.parts)
        }

"""What ends a script of the workflow stands in its log and on the terminal."""

import subprocess
import sys

import psutil
import pytest

SCRIPT = """
from manybleus.errors import ManybleusError
from manybleus.job import begin_job

begin_job("job.log")
{}
"""


@pytest.fixture
def run(tmp_path):
    """Run a script's last lines; return its exit code, its messages and its log, or None."""

    def run_it(*lines):
        command = [sys.executable, "-c", SCRIPT.format("\n".join(lines))]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        log = tmp_path / "job.log"
        return ran.returncode, ran.stderr, log.read_text(encoding="utf-8") if log.exists() else None

    return run_it


def test_a_user_s_mistake_is_told_without_a_traceback(run):
    text = "captions.json: no \u732b; add one\n"
    assert run('raise ManybleusError("captions.json: no \\u732b; add one")') == (1, text, text)


def test_any_other_error_is_told_with_its_traceback(run):
    code, messages, log = run("def inner():", "    return 1 / 0", "inner()")
    assert code == 1
    assert messages == log
    assert log.startswith("Traceback (most recent call last):\n")
    assert "in inner" in log
    assert log.endswith("ZeroDivisionError: division by zero\n")


def test_an_old_log_is_replaced(run):
    run('raise ManybleusError("first")')
    assert run('raise ManybleusError("second")')[2] == "second\n"


def test_nothing_is_told_where_nothing_is_wrong(run):
    assert run("pass") == (0, "", None)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("ENOSPC", "grid.csv: No space left on device; make room, and run the same command again\n"),
        ("EROFS", "grid.csv: Read-only file system; make it writable, and run the same command again\n"),
        ("EACCES", "grid.csv: Permission denied; allow it, and run the same command again\n"),
    ],
)
def test_what_the_machine_refuses_is_told_without_a_traceback(run, number, words):
    line = f'raise OSError(errno.{number}, os.strerror(errno.{number}), "grid.csv")'
    assert run("import errno, os", line) == (1, words, words)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot be asked for it")
def test_a_job_ends_when_what_started_it_is_killed(tmp_path):
    """Even one that is stopped, so that it cannot look for itself."""
    job = SCRIPT.format("import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)")
    parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {job!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as started:
        child = psutil.Process(int(started.stdout.readline()))
        child.suspend()
        started.kill()
        child.wait(timeout=30)
    assert not child.is_running()

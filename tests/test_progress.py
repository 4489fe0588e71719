"""The bar of long commands."""

import io
import sys
import time

from manybleus import progress as module
from manybleus.progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def run(monkeypatch, stream, delay):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "DELAY", delay)
    with progress(2) as begin:
        begin("reading")
        end = time.monotonic() + 5
        while delay < 1 and stream.isatty() and not stream.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        begin("scoring")
    return stream.getvalue()


def test_a_terminal_shows_the_step_that_runs_once_it_takes_long(monkeypatch):
    shown = run(monkeypatch, Terminal(), 0.01)
    assert "reading: 0 of 2 steps" in shown
    assert "scoring: 1 of 2 steps" in shown


def test_nothing_is_shown_of_what_is_done_in_time_or_where_nobody_looks(monkeypatch):
    assert run(monkeypatch, Terminal(), 60) == ""
    assert run(monkeypatch, io.StringIO(), 0.01) == ""

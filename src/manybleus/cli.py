"""The command line: its streams, its exit codes, and what ends it before its time.

Little is imported at the head, so that an interrupt is met as early as can be.
"""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from manybleus.errors import ManybleusError
from manybleus.text import visible


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code.

    Returns
    -------
    int
        0; 1 for a problem in the data, or where something cannot be written; 2 for a wrong call; as for all programs
        that a signal ends, 130 after an interrupt and 141 where nobody reads the output any more.
    """
    try:
        _open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            _write_anything(stream)
        from manybleus.cli_scores import run

        try:
            run(arguments)
        finally:
            sys.stdout.flush()
    except ManybleusError as error:
        return _ended(1, str(error))
    except BrokenPipeError:
        return _ended(128 + signal.SIGPIPE)
    except OSError as error:
        return _ended(1, f"{error.filename or 'the output'} cannot be written ({error.strerror})")
    except KeyboardInterrupt:
        return _ended(128 + signal.SIGINT, "interrupted")
    return 0


def _ended(code: int, told: str = "") -> int:
    """Tell why it ends; what cannot be written any more goes nowhere."""
    with suppress(OSError):
        if told:
            print(visible(f"manybleus: {told}"), file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _open_closed_streams() -> None:
    """Where the caller has closed a stream, let no file take its place: what is printed there fails, or goes nowhere.

    Results that nobody gets are a failure, messages are none.
    """
    for name, access in (("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), "w", encoding="utf-8"))


def _write_anything(stream: object) -> None:
    """Let a terminal that lacks a letter show it as an escape."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")

"""What every script of the workflow does first: see that it does not outlive the run, and that its errors are told."""

import ctypes
import errno
import os
import signal
import sys
import traceback
from pathlib import Path
from types import TracebackType

from manybleus.errors import ManybleusError
from manybleus.text import visible

# What the machine refuses, and how to mend it.
_REFUSED = {
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EROFS: "make it writable",
    errno.EACCES: "allow it",
    errno.EPERM: "allow it",
}


# Linux: the signal that this process gets when the one that started it ends (prctl, PR_SET_PDEATHSIG).
_ON_PARENTS_END = 1


def begin_job(log: str) -> None:
    """From here on, end when Snakemake is killed, and write an error that ends this process to a log file, too.

    A job that lives on would replace the results of a later run by its own. A user's mistake is told without a
    traceback.

    Parameters
    ----------
    log
        The path of the log file.
    """
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_ON_PARENTS_END, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        expected = _told(error)
        text = visible(f"{expected}\n" if expected else "".join(traceback.format_exception(kind, error, trace)))
        Path(log).write_text(text, encoding="utf-8")
        sys.stderr.write(text)

    sys.excepthook = report


def _told(error: BaseException) -> str | None:
    """Return what a user can mend, in words; None where a traceback is of more use."""
    if isinstance(error, ManybleusError):
        return str(error)
    if isinstance(error, OSError) and error.errno in _REFUSED:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}; {_REFUSED[error.errno]}, and run the same command again"
    return None

"""What every script of the workflow does first: send errors to its log, a user's mistake without a traceback."""

import errno
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


def log_errors(log: str) -> None:
    """From here on, write an error that ends this process to a log file as well as to the terminal.

    Parameters
    ----------
    log
        The path of the log file.
    """

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

"""What every script of the workflow does first: send errors to its log, a user's mistake without a traceback."""

import sys
import traceback
from pathlib import Path
from types import TracebackType

from manybleus.errors import ManybleusError
from manybleus.text import visible


def log_errors(log: str) -> None:
    """From here on, write an error that ends this process to a log file as well as to the terminal.

    Parameters
    ----------
    log
        The path of the log file.
    """

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        expected = isinstance(error, ManybleusError)
        text = visible(f"{error}\n" if expected else "".join(traceback.format_exception(kind, error, trace)))
        Path(log).write_text(text, encoding="utf-8")
        sys.stderr.write(text)

    sys.excepthook = report

"""A progress bar for what takes longer than a second, on a terminal only."""

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

DELAY = 1.0


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """Give a function to call with the name of each step as it begins; messages go to standard error.

    Parameters
    ----------
    total
        The number of steps.
    """
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    bar = _Bar(total)
    try:
        yield bar.begin
    finally:
        bar.close()


class _Bar:
    """A bar that appears after a while, in the middle of a step if need be."""

    def __init__(self, total: int) -> None:
        self._total, self._begun, self._step = total, 0, ""
        self._bar: Any = None
        self._lock = threading.Lock()
        self._timer = threading.Timer(DELAY, self._show)
        self._timer.daemon = True
        self._timer.start()

    def begin(self, step: str) -> None:
        with self._lock:
            self._begun, self._step = self._begun + 1, step
            self._draw()

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            if self._bar is not None:
                self._bar.close()

    def _show(self) -> None:
        from tqdm import tqdm

        with self._lock:
            # A terminal that does not tell its size counts as one of 80 columns and 24 lines.
            columns, lines = shutil.get_terminal_size()
            form = "{desc}: {n_fmt} of {total_fmt} steps |{bar}|"
            size = {"ncols": min(columns, 80), "nrows": lines}
            self._bar = tqdm(total=self._total, desc=self._step, leave=False, bar_format=form, **size)
            self._draw()

    def _draw(self) -> None:
        if self._bar is not None:
            self._bar.set_description_str(self._step, refresh=False)
            self._bar.n = max(self._begun - 1, 0)
            self._bar.refresh()

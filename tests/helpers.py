"""Small things that several tests use."""

import inspect
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

import independent
import numpy as np
import pandas as pd
import pytest

from manybleus.cli import main
from manybleus.files import read_table
from manybleus.replication.claims import Claim, verdicts
from manybleus.shapes.scenes import Scene, Thing

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "manybleus"
CONFIG = ROOT / "config" / "config.yaml"
LEDGER = ROOT / "config" / "claims.yaml"
DATA = Path(__file__).parent / "data"


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """End what takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def command_line(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[object, str, str]]:
    """A function that runs the command line and returns its exit code, its output and its messages."""

    def run_it(*arguments: str) -> tuple[object, str, str]:
        code: object
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return run_it


def numbers(text: str) -> pd.DataFrame:
    """A result file's text as a table."""
    return read_table(StringIO(text))


def verdict_of(
    claims: Sequence[Claim], inputs: Mapping[str, Any], tables: Mapping[str, pd.DataFrame]
) -> dict[str, str]:
    """Claim id -> verdict."""
    ledger = verdicts(claims, inputs, lambda file: tables[file])
    return dict(zip(ledger["id"], ledger["verdict"], strict=True))


def ids_with(verdict: str, given: Mapping[str, str]) -> set[str]:
    """The claims that were given a verdict."""
    return {claim for claim, each in given.items() if each == verdict}


def mutate(monkeypatch: pytest.MonkeyPatch, function: Any, old: str, new: str) -> None:
    """Change one place in a function's source: whoever holds the function runs the changed code."""
    source = dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{function.__name__} holds {old!r} {source.count(old)} times, expected once"
    space: dict[str, Any] = {}
    exec(compile(source.replace(old, new), function.__name__, "exec"), function.__globals__, space)
    monkeypatch.setattr(function, "__code__", space[function.__name__].__code__)


def independent_scenes(images: int, seed: int) -> list[Scene]:
    """The scenes as the independent implementation draws them."""
    rng = np.random.default_rng(seed)
    drawn = [independent.draw_scene(rng) for _ in range(images)]
    orders = [tuple(rng.permutation(8).tolist()) for _ in range(images)]
    return [
        Scene(
            *(Thing(each["colours"][i], each["shapes"][i], *each["centres"][i], each["sizes"][i]) for i in (0, 1)),
            each["relation"],
            order,
        )
        for each, order in zip(drawn, orders, strict=True)
    ]


# A namespace without a network: root may make one, others where the kernel lets them be root of their own.
NAMESPACES = (["unshare", "--net"], ["unshare", "--user", "--map-current-user", "--net"])


def cut_off() -> list[str]:
    """What stands before a command to take its network away; nothing where the system has no way to do that."""
    return next((each for each in NAMESPACES if shutil.which(each[0]) and _runs([*each, "true"])), [])


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0

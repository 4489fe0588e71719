"""Change the code that scores and compares, one place at a time, and tell which changes no test notices.

    python tests/mutation.py COSMIC_RAY [HOW_MANY [MODULE ...]]

COSMIC_RAY is the program cosmic-ray. Of all changes that it can make, so many are drawn, the same ones in each run; 0
takes all. MODULEs, such as bleu/definition.py, stand for all of them. The work is done in a throwaway copy.
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from projects import copy_project

ARRAYS = ("bleu/test_array_path", "bleu/test_refusals", "bleu/test_cases", "bleu/test_properties")
# Each module with its tests, in the order in which they are asked: most changes fail the first ones.
TESTS = {
    "bleu/definition.py": ("bleu/test_definition", "bleu/test_smoothing", "bleu/test_refusals", "bleu/test_properties"),
    "bleu/clipping.py": ("bleu/test_clipping", "bleu/test_statistics", *ARRAYS),
    "bleu/statistics.py": ("bleu/test_statistics", *ARRAYS),
    "bleu/lengths.py": ("bleu/test_lengths", "bleu/test_scores", *ARRAYS),
    "bleu/scores.py": ("bleu/test_scores", *ARRAYS),
    "bleu/exact.py": ("bleu/test_exact", "bleu/test_scores", *ARRAYS),
    "analysis/orders.py": ("analysis/test_orders", "analysis/test_pairs", "analysis/test_tables"),
    "analysis/rankings.py": ("analysis/test_rankings", "analysis/test_pairs", "analysis/test_tables"),
    "analysis/significance.py": ("analysis/test_significance", "bleu/test_resampling", "analysis/test_pairs"),
}
Change = tuple[str, str, int]


def settings(module: str) -> str:
    """The settings of cosmic-ray for one module."""
    tests = " ".join(f"tests/{name}.py" for name in TESTS[module])
    return f"""
[cosmic-ray]
module-path = ["src/manybleus/{module}"]
timeout = 300.0
excluded-modules = []
test-command = "{sys.executable} -m pytest -x -q -p no:cacheprovider {tests}"
[cosmic-ray.distributor]
name = "local"
"""


class Session:
    """cosmic-ray's changes of one module of a copy of the project."""

    def __init__(self, tool: str, copy: Path, module: str) -> None:
        # Files are changed and changed back within a second: no bytecode may outlive that.
        self._env = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        self._tool, self._copy = tool, copy
        name = module.replace("/", "-").removesuffix(".py")
        self._settings, self._file = f"{name}.toml", f"{name}.sqlite"
        (copy / self._settings).write_text(settings(module), encoding="utf-8")
        self._call("init", self._settings, self._file)

    def _call(self, *words: str) -> None:
        subprocess.run([self._tool, *words], cwd=self._copy, env=self._env, check=True)

    def changes(self) -> list[Change]:
        """All changes, in an order that does not depend on the run."""
        with closing(sqlite3.connect(self._copy / self._file)) as session:
            asked = "select module_path, operator_name, occurrence from mutation_specs"
            return sorted(map(tuple, session.execute(asked)))

    def keep(self, drawn: Iterable[Change]) -> None:
        """Forget all other changes."""
        kept = set(drawn)
        with closing(sqlite3.connect(self._copy / self._file)) as session, session:
            rows = session.execute(
                "select job_id, module_path, operator_name, occurrence from mutation_specs"
            ).fetchall()
            for table in ("mutation_specs", "work_items"):
                left_out = [(job,) for job, *change in rows if tuple(change) not in kept]
                session.executemany(f"delete from {table} where job_id = ?", left_out)

    def survivors(self) -> tuple[int, list[str]]:
        """Try the changes, after the tests of the code as it is; return how many were tried, and those not noticed."""
        self._call("baseline", self._settings)
        self._call("exec", self._settings, self._file)
        with closing(sqlite3.connect(self._copy / self._file)) as session:
            rows = session.execute("select test_outcome, diff from work_results").fetchall()
        return len(rows), [diff for outcome, diff in rows if outcome == "SURVIVED"]


def main() -> int:
    """Return the exit code: 1 if a change survives."""
    tool, many = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        copy_project(copy, tests=True)
        sessions = [Session(tool, copy, module) for module in sys.argv[3:] or TESTS]
        changes = [change for session in sessions for change in session.changes()]
        drawn = random.Random(0).sample(changes, many) if 0 < many < len(changes) else changes
        tried, survivors = 0, []
        for session in sessions:
            session.keep(drawn)
            if session.changes():
                told, unnoticed = session.survivors()
                tried += told
                survivors += unnoticed
    print("\n".join(survivors))
    print(f"{len(changes)} changes, {len(drawn)} drawn, {tried} tried, {len(survivors)} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

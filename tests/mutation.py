"""Change the code that scores and compares, one place at a time, and tell which changes no test notices.

    python tests/mutation.py COSMIC_RAY [HOW_MANY]

COSMIC_RAY is the program cosmic-ray. Of all changes that it can make, so many are drawn, the same ones in each run; 0
takes all. The work is done in a throwaway copy.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = [
    *(f"bleu/{name}.py" for name in ("definition", "clipping", "statistics", "scores", "exact")),
    *(f"analysis/{name}.py" for name in ("rankings", "significance")),
]
TESTS = [
    *(f"tests/bleu/test_{name}.py" for name in ("definition", "cases", "clipping", "statistics", "scores", "exact")),
    *(f"tests/bleu/test_{name}.py" for name in ("array_path", "refusals", "smoothing")),
    *(f"tests/analysis/test_{name}.py" for name in ("rankings", "significance", "pairs")),
]


def settings() -> str:
    """The settings of cosmic-ray."""
    modules = ", ".join(f'"src/manybleus/{module}"' for module in MODULES)
    return f"""
[cosmic-ray]
module-path = [{modules}]
timeout = 300.0
excluded-modules = []
test-command = "{sys.executable} -m pytest -x -q -p no:cacheprovider {" ".join(TESTS)}"
[cosmic-ray.distributor]
name = "local"
"""


def main() -> int:
    """Return the exit code: 1 if a change survives."""
    tool, many = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "project"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "results", "logs"))
        env = {**os.environ, "PYTHONPATH": str(copy / "src")}
        (copy / "settings.toml").write_text(settings(), encoding="utf-8")
        subprocess.run([tool, "init", "settings.toml", "session.sqlite"], cwd=copy, env=env, check=True)
        with closing(sqlite3.connect(copy / "session.sqlite")) as session, session:
            jobs = sorted(
                session.execute("select job_id, module_path, operator_name, occurrence from mutation_specs"),
                key=lambda row: row[1:],
            )
            drawn = random.Random(0).sample(jobs, many) if 0 < many < len(jobs) else jobs
            left_out = {row[0] for row in jobs} - {row[0] for row in drawn}
            for table in ("mutation_specs", "work_items"):
                session.executemany(f"delete from {table} where job_id = ?", [(job,) for job in left_out])
        subprocess.run([tool, "exec", "settings.toml", "session.sqlite"], cwd=copy, env=env, check=True)
        with closing(sqlite3.connect(copy / "session.sqlite")) as session:
            asked = "select diff from work_results where test_outcome = 'SURVIVED'"
            survivors = [row[0] for row in session.execute(asked)]
            told = session.execute("select count(*) from work_results").fetchone()[0]
    print("\n".join(survivors))
    print(f"{len(jobs)} changes, {len(drawn)} drawn, {told} tried, {len(survivors)} survive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())

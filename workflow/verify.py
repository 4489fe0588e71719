"""Run the study in a copy of the project, and hold the sums of its results against the expected ones.

python workflow/verify.py            every file, as with the locked libraries
python workflow/verify.py --tables   numbers and tables, as with any libraries
python workflow/verify.py --write    take what was made as what is expected
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from manybleus.files import write_text
from manybleus.sums import NAME, differences, read_sums, sums_text, without_pictures

ROOT = Path(__file__).parents[1]
EXPECTED = ROOT / "tests" / "data" / NAME
STUDY = "shapes"


def copy_project(folder: Path) -> None:
    """Copy what the study is made from, and nothing that was made."""
    unneeded = shutil.ignore_patterns(".*", "__pycache__", "results", "logs", "tests", "docs", "htmlcov")
    shutil.copytree(ROOT, folder, ignore=unneeded)


def run_study(folder: Path, cores: str) -> dict[str, str] | None:
    """Run the study of a copy by the copy's own source; return the sums of its results, or None if it fails."""
    scripts = str(Path(sys.executable).parent)
    env = {**os.environ, "PYTHONPATH": str(folder / "src"), "PATH": os.pathsep.join([scripts, os.environ["PATH"]])}
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--quiet", "all"]
    ran = subprocess.run(
        command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if ran.returncode:
        print(ran.stdout, file=sys.stderr)
        return None
    return read_sums(folder / "results" / STUDY / NAME)


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", action="store_true", help="compare numbers and tables alone")
    parser.add_argument("--write", action="store_true", help=f"write {EXPECTED.relative_to(ROOT)}")
    parser.add_argument("--cores", default="1")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        copy_project(Path(scratch) / "project")
        made = run_study(Path(scratch) / "project", asked.cores)
    if made is None:
        print("the study does not run; its messages stand above", file=sys.stderr)
        return 1
    if asked.write:
        write_text(EXPECTED, sums_text(made))
        print(f"the sums of {len(made)} files are in {EXPECTED.relative_to(ROOT)}")
        return 0
    part = without_pictures if asked.tables else dict
    expected, found = part(read_sums(EXPECTED)), part(made)
    problems = list(differences(expected, found))
    if not problems:
        print(f"all {len(found)} files have the bytes that {EXPECTED.relative_to(ROOT)} expects")
        return 0
    print(f"{len(problems)} of {len(expected)} files differ from {EXPECTED.relative_to(ROOT)}:", file=sys.stderr)
    print("".join(f"  - {line}\n" for line in problems), end="", file=sys.stderr)
    if not asked.tables and not [*differences(without_pictures(expected), without_pictures(found))]:
        print("Numbers and tables are the same: pictures differ with the versions of libraries.", file=sys.stderr)
    print("If the change is meant: make sums", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

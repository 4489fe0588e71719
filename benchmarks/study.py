"""Time the study: from nothing on one core, and once more with everything there."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("Snakefile", "config", "profiles", "workflow", "notebooks", "environment.yml")


def copy_to(folder: Path) -> None:
    """Copy what a run of the workflow needs into a folder."""
    for item in COPIED:
        source = ROOT / item
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / item)


def run(folder: Path, target: str = "all") -> float:
    """Run a target of the workflow in a folder; return the seconds that it took."""
    started = time.perf_counter()
    subprocess.run(["snakemake", "--cores", "1", "--quiet", "all", "--", target], cwd=folder, check=True)
    return time.perf_counter() - started


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        first, second = run(folder), run(folder)
        print(f"from nothing {first:.1f} s; a second run {second:.1f} s")
        for table in sorted(folder.glob("logs/*/benchmarks/*.tsv")):
            print(f"  {table.stem:16} {float(table.read_text().splitlines()[1].split()[0]):6.2f} s")


if __name__ == "__main__":
    main()

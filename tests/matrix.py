"""Run the tests on every CPython that is found, with three sets of libraries, and write the README's table of support.

    python tests/matrix.py UV FOLDER [PYTHON ...]

UV is the program uv, FOLDER takes the environments. Without names of Pythons, those on PATH are taken.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETS = {
    "locked": "the versions of `requirements/test.txt`",
    "newest": "the newest versions of all libraries",
    "lowest": "the lowest versions that `pyproject.toml` allows",
}
MARKS = ("<!-- written by make test-matrix -->\n", "<!-- until here -->\n")
ASKED = "import sys, platform; print(sys.executable, platform.python_implementation(), *sys.version_info[:3])"


def find_pythons(names: list[str]) -> dict[str, str]:
    """Version -> interpreter, of every CPython from 3.11 on; one of each minor version."""
    found: dict[tuple[int, ...], str] = {}
    for name in names or [f"python3.{minor}" for minor in range(11, 30)]:
        try:
            told = subprocess.run([name, "-c", ASKED], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            continue
        path, implementation, *version = told.rsplit(maxsplit=4)
        numbers = tuple(map(int, version))
        if implementation == "CPython" and numbers >= (3, 11) and numbers[:2] not in {each[:2] for each in found}:
            found[numbers] = path
    return {".".join(map(str, numbers)): found[numbers] for numbers in sorted(found)}


def requirements(uv: str, python: str, kind: str, folder: Path) -> list[str]:
    """Options that name what pip is to install."""
    if kind == "locked":
        return ["--require-hashes", "-r", "requirements/test.txt"]
    resolution = {"newest": "highest", "lowest": "lowest-direct"}[kind]
    made = folder / f"{kind}.txt"
    command = [uv, "pip", "compile", "--quiet", "--upgrade", "--resolution", resolution, "--python", python]
    command += ["--only-binary", ":all:", "--no-binary", "pycocoevalcap"] if kind == "lowest" else []
    command += ["pyproject.toml", "--extra", "test", "--group", "build", "--output-file", str(made)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ["-r", str(made)]


def outcome(uv: str, python: str, kind: str, folder: Path) -> str:
    """Make an environment and run the tests and the study in it; return what goes into the table."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", python, folder / "env"], check=True)
        inside = folder / "env/bin/python"
        wanted = requirements(uv, python, kind, folder)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", inside, *wanted], cwd=ROOT, check=True)
    except subprocess.CalledProcessError:
        return "cannot be installed"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PATH": f"{inside.parent}{os.pathsep}{os.environ['PATH']}"}
    log = folder / "log.txt"
    with log.open("w", encoding="utf-8") as out:
        part = [] if kind == "locked" else ["--tables"]
        tests = subprocess.run([inside, "-m", "pytest", "-q"], cwd=ROOT, env=env, stdout=out, stderr=out, check=False)
        same = subprocess.run(
            [inside, "workflow/verify.py", *part], cwd=ROOT, env=env, stdout=out, stderr=out, check=False
        )
    counted = re.findall(r"^(?=.*(?:passed|failed)).*? in [\d.]+s.*$", log.read_text(encoding="utf-8"), re.MULTILINE)
    print(f"{python}, {kind}: {counted[-1] if counted else 'no test ran'}; {log}")
    if tests.returncode:
        return "tests fail"
    results = "numbers and tables" if part else "all results"
    return f"yes; {results} the same" if same.returncode == 0 else "tests pass; results differ"


def table(outcomes: dict[str, dict[str, str]]) -> str:
    """The table in Markdown."""
    head = f"| CPython | {' | '.join(SETS)} |\n| :-- |{' :-- |' * len(SETS)}\n"
    rows = "".join(f"| {version} | {' | '.join(row[kind] for kind in SETS)} |\n" for version, row in outcomes.items())
    return head + rows


def main() -> int:
    """Return the exit code."""
    uv, folder, *names = sys.argv[1:]
    pythons = find_pythons(names)
    if not pythons:
        print("no CPython from 3.11 on is found; name some: make test-matrix PYTHONS='...'", file=sys.stderr)
        return 1
    outcomes = {
        version: {kind: outcome(uv, python, kind, Path(folder).resolve() / f"{version}-{kind}") for kind in SETS}
        for version, python in pythons.items()
    }
    readme = ROOT / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    readme.write_text(before + MARKS[0] + table(outcomes) + MARKS[1] + after, encoding="utf-8")
    print(table(outcomes))
    return 0 if all(told.startswith("yes") for row in outcomes.values() for told in row.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

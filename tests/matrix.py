"""Run the tests on every CPython that is found, with three sets of libraries, and write the README's table of support.

    python tests/matrix.py UV FOLDER [PYTHON ...] [SET ...]

UV is the program uv, FOLDER takes the environments, the logs and the outcomes. Without names of Pythons, those on PATH
are taken; without locked, newest or lowest, all three sets. The table holds every outcome that FOLDER has.
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
# Of these a version is lowest that comes ready for this Python.
COMPILED = ("numpy", "scipy", "scikit-image", "pandas", "matplotlib", "pyyaml", "markupsafe", "psutil", "pycocotools")
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
    command += [word for name in COMPILED for word in ("--only-binary", name)] if kind == "lowest" else []
    command += ["pyproject.toml", "--extra", "coco", "--extra", "test", "--group", "build", "--output-file", str(made)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ["-r", str(made)]


def outcome(uv: str, python: str, kind: str, folder: Path) -> str:
    """Make an environment and run the tests and the study in it; return what goes into the table."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", python, folder / "env"], check=True)
        inside = folder / "env/bin/python"
        wanted = requirements(uv, python, kind, folder)
        install = [uv, "pip", "install", "--quiet", "--python", inside]
        subprocess.run([*install, *wanted], cwd=ROOT, check=True)
        subprocess.run([*install, "--no-deps", "--no-build-isolation", "--editable", "."], cwd=ROOT, check=True)
    except subprocess.CalledProcessError:
        return "cannot be installed"
    env = {**os.environ, "PATH": f"{inside.parent}{os.pathsep}{os.environ['PATH']}"}
    log = folder / "log.txt"
    with log.open("w", encoding="utf-8") as out:
        part = [] if kind == "locked" else ["--tables"]
        command = [inside, "-m", "pytest", "-q", "--numprocesses", "logical", "--dist", "loadfile"]
        tests = subprocess.run(command, cwd=ROOT, env=env, stdout=out, stderr=out, check=False)
        same = subprocess.run(
            [inside, "workflow/verify.py", *part], cwd=ROOT, env=env, stdout=out, stderr=out, check=False
        )
    counted = re.findall(r"^(?=.*(?:passed|failed)).*? in [\d.]+s.*$", log.read_text(encoding="utf-8"), re.MULTILINE)
    print(f"{python}, {kind}: {counted[-1] if counted else 'no test ran'}; {log}")
    if tests.returncode:
        return "tests fail"
    results = "numbers and tables" if part else "all results"
    return f"yes; {results} the same" if same.returncode == 0 else "tests pass; results differ"


def table(folder: Path) -> str:
    """The table in Markdown, of all outcomes in a folder."""
    found = {file.parent.name: file.read_text(encoding="utf-8") for file in folder.glob("*/outcome.txt")}
    versions = sorted({name.partition("-")[0] for name in found}, key=lambda each: tuple(map(int, each.split("."))))
    head = f"| CPython | {' | '.join(SETS)} |\n| :-- |{' :-- |' * len(SETS)}\n"
    rows = (
        " | ".join([version, *(found.get(f"{version}-{kind}", "not run") for kind in SETS)]) for version in versions
    )
    return head + "".join(f"| {row} |\n" for row in rows)


def main() -> int:
    """Return the exit code."""
    uv, name, *names = sys.argv[1:]
    pythons, folder = find_pythons([each for each in names if each not in SETS]), Path(name).resolve()
    if not pythons:
        print("no CPython from 3.11 on is found; name some: make test-matrix PYTHONS='...'", file=sys.stderr)
        return 1
    outcomes = []
    for version, python in pythons.items():
        for kind in [each for each in SETS if each in names] or SETS:
            place = folder / f"{version}-{kind}"
            outcomes.append(outcome(uv, python, kind, place))
            (place / "outcome.txt").write_text(outcomes[-1], encoding="utf-8")
    readme = ROOT / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    readme.write_text(before + MARKS[0] + table(folder) + MARKS[1] + after, encoding="utf-8")
    print(table(folder))
    return 0 if all(told.startswith("yes") for told in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())

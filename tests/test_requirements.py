"""The lock files: every package with hashes, nothing of the machine they were written on; the licences of packages."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from zipfile import ZipFile

import pytest
from helpers import ROOT
from packaging.requirements import Requirement

LOCKS = ("main.txt", "test.txt", "slurm.txt", "tools.txt")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def locked(file):
    """Each line of a lock that names a package, with the number of its hashes."""
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    entries = re.findall(r"^([A-Za-z0-9][^\\\n]*?)((?: \\\n    --hash=sha256:[0-9a-f]{64})*)\n", text, re.MULTILINE)
    return [(Requirement(name), hashes.count("--hash")) for name, hashes in entries]


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("file", LOCKS)
def test_every_package_is_pinned_with_hashes(file):
    for requirement, hashes in locked(file):
        assert re.fullmatch(r"==[^,*]+", str(requirement.specifier)), requirement
        assert hashes > 0, requirement


@pytest.mark.parametrize("file", [*LOCKS, "pins.txt"])
def test_a_lock_names_no_host_and_no_folder(file):
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    assert re.findall(r"https?:|--(?:extra-)?index-url|--find-links|(?<![\w.])/\w+/", text) == []


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("main.txt", [*PROJECT["project"]["dependencies"], *EXTRAS["coco"], *PROJECT["dependency-groups"]["build"]]),
        ("test.txt", [*EXTRAS["coco"], *EXTRAS["test"]]),
        ("slurm.txt", [*EXTRAS["coco"], *EXTRAS["slurm"]]),
        ("tools.txt", PROJECT["dependency-groups"]["tools"]),
    ],
)
def test_a_lock_has_what_the_project_names_in_a_version_that_it_allows(file, named):
    pins = {plain(each.name): str(each.specifier).removeprefix("==") for each, _ in locked(file)}
    for requirement in map(Requirement, named):
        assert pins[plain(requirement.name)] in requirement.specifier


def test_every_direct_dependency_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    direct = [
        *PROJECT["project"]["dependencies"],
        *(name for extra in EXTRAS.values() for name in extra),
        *PROJECT["dependency-groups"]["tools"],
    ]
    for name in direct:
        assert re.search(rf'"{re.escape(name)}"[],]* *#', text) or "stubs" in name or "types-" in name, name


def test_every_import_is_of_a_package_that_the_project_names():
    """By a name of its own, and not because another package happens to need it."""
    direct = [*PROJECT["project"]["dependencies"], *(name for extra in EXTRAS.values() for name in extra)]
    named = {plain(Requirement(name).name) for name in direct} | {PROJECT["project"]["name"]}
    files = [path for folder in ("src", "tests", "workflow") for path in (ROOT / folder).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files if "node_modules" not in path.parts]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    modules = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    distributions = packages_distributions()
    heads = {module.partition(".")[0] for module in modules} & distributions.keys()
    assert {"numpy", "pytest"} <= heads
    assert {head for head in heads if not named & {plain(name) for name in distributions[head]}} == set()


def test_the_package_says_that_it_has_types(tmp_path):
    """As its classifier says: the wheel holds the mark that type checkers look for."""
    code = "import sys; from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[1]))"
    built = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True)
    with ZipFile(tmp_path / built.stdout.strip()) as wheel:
        assert "manybleus/py.typed" in wheel.namelist()


def test_the_licence_of_every_locked_package_is_told():
    """But for those that are for another kind of machine."""
    rows = re.findall(
        r"^\| (\S+) +\| (\S+) +\| (\S.*?) *\|$", (ROOT / "docs/licences.md").read_text("utf-8"), re.MULTILINE
    )
    told = {(plain(name), version) for name, version, _ in rows} - {("name", "Version")}
    pins = [requirement for requirement, _ in locked("main.txt")]
    assert told <= {(plain(each.name), str(each.specifier).removeprefix("==")) for each in pins}
    here = {plain(each.name) for each in pins if not each.marker or each.marker.evaluate()}
    assert here <= {name for name, _ in told}

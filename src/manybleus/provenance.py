"""What a result was made from: digests of the package's own source, versions, machine facts."""

import csv
import hashlib
import json
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parent
_IMPORT = re.compile(r"^ *from manybleus\.?([\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
_PACKAGES = (
    *("numpy", "scipy", "statsmodels", "scikit-image", "nltk", "sacrebleu", "pycocoevalcap"),
    *("pandas", "matplotlib", "jinja2", "pyyaml", "snakemake"),
)


def source_digest(modules: Iterable[str]) -> str:
    """Return a digest of some modules of this package, all that they import from it, and the data files beside them.

    Parameters
    ----------
    modules
        Dotted names below ``manybleus``, e.g. ``"bleu.scores"``.
    """
    # The version stands in every signature.
    found = {_ROOT / "__init__.py"}
    for module in modules:
        _collect(module, found)
    digest = hashlib.sha256()
    for path in sorted(found):
        digest.update(f"{path.relative_to(_ROOT).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def content_digest(paths: Iterable[Path | str | None]) -> str:
    """Return a digest of the contents of some files, and of which of them are not there; None stands for no file."""
    digest = hashlib.sha256()
    for path in [Path(each) for each in paths if each]:
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"none")
    return digest.hexdigest()[:16]


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that results depend on; "not installed" where one is not."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


def provenance(config: Mapping[str, Any], benchmarks: Path, folder: Path) -> dict[str, Any]:
    """Return the facts of a run that may differ while its results do not.

    Parameters
    ----------
    config
        The study's configuration as plain values.
    benchmarks
        The folder of Snakemake's benchmark files, one for each job.
    folder
        The project's folder; its commit is told if it is the top of a Git repository.

    Returns
    -------
    facts
        ``versions``; ``platform``; ``commit``, and whether files are ``changed`` since (both None without a
        repository); ``config``, a digest; ``seconds`` of each job. No path and no name of a machine is among them.
    """
    text = json.dumps(config, sort_keys=True, ensure_ascii=False)
    commit, changed = _commit(folder)
    return {
        "versions": package_versions(),
        "platform": {
            "implementation": platform.python_implementation(),
            "system": platform.system(),
            "machine": platform.machine(),
            "libc": " ".join(platform.libc_ver()).strip(),
        },
        "commit": commit,
        "changed": changed,
        "config": hashlib.sha256(text.encode()).hexdigest(),
        "seconds": {path.stem: _seconds(path) for path in sorted(benchmarks.glob("*.tsv"))},
    }


def is_provenance(path: Path) -> bool:
    """Tell whether a file holds facts as ``provenance`` gives them, and not a part of them."""
    try:
        return isinstance(json.loads(path.read_bytes()), dict)
    except ValueError:
        return False


def _seconds(benchmark: Path) -> float | None:
    with benchmark.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return float(rows[-1]["s"]) if rows else None


def _commit(folder: Path) -> tuple[str | None, bool | None]:
    def git(*words: str) -> str | None:
        try:
            told = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return told.stdout.strip()

    top = git("rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != folder.resolve():
        return None, None
    status = git("status", "--porcelain")
    return git("rev-parse", "HEAD"), None if status is None else status != ""


def _collect(module: str, found: set[Path]) -> None:
    path = _module_file(module)
    if path in found:
        return
    found.add(path)
    if path.parent != _ROOT:
        found.update(data for data in path.parent.rglob("*") if data.is_file() and data.suffix not in (".py", ".pyc"))
    for imported in _imports(path):
        _collect(imported, found)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    names = []
    for parent, inside, rest in _IMPORT.findall(path.read_text(encoding="utf-8")):
        below = [name.split()[0] for name in (inside or rest).split(",") if name.strip()]
        names += [name for name in (parent, *(f"{parent}.{name}".lstrip(".") for name in below)) if _exists(name)]
    return tuple(names)


def _module_file(module: str) -> Path:
    base = _ROOT.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _exists(module: str) -> bool:
    return bool(module) and _module_file(module).is_file()

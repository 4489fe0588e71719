"""SHA-256 sums of a study's results: what a whole run left, and what was changed since."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

NAME = "SHA256SUMS"
# Drawn by libraries whose other versions draw other bytes from the same numbers; the report holds such drawings.
PICTURES = (".png", ".svg", ".html")


def file_sums(folder: Path, outputs: Iterable[Path]) -> dict[str, str]:
    """Return the sum of every file of some outputs.

    Parameters
    ----------
    folder
        What the paths in the sums are relative to.
    outputs
        Files below it, and folders of files; hidden files are left out, since Snakemake keeps a mark of its own there.
    """
    found = {path for output in outputs for path in (output.rglob("*") if output.is_dir() else [output])}
    shown = (path for path in found if path.is_file() and not path.name.startswith("."))
    files = sorted((path.relative_to(folder).as_posix(), path) for path in shown)
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files}


def sums_text(sums: Mapping[str, str]) -> str:
    """Return sums as ``sha256sum`` writes them, in the order of their paths."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))


def read_sums(path: Path) -> dict[str, str]:
    """Read what ``sums_text`` gives; a line of another form is left out, and of no file there are no sums."""
    lines = path.read_bytes().decode("utf-8", errors="replace").split("\n") if path.is_file() else []
    parts = [line.partition("  ") for line in lines]
    return {name: digest for digest, _, name in parts if name and len(digest) == 64}


def changed_outputs(sums: Path, last: Path, outputs: Iterable[Path]) -> list[Path]:
    """Return what must be made anew since no sums vouch for it, though it is there.

    Parameters
    ----------
    sums
        The sums of the outputs, in a folder above all of them. A whole run leaves sums of every output; so an output
        that they do not name must be made anew, too.
    last
        What a run makes after the sums: if it is there without them, they were removed.
    outputs
        What a whole run makes, but for these two.

    Returns
    -------
    changed
        Some of the outputs. If a line of the sums is not of their form, also the sums and ``last``. Before the first
        run has ended there are neither sums nor ``last``, and nothing can be told.
    """
    if not (sums.exists() or last.exists()):
        return []
    folder, recorded = sums.parent, read_sums(sums)
    changed = [
        output
        for output in outputs
        if output.exists() and not _vouches(_below(recorded, output.relative_to(folder).as_posix()), folder, output)
    ]
    if sums.is_file() and sums.read_bytes() != sums_text(recorded).encode():
        changed += [path for path in (sums, last) if path.exists()]
    return changed


def differences(expected: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    """Say of each file in which two sets of sums differ how they do, one line each."""
    for name in sorted({*expected, *found}):
        if name not in found:
            yield f"{name}: was not made"
        elif name not in expected:
            yield f"{name}: was made, and is not expected"
        elif expected[name] != found[name]:
            yield f"{name}: has other bytes than expected"


def without_pictures(sums: Mapping[str, str]) -> dict[str, str]:
    """Return the sums of numbers and tables alone."""
    return {name: digest for name, digest in sums.items() if not name.endswith(PICTURES)}


def _vouches(expected: Mapping[str, str], folder: Path, output: Path) -> bool:
    return bool(expected) and file_sums(folder, [output]) == expected


def _below(sums: Mapping[str, str], output: str) -> dict[str, str]:
    return {name: digest for name, digest in sums.items() if name == output or name.startswith(f"{output}/")}

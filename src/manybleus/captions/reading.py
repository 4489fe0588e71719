"""From files of any kind to one set of captions, with all that is wrong with them at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from manybleus.captions.coco import read_annotations, read_results
from manybleus.captions.data import Captions, ImageId
from manybleus.captions.names import name_problems
from manybleus.captions.raw import Problems, is_json, is_table, read_lines, read_rows
from manybleus.text import counted

# What a table may call the column of ids; the first that is there is it.
_IDS = ("image_id", "id")
_REFERENCE = re.compile(r"reference(_\d+)?")
_NUMBER = re.compile(r"0|-?[1-9]\d{0,17}")
# What becomes of a missing caption: it is a problem, or it is scored as an empty one.
MISSING = ("error", "empty")

Candidates = dict[str, Mapping[ImageId, str]]


@dataclass(frozen=True, slots=True)
class CaptionFiles:
    """Where captions stand: references and systems in files of their own, or all in one table.

    Attributes
    ----------
    references
        One COCO annotations file (``.json``), or plain text files with one segment a line, each of which holds one
        reference of every segment; an empty line where a segment has none.
    systems
        Names, each with a COCO results file or a plain text file. Any file may be compressed (``.gz``).
    table
        A table (``.csv``, ``.tsv``) in the place of both: ``image_id`` or ``id`` (which may be left out),
        ``reference``, ``reference_1``, ... and the systems' captions in columns. An empty cell is no reference, but a
        caption.
    columns
        Which columns of the table are systems; None where all others are.
    missing
        One of ``MISSING``.
    """

    references: tuple[Path, ...] = ()
    systems: tuple[tuple[str, Path], ...] = ()
    table: Path | None = None
    columns: tuple[str, ...] | None = None
    missing: str = "error"

    @property
    def paths(self) -> tuple[Path, ...]:
        """All files."""
        return (*self.references, *(path for _, path in self.systems), *([self.table] if self.table else []))

    @property
    def are_coco(self) -> bool:
        """Whether the references stand in a file of COCO's."""
        return any(map(is_json, self.references))


class Survey(NamedTuple):
    """What a study must know before it is scored: its systems, numbers of references, images."""

    systems: tuple[str, ...]
    fewest: int
    most: int
    images: int
    image_ids: tuple[ImageId, ...] = ()


def read_files(files: CaptionFiles) -> Captions:
    """Read references and every system's captions.

    Raises
    ------
    ManybleusError
        With every problem: a file cannot be read, images and captions do not match one to one, a name is no name.
    """
    problems = Problems()
    by_image, candidates = _read(files, problems)
    problems.lines += name_problems([name for name, _ in files.systems])
    if not candidates and not problems.lines:
        problems.add("there is no system: give at least one system's captions")
    problems.raise_all()
    missing = {name: len(by_image) - len(found) for name, found in candidates.items()}
    are_texts = not files.table and not files.are_coco
    read = sum(map(len, by_image.values()))
    return Captions(
        tuple(by_image),
        tuple(tuple(texts) for texts in by_image.values()),
        {name: tuple(found.get(image, "") for image in by_image) for name, found in candidates.items()},
        {name: count for name, count in missing.items() if count},
        tuple(name for name, path in files.systems if files.are_coco and not is_json(path)),
        len(files.references) * len(by_image) - read if are_texts else 0,
    )


def read_captions(references: Path | Sequence[Path], systems: Mapping[str, Path], missing: str = "error") -> Captions:
    """Read references and every system's captions from files of their own; see ``CaptionFiles`` and ``read_files``."""
    paths = (references,) if isinstance(references, Path) else tuple(references)
    return read_files(CaptionFiles(paths, tuple(systems.items()), missing=missing))


def survey(files: CaptionFiles) -> Survey:
    """Read as much as tells the systems and the numbers of references; if that is wrong, tell all that is.

    Raises
    ------
    ManybleusError
        As ``read_files`` does.
    """
    problems = Problems()
    if files.table:
        by_image, candidates = _read(files, problems)
        systems = tuple(candidates)
    else:
        by_image, systems = _read_references(files.references, problems), tuple(name for name, _ in files.systems)
    whole = by_image and all(path.is_file() for path in files.paths) and not [*name_problems(systems)]
    if problems.lines or not whole:
        read_files(files)
    counts = [len(texts) for texts in by_image.values()]
    return Survey(systems, min(counts), max(counts), len(counts), tuple(by_image))


def _read(files: CaptionFiles, problems: Problems) -> tuple[Mapping[ImageId, Sequence[str]], Candidates]:
    if files.table:
        return _read_table(files.table, files.columns, problems)
    by_image = _read_references(files.references, problems)
    candidates: Candidates = {}
    for name, path in files.systems:
        candidates[name] = _read_system(path, by_image, files, problems)
    return by_image, candidates


def _read_references(paths: Sequence[Path], problems: Problems) -> dict[ImageId, list[str]]:
    if not any(map(is_json, paths)):
        return _read_segments(paths, problems)
    if len(paths) > 1:
        problems.add(f"{', '.join(map(str, paths))}: give one COCO annotations file, or text files alone")
        return {}
    return read_annotations(paths[0], problems)


def _read_system(
    path: Path, known: Mapping[ImageId, Any], files: CaptionFiles, problems: Problems
) -> Mapping[ImageId, str]:
    if is_json(path):
        return read_results(path, known, files.missing == "empty", problems, are_lines=not files.are_coco)
    return _read_candidates(path, known, len(files.references), problems)


# ----------------------------------------------------------------------------------------------------------- text files


def _read_segments(paths: Sequence[Path], problems: Problems) -> dict[ImageId, list[str]]:
    """Read text files with one reference of each segment; a segment's number is its line, from 1."""
    files = [(path, _text_lines(path, problems)) for path in paths]
    read = [(path, lines) for path, lines in files if lines is not None]
    if len({len(lines) for _, lines in read}) > 1:
        listed = ", ".join(f"{path} has {len(lines)}" for path, lines in read)
        problems.add(f"the reference files have different numbers of lines: {listed}; each needs one line a segment")
        return {}
    rows = enumerate(zip(*(lines for _, lines in read), strict=True), start=1)
    by_segment: dict[ImageId, list[str]] = {number: list(filter(None, texts)) for number, texts in rows}
    without = [number for number, texts in by_segment.items() if not texts]
    problems.of_file(
        paths[0] if paths else Path(),
        [
            f"{', '.join(map(str, paths))}: line {number} is empty: the segment has no reference; give one"
            for number in without
        ],
    )
    return by_segment


def _read_candidates(path: Path, known: Mapping[ImageId, Any], files: int, problems: Problems) -> dict[ImageId, str]:
    lines = _text_lines(path, problems)
    if lines is None or not known:
        return {}
    if len(lines) != len(known):
        hint = "; are the references transposed? each file holds one reference of every segment"
        problems.add(
            f"{path}: has {counted(len(lines), 'line')}, and the references {counted(len(known), 'segment')}; "
            "give one line each" + (hint if len(lines) == files > 1 else "")
        )
        return {}
    return dict(zip(known, lines, strict=True))


def _text_lines(path: Path, problems: Problems) -> list[str] | None:
    if is_table(path):
        problems.add(f"{path}: is a table by its name; give it as the table, or call a file with a segment a line .txt")
        return None
    return read_lines(path, problems)


# --------------------------------------------------------------------------------------------------------------- tables


def _read_table(
    path: Path, columns: Sequence[str] | None, problems: Problems
) -> tuple[dict[ImageId, list[str]], Candidates]:
    """Read a table with one row an image; where it has no ids, images are numbered from 1."""
    if not is_table(path):
        problems.add(f"{path}: is no table by its name; a table ends in .csv or .tsv, or in one of these and .gz")
        return {}, {}
    rows = read_rows(path, problems)
    if rows is None:
        return {}, {}
    (_, head), *body = rows
    references = [place for place, name in enumerate(head) if _REFERENCE.fullmatch(name)]
    ids = [name for name in _IDS if name in head]
    others = [name for name in head if name not in ids and not _REFERENCE.fullmatch(name)]
    # In another case, or with a space, they would be systems.
    meant = {name: name.strip().lower() for name in others if name not in (columns or ())}
    meant = {name: key for name, key in meant.items() if key in _IDS or _REFERENCE.fullmatch(key)}
    systems = [name for name in others if name and name not in meant] if columns is None else list(columns)
    named = dict.fromkeys(name for name in systems if name in others)
    problems.lines += [f"{path}: {wrong}" for wrong in name_problems(list(named))]
    before = len(problems.lines)
    for name, key in meant.items():
        problems.add(f"{path}: has a column {name!r}; did you mean {key!r}?")
    if columns is None:
        for place in (place for place, name in enumerate(head, start=1) if not name):
            problems.add(f"{path}: column {place} has no name; name it (image_id, say) or remove it")
    if not references and not any(map(_REFERENCE.fullmatch, meant.values())):
        problems.add(f"{path}: has no column reference, reference_1, reference_2, ...; its columns are {_listed(head)}")
    if len(ids) > 1:
        problems.add(f"{path}: has the columns {' and '.join(ids)}, which both hold ids; keep one")
    if not systems:
        problems.add(f"{path}: has no column of a system; its columns are {_listed(head)}")
    for name in dict.fromkeys(name for name in head if name and head.count(name) > 1):
        problems.add(f"{path}: the column {name!r} stands there twice; give each column a name of its own")
    for name in systems:
        if name not in others:
            problems.add(f"{path}: has no column {name!r}; the columns of systems are {_listed(others)}")
    if len(problems.lines) > before:
        return {}, {}
    found: list[str] = []
    by_image: dict[ImageId, list[str]] = {}
    candidates: dict[str, dict[ImageId, str]] = {name: {} for name in systems}
    places = {name: head.index(name) for name in systems}
    named_id = next(iter(ids), _IDS[0])
    id_place = head.index(named_id) if ids else None
    for number, (line, row) in enumerate(body, start=1):
        if len(row) != len(head):
            found.append(
                f"{path}, line {line}: has {counted(len(row), 'cell')}, and the first line {len(head)}; give as many"
            )
            continue
        image_id = number if id_place is None else _image_id(row[id_place])
        if image_id == "":
            found.append(f"{path}, line {line}: has no {named_id}; give one, or leave the column out")
        elif image_id in by_image:
            found.append(f"{path}, line {line}: {named_id} {image_id!r} stands there already; keep one")
        else:
            by_image[image_id] = [row[place] for place in references if row[place]]
            for name, place in places.items():
                candidates[name][image_id] = row[place]
            if not by_image[image_id]:
                found.append(f"{path}, line {line}: {named_id} {image_id!r} has no references; give one")
    problems.of_file(path, found)
    return by_image, dict(candidates)


def _image_id(text: str) -> ImageId:
    """Return the id in a cell, as the number that it is where it is one."""
    return int(text) if _NUMBER.fullmatch(text) else text


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:20])) + (", ..." if len(names) > 20 else "")

"""Caption files: read, check and write them.

References are a COCO annotations file (``images``; ``annotations`` with ``image_id``, ``id``, ``caption``), and a
system's captions a COCO results file (a list of ``image_id``, ``caption``). The order of an image's annotations in
the file is its reference order. Plain text files hold one segment a line, as sacreBLEU's do. From here on nothing
knows where the captions came from.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybleus.errors import raise_all
from manybleus.files import write_text

ImageId = int | str


@dataclass(frozen=True, slots=True)
class Captions:
    """One set of captions: for each image, in file order, its references and every system's candidate."""

    image_ids: tuple[ImageId, ...]
    references: tuple[tuple[str, ...], ...]
    systems: Mapping[str, tuple[str, ...]]

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that name the images and references which every system is scored against."""
        content = json.dumps([self.image_ids, self.references], ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()[:12]


def fewer_references(captions: Captions, counts: Iterable[int | str]) -> list[str]:
    """Tell how many images have fewer references than are asked for; nothing where none has.

    Parameters
    ----------
    captions
        What is scored.
    counts
        Numbers of references, each of which means "up to so many"; a name, e.g. ``"all"``, asks for no number.

    Returns
    -------
    list of str
        One sentence for each number that some image does not have, the smallest first.
    """
    numbers = sorted({count for count in counts if isinstance(count, int)})
    fewer = {count: sum(len(texts) < count for texts in captions.references) for count in numbers}
    total = len(captions.references)
    return [
        f"{images} of {total} images "
        + (
            f"has fewer than {count} references and uses all it has."
            if images == 1
            else f"have fewer than {count} references and use all they have."
        )
        for count, images in fewer.items()
        if images
    ]


def write_references(path: Path, references: Sequence[Sequence[str]], description: str) -> None:
    """Write references as a COCO annotations file; image ids count from 0."""
    images = [{"id": image} for image in range(len(references))]
    pairs = [(image, text) for image, texts in enumerate(references) for text in texts]
    annotations = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]
    _write_json(
        path,
        {
            "info": {"description": description},
            "licenses": [],
            "type": "captions",
            "images": images,
            "annotations": annotations,
        },
    )


def write_results(path: Path, captions: Sequence[str]) -> None:
    """Write one system's captions as a COCO results file; image ids count from 0."""
    _write_json(path, [{"image_id": image, "caption": text} for image, text in enumerate(captions)])


def read_captions(references: Path | Sequence[Path], systems: Mapping[str, Path]) -> Captions:
    """Read references and every system's captions, and report all that is wrong with them at once.

    Parameters
    ----------
    references
        One COCO annotations file (``.json``), or plain text files with one segment a line, each of which holds one
        reference of every segment.
    systems
        System name -> COCO results file, or plain text file. Any file may be compressed (``.gz``).

    Raises
    ------
    ManybleusError
        If a file cannot be read, or images and captions do not match one to one.
    """
    files = [references] if isinstance(references, Path) else list(references)
    problems: list[str] = []
    if any(map(_is_json, files)):
        if len(files) > 1:
            problems.append(f"{', '.join(map(str, files))}: give one COCO annotations file, or text files alone")
        by_image = _read_annotations(files[0], problems)
    else:
        by_image = _read_segments(files, problems)
    candidates = {name: _read_system(path, by_image, problems) for name, path in systems.items()}
    if not systems:
        problems.append("there is no system: give at least one system's captions")
    raise_all(problems, "the caption files do not fit together")
    ids = tuple(by_image)
    return Captions(
        ids,
        tuple(tuple(texts) for texts in by_image.values()),
        {name: tuple(found[image] for image in ids) for name, found in candidates.items()},
    )


def _is_json(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(".json")


def _read_system(path: Path, known: Mapping[ImageId, Any], problems: list[str]) -> Mapping[ImageId, str]:
    return _read_results(path, known, problems) if _is_json(path) else _read_candidates(path, known, problems)


def _read_segments(paths: Sequence[Path], problems: list[str]) -> dict[ImageId, list[str]]:
    """Read text files with one reference of each segment; a segment's number is its line, from 1."""
    files = {path: _read_lines(path, problems) for path in paths}
    read = {path: lines for path, lines in files.items() if lines is not None}
    counts = {path: len(lines) for path, lines in read.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{path} has {count}" for path, count in counts.items())
        problems.append(f"the reference files have different numbers of lines: {listed}; each needs one line a segment")
        return {}
    return {number: list(texts) for number, texts in enumerate(zip(*read.values(), strict=True), start=1)}


def _read_candidates(path: Path, known: Mapping[ImageId, Any], problems: list[str]) -> Mapping[ImageId, str]:
    lines = _read_lines(path, problems)
    if lines is None or not known:
        return {}
    if len(lines) != len(known):
        problems.append(f"{path}: has {len(lines)} lines, and the references {len(known)} segments; give one line each")
        return {}
    return dict(zip(known, lines, strict=True))


def _read_lines(path: Path, problems: list[str]) -> list[str] | None:
    """Read the lines of a text file; only a line feed, with or without a carriage return before it, ends a line."""
    text = _read_text(path, problems)
    if text is None:
        return None
    if not text:
        problems.append(f"{path}: is empty; expected one segment a line")
        return None
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if text.endswith("\n") else lines)]


def _read_annotations(path: Path, problems: list[str]) -> dict[ImageId, list[str]]:
    content = _read_json(path, problems)
    if content is None:
        return {}
    if not isinstance(content, dict) or not isinstance(content.get("annotations"), list):
        problems.append(f'{path}: expected a COCO annotations object with a list under "annotations"')
        return {}
    by_image: dict[ImageId, list[str]] = {}
    listed = content.get("images", [])
    if not isinstance(listed, list):
        problems.append(f'{path}: expected a list under "images", found {type(listed).__name__}')
        return {}
    for item, image in enumerate(listed):
        where = f"{path}, images, item {item}"
        if not isinstance(image, dict) or not _is_image_id(image.get("id")):
            problems.append(f'{where}: expected {{"id": a number or a text}}, found {image!r:.60}')
        elif image["id"] in by_image:
            problems.append(f"{where}: image {image['id']!r} stands there already; keep one")
        else:
            by_image[image["id"]] = []
    known = set(by_image)
    for item, annotation in enumerate(content["annotations"]):
        where = f"{path}, annotations, item {item}"
        if not _is_caption(annotation, where, problems):
            continue
        if known and annotation["image_id"] not in known:
            problems.append(f"{where}: image_id {annotation['image_id']!r} is not among the images; add it there")
        else:
            by_image.setdefault(annotation["image_id"], []).append(annotation["caption"])
    for image_id, texts in by_image.items():
        if not texts:
            problems.append(f"{path}: image_id {image_id!r} has no references; add an annotation or remove the image")
    if not by_image and not problems:
        problems.append(f"{path}: there is no image in it; expected at least one annotation")
    return by_image


def _read_results(path: Path, known: Mapping[ImageId, Any], problems: list[str]) -> dict[ImageId, str]:
    content = _read_json(path, problems)
    if content is None:
        return {}
    if not isinstance(content, list):
        problems.append(f"{path}: expected a COCO results list, found {type(content).__name__}")
        return {}
    found: dict[ImageId, str] = {}
    for item, result in enumerate(content):
        where = f"{path}, item {item}"
        if not _is_caption(result, where, problems):
            continue
        image_id = result["image_id"]
        if image_id in found:
            problems.append(f"{where}: image_id {image_id!r} has a caption already; keep one")
        elif known and image_id not in known:
            problems.append(f"{where}: image_id {image_id!r} is not among the references' images; remove the caption")
        found[image_id] = result["caption"]
    missing = [image_id for image_id in known if image_id not in found]
    if missing:
        some = ", ".join(repr(image_id) for image_id in missing[:5]) + (", ..." if len(missing) > 5 else "")
        problems.append(f"{path}: no caption for {len(missing)} of {len(known)} images (image_id {some}); add them")
    return found


def _is_image_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _is_caption(entry: object, where: str, problems: list[str]) -> bool:
    if not isinstance(entry, dict) or not _is_image_id(entry.get("image_id")):
        problems.append(f'{where}: expected an object with "image_id" and "caption", found {entry!r:.60}')
        return False
    if not isinstance(entry.get("caption"), str):
        problems.append(
            f"{where}: image_id {entry['image_id']!r}: the caption is {entry.get('caption')!r:.40}, expected a text"
        )
        return False
    return True


def _read_json(path: Path, problems: list[str]) -> Any:
    text = _read_text(path, problems)
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError) as error:
        problems.append(f"{path}: is not JSON ({error}); is the file complete?")
    return None


def _read_text(path: Path, problems: list[str]) -> str | None:
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix.lower() == ".gz" else content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.append(f"{path}: is not UTF-8 at byte {error.start}; save it as UTF-8")
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        problems.append(f"{path}: cannot be read ({reason}); check the path and the file")
    else:
        if "\0" not in text:
            return text
        problems.append(
            f"{path}: line {text.count(chr(10), 0, text.index(chr(0))) + 1} holds a NUL; is it a text file?"
        )
    return None


def _write_json(path: Path, content: object) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

"""Caption files in COCO's formats: read, check and write them.

References are a COCO annotations file (``images``; ``annotations`` with ``image_id``, ``id``, ``caption``), and a
system's captions a COCO results file (a list of ``image_id``, ``caption``). The order of an image's annotations in
the file is its reference order. From here on nothing knows where the captions came from.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
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


def read_captions(references: Path, systems: Mapping[str, Path]) -> Captions:
    """Read references and every system's captions, and report all that is wrong with them at once.

    Parameters
    ----------
    references
        A COCO annotations file.
    systems
        System name -> COCO results file.

    Raises
    ------
    ManybleusError
        If a file cannot be read, or images and captions do not match one to one.
    """
    problems: list[str] = []
    by_image = _read_annotations(references, problems)
    candidates = {name: _read_results(path, by_image, problems) for name, path in systems.items()}
    raise_all(problems, "the caption files do not fit together")
    ids = tuple(by_image)
    return Captions(
        ids,
        tuple(tuple(texts) for texts in by_image.values()),
        {name: tuple(found[image] for image in ids) for name, found in candidates.items()},
    )


def _read_annotations(path: Path, problems: list[str]) -> dict[ImageId, list[str]]:
    content = _read_json(path, problems)
    if content is None:
        return {}
    if not isinstance(content, dict) or not isinstance(content.get("annotations"), list):
        problems.append(f'{path}: expected a COCO annotations object with a list under "annotations"')
        return {}
    by_image: dict[ImageId, list[str]] = {}
    listed = content.get("images", [])
    for item, image in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(image, dict) and _is_image_id(image.get("id")):
            by_image[image["id"]] = []
        else:
            problems.append(f'{path}, images, item {item}: expected {{"id": a number or a text}}, found {image!r:.60}')
    for item, annotation in enumerate(content["annotations"]):
        where = f"{path}, annotations, item {item}"
        if _is_caption(annotation, where, problems):
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
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        problems.append(f"{path}: cannot be read ({error.strerror}); check the path")
    except UnicodeDecodeError as error:
        problems.append(f"{path}: is not UTF-8 at byte {error.start}; save it as UTF-8")
    except (json.JSONDecodeError, RecursionError) as error:
        problems.append(f"{path}: is not JSON ({error}); is the file complete?")
    return None


def _write_json(path: Path, content: object) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

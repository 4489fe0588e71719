"""COCO's annotations and results files, checked item by item."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from manybleus.captions.data import ImageId
from manybleus.captions.raw import UNREAD, Problems, as_json, json_kind, read_json, text_problem
from manybleus.text import meant


class KnownImages:
    """Image ids, found whether a file writes them as numbers or as texts."""

    def __init__(self, ids: Iterable[ImageId]) -> None:
        self._ids = set(ids)
        times = Counter(map(str, self._ids))
        self._by_text = {str(image_id): image_id for image_id in self._ids if times[str(image_id)] == 1}

    def find(self, image_id: ImageId) -> ImageId | None:
        """Return the known id that is the same, or the only one that is written the same; None where there is none."""
        return image_id if image_id in self._ids else self._by_text.get(str(image_id))


def read_annotations(path: Path, problems: Problems) -> dict[ImageId, list[str]]:
    """Read a COCO annotations file: image id -> references, both in file order."""
    content = read_json(path, problems)
    if content is UNREAD:
        return {}
    if not isinstance(content, dict) or not isinstance(content.get("annotations"), list):
        found_instead = json_kind(content) + (' without "annotations"' if isinstance(content, dict) else "")
        if isinstance(content, dict) and "annotations" in content:
            found_instead = f"{json_kind(content['annotations'])} there"
        problems.add(
            f'{path}: expected a COCO annotations object with a list under "annotations", found {found_instead}'
        )
        return {}
    if wrong := _missing_key(content["annotations"]):
        problems.add(f"{path}, annotations: {wrong}")
        return {}
    listed = content.get("images", [])
    if not isinstance(listed, list):
        problems.add(f'{path}: expected a list under "images", found {json_kind(listed)}')
        return {}
    found: list[str] = []
    by_image: dict[ImageId, list[str]] = {}
    for item, image in enumerate(listed):
        where = f"{path}, images, item {item}"
        if not isinstance(image, dict) or not _is_image_id(image.get("id")):
            found.append(f'{where}: expected {{"id": a number or a text}}, found {as_json(image, 60)}')
        elif wrong := _id_problem(image["id"]):
            found.append(f"{where}: {wrong}")
        elif image["id"] in by_image:
            found.append(f"{where}: image {image['id']!r} stands there already; keep one")
        else:
            by_image[image["id"]] = []
    known = KnownImages(by_image) if by_image else None
    told: set[ImageId | None] = set()
    for item, annotation in enumerate(content["annotations"]):
        where = f"{path}, annotations, item {item}"
        if not _is_caption(annotation, where, found):
            if known and _names_image(annotation):
                told.add(known.find(annotation["image_id"]))
            continue
        image_id = known.find(annotation["image_id"]) if known else annotation["image_id"]
        if image_id is None:
            found.append(f"{where}: image_id {annotation['image_id']!r} is not among the images; add it there")
        else:
            by_image.setdefault(image_id, []).append(annotation["caption"])
    for image_id, texts in by_image.items():
        if not texts and image_id not in told:
            found.append(f"{path}: image_id {image_id!r} has no references; add an annotation or remove the image")
    if not by_image and not found:
        found.append(f"{path}: there is no image in it; expected at least one annotation")
    problems.of_file(path, found)
    # What is missing or unknown beside broken references would be told of the wrong file.
    return {} if found else by_image


def read_results(
    path: Path, known: Mapping[ImageId, Any], fill: bool, problems: Problems, *, are_lines: bool = False
) -> dict[ImageId, str]:
    """Read a COCO results file: image id, as the references have it -> caption.

    Where ``fill`` is set, images without a caption are left out in silence. ``are_lines`` says that the known images
    are the lines of text files, counted from 1.
    """
    content = read_json(path, problems)
    if content is UNREAD:
        return {}
    if not isinstance(content, list):
        problems.add(
            f"{path}: expected a COCO results list, found {json_kind(content)}; "
            'write [{"image_id": ..., "caption": ...}, ...]'
        )
        return {}
    if wrong := _missing_key(content):
        problems.add(f"{path}: {wrong}")
        return {}
    found: list[str] = []
    captions: dict[ImageId, str] = {}
    told: set[ImageId | None] = set()
    images = KnownImages(known)
    unknown: list[tuple[str, ImageId]] = []
    for item, result in enumerate(content):
        where = f"{path}, item {item}"
        if not _is_caption(result, where, found):
            # What is wrong with it is told; it is not missing, too.
            if _names_image(result):
                told.add(images.find(result["image_id"]))
            continue
        image_id = images.find(result["image_id"])
        if known and image_id is None:
            unknown.append((where, result["image_id"]))
            continue
        image_id = result["image_id"] if image_id is None else image_id
        if image_id in captions:
            found.append(f"{where}: image_id {result['image_id']!r} has a caption already; keep one")
        captions[image_id] = result["caption"]
    missing = [image_id for image_id in known if image_id not in captions and image_id not in told]
    if unknown and are_lines:
        found.append(
            f"{path}: the references are text, whose images are the lines 1 to {len(known)}, and this is a file of "
            f"COCO results about other images, such as {unknown[0][1]!r}; give both in one format"
        )
    elif unknown and not captions and {type(image_id) for _, image_id in unknown}.isdisjoint(map(type, known)):
        theirs, ours = unknown[0][1], next(iter(known))
        found.append(
            f"{path}: no image id fits: they are {_kind(theirs)} such as {theirs!r}, and those of the references "
            f"{_kind(ours)} such as {ours!r}; write them alike"
        )
    else:
        if missing and not fill:
            some = ", ".join(map(repr, missing[:5])) + (", ..." if len(missing) > 5 else "")
            found.append(
                f"{path}: no caption for {len(missing)} of {len(known)} images (image_id {some}); add them, or have "
                "them scored as empty captions (missing: empty, on the command line --missing empty)"
            )
        found += [
            f"{where}: image_id {image_id!r} is not among the references' images; remove the caption"
            for where, image_id in unknown
        ]
    problems.of_file(path, found)
    return captions


def _kind(image_id: ImageId) -> str:
    return "texts" if isinstance(image_id, str) else "numbers"


def _is_image_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _id_problem(image_id: ImageId) -> str | None:
    return text_problem(image_id, "image id") if isinstance(image_id, str) else None


def _names_image(entry: object) -> bool:
    return isinstance(entry, dict) and _is_image_id(entry.get("image_id"))


def _missing_key(entries: Sequence[Any]) -> str | None:
    """Say which key is missing in all entries, if all are objects: it has another name there."""
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        return None
    for key in ("image_id", "caption"):
        if not any(key in entry for entry in entries):
            close = meant(key, entries[0]) or next((name for name in entries[0] if key == f"image_{name}"), None)
            mend = f"rename {as_json(close, 40)} to {as_json(key, 40)}" if close else "rename the key that holds it"
            return f'no entry has "{key}", and the first is {as_json(entries[0], 60)}; {mend}'
    return None


def _is_caption(entry: Any, where: str, found: list[str]) -> bool:
    if not _names_image(entry):
        told = f'expected an object with "image_id" and "caption", found {as_json(entry, 60)}'
        if isinstance(entry, dict) and "image_id" in entry:
            told = f"the image_id is {as_json(entry['image_id'], 40)}, expected a whole number or a text"
        found.append(f"{where}: {told}")
        return False
    caption = entry.get("caption")
    if not isinstance(caption, str):
        found.append(f"{where}: image_id {entry['image_id']!r}: the caption is {as_json(caption, 40)}, expected a text")
        return False
    wrong = _id_problem(entry["image_id"]) or text_problem(caption)
    if wrong:
        found.append(f"{where}: image_id {entry['image_id']!r}: {wrong}")
    return wrong is None

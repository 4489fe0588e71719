"""One set of captions in memory, and as COCO's files."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from manybleus.errors import ManybleusError, check_list, check_strings, shown
from manybleus.files import write_text

ImageId = int | str


@dataclass(frozen=True, slots=True)
class Captions:
    """One set of captions: for each image, in file order, its references and every system's candidate.

    ``missing`` counts by system the captions that were not there and are scored as empty, where the user asked for it.
    ``in_order`` names the systems whose captions bear no image ids though the references do. ``blank_lines`` counts the
    empty lines of text files of references: no reference stands there.

    Raises
    ------
    ManybleusError
        If ids or references are no lists, or systems no dict by name; the texts are checked where they are counted.
    """

    image_ids: tuple[ImageId, ...]
    references: tuple[tuple[str, ...], ...]
    systems: Mapping[str, tuple[str, ...]]
    missing: Mapping[str, int] = field(default_factory=dict)
    in_order: tuple[str, ...] = ()
    blank_lines: int = 0

    def __post_init__(self) -> None:
        check_list(self.image_ids, "image ids")
        for image in self.image_ids:
            if not isinstance(image, int | str):
                raise ManybleusError(f"an image id is an int or a string, not {shown(image)}")
        check_list(self.references, "the references of each image")
        if not isinstance(self.systems, Mapping):
            raise ManybleusError(f"a dict of systems with a list of captions each is meant, not {shown(self.systems)}")
        check_strings(self.systems, "the name of a system")

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that name the references which every system is scored against, image by image.

        Images count from 0: what they are called depends on the format of the files, and the scores do not on that.
        """
        places = range(len(self.references))
        content = json.dumps([[*places], self.references], ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(content.encode()).hexdigest()[:12]


def fewer_references(captions: Captions, counts: Iterable[int | str], noun: str = "image") -> list[str]:
    """Tell how many images have fewer references than are asked for; nothing where none has.

    Parameters
    ----------
    captions
        What is scored.
    counts
        Numbers of references, each of which means "up to so many"; a name, e.g. ``"all"``, asks for no number.
    noun
        What has the references.

    Returns
    -------
    list of str
        One sentence for each number that some image does not have, the smallest first.
    """
    numbers = sorted({count for count in counts if isinstance(count, int)})
    fewer = {count: sum(len(texts) < count for texts in captions.references) for count in numbers}
    total = len(captions.references)
    return [
        f"{images} of {total} {noun}s "
        + (
            f"has fewer than {count} references and uses all it has."
            if images == 1
            else f"have fewer than {count} references and use all they have."
        )
        for count, images in fewer.items()
        if images
    ]


def write_references(
    path: Path,
    references: Sequence[Sequence[str]],
    description: str,
    image_ids: Sequence[ImageId] | None = None,
) -> None:
    """Write references as a COCO annotations file; image ids count from 0 where none are given."""
    ids = range(len(references)) if image_ids is None else image_ids
    pairs = [(image, text) for image, texts in zip(ids, references, strict=True) for text in texts]
    annotations = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]
    _write_json(
        path,
        {
            "info": {"description": description},
            "licenses": [],
            "type": "captions",
            "images": [{"id": image} for image in ids],
            "annotations": annotations,
        },
    )


def write_results(path: Path, captions: Sequence[str], image_ids: Sequence[ImageId] | None = None) -> None:
    """Write one system's captions as a COCO results file; image ids count from 0 where none are given."""
    ids = range(len(captions)) if image_ids is None else image_ids
    _write_json(path, [{"image_id": image, "caption": text} for image, text in zip(ids, captions, strict=True)])


def _write_json(path: Path, content: object) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

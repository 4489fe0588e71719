"""What is odd about captions that can be scored."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from manybleus.captions.data import Captions
from manybleus.text import counted

if TYPE_CHECKING:
    import pandas as pd

LONG = 1000


@dataclass(frozen=True, slots=True)
class Remark:
    """One oddity: whose it is (a system, ``references``, or empty for all), how many texts it is about, and words."""

    of: str
    count: int
    text: str


def remarks(captions: Captions) -> list[Remark]:
    """Return what a user should know of captions before the scores are believed.

    Missing captions that are scored as empty, empty ones, lines of reference files without a reference, very long ones,
    systems that are the same, references that look transposed, captions that are matched by the order of the images,
    and texts in which the same letter is written in two ways.
    """
    references = [text for texts in captions.references for text in texts]
    texts: dict[str, Sequence[str]] = {"references": references, **captions.systems}
    return [
        *_transposed(captions),
        *_blank(captions.blank_lines),
        *(
            Remark(
                system,
                len(captions.image_ids),
                f"{system}: its captions are lines of text without image ids: they are matched by the order of the "
                "images in the COCO annotations file",
            )
            for system in captions.in_order
        ),
        *(
            Remark(system, count, f"{system}: {_counted(count)} missing, and scored as empty")
            for system, count in captions.missing.items()
        ),
        *(remark for of, each in texts.items() for remark in _empty(of, each, captions.missing.get(of, 0))),
        *(remark for of, each in texts.items() for remark in _long(of, each)),
        *_identical(captions),
        *_mixed(texts),
    ]


def remark_table(found: Sequence[Remark]) -> "pd.DataFrame":
    """Lay out remarks: ``of``, ``count``, ``remark``."""
    import pandas as pd

    lines = [(each.of, each.count, each.text) for each in found]
    return pd.DataFrame(lines, columns=["of", "count", "remark"])


def _counted(count: int) -> str:
    return f"{counted(count, 'caption')} {'is' if count == 1 else 'are'}"


def _transposed(captions: Captions) -> Iterator[Remark]:
    """Ask where there are as many references as images, and those of an image have no more words in common than others.

    References of one image repeat each other's words, so that they have fewer distinct ones.
    """
    counts = {len(texts) for texts in captions.references}
    images = len(captions.references)
    turned = tuple(zip(*captions.references, strict=False))
    if images > 2 and counts == {images} and _distinct_words(turned) <= _distinct_words(captions.references):
        yield Remark(
            "references",
            images,
            f"there are as many references of each image as images ({images}): are the references transposed? "
            "each file holds one reference of every image",
        )


def _blank(lines: int) -> Iterator[Remark]:
    if lines:
        told = (
            f"{counted(lines, 'line')} of their files {'is' if lines == 1 else 'are'} empty: no reference stands there"
        )
        theirs = "sacreBLEU's command line takes an empty line for a reference without a word, so its scores differ"
        yield Remark("references", lines, f"references: {told}; {theirs}")


def _distinct_words(groups: Sequence[Sequence[str]]) -> int:
    return sum(len({word for text in texts for word in text.lower().split()}) for texts in groups)


def _empty(of: str, texts: Sequence[str], missing: int) -> Iterator[Remark]:
    count = sum(not text.strip() for text in texts) - missing
    if count:
        yield Remark(of, count, f"{of}: {_counted(count)} empty")


def _long(of: str, texts: Sequence[str]) -> Iterator[Remark]:
    lengths = [len(text) for text in texts if len(text) > LONG]
    if lengths:
        longest = f"{_counted(len(lengths))} longer than {LONG} characters; the longest has {max(lengths)}"
        yield Remark(of, len(lengths), f"{of}: {longest}")


def _identical(captions: Captions) -> Iterator[Remark]:
    for first, second in combinations(captions.systems, 2):
        if captions.systems[first] == captions.systems[second]:
            images = len(captions.image_ids)
            yield Remark(second, images, f"{first} and {second} are identical: every caption of one is the other's")


def _mixed(texts: dict[str, Sequence[str]]) -> Iterator[Remark]:
    """Tell of texts of which some write accented letters as one character and some as a letter and its mark."""
    odd = [text for each in texts.values() for text in each if not text.isascii()]
    decomposed = sum(not unicodedata.is_normalized("NFC", text) for text in odd)
    composed = sum(not unicodedata.is_normalized("NFD", text) for text in odd)
    if decomposed and composed:
        yield Remark(
            "",
            decomposed,
            f"letters with marks are written in two ways, composed (NFC) in {composed} texts and decomposed (NFD) in "
            f"{decomposed}: equal words do not match; write all of them in NFC",
        )

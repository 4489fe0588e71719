"""The first pictures: what the references and the systems say, and which n-grams of each caption match."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from manybleus.analysis.ngrams import SHOWN_IMAGES, reference_tokens, used_references
from manybleus.bleu.configuration import Configuration
from manybleus.report.results import Results
from manybleus.report.words import MANY_SYSTEMS, data_uri
from manybleus.text import counted, shortened

_MOST_CHARACTERS = 300
_MOST_REFERENCES = 8
# Longer captions, and longer tokens, are cut.
_MOST_TOKENS, _MOST_OF_TOKEN = 60, 40
_MATCHED, _CLIPPED = "matched", "clipped"


def scenes(results: Results) -> dict[str, Any]:
    """Return the first pictures with their captions, and the contact sheet.

    ``island`` is what ``static/captions.js`` counts: for each picture, the tokens of its captions and of the references
    behind each of its checkboxes, as numbers.
    """
    captions = results.captions
    baseline = Configuration(**results.study.baseline)
    order = baseline.max_order
    tokens = reference_tokens(captions, baseline)
    shown, island = [], []
    for place, image in enumerate(map(str, captions.image_ids[:SHOWN_IMAGES])):
        references = captions.references[place]
        used = used_references(len(references), baseline)
        picture = results.pictures[place] if place < len(results.pictures) else b""
        rows = results.ngrams[results.ngrams["image_id"] == image]
        rows_of = {name: rows[rows["system"] == name] for name in captions.systems}
        said = [{"system": name, **marked(rows_of[name], order)} for name in captions.systems]
        choices = [*_choices(tokens[place][:used]), *_choices(tokens[place][used:])]
        island.append(_numbered([list(rows_of[name]["token"]) for name in captions.systems], choices))
        shown.append(
            {
                "image": image,
                "picture": data_uri("image/png", picture),
                "alt": f"Picture {image}, enlarged. {references[0]}",
                "used": _listed(references[:used]),
                "unused": _listed(references[used:]),
                "captions": said[:MANY_SYSTEMS],
                "rest": said[MANY_SYSTEMS:],
            }
        )
    width, height = _png_size(results.pictures[0]) if results.pictures else (0, 0)
    example = min(1, len(shown) - 1)
    return {
        "shown": shown,
        "shown_words": counted(len(shown), results.study.unit),
        "island": island,
        "orders": list(range(1, order + 1)),
        # On the second picture G has its long caption.
        "example": {
            **shown[example],
            "texts": [
                {"system": name, "caption": shortened(texts[example], _MOST_CHARACTERS)}
                for name, texts in captions.systems.items()
            ],
        },
        "sheet": data_uri("image/png", results.sheet),
        "size": f"{width} x {height} pixels",
    }


def marked(rows: pd.DataFrame, orders: int) -> dict[str, Any]:
    """Mark each token of a caption by the longest matched n-gram that it is part of.

    Parameters
    ----------
    rows
        The caption's rows of ``ngrams.csv``, as cells of text.
    orders
        N.

    Returns
    -------
    dict
        ``tokens``: each with its ``text``, its ``longest`` matched n-gram (0 if it is part of none) and whether it is
        ``clipped`` as a 1-gram. ``precisions``: for each order n its ``matches`` m, ``ngrams`` t and ``clipped``.
        ``further``: how many tokens are left out.
    """
    longest = [0] * len(rows)
    precisions = []
    for order in range(1, orders + 1):
        states = list(rows[f"n{order}"])
        for place, state in enumerate(states):
            if state == _MATCHED:
                longest[place : place + order] = [order] * order
        precisions.append(
            {
                "order": order,
                "matches": states.count(_MATCHED),
                "ngrams": sum(state != "" for state in states),
                "clipped": states.count(_CLIPPED),
            }
        )
    tokens = [
        {"text": shortened(text, _MOST_OF_TOKEN), "longest": length, "clipped": state == _CLIPPED}
        for text, length, state in zip(rows["token"], longest, rows["n1"], strict=True)
    ]
    return {
        "tokens": tokens[:_MOST_TOKENS],
        "further": max(len(tokens) - _MOST_TOKENS, 0),
        "precisions": precisions,
    }


def _listed(references: Sequence[str]) -> dict[str, Any]:
    return {
        "texts": [shortened(text, _MOST_CHARACTERS) for text in references[:_MOST_REFERENCES]],
        "further": max(len(references) - _MOST_REFERENCES, 0),
    }


def _choices(references: list[list[str]]) -> list[list[list[str]]]:
    """Put each listed reference behind a choice of its own, and the further ones behind one together."""
    alone = [[reference] for reference in references[:_MOST_REFERENCES]]
    together = references[_MOST_REFERENCES:]
    return [*alone, together] if together else alone


def _numbered(captions: Sequence[Sequence[str]], choices: Sequence[Sequence[Sequence[str]]]) -> dict[str, Any]:
    """Turn tokens into numbers from 1; a token of a reference that no caption has, and that cannot match, is 0."""
    numbers: dict[str, int] = {}
    said = [[numbers.setdefault(token, len(numbers) + 1) for token in caption] for caption in captions]
    held = [[[numbers.get(token, 0) for token in reference] for reference in choice] for choice in choices]
    return {"captions": said, "choices": held}


def _png_size(content: bytes) -> tuple[int, int]:
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")

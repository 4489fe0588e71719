"""The first images' captions token by token: which n-grams match under the baseline. Extends the study."""

import pandas as pd

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.matching import matching
from manybleus.bleu.tokens import tokenize_groups
from manybleus.captions import Captions

# The images that are shown one by one.
SHOWN_IMAGES = 6


def ngram_table(captions: Captions, cell: Configuration, images: int = SHOWN_IMAGES) -> pd.DataFrame:
    """Hold each token of the first captions against the references.

    Parameters
    ----------
    captions
        What is scored.
    cell
        The configuration: its references, case rule, tokenizer and orders.
    images
        How many images.

    Returns
    -------
    DataFrame
        One row for each token: ``image_id``, ``system``, ``place`` (from 0), ``token``, and for each order ``n1``,
        ``n2``, ... what ``matching.matching`` says of the n-gram that begins there; missing where none does.
    """
    orders = range(1, cell.max_order + 1)
    rows = []
    shown = captions.image_ids[:images]
    by_image = [[texts[place] for texts in captions.systems.values()] for place in range(len(shown))]
    tokens = tokenize_groups([*captions.references[:images], *by_image], cell.case, cell.tokenizer)
    for image_id, of_references, said in zip(shown, tokens[: len(shown)], tokens[len(shown) :], strict=True):
        references = of_references[: used_references(len(of_references), cell)]
        for system, candidate in zip(captions.systems, said, strict=True):
            found = [matching(candidate, references, order) for order in orders]
            for at, token in enumerate(candidate):
                row: dict[str, object] = {"image_id": image_id, "system": system, "place": at, "token": token}
                begin = {f"n{n}": told[at] for n, told in zip(orders, found, strict=True) if at < len(told)}
                rows.append(row | begin)
    return pd.DataFrame(rows, columns=["image_id", "system", "place", "token", *(f"n{order}" for order in orders)])


def reference_tokens(captions: Captions, cell: Configuration, images: int = SHOWN_IMAGES) -> list[list[list[str]]]:
    """Return the tokens of all references of the first images, as a configuration cuts them."""
    return tokenize_groups(captions.references[:images], cell.case, cell.tokenizer)


def used_references(count: int, cell: Configuration) -> int:
    """Return how many of an image's references a configuration uses: the first ones, or all."""
    return count if cell.references == "all" else min(int(cell.references), count)

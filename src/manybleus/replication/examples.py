"""The worked examples of the study's sources, computed anew by the definition."""

import math
from collections.abc import Iterator

import pandas as pd

from manybleus.bleu.definition import (
    Formula,
    Statistics,
    bleu,
    clipped_matches,
    geometric_mean,
    ngrams,
    sentence_statistics,
)
from manybleus.bleu.smoothing import brevity_penalty, unsmoothed

Cell = tuple[str, str, object]

CAT_REFERENCES = ("the cat is on the mat", "there is a cat on the mat")


def worked_examples() -> pd.DataFrame:
    """Compute every worked example: ``example``, ``quantity``, ``value``; a precision is written m/t."""
    cells = [cell for part in (_clipping(), _short(), _lengths(), _smoothing(), _limits()) for cell in part]
    return pd.DataFrame(cells, columns=["example", "quantity", "value"])


def _count(candidate: str, *references: str, rule: str = "closest", max_order: int = 4) -> Statistics:
    return sentence_statistics(candidate.split(), [text.split() for text in references], rule, max_order)


def _precisions(example: str, counted: Statistics) -> Iterator[Cell]:
    for n, (m, t) in enumerate(zip(counted.matches, counted.totals, strict=True), start=1):
        yield example, f"p{n}", f"{m}/{t}"
        yield example, f"p{n} decimal", m / t


def _clipping() -> Iterator[Cell]:
    words = ["the"] * 7
    vocabulary = {word for text in CAT_REFERENCES for word in text.split()}
    yield "clip-the", "p1 without clipping", f"{sum(word in vocabulary for word in words)}/{len(words)}"
    yield from _precisions("clip-the", _count(" ".join(words), *CAT_REFERENCES, max_order=1))
    yield from _precisions("cat-cat", _count("the cat the cat on the mat", *CAT_REFERENCES))
    yield from _precisions("of-the", _count("of the", "the ear of the king", max_order=2))


def _short() -> Iterator[Cell]:
    mat = _count("the cat is on mat", "the cat is on the mat")
    yield from _precisions("cat-mat", mat)
    yield "cat-mat", "c", mat.candidate_length
    yield "cat-mat", "r", int(mat.reference_length)
    yield "cat-mat", "BLEU", bleu(mat)
    dog = _count(
        "the small brown dog chased the red ball across the yard",
        "the small brown dog quickly chased the red ball across the yard",
    )
    yield from _precisions("dog", dog)
    precisions = unsmoothed(dog.matches, dog.totals)
    penalty, root = brevity_penalty(dog.candidate_length, float(dog.reference_length)), geometric_mean(precisions)
    yield "dog", "product", math.prod(precisions)
    yield "dog", "root", root
    yield "dog", "BP", penalty
    yield "dog", "BLEU", bleu(dog)
    yield "dog", "BLEU from rounded factors", round(penalty, 3) * round(root, 3)


def _lengths() -> Iterator[Cell]:
    tie = _count("a b c d e", "a b c d e f", "a b c d")
    yield "tie", "r", int(tie.reference_length)
    yield "tie", "BP", brevity_penalty(tie.candidate_length, float(tie.reference_length))
    yield "tie", "BLEU", bleu(tie)
    for example, references in {
        "rules": ("a b c d e f", "a b c d e f g h i"),
        "shortest": ("a b c d e f", "a b c"),
    }.items():
        for rule in ("closest", "shortest", "average", "longest"):
            counted = _count("a b c d e", *references, rule=rule)
            yield example, f"r {rule}", float(counted.reference_length)
            yield example, f"BLEU {rule}", bleu(counted)


def _smoothing() -> Iterator[Cell]:
    no_match = _count("e f g h", "a b c d")
    formula = geometric_mean([1 / (2**k * t) for k, t in enumerate(no_match.totals, start=1)])
    yield "exp-no-match", "BLEU", bleu(no_match, Formula("exp"))
    yield "exp-no-match", "geometric formula alone", formula
    short = _count("a b", "a b")
    yield "exp-short", "BLEU effective order off", bleu(short, Formula("exp"))
    yield "exp-short", "BLEU effective order on", bleu(short, Formula("exp", effective_order=True))
    zero = _count("a b c x d e", "a b c d e f")
    yield "add1-zero4", "m", ", ".join(map(str, zero.matches))
    yield "add1-zero4", "t", ", ".join(map(str, zero.totals))
    yield "add1-zero4", "BLEU", bleu(zero, Formula("add-1"))


def _limits() -> Iterator[Cell]:
    perfect = _count("a red circle is above a blue square", "a red circle is above a blue square")
    precisions = unsmoothed(perfect.matches, perfect.totals)
    yield "perfect", "BLEU", bleu(perfect)
    yield "perfect", "exp of the mean precision", math.exp(math.fsum(precisions) / len(precisions))
    # 18 tokens whose bigrams match in 10 of 17 places fall into 18 - 10 pieces, which may stand in any order.
    reference = [f"w{i}" for i in range(18)]
    pieces = [reference[0:6], reference[6:8], reference[8:11], reference[11:14], *([word] for word in reference[14:18])]
    candidate = [word for piece in reversed(pieces) for word in piece]
    matches = clipped_matches(candidate, [reference], 2)
    yield "permutations", "bigram matches", matches
    yield "permutations", "orderings", math.factorial(ngrams(candidate, 1).total() - matches)

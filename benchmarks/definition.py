"""Time the engine beside the scalar definition, cell by cell, and compare the scores of every cell bit by bit."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from statistics import mean, median

from engine import GRID, coco_like, ours, seconds

from manybleus.bleu.configuration import Configuration, configurations
from manybleus.bleu.definition import AGGREGATIONS, Statistics, sentence_statistics
from manybleus.bleu.scores import orders
from manybleus.bleu.tokens import tokenize_all
from manybleus.captions import Captions

IMAGES = 500
TIMED = 48
Count = Callable[[Configuration], dict[str, list[Statistics]]]


def count(captions: Captions, cell: Configuration) -> dict[str, list[Statistics]]:
    """Tokenize a cell's captions, and count each sentence of each system."""
    texts = [text for told in captions.references for text in told[: cell.references]]
    tokens = iter(tokenize_all(texts, cell.case, cell.tokenizer))
    references = [list(islice(tokens, len(told[: cell.references]))) for told in captions.references]
    most = orders([cell])
    return {
        system: [
            sentence_statistics(candidate, told, cell.reference_length, most)
            for candidate, told in zip(tokenize_all(said, cell.case, cell.tokenizer), references, strict=True)
        ]
        for system, said in captions.systems.items()
    }


def by_definition(cell: Configuration, counted: Count) -> Iterator[float]:
    """Score every system under one cell."""
    for sentences in counted(cell).values():
        yield AGGREGATIONS[cell.aggregation](sentences, cell.formula)


def counting_once(captions: Captions) -> Count:
    """Count once what several cells would each count for themselves."""
    known: dict[tuple[object, ...], dict[str, list[Statistics]]] = {}

    def counted(cell: Configuration) -> dict[str, list[Statistics]]:
        key = cell.references, cell.reference_length, cell.case, cell.tokenizer, orders([cell])
        if key not in known:
            known[key] = count(captions, cell)
        return known[key]

    return counted


def main() -> None:
    captions, cells = coco_like(IMAGES), configurations(GRID)
    alone, grid = partial(count, captions), partial(ours, captions, cells)
    timed = Random(0).sample(cells, TIMED)
    times = [(seconds(lambda cell=cell: list(by_definition(cell, alone))), seconds(grid)) for cell in timed]
    one, engine = mean(cell for cell, _ in times), median(each for _, each in times)
    print(f"{IMAGES} images, {len(captions.systems)} systems: {len(cells)} cells by the engine {engine:.3f} s")
    print(f"  cell by cell with the definition: {one:.3f} s a cell, the mean of {TIMED} cells drawn by chance;")
    print(f"  for all {len(cells)} that makes {one * len(cells):.0f} s, {one * len(cells) / engine:.0f}x the engine")
    counted = counting_once(captions)
    found = iter(ours(captions, cells))
    different = sum(next(found).score.hex() != score.hex() for cell in cells for score in by_definition(cell, counted))
    total = len(cells) * len(captions.systems)
    print(f"  scores that differ in any bit: {different} of {total}")


if __name__ == "__main__":
    main()

"""Time the engine beside sacreBLEU: a grid of 1,152 configurations, 3 systems, against one corpus_bleu call."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from manybleus.bleu.configuration import Configuration, configurations
from manybleus.bleu.scores import Score, count_for, score
from manybleus.captions import Captions

SMOOTHINGS = ["none", "add-1", "exp", "coco", "floor(0.1)", "add-k(0.5)", "chen-cherry-4", "chen-cherry-5"]
GRID = {
    "references": [1, 2, 4, 5],
    "reference_length": ["closest", "shortest", "average"],
    "case": ["lower", "cased"],
    "tokenizer": ["split", "kept", "removed"],
    "smoothing": SMOOTHINGS,
    "aggregation": ["corpus", "mean-sentence"],
    "max_order": [4],
}
SIZES = {200: 15, 5_000: 7, 40_504: 3}
STORY = 14


def coco_like(images: int, references: int = 5, systems: int = 3, vocabulary: int = 12_000) -> Captions:
    """Make captions: each image has a story of words, and a caption walks along it, now and then using another word."""
    rng = np.random.default_rng(0)
    common = ["a", "of", "on", "the", "in", "with", "and", "is", "man", "to", "sitting", "an", "two", "at", "people"]
    words = np.array([*common, *(f"word{i}" for i in range(vocabulary - len(common)))], dtype=object)
    shares = 1 / np.arange(1, vocabulary + 1) ** 1.05
    shares /= shares.sum()
    texts = []
    for _ in range(images):
        story = rng.choice(vocabulary, STORY, p=shares)
        of_image = []
        for number in range(references + systems):
            length = int(np.clip(round(rng.normal(10.5, 2.2)), 5, 40))
            jumps = rng.random(length) < 0.15
            places = (np.cumsum(np.where(jumps, rng.integers(2, STORY, length), 1)) + rng.integers(STORY)) % STORY
            others = rng.choice(vocabulary, length, p=shares)
            caption = " ".join(words[np.where(rng.random(length) < 0.33, others, story[places])])
            of_image.append(caption[0].upper() + caption[1:] + ("." if number % 3 else ""))
        texts.append(of_image)
    return Captions(
        tuple(range(images)),
        tuple(tuple(of_image[:references]) for of_image in texts),
        {f"S{s + 1}": tuple(of_image[references + s] for of_image in texts) for s in range(systems)},
    )


def ours(captions: Captions, cells: list[Configuration]) -> list[Score]:
    return score(count_for(captions, cells), cells)


def theirs(captions: Captions) -> None:
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    streams = [list(stream) for stream in zip(*captions.references, strict=True)]
    BLEU().corpus_score(list(captions.systems["S1"]), streams)


def seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def taking_turns(repeats: int, first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of two calls that take turns."""
    times = [(seconds(first), seconds(second)) for _ in range(repeats)]
    return statistics.median(one for one, _ in times), statistics.median(two for _, two in times)


def peak(call: Callable[[], object]) -> float:
    """Return the peak of the memory that a call allocates, in MB."""
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    cells = configurations(GRID)
    for images, repeats in SIZES.items():
        captions = coco_like(images)
        grid, one = taking_turns(repeats, partial(ours, captions, cells), partial(theirs, captions))
        print(f"{images:6} images: {len(cells)} cells {grid:.3f} s, a sacreBLEU call {one:.3f} s, {grid / one:.2f}x")
    print(f"peak memory, {images} images: {peak(lambda: ours(captions, cells)):.0f} MB, ", end="")
    print(f"sacreBLEU {peak(lambda: theirs(captions)):.0f} MB")
    captions = coco_like(5_000)
    few = configurations(GRID | {"smoothing": ["none"]})
    small, large = taking_turns(5, lambda: ours(captions, few), lambda: ours(captions, configurations(GRID)))
    print(f"5,000 images: {len(few)} cells {small:.3f} s, {len(cells)} cells {large:.3f} s, {large / small:.2f}x")
    many = coco_like(2_000, references=20)
    one_reference = Captions(many.image_ids, tuple(texts[:1] for texts in many.references), many.systems)
    counts = GRID | {"references": ["all"]}
    single, twenty = taking_turns(
        5, lambda: ours(one_reference, configurations(counts)), lambda: ours(many, configurations(counts))
    )
    print(f"2,000 images: 1 reference {single:.3f} s, 20 references {twenty:.3f} s, {twenty / single:.2f}x")


if __name__ == "__main__":
    main()

"""Time one corpus call of each other tool, for one system, beside the engine's whole grid: a table in Markdown."""

import os
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median

from engine import GRID, coco_like, ours, seconds, theirs

from manybleus.bleu.configuration import configurations
from manybleus.captions import Captions

SIZES = {200: 15, 5_000: 5}
Call = Callable[[], object]


def nltk(captions: Captions) -> Call:
    from nltk.translate.bleu_score import corpus_bleu

    references = [[text.split() for text in texts] for texts in captions.references]
    return partial(corpus_bleu, references, [text.split() for text in captions.systems["S1"]])


def coco_caption(captions: Captions) -> Call:
    from pycocoevalcap.bleu.bleu import Bleu

    references = {image: list(texts) for image, texts in enumerate(captions.references)}
    candidates = {image: [text] for image, text in enumerate(captions.systems["S1"])}
    return lambda: Bleu().compute_score(references, candidates, verbose=0)


def bleuscore(captions: Captions) -> Call:
    import bleuscore

    references = [list(texts) for texts in captions.references]
    return partial(bleuscore.compute, references, list(captions.systems["S1"]))


def sacrebleu(captions: Captions) -> Call:
    return partial(theirs, captions)


# Package -> what is called, and how it is called with a system's captions.
TOOLS = {
    "nltk": ("`corpus_bleu`, of tokens", nltk),
    "pycocoevalcap": ("`Bleu().compute_score`, split at spaces", coco_caption),
    "bleuscore": ("`compute`, 13a", bleuscore),
    "sacrebleu": ("`BLEU().corpus_score`, 13a", sacrebleu),
}


def installed(package: str) -> str | None:
    """The version of a package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def measured(images: int, repeats: int) -> dict[str, float]:
    """The median seconds of the grid and of each tool's call, which take turns."""
    captions, cells = coco_like(images), configurations(GRID)
    calls: dict[str, Call] = {"manybleus": partial(ours, captions, cells)}
    calls |= {name: make(captions) for name, (_, make) in TOOLS.items() if installed(name)}
    rounds = [{name: seconds(call) for name, call in calls.items()} for _ in range(repeats)]
    return {name: median(one[name] for one in rounds) for name in calls}


def main() -> None:
    cells = len(configurations(GRID))
    found = {images: measured(images, repeats) for images, repeats in SIZES.items()}
    rows = {"manybleus": (version("manybleus"), f"the grid: {cells:,} configurations x 3 systems")}
    rows |= {name: (installed(name), f"one configuration, one system: {what}") for name, (what, _) in TOOLS.items()}
    heads = [f"{images:,} images, s" for images in SIZES] + [f"grid / call, {images:,}" for images in SIZES]
    print(f"| tool | what it does | {' | '.join(heads)} |")
    print(f"| :-- | :-- |{' --: |' * len(heads)}")
    for name, (its_version, what) in rows.items():
        if its_version is None:
            print(f"| {name} | not installed: `pip install {name}` |{' |' * len(heads)}")
            continue
        times = [f"{found[images][name]:.3f}" for images in SIZES]
        ratios = [f"{found[images]['manybleus'] / found[images][name]:.2f}" for images in SIZES]
        print(f"| {name} {its_version} | {what} | {' | '.join(times + ratios)} |")
    print(f"\n{platform.system()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")


if __name__ == "__main__":
    main()

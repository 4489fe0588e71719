"""The study's checks, which must hold: data, punctuation rules, captioners, the implementation against NLTK, guards."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import Statistics, bleu, corpus_bleu, sentence_statistics
from manybleus.bleu.tokens import tokenize
from manybleus.captions import Captions
from manybleus.replication import peers
from manybleus.shapes.captioners import read_things
from manybleus.shapes.scenes import Pixels, Scene, overlap

Value = int | float | bool | str

MAX_ORDER = 4
READS = {
    "S1": re.compile(r"A (\w+) (\w+) (to the left of|above) a (\w+) (\w+)\."),
    "S2": re.compile(r"a (\w+) (shape) (to the left of|above) a (\w+) (shape)"),
}


def data_checks(scenes: Sequence[Scene], pictures: Sequence[Pixels], captions: Captions) -> dict[str, Value]:
    """No overlapping objects, distinct references, two objects read in each picture."""
    read = Counter(len(read_things(pixels)) for pixels in pictures)
    return {
        "data-images": len(captions.image_ids),
        "data-overlap": sum(map(overlap, scenes)),
        "data-distinct-references": min(len(set(texts)) for texts in captions.references),
        "data-objects-read": str(dict(sorted(read.items()))),
    }


def punctuation_checks(captions: Captions) -> dict[str, Value]:
    """Tokens of all references and captions that hold punctuation: any under *removed*, attached under *kept*."""
    texts = [text for texts in (*captions.references, *captions.systems.values()) for text in texts]
    return {
        "punct-removed": sum(bool(re.search(r"[^\w\s]", token)) for token in _all_tokens(texts, "removed")),
        "punct-kept": sum(
            bool(re.search(r"\w", token) and re.search(r"[^\w\s]", token)) for token in _all_tokens(texts, "kept")
        ),
    }


def reading_checks(scenes: Sequence[Scene], captions: Captions) -> dict[str, Value]:
    """Scenes whose colours, relation and (S1) shapes a captioner names right, by its caption and the ground truth."""
    return {
        f"reading-{system.lower()}": sum(
            _says(READS[system], text) == _truth(scene, shapes=system == "S1")
            for scene, text in zip(scenes, captions.systems[system], strict=True)
        )
        for system in READS
        if system in captions.systems
    }


def _says(pattern: re.Pattern[str], text: str) -> tuple[str, ...] | None:
    found = pattern.fullmatch(text)
    return found.groups() if found else None


def _truth(scene: Scene, shapes: bool) -> tuple[str, ...]:
    first, second = scene.first, scene.second
    if scene.relation in ("right", "below"):
        first, second = second, first
    phrase = "to the left of" if scene.relation in ("left", "right") else "above"
    a, b = (first.shape, second.shape) if shapes else ("shape", "shape")
    return first.colour, a, phrase, second.colour, b


def _all_tokens(texts: Sequence[str], tokenizer: str) -> Iterator[str]:
    return (token for text in texts for token in tokenize(text, "cased", tokenizer))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One corpus score beside NLTK's: ours, ours with NLTK's floor t_n >= 1 per sentence, theirs."""

    short: bool
    ours: float
    floored: float
    theirs: float


def nltk_corpus_comparisons(captions: Captions, reference_counts: Sequence[int]) -> list[Comparison]:
    """Compare corpus BLEU with NLTK's: reference counts x cases x punctuation rules x systems x smoothings."""
    comparisons = []
    for case, tokenizer, system in product(("lower", "cased"), ("split", "kept", "removed"), captions.systems):
        candidates = [tokenize(text, case, tokenizer) for text in captions.systems[system]]
        tokens = [[tokenize(text, case, tokenizer) for text in texts] for texts in captions.references]
        short = any(len(candidate) < MAX_ORDER for candidate in candidates)
        for count in reference_counts:
            references = [texts[:count] for texts in tokens]
            counted = [
                sentence_statistics(candidate, texts, "closest", MAX_ORDER)
                for candidate, texts in zip(candidates, references, strict=True)
            ]
            floored = [replace(each, totals=tuple(max(t, 1) for t in each.totals)) for each in counted]
            comparisons += [
                Comparison(
                    short,
                    corpus_bleu(counted, smoothing),
                    corpus_bleu(floored, smoothing),
                    peers.nltk_corpus(references, candidates, smoothing),
                )
                for smoothing in peers.NLTK_METHODS
            ]
    return comparisons


def nltk_corpus_checks(captions: Captions, reference_counts: Sequence[int]) -> dict[str, Value]:
    """Largest differences from NLTK, apart where a candidate is shorter than four tokens."""
    comparisons = nltk_corpus_comparisons(captions, reference_counts)
    short = [abs(c.ours - c.theirs) for c in comparisons if c.short]
    return {
        "nltk-corpus": max((abs(c.ours - c.theirs) for c in comparisons if not c.short), default=0.0),
        "nltk-short-cases": len(short),
        "nltk-short": max(short, default=0.0),
        "nltk-short-floored": max(abs(c.floored - c.theirs) for c in comparisons),
    }


@dataclass(frozen=True, slots=True)
class BaselineSentence:
    """One candidate under the baseline: its tokens, its references' and its statistics."""

    candidate: list[str]
    references: list[list[str]]
    statistics: Statistics


def baseline_sentences(captions: Captions, baseline: Configuration) -> dict[str, list[BaselineSentence]]:
    """Tokenize and count every sentence of every system under the baseline."""
    count = None if baseline.references == "all" else baseline.references
    scheme = (baseline.case, baseline.tokenizer)
    references = [[tokenize(text, *scheme) for text in texts[:count]] for texts in captions.references]
    sentences = {}
    for system, texts in captions.systems.items():
        candidates = [tokenize(text, *scheme) for text in texts]
        sentences[system] = [
            BaselineSentence(c, r, sentence_statistics(c, r, baseline.reference_length, baseline.max_order))
            for c, r in zip(candidates, references, strict=True)
        ]
    return sentences


def nltk_sentence_checks(sentences: dict[str, list[BaselineSentence]]) -> dict[str, Value]:
    """Largest difference from NLTK over every sentence of the baseline and three smoothings."""
    return {
        "nltk-sentence": max(
            abs(bleu(each.statistics, smoothing) - peers.nltk_sentence(each.references, each.candidate, smoothing))
            for smoothing in peers.NLTK_METHODS
            for of_system in sentences.values()
            for each in of_system
        )
    }


def guard_checks(sentences: dict[str, list[BaselineSentence]]) -> dict[str, Value]:
    """coco-caption's guards against no smoothing: corpus scores, and the sentences that score exactly 0."""
    relative = []
    zero = []
    for of_system in sentences.values():
        counted = [each.statistics for each in of_system]
        plain, guarded = corpus_bleu(counted, "none"), corpus_bleu(counted, "coco")
        if plain:
            relative.append(abs(guarded - plain) / plain)
        zero += [bleu(each, "coco") for each in counted if bleu(each, "none") == 0]
    return {
        "coco-corpus": max(relative, default=0.0),
        "coco-zero-sentences": len(zero),
        "coco-zero-max": max(zero, default=0.0),
    }


def length_checks(sentences: dict[str, list[BaselineSentence]]) -> dict[str, Value]:
    """How G games its length, in the baseline's tokens: its truncated captions, the shortest reference, the padding."""
    s1, gaming = sentences["S1"], sentences["G"]
    truncated = {len(each.candidate) for each in gaming[::2]}
    padding = {len(g.candidate) - len(full.candidate) for g, full in zip(gaming[1::2], s1[1::2], strict=True)}
    return {
        "g-truncated-tokens": ", ".join(map(str, sorted(truncated))),
        "references-min-tokens": min(len(tokens) for each in s1 for tokens in each.references),
        "g-padding-words": ", ".join(map(str, sorted(padding))),
    }

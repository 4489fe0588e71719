"""The study's checks, which must hold: data, punctuation rules, captioners, the implementation against NLTK, guards."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import Formula, Statistics, bleu, corpus_bleu, sentence_statistics
from manybleus.bleu.statistics import caption_statistics, effective_reference_lengths
from manybleus.bleu.tokens import tokenize
from manybleus.captions import Captions
from manybleus.replication import peers
from manybleus.shapes.captioners import read_things
from manybleus.shapes.scenes import Pixels, Scene, overlap

Value = int | float | bool | str
AskNltk = Callable[[Sequence[Sequence[peers.Tokens]], Sequence[peers.Tokens], str], float]

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


def nltk_corpus_comparisons(captions: Captions, reference_counts: Sequence[int], ask: AskNltk) -> list[Comparison]:
    """Compare corpus BLEU with NLTK's: reference counts x cases x punctuation rules x systems x smoothings."""
    schemes = list(product(("lower", "cased"), ("split", "kept", "removed")))
    counted = caption_statistics(captions, schemes, reference_counts, MAX_ORDER)
    comparisons = []
    for scheme in schemes:
        tokens = [[tokenize(text, *scheme) for text in texts] for texts in captions.references]
        of_scheme = counted.schemes[scheme]
        totals = of_scheme.totals(MAX_ORDER)
        for count, (place, system) in product(reference_counts, enumerate(captions.systems)):
            candidates = [tokenize(text, *scheme) for text in captions.systems[system]]
            references = [texts[:count] for texts in tokens]
            lengths = of_scheme.candidate_lengths[place]
            r, _ = effective_reference_lengths(lengths[None], of_scheme.reference_lengths[:, :count], "closest")
            matches = of_scheme.matches[place, counted.place_of(count)].sum(axis=0).tolist()
            exact, floored = (t.sum(axis=0).tolist() for t in (totals[place], np.maximum(totals[place], 1)))
            c, r_of_corpus = int(lengths.sum()), float(r.sum())
            comparisons += [
                Comparison(
                    bool(lengths.min() < MAX_ORDER),
                    Formula(smoothing).score(matches, exact, c, r_of_corpus),
                    Formula(smoothing).score(matches, floored, c, r_of_corpus),
                    ask(references, candidates, smoothing),
                )
                for smoothing in peers.STUDY_SMOOTHINGS
            ]
    return comparisons


def nltk_corpus_checks(captions: Captions, reference_counts: Sequence[int], ask: AskNltk) -> dict[str, Value]:
    """Largest differences from NLTK, apart where a candidate is shorter than four tokens."""
    comparisons = nltk_corpus_comparisons(captions, reference_counts, ask)
    short = [abs(c.ours - c.theirs) for c in comparisons if c.short]
    return {
        "nltk-corpus": max((abs(c.ours - c.theirs) for c in comparisons if not c.short), default=0.0),
        "nltk-short-cases": len(short),
        "nltk-short": max(short, default=0.0),
        "nltk-short-floored": max((abs(c.floored - c.theirs) for c in comparisons), default=0.0),
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


def nltk_sentence_checks(sentences: dict[str, list[BaselineSentence]], ask: AskNltk) -> dict[str, Value]:
    """Largest difference from NLTK over every sentence of the baseline and three smoothings."""
    return {
        "nltk-sentence": max(
            abs(bleu(each.statistics, Formula(smoothing)) - ask([each.references], [each.candidate], smoothing))
            for smoothing in peers.STUDY_SMOOTHINGS
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
        plain, guarded = corpus_bleu(counted), corpus_bleu(counted, Formula("coco"))
        if plain:
            relative.append(abs(guarded - plain) / plain)
        zero += [bleu(each, Formula("coco")) for each in counted if bleu(each) == 0]
    return {
        "coco-corpus": max(relative, default=0.0),
        "coco-zero-sentences": len(zero),
        "coco-zero-max": max(zero, default=0.0),
    }


def length_checks(sentences: dict[str, list[BaselineSentence]]) -> dict[str, Value]:
    """How G games its length, in the baseline's tokens: its truncated captions, the shortest reference, the padding."""
    if not {"S1", "G"} <= sentences.keys():
        return {}
    s1, gaming = sentences["S1"], sentences["G"]
    truncated = {len(each.candidate) for each in gaming[::2]}
    padding = {len(g.candidate) - len(full.candidate) for g, full in zip(gaming[1::2], s1[1::2], strict=True)}
    return {
        "g-truncated-tokens": ", ".join(map(str, sorted(truncated))),
        "references-min-tokens": min(len(tokens) for each in s1 for tokens in each.references),
        "g-padding-words": ", ".join(map(str, sorted(padding))),
    }


def run_checks(
    scenes: Sequence[Scene],
    pictures: Sequence[Pixels],
    captions: Captions,
    baseline: Configuration,
    reference_counts: Sequence[int],
    ask: AskNltk = peers.nltk_corpus,
) -> dict[str, Value]:
    """Run every check of a study of scenes.

    Parameters
    ----------
    scenes, pictures, captions
        The ground truth, what was read back from disk, and what was said.
    baseline
        The study's baseline; NLTK is compared under its own length rule, closest, and BLEU-4.
    reference_counts
        The numbers of references of the comparison with NLTK at corpus level.
    ask
        NLTK's corpus score of references and candidates under a smoothing.

    Returns
    -------
    dict
        Check id -> value.
    """
    sentences = baseline_sentences(captions, replace(baseline, reference_length="closest", max_order=MAX_ORDER))
    return {
        **data_checks(scenes, pictures, captions),
        **punctuation_checks(captions),
        **reading_checks(scenes, captions),
        **nltk_corpus_checks(captions, reference_counts, ask),
        **nltk_sentence_checks(sentences, ask),
        **guard_checks(baseline_sentences(captions, baseline)),
        **length_checks(sentences),
    }


# What a check says, and the condition that must hold whatever was drawn; None where the value is only told.
CHECKS: Mapping[str, tuple[str, Callable[[Value, int], bool] | None]] = {
    "data-images": ("number of images", lambda value, images: value == images),
    "data-overlap": ("pixels shared by two objects of one scene, over all scenes", lambda value, _: value == 0),
    "data-distinct-references": ("smallest number of distinct references of an image", lambda value, _: value == 8),
    "data-objects-read": (
        "objects read per image, with the number of images",
        lambda value, images: value == f"{{2: {images}}}",
    ),
    "punct-removed": ("tokens that still hold punctuation under removed", lambda value, _: value == 0),
    "punct-kept": ("tokens with punctuation attached under kept", lambda value, _: float(value) > 0),
    "reading-s1": ("scenes whose colours, shapes and relation S1 reads right", lambda value, images: value == images),
    "reading-s2": ("scenes whose colours and relation S2 reads right", lambda value, images: value == images),
    "nltk-corpus": (
        "largest difference from NLTK at corpus level, no candidate under 4 tokens",
        lambda value, _: float(value) <= 1e-12,
    ),
    "nltk-short-cases": ("corpus comparisons in which a candidate is under 4 tokens", None),
    "nltk-short": ("largest difference from NLTK in those", None),
    "nltk-short-floored": (
        "largest difference from NLTK with its per-sentence floor of 1 on the totals, over all comparisons",
        lambda value, _: float(value) <= 1e-12,
    ),
    "nltk-sentence": (
        "largest difference from NLTK over every baseline sentence",
        lambda value, _: float(value) <= 1e-12,
    ),
    "coco-corpus": ("largest relative difference of guarded and unsmoothed corpus scores", None),
    "coco-zero-sentences": ("baseline sentences that score exactly 0 unsmoothed", None),
    "coco-zero-max": ("largest guarded score among them", None),
    "g-truncated-tokens": ("tokens in each of G's truncated captions", None),
    "references-min-tokens": ("tokens in the shortest reference", None),
    "g-padding-words": ("words that G appends to S1's caption on odd images", None),
    "determinism": (
        "the study computed once more from its seed: every table and the printed output come out identical",
        lambda value, _: value is True,
    ),
    "runtime": ("the study's computation takes under a minute", None),
}


def check_table(values: Mapping[str, Value], images: int) -> pd.DataFrame:
    """Lay out checks: ``check``, ``what``, ``value``, ``holds`` (True, False, or nothing where it is only told)."""
    lines = []
    for check, value in values.items():
        what, condition = CHECKS[check]
        holds = None if condition is None else bool(condition(value, images))
        lines.append({"check": check, "what": what, "value": value, "holds": holds})
    return pd.DataFrame(lines)

"""Other tools' BLEU, called as they are: the independent peers. No other module imports them for scores."""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any

from manybleus.bleu.configuration import Configuration

Tokens = Sequence[str]

NLTK_METHODS = {
    "none": "method0",
    "add-1": "method2",
    "exp": "method3",
    "chen-cherry-1": "method1",
    "chen-cherry-2": "method2",
    "chen-cherry-3": "method3",
}
# The smoothings of the study that it compares with NLTK.
STUDY_SMOOTHINGS = ("none", "add-1", "exp")
_SACREBLEU_TOKENIZERS = ("13a", "intl", "char", "zh")


class PeerMissingError(Exception):
    """A tool that is not installed; the text names it."""


@dataclass(frozen=True, eq=False)
class Segments:
    """What a cell scores: texts and their tokens, of one system; references by candidate.

    ``counted`` keeps what was counted of them, for the cells that differ in the formula alone, and ``told`` what a tool
    keeps of the references alone, for several systems.
    """

    candidates: Sequence[str]
    references: Sequence[Sequence[str]]
    candidate_tokens: Sequence[Tokens]
    reference_tokens: Sequence[Sequence[Tokens]]
    counted: dict[object, Any] = field(default_factory=dict, repr=False)
    told: dict[object, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Peer:
    """A tool: its package, which cells it can express, and its scores of a cell, corpus or one per sentence, 0-1."""

    name: str
    package: str
    expresses: Callable[[Configuration], bool]
    corpus: Callable[[Configuration, Segments], float]
    sentences: Callable[[Configuration, Segments], list[float]]


# ----------------------------------------------------------------------------------------------------------------- NLTK


def nltk_corpus(
    references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens], smoothing: str, max_order: int = 4
) -> float:
    """Return NLTK's corpus BLEU, 0-1, under the method that ``NLTK_METHODS`` names for a smoothing."""
    return nltk_by_method(references, candidates, NLTK_METHODS[smoothing], max_order)


def nltk_by_method(
    references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens], method: str, max_order: int = 4
) -> float:
    """Return NLTK's corpus BLEU, 0-1, under a method of its ``SmoothingFunction``."""
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    smoothing = getattr(SmoothingFunction(), method)
    weights = (1 / max_order,) * max_order
    with warnings.catch_warnings():
        # NLTK warns of orders without a match; its value is what is compared.
        warnings.simplefilter("ignore", UserWarning)
        return float(corpus_bleu(references, candidates, weights=weights, smoothing_function=smoothing))


def nltk_sentence(references: Sequence[Tokens], candidate: Tokens, smoothing: str, max_order: int = 4) -> float:
    """Return NLTK's sentence BLEU, 0-1: in NLTK, too, a corpus of one sentence."""
    return nltk_corpus([references], [candidate], smoothing, max_order)


def _nltk_expresses(cell: Configuration) -> bool:
    return cell.reference_length == "closest" and cell.smoothing in NLTK_METHODS and _is_plain(cell)


@contextmanager
def _nltk_counts_once(counted: dict[object, Any]) -> Iterator[None]:
    """Let NLTK's corpus BLEU ask NLTK's own count of a sentence's matches once for the same lists and order."""
    from nltk.translate import bleu_score

    count = bleu_score.modified_precision

    def count_once(references: Sequence[Tokens], candidate: Tokens, order: int) -> Any:
        key = "NLTK", id(references), id(candidate), order
        if key not in counted:
            counted[key] = count(references, candidate, order)
        return counted[key]

    bleu_score.modified_precision = count_once
    try:
        yield
    finally:
        bleu_score.modified_precision = count


def _nltk_corpus_of(cell: Configuration, segments: Segments) -> float:
    with _nltk_counts_once(segments.counted):
        return nltk_corpus(segments.reference_tokens, segments.candidate_tokens, cell.smoothing, cell.max_order)


def _nltk_sentences_of(cell: Configuration, segments: Segments) -> list[float]:
    pairs = zip(segments.reference_tokens, segments.candidate_tokens, strict=True)
    with _nltk_counts_once(segments.counted):
        return [nltk_sentence(references, said, cell.smoothing, cell.max_order) for references, said in pairs]


NLTK = Peer("NLTK", "nltk", _nltk_expresses, _nltk_corpus_of, _nltk_sentences_of)


def nltk_corpus_counted_once() -> Callable[[Sequence[Sequence[Tokens]], Sequence[Tokens], str], float]:
    """Return a form of ``nltk_corpus`` in which NLTK counts once while the same lists are asked about."""
    asked: tuple[object, object] = (None, None)
    counted: dict[object, Any] = {}

    def ask(references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens], smoothing: str) -> float:
        nonlocal asked
        if asked[0] is not references or asked[1] is not candidates:
            asked = references, candidates
            counted.clear()
        with _nltk_counts_once(counted):
            return nltk_corpus(references, candidates, smoothing)

    return ask


def remembered(ask: Callable[..., float]) -> Callable[..., float]:
    """Wrap a peer so that it is asked once for equal input."""
    answers: dict[bytes, float] = {}

    def answer(*question: object) -> float:
        key = hashlib.sha256(repr(question).encode()).digest()
        if key not in answers:
            answers[key] = ask(*question)
        return answers[key]

    return answer


# ------------------------------------------------------------------------------------------------------------ sacreBLEU


def sacrebleu_corpus(references: Sequence[Sequence[str]], candidates: Sequence[str], **options: Any) -> float:
    """Return sacreBLEU's corpus BLEU, 0-100, of texts: each candidate's references are given together.

    ``options`` are those of ``sacrebleu.metrics.BLEU``.
    """
    from sacrebleu.metrics.bleu import BLEU

    # None is sacreBLEU's missing reference, though its type says otherwise.
    streams: Any = [list(stream) for stream in zip_longest(*references)]
    return float(BLEU(**options).corpus_score(list(candidates), streams).score)


def sacrebleu_options(cell: Configuration) -> dict[str, Any] | None:
    """Return the options of sacreBLEU that express a cell, or None where none do."""
    method = {"none": "none", "exp": "exp", "add-1": "add-k(1)", "chen-cherry-2": "add-k(1)"}.get(
        cell.smoothing, cell.smoothing
    )
    name, _, number = method.rstrip(")").partition("(")
    if name not in ("none", "exp", "floor", "add-k") or cell.reference_length != "closest":
        return None
    if cell.aggregation not in ("corpus", "mean-sentence") or cell.weights != "uniform" or not cell.brevity_penalty:
        return None
    own = cell.tokenizer in _SACREBLEU_TOKENIZERS
    return {
        "smooth_method": name,
        "smooth_value": float(number) if number else None,
        "max_ngram_order": cell.max_order,
        "effective_order": cell.effective_order,
        "tokenize": cell.tokenizer if own else "none",
        "lowercase": own and cell.case == "lower",
        "force": True,
    }


def sacrebleu_signature(**options: Any) -> str:
    """Return the signature that sacreBLEU prints beside a score with one reference."""
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(**options)
    metric.corpus_score(["a b c d"], [["a b c d"]])
    return str(metric.get_signature())


def sacrebleu_signature_of(cell: Configuration, reference_counts: Sequence[int]) -> str | None:
    """Return sacreBLEU's signature of a cell, or None where sacreBLEU cannot express it.

    Its tokenizer ``none`` splits at white space, as ``kept`` does. Its signature does not name the largest order, so
    that only BLEU-4 has one.

    Parameters
    ----------
    cell
        The configuration.
    reference_counts
        How many references each image has.
    """
    from sacrebleu.metrics.bleu import BLEU

    options = sacrebleu_options(cell)
    if options is None or cell.tokenizer not in (*_SACREBLEU_TOKENIZERS, "kept"):
        return None
    if cell.aggregation != "corpus" or cell.max_order != BLEU().max_ngram_order:
        return None
    metric = BLEU(**(options | {"lowercase": cell.case == "lower"}))
    used = {count if cell.references == "all" else min(count, cell.references) for count in reference_counts}
    metric.num_refs = used.pop() if len(used) == 1 else -1
    return str(metric.get_signature())


def sacrebleu_tokens(text: str, tokenizer: str) -> str:
    """Return a text as a tokenizer of sacreBLEU leaves it, tokens parted by spaces."""
    from sacrebleu.metrics.bleu import BLEU

    return str(BLEU(tokenize=tokenizer).tokenizer(text))


def _sacrebleu_scores(cell: Configuration, segments: Segments) -> tuple[float, list[float]]:
    """sacreBLEU's BLEU of the corpus and of each sentence, from its statistics, which it counts once."""
    import numpy as np
    from sacrebleu.metrics.bleu import BLEU

    options = sacrebleu_options(cell) or {}
    metric = BLEU(**options)
    counting = options["tokenize"], options["lowercase"], cell.max_order
    own = options["tokenize"] != "none"
    if counting not in segments.told:
        references = segments.references if own else _joined_references(segments)
        streams: Any = [list(stream) for stream in zip_longest(*references)]
        segments.told[counting] = BLEU(**options, references=streams)
    if counting not in segments.counted:
        candidates = list(segments.candidates) if own else _joined_candidates(segments)
        segments.counted[counting] = segments.told[counting]._extract_corpus_statistics(candidates, None)
    counted = segments.counted[counting]
    sentences = [metric._compute_score_from_stats(list(each)).score / 100 for each in counted]
    corpus = metric._compute_score_from_stats(np.sum(counted, axis=0).tolist()).score / 100
    return float(corpus), sentences


def _joined_references(segments: Segments) -> list[list[str]]:
    """Texts whose tokens stand parted by spaces, for tools that split there."""
    return [list(map(" ".join, texts)) for texts in segments.reference_tokens]


def _joined_candidates(segments: Segments) -> list[str]:
    return list(map(" ".join, segments.candidate_tokens))


SACREBLEU = Peer(
    "sacreBLEU",
    "sacrebleu",
    lambda cell: sacrebleu_options(cell) is not None,
    lambda cell, segments: _sacrebleu_scores(cell, segments)[0],
    lambda cell, segments: _sacrebleu_scores(cell, segments)[1],
)


# --------------------------------------------------------------------------------------------------------- coco-caption


def coco_scores(
    references: Sequence[Sequence[str]], candidates: Sequence[str], option: str | None = "closest"
) -> tuple[list[float], list[list[float]]]:
    """Return coco-caption's BLEU-1..4 of texts that are split at spaces, 0-1: of the corpus, and of each text.

    Raises
    ------
    PeerMissingError
        If pycocoevalcap is not installed.
    """
    return _coco_answer(_coco_told(references).retest(list(candidates)), option)


def _coco_told(references: Sequence[Sequence[str]]) -> Any:
    """coco-caption's scorer with the counts of these references.

    Raises
    ------
    PeerMissingError
        If pycocoevalcap is not installed.
    """
    if find_spec("pycocoevalcap") is None:
        raise PeerMissingError("pycocoevalcap")
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    scorer = BleuScorer()
    for texts in references:
        scorer += (None, list(texts))
    return scorer


def _coco_answer(scorer: Any, option: str | None) -> tuple[list[float], list[list[float]]]:
    # Asked a second time, compute_score gives the first answer again, whatever the option.
    corpus, sentences = scorer.recompute_score(option=option)
    return [float(score) for score in corpus], [list(map(float, scores)) for scores in sentences]


def coco_corpus(
    references: Sequence[Sequence[str]], candidates: Sequence[str], option: str | None = "closest"
) -> list[float]:
    """Return coco-caption's BLEU-1..4 of a corpus; see ``coco_scores``."""
    return coco_scores(references, candidates, option)[0]


def _coco_expresses(cell: Configuration) -> bool:
    rules = ("closest", "shortest", "average")
    # Its scorer counts four orders at the most.
    countable = cell.max_order <= 4
    return countable and cell.smoothing == "coco" and cell.reference_length in rules and _is_plain(cell)


def _is_plain(cell: Configuration) -> bool:
    plain = cell.weights == "uniform" and cell.brevity_penalty and not cell.effective_order
    return plain and cell.aggregation in ("corpus", "mean-sentence")


def _coco_scores(cell: Configuration, segments: Segments) -> tuple[float, list[float]]:
    if COCO.name not in segments.told:
        segments.told[COCO.name] = _coco_told(_joined_references(segments))
    if COCO.name not in segments.counted:
        segments.counted[COCO.name] = segments.told[COCO.name].copy().retest(_joined_candidates(segments))
    corpus, sentences = _coco_answer(segments.counted[COCO.name], cell.reference_length)
    # BLEU-N is the N-th of its answers.
    return corpus[cell.max_order - 1], sentences[cell.max_order - 1]


COCO = Peer(
    "coco-caption",
    "pycocoevalcap",
    _coco_expresses,
    lambda cell, segments: _coco_scores(cell, segments)[0],
    lambda cell, segments: _coco_scores(cell, segments)[1],
)

PEERS = (NLTK, SACREBLEU, COCO)

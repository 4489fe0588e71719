"""Other tools' BLEU, called as they are: the independent peers. No other module imports them for scores."""

import hashlib
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

Tokens = Sequence[str]

NLTK_METHODS = {"none": "method0", "add-1": "method2", "exp": "method3"}


class PeerMissingError(Exception):
    """A tool that is not installed; the text names it."""


def nltk_corpus(references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens], smoothing: str) -> float:
    """Return NLTK's corpus BLEU-4, 0-1, under the method that ``NLTK_METHODS`` names for a smoothing."""
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    method = getattr(SmoothingFunction(), NLTK_METHODS[smoothing])
    with warnings.catch_warnings():
        # NLTK warns of orders without a match; its value is what is compared.
        warnings.simplefilter("ignore", UserWarning)
        return float(corpus_bleu(references, candidates, smoothing_function=method))


def nltk_sentence(references: Sequence[Tokens], candidate: Tokens, smoothing: str) -> float:
    """Return NLTK's sentence BLEU-4, 0-1: in NLTK, too, a corpus of one sentence."""
    return nltk_corpus([references], [candidate], smoothing)


def remembered(ask: Callable[..., float]) -> Callable[..., float]:
    """Wrap a peer so that it is asked once for equal input."""
    answers: dict[bytes, float] = {}

    def answer(*question: object) -> float:
        key = hashlib.sha256(repr(question).encode()).digest()
        if key not in answers:
            answers[key] = ask(*question)
        return answers[key]

    return answer


def sacrebleu_corpus(
    references: Sequence[Sequence[str]], candidates: Sequence[str], effective_order: bool = False, **options: Any
) -> float:
    """Return sacreBLEU's corpus BLEU, 0-100, of texts: each candidate's references are given together.

    Missing references of a shorter list count as absent. ``options`` are those of ``sacrebleu.metrics.BLEU``.
    """
    from sacrebleu.metrics.bleu import BLEU

    most = max(map(len, references))
    # None is sacreBLEU's missing reference, though its type says otherwise.
    streams: Any = [[texts[k] if k < len(texts) else None for texts in references] for k in range(most)]
    return float(BLEU(effective_order=effective_order, **options).corpus_score(list(candidates), streams).score)


def sacrebleu_signature(**options: Any) -> str:
    """Return the signature that sacreBLEU prints beside a score with one reference."""
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(**options)
    metric.corpus_score(["a b c d"], [["a b c d"]])
    return str(metric.get_signature())


def sacrebleu_tokens(text: str, tokenizer: str) -> str:
    """Return a text as a tokenizer of sacreBLEU leaves it, tokens parted by spaces."""
    from sacrebleu.metrics.bleu import BLEU

    return str(BLEU(tokenize=tokenizer).tokenizer(text))


def coco_corpus(
    references: Sequence[Sequence[str]], candidates: Sequence[str], option: str | None = "closest"
) -> list[float]:
    """Return coco-caption's BLEU-1..4, 0-1, of texts that are split at spaces.

    Raises
    ------
    PeerMissingError
        If pycocoevalcap is not installed.
    """
    if find_spec("pycocoevalcap") is None:
        raise PeerMissingError("pycocoevalcap")
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    scorer = BleuScorer(n=4)
    for texts, candidate in zip(references, candidates, strict=True):
        scorer += (candidate, list(texts))
    scores, _ = scorer.compute_score(option=option)
    return [float(score) for score in scores]

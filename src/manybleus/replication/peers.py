"""Other tools' BLEU, called as they are: the independent peers. No other module imports them for scores."""

from collections.abc import Sequence

from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

Tokens = Sequence[str]

NLTK_METHODS = {"none": "method0", "add-1": "method2", "exp": "method3"}


def nltk_corpus(references: Sequence[Sequence[Tokens]], candidates: Sequence[Tokens], smoothing: str) -> float:
    """Return NLTK's corpus BLEU-4, 0-1, under the method that ``NLTK_METHODS`` names for a smoothing."""
    return float(corpus_bleu(references, candidates, smoothing_function=_method(smoothing)))


def nltk_sentence(references: Sequence[Tokens], candidate: Tokens, smoothing: str) -> float:
    """Return NLTK's sentence BLEU-4, 0-1, under the method that ``NLTK_METHODS`` names for a smoothing."""
    return float(sentence_bleu(references, candidate, smoothing_function=_method(smoothing)))


def _method(smoothing: str) -> object:
    return getattr(SmoothingFunction(), NLTK_METHODS[smoothing])

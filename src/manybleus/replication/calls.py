"""How to ask another tool for a configuration's score: the call as one would type it, and sacreBLEU's signature."""

from collections.abc import Sequence
from typing import NamedTuple

from manybleus.bleu.configuration import Configuration
from manybleus.replication.peers import COCO, NLTK, NLTK_METHODS, SACREBLEU, sacrebleu_options, sacrebleu_signature_of

# What sacreBLEU's options are where a call does not name them; ``force`` only silences a warning.
_SACREBLEU_DEFAULTS = {
    "tokenize": "13a",
    "lowercase": False,
    "smooth_method": "exp",
    "smooth_value": None,
    "max_ngram_order": 4,
    "effective_order": False,
    "force": True,
}


class Call(NamedTuple):
    """A call of a tool.

    Attributes
    ----------
    tool
        Its name in ``peers.PEERS``.
    code
        An expression in Python whose value is the score, 0-1, of ``candidates`` and ``references``: for each candidate,
        the configuration's references.
    given
        What the texts are given as.
    signature
        What sacreBLEU prints beside the score of the untouched texts; empty where its signature cannot tell the cell.
    """

    tool: str
    code: str
    given: str
    signature: str = ""


def peer_calls(cell: Configuration, reference_counts: Sequence[int]) -> list[Call]:
    """Return a call for each tool that can express a configuration.

    Parameters
    ----------
    cell
        The configuration.
    reference_counts
        How many references each image has.
    """
    calls = []
    if NLTK.expresses(cell):
        calls.append(Call(NLTK.name, _nltk_code(cell), "lists of tokens"))
    if SACREBLEU.expresses(cell):
        signature = sacrebleu_signature_of(cell, reference_counts) or ""
        own = (sacrebleu_options(cell) or {})["tokenize"] != "none"
        given = "texts" if own else "texts in which a space parts the tokens"
        calls.append(Call(SACREBLEU.name, _sacrebleu_code(cell), given, signature))
    if COCO.expresses(cell):
        calls.append(Call(COCO.name, _coco_code(cell), "texts in which a space parts the tokens"))
    return calls


def _nltk_code(cell: Configuration) -> str:
    n, method = cell.max_order, NLTK_METHODS[cell.smoothing]
    options = f"weights=(1 / {n},) * {n}, smoothing_function=SmoothingFunction().{method}"
    if cell.aggregation == "corpus":
        return f"corpus_bleu(references, candidates, {options})"
    return f"mean(sentence_bleu(of_one, one, {options}) for of_one, one in zip(references, candidates))"


def _sacrebleu_code(cell: Configuration) -> str:
    options = sacrebleu_options(cell) or {}
    told = ", ".join(
        f"{name}={options[name]!r}" for name, usual in _SACREBLEU_DEFAULTS.items() if options[name] != usual
    )
    if cell.aggregation == "corpus":
        return f"BLEU({told}).corpus_score(candidates, list(zip_longest(*references))).score / 100"
    each = f"BLEU({told}).sentence_score(one, of_one).score / 100"
    return f"mean({each} for of_one, one in zip(references, candidates))"


def _coco_code(cell: Configuration) -> str:
    told = "reduce(iadd, zip(candidates, references), BleuScorer())"
    scored = f'{told}.compute_score(option="{cell.reference_length}")'
    place = cell.max_order - 1
    return f"{scored}[0][{place}]" if cell.aggregation == "corpus" else f"mean({scored}[1][{place}])"

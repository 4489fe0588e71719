"""Words for what the results name by a key, and numbers put into words."""

import base64
import re
from collections.abc import Sequence

from manybleus.config_own import row_name

# More systems than this are no longer shown side by side with their whole ranking.
MANY_SYSTEMS = 8
# Rankings that are told in a sentence and have columns of their own; of more, the most frequent are listed.
FEW_RANKINGS = 4

_UNBROKEN = 24

AXIS_WORDS = {
    "references": "number of references",
    "reference_length": "effective reference length",
    "case": "case",
    "tokenizer": "tokenizer",
    "smoothing": "smoothing",
    "aggregation": "aggregation",
    "max_order": "largest n-gram order N",
}

_OPTION_WORDS = {
    ("reference_length", "closest"): "the reference length closest to the candidate's; a tie goes to the shorter",
    ("reference_length", "shortest"): "the shortest reference's length",
    ("reference_length", "average"): "the mean length of the references, not rounded",
    ("reference_length", "longest"): "the longest reference's length",
    ("case", "lower"): "everything in lower case",
    ("case", "cased"): "case kept, so that A and a are two words",
    ("tokenizer", "split"): "words, and each punctuation mark a token of its own",
    ("tokenizer", "kept"): "split at white space, marks stay on their words",
    ("tokenizer", "removed"): "split, then tokens without a word character are dropped",
    ("tokenizer", "13a"): "mteval-v13a's rules, sacreBLEU's default",
    ("tokenizer", "intl"): "mteval-v14's rules for any language, by sacreBLEU",
    ("tokenizer", "char"): "every character a token, by sacreBLEU",
    ("tokenizer", "zh"): "Chinese characters are tokens, the rest as 13a, by sacreBLEU",
    ("tokenizer", "coco"): "coco-caption's: Stanford's PTB tokens without punctuation",
    ("tokenizer", "coco-python"): "NLTK's Treebank tokens without coco-caption's punctuation",
    ("smoothing", "none"): "a missing order makes the score 0",
    ("smoothing", "add-1"): "one more match and one more n-gram from n = 2 on",
    ("smoothing", "exp"): "the k-th order without a match counts as 1/2^k matches",
    ("smoothing", "coco"): "coco-caption's guards against dividing by zero",
    ("smoothing", "add-k"): "that many more matches and n-grams from n = 2 on",
    ("smoothing", "floor"): "that many matches where an order has none",
    ("smoothing", "chen-cherry-1"): "0.1 matches where an order has none",
    ("smoothing", "chen-cherry-2"): "as add-1",
    ("smoothing", "chen-cherry-3"): "as exp, but not 0 where no order has a match",
    ("smoothing", "chen-cherry-4"): "as chen-cherry-3, but short captions get smaller counts",
    ("smoothing", "chen-cherry-5"): "each count the mean of its own and its neighbours'",
    ("smoothing", "chen-cherry-6"): "from n = 3 on, drawn to what the lower orders let expect",
    ("smoothing", "chen-cherry-7"): "chen-cherry-4, then 5",
    ("aggregation", "corpus"): "counts summed over the {unit}s, then one formula",
    ("aggregation", "mean-sentence"): "the formula for each caption, then the mean",
    ("aggregation", "weighted-mean-sentence"): "the same mean, weighted by the reference lengths",
}

SYSTEM_WORDS = {
    "S1": "names the colours, the shapes and the relation, in one sentence with a full stop",
    "S2": "names the colours and the relation, never a shape; lower case, no full stop",
    "G": "games its length: one object on every other picture, and S1's caption with empty words added on the rest",
}


# Conventions that no claim of the ledger puts into words.
CONVENTION_WORDS = {
    f"nltk-method{number}": f"NLTK's method{number} is not smoothing {number} of Chen and Cherry"
    for number in (4, 5, 6, 7)
}


def option_words(axis: str, option: str, unit: str) -> str:
    """Say what a choice means, whatever number it has; nothing where it is a number. ``unit`` is image or segment."""
    return _OPTION_WORDS.get((axis, option.partition("(")[0]), "").format(unit=unit)


def cells_words(cells: int, distinct: int, noun: str = " distinct") -> str:
    """Return a count of configurations with that of the distinct ones, e.g. ``"108 (58 distinct)"``."""
    return f"{cells:,} ({distinct:,}{noun})"


def percent(share: float | None) -> str:
    """Return a share as a number of percent; nothing where there is none."""
    return "" if share is None or share != share else f"{100 * share:.1f}"


def listed(names: Sequence[str], last: str) -> str:
    """Return names as in a sentence: ``"a"``, ``"a or b"``, ``"a, b or c"``."""
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def unbroken(ranking: str) -> str:
    """Return a ranking that no line break divides; a long one may break, but after its signs alone."""
    if len(ranking) <= _UNBROKEN:
        return ranking.replace(" ", "\N{NO-BREAK SPACE}")
    return re.sub(" ([>=]) ", "\N{NO-BREAK SPACE}\\1 ", ranking)


def short_number(text: str) -> str:
    """Shorten a cell that holds a long decimal number; leave any other cell as it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    if text.lstrip("+-").isdigit() or len(text) <= 8:
        return text
    return f"{number:.1e}" if abs(number) < 1e-3 else f"{number:.4f}"


def data_uri(kind: str, content: bytes) -> str:
    """Return content as an address that holds it; nothing for nothing."""
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}" if content else ""


def in_words(cell: str) -> str:
    """Write a set of choices for reading: ``"references=1; case=lower"`` is ``"1 reference, lowercased"``."""
    parts = [part.partition("=") for part in cell.split("; ")]
    return ", ".join(row_name(axis, int(choice) if choice.isdecimal() else choice) for axis, _, choice in parts)

"""From text to tokens: the rules for case and punctuation, behind one call.

A new rule is one function and one line in ``CASES`` or ``TOKENIZERS``.
"""

import re
from collections.abc import Callable

from manybleus.errors import ManybleusError

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
_WORD_CHARACTER = re.compile(r"\w")


def split(text: str) -> list[str]:
    """Punctuation split: words, and single characters that are neither word nor white space."""
    return _WORD_OR_MARK.findall(text)


def kept(text: str) -> list[str]:
    """Punctuation kept: split at white space, so that marks stay on their words."""
    return text.split()


def removed(text: str) -> list[str]:
    """Punctuation removed: split, then drop the tokens without a word character."""
    return [token for token in split(text) if _WORD_CHARACTER.search(token)]


def lower(text: str) -> str:
    """Fold the case with ``str.lower``."""
    return text.lower()


def cased(text: str) -> str:
    """Keep the case."""
    return text


CASES: dict[str, Callable[[str], str]] = {"lower": lower, "cased": cased}
TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"split": split, "kept": kept, "removed": removed}


def tokenize(text: str, case: str, tokenizer: str) -> list[str]:
    """Turn one caption into tokens: first the case rule, then the tokenizer.

    Parameters
    ----------
    text
        A candidate or a reference.
    case, tokenizer
        Names in ``CASES`` and ``TOKENIZERS``.

    Returns
    -------
    list of str
        Empty for an empty caption.

    Raises
    ------
    ManybleusError
        If ``text`` is not a string, or a name is unknown.
    """
    if not isinstance(text, str):
        raise ManybleusError(f"a caption is a string, not {type(text).__name__}: {text!r:.60}")
    if case not in CASES or tokenizer not in TOKENIZERS:
        raise ManybleusError(
            f"case is one of {', '.join(CASES)} and tokenizer one of {', '.join(TOKENIZERS)}, "
            f"not {case!r} and {tokenizer!r}"
        )
    return TOKENIZERS[tokenizer](CASES[case](text))

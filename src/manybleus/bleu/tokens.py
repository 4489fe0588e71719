"""From text to tokens: the rules for case and punctuation, and the field's tokenizers, behind one call.

A new rule is one function and one line in ``CASES`` or ``TOKENIZERS``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Literal

from manybleus.bleu import coco
from manybleus.errors import ManybleusError, check_list, check_strings, shown

_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
Cuts = Literal["always", "without line breaks", "never"]
# A case rule and a tokenizer.
Scheme = tuple[str, str]
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tokenizer.

    Attributes
    ----------
    tokenize
        Texts and a case rule in, the tokens of each text out.
    source
        Where the rule is from.
    cuts
        When texts may be cut at white space first, a text's tokens being those of its chunks, one after the other:
        always, if no text holds a line break, or never.
    keeps_words
        Whether a text of letters and digits alone is one token, as it stands; then it may be cut always.
    signature
        What a signature calls it, where that depends on what is installed.
    """

    tokenize: Callable[[Sequence[str], str], list[list[str]]]
    source: str
    cuts: Cuts = "always"
    keeps_words: bool = False
    signature: Callable[[], str] | None = None


def split(text: str) -> list[str]:
    """Punctuation split: words, and single characters that are neither word nor white space."""
    return _WORD_OR_MARK.findall(text)


def kept(text: str) -> list[str]:
    """Punctuation kept: split at white space, so that marks stay on their words."""
    return text.split()


def removed(text: str) -> list[str]:
    """Punctuation removed: split, without the tokens that hold no word character, so that words are left."""
    return _WORD.findall(text)


def lower(text: str) -> str:
    """Fold the case with ``str.lower``."""
    return text.lower()


def cased(text: str) -> str:
    """Keep the case."""
    return text


CASES: dict[str, Callable[[str], str]] = {"lower": lower, "cased": cased}


def _each(function: Callable[[str], list[str]]) -> Callable[[Sequence[str], str], list[list[str]]]:
    def tokens(texts: Sequence[str], case: str) -> list[list[str]]:
        fold = CASES[case]
        return [function(fold(text)) for text in texts]

    return tokens


def _sacrebleu(name: str, cuts: Cuts) -> Tokenizer:
    def tokens(text: str) -> list[str]:
        # sacreBLEU, too, strips the end of a segment before it tokenizes.
        return _sacrebleu_tokenizer(name)(text.rstrip()).split()

    return Tokenizer(_each(tokens), f"sacreBLEU's {name}", cuts=cuts)


@cache
def _sacrebleu_tokenizer(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer


TOKENIZERS: dict[str, Tokenizer] = {
    "split": Tokenizer(_each(split), "the study", keeps_words=True),
    "kept": Tokenizer(_each(kept), "the study; white space", keeps_words=True),
    "removed": Tokenizer(_each(removed), "the study", keeps_words=True),
    # 13a joins a word that a line break parts after a hyphen; intl and zh look at what stands before a mark.
    "13a": _sacrebleu("13a", "without line breaks"),
    "intl": _sacrebleu("intl", "never"),
    "char": _sacrebleu("char", "always"),
    "zh": _sacrebleu("zh", "never"),
    "coco": Tokenizer(coco.tokenize, "coco-caption's ptbtokenizer", cuts="never", signature=coco.route),
    "coco-python": Tokenizer(
        coco.tokenize_in_python, "NLTK's Treebank tokenizer with coco-caption's punctuation", cuts="never"
    ),
}


def check_texts(texts: Iterable[object]) -> None:
    """Raise an error unless all are strings."""
    check_strings(texts, "a caption")


def check_tokens(tokens: Sequence[str]) -> None:
    """Raise an error unless a text is a list of tokens."""
    check_list(tokens, "tokens, as tokenize gives it,")
    check_strings(tokens, "a token")


def check_references(references: Sequence[Sequence[str]]) -> None:
    """Raise an error unless references are a list of at least one; their tokens are looked at when they are counted."""
    check_list(references, "at least one reference")
    if not references:
        raise ManybleusError("a candidate needs at least one reference; an empty caption [] counts as one")


def check_scheme(scheme: object) -> None:
    """Raise an error unless a pair is one of a case rule and a tokenizer in the registries."""
    names = isinstance(scheme, tuple) and all(isinstance(name, str) for name in scheme)
    if not names or scheme not in list(product(CASES, TOKENIZERS)):
        raise ManybleusError(
            f"a pair of case and tokenizer is meant: case is one of {', '.join(CASES)} and tokenizer one of "
            f"{', '.join(TOKENIZERS)}, not {shown(scheme)}"
        )


def tokenize(text: str, case: str, tokenizer: str) -> list[str]:
    """Turn one caption into tokens; see ``tokenize_all``."""
    return tokenize_all([text], case, tokenizer)[0]


def tokenize_groups(groups: Sequence[Sequence[str]], case: str, tokenizer: str) -> list[list[list[str]]]:
    """Turn groups of captions into tokens in one call: some tokenizers take longer to start than to run.

    See ``tokenize_all``; the tokens of each group's captions are returned, group by group.
    """
    check_list(groups, "groups of captions")
    for group in groups:
        check_list(group, "captions")
    tokens = iter(tokenize_all([text for group in groups for text in group], case, tokenizer))
    return [list(islice(tokens, len(group))) for group in groups]


def tokenize_all(texts: Sequence[str], case: str, tokenizer: str) -> list[list[str]]:
    """Turn captions into tokens: first the case rule, then the tokenizer.

    Parameters
    ----------
    texts
        Candidates or references.
    case, tokenizer
        Names in ``CASES`` and ``TOKENIZERS``.

    Returns
    -------
    list of list of str
        The tokens of each text; none for an empty caption.

    Raises
    ------
    ManybleusError
        If a text is not a string, or a name is unknown.
    """
    check_list(texts, "captions")
    check_texts(texts)
    check_scheme((case, tokenizer))
    return TOKENIZERS[tokenizer].tokenize(texts, case)

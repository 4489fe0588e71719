"""From texts to integers: every distinct white-space chunk is tokenized once, whatever stands around it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from manybleus.arrays import Integers
from manybleus.bleu.tokens import CASES, TOKENIZERS, Scheme, tokenize_all

Tokens = NDArray[np.int32]

_TEXTS_AT_ONCE = 1 << 10
_MARK = -1


@dataclass(frozen=True, slots=True)
class Chunks:
    """Texts cut at white space: the ids of their chunks one after the other, how many each text has, what they are."""

    ids: Tokens
    lengths: Integers
    words: tuple[str, ...]
    line_breaks: bool


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as token ids, to be taken text by text.

    A text is ``lengths`` chunks, one after the other in ``chunks``. Chunk ``i`` stands for ``sizes[i]`` tokens from
    ``tokens[starts[i]]`` on.
    """

    chunks: Tokens
    lengths: Integers
    tokens: Tokens
    starts: Integers
    sizes: Integers
    edges: Integers

    def take(self, first: int, last: int) -> tuple[Tokens, Integers]:
        """Return the token ids of the texts ``first``..``last`` (exclusive), and each text's number of tokens."""
        edges = self.edges[first : last + 1]
        chunks = self.chunks[edges[0] : edges[-1]]
        if (self.sizes == 1).all():
            return self.tokens[chunks], np.diff(edges)
        sizes = self.sizes[chunks]
        ends = _edges(sizes)
        places = np.repeat(self.starts[chunks] - ends[:-1], sizes)
        places += np.arange(len(places))
        return self.tokens[places], np.diff(ends[edges - edges[0]])


def cut(texts: Sequence[str]) -> Chunks:
    """Cut texts at white space and number the distinct chunks."""
    parts = [texts[first : first + _TEXTS_AT_ONCE] for first in range(0, len(texts), _TEXTS_AT_ONCE)]
    # One split serves many texts, with a mark between them that none of them holds.
    mark = "\0"
    for part in parts:
        whole = "".join(part)
        while mark in whole:
            mark += "\0"
    numbers = _counting()
    numbers[mark] = _MARK
    ids, lengths = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int64)]
    line_breaks = False
    for part in parts:
        joined = f" {mark} ".join([*part, ""])
        line_breaks |= "\n" in joined
        words = joined.split()
        found = np.fromiter(map(numbers.__getitem__, words), dtype=np.int32, count=len(words))
        is_mark = found == _MARK
        ids.append(found[~is_mark])
        lengths.append(np.diff(np.flatnonzero(is_mark), prepend=-1) - 1)
    del numbers[mark]
    return Chunks(np.concatenate(ids), np.concatenate(lengths), tuple(numbers), line_breaks)


def encode(texts: Sequence[str], chunks: Chunks, schemes: Sequence[Scheme]) -> Iterator[Encoded]:
    """Tokenize texts under each scheme in turn.

    Parameters
    ----------
    texts
        The texts.
    chunks
        What ``cut`` made of them.
    schemes
        Pairs of a case rule and a tokenizer; see ``tokens.tokenize_all``.
    """
    known: dict[str, _Pieces] = {}
    for case, tokenizer in schemes:
        cuts = TOKENIZERS[tokenizer].cuts
        if cuts == "always" or (cuts == "without line breaks" and not chunks.line_breaks):
            words: Sequence[str] = chunks.words
            ids, lengths = chunks.ids, chunks.lengths
        else:
            numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
            words = list(numbers)
            ids = np.array([numbers[text] for text in texts], dtype=np.int32)
            lengths = np.ones(len(texts), dtype=np.int64)
        if TOKENIZERS[tokenizer].keeps_words:
            if case not in known:
                known[case] = _whole_words(words, case)
            pieces = known[case]
        else:
            pieces = _Pieces(np.zeros(len(words), dtype=bool), np.zeros(0, dtype=np.int64), _counting())
        yield _encoded(ids, lengths, *_name(words, pieces, case, tokenizer))


class _Pieces(NamedTuple):
    """Which pieces are one token as they stand, the numbers of these, and the numbers of all tokens named so far."""

    whole: NDArray[np.bool_]
    names: Tokens
    numbers: defaultdict[str, int]


def _counting() -> defaultdict[str, int]:
    return defaultdict(count().__next__)


def _whole_words(words: Sequence[str], case: str) -> _Pieces:
    folded = list(map(CASES[case], words))
    whole = np.fromiter(map(str.isalnum, folded), dtype=bool, count=len(folded))
    numbers = _counting()
    return _Pieces(whole, _numbered(numbers, list(compress(folded, whole))), numbers)


def _name(words: Sequence[str], pieces: _Pieces, case: str, tokenizer: str) -> tuple[Integers, Tokens]:
    """Return how many tokens each piece has, and the numbers of all tokens, one after the other."""
    rest = np.flatnonzero(~pieces.whole)
    tokenized = tokenize_all([words[n] for n in rest.tolist()], case, tokenizer)
    sizes = np.ones(len(words), dtype=np.int64)
    sizes[rest] = np.fromiter(map(len, tokenized), dtype=np.int64, count=len(rest))
    of_whole = np.repeat(pieces.whole, sizes)
    tokens = np.empty(len(of_whole), dtype=np.int32)
    tokens[of_whole] = pieces.names
    tokens[~of_whole] = _numbered(pieces.numbers, list(chain.from_iterable(tokenized)))
    return sizes, tokens


def _numbered(numbers: defaultdict[str, int], tokens: Sequence[str]) -> Tokens:
    return np.fromiter(map(numbers.__getitem__, tokens), dtype=np.int32, count=len(tokens))


def _encoded(ids: Tokens, lengths: Integers, sizes: Integers, tokens: Tokens) -> Encoded:
    return Encoded(ids, lengths, tokens, _edges(sizes)[:-1], sizes, _edges(lengths))


def _edges(lengths: Integers) -> Integers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

"""From texts to integers: every distinct white-space chunk is tokenized once, whatever stands around it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from manybleus.bleu.tokens import TOKENIZERS, tokenize_all

Integers = NDArray[np.int64]

_TEXTS_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class Chunks:
    """Texts cut at white space: the ids of their chunks one after the other, how many each text has, what they are."""

    ids: NDArray[np.int32]
    lengths: Integers
    words: tuple[str, ...]
    line_breaks: bool


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as token ids, to be taken text by text.

    Chunk ``i`` stands for the tokens ``tokens[starts[i]:starts[i + 1]]``; a text is its chunks.
    """

    chunks: NDArray[np.int32]
    texts: Integers
    tokens: Integers
    starts: Integers

    def take(self, first: int, last: int) -> tuple[Integers, Integers]:
        """Return the token ids of the texts ``first``..``last`` (exclusive), and each text's number of tokens."""
        edges = self.texts[first : last + 1]
        chunks = self.chunks[edges[0] : edges[-1]]
        begin = self.starts[chunks]
        size = self.starts[chunks + 1] - begin
        ends = np.concatenate([[0], np.cumsum(size)])
        places = np.repeat(begin - ends[:-1], size) + np.arange(ends[-1])
        return self.tokens[places], np.diff(ends[edges - edges[0]])


def cut(texts: Sequence[str]) -> Chunks:
    """Cut texts at white space and number the distinct chunks."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    ids, lengths = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int64)]
    line_breaks = False
    for first in range(0, len(texts), _TEXTS_AT_ONCE):
        part = texts[first : first + _TEXTS_AT_ONCE]
        # One split serves many texts, with a mark between them that none of them holds.
        mark = "\0"
        while any(mark in text for text in part):
            mark += "\0"
        joined = f" {mark} ".join([*part, ""])
        line_breaks |= "\n" in joined
        words = joined.split()
        found = np.fromiter(map(numbers.__getitem__, words), dtype=np.int32, count=len(words))
        is_mark = found == numbers[mark]
        ids.append(found[~is_mark])
        lengths.append(np.diff(np.flatnonzero(is_mark), prepend=-1) - 1)
    return Chunks(np.concatenate(ids), np.concatenate(lengths), tuple(numbers), line_breaks)


def encode(texts: Sequence[str], chunks: Chunks, case: str, tokenizer: str) -> Encoded:
    """Tokenize texts.

    Parameters
    ----------
    texts
        The texts.
    chunks
        What ``cut`` made of them.
    case, tokenizer
        See ``tokens.tokenize_all``.
    """
    cuts = TOKENIZERS[tokenizer].cuts
    if cuts == "always" or (cuts == "without line breaks" and not chunks.line_breaks):
        pieces: Sequence[str] = chunks.words
        ids, lengths = chunks.ids, chunks.lengths
    else:
        distinct = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        pieces = list(distinct)
        ids = np.array([distinct[text] for text in texts], dtype=np.int32)
        lengths = np.ones(len(texts), dtype=np.int64)
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    tokenized = tokenize_all(pieces, case, tokenizer)
    sizes = np.fromiter(map(len, tokenized), dtype=np.int64, count=len(tokenized))
    tokens = np.array([numbers[token] for piece in tokenized for token in piece], dtype=np.int64)
    return Encoded(ids, _edges(lengths), tokens, _edges(sizes))


def _edges(lengths: Integers) -> Integers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])

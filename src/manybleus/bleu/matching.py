"""Which n-grams of one candidate match, which are clipped, and which are in no reference."""

from collections import Counter
from collections.abc import Sequence

from manybleus.bleu.definition import ceiling
from manybleus.bleu.tokens import check_tokens

MATCHED, CLIPPED, UNMATCHED = "matched", "clipped", "unmatched"


def matching(candidate: Sequence[str], references: Sequence[Sequence[str]], order: int) -> list[str]:
    """Say of each n-gram of a candidate whether it counts (Papineni et al. 2002, section 2.1).

    Parameters
    ----------
    candidate
        Its tokens.
    references
        The tokens of each reference.
    order
        n, at least 1.

    Returns
    -------
    list of str
        For the n-gram that begins at each place: ``matched``; ``clipped``, if the references hold it, but none of them
        as often as the candidate has had it by then; or ``unmatched``. As many are matched as
        ``definition.clipped_matches`` counts: which of equal n-grams are clipped is open, and here it is the later
        ones.
    """
    check_tokens(candidate)
    most = ceiling(references, order)
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for place in range(len(candidate) - order + 1):
        ngram = tuple(candidate[place : place + order])
        seen[ngram] += 1
        found.append(UNMATCHED if not most[ngram] else MATCHED if seen[ngram] <= most[ngram] else CLIPPED)
    return found

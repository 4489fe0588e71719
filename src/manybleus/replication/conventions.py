"""What the field's tools do where the papers leave a choice, shown by running the installed tools."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import pandas as pd

from manybleus.bleu.definition import Formula, corpus_bleu, sentence_statistics
from manybleus.replication import peers

NOT_RUN = "NOT_RUN"
INSTALL = "make installs it, then run snakemake --cores 1 again"


def conventions() -> pd.DataFrame:
    """Run every convention: ``convention``, ``holds`` (True, False or NOT_RUN), ``shown`` (what the tools answered)."""
    lines = []
    for name, show in CONVENTIONS.items():
        try:
            holds, shown = show()
            lines.append({"convention": name, "holds": str(holds), "shown": shown})
        except peers.PeerMissingError as missing:
            lines.append({"convention": name, "holds": NOT_RUN, "shown": f"{missing} is not installed; {INSTALL}"})
    return pd.DataFrame(lines)


def tie_shorter() -> tuple[bool, str]:
    """Candidate of 5 tokens, references of 6 and 4: r = 4 gives BP 1, r = 6 would give 0.8187."""
    references, candidate = ["a b c d e f", "a b c d"], "a b c d e"
    scores = {
        "NLTK": peers.nltk_sentence([text.split() for text in references], candidate.split(), "none"),
        "sacreBLEU": peers.sacrebleu_corpus([references], [candidate]) / 100,
        "coco-caption": peers.coco_corpus([references], [candidate])[3],
    }
    return all(math.isclose(score, 1, abs_tol=1e-8) for score in scores.values()), _listed(scores)


def nltk_method0() -> tuple[bool, str]:
    """A candidate without a matching 4-gram, and one without any match."""
    reference = [["a", "b", "c", "d", "e", "f"]]
    higher = peers.nltk_sentence(reference, ["a", "b", "c", "x", "d", "e"], "none")
    none = peers.nltk_sentence(reference, ["u", "v", "w", "x", "y", "z"], "none")
    return 0 < higher < 1e-70 and none == 0, f"no 4-gram {higher:.3g}, no unigram {none}"


def nltk_floor() -> tuple[bool, str]:
    """A perfect corpus with one three-token candidate: a phantom 4-gram makes it (4/5) ** (1/4)."""
    texts = [["a", "red", "circle"], ["a", "blue", "square", "above", "a", "red", "one"]]
    score = peers.nltk_corpus([[text] for text in texts], texts, "none")
    return math.isclose(score, (4 / 5) ** 0.25, abs_tol=1e-12), f"perfect corpus {score:.6f} = (4/5)^(1/4)"


def nltk_method4() -> tuple[bool, str]:
    """Seven tokens without a matching 4-gram, as long as the reference."""
    theirs, paper = _nltk_and_paper(4, ["a b x c d e y"], ["a b c d e f g"])
    halved = (5 / 7 * 3 / 6 * 1 / 5 * math.log(7) / (2 * 5) / 4) ** 0.25
    return _differs(theirs, halved, paper), (
        f"{_beside(theirs, paper)}; NLTK divides the count of the k-th order without a match by a further 2^k"
    )


def nltk_method5() -> tuple[bool, str]:
    """A perfect caption of ten tokens: NLTK averages its precisions, which are 1, with m'_0 = p_1 + 1 = 2.

    Then two segments in both orders.
    """
    texts = ["a b c d e f g h i j"]
    theirs, paper = _nltk_and_paper(5, texts, texts)
    averaged = (4 / 3 * 10 / 9 * 28 / 27 * 82 / 81) ** 0.25
    said = ["a red circle left of a blue square", "a green square above it"]
    told = ["a red circle to the left of a blue square", "a green square is above a red one"]
    one, other = (_nltk_and_paper(5, *segments)[0] for segments in ((said, told), (said[::-1], told[::-1])))
    return _differs(theirs, averaged, paper) and not math.isclose(one, other, rel_tol=1e-3), (
        f"perfect caption {_beside(theirs, paper)}; two segments NLTK {one:.6g}, turned round {other:.6g};"
        " NLTK averages precisions where the paper averages counts, the fifth order's of the last segment alone:"
        " a result can be over 1 and depends on the order of the segments"
    )


def nltk_method6() -> tuple[bool, str]:
    """A perfect corpus of a sentence of 6 tokens and one of 9, in both orders."""
    texts = ["the cat sat on the mat", "a quick brown fox jumps over the lazy dog"]
    theirs, paper = _nltk_and_paper(6, texts, texts)
    turned, _ = _nltk_and_paper(6, texts[::-1], texts[::-1])
    # Of both sentences 11 trigrams and 9 4-grams match; NLTK divides by the last one's 7 and 6, or 4 and 3.
    of_last = [
        (third * (9 + 5 * third**2) / (fours + 5)) ** 0.25 for third, fours in ((16 / (7 + 5), 6), (16 / (4 + 5), 3))
    ]
    holds = _differs(theirs, of_last[0], paper) and _differs(turned, of_last[1], paper)
    return holds, (
        f"perfect corpus {_beside(theirs, paper)}, its segments turned round NLTK {turned:.6g}; NLTK divides by the"
        " n-grams of the last segment alone: a result depends on the order of the segments and can be over 1"
    )


def nltk_method7() -> tuple[bool, str]:
    """The case of ``nltk_method4``: p = 5/7, 1/2, 1/5 and half of ln(7)/5 in 4, then averaged; no 5-gram matches."""
    theirs, paper = _nltk_and_paper(7, ["a b x c d e y"], ["a b c d e f g"])
    precisions = [5 / 7, 1 / 2, 1 / 5, math.log(7) / (2 * 5) / 4, 0]
    averaged = [precisions[0] + 1]
    for each, following in pairwise(precisions):
        averaged.append((averaged[-1] + each + following) / 3)
    return _differs(theirs, math.prod(averaged[1:]) ** 0.25, paper), (
        f"{_beside(theirs, paper)}; NLTK's method4, then its method5, with what differs in both"
    )


def _nltk_and_paper(number: int, candidates: Sequence[str], references: Sequence[str]) -> tuple[float, float]:
    """BLEU-4 of texts with one reference each: by NLTK's method, and by Chen and Cherry's smoothing of that number."""
    pairs = [(said.split(), told.split()) for said, told in zip(candidates, references, strict=True)]
    theirs = peers.nltk_by_method([[told] for _, told in pairs], [said for said, _ in pairs], f"method{number}")
    # Smoothings 5 and 7 read a fifth order.
    counted = [sentence_statistics(said, [told], "closest", 5) for said, told in pairs]
    return theirs, corpus_bleu(counted, Formula(f"chen-cherry-{number}", 4))


def _differs(theirs: float, explained: float, paper: float) -> bool:
    return math.isclose(theirs, explained, rel_tol=1e-12) and not math.isclose(theirs, paper, rel_tol=1e-3)


def _beside(theirs: float, paper: float) -> str:
    return f"NLTK {theirs:.6g}, Chen and Cherry {paper:.6g}"


def sacrebleu_nomatch() -> tuple[bool, str]:
    """No n-gram of any order matches: 0 in spite of smoothing."""
    score = peers.sacrebleu_corpus([["a b c d"]], ["e f g h"], smooth_method="exp")
    return score == 0, f"exp, nothing matches: {score}"


def sacrebleu_13a() -> tuple[bool, str]:
    """The entities, punctuation, and full stops and commas between digits."""
    shown = peers.sacrebleu_tokens("&quot;A&amp;B&quot; &lt;1,000.5&gt; one, two. (three)", "13a")
    return shown == '" A & B " < 1,000.5 > one , two . ( three )', shown


def sacrebleu_signature() -> tuple[bool, str]:
    """Signatures of the default, and of another smoothing; the version itself is not told."""
    signature = peers.sacrebleu_signature()
    fields = dict(field.split(":", 1) for field in signature.split("|"))
    named = {"nrefs", "case", "eff", "tok", "smooth", "version"} <= fields.keys()
    shown = "|".join(f"{name}:{'...' if name == 'version' else value}" for name, value in fields.items())
    return named and signature != peers.sacrebleu_signature(smooth_method="floor"), shown


def coco_average() -> tuple[bool, str]:
    """One segment of 5 tokens against references of 6 and 9: no option gives the average length, 7.5."""
    references, candidate = [["a b c d e f", "a b c d e f g h i"]], ["a b c d e"]
    default = peers.coco_corpus(references, candidate, option=None)[3]
    average = peers.coco_corpus(references, candidate, option="average")[3]
    closest = peers.coco_corpus(references, candidate, option="closest")[3]
    return default == average != closest, f"no option {default:.5f}, average {average:.5f}, closest {closest:.5f}"


def coco_guards() -> tuple[bool, str]:
    """One matching token of one: BLEU-1 = (1 + 1e-15) / (1 + 1e-9), and 0/0 for the bigrams gives 1e-15 / 1e-9."""
    first, second, *_ = peers.coco_corpus([["circle"]], ["circle"])
    p1, p2 = (1 + 1e-15) / (1 + 1e-9), 1e-15 / 1e-9
    penalty = math.exp(1 - (1 + 1e-9) / (1 + 1e-15))
    holds = math.isclose(first, p1 * penalty, rel_tol=1e-12) and math.isclose(
        second, penalty * math.sqrt(p1 * p2), rel_tol=1e-12
    )
    return holds, f"BLEU-1 {first!r}, BLEU-2 {second!r}"


def scales() -> tuple[bool, str]:
    """A perfect caption in three tools."""
    text = "a red circle above a blue square"
    scores = {
        "sacreBLEU": peers.sacrebleu_corpus([[text]], [text]),
        "coco-caption": peers.coco_corpus([[text]], [text])[3],
        "NLTK": peers.nltk_sentence([text.split()], text.split(), "none"),
    }
    expected = {"sacreBLEU": 100, "coco-caption": 1, "NLTK": 1}
    return all(math.isclose(scores[tool], expected[tool], rel_tol=1e-8) for tool in scores), _listed(scores)


def bleu_k() -> tuple[bool, str]:
    """coco-caption's BLEU-2 of a candidate with p1 = 4/5 and p2 = 2/4 is their geometric mean, not p2."""
    second = peers.coco_corpus([["a b c d e"]], ["a b x d e"])[1]
    cumulative = math.sqrt(4 / 5 * 2 / 4)
    return math.isclose(second, cumulative, rel_tol=1e-8), f"BLEU-2 {second:.5f}, cumulative {cumulative:.5f}, p2 0.5"


CONVENTIONS: dict[str, Callable[[], tuple[bool, str]]] = {
    "tie-shorter": tie_shorter,
    "nltk-method0": nltk_method0,
    "nltk-floor": nltk_floor,
    "nltk-method4": nltk_method4,
    "nltk-method5": nltk_method5,
    "nltk-method6": nltk_method6,
    "nltk-method7": nltk_method7,
    "sacrebleu-nomatch": sacrebleu_nomatch,
    "sacrebleu-13a": sacrebleu_13a,
    "sacrebleu-signature": sacrebleu_signature,
    "coco-average": coco_average,
    "coco-guards": coco_guards,
    "scales": scales,
    "bleu-k": bleu_k,
}


def _listed(scores: dict[str, float]) -> str:
    return ", ".join(f"{tool} {score:.6g}" for tool, score in scores.items())

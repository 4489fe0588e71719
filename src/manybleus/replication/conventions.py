"""What the field's tools do where the papers leave a choice, shown by running the installed tools."""

import math
from collections.abc import Callable

import pandas as pd

from manybleus.replication import peers

NOT_RUN = "NOT_RUN"
INSTALL = "make test installs it, then run snakemake --cores 1 again"


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


def sacrebleu_nomatch() -> tuple[bool, str]:
    """No n-gram of any order matches: 0 in spite of smoothing."""
    score = peers.sacrebleu_corpus([["a b c d"]], ["e f g h"], smooth_method="exp")
    return score == 0, f"exp, nothing matches: {score}"


def sacrebleu_13a() -> tuple[bool, str]:
    """The entities, punctuation, and full stops and commas between digits."""
    shown = peers.sacrebleu_tokens("&quot;A&amp;B&quot; &lt;1,000.5&gt; one, two. (three)", "13a")
    return shown == '" A & B " < 1,000.5 > one , two . ( three )', shown


def sacrebleu_signature() -> tuple[bool, str]:
    """Signatures of the default, and of another smoothing."""
    shown = peers.sacrebleu_signature()
    fields = dict(field.split(":", 1) for field in shown.split("|"))
    named = {"nrefs", "case", "eff", "tok", "smooth", "version"} <= fields.keys()
    return named and shown != peers.sacrebleu_signature(smooth_method="floor"), shown


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

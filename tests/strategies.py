"""Random captions: few words, so that n-grams repeat, and every kind of character that has ever made trouble."""

from hypothesis import strategies as st

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import AGGREGATIONS, LENGTH_RULES
from manybleus.bleu.smoothing import smoothing_names
from manybleus.bleu.tokens import CASES, TOKENIZERS
from manybleus.captions import Captions

# Each call of coco starts Java: it has tests of its own.
QUICK_TOKENIZERS = [name for name in TOKENIZERS if name != "coco"]
SCHEMES = [(case, tokenizer) for case in CASES for tokenizer in QUICK_TOKENIZERS]
WORDS = ["a", "A", "the", "The", "red", "circle.", "it's", "don\u2019t", "1,000.5", "x_y", "!!", "?!", ".", "-"]
ODD = [
    "\u0130",
    "\u1e9e",
    "\u01c5",
    "\u039f\u03a3",
    "e\u0301",
    "\u00bd",
    "\u732b\u3002",
    "\U0001f600",
    "\u200b",
    "\u0661",
    "\ufb01",
    ".5",
    "5,",
]
SPACES = [" ", "  ", "\t", "\n", "\u00a0", "\u2028", "\x1c", "\u3000"]

chunks = st.sampled_from(WORDS) | st.sampled_from(ODD) | st.text(min_size=1, max_size=4)
texts = st.lists(st.tuples(chunks, st.sampled_from(SPACES)), max_size=12).map(
    lambda parts: "".join(chunk + space for chunk, space in parts)
)
tokens = st.lists(st.sampled_from(["a", "b", "c"]), max_size=9)


@st.composite
def captions(draw, most_references: int = 4) -> Captions:
    """One to three images and systems; images have different numbers of references, any caption may be empty."""
    images = draw(st.integers(1, 3))
    references = tuple(tuple(draw(st.lists(texts, min_size=1, max_size=most_references))) for _ in range(images))
    systems = {f"system {i}": tuple(draw(texts) for _ in range(images)) for i in range(draw(st.integers(1, 3)))}
    return Captions(tuple(range(images)), references, systems)


@st.composite
def configurations(draw, schemes=SCHEMES, counts=("all",)) -> Configuration:
    """Any configuration under some schemes and numbers of references."""
    order = draw(st.integers(1, 5))
    shares = st.lists(st.integers(0, 5), min_size=order, max_size=order).filter(any)
    weights = draw(st.just("uniform") | shares.map(lambda parts: tuple(part / sum(parts) for part in parts)))
    case, tokenizer = draw(st.sampled_from(schemes))
    return Configuration(
        draw(st.sampled_from(counts)),
        draw(st.sampled_from(list(LENGTH_RULES))),
        case,
        tokenizer,
        draw(st.sampled_from(smoothing_names())),
        draw(st.sampled_from(list(AGGREGATIONS))),
        order,
        weights,
        draw(st.booleans()),
        draw(st.booleans()),
    )

"""The definition beside the field's own tools, on random captions."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from manybleus.bleu.definition import Formula, bleu, corpus_bleu, sentence_statistics
from manybleus.replication import peers

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=9)
corpora = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)


def counted(corpus, rule="closest"):
    return [sentence_statistics(candidate, references, rule, 4) for candidate, references in corpus]


def as_texts(corpus):
    references = [[" ".join(each) for each in told] for _, told in corpus]
    return references, [" ".join(candidate) for candidate, _ in corpus]


@pytest.mark.parametrize(
    ("smoothing", "options"),
    [
        ("none", {"smooth_method": "none"}),
        ("exp", {"smooth_method": "exp"}),
        ("add-1", {"smooth_method": "add-k", "smooth_value": 1}),
    ],
)
@settings(max_examples=40)
@given(corpus=corpora)
def test_corpus_bleu_is_that_of_sacrebleu(smoothing, options, corpus):
    theirs = peers.sacrebleu_corpus(*as_texts(corpus), tokenize="none", force=True, **options) / 100
    assert corpus_bleu(counted(corpus), Formula(smoothing)) == pytest.approx(theirs, rel=1e-12)


@settings(max_examples=40)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_effective_order_is_that_of_sacrebleu(candidate, references):
    ours = bleu(sentence_statistics(candidate, references, "closest", 4), Formula("exp", effective_order=True))
    told, said = as_texts([(candidate, references)])
    theirs = peers.sacrebleu_corpus(told, said, effective_order=True, tokenize="none", force=True) / 100
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("smoothing", ["none", "add-1", "exp"])
@settings(max_examples=40)
@given(corpus=corpora)
def test_corpus_bleu_is_that_of_nltk_where_no_candidate_is_short(smoothing, corpus):
    assume(all(len(candidate) >= 4 for candidate, _ in corpus))
    theirs = peers.nltk_corpus([told for _, told in corpus], [candidate for candidate, _ in corpus], smoothing)
    # Without a match of some order NLTK's method0 gives a tiny number, ours 0.
    assert corpus_bleu(counted(corpus), Formula(smoothing)) == pytest.approx(theirs, rel=1e-12, abs=1e-70)


@pytest.mark.parametrize("rule", ["closest", "shortest", "average"])
@settings(max_examples=40)
@given(corpus=corpora)
def test_corpus_bleu_with_guards_is_that_of_coco_caption(rule, corpus):
    pytest.importorskip("pycocoevalcap")
    theirs = peers.coco_corpus(*as_texts(corpus), option=rule)[3]
    assert corpus_bleu(counted(corpus, rule), Formula("coco")) == pytest.approx(theirs, rel=1e-9)

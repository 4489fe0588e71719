"""The definition beside the field's own tools, on random captions."""

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import texts

from manybleus.bleu.configuration import Configuration
from manybleus.bleu.definition import bleu, corpus_bleu, sentence_statistics
from manybleus.bleu.tokens import tokenize, tokenize_all
from manybleus.replication import peers

CELL = Configuration("all", "closest", "cased", "kept", "none", "corpus", 4)


def corpora(caption):
    """Pairs of a candidate and one to three references."""
    return st.lists(st.tuples(caption, st.lists(caption, min_size=1, max_size=3)), min_size=1, max_size=4)


def phrases(shortest):
    return st.lists(st.sampled_from("abcd"), min_size=shortest, max_size=9).map(" ".join)


def counted(corpus, cell):
    """The definition's statistics of each candidate."""
    return [
        sentence_statistics(
            tokenize(candidate, cell.case, cell.tokenizer),
            tokenize_all(references, cell.case, cell.tokenizer),
            cell.reference_length,
            cell.max_order,
        )
        for candidate, references in corpus
    ]


def close(value, rel=1e-12):
    return pytest.approx(value, rel=rel, abs=0)


# ----------------------------------------------------------------------------------------------------------------- NLTK


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("smoothing", peers.NLTK_METHODS)
@settings(max_examples=25)
@given(corpus=corpora(phrases(shortest=4)))
def test_scores_are_those_of_nltk_where_no_candidate_is_short(smoothing, order, corpus):
    cell = replace(CELL, smoothing=smoothing, max_order=order)
    sentences = counted(corpus, cell)
    # NLTK gives 0 where no word matches, whatever the smoothing.
    assume(all(each.matches[0] for each in sentences))
    said, told = [candidate.split() for candidate, _ in corpus], [[t.split() for t in texts] for _, texts in corpus]
    theirs = [peers.nltk_corpus(told, said, smoothing, order)]
    theirs += [peers.nltk_sentence(*each, smoothing, order) for each in zip(told, said, strict=True)]
    ours = [corpus_bleu(sentences, cell.formula), *(bleu(each, cell.formula) for each in sentences)]
    # Where an order has no match NLTK's method0 gives a tiny number, ours 0.
    assert ours == [0 if score < 1e-70 else close(score) for score in theirs]


# ------------------------------------------------------------------------------------------------------------ sacreBLEU

SMOOTHINGS = ["none", "exp", "add-1", "add-k(0.5)", "add-k(3)", "floor(0.1)", "floor(0.01)"]


@st.composite
def cells_of_sacrebleu(draw):
    return replace(
        CELL,
        case=draw(st.sampled_from(["lower", "cased"])),
        tokenizer=draw(st.sampled_from(["13a", "intl", "char", "zh"])),
        smoothing=draw(st.sampled_from(SMOOTHINGS)),
        max_order=draw(st.integers(1, 4)),
        effective_order=draw(st.booleans()),
    )


@settings(max_examples=300)
@given(cells_of_sacrebleu(), corpora(texts) | corpora(phrases(shortest=0)))
def test_scores_are_those_of_sacrebleu_with_its_tokenizers(cell, corpus):
    options = peers.sacrebleu_options(cell)
    sentences = counted(corpus, cell)

    def theirs(pairs):
        return peers.sacrebleu_corpus([told for _, told in pairs], [said for said, _ in pairs], **options) / 100

    assert corpus_bleu(sentences, cell.formula) == close(theirs(corpus))
    for sentence, pair in zip(sentences, corpus, strict=True):
        assert bleu(sentence, cell.formula) == close(theirs([pair]))


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@settings(max_examples=25)
@given(corpus=corpora(phrases(shortest=0)), order=st.integers(1, 4), effective=st.booleans())
def test_scores_are_those_of_sacrebleu_on_tokens(smoothing, corpus, order, effective):
    cell = replace(CELL, smoothing=smoothing, max_order=order, effective_order=effective)
    options = peers.sacrebleu_options(cell)
    assert (options["tokenize"], options["lowercase"]) == ("none", False)
    theirs = peers.sacrebleu_corpus([told for _, told in corpus], [said for said, _ in corpus], **options) / 100
    assert corpus_bleu(counted(corpus, cell), cell.formula) == close(theirs)


# --------------------------------------------------------------------------------------------------------- coco-caption


@pytest.mark.parametrize("rule", ["closest", "shortest", "average"])
@settings(max_examples=60)
@given(corpus=corpora(phrases(shortest=0)))
def test_scores_with_guards_are_those_of_coco_caption(rule, corpus):
    pytest.importorskip("pycocoevalcap")
    theirs, of_each = peers.coco_scores([told for _, told in corpus], [said for said, _ in corpus], rule)
    for order in (1, 2, 3, 4):
        cell = replace(CELL, smoothing="coco", reference_length=rule, max_order=order)
        sentences = counted(corpus, cell)
        assert corpus_bleu(sentences, cell.formula) == close(theirs[order - 1], rel=1e-9)
        assert [bleu(each, cell.formula) for each in sentences] == [
            close(score, rel=1e-9) for score in of_each[order - 1]
        ]

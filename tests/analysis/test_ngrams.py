"""The first captions token by token, by hand."""

from dataclasses import replace

from manybleus.analysis.ngrams import ngram_table
from manybleus.bleu.configuration import Configuration
from manybleus.captions import Captions
from manybleus.files import as_csv, cells

CELL = Configuration(1, "closest", "lower", "split", "none", "corpus", 2)
CAPTIONS = Captions(
    (7, 8),
    (("A red, red circle", "a circle"), ("x",)),
    {"S": ("a red circle circle", ""), "T": ("circle.", "x")},
)


def rows(cell=CELL, **more):
    return cells("ngrams.csv", as_csv(ngram_table(CAPTIONS, cell, **more)).encode()).to_numpy().tolist()


def test_each_token_stands_with_the_n_grams_that_begin_there():
    assert rows(images=1) == [
        ["7", "S", "0", "a", "matched", "matched"],
        ["7", "S", "1", "red", "matched", "matched"],
        ["7", "S", "2", "circle", "matched", "unmatched"],
        ["7", "S", "3", "circle", "clipped", ""],
        ["7", "T", "0", "circle", "matched", "unmatched"],
        ["7", "T", "1", ".", "unmatched", ""],
    ]


def test_an_empty_caption_has_no_row_and_the_configuration_counts():
    assert [row[:4] for row in rows()][6:] == [["8", "T", "0", "x"]]
    cased = rows(replace(CELL, case="cased", references="all", tokenizer="kept"), images=1)
    # The second reference has "a" in lower case, the first "red" only after "red,".
    assert cased[0] == ["7", "S", "0", "a", "matched", "unmatched"]
    assert cased[4] == ["7", "T", "0", "circle.", "unmatched", ""]

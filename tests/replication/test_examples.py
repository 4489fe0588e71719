"""Worked examples: the figures that can be calculated with pencil and paper."""

from math import e, exp

import pytest

from manybleus.replication.examples import worked_examples

VALUES = {(row["example"], row["quantity"]): row["value"] for row in worked_examples().to_dict("records")}


def test_every_quantity_stands_once():
    assert len(VALUES) == len(worked_examples())


@pytest.mark.parametrize(
    ("example", "quantity", "value"),
    [
        ("clip-the", "p1 without clipping", "7/7"),
        ("clip-the", "p1", "2/7"),
        ("cat-cat", "p1", "5/7"),
        ("cat-cat", "p2", "4/6"),
        ("cat-cat", "p3", "2/5"),
        ("cat-cat", "p4", "1/4"),
        ("of-the", "p1", "2/2"),
        ("of-the", "p2", "1/1"),
        ("cat-mat", "c", 5),
        ("cat-mat", "r", 6),
        ("dog", "p1", "11/11"),
        ("dog", "p4", "5/8"),
        ("tie", "r", 4),
        ("add1-zero4", "m", "5, 3, 1, 0"),
        ("add1-zero4", "t", "6, 5, 4, 3"),
        ("permutations", "bigram matches", 10),
        ("permutations", "orderings", 40320),
    ],
)
def test_counts_by_hand(example, quantity, value):
    assert VALUES[example, quantity] == value


@pytest.mark.parametrize(
    ("example", "quantity", "value"),
    [
        ("cat-mat", "BLEU", exp(1 - 6 / 5) * (3 / 4 * 2 / 3 * 1 / 2) ** 0.25),
        ("dog", "product", 9 / 10 * 7 / 9 * 5 / 8),
        ("dog", "root", 0.4375**0.25),
        ("dog", "BP", exp(1 - 12 / 11)),
        ("dog", "BLEU", exp(1 - 12 / 11) * 0.4375**0.25),
        ("dog", "BLEU from rounded factors", 0.913 * 0.813),
        ("tie", "BP", 1),
        ("tie", "BLEU", 1),
        ("rules", "BLEU closest", exp(1 - 6 / 5)),
        ("rules", "BLEU shortest", exp(1 - 6 / 5)),
        ("rules", "BLEU average", exp(1 - 7.5 / 5)),
        ("shortest", "BLEU closest", exp(1 - 6 / 5)),
        ("shortest", "BLEU shortest", 1),
        ("shortest", "BLEU average", 1),
        ("exp-no-match", "BLEU", 0),
        ("exp-no-match", "geometric formula alone", (1 / (2 * 4 * 4 * 3 * 8 * 2 * 16 * 1)) ** 0.25),
        ("exp-short", "BLEU effective order off", 0),
        ("exp-short", "BLEU effective order on", 1),
        ("add1-zero4", "BLEU", (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25),
        ("perfect", "exp of the mean precision", e),
    ],
)
def test_scores_by_hand(example, quantity, value):
    assert VALUES[example, quantity] == pytest.approx(value, rel=1e-12)


def test_a_perfect_caption_scores_exactly_1():
    assert VALUES["perfect", "BLEU"] == 1

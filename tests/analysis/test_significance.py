"""Resampling tests: against hand calculations, scipy, and sacreBLEU's own."""

import logging
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy.stats import ttest_rel

from manybleus.analysis.significance import (
    block_t_table,
    bootstrap_p,
    interval,
    judge,
    judgements,
    randomization_p,
    sacrebleu_interval,
    significance_table,
)
from manybleus.bleu import resampling
from manybleus.bleu.configuration import Configuration
from manybleus.bleu.draws import bootstrap_draws
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions
from manybleus.config import Significance
from manybleus.errors import ManybleusError

BASE = Configuration("all", "closest", "cased", "13a", "exp", "corpus", 4)
SACREBLEU = Significance(bootstrap=1000, randomization=2000, procedure="sacrebleu")


def made_up(images, seed=3, references=3):
    """References, and three systems that copy fewer and fewer of their words; D says what A says."""
    rng = np.random.default_rng(seed)
    words = np.array(["a", "red", "Blue", "dog", "cat", "sits", "on", "the", "mat", "near", "house", "."])

    def changed(text, share):
        return " ".join(rng.choice(words) if rng.random() < share else word for word in text.split(" "))

    told = [" ".join(rng.choice(words, rng.integers(6, 14))) for _ in range(images)]
    systems = {name: tuple(changed(text, share) for text in told) for name, share in zip("ABC", (0.3, 0.32, 0.5))}  # noqa: B905
    texts = tuple(tuple(changed(text, 0.1) for _ in range(references)) for text in told)
    return Captions(tuple(range(images)), texts, dict(systems, D=systems["A"]))


def counted(captions, cells):
    return caption_statistics(captions, schemes(cells), [cell.references for cell in cells], orders(cells))


# ------------------------------------------------------------------------------------------- intervals, p, corrections


def test_the_interval_is_made_of_order_statistics():
    """Of 1,000 draws the 25th from either end: (1000 + 1) 0.05 / 2 = 25.02."""
    draws = np.random.default_rng(0).permutation(np.arange(1.0, 1001.0))
    assert interval(draws, 0.05) == (25, 976)
    assert interval(np.arange(1.0, 40.0), 0.05) == (1, 39)
    assert interval(np.arange(1.0, 20.0), 0.2) == (2, 18)


@pytest.mark.parametrize("below", range(20, 31))
def test_the_interval_leaves_zero_out_just_where_p_is_at_most_the_level(below):
    draws = np.concatenate([np.full(below, -1.0), np.full(1000 - below, 1.0)])
    low, _ = interval(draws, 0.05)
    assert (low > 0) == (bootstrap_p(draws, draws) <= 0.05) == (below <= 24)


def test_p_of_the_bootstrap_by_hand():
    p = bootstrap_p(np.array([[0.1] * 97 + [-0.1] * 2, [-0.1] * 99, [0.0] * 99, [0.1] * 40 + [0.0] * 59]), np.zeros(4))
    assert p.tolist() == [2 * 3 / 100, 2 * 1 / 100, 1, 1]


def test_sacrebleus_interval_by_hand():
    """Of 80 draws two are cut off at either end."""
    draws = np.random.default_rng(0).permutation(np.arange(1.0, 81.0))
    assert sacrebleu_interval(draws) == (40.5, (78 - 3) / 2)
    means, halves = sacrebleu_interval(np.stack([draws, 2 * draws])[:, None])
    assert (means.tolist(), halves.tolist()) == ([[40.5], [81]], [[37.5], [75]])


# ------------------------------------------------------------------------------------------------ sacreBLEU's own tests


@pytest.fixture(scope="module")
def captions():
    return made_up(60)


def asked(captions, cell, kind, draws):
    """What sacreBLEU's own paired test says: system -> result."""
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    smoothing, _, value = cell.smoothing.removesuffix(")").partition("(")
    metric = BLEU(
        lowercase=cell.case == "lower",
        tokenize=cell.tokenizer,
        smooth_method=smoothing,
        smooth_value=float(value) if value else None,
        max_ngram_order=cell.max_order,
        effective_order=cell.effective_order,
    )
    references = [list(stream) for stream in zip(*captions.references, strict=True)][: cell.references_used]
    named = [(name, list(texts)) for name, texts in captions.systems.items()]
    _, results = PairedTest(named, {"BLEU": metric}, references, test_type=kind, n_samples=draws)()
    return dict(zip(results["System"], results["BLEU"], strict=True))


class Cell:
    """A configuration with what sacreBLEU needs to be told of it."""

    def __init__(self, **changes):
        self.configuration = replace(BASE, **changes)
        used = self.configuration.references
        self.references_used = None if used == "all" else used

    def __getattr__(self, name):
        return getattr(self.configuration, name)


EXPRESSIBLE = [
    Cell(),
    Cell(case="lower", smoothing="none", references=1),
    Cell(smoothing="floor(0.1)", references=2, max_order=3),
    Cell(smoothing="add-k(0.5)", case="lower", max_order=2),
    Cell(smoothing="none", effective_order=True, references=1, max_order=5),
]


@pytest.mark.parametrize("cell", EXPRESSIBLE, ids=lambda cell: cell.configuration.smoothing)
def test_p_mean_and_interval_of_the_bootstrap_are_sacrebleus(captions, cell):
    """Equal but for single precision.

    With NumPy 2 sacreBLEU's resampled statistics stay float32 through the formula. A precision is then off by at most
    two roundings, and so is the ratio in the exponent of BP; the ratio is below 3 here. The sums are whole numbers
    below 2**24, and exact. So a score S of at most 100 is off by at most (2 + 3 * 2) * 2**-24 * S < 0.00005.
    """
    bound = 8 * 2**-24 * 100
    theirs = asked(captions, cell, "bs", SACREBLEU.bootstrap)
    statistics = counted(captions, [cell.configuration])
    judged = judge("plain", statistics, [cell.configuration], bootstrap_draws(60, 1000, 12345), SACREBLEU)
    mean, width = judged.means[0], judged.half_widths[0]
    for place, system in enumerate("ABCD"):
        assert 100 * mean[place] == pytest.approx(theirs[system].mean, abs=bound)
        assert 100 * width[place] == pytest.approx(theirs[system].ci, abs=bound)
    # The first three pairs are those of the first system, as sacreBLEU has it.
    assert judged.p[0, :3].tolist() == [theirs[system].p_value for system in "BCD"]


@pytest.mark.parametrize("cell", EXPRESSIBLE, ids=lambda cell: cell.configuration.smoothing)
def test_p_of_the_randomization_is_sacrebleus(captions, cell):
    """Equal, unless swaps give the very gap that was observed: of these the last bit decides in sacreBLEU."""
    theirs = asked(captions, cell, "ar", SACREBLEU.randomization)
    statistics = counted(captions, [cell.configuration])
    plans = (SACREBLEU, replace(SACREBLEU, procedure="manybleus"))
    without, with_ties = (randomization_p(statistics, [cell.configuration], plan)[0, :2] for plan in plans)
    asked_for = np.array([theirs[system].p_value for system in "BC"])
    assert (without <= asked_for).all()
    assert (asked_for <= with_ties).all()
    if cell.max_order >= 4:
        assert without.tolist() == with_ties.tolist()


def test_the_observed_gap_is_the_threshold_in_every_part_of_the_draws(captions, monkeypatch):
    """Seven draws at a time."""
    statistics, plan = counted(captions, [BASE]), Significance(randomization=100)
    whole = randomization_p(statistics, [BASE], plan)
    monkeypatch.setattr(resampling, "_VALUES_PER_CHUNK", 2 * 6 * 7)
    assert randomization_p(statistics, [BASE], plan).tolist() == whole.tolist()
    assert len(set(whole.ravel())) > 2


def test_a_system_and_its_copy_differ_with_p_1_and_sacrebleu_says_0_001(captions):
    cells = [BASE, replace(BASE, aggregation="mean-sentence"), replace(BASE, aggregation="weighted-mean-sentence")]
    plan = Significance(bootstrap=1000, randomization=500)
    statistics = counted(captions, cells)
    (judged,) = judgements(statistics, cells, plan, None)
    copy = 2  # the pair of A and D
    assert judged.p[:, copy].tolist() == [1, 1, 1]
    assert randomization_p(statistics, cells, plan)[:, copy].tolist() == [1, 1, 1]
    assert judged.verdicts[:, copy].tolist() == [0, 0, 0]
    assert (judged.low[:, copy].tolist(), judged.high[:, copy].tolist()) == ([0, 0, 0], [0, 0, 0])
    assert asked(captions, Cell(), "bs", 1000)["D"].p_value == pytest.approx(0.001, abs=1e-5)


# ------------------------------------------------------------------------------------------------------ the whole table


def test_the_table_has_a_row_for_each_kind_of_draws_cell_and_pair(captions):
    cells = [BASE, replace(BASE, smoothing="none")]
    plan = Significance(bootstrap=200, randomization=100)
    statistics = counted(captions, cells)
    judged = judgements(statistics, cells, plan, ["x", "y"] * 30)
    gaps = np.arange(12.0).reshape(2, 6)
    table = significance_table("ABCD", cells, gaps, judged, randomization_p(statistics, cells, plan), plan)
    assert table.index.tolist() == list(range(2 * 2 * 6))
    assert table["resampling"].tolist() == ["plain"] * 12 + ["stratified"] * 12
    assert table["pair"].tolist() == ["A-B", "A-C", "A-D", "B-C", "B-D", "C-D"] * 4
    assert table["gap"].tolist() == list(range(12)) * 2
    assert table["smoothing"].tolist() == (["exp"] * 6 + ["none"] * 6) * 2
    assert table["p_randomization"].isna().tolist() == [False] * 12 + [True] * 12
    assert set(table["verdict"]) == {"first", "second", "neither"}
    assert table["verdict"][table["pair"] == "C-D"].tolist() == ["second"] * 4


def test_sacrebleus_procedure_adds_its_means_and_intervals(captions):
    plan = replace(SACREBLEU, bootstrap=200, randomization=100)
    statistics = counted(captions, [BASE])
    (judged,) = judgements(statistics, [BASE], plan, None)
    p = randomization_p(statistics, [BASE], plan)
    table = significance_table("ABCD", [BASE], np.zeros((1, 6)), [judged], p, plan)
    for half, systems in {"first": [0, 0, 0, 1, 1, 2], "second": [1, 2, 3, 2, 3, 3]}.items():
        assert table[f"{half}_mean"].tolist() == pytest.approx(judged.means[0, systems], abs=1e-8)
        assert table[f"{half}_interval"].tolist() == pytest.approx(judged.half_widths[0, systems], abs=1e-8)


def test_a_verdict_is_the_sign_of_a_gap_whose_adjusted_p_is_at_most_the_level(captions):
    plan = Significance(bootstrap=200)
    statistics = counted(captions, [BASE])
    (judged, _) = judgements(statistics, [BASE], plan, ["x"] * 60)
    p = dict(zip(["A-B", "A-C", "A-D", "B-C", "B-D", "C-D"], judged.adjusted[0], strict=True))
    assert [name for name, each in p.items() if each <= 0.05] == ["A-C", "B-C", "C-D"]
    # A and B differ, though not significantly; A and D are the same.
    assert 0.05 < p["A-B"] < 1 == p["A-D"]
    assert judged.verdicts.tolist() == [[0, 1, 0, 1, 0, -1]]


@pytest.mark.parametrize(("images", "told"), [(5, False), (6, True)])
def test_no_order_of_images_too_few_for_the_level_is_significant(images, told):
    """5 images all favour one of two equal systems by chance with p = 1/16, 6 with p = 1/32."""
    captions = Captions(
        tuple(range(images)), (("a b c d",),) * images, {"A": ("a b c d",) * images, "B": ("x",) * images}
    )
    (judged,) = judgements(counted(captions, [BASE]), [BASE], Significance(bootstrap=200), None)
    assert judged.adjusted[0, 0] < 0.05
    assert judged.verdicts.tolist() == [[int(told)]]


def test_too_few_draws_for_holm_are_refused(captions):
    plan = Significance(bootstrap=200, correction="holm")
    with pytest.raises(ManybleusError, match=r"200 draws can never .* after holm over 6 comparisons; give 240 or more"):
        judgements(counted(captions, [BASE]), [BASE], plan, None)
    judgements(counted(captions, [BASE]), [BASE], replace(plan, bootstrap=240), None)


def test_the_block_t_test_is_scipys_on_the_scores_of_the_blocks(captions):
    cell = Configuration("all", "closest", "lower", "split", "none", "corpus", 2)
    table = block_t_table(counted(captions, [cell]), cell, ["B", "A", "C"], 20)

    def part(first):
        places = slice(first, first + 3)
        systems = {name: texts[places] for name, texts in captions.systems.items()}
        return Captions(tuple(range(3)), captions.references[places], systems)

    blocks = [score(counted(part(first), [cell]), [cell]) for first in range(0, 60, 3)]
    scores = {one[0].system: [each.score for each in one] for one in zip(*blocks, strict=True)}
    assert table["better"].tolist() == ["B", "A"]
    assert table["worse"].tolist() == ["A", "C"]
    for row in table.itertuples():
        expected = ttest_rel(scores[row.better], scores[row.worse])
        assert row.t == pytest.approx(expected.statistic, abs=1e-7)
        assert row.p == pytest.approx(expected.pvalue, rel=1e-5)
        assert row.mean_difference == pytest.approx(np.subtract(scores[row.better], scores[row.worse]).mean(), abs=1e-8)
    assert table[["blocks", "smallest_block", "largest_block"]].to_numpy().tolist() == [[20, 3, 3]] * 2


def test_p_of_a_block_t_test_is_never_zero(captions, monkeypatch):
    """20 blocks in which one system is always right and the other wrong, but for one block a little."""
    said = {"A": captions.references[0][:1] * 60, "B": ("x y z v w",) * 59 + captions.references[0][:1]}
    easy = Captions(captions.image_ids, captions.references[:1] * 60, said)
    table = block_t_table(counted(easy, [BASE]), BASE, ["A", "B"], 20)
    assert 0 < table["p"][0] < 1e-15
    monkeypatch.setattr("scipy.stats.ttest_rel", lambda *_: SimpleNamespace(statistic=1e300, pvalue=0.0))
    assert 0 < block_t_table(counted(easy, [BASE]), BASE, ["A", "B"], 20)["p"][0] < 1e-300


def test_a_block_t_test_without_differences_has_no_t(captions):
    table = block_t_table(counted(captions, [BASE]), BASE, ["A", "D"], 20)
    assert table[["t", "p"]].isna().all(axis=None)

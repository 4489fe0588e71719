"""The study repeated: each draw is what the independent implementation makes of it."""

import re
from collections import Counter
from dataclasses import replace

import independent
import numpy as np
import pandas as pd
import pytest
from helpers import numbers
from independent import SYSTEMS, bleu, caption, draw_scene, paint, references_of, see, statistics, tokenize, total

from manybleus.config import Table
from manybleus.files import read_table, write_table
from manybleus.replication.redraws import (
    BASELINE,
    FLIP,
    ONE_REFERENCE,
    ORDER,
    SAME,
    SCENES,
    Original,
    chosen_references,
    draws_problem,
    redraw,
)


def original_of(study, images):
    return Original(images, study.seed, study.systems, study.tables, study.baseline, study.gap, study.tie_tolerance)


@pytest.fixture(scope="module")
def own_draw(study):
    """The study's own seed."""
    return next(redraw(original_of(study, study.images), [study.seed], {}))


@pytest.fixture(scope="module")
def draws(study):
    """Three seeds of a study of 40 images, the last of them with other numbers of images, too."""
    return pd.concat(redraw(original_of(study, 40), [1, 2, 3], {3: [25, 60]}), ignore_index=True)


def printed_lines(draws):
    """Rows of draws as the study prints them."""
    return [
        f"{'':19}{row['configuration']:52}"
        + "".join(f"{row[system]:8.4f}" for system in SYSTEMS)
        + f"   {row['ranking']}   S2-G {row['gap']:+.2e}"
        for row in draws.to_dict("records")
    ]


def independent_lines(text):
    return [line for line in text.splitlines() if "   S2-G " in line]


def told_flips(text):
    told = re.search(r"\((.*)\): (\d+) of 16: (.*)$", text, re.MULTILINE)
    return told[1], int(told[2]), re.findall(r"'([^']*)'", told[3])


def scenes_of(images, seed):
    """The independent implementation's scenes, orders of references and captions."""
    rng = np.random.default_rng(seed)
    scenes = [draw_scene(rng) for _ in range(images)]
    orders = [rng.permutation(8).tolist() for _ in range(images)]
    said = [caption(see(paint(scene)[0]), index) for index, scene in enumerate(scenes)]
    return scenes, orders, said


def scores_of(texts, said, length="closest", case="lower", mean=False):
    """The independent implementation's scores of these references without smoothing."""
    found = {}
    for system in SYSTEMS:
        rows = [
            statistics(
                tokenize(captions[system], case, "split"), [tokenize(one, case, "split") for one in told], length
            )
            for told, captions in zip(texts, said, strict=True)
        ]
        found[system] = np.mean([bleu(row, "none") for row in rows]) if mean else bleu(total(rows), "none")
    return found


def row_of(draws, redrawn, seed, configuration, images=40):
    at = (draws["redrawn"] == redrawn) & (draws["seed"] == seed) & (draws["images"] == images)
    return draws[at & (draws["configuration"] == configuration)].iloc[0]


BASELINE_ROW = "baseline: 4 refs, closest, lowercased, punct split"


def test_the_study_s_own_seed_gives_the_published_tables(own_draw, published):
    for redrawn in (SCENES, ORDER):
        drawn = own_draw[own_draw["redrawn"] == redrawn]
        assert printed_lines(drawn) == independent_lines(published)
        assert set(drawn["compared"]) == {told_flips(published)[0]}
        assert list(drawn["configuration"][drawn["change"] == FLIP]) == told_flips(published)[2]
        assert list(drawn["configuration"][drawn["change"] == BASELINE]) == [BASELINE_ROW]


def test_the_study_s_own_seed_gives_the_study_s_tables_to_the_bit(own_draw, results):
    for name in ("a", "b"):
        table = numbers(results[f"tables/table_{name}.csv"])
        drawn = own_draw[(own_draw["redrawn"] == SCENES) & (own_draw["table"] == name.upper())]
        for column in ("configuration", "S1", "S2", "G", "ranking"):
            assert drawn[column].tolist() == table[column].tolist()
        assert drawn["gap"].tolist() == table["S2-G"].tolist()


@pytest.mark.parametrize(("seed", "images"), [(1, 40), (2, 40), (3, 40), (3, 25), (3, 60)])
def test_fresh_scenes_are_those_of_the_independent_implementation(draws, seed, images):
    text = independent.printed(images, seed, lambda *_: 0.0)
    drawn = draws[(draws["redrawn"] == SCENES) & (draws["seed"] == seed) & (draws["images"] == images)]
    assert printed_lines(drawn) == independent_lines(text)
    baseline, count, flips = told_flips(text)
    assert set(drawn["compared"]) == {baseline}
    assert list(drawn["configuration"][drawn["change"] == FLIP]) == flips
    assert (drawn["change"] == FLIP).sum() == count


@pytest.mark.parametrize("seed", [1, 2])
def test_another_order_of_the_references_leaves_the_scenes(draws, seed):
    scenes, _, said = scenes_of(40, 0)
    _, orders, _ = scenes_of(40, seed)
    texts = [references_of(scene, order) for scene, order in zip(scenes, orders, strict=True)]
    four = [told[:4] for told in texts]
    expected = {
        BASELINE_ROW: scores_of(four, said),
        "1 reference": scores_of([told[:1] for told in texts], said),
        "8 references": scores_of(texts, said),
        "average reference length": scores_of(four, said, length="average"),
        "cased": scores_of(four, said, case="cased"),
        "mean sentence, none": scores_of(four, said, mean=True),
    }
    for configuration, scores in expected.items():
        row = row_of(draws, ORDER, seed, configuration)
        assert row[list(SYSTEMS)].tolist() == pytest.approx(list(scores.values()), abs=1e-12)
        assert row["gap"] == pytest.approx(scores["S2"] - scores["G"], abs=1e-12)
        ranking = independent.rank(scores)
        baseline = independent.rank(expected[BASELINE_ROW])
        assert (row["ranking"], row["compared"]) == (ranking, baseline)
        if configuration != BASELINE_ROW:
            assert row["change"] == (SAME if ranking == baseline else FLIP)


@pytest.mark.parametrize("seed", [1, 2])
def test_one_reference_is_one_of_those_that_the_row_uses(draws, seed):
    scenes, orders, said = scenes_of(40, 0)
    texts = [references_of(scene, order) for scene, order in zip(scenes, orders, strict=True)]
    chosen = {
        count: [[told[place]] for told, place in zip(texts, chosen_references(seed, 40, count), strict=True)]
        for count in (1, 2, 4, 8)
    }
    rows = {
        BASELINE_ROW: (4, {}),
        "1 reference": (1, {}),
        "2 references": (2, {}),
        "8 references": (8, {}),
        "cased": (4, {"case": "cased"}),
        "average reference length": (4, {"length": "average"}),
        "mean sentence, none": (4, {"mean": True}),
    }
    for configuration, (count, change) in rows.items():
        row = row_of(draws, ONE_REFERENCE, seed, configuration)
        scores = scores_of(chosen[count], said, **change)
        in_study = independent.rank(scores_of([told[:count] for told in texts], said, **change))
        assert row[list(SYSTEMS)].tolist() == pytest.approx(list(scores.values()), abs=1e-12)
        assert row["compared"] == in_study
        assert row["change"] == (SAME if independent.rank(scores) == in_study else FLIP)


def test_references_are_chosen_evenly_and_apart_from_the_scenes():
    places = chosen_references(5, 8000, 4)
    # 2,000 are expected of each; 4.5 standard deviations of a binomial are 174.
    assert all(abs(times - 2000) < 174 for times in Counter(places).values())
    assert set(places) == {0, 1, 2, 3}
    assert chosen_references(5, 8000, 1) == [0] * 8000
    assert [place // 2 for place in chosen_references(5, 8000, 8)] == places
    assert chosen_references(6, 8000, 4) != places
    assert chosen_references(5, 3, 4) == places[:3]
    of_scenes = (np.random.default_rng(5).random(8000) * 4).astype(int).tolist()
    assert sum(a == b for a, b in zip(places, of_scenes, strict=True)) == pytest.approx(2000, abs=174)


def test_a_draw_does_not_depend_on_the_seeds_before_it_or_on_other_sizes(study, draws):
    (alone,) = redraw(original_of(study, 40), [3], {})
    same = draws[(draws["seed"] == 3) & (draws["images"] == 40)].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same, check_exact=True)


def test_own_rows_and_all_references_are_repeated_too(study):
    every = replace(study.baseline, references="all")
    own = Table("own", "mine", (("all of them", every), ("the baseline again", study.baseline)), ("all of them",))
    original = replace(original_of(study, 20), tables=(*study.tables, own))
    (drawn,) = redraw(original, [7], {})
    for redrawn in (SCENES, ORDER, ONE_REFERENCE):
        eight = row_of(drawn, redrawn, 7, "8 references", 20)
        mine = row_of(drawn, redrawn, 7, "all of them", 20)
        assert mine[list(SYSTEMS)].tolist() == eight[list(SYSTEMS)].tolist()
    changes = drawn[drawn["configuration"] == "the baseline again"].set_index("redrawn")["change"]
    assert changes[SCENES] == changes[ORDER] == BASELINE
    assert changes[ONE_REFERENCE] in (FLIP, SAME)


def problem(study, draws, seeds=(1, 2, 3)):
    rows = [(table.name, name) for table in study.tables for name, _ in table.rows]
    return draws_problem(draws, 40, study.systems, rows, seeds, {3: [25, 60]})


def with_cell(column, value):
    """A change of one cell in the middle."""

    def change(draws):
        changed = draws.astype({column: object})
        changed.loc[7, column] = value
        return changed.infer_objects()

    return change


def test_draws_as_they_were_made_have_no_problem(study, draws, tmp_path):
    assert problem(study, draws) is None
    write_table(tmp_path / "draws.csv", draws)
    assert problem(study, read_table(tmp_path / "draws.csv")) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda draws: pd.DataFrame(),
            "its columns are not redrawn, seed, images, table, configuration, S1, S2, G, pair",
        ),
        (lambda draws: draws.drop(columns="gap"), "its columns are not redrawn"),
        # Three draws of each of three seeds and two more of the last, each of 17 rows.
        (lambda draws: draws[:-1], "it has 186 rows, not 187"),
        (lambda draws: draws[:0], "it has 0 rows, not 187"),
        (lambda draws: pd.concat([draws, draws[-1:]]), "it has 188 rows, not 187"),
        (lambda draws: draws[::-1], "its rows are not those of its seeds, in their order"),
        (with_cell("seed", 9), "its rows are not those of its seeds, in their order"),
        (with_cell("configuration", "x"), "its rows are not those of its seeds, in their order"),
        (with_cell("change", "fli"), "a cell is empty, or holds what no draw has"),
        (with_cell("change", None), "a cell is empty, or holds what no draw has"),
        (with_cell("S2", np.nan), "a cell is empty, or holds what no draw has"),
        (with_cell("gap", "0.x"), "a cell is empty, or holds what no draw has"),
        (with_cell("compared", None), "a cell is empty, or holds what no draw has"),
    ],
)
def test_draws_that_are_not_whole_are_told(study, draws, change, told):
    assert (problem(study, change(draws)) or "").startswith(told)


def test_draws_of_other_seeds_are_told(study, draws):
    assert problem(study, draws, (1, 2, 4)) == "it has 187 rows, not 153"

"""The ledger notices: one small change to the study's method, and at least one claim differs.

Each change is made in the source of the function that computes the tables (for BLEU, the array path), and the study is
computed anew. The checks are not: they compare with NLTK, and the ledger must notice without it.
"""

import pytest
from helpers import ids_with, independent_scenes, mutate, verdict_of

from manybleus.bleu import clipping, scores, smoothing, statistics, tokens
from manybleus.config import inputs_of
from manybleus.files import cells
from manybleus.replication import rerun
from manybleus.shapes import captioners, references, scenes


@pytest.fixture(scope="module")
def sights(study):
    """What the captioners see of each scene."""
    drawn = scenes.draw_scenes(study.images, study.seed)
    return {scene: captioners.look(scenes.render(scene)) for scene in drawn}


@pytest.fixture
def same_sights(monkeypatch, sights):
    """Spare a change that comes after the pictures the looking at them."""
    monkeypatch.setattr(rerun, "render", lambda scene: scene)
    monkeypatch.setattr(rerun, "look", sights.__getitem__)


@pytest.fixture
def differing(monkeypatch, computable, narrow_study, tables):
    """Compute the study anew and return the claims that its Tables A and B contradict."""

    def compute():
        monkeypatch.setattr(rerun, "run_checks", lambda *args: {})
        monkeypatch.setattr(rerun, "check_table", lambda *args: tables["checks.csv"])
        monkeypatch.setattr(rerun, "print_study", lambda *args: "")
        made = rerun.rerun(narrow_study, lambda *question: 0.0)
        found = {file: cells(file, made[file].encode()) for file in ("tables/table_a.csv", "tables/table_b.csv")}
        answered = [claim for claim in computable if claim.where[0].file in found]
        return ids_with("DIFFERS", verdict_of(answered, inputs_of(narrow_study), found))

    return compute


def test_the_unchanged_study_differs_from_no_claim(differing):
    assert differing() == set()


@pytest.mark.parametrize("place", range(8))
@pytest.mark.usefixtures("same_sights")
def test_a_changed_template(monkeypatch, differing, place):
    changed = list(references.TEMPLATES)
    changed[place] = changed[place].replace("{B}", "{B} too")
    monkeypatch.setattr(references, "TEMPLATES", tuple(changed))
    assert differing()


@pytest.mark.usefixtures("same_sights")
def test_templates_in_another_order(monkeypatch, differing):
    monkeypatch.setattr(references, "TEMPLATES", references.TEMPLATES[::-1])
    assert differing()


@pytest.mark.usefixtures("same_sights")
def test_another_word_for_a_relation(monkeypatch, differing):
    monkeypatch.setitem(references.PHRASES, "above", "over")
    assert differing()


DRAWS = {
    "order of the relations": ("_draw_layout", "RELATIONS[", "RELATIONS[::-1]["),
    "bound of the relations": ("_draw_layout", "rng.integers(len(RELATIONS))", "rng.integers(3)"),
    "colours drawn one by one": ("_draw_layout", "size=2, replace=False", "size=2, replace=False, shuffle=False"),
    "sides of the things": ("_draw_layout", "(1, -1)", "(-1, 1)"),
    "order of the references": (
        "draw_scenes",
        "rng.permutation(MAX_REFERENCES)",
        "rng.permutation(MAX_REFERENCES)[::-1]",
    ),
}
# No published number depends on where exactly a thing stands; these are held against the independent implementation.
PLACES = {
    "bound of the major coordinates": ("rng.integers(-3, 4)", "rng.integers(-3, 5)"),
    "bound of the minor coordinates": ("rng.integers(-8, 9)", "rng.integers(-8, 8)"),
    "bound of the sizes": ("rng.integers(6, 10)", "rng.integers(6, 11)"),
    "distance of the things": ("sign * 16", "sign * 15"),
    "rows and columns": ("(minor, major) if", "(minor[::-1], major) if"),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_changed_draw(monkeypatch, differing, name):
    function, old, new = DRAWS[name]
    mutate(monkeypatch, getattr(scenes, function), old, new)
    assert differing()


@pytest.mark.parametrize("name", PLACES)
def test_a_changed_place(monkeypatch, name):
    expected = independent_scenes(200, 0)
    assert scenes.draw_scenes(200, 0) == expected
    mutate(monkeypatch, scenes._draw_layout, *PLACES[name])
    assert scenes.draw_scenes(200, 0) != expected


def test_a_changed_outline(monkeypatch, differing):
    """A circle drawn as a square is read as one."""
    mutate(monkeypatch, scenes.footprint, '== "circle"', '!= "triangle" and False')
    assert differing()


CAPTIONERS = {
    "corner count": (captioners.read_things, "[top, top, bottom, bottom]", "[top, top, top, top]"),
    "side by side": (captioners.look, "abs(dx) >= abs(dy)", "abs(dx) < abs(dy)"),
    "never above": (captioners.look, "abs(dx) >= abs(dy)", "True"),
    "order of the things": (captioners.look, ">= 0 else", "< 0 else"),
    "parity of G": (captioners.g, "index % 2 == 0", "index % 2 == 1"),
    "S2 names shapes": (captioners.s2, "{sight.first.colour} shape", "{sight.first.colour} {sight.first.shape}"),
    "full stop of S1": (captioners.s1, "{b.shape}.", "{b.shape}"),
}


@pytest.mark.parametrize("name", CAPTIONERS)
def test_a_changed_captioner(monkeypatch, differing, name):
    mutate(monkeypatch, *CAPTIONERS[name])
    assert differing()


def test_shorter_padding(monkeypatch, differing):
    monkeypatch.setattr(captioners, "PADDING", captioners.PADDING.removesuffix(" else"))
    assert differing()


BLEU = {
    "tie of closest to the longer": (
        statistics._closest,
        "np.abs(lengths - candidate_lengths)",
        "np.abs(4 * (lengths - candidate_lengths) - 1)",
    ),
    "closest is the first": (statistics._closest, ".min(axis=0) % base", "[0] % base"),
    "average rounded": (
        statistics._averages,
        "return np.broadcast_to(totals, candidate_lengths.shape), np.count_nonzero(present, axis=1).astype(np.int64)",
        "return np.broadcast_to(totals // present.sum(axis=1), candidate_lengths.shape), np.ones_like(totals)",
    ),
    "no clip": (clipping._count_again, "> times", "> 0 * times"),
    "clip at all references together": (
        clipping._count_again,
        "sum(axis=0, dtype=np.int64)",
        "sum(axis=0, dtype=np.int64).cumsum(axis=0)",
    ),
    "clip at all references": (
        clipping._count_again,
        "of_count * (systems * images)",
        "0 * of_count",
    ),
    "words that stand once in any reference, not the first k": (
        clipping._count,
        "bits_of_first[:, k - 1,",
        "bits_of_first[:, -1,",
    ),
    "one n-gram more": (statistics.ngram_totals, "candidate_lengths - orders", "candidate_lengths - orders + 1"),
    "no brevity penalty": (
        smoothing.brevity_penalty,
        "return math.exp(1 - reference_length / candidate_length)",
        "return 1.0",
    ),
    "no brevity penalty of coco": (smoothing.coco_brevity_penalty, "if ratio < 1", "if ratio < 0"),
    "brevity penalty turned over": (
        smoothing.brevity_penalty,
        "reference_length / candidate_length)",
        "candidate_length / reference_length)",
    ),
    "none": (smoothing.unsmoothed, "ratio(m, t)", "ratio(choose(m == 0, 0.1, m), t)"),
    "add-1": (smoothing.add_k, "(m + k) / (t + k)", "(m + 2 * k) / (t + 2 * k)"),
    "add-1 on unigrams": (
        smoothing.add_k,
        "unsmoothed(matches[:1], totals[:1])",
        "[(matches[0] + k) / (totals[0] + k)]",
    ),
    "exp": (smoothing.exponential, "2**without_match", "3**without_match"),
    "coco": (smoothing.coco_guards, "(m + 1e-15)", "(m + 1e-3)"),
    "arithmetic mean": (
        scores._geometric_means,
        "list(map(math.exp, exponents.tolist()))",
        "[math.fsum(map(math.exp, row)) / sum(w) for row, w in zip(terms.T.tolist(), wholes.T.tolist(), strict=True)]",
    ),
    "mean of the sentences": (scores._means, "np.where(weighted, r, images)", "np.where(weighted, r, images - 1)"),
    "case": (tokens.lower, "text.lower()", "text"),
    "split": (tokens.split, "_WORD_OR_MARK.findall(text)", "text.split()"),
    "kept": (tokens.kept, "text.split()", 'text.replace(".", "").split()'),
    "removed": (tokens.removed, "_WORD.findall(text)", "_WORD_OR_MARK.findall(text)"),
}


@pytest.mark.parametrize("name", BLEU)
@pytest.mark.usefixtures("same_sights")
def test_a_changed_rule_of_bleu(monkeypatch, differing, name):
    mutate(monkeypatch, *BLEU[name])
    assert differing()


@pytest.mark.usefixtures("same_sights")
def test_the_longest_reference_for_the_shortest(monkeypatch, differing):
    monkeypatch.setitem(statistics._LENGTH_RULES, "shortest", statistics._LENGTH_RULES["longest"])
    assert differing()

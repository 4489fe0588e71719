"""A study of one's own captions: the smallest configuration, its defaults, and everything wrong with it at once."""

import json
from pathlib import Path

import pytest
import yaml
from helpers import ROOT

from manybleus.bleu.configuration import Configuration, configurations
from manybleus.config import check_study, read_study
from manybleus.config_own import one_at_a_time, reference_counts
from manybleus.errors import ManybleusError

TOLD = [["a cat", "the cat", "one cat"], ["a dog", "the dog", "one dog"]]


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = [(image, text) for image, texts in enumerate(TOLD) for text in texts]
    annotations = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]
    Path("refs.json").write_text(json.dumps({"annotations": annotations}))
    for name in "AB":
        Path(f"{name}.json").write_text(json.dumps([{"image_id": i, "caption": name} for i in range(len(TOLD))]))
        Path(f"{name}.txt").write_text("x\ny\n")
    for place in range(3):
        Path(f"r{place}.txt").write_text("".join(f"{texts[place]}\n" for texts in TOLD))
    Path("t.tsv").write_text("reference_1\treference_2\tA\tB\tnote\na cat\tthe cat\tcat\tdog\tx\n")


def coco(**more):
    systems = [{"name": name, "captions": f"{name}.json"} for name in "AB"]
    return {"study": "mine", "references": "refs.json", "systems": systems} | more


def text(**more):
    systems = [{"name": name, "captions": f"{name}.txt"} for name in "AB"]
    return {"study": "mine", "references": ["r0.txt", "r1.txt", "r2.txt"], "systems": systems} | more


def problems(config) -> list[str]:
    with pytest.raises(ManybleusError) as error:
        check_study(config)
    return [line.removeprefix("  - ") for line in str(error.value).splitlines()[1:]]


# ------------------------------------------------------------------------------------------------------------- defaults


def test_files_of_coco_are_scored_as_coco_caption_does():
    study = check_study(coco())
    assert study.baseline == Configuration("all", "closest", "lower", "coco", "coco", "corpus", 4)
    assert (study.systems, study.gap, study.claims, study.unit) == (("A", "B"), None, None, "image")
    assert study.axes["references"] == (1, 2, "all")
    assert study.axes["tokenizer"] == ("split", "kept", "removed", "coco")
    assert study.axes["smoothing"] == ("none", "add-1", "exp", "coco")


@pytest.mark.parametrize("config", [text(), {"study": "mine", "table": "t.tsv", "systems": ["A", "B"]}])
def test_other_files_are_scored_as_sacrebleu_does(config):
    study = check_study(config)
    assert study.baseline == Configuration("all", "closest", "cased", "13a", "exp", "corpus", 4)
    assert study.axes["tokenizer"] == ("split", "kept", "removed", "13a")
    assert (study.systems, study.unit) == (("A", "B"), "segment")


@pytest.mark.parametrize(
    ("fewest", "most", "baseline", "counts"),
    [
        (5, 5, "all", [1, 2, 4, "all"]),
        (4, 4, "all", [1, 2, "all"]),
        (4, 4, 2, [1, 2, 4]),
        (1, 1, "all", ["all"]),
        (1, 3, "all", [1, "all"]),
        (4, 6, 1, [1, 2, 4, "all"]),
    ],
)
def test_no_number_of_references_stands_twice(fewest, most, baseline, counts):
    assert reference_counts(fewest, most, baseline) == counts


def test_no_cell_of_a_default_grid_scores_the_same_references_twice():
    study = check_study(coco())
    cells = configurations(study.axes)
    assert len(cells) == len(set(cells)) == 3 * 3 * 2 * 4 * 4 * 2
    assert set(study.outside) == set()


def test_the_default_table_changes_one_choice_at_a_time():
    (table,) = check_study(text()).tables
    assert table.name == "A"
    assert [name for name, _ in table.rows] == [
        "baseline: all references, closest reference length, cased, tokenizer 13a, smoothing exp, corpus, BLEU-4",
        "1 reference",
        "2 references",
        "shortest reference length",
        "average reference length",
        "lowercased",
        "punctuation split",
        "punctuation kept on words",
        "punctuation removed",
        "no smoothing",
        "smoothing add-1",
        "smoothing coco",
        "mean sentence",
    ]
    assert len(table.counted) == 12
    assert dict(table.rows)["lowercased"].case == "lower"


def test_a_part_of_a_grid_or_baseline_leaves_the_rest_to_the_defaults():
    grid = {"smoothing": ["none", "exp"], "weights": ["uniform", [0.4, 0.3, 0.2, 0.1]]}
    study = check_study(coco(grid=grid, baseline={"references": 2}))
    assert study.baseline == Configuration(2, "closest", "lower", "coco", "coco", "corpus", 4)
    assert study.axes["smoothing"] == ("none", "exp", "coco")
    assert study.axes["references"] == (1, 2, "all")
    assert [name for name, _ in study.tables[0].rows][-1] == "weights 0.4,0.3,0.2,0.1"


def test_weights_that_fit_another_order_are_no_row():
    baseline = {"max_order": 2, "references": 1}
    rows = one_at_a_time(baseline, {"max_order": [2, 4], "weights": ["uniform", [0.4, 0.3, 0.2, 0.1]]}, 5)
    assert [row["configuration"] for row in rows] == ["baseline: 1 reference, BLEU-2", "BLEU-4"]


def test_what_is_named_is_kept():
    rows = [{"configuration": "base"}, {"configuration": "cased", "case": "cased"}]
    named = {"tables": [{"name": "mine", "title": "t", "rows": rows}], "gap": ["B", "A"], "tie_tolerance": 0.5}
    study = check_study(coco(**named, configurations=rows, missing="empty"))
    assert [table.name for table in study.tables] == ["mine", "own"]
    assert (study.gap, study.tie_tolerance, study.files.missing) == (("B", "A"), 0.5, "empty")


def test_a_table_s_systems_are_all_columns_but_references_and_ids():
    assert check_study({"study": "mine", "table": "t.tsv"}).systems == ("A", "B", "note")


def test_the_study_s_own_output_is_not_printed_of_systems_that_bear_its_names():
    systems = [{"name": name, "captions": f"{other}.json"} for name, other in (("S1", "A"), ("S2", "B"))]
    tables = [{"name": n, "title": "t", "rows": [{"configuration": "c", "case": "cased"}]} for n in ("A", "B")]
    assert not check_study(coco(systems=systems, tables=tables)).is_printed


@pytest.mark.parametrize("name", ["own_captions", "own_text"])
def test_the_examples_are_the_smallest_configurations(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = ROOT / f"config/examples/{name}.yaml"
    assert list(yaml.safe_load(path.read_text())) == ["study", "references", "systems"]
    study = read_study(path)
    assert study.name == name
    assert len(study.systems) >= 3


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (coco(scenes={"images": 1, "seed": 0}), "scenes and references: stand together; give scenes, or references"),
        (coco(table="t.tsv"), "references and table: stand together"),
        ({"study": "mine", "references": "refs.json"}, "systems: is missing; the file needs study, references"),
        (coco(references=5), "references: 5 is not a text or a list"),
        (coco(references=[]), "references: [] has a length of 0; valid is at least 1"),
        (coco(systems=["A"]), "systems.0: 'A' is not a mapping"),
        (coco(systems=[{"name": "A"}]), "systems.0.captions: is missing"),
        (coco(systems=[{"name": "A", "captions": "A.json", "file": 1}]), "systems.0.file: unknown key"),
        (coco(missing="skip"), "missing: 'skip' is not one of error, empty"),
        (coco(seed=3), "seed: unknown key"),
        (coco(gap=["A", "C"]), "gap: 'C' is not one of the systems A, B"),
        (coco(grid={"references": [1, 4]}), "grid.references: 4 of 3: an image has 3 references at the most"),
        (coco(grid={"smoothing": ["add1"]}), "grid.smoothing: 'add1' is not one of"),
        (coco(baseline={"references": 4}), "baseline.references: 4 of 3"),
        (coco(configurations=[{"configuration": "c", "references": 9}]), "configurations, 'c'.references: 9 of 3"),
        (coco(references="none.json"), "none.json: cannot be read (No such file or directory)"),
        (coco(systems=[{"name": "A", "captions": "none.json"}]), "none.json: cannot be read"),
        (coco(systems=[{"name": "a/b", "captions": "A.json"}]), "system 'a/b': '/' cannot stand in a name"),
        (coco(systems=[{"name": "A", "captions": "A.json"}] * 2), "system A is named twice"),
        ({"study": "mine", "table": "t.tsv", "systems": ["A", "X"]}, "t.tsv: has no column 'X'"),
        ({"study": "mine", "table": "none.tsv"}, "none.tsv: cannot be read"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_once_with_what_is_valid(config, words):
    found = problems(config)
    assert [words in line for line in found].count(True) == 1, found
    assert len(found) <= 2, found


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("image_id,stratum\n", "image_id 0: is missing; give its stratum"),
        ("image,stratum\n1,a\n", "column image_id: is missing"),
        ('image_id,stratum\n1,a,b\n1\n"', "cannot be read"),
    ],
)
def test_strata_that_do_not_fit_the_images_are_told_beforehand(content, words):
    Path("strata.csv").write_text(content)
    lines = problems(coco(significance={"strata": "strata.csv"}))
    assert lines[0].startswith(f"significance.strata: strata.csv: {words}")


def test_strata_of_all_images_are_accepted():
    Path("strata.csv").write_text("image_id,stratum\n0,a\n1,a\n")
    assert check_study(coco(significance={"strata": "strata.csv"})).significance.strata == "strata.csv"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {"refrences": ["r0.txt"], "systems": text()["systems"]},
            "refrences: unknown key; valid keys are study, grid,",
        ),
        ({"refrences": ["r0.txt"], "systems": text()["systems"]}, "did you mean 'references'?"),
        ({"systems": text()["systems"]}, "references: is missing; the file needs study, references, systems"),
        ({"tabel": "t.tsv"}, "did you mean 'table'?"),
        ({"Table": "t.tsv", "systems": ["A", "B"]}, "did you mean 'table'?"),
    ],
)
def test_a_study_whose_references_or_table_are_misspelt_is_still_one_of_own_captions(config, words):
    (line,) = problems({"study": "mine"} | config)
    assert words in line
    assert "scenes" not in line


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (text(systems=[{"name": "", "captions": 3}]), ("systems.0.captions: 3", "system '': a name is missing")),
        ({"study": "mine", "table": 3, "systems": ["a/b"]}, ("table: 3 is not a text", "system 'a/b': '/'")),
    ],
)
def test_what_does_not_depend_on_the_files_is_told_though_they_are_not_named_rightly(config, words):
    found = problems(config | {"foo": 1, "baseline": {"smoothing": "x"}, "gap": ["A", "A"]})
    expected = ("foo: unknown key", *words, "baseline.smoothing: 'x' is not one of", "gap: 'A' stands there twice")
    assert len(found) == len(expected)
    for start in expected:
        assert sum(line.startswith(start) for line in found) == 1, start


def test_the_problems_of_keys_and_files_come_together():
    config = coco(
        seed=3,
        tie_tolerance=2,
        baseline={"case": "upper"},
        references="none.json",
        systems=[{"name": "A", "captions": "none.txt"}],
    )
    found = problems(config)
    assert len(found) == 5
    for words in ("seed", "tie_tolerance", "baseline.case", "none.json", "none.txt"):
        assert sum(line.startswith(words) for line in found) == 1

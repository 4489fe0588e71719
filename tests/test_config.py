"""A study's YAML: everything wrong with it in one message, and valid edits accepted."""

import copy
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from helpers import CONFIG, ROOT, SOURCE

from manybleus.bleu.configuration import AXES, DEFAULTS, Configuration, choices, configurations, options
from manybleus.config import Study, Table, check_study, inputs_of, read_axes, read_study, table_file
from manybleus.config_problems import axes_problems
from manybleus.errors import ManybleusError
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.yaml_files import read_yaml

PLAIN = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
SCHEMA = yaml.safe_load((SOURCE / "config.schema.yaml").read_text(encoding="utf-8"))
GONE = Ellipsis


def edited(changes):
    """The study's configuration with some values changed, by path."""
    config = copy.deepcopy(PLAIN)
    for path, value in changes.items():
        *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
        place = config
        for part in parents:
            place = place[part]
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return config


def problems(config, sources=()):
    """The lines of a refusal."""
    with pytest.raises(ManybleusError) as error:
        check_study(config, sources)
    heading, *lines = str(error.value).splitlines()
    assert heading.endswith(f"not usable: {len(lines)} problem{'s' if len(lines) > 1 else ''}")
    return [line.removeprefix("  - ") for line in lines]


# ------------------------------------------------------------------------------------------------------------ the study


def test_the_study_is_as_it_was_published(study):
    assert (study.name, study.images, study.seed, study.systems) == ("shapes", 200, 0, ("S1", "S2", "G"))
    assert study.baseline == Configuration(4, "closest", "lower", "split", "none", "corpus", 4)
    assert (study.gap, study.tie_tolerance, study.claims) == (("S2", "G"), 1e-12, "config/claims.yaml")
    assert [len(table.rows) for table in study.tables] == [9, 8]
    assert [len(table.counted) for table in study.tables] == [8, 8]
    assert len(configurations(study.axes)) == 4 * 3 * 2 * 3 * 4 * 2
    assert study.outside == ()
    assert len({cell for table in study.tables for _, cell in table.rows}) == 16
    assert study.is_printed


def test_the_ledger_stands_where_the_study_says(study):
    assert (ROOT / study.claims).is_file()


def test_schema_and_study_know_the_same_keys():
    of_yaml = {"study": "name", "scenes": "images", "grid": "axes", "configurations": "tables"}
    of_study = {*Study.__dataclass_fields__} - {"seed", "files", "is_drawn"}
    assert {of_yaml.get(key, key) for key in SCHEMA["properties"]} == of_study
    assert list(PLAIN) == list(SCHEMA["properties"])
    for key in ("grid", "baseline"):
        assert list(SCHEMA["properties"][key]["properties"]) == list(AXES)
        assert SCHEMA["properties"][key]["required"] == [axis for axis in AXES if axis not in DEFAULTS]
    assert list(SCHEMA["$defs"]["row"]["properties"]) == ["configuration", *AXES]


def test_the_study_s_grid_uses_every_choice_of_the_published_one():
    for axis in ("reference_length", "case", "smoothing", "aggregation"):
        assert set(PLAIN["grid"][axis]) <= set(options(axis))


def test_the_guide_names_every_key_and_every_choice():
    guide = ROOT / "config" / "README.md"
    if not guide.is_file():
        pytest.skip("config/README.md is not written yet")
    text = guide.read_text(encoding="utf-8")
    names = {*SCHEMA["properties"], *AXES, *CAPTIONERS, *(name for axis in AXES for name in options(axis))}
    assert sorted(name for name in names if f"`{name}`" not in text) == []


def test_a_study_is_read_from_a_file(tmp_path, study):
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(PLAIN), encoding="utf-8")
    assert read_study(path) == study


def test_tables_survive_the_way_to_a_script(study):
    for table in study.tables:
        assert Table.from_plain(table.plain()) == table
        assert Table.from_plain(yaml.safe_load(yaml.safe_dump(table.plain()))) == table
    own = check_study(edited({"configurations": [{"configuration": "x", "weights": [0.4, 0.3, 0.2, 0.1]}]})).tables[-1]
    assert Table.from_plain(yaml.safe_load(yaml.safe_dump(own.plain()))) == own
    assert (table_file("A"), table_file("own", "md")) == ("tables/table_a.csv", "tables/table_own.md")


# ---------------------------------------------------------------------------------------------------------- valid edits


@pytest.mark.parametrize(
    "changes",
    [
        {"scenes/images": 1, "scenes/seed": 10**12},
        {"systems": ["G", "S2"], "gap": ["G", "S2"]},
        {"grid/references": [1, 4, "all"], "baseline/references": "all"},
        {"grid/max_order": [1, 2, 3, 4, 9]},
        {"grid/smoothing": ["none"]},
        {"grid/smoothing": ["none", "floor(0.01)", "add-k(2)", "chen-cherry-5"]},
        {"grid/weights": ["uniform", [0.4, 0.3, 0.2, 0.1]], "grid/effective_order": [False, True]},
        {"grid/brevity_penalty": [True, False], "baseline/brevity_penalty": False},
        {"configurations": [{"configuration": "mine", "max_order": 2, "weights": [0.5, 0.5]}]},
        {"tables": [PLAIN["tables"][0]]},
        {"tables/0/title": "another title", "tables/1/name": "b-2"},
        {"configurations": GONE, "tie_tolerance": GONE, "claims": GONE},
        {"configurations": [{"configuration": "mine", "references": 3, "max_order": 2}]},
        {"tie_tolerance": 0},
        {"study": "my_study-2"},
        {"significance": GONE},
        {"significance": {"bootstrap": 6912, "level": 0.5, "correction": "holm", "procedure": "sacrebleu"}},
        {"significance": {"strata": "parity", "seed": 0, "blocks": 2}},
        {"replications": GONE},
        {"replications": {}},
        {"replications": {"seeds": {"first": 7}, "shard": 1000, "sizes": {"images": [], "seeds": 0}}},
    ],
    ids=str,
)
def test_valid_edits_are_accepted(changes):
    assert isinstance(check_study(edited(changes)), Study)


def test_what_may_be_left_out_has_its_default(study):
    assert check_study(edited({"tie_tolerance": GONE, "configurations": GONE, "replications": GONE})) == study
    assert check_study(edited({"replications": {}})) == study
    assert check_study(edited({"claims": GONE})).claims is None


def test_seeds_of_the_replications_are_parted_into_shards():
    def shards(own, **seeds):
        asked = {"seeds": seeds, "shard": 4, "sizes": {"seeds": 3}}
        replications = check_study(edited({"replications": asked})).replications
        return [list(shard) for shard in replications.shards(own)], list(replications.seeds_of_sizes)

    assert shards(3, first=2, count=9) == ([[2, 3, 4, 5], [6, 7, 8, 9], [10]], [2, 3, 4])
    assert shards(0, first=2, count=2) == ([[2, 3], [0]], [2, 3])


def test_own_configurations_are_a_table_of_differences_from_the_baseline(study):
    own = check_study(
        edited({"configurations": [{"configuration": "mine", "case": "cased"}, {"configuration": "base"}]})
    )
    assert own.tables[:2] == study.tables
    assert own.tables[2].name == "own"
    assert own.tables[2].rows == (("mine", replace(study.baseline, case="cased")), ("base", study.baseline))
    assert own.tables[2].counted == ("mine",)
    assert own.is_printed


def test_cells_outside_the_grid_are_those_that_the_tables_need(study):
    narrow = check_study(edited({"grid/smoothing": ["none", "exp"], "grid/references": [4]}))
    assert set(narrow.cells) >= {cell for table in study.tables for _, cell in table.rows}
    assert len(narrow.cells) == len(set(narrow.cells)) == 1 * 3 * 2 * 3 * 2 * 2 + len(narrow.outside)
    assert {(cell.references, cell.smoothing) for cell in narrow.outside} == {
        (1, "none"),
        (2, "none"),
        (8, "none"),
        (4, "add-1"),
        (4, "coco"),
    }


def test_both_aggregations_of_the_baseline_are_always_scored(study):
    one = check_study(edited({"grid/aggregation": ["corpus"], "tables": [PLAIN["tables"][0]]}))
    assert one.outside == (replace(study.baseline, aggregation="mean-sentence"),)


def test_only_a_study_with_its_own_tables_and_captioners_prints():
    assert not check_study(edited({"tables": [PLAIN["tables"][0]]})).is_printed
    assert not check_study(edited({"systems": ["S1", "G"], "gap": ["S1", "G"]})).is_printed


def test_inputs_name_each_row_by_its_difference_from_the_baseline(study):
    inputs = inputs_of(study)
    assert inputs["scenes"] == {"images": 200, "seed": 0}
    assert inputs["baseline"] == choices(study.baseline)
    assert inputs["table_a"]["cased"] == {"case": "cased"}
    assert inputs["table_b"]["corpus, none"] == {}
    assert inputs["table_b"]["mean sentence, exp"] == {"aggregation": "mean-sentence", "smoothing": "exp"}


# ----------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sistems": ["S1"]}, "sistems: unknown key; valid keys are study, scenes, systems,"),
        ({"sistems": ["S1"]}, "did you mean 'systems'?"),
        ({"scenes/sed": 1}, "scenes.sed: unknown key; valid keys are images, seed; did you mean 'seed'?"),
        ({"grid/tokeniser": ["split"]}, "grid.tokeniser: unknown key"),
        ({"tables/0/rows/1/refs": 1}, "tables.0.rows.1.refs: unknown key"),
        ({"gap": GONE}, "gap: is missing; the file needs study, scenes, systems"),
        ({"scenes/seed": GONE}, "scenes.seed: is missing; scenes needs images, seed"),
        ({"baseline/case": GONE}, "baseline.case: is missing"),
        ({"tables/0/rows/1/configuration": GONE}, "tables.0.rows.1.configuration: is missing"),
        ({"scenes/images": 0}, "scenes.images: 0 is out of range; valid is from 1 to 100000"),
        ({"scenes/images": -3}, "scenes.images: -3 is out of range"),
        ({"scenes/images": 10**9}, "scenes.images: 1000000000 is out of range"),
        ({"scenes/images": "200"}, "scenes.images: '200' is not a whole number"),
        ({"scenes/images": 1.5}, "scenes.images: 1.5 is not a whole number"),
        ({"scenes/images": 200.0}, "scenes.images: 200.0 is not a whole number"),
        ({"scenes/seed": 0.0}, "scenes.seed: 0.0 is not a whole number"),
        ({"scenes/images": True}, "scenes.images: True is not a whole number"),
        ({"scenes/seed": -1}, "scenes.seed: -1 is out of range; valid is from 0"),
        ({"scenes": None}, "scenes: None is not a mapping"),
        ({"study": "../x"}, "study: '../x' is no file name"),
        ({"study": "x\n"}, "study: 'x\\n' is no file name"),
        ({"study": 5}, "study: 5 is not a text"),
        ({"tables/0/name": "a b"}, "tables.0.name: 'a b' is no file name"),
        ({"tables/0/title": ""}, "tables.0.title: '' has a length of 0; valid is at least 1"),
        ({"systems": ["S1"], "gap": ["S1", "S1"]}, "systems: ['S1'] has a length of 1; valid is at least 2"),
        ({"systems": "S1"}, "systems: 'S1' is not a list"),
        ({"systems": ["S1", "S2", "S3"]}, "systems: 'S3' is not one of S1, S2, G"),
        ({"systems": ["S1", "S2", "G", "S1"]}, "systems: 'S1' stands there twice; keep one"),
        ({"gap": ["S2"]}, "gap: ['S2'] has a length of 1; valid is at least 2 and at most 2"),
        ({"gap": ["S2", "S2"]}, "gap: 'S2' stands there twice"),
        ({"gap": ["S2", "X"]}, "gap: 'X' is not one of the systems S1, S2, G"),
        ({"grid/smoothing": ["none", "add1"]}, "grid.smoothing: 'add1' is not one of none, add-1, exp, coco"),
        ({"grid/smoothing": ["none", "add1"]}, "did you mean 'add-1'?"),
        ({"grid/smoothing": ["none", None]}, "grid.smoothing: None is not one of"),
        ({"grid/smoothing": ["none", ["exp"]]}, "grid.smoothing: ['exp'] is not one of"),
        ({"grid/case": ["lower", "lower"]}, "grid.case: 'lower' stands there twice"),
        ({"grid/case": []}, "grid.case: [] has a length of 0"),
        ({"grid/case": "lower"}, "grid.case: 'lower' is not a list"),
        ({"grid/references": [1, 2, 4, 9]}, "grid.references: 9 of 8: an image has 8 references at the most"),
        ({"grid/references": [4, 0]}, "grid.references: 0 is not a whole number from 1 or 'all'"),
        ({"grid/references": [4, "4"]}, "grid.references: '4' is not a whole number from 1 or 'all'"),
        ({"grid/references": [4, True]}, "grid.references: True is not a whole number"),
        ({"grid/max_order": [4, 4.0]}, "grid.max_order: 4.0 is not a whole number from 1"),
        ({"grid/smoothing": ["none", "floor(0)"]}, "grid.smoothing: 'floor(0)' is not one of"),
        ({"grid/weights": ["even"]}, "grid.weights: 'even' is not uniform or a list of one weight for each order"),
        ({"grid/weights": [[1, 1, 1, 1]]}, "the uniform ones are (1/4, 1/4, 1/4, 1/4)"),
        ({"grid/weights": [[0.5, 0.5]]}, "grid.weights: a list of 2 weights fits no order of grid.max_order, 4"),
        (
            {"grid/max_order": [2, 3, 4], "grid/weights": [[0.1, 0.2, 0.3, 0.4]]},
            "grid.max_order: no weights fit 2, 3; add uniform to grid.weights, or take these orders out",
        ),
        ({"grid/weights": [0.5]}, "grid.weights: 0.5 is not uniform or a list"),
        ({"grid/effective_order": ["yes"]}, "grid.effective_order: 'yes' is not yes or no"),
        ({"grid/brevity_penalty": [1]}, "grid.brevity_penalty: 1 is not yes or no"),
        ({"baseline/weights": [0.5, 0.5]}, "2 weights for max_order 4; give one for each order"),
        (
            {"configurations": [{"configuration": "x", "weights": [0.5, 0.5]}]},
            "2 weights for max_order 4; give one for each order",
        ),
        ({"baseline/case": "upper"}, "baseline.case: 'upper' is not one of lower, cased"),
        ({"baseline/references": 3}, "baseline.references: 3 is outside the grid; grid.references has 1, 2, 4, 8"),
        ({"baseline/max_order": 3}, "baseline.max_order: 3 is outside the grid; grid.max_order has 4"),
        ({"tables": []}, "tables: [] has a length of 0"),
        ({"tables/0/rows": []}, "tables.0.rows: [] has a length of 0"),
        ({"tables/1/name": "A"}, "tables, name: 'a' stands there twice"),
        ({"tables/1/name": "a"}, "tables, name: 'a' stands there twice"),
        ({"tables/1/name": "Own"}, "tables, name: 'own' is kept for the list under configurations"),
        ({"tables/0/rows/1/references": 9}, "tables.A, '1 reference'.references: 9 of 8"),
        (
            {"tables/0/rows/6/case": "casd"},
            "tables.A, 'cased'.case: 'casd' is not one of lower, cased; did you mean 'cased'?",
        ),
        (
            {"tables/0/rows/1/configuration": "2 references"},
            "tables.A, configuration: '2 references' stands there twice",
        ),
        (
            {"configurations": [{"configuration": "x", "smoothing": "laplace"}]},
            "configurations, 'x'.smoothing: 'laplace' is not one of",
        ),
        ({"configurations": [{"configuration": "x"}] * 2}, "configurations, configuration: 'x' stands there twice"),
        ({"configurations": ["x"]}, "configurations.0: 'x' is not a mapping"),
        (
            {"tie_tolerance": "1e-3"},
            "tie_tolerance: '1e-3' is not a number; YAML reads a number like 1e-3 as text: write 1.0e-3",
        ),
        ({"significance": {"correction": "a correction"}}, "significance.correction: 'a correction' is not one of"),
        ({"significance": {"procedure": 1}}, "significance.procedure: 1 is not one of"),
        ({"significance": {"bootstrap": 99}}, "significance.bootstrap: 99 is out of range; valid is from 100"),
        ({"significance": {"level": 0.001}}, "significance.bootstrap: 1000 draws are too few for the level 0.001"),
        ({"significance": {"level": float("nan")}}, "significance.level: nan is not a number"),
        ({"significance": {"strata": "none.csv"}}, "significance.strata: 'none.csv' is neither parity nor a file"),
        ({"significance": {"draws": 5}}, "significance.draws: unknown key; valid keys are bootstrap, randomization"),
        ({"tie_tolerance": -1}, "tie_tolerance: -1 is out of range; valid is from 0 to 1"),
        ({"claims": ""}, "claims: '' has a length of 0"),
        ({"replications": None}, "replications: None is not a mapping"),
        ({"replications/seed": 1}, "replications.seed: unknown key; valid keys are seeds, shard, sizes"),
        ({"replications/seeds/count": 0}, "replications.seeds.count: 0 is out of range; valid is from 1 to 100000"),
        ({"replications/seeds/first": -1}, "replications.seeds.first: -1 is out of range"),
        ({"replications/shard": 0}, "replications.shard: 0 is out of range; valid is from 1"),
        ({"replications/sizes/images": [25, 25]}, "replications.sizes.images: 25 stands there twice"),
        ({"replications/sizes/images/0": 0}, "replications.sizes.images.0: 0 is out of range"),
        ({5: "x"}, "5: unknown key"),
    ],
    ids=str,
)
def test_every_kind_of_mistake_is_named(changes, words):
    config = edited({path: value for path, value in changes.items() if isinstance(path, str)})
    config |= {key: value for key, value in changes.items() if not isinstance(key, str)}
    lines = problems(config)
    assert any(words in line for line in lines), lines


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (None, "the file is empty"),
        ([], "the file holds [], which is not a mapping"),
        ("text", "the file holds 'text', which is not a mapping"),
        (3, "the file holds 3, which is not a mapping"),
    ],
)
def test_what_is_no_mapping_is_refused(config, words):
    (line,) = problems(config)
    assert line == f"{words}; expected keys such as study, references, systems"
    (line,) = axes_problems(config)
    assert line == f"{words}; expected keys such as references, reference_length, case"


def test_all_mistakes_come_in_one_message():
    lines = problems(
        edited(
            {
                "sistems": 1,
                "scenes/images": 0,
                "scenes/seed": GONE,
                "systems": ["S1", "S1", "X"],
                "grid/references": [1, 9],
                "baseline/smoothing": "ekp",
                "tables/0/rows/6/case": "casd",
                "gap": ["S2", "G"],
                "tie_tolerance": "1e-3",
            }
        )
    )
    for words in (
        "sistems: unknown key",
        "scenes.images: 0",
        "scenes.seed: is missing",
        "systems: 'S1' stands there twice",
        "systems: 'X'",
        "grid.references: 9 of 8",
        "baseline.references: 4 is outside the grid",
        "baseline.smoothing: 'ekp'",
        "'cased'.case: 'casd'",
        "gap: 'S2' is not one of the systems",
        "gap: 'G' is not one of the systems",
        "tie_tolerance: '1e-3'",
    ):
        assert sum(words in line for line in lines) == 1, words
    assert len(lines) == 12


def test_every_missing_key_is_named_once():
    lines = problems({"study": "x"})
    assert [line.partition(":")[0] for line in lines] == ["scenes", "systems", "grid", "baseline", "tables", "gap"]


def test_a_misspelt_key_is_not_missing_too():
    config = edited({"gap": GONE, "baseline/case": GONE}) | {"gpa": ["S2", "S1"]}
    config["baseline"]["csae"] = "lower"
    found = sorted(line.partition(":")[0] for line in problems(config))
    assert found == ["baseline.csae", "gpa"]


def test_keys_that_stand_twice_are_named_with_their_lines(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text("a: 1\nb: {c: 1,\n  c: 2}\na: 3\n", encoding="utf-8")
    found = sorted(read_yaml(path)[1])
    assert found == [
        f"a: stands twice, in lines 1 and 4 of {path}; keep one",
        f"c: stands twice, in lines 2 and 3 of {path}; keep one",
    ]
    assert read_yaml(CONFIG)[1] == []


def test_a_key_that_stands_twice_is_reported_with_the_other_mistakes(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_text("study: x\nstudy: y\n", encoding="utf-8")
    lines = problems({"study": "y"}, [path])
    assert lines[0] == f"study: stands twice, in lines 1 and 2 of {path}; keep one"
    assert len(lines) == 7


@pytest.mark.parametrize("content", ["a: [1, 2\nb: 3\n", "a: 'x\n", "\tx: 1\n"])
def test_a_file_that_is_no_yaml_is_refused_without_a_trace(tmp_path, content):
    path = tmp_path / "study.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ManybleusError, match=r"study\.yaml"):
        read_study(path)


@pytest.mark.parametrize("content", ["a: &a [*a]\n", "&a {smoothing: [exp], case: *a}\n", "a: &a [x, {b: [*a]}]\n"])
def test_a_file_that_holds_itself_is_refused_without_a_trace(tmp_path, content):
    path = tmp_path / "study.yaml"
    path.write_text(content, encoding="utf-8")
    for read in (read_study, lambda path: read_axes(path, [1])):
        with pytest.raises(ManybleusError, match=r"study\.yaml: a part of it holds itself, by an anchor"):
            read(path)


def test_an_alias_of_what_stands_elsewhere_is_read(tmp_path):
    path = tmp_path / "grid.yaml"
    path.write_text("max_order: &two [2]\nreferences: *two\n", encoding="utf-8")
    assert read_axes(path, [2])["references"] == [2]


def test_a_missing_file_is_refused_without_a_trace():
    with pytest.raises(ManybleusError, match=r"nowhere\.yaml"):
        read_study(Path("nowhere.yaml"))

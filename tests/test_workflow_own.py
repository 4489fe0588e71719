"""The pipeline on one's own captions, in a copy of the project, and other tools on what it writes."""

import json
import os
import shutil
import sys
from itertools import chain
from pathlib import Path

import pytest

from manybleus.bleu.coco import route
from manybleus.cli import main
from manybleus.files import read_cells, read_table
from manybleus.replication.crosscheck import NLTK_CAUSES

pytestmark = pytest.mark.workflow

EXAMPLES = {"own_captions": ("concise", "detailed", "formula"), "own_text": ("plain", "literal", "formal")}
TABLES = [
    "crosscheck.csv",
    "flips.csv",
    "gap.csv",
    "grid.csv",
    "ngrams.csv",
    *(f"{name}.csv" for name in ("effects", "variances", "neighbours", "fixed", "rankings", "places", "pairs")),
    *(f"{name}.csv" for name in ("significance", "flip_significance", "reversals", "block_t")),
    *(
        f"tables/{name}.csv"
        for name in (
            *("table_a", "flips", "spread", "mean_minus_corpus", "brevity_penalties", "precisions", "monotone"),
        )
    ),
]

PAGES = {
    "tables/table_a.html",
    *(f"{name}.html" for name in ("flips", "rankings", "places", "pairs", "effects", "fixed")),
    *("flip_significance.html", "reversals.html"),
}


@pytest.fixture(scope="module")
def project(own):
    return own


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request, project):
    """The name and results of an example after a run."""
    if request.param != "own_text":
        run = project.snakemake("--configfile", f"config/examples/{request.param}.yaml")
        assert run.returncode == 0, run.stdout
    return request.param, project.folder / "results" / request.param


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_example_runs_as_it_is_and_gives_everything_but_scenes(example):
    name, results = example
    figures = {
        f"figures/{each}.{end}"
        for each in ("gaps", "curve", "precisions", "penalties", "lengths")
        for end in ("csv", "light.svg", "dark.svg", "png")
    }
    captions = {f"captions/{each}.json" for each in ("references", *EXAMPLES[name])}
    others = {
        *PAGES,
        "SHA256SUMS",
        "provenance.json",
        "report.html",
        "statistics.npz",
        "tables/table_a.md",
        "captions/remarks.csv",
    }
    assert files_below(results).keys() == {*TABLES, *figures, *captions, *others}


def test_an_example_has_a_flip(example):
    flips = read_table(example[1] / "flips.csv")
    assert 0 < flips["flip"].sum() < len(flips)
    assert flips["kind"].notna().equals(flips["flip"])
    assert set(flips["kind"].dropna()) <= {"decisive", "soft", "tie"}


def test_a_second_run_has_nothing_to_do(example, project):
    assert project.jobs("--configfile", f"config/examples/{example[0]}.yaml") == set()


@pytest.mark.parametrize(
    "example", ["own_captions", pytest.param("own_text", marks=pytest.mark.long)], indirect=True, scope="module"
)
def test_the_command_line_makes_the_same(example, project, monkeypatch):
    name, results = example
    config = f"config/examples/{name}.yaml"
    monkeypatch.chdir(project.folder)
    assert main(["report", "--config", config, "--results", "kept", "--output", "kept/report.html"]) == 0
    expected = files_below(results)
    made = files_below(project.folder / "kept")
    shutil.rmtree(project.folder / "kept")
    # The command line reads the files anew, and keeps no counts; its tables are pages in the report alone.
    assert expected.keys() - made.keys() == {
        *PAGES,
        "SHA256SUMS",
        "provenance.json",
        "statistics.npz",
        *(f"captions/{each}.json" for each in ("references", *EXAMPLES[name])),
    }
    assert {file: expected[file] == content for file, content in made.items()} == dict.fromkeys(made, True)


def test_the_cross_check_finds_no_difference_that_has_no_cause(example, project):
    name, results = example
    table = read_cells(results / "crosscheck.csv")
    assert {"NLTK", "sacreBLEU", "coco-caption"} == set(table["peer"])
    assert set(table["cause"]) <= {"", *NLTK_CAUSES}
    assert f"{len(table)} scores. A cause" in " ".join((results / "report.html").read_text(encoding="utf-8").split())
    assert (project.folder / f"logs/{name}/verdict.done").is_file()


def test_coco_caption_reads_the_written_files_and_gets_our_scores(project, capsys):
    """Its own reader of annotations and results, its own tokenizer and scorer, as its evaluation calls them."""
    pytest.importorskip("pycocoevalcap")
    if shutil.which("java") is None:
        pytest.skip("coco-caption's tokenizer needs Java")
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
    from pycocotools.coco import COCO

    run = project.snakemake("--configfile", "config/examples/own_captions.yaml")
    assert run.returncode == 0, run.stdout
    results = project.folder / "results/own_captions"
    ours = read_table(results / "tables/table_a.csv").iloc[0]
    for system in EXAMPLES["own_captions"]:
        truth = COCO(str(results / "captions/references.json"))
        found = truth.loadRes(str(results / f"captions/{system}.json"))
        ids = truth.getImgIds()
        assert len(ids) == 48
        told = PTBTokenizer().tokenize({image: truth.imgToAnns[image] for image in ids})
        said = PTBTokenizer().tokenize({image: found.imgToAnns[image] for image in ids})
        scores, _ = Bleu(4).compute_score(told, said)
        assert ours[system] == pytest.approx(scores[3], rel=1e-12)


def test_where_java_is_there_no_more_captions_of_coco_are_counted_anew(example, project):
    """Another tokenizer takes the place of coco-caption's. So it is where Java comes."""
    if route() != "coco":
        pytest.skip("coco-caption's tokenizer needs Java and pycocoevalcap")
    name, _ = example
    without = project.jobs("--configfile", f"config/examples/{name}.yaml", PATH=str(Path(sys.executable).parent))
    assert ({"statistics", "ngrams", "grid", "crosscheck"} <= without) == (name == "own_captions")
    assert (without == set()) == (name == "own_text")


def test_image_ids_are_written_as_they_were(project):
    name = "results/own_captions/captions/references.json"
    run = project.snakemake(name, "--configfile", "config/examples/own_captions.yaml")
    assert run.returncode == 0, run.stdout
    written = json.loads((project.folder / name).read_text(encoding="utf-8"))
    given = json.loads((project.folder / "config/examples/data/references.json").read_text(encoding="utf-8"))
    assert written["images"] == given["images"]
    assert [(a["image_id"], a["caption"]) for a in written["annotations"]] == [
        (a["image_id"], a["caption"]) for a in given["annotations"]
    ]


def write(project, name, systems, **more):
    """A configuration of own captions in the copy, with some files of the example."""
    folder = project.folder / f"my files {name}"
    folder.mkdir()
    lines = [f"study: {name}", f"references: [{folder.name}/r.txt]", "systems:"]
    (folder / "r.txt").write_text("a cat sat there\nthe dog ran\n", encoding="utf-8")
    for system, text in systems.items():
        (folder / f"{system}.txt").write_text(text, encoding="utf-8")
        lines.append(f'  - {{name: "{system}", captions: "{folder.name}/{system}.txt"}}')
    lines += [f"{key}: {value}" for key, value in more.items()]
    (folder / "own.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"{folder.name}/own.yaml"


def test_bad_files_are_refused_in_one_report_and_nothing_is_written(project):
    path = write(project, "bad", {"A": "x\n", "B": "a\0\nb\n"})
    run = project.snakemake("--configfile", path)
    assert run.returncode != 0
    assert "the caption files do not fit together: 2 problems" in run.stdout
    assert "A.txt: has 1 line, and the references 2 segments" in run.stdout
    assert "B.txt: line 1 holds a NUL" in run.stdout
    assert "Traceback" not in run.stdout.partition("Error in rule")[2]
    results = project.folder / "results/bad"
    assert not results.exists() or [path for path in results.rglob("*") if path.is_file()] == []


def test_files_that_are_not_there_are_told_with_the_keys_that_are_wrong(project):
    path = write(project, "none", {"A": "x\ny\n"}, baseline="{smoothing: add1}")
    (project.folder / path).with_name("A.txt").unlink()
    run = project.snakemake("-n", "--configfile", path)
    assert run.returncode != 0
    assert "A.txt: cannot be read (No such file or directory)" in run.stdout
    assert run.stdout.count("'add1' is not one of") == 1
    assert "Traceback" not in run.stdout


def test_one_system_and_odd_names_run_and_inherit_nothing(project):
    path = write(project, "odd", {"Modell \u00e4 (2), +x": "a cat sat\nthe dog\n"}, grid="{tokenizer: [13a]}")
    run = project.snakemake("--configfile", path)
    assert run.returncode == 0, run.stdout
    results = project.folder / "results/odd"
    assert (results / "captions/Modell \u00e4 (2), +x.json").is_file()
    grid = read_table(results / "grid.csv")
    assert set(grid["system"]) == {"Modell \u00e4 (2), +x"}
    assert set(grid["tokenizer"]) == {"13a"}
    assert not list(chain(results.glob("claims.csv"), results.glob("checks.csv"), results.glob("scenes")))
    assert "how far does the score move?" in (results / "report.html").read_text(encoding="utf-8")


def test_a_path_that_snakemake_takes_for_a_pattern_is_refused_in_plain_words(project):
    path = write(project, "braces", {"A": "a cat sat\nthe dog\n"})
    own = project.folder / path
    own.with_name("A.txt").rename(own.with_name("{name}.txt"))
    own.write_text(own.read_text().replace("A.txt", "{name}.txt"))
    run = project.snakemake("-n", "--configfile", path)
    assert run.returncode != 0
    assert "{name}.txt: Snakemake takes what stands in braces for a wildcard; rename the file" in run.stdout
    assert "WildcardError" not in run.stdout


def test_replications_of_one_s_own_captions_are_refused_in_plain_words(project):
    run = project.snakemake("-n", "replications", "--configfile", write(project, "mine", {"A": "a cat sat\nthe dog\n"}))
    assert run.returncode != 0
    assert "mine is a study of your own captions: replications draw scenes anew" in run.stdout
    assert "No rule to produce" not in run.stdout


def test_a_ledger_of_one_s_own_is_held_against_the_results(project):
    ledger = project.folder / "my_claims.yaml"
    ledger.write_text(
        """inputs: {}
claims:
  mine:
    - id: first
      what: "the ranking at the baseline"
      kind: order
      published: "A > B"
      where: {file: tables/table_a.csv, configuration: "mean sentence", column: ranking}
tables: []
""",
        encoding="utf-8",
    )
    path = write(project, "held", {"A": "a cat sat there\nthe dog\n", "B": "cat\ndog\n"}, claims="my_claims.yaml")
    made = [f"results/held/{name}.csv" for name in ("claims", "worked_examples")]
    run = project.snakemake(*made, "--configfile", path)
    assert run.returncode == 0, run.stdout
    claims = read_cells(project.folder / made[0])
    assert claims[["id", "verdict"]].values.tolist() == [["first", "MATCH"]]
    assert (project.folder / made[1]).is_file()


def test_a_changed_caption_runs_what_depends_on_it(project):
    config = "config/examples/own_text.yaml"
    path = project.folder / "config/examples/data/plain.txt"
    with project.edited(path, "The museum opens at nine on weekdays", "The museum opens on weekdays"):
        jobs = project.jobs("--configfile", config)
    assert {"own_captions", "statistics", "grid", "tables", "report"} <= jobs


def test_a_file_replaced_by_an_older_one_runs_what_depends_on_it(project):
    config = "config/examples/own_text.yaml"
    path = project.folder / "config/examples/data/plain.txt"
    with project.edited(path, "The museum opens at nine on weekdays", "The museum opens on weekdays"):
        os.utime(path, (0, 0))
        jobs = project.jobs("--configfile", config)
    assert {"own_captions", "statistics", "grid", "tables", "report"} <= jobs


def test_a_file_in_the_place_of_the_results_is_told(project):
    path = write(project, "taken", {"A": "a cat sat there\nthe dog\n"})
    place = project.folder / "results/taken"
    place.write_text("mine\n", encoding="utf-8")
    run = project.snakemake("-n", "--configfile", path)
    assert run.returncode != 0
    assert "results/taken is no folder; move it away, or give the study another name" in run.stdout
    assert "Traceback" not in run.stdout
    assert place.read_text(encoding="utf-8") == "mine\n"
    place.unlink()

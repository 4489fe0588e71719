"""Commands about captions as a whole: check and report."""

import gzip
import html
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers import ROOT, command_line

from manybleus.config_own import SACREBLEU_WORDS
from manybleus.files import alone_in, read_table
from manybleus.own import PLACES
from manybleus.replication import crosscheck, peers

DATA = ROOT / "config/examples/data"
NAMES = ("plain", "literal", "formal")
TEXT = (
    *("--references", *(str(DATA / f"reference_{n}.txt") for n in (1, 2, 3))),
    *(word for name in NAMES for word in ("--system", f"{name}={DATA / name}.txt")),
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return command_line(capsys)


def lines(name):
    return (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def as_table(path, parted):
    rows = [["image_id", "reference_1", "reference_2", "reference_3", *NAMES]]
    columns = [lines(name) for name in (*rows[0][1:4], *NAMES)]
    rows += [[str(number), *texts] for number, texts in enumerate(zip(*columns, strict=True), start=1)]
    quoted = [[f'"{cell}"' for cell in row] for row in rows]
    Path(path).write_text("".join(parted.join(row) + "\n" for row in quoted), encoding="utf-8")


# --------------------------------------------------------------------------------------------------------------- check


def test_good_files_are_summed_up(run):
    assert run("check", *TEXT) == (
        0,
        "images: 42\nreferences: 3 of each, 126 in all\nsystems: 3 (plain, literal, formal)\n"
        "No problems: the captions can be scored.\n",
        "",
    )


def test_a_table_and_a_configuration_are_checked_as_files_are(run, monkeypatch):
    expected = run("check", *TEXT)
    as_table("t.csv", ",")
    assert run("check", "--table", "t.csv") == expected
    monkeypatch.chdir(ROOT)
    assert run("check", "--config", "config/examples/own_text.yaml") == expected
    assert run("check", "--config", "config/config.yaml")[1].startswith("config/config.yaml is a study of 200 scenes")


def test_warnings_are_messages_and_no_failure(run):
    Path("r.txt").write_text("a\nb\n")
    Path("s.txt").write_text("a\n\n")
    code, output, messages = run("check", "--references", "r.txt", "--system", "A=s.txt", "--system", "B=s.txt")
    assert (code, output.splitlines()[0]) == (0, "images: 2")
    assert messages.splitlines() == [
        "manybleus: warning: A: 1 caption is empty",
        "manybleus: warning: B: 1 caption is empty",
        "manybleus: warning: A and B are identical: every caption of one is the other's",
    ]


@pytest.mark.parametrize("command", [["check"], ["report", "--output", "r.html"]])
def test_all_problems_are_told_and_nothing_is_written(run, command):
    Path("r.json").write_text('{"annotations": [{"image_id": 1, "id": 0, "caption": null}]}')
    Path("s.json").write_text('[{"image_id": 2, "caption": 3}]')
    before = set(Path().iterdir())
    code, output, messages = run(*command, "--references", "r.json", "--system", "A=s.json", "--system", "B=none.json")
    assert (code, output) == (1, "")
    assert messages.startswith("manybleus: the caption files do not fit together: 3 problems\n")
    assert set(Path().iterdir()) == before


def test_a_terminal_obeys_no_caption_and_no_file_name(run):
    Path("r\x1b[2J.txt").write_text("a\n")
    Path("s.txt").write_text("a\nb\n")
    code, _, messages = run("check", "--references", "r\x1b[2J.txt", "--system", "\u202eA=s.txt")
    assert code == 1
    assert "\x1b" not in messages
    assert "\u202e" not in messages
    code, _, messages = run("check", "--references", "\x1b[31m.txt", "--system", "A=s.txt")
    assert "\\x1b[31m.txt: cannot be read" in messages


def test_missing_captions_are_scored_as_empty_where_asked(run):
    told = [{"image_id": i, "id": i, "caption": "a cat sat there"} for i in range(3)]
    Path("r.json").write_text(json.dumps({"annotations": told}))
    Path("s.json").write_text(json.dumps([{"image_id": 1, "caption": "a cat sat there"}]))
    files = ("--references", "r.json", "--system", "A=s.json")
    assert "no caption for 2 of 3 images (image_id 0, 2)" in run("score", *files)[2]
    code, output, messages = run("score", *files, "--missing", "empty")
    assert (code, output.splitlines()[0]) == (0, "A  0.1353")  # exp(1 - 12 / 4)
    assert messages == "manybleus: warning: A: 2 captions are missing, and scored as empty\n"
    assert run("grid", *files, "--missing", "empty", "--output", "grid.csv")[2] == messages
    assert "A: 2 captions are missing, and scored as empty" in run("check", *files, "--missing", "empty")[2]
    code, _, messages = run("report", *files, "--missing", "empty", "--output", "r.html")
    assert (code, messages) == (0, "manybleus: warning: A: 2 captions are missing, and scored as empty\n")
    assert "A: 2 captions are missing, and scored as empty" in Path("r.html").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------- score and grid


def test_tables_serve_every_command(run):
    as_table("t.tsv", "\t")
    assert run("score", "--table", "t.tsv") == run("score", *TEXT)
    assert run("grid", "--table", "t.tsv", "--output", "a.csv")[0] == 0
    run("grid", *TEXT, "--output", "b.csv")
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_the_text_example_gets_what_sacrebleu_s_command_line_prints(run):
    """Both are asked as a user would ask them; sacreBLEU prints its signature and a score of full precision."""
    settings = ["smoothing=exp", "tokenizer=13a", "case=cased"]
    choices = [word for setting in settings for word in ("--set", setting)]
    found = json.loads(run("score", *TEXT, *choices, "--format", "json")[1])["systems"]
    for ours in found:
        references = [str(DATA / f"reference_{n}.txt") for n in (1, 2, 3)]
        command = [
            sys.executable,
            "-m",
            "sacrebleu",
            *references,
            "-i",
            str(DATA / f"{ours['system']}.txt"),
            "-w",
            "12",
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        theirs = json.loads(ran.stdout)
        assert ours["score"] * 100 == pytest.approx(theirs["score"], abs=1e-11)
        assert ours["sacrebleu_signature"] == theirs["signature"]


# -------------------------------------------------------------------------------------------------------------- report


def test_a_report_keeps_its_tables_where_asked_and_tells_sacrebleu_s_signature(run):
    code, output, messages = run("report", *TEXT, "--results", "kept", "--output", "kept/report.html")
    assert (code, messages) == (0, "")
    first, answer, baseline = output.splitlines()
    assert first == "576 configurations of 3 systems in kept/report.html."
    assert baseline == f"The baseline is {SACREBLEU_WORDS}."
    page = Path("kept/report.html").read_text(encoding="utf-8")
    signature = peers.sacrebleu_signature().replace("nrefs:1", "nrefs:3")
    assert f"<code>{signature}</code>" in page
    kept = {str(path.relative_to("kept")) for path in Path("kept").rglob("*.csv")}
    places = [Path("kept") / place for place in PLACES]
    written = [path for path in Path("kept").rglob("*") if path.is_file()]
    assert [path for path in written if not any(place in (path, *path.parents) for place in places)] == []
    assert {"grid.csv", "flips.csv", "gap.csv", "tables/table_a.csv", "pairs.csv", "figures/curve.csv"} <= kept
    assert {"effects.csv", "significance.csv", "ngrams.csv", "crosscheck.csv"} <= kept
    rankings = read_table(Path("kept/rankings.csv"))
    flips = rankings[rankings["ranking"] != read_table(Path("kept/flips.csv"))["baseline_ranking"][0]]
    told = f"{flips['cells'].sum()} of 576 configurations of BLEU ({flips['distinct_cells'].sum()} of "
    assert told in page
    # The terminal gives the page's own answer.
    assert answer.startswith("Does the ranking change? Yes: the captions stayed the same, yet ")
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())
    assert answer.removeprefix("Does the ranking change? ") in text
    assert 0 < flips["cells"].sum() < 576


def test_names_without_a_glyph_are_one_line_on_the_terminal(run):
    Path("grid.yaml").write_text("tokenizer: [13a]\nsmoothing: [exp]\naggregation: [corpus]\nreferences: [all]\n")
    named = [word.replace("plain=", "\u732b=") for word in TEXT]
    code, _, messages = run("report", *named, "--grid", "grid.yaml", "--output", "r.html")
    assert (code, messages) == (
        0,
        "manybleus: DejaVu Sans, the figures' font, has no \u732b: boxes stand for them there\n",
    )


def test_another_tool_s_score_that_differs_without_a_cause_is_told_when_all_is_written(run, monkeypatch):
    wrong = replace(peers.SACREBLEU, corpus=lambda cell, segments: 0.5)
    monkeypatch.setattr(crosscheck, "PEERS", (wrong,))
    Path("grid.yaml").write_text("tokenizer: [13a]\nsmoothing: [exp]\naggregation: [corpus]\nreferences: [all]\n")
    code, output, messages = run("report", *TEXT, "--grid", "grid.yaml", "--results", "kept", "--output", "r.html")
    assert (code, output.splitlines()[0]) == (1, "7 configurations of 3 systems in r.html.")
    assert messages.startswith("manybleus: r.html is written, but other tools' scores differ without a known cause: ")
    assert "sacreBLEU gives 0.5 and not 0." in messages
    assert "without a known cause.</strong>" in Path("r.html").read_text(encoding="utf-8")
    assert "unexplained" in Path("kept/crosscheck.csv").read_text()


def test_a_report_takes_a_grid_from_a_file(run):
    Path("grid.yaml").write_text("case: [cased]\ntokenizer: [13a, char]\nsmoothing: [exp]\naggregation: [corpus]\n")
    _, output, _ = run("report", *TEXT, "--grid", "grid.yaml", "--output", "r.html")
    # 3 numbers of references, 3 lengths, 2 tokenizers, and the baseline under the other aggregation.
    assert output.startswith("19 configurations")
    Path("grid.yaml").write_text("case: [upper]\nsmoothing: exp\n")
    code, output, messages = run("report", *TEXT, "--grid", "grid.yaml", "--output", "other.html")
    assert (code, output) == (1, "")
    assert messages.startswith("manybleus: grid.yaml is not usable: 2 problems")
    Path("grid.yaml").write_text("references: [7]\n")
    assert "7 of 3" in run("report", *TEXT, "--grid", "grid.yaml", "--output", "other.html")[2]
    assert not Path("other.html").exists()


def test_images_with_fewer_references_are_told_beside_the_report(run):
    texts = [
        (image, text) for image in range(5) for text in ("a cat sat", "a dog ran", "two cows eat")[: 3 if image else 1]
    ]
    notes = [{"id": number, "image_id": image, "caption": text} for number, (image, text) in enumerate(texts)]
    Path("refs.json").write_text(json.dumps({"images": [{"id": image} for image in range(5)], "annotations": notes}))
    Path("A.json").write_text(json.dumps([{"image_id": image, "caption": "a dog sat"} for image in range(5)]))
    Path("grid.yaml").write_text("references: [1, 2, 3]\ntokenizer: [13a]\nsmoothing: [exp]\n")
    told = [f"manybleus: 1 of 5 images has fewer than {count} references and uses all it has.\n" for count in (2, 3)]
    call = ("report", "--references", "refs.json", "--system", "A=A.json", "--output", "r.html", "--grid", "grid.yaml")
    assert run(*call)[::2] == (0, "".join(told))
    Path("grid.yaml").write_text("references: [1, all]\ntokenizer: [13a]\nsmoothing: [exp]\n")
    assert run(*call)[::2] == (0, "")


def test_a_report_of_one_system_tells_how_far_its_score_moves(run):
    code, output, messages = run("report", *TEXT[:4], "--system", TEXT[5], "--results", "kept", "--output", "r.html")
    assert (code, messages) == (0, "")
    told = output.splitlines()[1].removeprefix("How far does the score move? From ")
    low, _, rest = told.partition(" to ")
    scores = read_table(Path("kept/grid.csv"))["score"]
    assert (low, rest[:6]) == (f"{scores.min():.4f}", f"{scores.max():.4f}")
    page = Path("r.html").read_text(encoding="utf-8")
    assert f"<strong>From {low} to {rest[:6]}</strong>" in page
    assert not re.search(
        r"\bnan\b", re.sub(r"<style>.*?</style>|data:[^\"]*", "", page, flags=re.DOTALL), re.IGNORECASE
    )


def test_a_baseline_that_a_study_names_is_told_as_its_own(run):
    lines = [f"study: own\nreferences: {TEXT[1]}\nsystems:\n  - {{name: A, captions: {TEXT[1]}}}\n"]
    lines.append("grid: {tokenizer: [13a], smoothing: [exp], case: [cased], reference_length: [closest]}\n")
    for baseline, told in (("{}", SACREBLEU_WORDS), ("{case: lower}", "the one that my.yaml names")):
        Path("my.yaml").write_text("".join([*lines, f"baseline: {baseline}\n"]))
        output = run("report", "--config", "my.yaml", "--output", "r.html")[1]
        assert output.splitlines()[-1] == f"The baseline is {told}."


def test_draws_that_are_too_few_for_holm_are_refused_before_anything_is_written(run):
    files = ", ".join(f"{{name: {name}, captions: {DATA / name}.txt}}" for name in NAMES)
    config = f"study: own\nreferences: {TEXT[1]}\nsystems: [{files}]\nsignificance: {{correction: holm}}\n"
    Path("my.yaml").write_text(config)
    # One number of references, 3 lengths, 2 cases, 4 tokenizers, 4 smoothings, 2 aggregations; 3 pairs.
    told = "1000 draws can never reach the level 0.05 after holm over 576 comparisons; give 23040 or more"
    for command in (["check"], ["report", "--results", "kept", "--output", "r.html"]):
        code, output, messages = run(*command, "--config", "my.yaml")
        assert (code, output) == (1, "")
        assert told in messages
    assert list(map(str, Path().iterdir())) == ["my.yaml"]
    Path("my.yaml").write_text(config.replace("holm", "holm, bootstrap: 23040"))
    assert run("check", "--config", "my.yaml")[0] == 0


def test_a_report_takes_no_input_s_place_and_no_study_of_scenes(run):
    Path("r.txt").write_bytes(gzip.decompress(gzip.compress(b"a\n")))
    assert (
        "is one of the inputs" in run("report", "--references", "r.txt", "--system", "A=r.txt", "--output", "r.txt")[2]
    )
    os.chdir(ROOT)
    code, _, messages = run("report", "--config", "config/config.yaml", "--output", "/nowhere/x.html")
    assert (code, "is a study of scenes; run it with snakemake" in messages) == (1, True)


CONFIG = """study: own
references: r.txt
systems: [{name: A, captions: s.txt}]
significance: {strata: strata.csv}
claims: claims.yaml
"""


@pytest.mark.parametrize("name", ["r.txt", "s.txt", "strata.csv", "claims.yaml", "my.yaml"])
def test_no_output_takes_the_place_of_a_file_that_a_study_names(run, name):
    files = {"r.txt": "a b\n" * 10, "s.txt": "a c\n" * 10, "my.yaml": CONFIG, "claims.yaml": "[]\n"}
    files["strata.csv"] = "image_id,stratum\n" + "".join(f"{n},{'xy'[n % 2]}\n" for n in range(1, 11))
    for each, content in files.items():
        Path(each).write_text(content)
    Path("link.html").symlink_to(name)
    for output in (name, "link.html"):
        code, _, messages = run("report", "--config", "my.yaml", "--output", output)
        assert (code, messages) == (1, f"manybleus: {output} is one of the inputs; give --output another name\n")
    assert {each: Path(each).read_text() for each in files} == files


@pytest.mark.parametrize("place", ["grid.csv", "tables/x.csv", "figures/lengths.csv", "captions/remarks.csv"])
def test_no_result_takes_the_place_of_an_input(run, place):
    table = Path("kept") / place
    table.parent.mkdir(parents=True)
    as_table(table, ",")
    Path("link").symlink_to("kept")
    before = table.read_bytes()
    for folder in ("kept", "link"):
        code, _, messages = run("report", "--table", str(table), "--results", folder, "--output", "r.html")
        assert (code, messages) == (
            1,
            f"manybleus: {table} is one of the inputs, and among the results; give --results another folder\n",
        )
    assert table.read_bytes() == before
    assert not Path("r.html").exists()


def test_two_runs_do_not_mix_their_results(run):
    with alone_in(Path("kept")):
        code, _, messages = run("report", *TEXT, "--results", "kept", "--output", "r.html")
    assert (code, messages) == (1, "manybleus: kept: another run writes there; wait for it, or give another folder\n")
    assert not Path("r.html").exists()
    assert list(Path("kept").iterdir()) == []


def test_a_folder_of_results_used_again_tells_of_the_new_captions_alone(run):
    Path("grid.yaml").write_text("tokenizer: [13a]\nsmoothing: [exp]\naggregation: [corpus]\nreferences: [all]\n")
    command = ("report", "--grid", "grid.yaml", "--results", "kept", "--output", "r.html")
    assert run(*command, *TEXT)[0] == 0
    mine = Path("kept/notes.csv")
    mine.write_text("my own\n", encoding="utf-8")
    assert Path("kept/pairs.csv").is_file()
    assert run(*command, *TEXT[:6])[0] == 0
    assert {path.name for path in Path("kept").glob("*.csv")} == {
        *("crosscheck.csv", "flips.csv", "gap.csv", "grid.csv", "ngrams.csv"),
        mine.name,
    }


@pytest.mark.parametrize("place", ["a reference", "a system", "the grid"])
def test_a_pipe_is_refused_since_it_is_read_twice(run, place):
    os.mkfifo("pipe.txt")
    Path("grid.yaml").write_text("tokenizer: [13a]\n")
    given = {"a reference": str(DATA / "reference_1.txt"), "a system": str(DATA / "plain.txt"), "the grid": "grid.yaml"}
    given[place] = "pipe.txt"
    paths = ("--references", given["a reference"], "--system", f"A={given['a system']}", "--grid", given["the grid"])
    told = "manybleus: pipe.txt: is no file, and a report reads its inputs twice; write it to a file first\n"
    assert run("report", *paths, "--output", "r.html") == (1, "", told)
    assert not Path("r.html").exists()


@pytest.mark.parametrize("command", ["grid", "report"])
def test_no_output_takes_the_place_of_a_grid_s_file(run, command):
    Path("grid.yaml").write_text("smoothing: [exp]\n")
    code, _, messages = run(command, *TEXT, "--grid", "grid.yaml", "--output", "./grid.yaml")
    assert (code, messages) == (1, "manybleus: grid.yaml is one of the inputs; give --output another name\n")
    assert Path("grid.yaml").read_text() == "smoothing: [exp]\n"


@pytest.mark.parametrize("output", [".", "t.csv/r.html", "nowhere/r.html"])
def test_a_report_that_cannot_be_written_is_told(run, output):
    Path("t.csv").touch()
    Path("grid.yaml").write_text("tokenizer: [13a]\nsmoothing: [exp]\nreference_length: [closest]\n")
    code, _, messages = run("report", "--references", *TEXT[1:2], *TEXT[4:6], "--grid", "grid.yaml", "--output", output)
    assert code == 1
    assert "cannot be written" in messages
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--references", "r.txt"],
        ["check", "--table", "t.csv", "--config", "c.yaml"],
        ["check", *TEXT, "--table", "t.csv"],
        ["check", *TEXT, "--missing", "skip"],
        ["check", *TEXT, "--output", "r.html"],
        ["report", *TEXT],
        ["report", "--config", "c.yaml", "--grid", "g.yaml", "--output", "r.html"],
        ["report", "--config", "c.yaml", "--missing", "empty", "--output", "r.html"],
        ["check", "--config", "c.yaml", "--missing", "error"],
        ["score", *TEXT, "--config", "c.yaml"],
    ],
    ids=lambda arguments: " ".join(map(os.path.basename, arguments)),
)
def test_a_wrong_call_is_refused_with_its_usage(run, arguments):
    code, output, messages = run(*arguments)
    assert (code, output) == (2, "")
    assert messages.startswith("usage: manybleus")


def test_the_help_of_each_command_has_examples(run):
    for command in ("score", "grid", "check", "report"):
        code, output, _ = run(command, "--help")
        assert code == 0
        assert f"examples:\n  manybleus {command} " in output

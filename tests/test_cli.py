"""The command line: files and choices in, scores out, and every problem in plain words."""

import gzip
import json
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, command_line

from manybleus import __version__
from manybleus.analysis.orders import ranking_counts, rankings_of
from manybleus.analysis.tables import grid_table
from manybleus.bleu import coco
from manybleus.bleu.configuration import AXES, Configuration, configurations
from manybleus.bleu.definition import AGGREGATIONS, sentence_statistics
from manybleus.bleu.scores import orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.bleu.tokens import tokenize, tokenize_all
from manybleus.captions import read_captions
from manybleus.config import read_axes
from manybleus.config_own import COCO_WORDS, SACREBLEU_WORDS, STUDY_BASELINE, STUDY_WORDS
from manybleus.files import read_table, write_table
from manybleus.replication import peers

TOLD = [
    ["A red circle, left of a square.", "A circle is left of a blue square."],
    ["The cat sat on the mat.", "There is a cat on the mat!"],
    ["two dogs", "Two dogs run"],
]
SAID = {
    "S1": ["a red circle left of a square", "The cat on the mat.", "two dogs run"],
    "long name": ["A circle is left of a square.", "a cat sat on the mat", "a dog"],
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Captions as COCO files and as text files, in the current folder."""
    monkeypatch.chdir(tmp_path)
    pairs = [(image, text) for image, texts in enumerate(TOLD) for text in texts]
    annotations = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(pairs)]
    Path("refs.json").write_text(json.dumps({"annotations": annotations}))
    for place in (0, 1):
        Path(f"ref{place}.txt").write_text("".join(f"{texts[place]}\n" for texts in TOLD))
    for name, texts in SAID.items():
        Path(f"{name}.json").write_text(json.dumps([{"image_id": i, "caption": t} for i, t in enumerate(texts)]))
        Path(f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    return tmp_path


@pytest.fixture
def run(files, capsys):
    """Run the command line; return its exit code, its output and its messages."""
    return command_line(capsys)


def systems(ending="json", names=tuple(SAID)):
    return [word for name in names for word in ("--system", f"{name}={name}.{ending}")]


COCO = ("--references", "refs.json", *systems())
TEXT = ("--references", "ref0.txt", "ref1.txt", *systems("txt"))


def scores(run, *arguments):
    """System -> score, and the signature."""
    code, output, messages = run("score", "--format", "json", *arguments)
    assert (code, messages) == (0, "")
    found = json.loads(output)["systems"]
    (signature,) = {each["signature"] for each in found}
    return {each["system"]: each["score"] for each in found}, signature


# --------------------------------------------------------------------------------------------------------------- score


def test_a_score_is_the_definition_s(run):
    expected = {}
    for system, texts in SAID.items():
        sentences = [
            sentence_statistics(tokenize(text, "lower", "split"), tokenize_all(told, "lower", "split"), "closest", 4)
            for text, told in zip(texts, TOLD, strict=True)
        ]
        expected[system] = AGGREGATIONS["corpus"](sentences)
    found, signature = scores(run, *COCO)
    assert found == expected
    digest = read_captions(Path("refs.json"), {"S1": Path("S1.json")}).digest
    assert signature == Configuration(**STUDY_BASELINE).signature(digest)


def test_text_shows_four_decimals_which_configuration_it_is_and_one_signature(run):
    for files, told in ((COCO, COCO_WORDS), (TEXT, SACREBLEU_WORDS)):
        found, signature = scores(run, *files)
        code, output, messages = run("score", *files)
        width = len("long name")
        assert output.splitlines() == [
            *(f"{name:{width}}  {value:.4f}" for name, value in found.items()),
            f"what --set does not name is as in {STUDY_WORDS}; manybleus report takes {told}",
            signature,
        ]
        assert (code, messages) == (0, "")


def test_nothing_is_said_of_other_choices_where_all_are_set(run):
    settings = [word for axis, choice in STUDY_BASELINE.items() for word in ("--set", f"{axis}={choice}")]
    assert "what --set does not name" not in run("score", *COCO, *settings)[1]
    assert "what --set does not name" in run("score", *COCO, *settings[2:])[1]


def test_a_score_over_1_is_told(run):
    """Smoothing 5 of a corpus whose unigrams outnumber its bigrams; see test_definition.py."""
    for file in ("long.ref", "long.txt"):
        Path(file).write_text("a\n" * 9 + "a b\n")
    words = ["--references", "long.ref", "--system", "A=long.txt", "--set", "max_order=2", "--set"]
    assert "chen-cherry-5: made for sentences" in run("score", *words, "smoothing=chen-cherry-5")[2]
    assert "made for sentences" not in run("score", *words, "smoothing=chen-cherry-3")[2]


def test_csv_holds_every_digit(run):
    found, signature = scores(run, *COCO)
    table = read_table(StringIO(run("score", "--format", "csv", *COCO)[1]))
    assert list(table.columns) == ["system", "score", "signature"]
    assert dict(zip(table["system"], table["score"], strict=True)) == found
    assert set(table["signature"]) == {signature}


def test_scores_are_those_of_sacrebleu_and_of_nltk(run):
    ours, _ = scores(run, *COCO, "--set", "smoothing=exp", "--set", "tokenizer=13a", "--set", "case=cased")
    for system, texts in SAID.items():
        assert ours[system] == pytest.approx(peers.sacrebleu_corpus(TOLD, texts) / 100, rel=1e-12)
    ours, _ = scores(run, *COCO, "--set", "tokenizer=kept", "--set", "case=cased", "--set", "max_order=2")
    told = [[text.split() for text in texts] for texts in TOLD]
    for system, texts in SAID.items():
        theirs = peers.nltk_corpus(told, [text.split() for text in texts], "none", max_order=2)
        assert ours[system] == pytest.approx(theirs, rel=1e-12)


SETTINGS = {
    "references": ("1", 1),
    "reference_length": ("longest", "longest"),
    "case": ("cased", "cased"),
    "tokenizer": ("zh", "zh"),
    "smoothing": ("add-k(0.5)", "add-k(0.5)"),
    "aggregation": ("weighted-mean-sentence", "weighted-mean-sentence"),
    "max_order": ("2", 2),
    "weights": ("0.5,0.25,0.25,0", (0.5, 0.25, 0.25, 0.0)),
    "effective_order": ("yes", True),
    "brevity_penalty": ("off", False),
}


@pytest.mark.parametrize("axis", AXES)
def test_every_axis_can_be_set(run, axis):
    text, choice = SETTINGS[axis]
    found, signature = scores(run, *COCO, "--set", f"{axis}={text}")
    captions = read_captions(Path("refs.json"), {name: Path(f"{name}.json") for name in SAID})
    cell = Configuration(**{**STUDY_BASELINE, axis: choice})
    counted = caption_statistics(captions, schemes([cell]), [cell.references], orders([cell]))
    assert found == {each.system: each.score for each in score(counted, [cell])}
    assert signature == cell.signature(captions.digest) != scores(run, *COCO)[1]


@pytest.mark.parametrize(
    ("text", "choice"), [("yes", "yes"), ("TRUE", "yes"), ("on", "yes"), ("no", "no"), ("False", "no"), ("off", "no")]
)
def test_switches_may_be_written_in_several_ways(run, text, choice):
    assert f"|eff:{choice}|" in scores(run, *COCO, "--set", f"effective_order={text}")[1]


# ---------------------------------------------------------------------------------------------------------------- files


def test_text_files_give_what_coco_s_files_give(run):
    assert scores(run, *TEXT)[0] == scores(run, *COCO)[0]


def test_one_text_file_gives_what_the_first_reference_gives(run):
    one = scores(run, "--references", "ref0.txt", *systems("txt"))[0]
    assert one == scores(run, *COCO, "--set", "references=1")[0]


def test_captions_in_a_text_file_are_those_of_coco_s_images_in_their_order(run):
    code, output, messages = run("score", "--references", "refs.json", *systems("txt"))
    assert (code, output) == run("score", *COCO)[:2]
    words = "its captions are lines of text without image ids: they are matched by the order of the images in the COCO"
    assert messages.splitlines() == [f"manybleus: warning: {name}: {words} annotations file" for name in SAID]


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b"\n", b"\r\n"),
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content.rstrip(b"\n"),
    ],
    ids=["CRLF", "byte order mark", "no line end at the end"],
)
def test_text_files_may_be_written_in_several_ways(run, files, change):
    expected = scores(run, *TEXT)
    for path in files.glob("*.txt"):
        path.write_bytes(change(path.read_bytes()))
    assert scores(run, *TEXT) == expected


def test_files_may_be_compressed(run, files):
    for path in [*files.glob("*.txt"), *files.glob("*.json")]:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert scores(run, "--references", "refs.json.gz", *systems("json.gz")) == scores(run, *COCO)
    assert scores(run, "--references", "ref0.txt.gz", "ref1.txt", *systems("txt.gz")) == scores(run, *TEXT)


def test_a_line_may_hold_what_other_programs_take_for_a_line_end(run, files):
    for path in files.glob("*.txt"):
        path.write_text(path.read_text().replace(" ", "\u2028\x0b ", 1), encoding="utf-8")
    assert scores(run, *TEXT)[0] == scores(run, *COCO)[0]


def test_images_with_fewer_references_are_told_beside_the_scores(run):
    content = json.loads(Path("refs.json").read_text())
    del content["annotations"][3]
    Path("refs.json").write_text(json.dumps(content))
    told = "manybleus: 1 of 3 images has fewer than 2 references and uses all it has.\n"
    code, output, messages = run("score", *COCO, "--set", "references=2", "--format", "json")
    assert (code, messages) == (0, told)
    assert [each["score"] for each in json.loads(output)["systems"]] == list(scores(run, *COCO)[0].values())
    Path("grid.yaml").write_text("references: [1, 2, all]\n")
    assert run("grid", *COCO, "--grid", "grid.yaml", "--output", "grid.csv")[2] == told
    assert run("grid", *COCO, "--output", "grid.csv")[2] == run("score", *COCO)[2] == ""


def test_a_tokenizer_that_stands_in_for_coco_s_is_told_beside_the_scores(run, monkeypatch):
    monkeypatch.setattr(coco, "_jar", lambda: None)
    told = "manybleus: tokenizer coco needs Java and pycocoevalcap: coco-python stands in, and the signatures say so\n"
    code, output, messages = run("score", *COCO, "--set", "tokenizer=coco")
    assert (code, messages) == (0, told)
    assert "coco-python" in output
    assert run("score", *COCO, "--set", "tokenizer=coco-python")[2] == ""


# ----------------------------------------------------------------------------------------------------------------- grid


def test_a_grid_without_a_file_is_the_study_s_with_the_references_that_there_are(run):
    code, output, messages = run("grid", *COCO, "--output", "grid.csv")
    assert (code, messages) == (0, "")
    axes = read_axes(None, [2, 2, 2])
    assert axes["references"] == [1, "all"]
    captions = read_captions(Path("refs.json"), {name: Path(f"{name}.json") for name in SAID})
    cells = configurations(axes)
    counted = caption_statistics(captions, schemes(cells), [cell.references for cell in cells], orders(cells))
    table = grid_table(score(counted, cells), captions.digest)
    write_table(Path("expected.csv"), table)
    assert Path("grid.csv").read_bytes() == Path("expected.csv").read_bytes()
    assert output.splitlines()[0] == f"{len(cells)} configurations in grid.csv."


def test_a_grid_has_the_columns_of_the_study_s(run, results):
    run("grid", *COCO, "--output", "grid.csv")
    assert Path("grid.csv").read_text().partition("\n")[0] == results["grid.csv"].partition("\n")[0]


def counted_rankings(names):
    scores = read_table(Path("grid.csv"))["score"].to_numpy().reshape(-1, len(names))
    return ranking_counts(scores, rankings_of(scores, names, 1e-12))


def test_rankings_are_counted_below_a_grid_and_held_against_the_baseline_s(run):
    data = ROOT / "config/examples/data"
    names = ("concise", "detailed", "formula")
    files = ["--references", f"{data}/references.json"]
    files += [word for name in names for word in ("--system", f"{name}={data}/{name}.json")]
    output = run("grid", *files, "--output", "grid.csv")[1]
    counts = counted_rankings(names)
    *lines, answer, baseline = output.splitlines()[1:]
    told = [line.split(maxsplit=3) for line in lines]
    assert [(each[0], each[3]) for each in told] == [(str(row.cells), row.ranking) for row in counts.itertuples()]
    distinct = [int(each[1].removeprefix("(")) for each in told]
    grid = read_table(Path("grid.csv"))
    assert sum(distinct) == len({tuple(row) for row in grid["score"].round(9).to_numpy().reshape(-1, 3)})
    found, _ = scores(run, *files)
    held = " > ".join(sorted(found, key=found.get, reverse=True))
    # The baseline's is not the most frequent one here, so that the two cannot be mixed up.
    assert held != counts["ranking"][0]
    others = counts["ranking"] != held
    count = f"{counts['cells'][others].sum()} of {counts['cells'].sum()} configurations"
    count += f" ({sum(np.array(distinct)[others])} of {sum(distinct)} distinct)"
    words = "The ranking depends on the configuration: "
    assert answer == f"{words}{count} have another one than the baseline, {held}."
    assert baseline == f"The baseline is {STUDY_WORDS}; manybleus report takes {COCO_WORDS}."
    Path("grid.yaml").write_text("smoothing: [exp, add-1]\n")
    output = run("grid", *files, "--grid", "grid.yaml", "--output", "grid.csv")[1]
    counts = counted_rankings(names)
    count = f"{counts['cells'][1:].sum()} of {counts['cells'].sum()} configurations"
    answer = output.splitlines()[-1]
    assert answer.startswith(f"{words}{count} (")
    assert answer.endswith(f" distinct) have another one than most of them, {counts['ranking'][0]}.")


def test_one_ranking_everywhere_is_told(run):
    output = run("grid", "--references", "refs.json", *systems(names=["S1"]), "--output", "grid.csv")[1]
    assert output.splitlines()[1:] == ["There is one system, so there is nothing to rank: give two or more."]
    Path("grid.yaml").write_text(
        "tokenizer: [13a]\nsmoothing: [exp]\ncase: [lower]\nreferences: [1]\nreference_length: [closest]\n"
        "aggregation: [corpus]\n"
    )
    output = run("grid", *COCO, "--grid", "grid.yaml", "--output", "grid\x1b[31m.csv")[1]
    assert output.splitlines()[0] == "1 configuration in grid\\x1b[31m.csv."
    assert output.splitlines()[-1] == "The ranking is the same under every configuration."


def test_a_file_s_axes_take_the_place_of_the_study_s(run):
    Path("grid.yaml").write_text("smoothing: [exp]\nweights: [uniform, [0.5, 0.5]]\nmax_order: [2]\nreferences: [2]\n")
    code, _, messages = run("grid", *COCO, "--grid", "grid.yaml", "--output", "grid.csv")
    assert (code, messages) == (0, "")
    table = read_table(Path("grid.csv"))
    assert set(table["weights"]) == {"uniform", "0.5,0.5"}
    assert (set(table["smoothing"]), set(table["max_order"]), set(table["references"])) == ({"exp"}, {2}, {2})
    assert len(table) == len(SAID) * 2 * 3 * 2 * 3 * 2
    halves = table.pivot_table(index=[*table.columns[:6], "system"], columns="weights", values="score")
    pd.testing.assert_series_equal(halves["uniform"], halves["0.5,0.5"], check_names=False)


# -------------------------------------------------------------------------------------------------------- what is wrong


def refused(run, *arguments, code=1):
    """The messages of a refusal, which prints nothing else."""
    found, output, messages = run(*arguments)
    assert (found, output) == (code, "")
    assert "Traceback" not in messages
    return messages


def test_all_problems_of_the_captions_come_together(run):
    Path("S1.json").write_text('[{"image_id": 0, "caption": 5}, {"image_id": 9, "caption": "x"}]')
    Path("long name.json").write_text("{")
    messages = refused(run, "score", *COCO)
    assert messages.startswith("manybleus: the caption files do not fit together: 4 problems\n")
    for words in ("item 0: image_id 0: the caption is 5", "image_id 9 is not among", "no caption for 2 of 3", "JSON"):
        assert messages.count(words) == 1


@pytest.mark.parametrize("command", [["score"], ["grid", "--output", "grid.csv"]])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a\nb\n", "has 2 lines, and the references 3 segments"),
        ("", "is empty"),
        (None, "cannot be read"),
        ("a\0\nb\nc\n", "line 1 holds a NUL"),
    ],
)
def test_text_files_that_do_not_fit_are_named(run, command, content, words):
    Path("S1.txt").unlink() if content is None else Path("S1.txt").write_text(content)
    messages = refused(run, *command, *TEXT)
    assert f"S1.txt: {words}" in messages
    assert not Path("grid.csv").exists()


def test_reference_files_of_different_lengths_are_named(run):
    Path("ref1.txt").write_text("a\n")
    assert "ref0.txt has 3, ref1.txt has 1" in refused(run, "score", *TEXT)


def test_coco_s_references_come_alone(run):
    assert "give one COCO annotations file" in refused(
        run, "score", "--references", "refs.json", "ref0.txt", *systems()
    )


@pytest.mark.parametrize("command", ["score", "grid"])
def test_a_device_without_an_end_is_no_file(run, command):
    words = ["score"] if command == "score" else ["grid", "--output", "grid.csv", "--grid", "/dev/zero"]
    messages = refused(run, *words, "--references", "/dev/zero", "--system", "A=/dev/zero")
    assert "/dev/zero: cannot be read (it is a device, not a file)" in messages


def test_a_file_that_is_no_gzip_is_named(run):
    Path("refs.json.gz").write_text("{}")
    assert "refs.json.gz: cannot be read" in refused(run, "score", "--references", "refs.json.gz", *systems())


def test_a_system_named_twice_is_refused(run):
    assert "system S1 is named twice" in refused(run, "score", *COCO, "--system", "S1=S1.json")


def test_more_references_than_there_are_are_refused(run):
    assert "references: 3 are asked for; valid is 1 to 2" in refused(run, "score", *COCO, "--set", "references=3")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("smoothing=add1", "smoothing: 'add1' is not one of none, add-1"),
        ("smoothing=add-k(0)", "smoothing: 'add-k(0)' is not one of"),
        ("smoothing=floor(1e306)", "add-k(0.5), floor(0.5); the number is from 1e-100 to 1e+100"),
        ("weights=1e308,1e308,0,0", "weights are not negative and sum to 1, unlike (1e+308, 1e+308, 0, 0)"),
        ("references=0", "references: 0 is not a whole number from 1 or 'all'"),
        ("max_order=four", "max_order: 'four' is not a whole number from 1"),
        ("weights=1,1,1,1", "the uniform ones are (1/4, 1/4, 1/4, 1/4)"),
        ("weights=0.5,0.5", "2 weights for max_order 4; give one for each order"),
        ("weights=a,b", "weights: 'a,b' is not uniform or a list of one weight for each order"),
        ("brevity_penalty=perhaps", "brevity_penalty: 'perhaps' is not yes or no"),
        ("references=" + "7" * 5000, f"references: '{'7' * 60} ... (5,000 characters)' is too long for a choice"),
        ("smoothing=" + "x" * 5000, f"smoothing: '{'x' * 60} ... (5,000 characters)' is too long for a choice"),
        ("weights=" + "7" * 5000, f"weights: '{'7' * 60} ... (5,000 characters)' is too long for a choice"),
        ("x" * 5000, f"'{'x' * 60} ... (5,000 characters)' is not AXIS=CHOICE"),
        ("case=", "case: '' is not one of lower, cased"),
    ],
)
def test_a_choice_that_does_not_exist_is_a_wrong_call(run, setting, words):
    messages = refused(run, "score", *COCO, "--set", setting, code=2)
    assert messages.startswith("usage: manybleus score")
    assert words in messages.rpartition("manybleus score: error: ")[2]


def test_weights_may_be_written_as_yaml_writes_a_list(run):
    two = ("--set", "max_order=2", "--set")
    assert scores(run, *COCO, *two, "weights=[0.25, 0.75]") == scores(run, *COCO, *two, "weights=0.25,0.75")


def test_an_axis_that_is_set_twice_is_a_wrong_call(run):
    for second in ("none", "exp"):
        settings = ("--set", "smoothing=exp", "--set", "case=cased", "--set", f"smoothing={second}")
        messages = refused(run, "score", *COCO, *settings, code=2)
        assert messages.startswith("usage: manybleus score")
        assert messages.endswith("manybleus score: error: argument --set: smoothing is set twice; keep one\n")


def test_choices_of_one_call_are_not_those_of_the_next(run):
    assert scores(run, *COCO, "--set", "case=cased")[1] == scores(run, *COCO, "--set", "case=cased")[1]
    assert "|case:lower|" in scores(run, *COCO)[1]


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        ("smoothing: [add1]\ncase: lower\n", ["smoothing: 'add1' is not one of", "case: 'lower' is not a list"]),
        ("smoothing: [add1]\ncase: [upper]\n", ["smoothing: 'add1' is not one of", "case: 'upper' is not one of"]),
        ("smoothing: []\nsmothing: [exp]\n", ["smoothing: [] has a length of 0", "did you mean 'smoothing'?"]),
        ("max_order: [4, 4]\n", ["max_order: 4 stands there twice"]),
        ("case: [lower]\ncase: [cased]\n", ["case: stands twice, in lines 1 and 2"]),
        ("weights: [[1, 1]]\nmax_order: [2]\n", ["the uniform ones are (1/2, 1/2)"]),
        ("case: [lower\n", ["is not YAML"]),
        ("- case\n", ["is not a mapping"]),
        ("", ["the file is empty; expected keys such as references"]),
        ("{}\n", ["the file is empty; expected keys such as references"]),
        (None, ["cannot be read"]),
    ],
)
def test_mistakes_in_a_grid_file_are_named_together(run, content, problems):
    if content is not None:
        Path("grid.yaml").write_text(content)
    messages = refused(run, "grid", *COCO, "--grid", "grid.yaml", "--output", "grid.csv")
    assert "grid.yaml" in messages
    assert [words for words in problems if words not in messages] == []
    assert not Path("grid.csv").exists()


def test_weights_that_fit_no_order_are_refused(run):
    Path("grid.yaml").write_text("weights: [[0.5, 0.5]]\n")
    messages = refused(run, "grid", *COCO, "--grid", "grid.yaml", "--output", "grid.csv")
    assert "weights: a list of 2 weights fits no order of max_order, 4" in messages


def test_orders_that_no_weights_fit_are_refused(run):
    Path("grid.yaml").write_text("max_order: [1, 2, 3, 4]\nweights: [[0.1, 0.2, 0.3, 0.4]]\n")
    messages = refused(run, "grid", *COCO, "--grid", "grid.yaml", "--output", "grid.csv")
    assert "max_order: no weights fit 1, 2, 3; add uniform to weights, or take these orders out" in messages


@pytest.mark.parametrize("output", [".", "refs.json/grid.csv", "folder", "nowhere/grid.csv", "no/where/grid.csv"])
def test_an_output_that_cannot_be_written_is_refused(run, output):
    Path("folder").mkdir()
    messages = refused(run, "grid", *COCO, "--output", output)
    assert output.partition("/")[0] in messages
    assert "cannot be written" in messages
    assert not Path("nowhere").exists()
    assert not Path("no").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["rank"],
        ["score"],
        ["score", "--references", "refs.json"],
        ["score", *systems()],
        ["score", *COCO, "--system", "S1"],
        ["score", *COCO, "--system", "=S1.json"],
        ["score", *COCO, "--set", "smoothing"],
        ["score", *COCO, "--set", "smooth=exp"],
        ["score", *COCO, "--format", "xml"],
        ["score", *COCO, "--grid", "grid.yaml"],
        ["grid", *COCO],
        ["grid", *COCO, "--output", "grid.csv", "--set", "case=cased"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_refused_with_its_usage(run, arguments):
    assert refused(run, *arguments, code=2).startswith("usage: manybleus")


def test_the_version_and_the_help_are_told(run):
    assert run("--version") == (0, f"manybleus {__version__}\n", "")
    for command in ([], ["score"], ["grid"]):
        code, output, messages = run(*command, "--help")
        assert (code, messages) == (0, "")
        assert output.startswith("usage: manybleus")
    assert all(axis in run("score", "--help")[1] for axis in AXES)


def test_the_package_runs_as_the_command(files):
    command = [sys.executable, "-m", "manybleus", "score", "--references", "refs.json", "--system", "A=S1.json"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0
    assert ran.stdout.startswith("A  ")
    ran = subprocess.run(command[:-1], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr.startswith("usage: manybleus score ")


def test_the_command_is_installed_and_stays_quiet_when_nobody_listens(files):
    command = [str(Path(sys.executable).with_name("manybleus")), "score", *COCO]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1].startswith("refs:all|")
    listener = subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE)
    listener.wait()
    ran = subprocess.run(command, stdout=listener.stdin, stderr=subprocess.PIPE, text=True)
    listener.stdin.close()
    assert (ran.returncode, ran.stderr) == (128 + signal.SIGPIPE, "")


INTERRUPTED = """
import builtins, os, signal, sys
# Who starts the tests in the background has them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
plain = builtins.__import__
def noticed(name, *more, **named):
    if name == "{module}":
        os.kill(os.getpid(), signal.SIGINT)
    return plain(name, *more, **named)
builtins.__import__ = noticed
from manybleus.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("module", ["manybleus.cli_scores", "numpy", "manybleus.analysis.tables", "pandas"])
def test_an_interrupt_ends_with_one_line_even_while_modules_are_imported(files, module):
    command = [sys.executable, "-c", INTERRUPTED.format(module=module), "grid", *COCO, "--output", "grid.csv"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "manybleus: interrupted\n")
    assert not Path("grid.csv").exists()


@pytest.mark.parametrize(
    ("closed", "shown", "arguments", "code"),
    [
        (">&-", "manybleus: the output cannot be written (Bad file descriptor)", ["score", *COCO], 1),
        (">&-", "manybleus: the output cannot be written (Bad file descriptor)", ["--version"], 1),
        ("2>&-", "S1", ["score", *COCO], 0),
        (">&- 2>&-", "", ["grid", *COCO, "--output", "grid.csv"], 1),
        (">&-", "manybleus: the caption files do", ["score", "--references", "refs.json", "--system", "A=no.json"], 1),
        ("2>&-", "", ["score", "--references", "refs.json", "--system", "A=no.json"], 1),
        ("2>&-", "", ["score"], 2),
    ],
)
def test_a_stream_that_is_closed_is_not_written_to(files, closed, shown, arguments, code):
    command = str(Path(sys.executable).with_name("manybleus"))
    ran = subprocess.run(["sh", "-c", f'"$0" "$@" {closed}', command, *arguments], capture_output=True, text=True)
    assert ran.returncode == code
    assert (ran.stdout + ran.stderr).startswith(shown)
    assert shown or ran.stdout + ran.stderr == ""
    assert Path("grid.csv").exists() == ("grid.csv" in arguments)

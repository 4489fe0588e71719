"""Whatever a user hands in: a clear error or a right result, never a traceback, a hang or a partial result."""

import copy
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
import yaml
from helpers import CONFIG, SOURCE, alarm
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import texts

from manybleus.bleu.configuration import AXES, options
from manybleus.captions.names import name_problems
from manybleus.cli import main
from manybleus.config import Study, check_study, read_study, table_file
from manybleus.errors import ManybleusError
from manybleus.yaml_files import read_yaml

SCHEMA = yaml.safe_load((SOURCE / "config.schema.yaml").read_text(encoding="utf-8"))
PLAIN = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
TEXT = CONFIG.read_text(encoding="utf-8")
HANG = 30
pytestmark = pytest.mark.fuzz
fuzz = settings(settings.get_profile("fuzz"), deadline=None)


@pytest.fixture(scope="module", autouse=True)
def _in_a_folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("fuzz"))
        Path("config").mkdir()
        Path(PLAIN["claims"]).write_text("", encoding="utf-8")
        yield


def no_hang():
    """Fail where something takes far longer than any of these inputs can need."""
    return alarm(HANG)


def tried(function, *arguments):
    """What a function returns, or None where it refuses with words: a heading, and a line for each problem."""
    refused = None
    with no_hang():
        try:
            return function(*arguments)
        except ManybleusError as error:
            refused = str(error)
    heading, *lines = refused.split("\n")
    assert heading.strip()
    assert all(line.startswith("  - ") and len(line) > 8 for line in lines), refused
    return None


# -------------------------------------------------------------------------------------------------------- configuration

WORDS = [*SCHEMA["properties"], *AXES, *(name for axis in AXES for name in options(axis)), "S1", "G", "all", "parity"]
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10)
    | st.integers()
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=6)
    | st.sampled_from(["../../x", "/tmp/x", "a/b", "..", ".", "", "x\n", "\0", "\ud800", "floor(0.1)", "add-0", "$(x)"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4) | scalars, inner)
    ),
    max_leaves=8,
)


def places(value, path=()):
    """The paths of everything in a configuration."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


PLACES = sorted(places(PLAIN), key=str)


@st.composite
def configs(draw, base=PLAIN):
    """A configuration that is valid but for one to four places."""
    config = copy.deepcopy(base)
    for path in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4)):
        change = draw(st.sampled_from(["replace", "remove", "add"]))
        parent, target = None, config
        try:
            for key in path:
                parent, target = target, target[key]
        except (KeyError, IndexError, TypeError):
            continue
        if parent is None:
            continue
        if change == "replace":
            parent[path[-1]] = draw(values)
        elif change == "remove":
            del parent[path[-1]]
        elif isinstance(parent, list):
            parent.append(draw(values))
        else:
            parent[draw(st.sampled_from(WORDS))] = draw(values)
    return config


@fuzz
@given(configs() | values)
def test_a_configuration_is_a_study_or_refused_with_words(config):
    study = tried(check_study, config)
    if study is not None:
        assert isinstance(study, Study)
        assert set(study.axes) == set(AXES)
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", study.name)


@fuzz
@given(
    st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=20) | st.sampled_from(["&a ", "*a", "<<: *a", "!!"])
)
def test_a_damaged_yaml_file_is_a_study_or_refused_with_words(at, length, text):
    Path("damaged.yaml").write_bytes((TEXT[:at] + text + TEXT[at + length :]).encode("utf-8", "surrogatepass"))
    assert isinstance(tried(read_study, Path("damaged.yaml")), Study | None)


@fuzz
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"!!python/object/apply:os.system ['touch executed']")
@example(b"? [a]\n: b")
@example(b"{[]: 1}")
@example(b"2001-99-99")
@example(b"0b")
@example(b'"\\ud800": 1')
def test_any_bytes_are_yaml_or_refused_with_words(content):
    Path("any.yaml").write_bytes(content)
    assert tried(read_study, Path("any.yaml")) is None
    assert not Path("executed").exists()


BOMB = "\n".join(f"a{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]" for n in range(12))
MERGED = "\n".join(
    f"a{n + 1}: &a{n + 1} {{{', '.join(f'k{n}{i}: 0' for i in range(9))}, <<: [{', '.join([f'*a{n}'] * 9)}]}}"
    for n in range(12)
)


@pytest.mark.parametrize("text", [f"a0: &a0 [x]\n{BOMB}", "a: &a [*a]", "&a {b: *a}"])
@pytest.mark.parametrize("read", [read_yaml, read_study])
def test_a_bomb_of_aliases_is_refused_at_once(text, read):
    Path("bomb.yaml").write_text(text, encoding="utf-8")
    with no_hang(), pytest.raises(ManybleusError, match="fewer aliases"):
        read(Path("bomb.yaml"))


def test_a_bomb_of_merged_mappings_is_read_or_refused_at_once():
    Path("bomb.yaml").write_text(f"a0: &a0 {{x: y}}\n{MERGED}", encoding="utf-8")
    assert tried(read_study, Path("bomb.yaml")) is None


def test_a_configuration_that_holds_itself_is_refused():
    """As Snakemake hands it on, which reads the file itself."""
    config = dict(PLAIN)
    config["tables"] = [config]
    with no_hang(), pytest.raises(ManybleusError, match="aliases"):
        check_study(config)


def test_an_alias_is_no_mistake():
    text = TEXT.replace("references: [1, 2, 4, 8]", "references: &counts [1, 2, 4, 8]")
    Path("alias.yaml").write_text(text, encoding="utf-8")
    assert read_study(Path("alias.yaml")).axes["references"] == (1, 2, 4, 8)


names = st.text(max_size=8) | st.lists(st.sampled_from(["..", "/", "a", "-", "\\", "\0", "~", "\n", " "])).map("".join)


@fuzz
@given(names, names)
def test_no_name_of_a_study_or_table_leads_out_of_the_results(study, table):
    config = {**copy.deepcopy(PLAIN), "study": study}
    config["tables"][0]["name"] = table
    made = tried(check_study, config)
    if made is None:
        return
    results = Path("results").resolve()
    folder = (results / made.name).resolve()
    assert folder.parent == results
    assert (folder / table_file(made.tables[0].name)).resolve().parent == folder / "tables"


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "a/../../b", "..", ".", "-x", "x/", "x\n", "\u0130/x", "a b"])
def test_a_study_that_would_leave_the_results_is_refused(name):
    with pytest.raises(ManybleusError, match="study: "):
        check_study({**PLAIN, "study": name})


@fuzz
@given(names)
def test_no_name_of_a_system_leads_out_of_its_folder(name):
    if [*name_problems([name])]:
        return
    folder = Path("results/own/captions").resolve()
    assert (folder / f"{name}.json").resolve().parent == folder


# ------------------------------------------------------------------------------------------------------------- captions


def call(*arguments):
    """Call the command line: it ends with 0 and a result, which is returned, or with 1, a clear error and no result."""
    with no_hang(), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(arguments)
    assert "Traceback" not in err.getvalue()
    if code == 0:
        return out.getvalue()
    assert code == 1
    assert err.getvalue().startswith("manybleus: ")
    assert out.getvalue() == ""
    return None


ids = st.integers(0, 3) | st.sampled_from(["0", "1", "a", ""]) | scalars
captions = texts | scalars
images = st.fixed_dictionaries({"id": ids}) | values
annotations = st.fixed_dictionaries({"image_id": ids, "id": st.integers(0, 9), "caption": captions}) | values
references = st.fixed_dictionaries({"annotations": st.lists(annotations, max_size=5)}) | st.fixed_dictionaries(
    {"images": st.lists(images, max_size=4), "annotations": st.lists(annotations, max_size=6)}
)
results = st.lists(st.fixed_dictionaries({"image_id": ids, "caption": captions}) | values, max_size=5)
sound = st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=3)


@fuzz
@given(references | values, results | values, st.sampled_from(["error", "empty"]))
def test_coco_files_are_scored_or_refused_with_words(told, said, missing):
    Path("references.json").write_text(json.dumps(told, default=str), encoding="utf-8")
    Path("system.json").write_text(json.dumps(said, default=str), encoding="utf-8")
    files = ("--references", "references.json", "--system", "A=system.json", "--missing", missing)
    check_scores(*files)


@fuzz
@given(st.binary(max_size=80), st.binary(max_size=80), st.sampled_from(["json", "txt", "json.gz", "txt.gz"]))
def test_files_of_any_bytes_are_scored_or_refused_with_words(told, said, ending):
    Path(f"r.{ending}").write_bytes(told)
    Path(f"s.{ending}").write_bytes(said)
    check_scores("--references", f"r.{ending}", "--system", f"A=s.{ending}")


cells = (
    st.sampled_from(["image_id", "reference", "reference_1", "A", "B", "=1+1", '"', '"x', ",", "\t", "a\nb", ""])
    | texts
)
rows = st.lists(st.lists(cells, max_size=4), max_size=4)


@fuzz
@given(rows, st.sampled_from([",", "\t"]), st.booleans(), st.sampled_from(["csv", "tsv"]))
def test_tables_are_scored_or_refused_with_words(table, mark, quoted, ending):
    shown = [[json.dumps(cell) if quoted else cell for cell in row] for row in [["reference", "A"], *table]]
    text = "\n".join(mark.join(row) for row in shown)
    Path(f"t.{ending}").write_bytes(text.encode("utf-8", "surrogatepass"))
    check_scores("--table", f"t.{ending}")


@fuzz
@given(sound)
def test_sound_coco_files_are_scored(rows):
    told = [{"image_id": i, "id": 2 * i + j, "caption": row[j]} for i, row in enumerate(rows) for j in (0, 1)]
    said = [{"image_id": i, "caption": row[2]} for i, row in enumerate(rows)]
    clean = not any("\0" in text or re.search("[\ud800-\udfff]", text) for row in rows for text in row)
    Path("references.json").write_text(json.dumps({"annotations": told}), encoding="utf-8")
    Path("system.json").write_text(json.dumps(said), encoding="utf-8")
    assert (check_scores("--references", "references.json", "--system", "A=system.json") is not None) == clean


def check_scores(*files):
    """Score one configuration and check the files: both end the same way, and scores are between 0 and 1."""
    told = call("score", *files, "--format", "json")
    for found in json.loads(told)["systems"] if told else ():
        assert 0 <= found["score"] <= 1
    assert (call("check", *files) is None) == (told is None)
    return told

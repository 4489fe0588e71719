"""The architecture: data flows one way, and modules are small."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter

import pytest
from helpers import ROOT, SOURCE

# Stages in the order of the flow; a module may import from its own stage and from earlier ones.
STAGES = (
    ["manybleus", "arrays", "errors", "yaml_files", "text", "progress", "files", "job", "provenance", "sums"],
    ["shapes", "captions"],
    ["bleu"],
    ["config", "config_own", "config_problems", "corrections", "strata"],
    ["analysis"],
    ["replication"],
    ["drawing", "figures", "specification", "replication_figures"],
    ["report"],
    ["own"],
    ["__main__", "cli", "cli_inputs", "cli_own", "cli_scores"],
)
ORDER = {name: place for place, names in enumerate(STAGES) for name in names}
MODULES = {
    path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}
MODULES["manybleus"] = MODULES.pop("__init__")
READS_OR_WRITES = {"open", "print", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "urlopen"}
READS_OR_WRITES |= {"safe_load", "load", "read_csv", "listdir", "iterdir", "glob", "rglob", "run"}


def imports_of(module):
    """The package's modules that a module imports, at its head or within a function."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports by a relative name"
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.partition(".")[0] == "manybleus":
                inner = name.partition(".")[2]
                found |= {inner or "manybleus"} & MODULES.keys()
    packages = {name for name in found if MODULES[name].name == "__init__.py" and name != "manybleus"}
    return found - {name for name in packages if any(other.startswith(f"{name}.") for other in found)} - {module}


IMPORTS = {module: imports_of(module) for module in MODULES}


def stage(module):
    return module.partition(".")[0]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_comes_earlier(module):
    assert stage(module) in ORDER, f"{module} has no place in the flow: add it to STAGES"
    late = {each for each in IMPORTS[module] if ORDER[stage(each)] > ORDER[stage(module)]}
    assert late == set()


def test_the_architecture_tells_the_stages():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    (rows,) = re.findall(r"^\| stage .*\n\| :-- .*\n((?:\| .*\n)+)", text, re.MULTILINE)
    assert [re.findall(r"`(\w+)`", row.split("|")[2]) for row in rows.splitlines()] == [*STAGES]


def test_every_module_of_a_package_is_told_once():
    """In the README, if it holds a part of the study's method, else in the architecture."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/architecture.md"))
    tables = "\n".join(line for line in text.splitlines() if line.startswith("| "))
    inner = [path.relative_to(SOURCE) for path in MODULES.values() if path.parent != SOURCE]
    modules = [path.as_posix() for path in inner if path.name != "__init__.py"]
    assert sorted(re.findall(r"[`[](\w+/\w+\.py)[`\]]", tables)) == sorted(modules)


@pytest.mark.parametrize("module", [name for name in MODULES if stage(name) == "shapes"])
def test_shapes_know_nothing_of_captions_and_bleu(module):
    assert {stage(each) for each in IMPORTS[module]} <= {"manybleus", "errors", "files", "shapes"}


@pytest.mark.parametrize("module", [name for name in MODULES if stage(name) in ("captions", "bleu", "analysis")])
def test_nothing_that_scores_knows_of_shapes(module):
    assert not {each for each in IMPORTS[module] if stage(each) == "shapes"}


@pytest.mark.parametrize("module", [name for name in MODULES if stage(name) == "report"])
def test_the_report_knows_only_results(module):
    assert not {each for each in IMPORTS[module] if stage(each) in ("shapes", "bleu") and each != "bleu.configuration"}


# Their tokenizers; sacreBLEU's are reached through its BLEU.
TOKENIZERS = {"bleu.coco": {"nltk.tokenize"}, "bleu.tokens": {"sacrebleu.metrics.bleu"}}


@pytest.mark.parametrize("module", [name for name in MODULES if name != "replication.peers"])
def test_other_tools_are_asked_for_scores_in_one_module(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    of_tools = {name for name in names if name.partition(".")[0] in {"nltk", "sacrebleu", "pycocoevalcap"}}
    assert of_tools == TOKENIZERS.get(module, set())


def test_no_module_imports_itself_by_way_of_others():
    list(TopologicalSorter(IMPORTS).static_order())


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(SOURCE.rglob("*")) if p.suffix in (".py", ".j2", ".css", ".js", ".yaml")],
    ids=lambda p: p.name,
)
def test_no_file_is_longer_than_400_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("module", MODULES)
def test_a_module_reads_and_writes_nothing_when_it_is_imported(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    waiting = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    called = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            called.add(getattr(node.func, "attr", getattr(node.func, "id", "")))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    assert not called & READS_OR_WRITES


def test_hot_modules_import_little():
    """Every job of the pipeline pays for what these import."""
    code = "import sys, manybleus.bleu.scores, manybleus.captions, manybleus.provenance; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pandas", "nltk", "sacrebleu", "matplotlib", "skimage", "yaml"} & set(loaded)

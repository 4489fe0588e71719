"""The notebooks: stored without outputs, and run by the workflow in an empty home."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_stored_without_outputs(notebook):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("cell", ["own", "captioner", "smoothing"])
def test_what_is_brought_along_takes_ten_lines(cell):
    cells = json.loads((ROOT / "notebooks" / "your_own.ipynb").read_text(encoding="utf-8"))["cells"]
    (source,) = (each["source"] for each in cells if each["id"] == cell)
    assert len([line for line in source if line.strip()]) <= 10


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> Path:
    """The folder of pages, made in a home that holds nothing but a kernel of the same name that does not work."""
    folder = tmp_path_factory.mktemp("project")
    for part in ("Snakefile", "environment.yml", "config", "workflow", "profiles", "notebooks"):
        (shutil.copytree if (ROOT / part).is_dir() else shutil.copy)(ROOT / part, folder / part)
    home = tmp_path_factory.mktemp("home")
    kernel = home / ".local/share/jupyter/kernels/python3/kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps({"argv": ["false"], "display_name": "not this one", "language": "python"}))
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "notebooks"]
    ran = subprocess.run(command, cwd=folder, env={**os.environ, "HOME": str(home)}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (made,) = folder.glob("results/*/notebooks")
    return made


@pytest.mark.workflow
def test_the_workflow_makes_a_page_of_each_notebook(pages):
    assert sorted(page.stem for page in pages.iterdir()) == [notebook.stem for notebook in NOTEBOOKS]


@pytest.mark.workflow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_page_needs_no_network_and_describes_its_pictures(pages, notebook):
    page = (pages / f"{notebook.stem}.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["']?https?:|@import|url\(["']?https?:""", page)
    pictures = re.findall(r"<img [^>]*>", page)
    assert pictures
    assert all(re.search(r'alt="[^"]+\."', picture) for picture in pictures)


@pytest.mark.workflow
def test_the_sentence_scored_by_hand_has_one_score(pages):
    page = (pages / "one_sentence_by_hand.html").read_text(encoding="utf-8")
    (by_hand,) = re.findall(r"\^ \(1/4\) = (0\.\d{6})", page)
    assert re.findall(r"(?:the package|NLTK): +(0\.\d{6})", page) == [by_hand, by_hand]


def outputs(page: str) -> str:
    """What the cells of a page printed, without marks of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", " ".join(re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL))))


@pytest.mark.workflow
def test_the_scores_that_flip_are_those_of_the_study(pages):
    """The numbers are published ones; the claims of the study hold them against its results."""
    told = outputs((pages / "why_rankings_flip.html").read_text(encoding="utf-8"))
    pairs = re.findall(r"(\d) references?\s*: S2 (0\.\d{4}) \(BP \S+, G (0\.\d{4})", told)
    assert pairs == [
        ("1", "0.1833", "0.2441"),
        ("2", "0.2786", "0.3038"),
        ("4", "0.3483", "0.3483"),
        ("8", "0.4528", "0.4125"),
    ]
    means = re.findall(r"(none|exp)\s+(S2|G)\s+sentences with 0: .* mean (0\.\d{4})", told)
    assert means == [("none", "S2", "0.1886"), ("none", "G", "0.2327"), ("exp", "S2", "0.3388"), ("exp", "G", "0.2766")]
    gaps = {
        name: float(s2) - float(g)
        for name, s2, g in re.findall(r"(split|kept|removed)\s+S2 (0\.\d{4}) \(p1 .*?, G (0\.\d{4})", told)
    }
    assert gaps["split"] < 0 < gaps["kept"]


@pytest.mark.workflow
def test_what_is_brought_along_is_scored(pages):
    told = outputs((pages / "your_own.html").read_text(encoding="utf-8"))
    counts = dict(re.findall(r"(long > short|short = long|short > long)\s+(\d+)", told))
    assert sum(map(int, counts.values())) == 64
    assert re.search(r"first thing\s+0\.\d{4}\s+There is a blue circle\.", told)
    assert dict(re.findall(r"(half|add-k\(0\.5\))\s+(S1 .*)", told)).keys() == {"half", "add-k(0.5)"}
    assert len({line for _, line in re.findall(r"(half|add-k\(0\.5\))\s+(S1 .*)", told)}) == 1

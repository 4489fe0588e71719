"""The notebooks: stored without outputs, and run by the workflow in an empty home."""

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

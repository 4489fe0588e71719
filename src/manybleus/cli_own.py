"""The commands about one's own captions as a whole: check them, and make their report."""

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybleus.bleu.configuration import Configuration
from manybleus.captions import Captions, read_files
from manybleus.cli_inputs import (
    add_command,
    caption_files,
    check_output,
    tell_fewer_references,
    tell_over_1,
    tell_stand_in,
    tell_unknown_signs,
    warn,
)
from manybleus.config_own import COCO_WORDS, SACREBLEU_WORDS, default_baseline
from manybleus.errors import ManybleusError, raise_all
from manybleus.progress import progress
from manybleus.text import counted, visible

if TYPE_CHECKING:
    from manybleus.config import Study

_CHECK = """\
  manybleus check --references refs.json --system A=a.json --system B=b.json
  manybleus check --table captions.tsv
  manybleus check --config my.yaml
"""
_REPORT = """\
  manybleus report --references refs.json --system A=a.json --system B=b.json --output report.html
  manybleus report --references ref1.txt ref2.txt --system A=a.txt --grid grid.yaml --output report.html
  manybleus report --table captions.tsv --missing empty --results tables --output report.html
  manybleus report --config my.yaml --output report.html
"""


def add_own_commands(commands: Any) -> None:
    """Add ``check`` and ``report``."""
    check = add_command(commands, "check", "check caption files without scoring them", _check, _CHECK)
    what = "score systems under a whole grid and write the report; the baseline is the one of --config, or else "
    report = add_command(commands, "report", f"{what}{COCO_WORDS}, or {SACREBLEU_WORDS}", _report, _REPORT)
    for command in (check, report):
        command.add_argument("--config", type=Path, metavar="FILE", help="in their place, a study's YAML file")
    report.add_argument("--grid", type=Path, metavar="FILE", help="a YAML file with the grid's axes as lists")
    report.add_argument("--output", type=Path, required=True, metavar="FILE", help="the HTML file to write")
    report.add_argument("--results", type=Path, metavar="FOLDER", help="where to keep the tables and figures, too")


def _check(parsed: argparse.Namespace) -> None:
    with progress(1) as begin:
        begin("reading")
        files = caption_files(parsed)
        if parsed.config:
            from manybleus.config import read_study

            study = read_study(parsed.config)
            if study.files is None:
                print(f"{parsed.config} is a study of {study.images} scenes; systems: {', '.join(study.systems)}")
                return
            files = study.files
        captions = read_files(files)
    warn(captions)
    print(visible(_summary(captions)))
    print("No problems: the captions can be scored.")


def _report(parsed: argparse.Namespace) -> None:
    from manybleus.files import alone_in, write_bytes
    from manybleus.own import STEPS, write_own_results
    from manybleus.replication.crosscheck import unexplained
    from manybleus.report.answer import answer

    if parsed.config and parsed.grid:
        parsed.parser.error("the grid stands in the file of --config: give one of --config and --grid")
    with progress(len(STEPS) + 1) as begin:
        begin("reading")
        study, captions = _study(parsed)
        folder = alone_in(parsed.results) if parsed.results else tempfile.TemporaryDirectory()
        with folder as results:
            made = write_own_results(study, captions, Path(results), begin)
            write_bytes(parsed.output, (Path(results) / "report.html").read_bytes())
    warn(captions)
    tell_stand_in(study.cells)
    tell_fewer_references(captions, study.cells, study.unit)
    tell_over_1(zip(made.grid["smoothing"], made.grid["score"], strict=True))
    tell_unknown_signs([*captions.systems, *(row for table in study.tables for row, _ in table.rows)])
    systems = counted(len(captions.systems), "system")
    print(visible(f"{counted(len(study.cells), 'configuration')} of {systems} in {parsed.output}."))
    told = answer(made)
    print(visible(f"{told['question'].capitalize()} {told['word']}{told['rest']}".replace("\xa0", " ")))
    print(visible(f"The baseline is {_baseline(parsed, study)}."))
    differing = unexplained(made.answers["crosscheck"])
    raise_all(differing, f"{parsed.output} is written, but other tools' scores differ without a known cause")


def _baseline(parsed: argparse.Namespace, study: "Study") -> str:
    choices, words = default_baseline(study.files is not None and study.files.are_coco)
    return words if study.baseline == Configuration(**choices) else f"the one that {parsed.config} names"


def _study(parsed: argparse.Namespace) -> "tuple[Study, Captions]":
    from manybleus.config import check_study, read_study
    from manybleus.config_problems import axes_problems
    from manybleus.own import PLACES
    from manybleus.strata import PARITY
    from manybleus.yaml_files import read_yaml

    places = [parsed.results / place for place in PLACES] if parsed.results else []
    if parsed.config:
        study = read_study(parsed.config)
        if study.files is None:
            raise ManybleusError(f"{parsed.config} is a study of scenes; run it with snakemake")
        strata = study.significance.strata
        others = (parsed.config, study.claims, None if strata == PARITY else strata)
        check_output([*study.files.paths, *others], parsed.output, places)
        _check_files(study.files.paths)
        return study, read_files(study.files)
    files = caption_files(parsed)
    check_output([*files.paths, parsed.grid], parsed.output, places)
    _check_files([*files.paths, parsed.grid])
    config: dict[str, Any] = {"study": "own"}
    if parsed.grid:
        config["grid"], twice = read_yaml(parsed.grid)
        raise_all([*twice, *axes_problems(config["grid"])], f"{parsed.grid} is not usable")
    captions = read_files(files)
    if files.table:
        config["table"] = str(files.table)
    else:
        config["references"] = list(map(str, files.references))
        config["systems"] = [{"name": name, "captions": str(path)} for name, path in files.systems]
        config["missing"] = files.missing
    return check_study(config, [parsed.grid] if parsed.grid else []), captions


def _check_files(paths: Iterable[Path | None]) -> None:
    """Raise an error if an input is a pipe or a device, which cannot be read twice."""
    for path in filter(None, paths):
        if path.exists() and not path.is_file() and not path.is_dir():
            raise ManybleusError(f"{path}: is no file, and a report reads its inputs twice; write it to a file first")


def _summary(captions: Captions) -> str:
    counts = [len(texts) for texts in captions.references]
    fewest, most = min(counts), max(counts)
    each = f"{fewest} of each" if fewest == most else f"{fewest} to {most} of each"
    return "\n".join(
        [
            f"images: {len(captions.image_ids)}",
            f"references: {each}, {sum(counts)} in all",
            f"systems: {len(captions.systems)} ({', '.join(captions.systems)})",
        ]
    )

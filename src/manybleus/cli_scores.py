"""The commands: score one configuration, or a whole grid; check captions, or make their report."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybleus import __version__
from manybleus.bleu.configuration import AXES, Configuration, check_choice, configurations, parse_choice
from manybleus.bleu.scores import Score, count_for, score
from manybleus.captions import Captions, read_files
from manybleus.cli_inputs import (
    add_command,
    caption_files,
    check_inputs,
    check_output,
    tell_fewer_references,
    tell_over_1,
    tell_stand_in,
    warn,
)
from manybleus.cli_own import add_own_commands
from manybleus.config_own import STUDY_BASELINE, STUDY_WORDS, default_baseline
from manybleus.errors import ManybleusError
from manybleus.progress import progress
from manybleus.replication.peers import sacrebleu_signature_of
from manybleus.text import counted, shortened, visible

if TYPE_CHECKING:
    import pandas as pd

_SCORE = """\
  manybleus score --references refs.json --system A=a.json --system B=b.json --set smoothing=exp --set tokenizer=13a
  manybleus score --references ref1.txt ref2.txt --system A=a.txt --format json
"""
_GRID = """\
  manybleus grid --references refs.json --system A=a.json --system B=b.json --output grid.csv
  manybleus grid --references ref1.txt ref2.txt --system A=a.txt --system B=b.txt --grid grid.yaml --output grid.csv
"""
_OTHERS = """\
  manybleus check --table captions.tsv
  manybleus report --references refs.json --system A=a.json --system B=b.json --output report.html
"""
# What is longer is no choice, and is not shown in full.
_SHOWN = 60


def run(arguments: Sequence[str] | None) -> None:
    """Do what the arguments say; a wrong call, ``--help`` and ``--version`` end here."""
    parsed = _parser().parse_args(arguments)
    check_inputs(parsed)
    parsed.run(parsed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manybleus",
        description="One set of captions, many BLEUs: does a ranking depend on the BLEU configuration?",
        epilog=f"examples:\n{_SCORE}{_GRID}{_OTHERS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"manybleus {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    what = f"score systems under one configuration; what --set does not name is as in {STUDY_WORDS}"
    one = add_command(commands, "score", what, _score, _SCORE)
    one.add_argument(
        "--set",
        action=_OnceForEachAxis,
        default={},
        metavar="AXIS=CHOICE",
        type=_setting,
        help=f"a choice of the configuration; axes: {', '.join(AXES)}; default, {STUDY_WORDS}: "
        + ", ".join(f"{axis}={choice}" for axis, choice in STUDY_BASELINE.items()),
    )
    one.add_argument("--format", choices=("text", "json", "csv"), default="text", help="default: text")

    what = f"score systems under every configuration of a grid; the baseline is {STUDY_WORDS}"
    many = add_command(commands, "grid", what, _grid, _GRID)
    many.add_argument("--grid", type=Path, metavar="FILE", help="a YAML file with the grid's axes as lists")
    many.add_argument("--output", type=Path, required=True, metavar="FILE", help="the CSV file to write")

    add_own_commands(commands)
    return parser


class _OnceForEachAxis(argparse.Action):
    """Collect the choices by axis; an axis that is set twice is a wrong call."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        axis, choice = values
        known = getattr(namespace, self.dest)
        if axis in known:
            raise argparse.ArgumentError(self, f"{axis} is set twice; keep one")
        setattr(namespace, self.dest, {**known, axis: choice})


def _setting(text: str) -> tuple[str, Any]:
    axis, equals, written = text.partition("=")
    if not equals or axis not in AXES:
        shown = repr(shortened(text, _SHOWN))
        raise argparse.ArgumentTypeError(f"{shown} is not AXIS=CHOICE with an axis of {', '.join(AXES)}")
    if len(written) > _SHOWN and (written.isdecimal() or axis != "weights"):
        raise argparse.ArgumentTypeError(f"{axis}: {shortened(written, _SHOWN)!r} is too long for a choice")
    if axis == "weights" and written.startswith("[") and written.endswith("]"):
        # As YAML writes a list.
        written = written[1:-1]
    choice = parse_choice(axis, written)
    problem = check_choice(axis, choice)
    if problem:
        raise argparse.ArgumentTypeError(shortened(problem, 10 * _SHOWN))
    return axis, choice


def _read_and_score(
    parsed: argparse.Namespace, choose: Callable[[Captions], Sequence[Configuration]]
) -> tuple[Captions, list[Score]]:
    with progress(3) as begin:
        begin("reading")
        captions = read_files(caption_files(parsed))
        cells = choose(captions)
        begin("counting")
        counted = count_for(captions, cells)
        begin("scoring")
        scored = score(counted, cells)
    warn(captions)
    tell_stand_in(cells)
    tell_fewer_references(captions, cells)
    tell_over_1((one.configuration.smoothing, one.score) for one in scored)
    return captions, scored


def _score(parsed: argparse.Namespace) -> None:
    try:
        cell = Configuration(**{**STUDY_BASELINE, **parsed.set})
    except ManybleusError as error:
        # Each choice is one that exists: they do not fit together.
        parsed.parser.error(str(error))
    captions, scored = _read_and_score(parsed, lambda _: [cell])
    signature = cell.signature(captions.digest)
    scores = {one.system: one.score for one in scored}
    signatures = {"signature": signature}
    theirs = sacrebleu_signature_of(cell, [len(texts) for texts in captions.references])
    if theirs:
        signatures["sacrebleu_signature"] = theirs
    if parsed.format == "json":
        systems = [{"system": name, "score": value, **signatures} for name, value in scores.items()]
        print(json.dumps({"systems": systems}, indent=2))
    elif parsed.format == "csv":
        import pandas as pd

        from manybleus.files import as_csv

        print(as_csv(pd.DataFrame({"system": scores.keys(), "score": scores.values(), **signatures})), end="")
    else:
        width = max(map(len, scores))
        for name, value in scores.items():
            print(f"{name:{width}}  {value:.4f}")
        if set(STUDY_BASELINE) - set(parsed.set):
            print(f"what --set does not name is as in {_study_s(parsed)}")
        for one in signatures.values():
            print(one)


def _grid(parsed: argparse.Namespace) -> None:
    from manybleus.analysis.orders import ranking_counts, rankings_of
    from manybleus.analysis.rankings import ranking
    from manybleus.analysis.tables import Grid, grid_table
    from manybleus.config import TIE_TOLERANCE, read_axes
    from manybleus.files import write_table
    from manybleus.report.words import cells_words

    check_output([*caption_files(parsed).paths, parsed.grid], parsed.output)
    captions, scores = _read_and_score(
        parsed, lambda captions: configurations(read_axes(parsed.grid, [*map(len, captions.references)]))
    )
    table = grid_table(scores, captions.digest)
    write_table(parsed.output, table)
    grid, baseline, systems = Grid(table), Configuration(**STUDY_BASELINE), list(captions.systems)
    by_cell = table["score"].to_numpy().reshape(-1, len(systems))
    counts = ranking_counts(by_cell, rankings_of(by_cell, systems, TIE_TOLERANCE))
    lines = [f"{counted(int(counts['cells'].sum()), 'configuration')} in {parsed.output}."]
    if len(systems) > 1:
        told = list(map(cells_words, counts["cells"], counts["distinct_cells"]))
        width = max(map(len, told))
        lines += [f"  {words:>{width}}  {each}" for words, each in zip(told, counts["ranking"], strict=True)]
    held = ranking(grid.scores(baseline), TIE_TOLERANCE) if baseline in grid else None
    print(visible("\n".join([*lines, _answer(counts, len(systems), held)])))
    if held and len(systems) > 1:
        print(f"The baseline is {_study_s(parsed)}.")


def _answer(rankings: "pd.DataFrame", systems: int, baseline: str | None) -> str:
    """Say in one sentence whether the ranking of so many systems depends on the configuration.

    Parameters
    ----------
    rankings
        As ``analysis.orders.ranking_counts`` makes them.
    systems
        How many there are.
    baseline
        The baseline's ranking, which the others are held against; None where it is not in the grid: then they are held
        against the most frequent one.
    """
    if systems == 1:
        return "There is one system, so there is nothing to rank: give two or more."
    held = baseline or rankings["ranking"].iloc[0]
    others = rankings[rankings["ranking"] != held]
    if others.empty:
        return "The ranking is the same under every configuration."
    whose = "the baseline" if baseline else "most of them"
    count = f"{others['cells'].sum():,} of {rankings['cells'].sum():,} configurations"
    count += f" ({others['distinct_cells'].sum():,} of {rankings['distinct_cells'].sum():,} distinct)"
    return f"The ranking depends on the configuration: {count} have another one than {whose}, {held}."


def _study_s(parsed: argparse.Namespace) -> str:
    """Say which configuration is taken, and which one the report takes for such files."""
    return f"{STUDY_WORDS}; manybleus report takes {default_baseline(caption_files(parsed).are_coco)[1]}"

"""The command line: score one configuration, or a whole grid."""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybleus import __version__
from manybleus.bleu.configuration import AXES, Configuration, check_choice, configurations, parse_choice
from manybleus.bleu.scores import Score, orders, schemes, score
from manybleus.bleu.statistics import caption_statistics
from manybleus.captions import Captions, fewer_references, read_captions
from manybleus.errors import ManybleusError
from manybleus.replication.peers import sacrebleu_signature_of

if TYPE_CHECKING:
    import pandas as pd

# The study's baseline, with all references.
DEFAULT: Mapping[str, Any] = {
    "references": "all",
    "reference_length": "closest",
    "case": "lower",
    "tokenizer": "split",
    "smoothing": "none",
    "aggregation": "corpus",
    "max_order": 4,
}

_EXAMPLES = """examples:
  manybleus score --references refs.json --system A=a.json --system B=b.json --set smoothing=exp --set tokenizer=13a
  manybleus score --references ref1.txt ref2.txt --system A=a.txt --format json
  manybleus grid --references refs.json --system A=a.json --system B=b.json --output grid.csv
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, 1 for a problem in the data, 2 for a wrong call."""
    parsed = _parser().parse_args(arguments)
    try:
        parsed.run(parsed)
        sys.stdout.flush()
    except ManybleusError as error:
        print(f"manybleus: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is left of it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"manybleus: {error.filename or 'the output'} cannot be written ({error.strerror})", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manybleus",
        description="One set of captions, many BLEUs: does a ranking depend on the BLEU configuration?",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"manybleus {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    one = _command(commands, "score", "score systems under one configuration", _score)
    one.add_argument(
        "--set",
        action=_OnceForEachAxis,
        default={},
        metavar="AXIS=CHOICE",
        type=_setting,
        help=f"a choice of the configuration; axes: {', '.join(AXES)}; default: "
        + ", ".join(f"{axis}={choice}" for axis, choice in DEFAULT.items()),
    )
    one.add_argument("--format", choices=("text", "json", "csv"), default="text", help="default: text")

    many = _command(commands, "grid", "score systems under every configuration of a grid", _grid)
    many.add_argument("--grid", type=Path, metavar="FILE", help="a YAML file with the grid's axes as lists")
    many.add_argument("--output", type=Path, required=True, metavar="FILE", help="the CSV file to write")
    return parser


def _command(commands: Any, name: str, description: str, run: Any) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=description, description=description)
    command.set_defaults(run=run, wrong_call=command.error)
    command.add_argument(
        "--references",
        nargs="+",
        required=True,
        type=Path,
        metavar="FILE",
        help="one COCO annotations file, or text files with one segment a line",
    )
    command.add_argument(
        "--system",
        action="append",
        required=True,
        type=_system,
        metavar="NAME=FILE",
        help="a system's COCO results file or text file; once for each system",
    )
    return command


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
        raise argparse.ArgumentTypeError(f"{text!r} is not AXIS=CHOICE with an axis of {', '.join(AXES)}")
    choice = parse_choice(axis, written)
    problem = check_choice(axis, choice)
    if problem:
        raise argparse.ArgumentTypeError(problem)
    return axis, choice


def _system(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, Path(path)


def _read(parsed: argparse.Namespace) -> Captions:
    systems = dict(parsed.system)
    if len(systems) < len(parsed.system):
        names = [name for name, _ in parsed.system]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ManybleusError(f"system {', '.join(twice)} is named twice; give each system a name of its own")
    return read_captions(parsed.references, systems)


def _score_all(captions: Captions, cells: Sequence[Configuration]) -> list[Score]:
    counts = [cell.references for cell in cells]
    counted = caption_statistics(captions, schemes(cells), counts, orders(cells))
    for told in fewer_references(captions, counts):
        print(f"manybleus: {told}", file=sys.stderr)
    return score(counted, cells)


def _score(parsed: argparse.Namespace) -> None:
    try:
        cell = Configuration(**{**DEFAULT, **parsed.set})
    except ManybleusError as error:
        # Each choice is one that exists: they do not fit together.
        parsed.wrong_call(str(error))
    captions = _read(parsed)
    signature = cell.signature(captions.digest)
    scores = {one.system: one.score for one in _score_all(captions, [cell])}
    signatures = {"signature": signature}
    theirs = sacrebleu_signature_of(cell, [len(texts) for texts in captions.references])
    if theirs:
        signatures["sacrebleu_signature"] = theirs
    if parsed.format == "json":
        systems = [{"system": name, "score": value, **signatures} for name, value in scores.items()]
        print(json.dumps({"systems": systems}, indent=2))
    elif parsed.format == "csv":
        import pandas as pd

        table = pd.DataFrame({"system": scores.keys(), "score": scores.values(), **signatures})
        print(table.to_csv(index=False, lineterminator="\n"), end="")
    else:
        width = max(map(len, scores))
        for name, value in scores.items():
            print(f"{name:{width}}  {value:.4f}")
        for one in signatures.values():
            print(one)


def _grid(parsed: argparse.Namespace) -> None:
    from manybleus.analysis.rankings import ranking_counts
    from manybleus.analysis.tables import grid_table
    from manybleus.config import TIE_TOLERANCE, read_axes
    from manybleus.files import write_table

    inputs = {path.resolve() for path in (*parsed.references, *(path for _, path in parsed.system))}
    if parsed.output.resolve() in inputs:
        raise ManybleusError(f"{parsed.output} is one of the inputs; give --output another name")
    captions = _read(parsed)
    cells = configurations(read_axes(parsed.grid, min(map(len, captions.references))))
    table = grid_table(_score_all(captions, cells), captions.digest)
    write_table(parsed.output, table)
    print(_summary(ranking_counts(table, TIE_TOLERANCE), parsed.output))


def _summary(counts: "pd.DataFrame", output: Path) -> str:
    total = int(counts["cells"].sum())
    lines = [f"{total} configurations are in {output}."]
    lines += [f"  {row['cells']:>{len(str(total))}}  {row['ranking']}" for row in counts.to_dict("records")]
    changed = total - int(counts["cells"].iloc[0])
    lines.append(
        f"The ranking depends on the configuration: {changed} of {total} differ from the most frequent one."
        if changed
        else "The ranking is the same under every configuration."
    )
    return "\n".join(lines)

"""The arguments of the command line that say which captions are meant."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from manybleus.bleu.coco import route
from manybleus.bleu.configuration import Configuration
from manybleus.captions import CaptionFiles, Captions, fewer_references, remarks
from manybleus.captions.reading import MISSING
from manybleus.errors import ManybleusError
from manybleus.text import visible

ALTERNATIVES = "give --references and --system, or --table"


def add_command(
    commands: Any, name: str, description: str, run: Callable[[argparse.Namespace], None], examples: str
) -> argparse.ArgumentParser:
    """Add a command that takes captions: references and systems in files of their own, or a table."""
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=description,
        description=description,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run, parser=command)
    command.add_argument(
        "--references",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="one COCO annotations file, or text files with one segment a line",
    )
    command.add_argument(
        "--system",
        action="append",
        default=[],
        type=_system,
        metavar="NAME=FILE",
        help="a system's COCO results file or text file; once for each system",
    )
    command.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="in their place, a .csv or .tsv file with columns reference, reference_1, ..., image_id or id if there "
        "are ids, and a system in each other column",
    )
    command.add_argument(
        "--missing",
        choices=MISSING,
        help="what a missing caption is: an error (the default), or an empty caption",
    )
    return command


def check_inputs(parsed: argparse.Namespace) -> None:
    """End with the usage where no captions are named, or some in two ways."""
    ways = [bool(parsed.references and parsed.system), bool(parsed.table), bool(getattr(parsed, "config", None))]
    named = [bool(parsed.references or parsed.system), *ways[1:]]
    alternatives = ALTERNATIVES + (", or --config" if hasattr(parsed, "config") else "")
    if sum(ways) != 1 or sum(named) != 1:
        parsed.parser.error(f"no captions are named, or some in two ways: {alternatives}")
    if ways[2] and parsed.missing:
        parsed.parser.error("what a missing caption is stands in the file of --config, under the key missing")


def caption_files(parsed: argparse.Namespace) -> CaptionFiles:
    """Return the files that the arguments name."""
    return CaptionFiles(
        tuple(parsed.references or ()), tuple(parsed.system), parsed.table, missing=parsed.missing or MISSING[0]
    )


def check_output(inputs: Iterable[Path | str | None], output: Path, places: Iterable[Path] = ()) -> None:
    """Raise an error where an output has no place, or would take an input's; links lead to what they stand for.

    Parameters
    ----------
    inputs
        The files that are read; None where there is none.
    output
        The file of ``--output``.
    places
        The files and folders that the results take.
    """
    given = {path: Path(path).resolve() for path in inputs if path}
    resolved = output.resolve()
    if resolved in given.values():
        raise ManybleusError(f"{output} is one of the inputs; give --output another name")
    taken = [place.resolve() for place in places]
    if output.is_dir():
        raise ManybleusError(f"{output} cannot be written: it is a folder; give --output the name of a file")
    if not output.parent.is_dir() and resolved.parent not in {place.parent for place in taken}:
        raise ManybleusError(f"{output} cannot be written: there is no folder {output.parent}; make it first")
    for path, read in given.items():
        if any(place == read or place in read.parents for place in taken):
            raise ManybleusError(f"{path} is one of the inputs, and among the results; give --results another folder")


def warn(captions: Captions) -> None:
    """Tell on standard error what is odd about captions."""
    for remark in remarks(captions):
        print(visible(f"manybleus: warning: {remark.text}"), file=sys.stderr)


def tell_stand_in(cells: Iterable[Configuration]) -> None:
    """Tell on standard error where another tokenizer stands in for coco-caption's."""
    if any(cell.tokenizer == "coco" for cell in cells) and route() != "coco":
        print(
            f"manybleus: tokenizer coco needs Java and pycocoevalcap: {route()} stands in, and the signatures say so",
            file=sys.stderr,
        )


def tell_fewer_references(captions: Captions, cells: Iterable[Configuration], noun: str = "image") -> None:
    """Tell on standard error how many images have fewer references than configurations ask for."""
    for told in fewer_references(captions, [cell.references for cell in cells], noun):
        print(f"manybleus: {told}", file=sys.stderr)


def tell_over_1(scores: Iterable[tuple[str, float]]) -> None:
    """Tell on standard error which smoothing rules, made for sentences, gave a corpus a score of more than 1."""
    # Perfect captions have a last bit more under exp.
    over = sorted({smoothing for smoothing, score in scores if score > 1 + 1e-9})
    if over:
        told = (
            "made for sentences; of a corpus it can give a score of more than 1: take aggregation mean-sentence with it"
        )
        print(f"manybleus: {', '.join(over)}: {told}", file=sys.stderr)


def tell_unknown_signs(names: Iterable[str]) -> None:
    """Tell on standard error which letters of names the figures cannot show."""
    from manybleus.drawing import unknown_signs

    if told := unknown_signs(names):
        print(f"manybleus: {told}", file=sys.stderr)


def _system(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, Path(path)

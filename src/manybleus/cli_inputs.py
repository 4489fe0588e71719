"""The arguments of the command line that say which captions are meant."""

import argparse
from pathlib import Path

from manybleus.captions import CaptionFiles
from manybleus.captions.reading import MISSING
from manybleus.errors import ManybleusError

ALTERNATIVES = "give --references and --system, or --table"


def add_inputs(command: argparse.ArgumentParser) -> None:
    """Let a command take captions: references and systems in files of their own, or a table."""
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
        help="in their place, a .csv or .tsv file with columns reference, reference_1, ..., image_id if there are ids, "
        "and a system in each other column",
    )
    command.add_argument(
        "--missing",
        choices=MISSING,
        default=MISSING[0],
        help="what a missing caption is: an error (the default), or an empty caption",
    )


def check_inputs(parsed: argparse.Namespace) -> None:
    """End with the usage where no captions are named, or some in two ways."""
    ways = [bool(parsed.references and parsed.system), bool(parsed.table), bool(getattr(parsed, "config", None))]
    named = [bool(parsed.references or parsed.system), *ways[1:]]
    alternatives = ALTERNATIVES + (", or --config" if hasattr(parsed, "config") else "")
    if sum(ways) != 1 or sum(named) != 1:
        parsed.parser.error(f"no captions are named, or some in two ways: {alternatives}")


def caption_files(parsed: argparse.Namespace) -> CaptionFiles:
    """Return the files that the arguments name."""
    return CaptionFiles(tuple(parsed.references or ()), tuple(parsed.system), parsed.table, missing=parsed.missing)


def refuse_inputs(files: CaptionFiles, output: Path) -> None:
    """Raise an error where an output would take the place of an input."""
    if output.resolve() in {path.resolve() for path in files.paths}:
        raise ManybleusError(f"{output} is one of the inputs; give --output another name")


def _system(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, Path(path)

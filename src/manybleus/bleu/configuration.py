"""A configuration: one answer to everything that BLEU leaves open. A grid: all combinations of some answers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Literal

from manybleus import __version__
from manybleus.bleu.definition import AGGREGATIONS, LENGTH_RULES, SMOOTHINGS
from manybleus.bleu.tokens import CASES, TOKENIZERS
from manybleus.errors import raise_all

References = int | Literal["all"]
Choice = int | str

OPTIONS: dict[str, Sequence[str]] = {
    "reference_length": tuple(LENGTH_RULES),
    "case": tuple(CASES),
    "tokenizer": tuple(TOKENIZERS),
    "smoothing": tuple(SMOOTHINGS),
    "aggregation": tuple(AGGREGATIONS),
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """One cell of the grid.

    ``references`` is the number of references of each image that are used, the first ones in reference order, or
    ``"all"``; ``max_order`` is N; the rest are names in the registries of ``tokens.py`` and ``definition.py``.

    Raises
    ------
    ManybleusError
        If a choice is unknown; all of them are named.
    """

    references: References
    reference_length: str
    case: str
    tokenizer: str
    smoothing: str
    aggregation: str
    max_order: int

    def __post_init__(self) -> None:
        problems = [problem for axis in AXES if (problem := check_choice(axis, getattr(self, axis)))]
        raise_all(problems, "this is no BLEU configuration")

    def signature(self, data: str) -> str:
        """Name every choice, the data that was scored and this software's version.

        Parameters
        ----------
        data
            The digest of images and references (``Captions.digest``).
        """
        return (
            f"refs:{self.references}|len:{self.reference_length}|case:{self.case}|tok:{self.tokenizer}"
            f"|smooth:{self.smoothing}|agg:{self.aggregation}|order:{self.max_order}"
            f"|data:{data}|manybleus:{__version__}"
        )


AXES: tuple[str, ...] = tuple(field.name for field in fields(Configuration))


def check_choice(axis: str, choice: object) -> str | None:
    """Return what is wrong with one choice, naming the valid ones, or None."""
    if axis in OPTIONS:
        return None if choice in OPTIONS[axis] else f"{axis}: {choice!r} is not one of {', '.join(OPTIONS[axis])}"
    if axis == "references" and choice == "all":
        return None
    if isinstance(choice, int) and not isinstance(choice, bool) and choice >= 1:
        return None
    expected = "a whole number from 1" + (" or 'all'" if axis == "references" else "")
    return f"{axis}: {choice!r} is not {expected}"


def configurations(axes: Mapping[str, Sequence[Choice]]) -> list[Configuration]:
    """Return every combination of the axes' choices, the last axis moving fastest."""
    return [
        Configuration(**dict(zip(AXES, combination, strict=True)))  # type: ignore[arg-type]
        for combination in product(*(axes[axis] for axis in AXES))
    ]


def choices(configuration: Configuration) -> dict[str, Choice]:
    """Return a configuration as plain values by axis, in the order of ``AXES``."""
    return asdict(configuration)

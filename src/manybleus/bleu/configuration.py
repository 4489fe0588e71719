"""A configuration: one answer to everything that BLEU leaves open. A grid: all combinations of some answers."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from itertools import product
from typing import Any, Literal

from manybleus import __version__
from manybleus.bleu.definition import AGGREGATIONS, LENGTH_RULES, Formula, check_weights
from manybleus.bleu.smoothing import canonical_name, smoothing_names, smoothing_rule, unknown_smoothing
from manybleus.bleu.tokens import CASES, TOKENIZERS
from manybleus.errors import (
    MOST_ORDERS,
    ManybleusError,
    check_list,
    check_strings,
    is_number,
    is_whole,
    raise_all,
    shown,
)
from manybleus.text import counted

References = int | Literal["all"]
Weights = tuple[float, ...] | Literal["uniform"]
Choice = int | str | bool | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    """One cell of the grid.

    Attributes
    ----------
    references
        How many references of each image are used, the first ones in reference order, or ``"all"``; an image that has
        fewer gives all that it has.
    reference_length, case, tokenizer, smoothing, aggregation
        Names in the registries of ``definition.py``, ``tokens.py`` and ``smoothing.py``.
    max_order
        N.
    weights
        One weight for each order, or ``"uniform"``.
    effective_order, brevity_penalty
        Whether empty orders are left out, and whether the brevity penalty counts.

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
    weights: Weights = "uniform"
    effective_order: bool = False
    brevity_penalty: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_choice(self.weights))
        problems = [problem for axis in AXES if (problem := _problem(axis, getattr(self, axis)))]
        if not problems and self.weights != "uniform" and len(self.weights) != self.max_order:
            given = counted(len(self.weights), "weight")
            problems.append(f"weights: {given} for max_order {self.max_order}; give one for each order")
        raise_all(problems, "this is no BLEU configuration")
        object.__setattr__(self, "smoothing", canonical_name(self.smoothing))

    @property
    def formula(self) -> Formula:
        """What is left of the configuration once the n-grams are counted."""
        return _formula(self.smoothing, self.max_order, self.weights, self.effective_order, self.brevity_penalty)

    def signature(self, data: str) -> str:
        """Name every choice, the data that was scored and this software's version.

        Parameters
        ----------
        data
            The digest of images and references (``Captions.digest``).
        """
        check_strings([data], "a digest, as Captions.digest gives it,")
        named = TOKENIZERS[self.tokenizer].signature
        tokenizer = named() if named else self.tokenizer
        return (
            f"refs:{self.references}|len:{self.reference_length}|case:{self.case}|tok:{tokenizer}"
            f"|smooth:{self.smoothing}|agg:{self.aggregation}|order:{self.max_order}"
            f"|weights:{choice_text(self.weights)}|eff:{choice_text(self.effective_order)}"
            f"|bp:{choice_text(self.brevity_penalty)}|data:{data}|manybleus:{__version__}"
        )


@cache
def _formula(smoothing: str, max_order: int, weights: Weights, effective_order: bool, penalty: bool) -> Formula:
    numbers = None if weights == "uniform" else tuple(float(weight) for weight in weights)
    return Formula(smoothing, max_order, numbers, effective_order, penalty)


AXES: tuple[str, ...] = tuple(field.name for field in fields(Configuration))
# What an axis is where a study does not name it.
DEFAULTS: Mapping[str, Choice] = {"weights": "uniform", "effective_order": False, "brevity_penalty": True}


def choices(configuration: Configuration) -> dict[str, Any]:
    """Return a configuration as plain values by axis, in the order of ``AXES``; without the axes that are at rest.

    An axis of ``DEFAULTS`` is at rest where it has its default.
    """
    check_configurations([configuration])
    named = {axis: getattr(configuration, axis) for axis in AXES}
    return {axis: choice for axis, choice in named.items() if axis not in DEFAULTS or choice != DEFAULTS[axis]}


def configurations(axes: Mapping[str, Sequence[Any]]) -> list[Configuration]:
    """Return every combination of the axes' choices, the last axis moving fastest.

    Weights go with the orders of which they have one each.

    Raises
    ------
    ManybleusError
        If an axis or a choice is unknown, an axis has no list of choices, or one of them would be in no combination.
    """
    if not isinstance(axes, Mapping):
        raise ManybleusError(f"a dict of axes with a list of choices each is meant, not {shown(axes)}")
    wanted = {**{axis: [DEFAULTS.get(axis)] for axis in AXES}, **axes}
    for axis, named in wanted.items():
        check_axis(axis)
        check_list(named, f"choices of {axis}")
        if not named:
            raise ManybleusError(f"{axis}: give at least one choice")
    raise_all(unmatched_weights(wanted), "this is no grid of BLEU configurations")
    combinations = (dict(zip(AXES, combination, strict=True)) for combination in product(*wanted.values()))
    return [Configuration(**choice) for choice in combinations if _weights_fit(choice["weights"], choice["max_order"])]


def unmatched_weights(axes: Mapping[str, Sequence[Any]], where: str = "") -> list[str]:
    """Say which weights fit no order of a grid, or which orders no weights fit: they would be in no combination.

    Parameters
    ----------
    axes
        Axis -> choices, with orders and weights among them.
    where
        What stands before the names of the axes, e.g. ``grid.``.
    """
    orders, weights = axes["max_order"], axes["weights"]
    lost = [one for one in weights if not any(_weights_fit(one, order) for order in orders)]
    if lost:
        told = f"fits no order of {where}max_order, {_listed(orders)}"
        return [f"{where}weights: a list of {counted(len(one), 'weight')} {told}" for one in lost]
    alone = [order for order in orders if not any(_weights_fit(one, order) for one in weights)]
    told = f"{where}max_order: no weights fit {_listed(alone)}; add uniform to {where}weights, or take these orders out"
    return [told] if alone else []


def _listed(choices: Sequence[object]) -> str:
    return ", ".join(map(str, choices))


def _weights_fit(weights: Any, max_order: int) -> bool:
    return not isinstance(weights, list | tuple) or len(weights) == max_order


def check_configurations(given: Sequence[Configuration]) -> None:
    """Raise an error unless configurations are a list of at least one."""
    check_list(given, "configurations")
    for one in given:
        if not isinstance(one, Configuration):
            raise ManybleusError(f"a Configuration is meant, not {shown(one)}")
    if not given:
        raise ManybleusError("there is no configuration: give at least one")


def as_choice(value: Any) -> Any:
    """Return a choice as it is kept: a list of weights, as YAML gives it, is a tuple of floats; a name is canonical."""
    if isinstance(value, str):
        return canonical_name(value)
    if not isinstance(value, list | tuple):
        return value
    # No weight is above 1, and larger numbers need not even fit into a float; what is added takes the sign off -0.0.
    return tuple(float(one) + 0.0 if is_number(one) and -1 <= one <= 1 else one for one in value)


def parse_choice(axis: str, text: str) -> Any:
    """Return the choice that a text names, e.g. on a command line; the text itself where it names none.

    Parameters
    ----------
    axis
        A name in ``AXES``.
    text
        A number, a name, weights parted by commas, or yes or no.
    """
    check_axis(axis)
    check_strings([text], f"a choice of {axis} that is to be read")
    if axis in ("references", "max_order") and text.isdecimal():
        # Python reads no number of thousands of digits.
        with suppress(ValueError):
            return int(text)
    if axis == "weights" and text != "uniform":
        try:
            return tuple(float(weight) for weight in text.split(","))
        except ValueError:
            return text
    if axis in ("effective_order", "brevity_penalty"):
        return _SWITCH.get(text.lower(), text)
    return text


_SWITCH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def choice_text(choice: object) -> str:
    """Return a choice as it stands in tables and signatures."""
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    return ",".join(map(str, choice)) if isinstance(choice, tuple | list) else str(choice)


# ----------------------------------------------------------------------------------------------- what is a valid choice


def check_choice(axis: str, choice: object) -> str | None:
    """Return what is wrong with one choice, naming the valid ones, or None."""
    check_axis(axis)
    problem = _CHECKS[axis](choice)
    return f"{axis}: {problem}" if problem else None


def check_axis(name: object) -> None:
    """Raise an error unless a name is that of an axis."""
    if not isinstance(name, str) or name not in AXES:
        raise ManybleusError(f"{shown(name)} is no axis; the axes are {', '.join(AXES)}")


# A grid asks for the same choices again and again.
_check_known = lru_cache(maxsize=None, typed=True)(check_choice)


def _problem(axis: str, choice: object) -> str | None:
    # Weights are not remembered: (True, 0) is equal to (1, 0), and is none.
    return _check_known(axis, choice) if type(choice) in (str, int, bool) else check_choice(axis, choice)


def options(axis: str) -> Sequence[str]:
    """Return the named choices of an axis; none where it takes numbers."""
    check_axis(axis)
    return _OPTIONS.get(axis, ())


_OPTIONS: dict[str, Sequence[str]] = {
    "references": ("all",),
    "reference_length": tuple(LENGTH_RULES),
    "case": tuple(CASES),
    "tokenizer": tuple(TOKENIZERS),
    "smoothing": smoothing_names(),
    "aggregation": tuple(AGGREGATIONS),
    "weights": ("uniform",),
}


# What is said of sacreBLEU's other tokenizers.
_ELSEWHERE = (
    "; sacreBLEU's tokenizers that need other packages or downloads are left out: tokenize the files with it, and take "
    "kept"
)
_NEEDING_MORE = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
_HINTS = {
    ("tokenizer", "none"): "; sacreBLEU's none is kept",
    **{("tokenizer", name): _ELSEWHERE for name in _NEEDING_MORE},
}


def _among(axis: str) -> Callable[[object], str | None]:
    def check(choice: object) -> str | None:
        if isinstance(choice, str) and choice in _OPTIONS[axis]:
            return None
        hint = _HINTS.get((axis, choice), "") if isinstance(choice, str) else ""
        return f"{shown(choice)} is not one of {', '.join(_OPTIONS[axis])}{hint}"

    return check


def _check_references(choice: object) -> str | None:
    known = choice == "all" if isinstance(choice, str) else is_whole(choice) and choice >= 1
    return None if known else f"{shown(choice)} is not a whole number from 1 or 'all'"


def _check_order(choice: object) -> str | None:
    if not is_whole(choice) or choice < 1:
        return f"{shown(choice)} is not a whole number from 1"
    return None if choice <= MOST_ORDERS else f"{shown(choice)} is out of range; valid is 1 to {MOST_ORDERS}"


def _check_smoothing(choice: object) -> str | None:
    if isinstance(choice, str):
        with suppress(ManybleusError):
            smoothing_rule(choice)
            return None
    return unknown_smoothing(choice)


def _check_weights(choice: object) -> str | None:
    if isinstance(choice, str) and choice == "uniform":
        return None
    if not isinstance(choice, list | tuple) or not choice:
        return f"{shown(choice)} is not uniform or a list of one weight for each order"
    try:
        check_weights(choice, None)
    except ManybleusError as error:
        return str(error)
    return None


def _check_switch(choice: object) -> str | None:
    return None if isinstance(choice, bool) else f"{shown(choice)} is not yes or no"


_CHECKS: dict[str, Callable[[object], str | None]] = {
    "references": _check_references,
    "reference_length": _among("reference_length"),
    "case": _among("case"),
    "tokenizer": _among("tokenizer"),
    "smoothing": _check_smoothing,
    "aggregation": _among("aggregation"),
    "max_order": _check_order,
    "weights": _check_weights,
    "effective_order": _check_switch,
    "brevity_penalty": _check_switch,
}

"""What is wrong with a study's YAML: every problem at once, each with the key's path, the value, and what is valid."""

import difflib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, validators

from manybleus.bleu.configuration import AXES, DEFAULTS, as_choice, check_choice, options
from manybleus.errors import ManybleusError
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.shapes.scenes import MAX_REFERENCES

OWN_TABLE = "own"
NAME = "configuration"
DEFAULT_ORDER = 4
KeyPath = tuple[str | int, ...]
_TYPES = {
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


def study_problems(config: Mapping[str, Any], sources: Sequence[Path] = ()) -> list[str]:
    """Return every problem of a study's configuration.

    Parameters
    ----------
    config
        The configuration as plain values.
    sources
        The YAML files that it was read from, searched for keys that stand twice (YAML itself keeps the last).
    """
    found = [problem for source in sources for problem in read_yaml(source)[1]]
    errors = _errors(_schema(), config)
    found += [line for error in errors for line in _explain(error)]
    refused = _refused(errors)
    if () not in refused:
        found += _own_problems(_sound_part(config, refused))
    return found


def axes_problems(axes: object) -> list[str]:
    """Return every problem of a grid's axes, where they stand in a file of their own."""
    schema = {**_schema()["properties"]["grid"], "required": [], "$defs": _schema()["$defs"]}
    errors = _errors(schema, axes)
    found = [line for error in errors for line in _explain(error)]
    refused = _refused(errors)
    if () not in refused:
        found += _axis_problems("", _known_axes(_sound_part(axes, refused)), None)
    return found


def _refused(errors: Sequence[Any]) -> set[KeyPath]:
    """The paths of the values that a schema refuses as such."""
    return {tuple(e.absolute_path) for e in errors if e.validator not in ("required", "additionalProperties")}


def _known_axes(axes: Mapping[str, Any]) -> dict[str, Any]:
    return {axis: wanted for axis, wanted in axes.items() if axis in AXES}


def _errors(schema: Mapping[str, Any], value: object) -> list[Any]:
    return sorted(_Validator(schema).iter_errors(value), key=lambda error: error.json_path)


# In JSON's eyes 200.0 is an integer.
_Validator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


@cache
def _schema() -> dict[str, Any]:
    text = files("manybleus").joinpath("config.schema.yaml").read_text(encoding="utf-8")
    schema: dict[str, Any] = yaml.safe_load(text)
    return schema


# ------------------------------------------------------------------------------------------- what a schema cannot say


def _sound_part(value: Any, refused: Collection[KeyPath], path: KeyPath = ()) -> Any:
    """Copy a configuration without the values that the schema refuses, so that the rest can be checked further."""
    if isinstance(value, Mapping):
        return {k: _sound_part(v, refused, (*path, k)) for k, v in value.items() if (*path, k) not in refused}
    if isinstance(value, list):
        return [_sound_part(v, refused, (*path, i)) for i, v in enumerate(value) if (*path, i) not in refused]
    return value


def _own_problems(config: Mapping[str, Any]) -> Iterator[str]:
    systems = config.get("systems", [])
    yield from _repeated("systems", systems)
    for system in systems:
        if system not in CAPTIONERS:
            yield f"systems: {system!r} is not one of {_listed(CAPTIONERS)}{_suggestion(system, CAPTIONERS)}"
    grid = _known_axes(config.get("grid", {}))
    yield from _axis_problems("grid.", grid, MAX_REFERENCES)
    baseline = config.get("baseline", {})
    yield from _baseline_problems(baseline, grid)
    tolerance = config.get("tie_tolerance", 0)
    if tolerance != tolerance:
        yield f"tie_tolerance: {tolerance!r} is not a number; write e.g. 1.0e-12"
    tables = config.get("tables", [])
    names = [table["name"].lower() for table in tables if "name" in table]
    yield from _repeated("tables, name", names)
    if OWN_TABLE in names:
        yield f"tables, name: {OWN_TABLE!r} is kept for the list under configurations; choose another name"
    for table in tables:
        yield from _row_problems(f"tables.{table.get('name', '?')}", table.get("rows", []), baseline)
    yield from _row_problems("configurations", config.get("configurations", []), baseline)
    yield from _repeated("replications.sizes.images", config.get("replications", {}).get("sizes", {}).get("images", []))
    claims = config.get("claims")
    if claims is not None and not Path(claims).is_file():
        yield f"claims: {claims!r} is not a file; give the path from where the study is run, or leave the key out"
    gap = config.get("gap", [])
    yield from _repeated("gap", gap)
    for system in gap:
        if systems and system not in systems:
            yield f"gap: {system!r} is not one of the systems {_listed(systems)}"


def _axis_problems(where: str, axes: Mapping[str, Sequence[Any]], most: int | None) -> Iterator[str]:
    for axis, wanted in axes.items():
        yield from _repeated(f"{where}{axis}", wanted)
        for option in wanted:
            yield from _choice_problem(where, axis, option, most)
    orders, weights = axes.get("max_order", [DEFAULT_ORDER]), axes.get("weights", ["uniform"])
    for one in weights:
        if isinstance(one, list) and len(one) not in orders:
            yield f"{where}weights: {len(one)} weights fit no order of {where}max_order, {_listed(orders)}"


def _baseline_problems(baseline: Mapping[str, Any], grid: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    for axis in AXES:
        if axis in baseline or axis in DEFAULTS:
            option = as_choice(baseline.get(axis, DEFAULTS.get(axis)))
            yield from _choice_problem("baseline.", axis, option)
            among = [as_choice(one) for one in grid.get(axis, [DEFAULTS.get(axis, option)])]
            if not _wrong_choice(axis, option) and option not in among:
                yield f"baseline.{axis}: {option!r} is outside the grid; grid.{axis} has {_listed(among)}"
    yield from _weight_problems("baseline", baseline, {})


def _weight_problems(where: str, row: Mapping[str, Any], baseline: Mapping[str, Any]) -> Iterator[str]:
    weights = row.get("weights", baseline.get("weights", "uniform"))
    orders = row.get("max_order", baseline.get("max_order"))
    if isinstance(weights, list) and isinstance(orders, int) and len(weights) != orders:
        yield f"{where}.weights: {len(weights)} weights for max_order {orders}; give one for each order"


def _row_problems(where: str, rows: Sequence[Mapping[str, Any]], baseline: Mapping[str, Any]) -> Iterator[str]:
    yield from _repeated(f"{where}, configuration", [row[NAME] for row in rows if NAME in row])
    for row in rows:
        yield from _weight_problems(f"{where}, {row.get(NAME, '?')!r}", row, baseline)
        for axis in AXES:
            if axis in row:
                yield from _choice_problem(f"{where}, {row.get(NAME, '?')!r}.", axis, row[axis])


def _choice_problem(where: str, axis: str, option: object, most: int | None = MAX_REFERENCES) -> Iterator[str]:
    wrong = _wrong_choice(axis, option, most)
    if wrong:
        yield f"{where}{wrong}{_suggestion(option, options(axis))}"


def _wrong_choice(axis: str, option: object, most: int | None = MAX_REFERENCES) -> str | None:
    wrong = check_choice(axis, option)
    if wrong is None and axis == "references" and most and option != "all" and int(str(option)) > most:
        return f"references: {option} of {most}: a scene has {most} references"
    return wrong


def _repeated(where: str, values: Sequence[object]) -> Iterator[str]:
    seen: list[tuple[type, object]] = []
    for value in values:
        if (type(value), value) in seen:
            yield f"{where}: {value!r} stands there twice; keep one"
        seen.append((type(value), value))


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _suggestion(word: object, known: Sequence[str] | Mapping[str, object]) -> str:
    close = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


# ------------------------------------------------------------------------------------------------- the schema's errors


def _explain(error: Any) -> Iterator[str]:
    path = ".".join(str(part) for part in error.absolute_path)
    inside = f"{path}." if path else ""
    known = list(error.schema.get("properties", {}))
    match error.validator:
        case "additionalProperties":
            for key in error.instance:
                if key not in known:
                    yield f"{inside}{key}: unknown key; valid keys are {_listed(known)}{_suggestion(key, known)}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            # One error arises per missing key; say each once.
            key = next(key for key in missing if repr(key) in error.message)
            yield f"{inside}{key}: is missing; {path or 'the file'} needs {_listed(error.validator_value)}"
        case "type":
            hint = ""
            if error.validator_value == "number" and isinstance(error.instance, str):
                hint = "; YAML reads a number like 1e-3 as text: write 1.0e-3"
            yield f"{path}: {error.instance!r:.60} is not {_TYPES[error.validator_value]}{hint}"
        case "minimum" | "maximum":
            low, high = error.schema.get("minimum"), error.schema.get("maximum")
            span = f"from {low}" + (f" to {high}" if high is not None else "")
            yield f"{path}: {error.instance!r} is out of range; valid is {span}"
        case "pattern":
            yield f"{path}: {error.instance!r:.60} is no file name; use letters, digits, _ and -, the first not - or _"
        case "minItems" | "maxItems" | "minLength" | "maxLength":
            limits = {
                key: error.schema[key]
                for key in ("minItems", "maxItems", "minLength", "maxLength")
                if key in error.schema
            }
            asked = " and ".join(
                f"{'at most' if key.startswith('max') else 'at least'} {n}" for key, n in limits.items()
            )
            yield f"{path}: {error.instance!r:.60} has {len(error.instance)} entries; valid is {asked}"
        case _:
            yield f"{path}: {error.message}"


# ------------------------------------------------------------------------------------------------ keys that stand twice


def read_yaml(path: Path) -> tuple[Any, list[str]]:
    """Read a YAML file safely.

    Returns
    -------
    value
        What is in the file.
    problems
        A line for every key that stands twice, of which YAML itself keeps the last in silence.

    Raises
    ------
    ManybleusError
        If the file cannot be read, or is not YAML.
    """
    problems: list[str] = []

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
            lines: dict[object, int] = {}
            for key_node, _ in node.value:
                key, line = str(key_node.value), key_node.start_mark.line + 1
                if key in lines:
                    problems.append(f"{key}: stands twice, in lines {lines[key]} and {line} of {path}; keep one")
                lines.setdefault(key, line)
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(path.read_text(encoding="utf-8-sig"), Loader), problems
    except OSError as error:
        raise ManybleusError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise ManybleusError(f"{path}: is not YAML ({' '.join(str(error).split())})") from None

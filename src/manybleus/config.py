"""From a study's YAML to a ``Study``, with every problem reported at once."""

import difflib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from manybleus.bleu.configuration import (
    AXES,
    DEFAULTS,
    Choice,
    Configuration,
    as_choice,
    check_choice,
    choices,
    configurations,
    options,
)
from manybleus.errors import raise_all
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.shapes.scenes import MAX_REFERENCES

OWN_TABLE = "own"
# The two whose difference is the study's Table B.
COMPARED_AGGREGATIONS = ("corpus", "mean-sentence")
_NAME = "configuration"
KeyPath = tuple[str | int, ...]
_TYPES = {
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a study: named configurations, and which of them count as a change of the baseline."""

    name: str
    title: str
    rows: tuple[tuple[str, Configuration], ...]
    counted: tuple[str, ...]

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Table":
        """Return the table whose ``dataclasses.asdict`` is given."""
        rows = tuple((name, Configuration(**cell)) for name, cell in plain["rows"])
        return cls(plain["name"], plain["title"], rows, tuple(plain["counted"]))


@dataclass(frozen=True, slots=True)
class Study:
    """A study: what is scored, under which configurations, and which tables are cut out of the grid.

    ``tables`` ends with the user's own configurations, under the name ``own``, where there are any.
    """

    name: str
    images: int
    seed: int
    systems: tuple[str, ...]
    axes: Mapping[str, tuple[Choice, ...]]
    baseline: Configuration
    tables: tuple[Table, ...]
    gap: tuple[str, str]
    tie_tolerance: float
    claims: str | None

    @property
    def outside(self) -> tuple[Configuration, ...]:
        """The configurations that the tables need and the grid does not hold."""
        named = [cell for table in self.tables for _, cell in table.rows]
        both = [replace(self.baseline, aggregation=aggregation) for aggregation in COMPARED_AGGREGATIONS]
        return tuple(dict.fromkeys(cell for cell in (*named, *both) if not self._in_grid(cell)))

    @property
    def cells(self) -> tuple[Configuration, ...]:
        """All configurations to score: the grid's, then those outside of it."""
        return (*configurations(self.axes), *self.outside)

    @property
    def is_printed(self) -> bool:
        """Whether the study has what its printed output tells of: Tables A and B, and the captioners S1 and S2."""
        return {"A", "B"} <= {table.name for table in self.tables} and {"S1", "S2"} <= set(self.systems)

    def _in_grid(self, cell: Configuration) -> bool:
        return all(getattr(cell, axis) in self.axes[axis] for axis in AXES)


def read_study(path: Path) -> Study:
    """Read a study from one YAML file; see ``check_study``."""
    with path.open(encoding="utf-8") as text:
        return check_study(yaml.safe_load(text), [path])


def check_study(config: Mapping[str, Any], sources: Sequence[Path] = ()) -> Study:
    """Check a study's configuration and return it.

    Parameters
    ----------
    config
        The configuration as plain values.
    sources
        The YAML files that it was read from, searched for keys that stand twice (YAML itself keeps the last).

    Raises
    ------
    ManybleusError
        With every problem: the key's path, the value, and what is valid.
    """
    problems = [problem for source in sources for problem in duplicate_keys(source)]
    schema = yaml.safe_load(files("manybleus").joinpath("config.schema.yaml").read_text(encoding="utf-8"))
    errors = sorted(Draft202012Validator(schema).iter_errors(config), key=lambda error: error.json_path)
    problems += [line for error in errors for line in _explain(error)]
    refused = {tuple(e.absolute_path) for e in errors if e.validator not in ("required", "additionalProperties")}
    if () not in refused:
        problems += _own_problems(_sound_part(config, refused))
    heading = f"{', '.join(map(str, sources)) or 'the configuration'} is not usable"
    raise_all(problems, heading)
    return _build(config)


def table_file(name: str, ending: str = "csv") -> str:
    """Return where a table of that name stands below a study's results."""
    return f"tables/table_{name.lower()}.{ending}"


def inputs_of(study: Study) -> dict[str, Any]:
    """Return the parts of a study that claims can rest on, as the ledger writes them under ``inputs``."""
    return {
        "scenes": {"images": study.images, "seed": study.seed},
        "systems": list(study.systems),
        "gap": list(study.gap),
        "tie_tolerance": study.tie_tolerance,
        "baseline": choices(study.baseline),
        **{
            f"table_{table.name.lower()}": {
                name: {
                    axis: choice for axis, choice in choices(cell).items() if choice != getattr(study.baseline, axis)
                }
                for name, cell in table.rows
            }
            for table in study.tables
        },
    }


def _build(config: Mapping[str, Any]) -> Study:
    baseline = Configuration(**config["baseline"])
    tables = [_table(baseline, table) for table in config["tables"]]
    if config.get("configurations"):
        own = {"name": OWN_TABLE, "title": "your own configurations", "rows": config["configurations"]}
        tables.append(_table(baseline, own))
    return Study(
        name=config["study"],
        images=config["scenes"]["images"],
        seed=config["scenes"]["seed"],
        systems=tuple(config["systems"]),
        axes={axis: tuple(map(as_choice, config["grid"].get(axis, [DEFAULTS.get(axis)]))) for axis in AXES},
        baseline=baseline,
        tables=tuple(tables),
        gap=(config["gap"][0], config["gap"][1]),
        tie_tolerance=float(config.get("tie_tolerance", 1e-12)),
        claims=config.get("claims"),
    )


def _table(baseline: Configuration, table: Mapping[str, Any]) -> Table:
    changes = [{axis: value for axis, value in row.items() if axis != _NAME} for row in table["rows"]]
    names = [row[_NAME] for row in table["rows"]]
    return Table(
        table["name"],
        table["title"],
        tuple((name, replace(baseline, **change)) for name, change in zip(names, changes, strict=True)),
        tuple(name for name, change in zip(names, changes, strict=True) if change),
    )


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
    grid = {axis: wanted for axis, wanted in config.get("grid", {}).items() if axis in AXES}
    for axis, wanted in grid.items():
        yield from _repeated(f"grid.{axis}", wanted)
        for option in wanted:
            yield from _choice_problem("grid", axis, option)
    yield from _baseline_problems(config.get("baseline", {}), grid)
    tables = config.get("tables", [])
    names = [table["name"].lower() for table in tables if "name" in table]
    yield from _repeated("tables, name", names)
    if OWN_TABLE in names:
        yield f"tables, name: {OWN_TABLE!r} is kept for the list under configurations; choose another name"
    for table in tables:
        yield from _row_problems(f"tables.{table.get('name', '?')}", table.get("rows", []))
    yield from _row_problems("configurations", config.get("configurations", []))
    gap = config.get("gap", [])
    yield from _repeated("gap", gap)
    for system in gap:
        if systems and system not in systems:
            yield f"gap: {system!r} is not one of the systems {_listed(systems)}"


def _baseline_problems(baseline: Mapping[str, Any], grid: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    for axis in AXES:
        if axis in baseline:
            option = baseline[axis]
            yield from _choice_problem("baseline", axis, option)
            if not _wrong_choice(axis, option) and option not in grid.get(axis, [option]):
                yield f"baseline.{axis}: {option!r} is outside the grid; grid.{axis} has {_listed(grid[axis])}"


def _row_problems(where: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from _repeated(f"{where}, configuration", [row[_NAME] for row in rows if _NAME in row])
    for row in rows:
        for axis in AXES:
            if axis in row:
                yield from _choice_problem(f"{where}, {row.get(_NAME, '?')!r}", axis, row[axis])


def _choice_problem(where: str, axis: str, option: object) -> Iterator[str]:
    wrong = _wrong_choice(axis, option)
    if wrong:
        yield f"{where}.{wrong}{_suggestion(option, options(axis))}"


def _wrong_choice(axis: str, option: object) -> str | None:
    wrong = check_choice(axis, option)
    if wrong is None and axis == "references" and option != "all" and int(str(option)) > MAX_REFERENCES:
        return f"references: {option} of {MAX_REFERENCES}: a scene has {MAX_REFERENCES} references"
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
        case "minItems" | "maxItems" | "minLength":
            limits = {key: error.schema[key] for key in ("minItems", "maxItems", "minLength") if key in error.schema}
            asked = " and ".join(
                f"{'at most' if key.startswith('max') else 'at least'} {n}" for key, n in limits.items()
            )
            yield f"{path}: {error.instance!r:.60} has {len(error.instance)} entries; valid is {asked}"
        case _:
            yield f"{path}: {error.message}"


# ------------------------------------------------------------------------------------------------ keys that stand twice


def duplicate_keys(path: Path) -> list[str]:
    """Return the keys that stand twice in a YAML file, with their lines."""
    problems: list[str] = []

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
            lines: dict[object, int] = {}
            for key_node, _ in node.value:
                key, line = key_node.value, key_node.start_mark.line + 1
                if key in lines:
                    problems.append(f"{key}: stands twice, in lines {lines[key]} and {line} of {path}; keep one")
                lines.setdefault(key, line)
            return super().construct_mapping(node, deep)

    with path.open(encoding="utf-8-sig") as text:
        yaml.load(text, Loader)
    return problems

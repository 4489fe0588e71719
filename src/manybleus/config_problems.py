"""What is wrong with a study's YAML: every problem at once, each with the key's path, the value, and what is valid."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, validators

from manybleus.bleu.configuration import AXES, DEFAULTS, as_choice, check_choice, options, unmatched_weights
from manybleus.captions import CaptionFiles, Survey
from manybleus.captions.names import name_problems
from manybleus.config_own import complete
from manybleus.files import read_cells
from manybleus.shapes.captioners import CAPTIONERS
from manybleus.shapes.scenes import MAX_REFERENCES
from manybleus.strata import PARITY, strata_of
from manybleus.text import counted, meant
from manybleus.yaml_files import TOO_MANY, is_bounded, read_yaml

OWN_TABLE = "own"
NAME = "configuration"
DEFAULT_ORDER = 4
SCENES = "scenes"
# What a study is about: each is a key that no study of another kind has.
KINDS = (SCENES, "references", "table")
# What is known of files that cannot be read.
NOTHING_READ = Survey((), 1, sys.maxsize, 0)
# So many problems of one file are shown, and the rest is counted.
_SHOWN = 10
KeyPath = tuple[str | int, ...]
_TYPES = {
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


def study_problems(
    config: Mapping[str, Any],
    sources: Sequence[Path] = (),
    own: tuple[CaptionFiles, Survey] | None = None,
) -> list[str]:
    """Return every problem of a study's configuration.

    Parameters
    ----------
    config
        The configuration as plain values.
    sources
        The YAML files that it was read from, searched for keys that stand twice (YAML itself keeps the last).
    own
        The files of a study of one's own captions, and what is in them; without it, what depends on them is not
        checked.
    """
    found = [problem for source in sources for problem in read_yaml(source)[1]]
    if not is_bounded(config):
        return [*found, TOO_MANY]
    kind = kind_of(config)
    kinds = [each for each in KINDS if isinstance(config, Mapping) and each in config]
    if len(kinds) > 1:
        # What else is wrong depends on which of them is meant.
        return [*found, f"{' and '.join(kinds)}: stand together; give scenes, or references and systems, or a table"]
    errors = _errors(_schema(kind), config)
    found += [line for error in errors for line in _explain(error)]
    refused = _refused(errors)
    if () in refused:
        return found
    sound = _sound_part(config, refused)
    if kind == SCENES:
        images = range(sound.get("scenes", {}).get("images", 0))
        return [*found, *_captioner_problems(sound), *_further_problems(sound, MAX_REFERENCES, images)]
    if own is None:
        # Its files cannot be looked for; what does not depend on them is told all the same.
        named = [one.get("name") if isinstance(one, Mapping) else one for one in sound.get("systems", [])]
        found += name_problems([name for name in named if isinstance(name, str)])
        own = CaptionFiles(), NOTHING_READ
    return [*found, *_further_problems(complete(sound, *own), own[1].most, own[1].image_ids)]


def kind_of(config: object) -> str:
    """Return which of ``KINDS`` a study is of: the one that it names, also misspelt, or that its systems are of.

    One that tells nothing of it is taken for one of scenes.
    """
    if not isinstance(config, Mapping):
        return SCENES
    known = {key for kind in KINDS for key in _schema(kind)["properties"]}
    misspelt = [meant(key, known) for key in config if key not in known]
    named = [kind for kind in KINDS if kind in config] or [kind for kind in KINDS if kind in misspelt]
    systems = config.get("systems")
    have_files = isinstance(systems, list) and any(isinstance(one, Mapping) for one in systems)
    return next(iter(named), "references" if have_files else SCENES)


def names_files(config: Mapping[str, Any]) -> bool:
    """Whether a configuration is one of own captions whose files can be looked for."""
    kind = kind_of(config)
    if kind == SCENES:
        return False
    wrong = {error.absolute_path[0] for error in _errors(_schema(kind), config) if error.absolute_path}
    whole = all(key in config for key in _schema(kind)["required"])
    return whole and wrong.isdisjoint({*KINDS, "systems", "missing"})


def axes_problems(axes: object) -> list[str]:
    """Return every problem of a grid's axes, where they stand in a file of their own."""
    schema = {**_schema(SCENES)["properties"]["grid"], "required": [], "$defs": _schema(SCENES)["$defs"]}
    # A file of no axis is an empty one, however it is written.
    errors = _errors(schema, None if axes == {} else axes)
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
def _schema(kind: str) -> dict[str, Any]:
    text = files("manybleus").joinpath("config.schema.yaml").read_text(encoding="utf-8")
    schema: dict[str, Any] = yaml.safe_load(text)
    if kind == SCENES:
        return schema
    own, shared = schema["$defs"][kind], dict(schema["properties"])
    del shared[SCENES], shared["systems"]
    partial = {key: {**shared[key], "required": []} for key in ("grid", "baseline")}
    return {**schema, "required": own["required"], "properties": {**shared, **partial, **own["properties"]}}


# ------------------------------------------------------------------------------------------- what a schema cannot say


def _sound_part(value: Any, refused: Collection[KeyPath], path: KeyPath = ()) -> Any:
    """Copy a configuration without the values that the schema refuses, so that the rest can be checked further."""
    if isinstance(value, Mapping):
        return {k: _sound_part(v, refused, (*path, k)) for k, v in value.items() if (*path, k) not in refused}
    if isinstance(value, list):
        return [_sound_part(v, refused, (*path, i)) for i, v in enumerate(value) if (*path, i) not in refused]
    return value


def _captioner_problems(config: Mapping[str, Any]) -> Iterator[str]:
    systems = config.get("systems", [])
    yield from _repeated("systems", systems)
    for system in systems:
        if system not in CAPTIONERS:
            yield f"systems: {system!r} is not one of {_listed(CAPTIONERS)}{_suggestion(system, CAPTIONERS)}"


def _further_problems(config: Mapping[str, Any], most: int, images: Sequence[int | str]) -> Iterator[str]:
    grid = _known_axes(config.get("grid", {}))
    yield from _axis_problems("grid.", grid, most)
    baseline = config.get("baseline", {})
    yield from _baseline_problems(baseline, grid, most)
    tolerance = config.get("tie_tolerance", 0)
    if tolerance != tolerance:
        yield f"tie_tolerance: {tolerance!r} is not a number; write e.g. 1.0e-12"
    tables = config.get("tables", [])
    names = [table["name"].lower() for table in tables if "name" in table]
    yield from _repeated("tables, name", names)
    if OWN_TABLE in names:
        yield f"tables, name: {OWN_TABLE!r} is kept for the list under configurations; choose another name"
    for table in tables:
        yield from _row_problems(f"tables.{table.get('name', '?')}", table.get("rows", []), baseline, most)
    yield from _row_problems("configurations", config.get("configurations", []), baseline, most)
    yield from _repeated("replications.sizes.images", config.get("replications", {}).get("sizes", {}).get("images", []))
    claims = config.get("claims")
    if claims is not None and not Path(claims).is_file():
        yield f"claims: {claims!r} is not a file; give the path from where the study is run, or leave the key out"
    yield from _significance_problems(config.get("significance", {}), images)
    gap, systems = config.get("gap", []), config.get("systems", [])
    yield from _repeated("gap", gap)
    for system in gap:
        if systems and system not in systems:
            yield f"gap: {system!r} is not one of the systems {_listed(systems)}"


def _strata_problems(strata: str, images: Sequence[int | str]) -> Iterator[str]:
    if not Path(strata).is_file():
        yield f"significance.strata: {strata!r} is neither parity nor a file; give a CSV of image_id and stratum"
    elif images:
        try:
            strata_of(strata, images, read_cells(Path(strata)))
        except (OSError, ValueError) as error:
            problems = getattr(error, "problems", (f"cannot be read ({error})",))
            yield from (f"significance.strata: {strata}: {problem}" for problem in problems[:_SHOWN])
            if len(problems) > _SHOWN:
                yield f"significance.strata: {strata}: {len(problems) - _SHOWN} more"


def _significance_problems(plan: Mapping[str, Any], images: Sequence[int | str]) -> Iterator[str]:
    if plan.get("strata", PARITY) != PARITY:
        yield from _strata_problems(plan["strata"], images)
    draws, level = plan.get("bootstrap", 1000), plan.get("level", 0.05)
    if level != level:
        yield f"significance.level: {level!r} is not a number; write e.g. 0.05"
    elif (draws + 1) * level < 2:
        yield f"significance.bootstrap: {draws} draws are too few for the level {level}; give {int(2 / level)} or more"


def _axis_problems(where: str, axes: Mapping[str, Sequence[Any]], most: int | None) -> Iterator[str]:
    for axis, wanted in axes.items():
        yield from _repeated(f"{where}{axis}", list(map(as_choice, wanted)))
        for option in wanted:
            yield from _choice_problem(where, axis, option, most)
    yield from unmatched_weights({"max_order": [DEFAULT_ORDER], "weights": [DEFAULTS["weights"]], **axes}, where)


def _baseline_problems(baseline: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], most: int) -> Iterator[str]:
    for axis in AXES:
        if axis in baseline or axis in DEFAULTS:
            option = as_choice(baseline.get(axis, DEFAULTS.get(axis)))
            yield from _choice_problem("baseline.", axis, option, most)
            among = [as_choice(one) for one in grid.get(axis, [DEFAULTS.get(axis, option)])]
            if not _wrong_choice(axis, option, most) and option not in among:
                yield f"baseline.{axis}: {option!r} is outside the grid; grid.{axis} has {_listed(among)}"
    yield from _weight_problems("baseline", baseline, {})


def _weight_problems(where: str, row: Mapping[str, Any], baseline: Mapping[str, Any]) -> Iterator[str]:
    weights = row.get("weights", baseline.get("weights", "uniform"))
    orders = row.get("max_order", baseline.get("max_order"))
    if isinstance(weights, list) and isinstance(orders, int) and len(weights) != orders:
        yield f"{where}.weights: {counted(len(weights), 'weight')} for max_order {orders}; give one for each order"


def _row_problems(
    where: str, rows: Sequence[Mapping[str, Any]], baseline: Mapping[str, Any], most: int
) -> Iterator[str]:
    yield from _repeated(f"{where}, configuration", [row[NAME] for row in rows if NAME in row])
    for row in rows:
        yield from _weight_problems(f"{where}, {row.get(NAME, '?')!r}", row, baseline)
        for axis in AXES:
            if axis in row:
                yield from _choice_problem(f"{where}, {row.get(NAME, '?')!r}.", axis, row[axis], most)


def _choice_problem(where: str, axis: str, option: object, most: int | None) -> Iterator[str]:
    wrong = _wrong_choice(axis, option, most)
    if wrong:
        yield f"{where}{wrong}{_suggestion(option, options(axis))}"


def _wrong_choice(axis: str, option: object, most: int | None) -> str | None:
    wrong = check_choice(axis, option)
    if wrong is None and axis == "references" and most and option != "all" and int(str(option)) > most:
        return f"references: {option} of {most}: an image has {counted(most, 'reference')} at the most"
    return wrong


def _repeated(where: str, values: Sequence[object]) -> Iterator[str]:
    seen: list[tuple[type, object]] = []
    for value in values:
        if (type(value), value) in seen:
            yield f"{where}: {value!r} stands there twice; keep one"
        seen.append((type(value), value))


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _suggestion(word: object, known: Iterable[str]) -> str:
    close = meant(word, known)
    return f"; did you mean {close!r}?" if close else ""


# ------------------------------------------------------------------------------------------------- the schema's errors


def _explain(error: Any) -> Iterator[str]:
    path = ".".join(map(str, error.absolute_path))
    inside = f"{path}." if path else ""
    known = list(error.schema.get("properties", {}))
    match error.validator:
        case "additionalProperties":
            for key in error.instance:
                if key not in known:
                    told = f"unknown key; valid keys are {_listed(known)}{_suggestion(key, known)}"
                    yield f"{inside}{key}: {told}"
        case "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            # One error arises per missing key; say each once.
            key = next(key for key in missing if repr(key) in error.message)
            if key in (meant(other, known) for other in error.instance if other not in known):
                # It is misspelt, and told as such.
                return
            hint = "; a study of your own captions names references and systems, or a table" if key == SCENES else ""
            yield f"{inside}{key}: is missing; {path or 'the file'} needs {_listed(error.validator_value)}{hint}"
        case "type" if not path:
            what = "is empty" if error.instance is None else f"holds {error.instance!r:.60}, which is not a mapping"
            keys = ("study", "references", "systems") if "study" in known else known[:3]
            yield f"the file {what}; expected keys such as {_listed(keys)}"
        case "type":
            hint = ""
            if error.validator_value == "number" and isinstance(error.instance, str):
                hint = "; YAML reads a number like 1e-3 as text: write 1.0e-3"
            types = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            yield f"{path}: {error.instance!r:.60} is not {' or '.join(_TYPES[each] for each in types)}{hint}"
        case "enum":
            yield f"{path}: {error.instance!r:.60} is not one of {_listed(error.validator_value)}"
        case "minimum" | "maximum":
            low, high = error.schema.get("minimum"), error.schema.get("maximum")
            span = f"from {low}" + (f" to {high}" if high is not None else "")
            yield f"{path}: {error.instance!r} is out of range; valid is {span}"
        case "pattern":
            yield f"{path}: {error.instance!r:.60} is no file name; use letters, digits, _ and -, the first not - or _"
        case "minItems" | "maxItems" | "minLength" | "maxLength":
            limits = {"at least": f"min{error.validator[3:]}", "at most": f"max{error.validator[3:]}"}
            asked = " and ".join(f"{word} {error.schema[key]}" for word, key in limits.items() if key in error.schema)
            yield f"{path}: {error.instance!r:.60} has a length of {len(error.instance)}; valid is {asked}"
        case _:
            yield f"{path}: {error.message}"

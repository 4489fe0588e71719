"""A study of one's own captions: its files, and everything that its YAML may leave out."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from manybleus.bleu.configuration import AXES, DEFAULTS, Choice, as_choice, check_choice, choice_text
from manybleus.captions import CaptionFiles, Survey

# The axes of the study's grid, but for the number of references.
STUDY_AXES: Mapping[str, Sequence[Choice]] = {
    "reference_length": ("closest", "shortest", "average"),
    "case": ("lower", "cased"),
    "tokenizer": ("split", "kept", "removed"),
    "smoothing": ("none", "add-1", "exp", "coco"),
    "aggregation": ("corpus", "mean-sentence"),
    "max_order": (4,),
}
# The study's baseline, with all references.
STUDY_BASELINE: Mapping[str, Any] = {
    "references": "all",
    "reference_length": "closest",
    "case": "lower",
    "tokenizer": "split",
    "smoothing": "none",
    "aggregation": "corpus",
    "max_order": 4,
}
# coco-caption's configuration, for files of COCO's, and sacreBLEU's default, for all others.
COCO_BASELINE: Mapping[str, Any] = {**STUDY_BASELINE, "tokenizer": "coco", "smoothing": "coco"}
SACREBLEU_BASELINE: Mapping[str, Any] = {**COCO_BASELINE, "case": "cased", "tokenizer": "13a", "smoothing": "exp"}
STUDY_WORDS = "the study's baseline with all references"
COCO_WORDS = "coco-caption's configuration, the one for COCO's files"
SACREBLEU_WORDS = "sacreBLEU's default, the one for texts and tables"
DEFAULT_TABLE = "A"

_ROW_NAMES: Mapping[str, str] = {
    "reference_length": "{} reference length",
    "tokenizer": "tokenizer {}",
    "smoothing": "smoothing {}",
    "max_order": "BLEU-{}",
    "weights": "weights {}",
    "effective_order": "effective order: {}",
    "brevity_penalty": "brevity penalty: {}",
}
_WORDS: Mapping[tuple[str, str], str] = {
    ("case", "lower"): "lowercased",
    ("tokenizer", "split"): "punctuation split",
    ("tokenizer", "kept"): "punctuation kept on words",
    ("tokenizer", "removed"): "punctuation removed",
    ("smoothing", "none"): "no smoothing",
    ("aggregation", "mean-sentence"): "mean sentence",
    ("aggregation", "weighted-mean-sentence"): "weighted mean sentence",
}


def default_baseline(are_coco: bool) -> tuple[Mapping[str, Any], str]:
    """Return the baseline of a study that names none, and which one it is in words."""
    return (COCO_BASELINE, COCO_WORDS) if are_coco else (SACREBLEU_BASELINE, SACREBLEU_WORDS)


def caption_files(config: Mapping[str, Any]) -> CaptionFiles:
    """Return the files that a study of one's own captions names; paths are relative to the working directory."""
    if "references" not in config:
        columns = tuple(config["systems"]) if "systems" in config else None
        return CaptionFiles(table=Path(config["table"]), columns=columns)
    references = config["references"]
    paths = tuple(map(Path, [references] if isinstance(references, str) else references))
    systems = tuple((system["name"], Path(system["captions"])) for system in config["systems"])
    return CaptionFiles(paths, systems, missing=config.get("missing", "error"))


def complete(config: Mapping[str, Any], files: CaptionFiles, found: Survey) -> dict[str, Any]:
    """Return a configuration in which nothing is left to a default: as a study of scenes writes it.

    The baseline's choices are added to the grid where they are missing. Without a list of tables there is one: the
    baseline, and each choice of the grid that can be changed alone.
    """
    baseline = {**default_baseline(files.are_coco)[0], **config.get("baseline", {})}
    named = config.get("grid", {})
    grid = {"references": reference_counts(found.fewest, found.most, baseline["references"]), **STUDY_AXES, **named}
    for axis, choice in baseline.items():
        options = list(grid.get(axis, [DEFAULTS.get(axis)]))
        missing = as_choice(choice) not in map(as_choice, options) and _is_choice(axis, choice, found.most)
        grid[axis] = [*options, choice] if missing else options
    table = {"name": DEFAULT_TABLE, "title": "one choice at a time", "rows": one_at_a_time(baseline, grid, found.most)}
    whole = {key: value for key, value in config.items() if key not in ("references", "table", "missing")}
    return {"tables": [table]} | whole | {"systems": list(found.systems), "baseline": baseline, "grid": grid}


def reference_counts(fewest: int, most: int, baseline: Choice) -> list[Choice]:
    """Return the numbers of references of a grid: 1, 2, 4, ... up to the fewest that an image has, and all.

    Where all is one of these numbers, one of the two is left out: the one that the baseline does not name.
    """
    counts: list[Choice] = [2**n for n in range(fewest.bit_length())]
    if fewest == most and fewest in counts:
        if baseline != "all":
            return counts
        counts.remove(fewest)
    return [*counts, "all"]


def one_at_a_time(baseline: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], most: int) -> list[dict[str, Any]]:
    """Return rows of a table: the baseline, then each single change of it that stays in the grid.

    What is no choice, or asks for more than ``most`` references, is left out: it is the grid's problem.
    """
    words = ", ".join(row_name(axis, baseline[axis]) for axis in AXES if axis in baseline)
    rows = {"baseline": {"configuration": f"baseline: {words}"}}
    for axis in AXES:
        default = as_choice(baseline.get(axis, DEFAULTS.get(axis)))
        for option in grid.get(axis, []):
            changes = _is_choice(axis, option, most) and as_choice(option) != default
            if changes and _fits({**baseline, axis: option}):
                name = row_name(axis, option)
                rows.setdefault(name, {"configuration": name, axis: option})
    return list(rows.values())


def row_name(axis: str, option: Any) -> str:
    """Name a choice as a row of a table is named."""
    if axis == "references":
        return "1 reference" if option == 1 else f"{option} references"
    text = choice_text(option)
    return _WORDS.get((axis, text)) or _ROW_NAMES.get(axis, "{}").format(text)


def _is_choice(axis: str, option: Any, most: int) -> bool:
    asks_for_more = axis == "references" and isinstance(option, int) and option > most
    return axis in AXES and check_choice(axis, option) is None and not asks_for_more


def _fits(choices: Mapping[str, Any]) -> bool:
    weights = choices.get("weights", "uniform")
    return not isinstance(weights, list | tuple) or len(weights) == choices["max_order"]

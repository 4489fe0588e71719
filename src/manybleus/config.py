"""From a study's YAML to a ``Study``, with every problem reported at once."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from manybleus.bleu.configuration import AXES, DEFAULTS, Choice, Configuration, as_choice, choices, configurations
from manybleus.captions import CaptionFiles, Survey, survey
from manybleus.config_own import STUDY_AXES, STUDY_BASELINE, caption_files, complete, reference_counts
from manybleus.config_problems import NAME, NOTHING_READ, OWN_TABLE, axes_problems, names_files, study_problems
from manybleus.corrections import CORRECTIONS
from manybleus.errors import ManybleusError, raise_all
from manybleus.text import counted
from manybleus.yaml_files import read_yaml

TIE_TOLERANCE = 1e-12
# With more captions, of all systems together, significance is tested only where the config asks for it.
MOST_DRAWN_CAPTIONS = 30_000
# The study's own tables: its statements and its printed output are about these.
TABLE_A, TABLE_B = "A", "B"
# The two whose difference is the study's Table B.
COMPARED_AGGREGATIONS = ("corpus", "mean-sentence")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a study: named configurations, and which of them count as a change of the baseline."""

    name: str
    title: str
    rows: tuple[tuple[str, Configuration], ...]
    counted: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """Return the table as plain values, as the params of a rule must be."""
        rows = [[name, choices(cell)] for name, cell in self.rows]
        return {"name": self.name, "title": self.title, "rows": rows, "counted": list(self.counted)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "Table":
        """Return the table whose ``plain`` values are given."""
        rows = tuple((name, Configuration(**cell)) for name, cell in plain["rows"])
        return cls(plain["name"], plain["title"], rows, tuple(plain["counted"]))


@dataclass(frozen=True, slots=True)
class Significance:
    """How it is tested whether an order of two systems would survive another draw of images.

    Attributes
    ----------
    bootstrap, randomization
        Draws of the paired bootstrap and of approximate randomization.
    seed
        Of both.
    level
        Of significance, and one minus the coverage of the intervals.
    correction
        For many comparisons: a name in ``corrections.CORRECTIONS``.
    procedure
        How p comes from draws: a name in ``analysis.significance.PROCEDURES``.
    strata
        ``parity``, a CSV file with ``image_id`` and ``stratum``, or None.
    blocks
        Of the block t-test.
    """

    bootstrap: int = 1000
    randomization: int = 10000
    seed: int = 12345
    level: float = 0.05
    correction: str = "benjamini-hochberg"
    procedure: str = "manybleus"
    strata: str | None = None
    blocks: int = 20

    @property
    def strata_file(self) -> str | None:
        """The file in which the strata stand; None where there are none, or where they need no file."""
        return None if self.strata == "parity" else self.strata

    def check_draws(self, comparisons: int) -> None:
        """Raise an error if no p could ever be significant: too few draws for the level and the correction."""
        factor, after, other = 1, "", "a higher level"
        if CORRECTIONS[self.correction].bounds_any:
            factor, after = comparisons, f" after {self.correction} over {counted(comparisons, 'comparison')}"
            others = [name for name, correction in CORRECTIONS.items() if not correction.bounds_any]
            other = f"as correction {' or '.join(others)}"
        if 2 * factor > self.level * (self.bootstrap + 1):
            raise ManybleusError(
                f"significance.bootstrap: {self.bootstrap} draws can never reach the level {self.level}{after}; give "
                f"{int(2 * factor / self.level)} or more, or {other}"
            )


@dataclass(frozen=True, slots=True)
class Replications:
    """On which draws a study of scenes is repeated.

    Attributes
    ----------
    first, count
        The seeds: so many, from the first on.
    shard
        How many seeds one job computes.
    sizes
        The numbers of images of which it is asked how the gap depends on them.
    sizes_count
        How many of the seeds, from the first on, are asked for that.
    """

    first: int = 0
    count: int = 100
    shard: int = 10
    sizes: tuple[int, ...] = (25, 50, 100, 200, 400, 800, 1600, 3200)
    sizes_count: int = 20

    @property
    def seeds(self) -> range:
        """All seeds."""
        return range(self.first, self.first + self.count)

    @property
    def seeds_of_sizes(self) -> range:
        """The seeds of which it is asked how the gap depends on the number of images."""
        return self.seeds[: self.sizes_count]

    def shards(self, own: int) -> list[range]:
        """Return the seeds of each job; a study's own seed that is not among them has a job to itself."""
        shards = [self.seeds[start : start + self.shard] for start in range(0, self.count, self.shard)]
        return shards if own in self.seeds else [*shards, range(own, own + 1)]


@dataclass(frozen=True, slots=True)
class Study:
    """A study: what is scored, under which configurations, and which tables are cut out of the grid.

    Attributes
    ----------
    images, seed
        How many images, and the seed of their scenes; 0 in a study of one's own captions.
    tables
        The last are the user's own configurations, under the name ``own``, where there are any.
    gap
        The two systems whose difference is told; None where they are the closest neighbours at the baseline.
    is_drawn
        Whether the tests of significance are part of the run.
    files
        Where one's own captions stand; None in a study of scenes.
    """

    name: str
    images: int
    seed: int
    systems: tuple[str, ...]
    axes: Mapping[str, tuple[Choice, ...]]
    baseline: Configuration
    tables: tuple[Table, ...]
    gap: tuple[str, str] | None
    tie_tolerance: float
    claims: str | None
    significance: Significance = Significance()
    is_drawn: bool = True
    files: CaptionFiles | None = None
    replications: Replications = Replications()

    @property
    def unit(self) -> str:
        """What a caption is about, in a word."""
        if self.files is None:
            return "picture"
        return "image" if self.files.are_coco else "segment"

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
        counted = {table.name: table.counted for table in self.tables}
        named = all(counted.get(name) for name in (TABLE_A, TABLE_B)) and {"S1", "S2"} <= set(self.systems)
        return named and self.files is None

    def _in_grid(self, cell: Configuration) -> bool:
        return all(getattr(cell, axis) in self.axes[axis] for axis in AXES)


def read_study(path: Path) -> Study:
    """Read a study from one YAML file; see ``check_study``."""
    return check_study(read_yaml(path)[0], [path])


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
        With every problem: the key's path, the value, and what is valid; of a study without one, if its draws are too
        few for its comparisons.
    """
    heading = f"{', '.join(map(str, sources)) or 'the configuration'} is not usable"
    own, of_files = _survey(config)
    raise_all([*study_problems(config, sources, own), *of_files], heading)
    study = _build(complete(config, *own), *own) if own else _build(config)
    if study.is_drawn:
        study.significance.check_draws(len(study.cells) * math.comb(len(study.systems), 2))
    return study


def _survey(config: Mapping[str, Any]) -> tuple[tuple[CaptionFiles, Survey] | None, Sequence[str]]:
    """Look into the files of one's own captions, if the study is of such; return what is there, and what is wrong."""
    if not names_files(config):
        return None, ()
    files = caption_files(config)
    try:
        return (files, survey(files)), ()
    except ManybleusError as error:
        # What does not depend on the files can still be checked.
        return (files, NOTHING_READ), error.problems


def table_file(name: str, ending: str = "csv") -> str:
    """Return where a table of that name stands below a study's results."""
    return f"tables/table_{name.lower()}.{ending}"


def inputs_of(study: Study) -> dict[str, Any]:
    """Return the parts of a study that claims can rest on, as the ledger writes them under ``inputs``."""
    own = {table.name: table for table in study.tables if table.name in (TABLE_A, TABLE_B)}
    return {
        "scenes": {"images": study.images, "seed": study.seed},
        "systems": sorted(study.systems),
        "order_of_systems": list(study.systems),
        "gap": list(study.gap or ()),
        "tie_tolerance": study.tie_tolerance,
        "baseline": choices(study.baseline),
        **{
            f"table_{name.lower()}": {row: _change(study.baseline, cell) for row, cell in table.rows}
            for name, table in own.items()
        },
        "order_of_rows": [row for name in (TABLE_A, TABLE_B) if name in own for row, _ in own[name].rows],
        "counted": [row for name in (TABLE_A, TABLE_B) if name in own for row in own[name].counted],
    }


def _change(baseline: Configuration, cell: Configuration) -> dict[str, Any]:
    return {axis: choice for axis, choice in choices(cell).items() if choice != getattr(baseline, axis)}


def _build(config: Mapping[str, Any], files: CaptionFiles | None = None, found: Survey | None = None) -> Study:
    scenes = config.get("scenes", {"images": 0, "seed": 0})
    images = found.images if found else scenes["images"]
    baseline = Configuration(**config["baseline"])
    tables = [_table(baseline, table) for table in config["tables"]]
    if config.get("configurations"):
        own = {"name": OWN_TABLE, "title": "your own configurations", "rows": config["configurations"]}
        tables.append(_table(baseline, own))
    return Study(
        name=config["study"],
        images=images,
        seed=scenes["seed"],
        systems=tuple(config["systems"]),
        axes={axis: tuple(map(as_choice, config["grid"].get(axis, [DEFAULTS.get(axis)]))) for axis in AXES},
        baseline=baseline,
        tables=tuple(tables),
        gap=(config["gap"][0], config["gap"][1]) if "gap" in config else None,
        tie_tolerance=float(config.get("tie_tolerance", TIE_TOLERANCE)),
        claims=config.get("claims"),
        significance=Significance(**config.get("significance", {})),
        is_drawn=_is_drawn(config, images),
        files=files,
        replications=_replications(config.get("replications", {})),
    )


def _is_drawn(config: Mapping[str, Any], images: int) -> bool:
    captions = images * len(config["systems"])
    return len(config["systems"]) > 1 and ("significance" in config or captions <= MOST_DRAWN_CAPTIONS)


def _replications(config: Mapping[str, Any]) -> Replications:
    seeds, sizes = config.get("seeds", {}), config.get("sizes", {})
    given = {
        "first": seeds.get("first"),
        "count": seeds.get("count"),
        "shard": config.get("shard"),
        "sizes": tuple(sizes["images"]) if "images" in sizes else None,
        "sizes_count": sizes.get("seeds"),
    }
    return Replications(**{key: value for key, value in given.items() if value is not None})


def _table(baseline: Configuration, table: Mapping[str, Any]) -> Table:
    changes = [{axis: value for axis, value in row.items() if axis != NAME} for row in table["rows"]]
    names = [row[NAME] for row in table["rows"]]
    return Table(
        table["name"],
        table["title"],
        tuple((name, replace(baseline, **change)) for name, change in zip(names, changes, strict=True)),
        tuple(name for name, change in zip(names, changes, strict=True) if change),
    )


def read_axes(path: Path | None, references: Sequence[int]) -> dict[str, Sequence[Any]]:
    """Return the axes of a grid.

    Parameters
    ----------
    path
        A YAML file with axes as lists, or None; an axis that it does not name has the default.
    references
        The number of references of each image; see ``config_own.reference_counts``.

    Raises
    ------
    ManybleusError
        With every problem of the file.
    """
    counts = reference_counts(min(references), max(references), STUDY_BASELINE["references"])
    default: dict[str, Sequence[Any]] = {"references": counts, **STUDY_AXES}
    if path is None:
        return default
    named, twice = read_yaml(path)
    raise_all([*twice, *axes_problems(named)], f"{path} is not usable")
    return default | {axis: [as_choice(choice) for choice in options] for axis, options in named.items()}

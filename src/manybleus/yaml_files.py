"""YAML files, read safely: no key stands twice, no part holds itself, and few lines do not stand for billions."""

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import yaml

from manybleus.errors import ManybleusError
from manybleus.files import read_bytes

# Values in a configuration, each counted as often as it is referred to: few lines of YAML can stand for billions.
MOST_VALUES = 100_000
TOO_MANY = (
    f"a part of it holds itself, by an anchor (&) and an alias (*), or it holds more than {MOST_VALUES:,} values; "
    "use fewer aliases, or write out what is meant"
)


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

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            super().flatten_mapping(node)
            if len(node.value) > MOST_VALUES:
                raise ManybleusError(f"{path}: {TOO_MANY}")

    try:
        value = yaml.load(read_bytes(path).decode("utf-8-sig"), Loader)
    except OSError as error:
        raise ManybleusError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except ManybleusError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        raise ManybleusError(f"{path}: is not YAML ({' '.join(str(error).split())})") from None
    if not is_bounded(value):
        raise ManybleusError(f"{path}: {TOO_MANY}")
    return value, problems


def is_bounded(value: object) -> bool:
    """Tell whether a value holds few enough values, each counted as often as it is referred to."""
    waiting, left = [value], MOST_VALUES
    while waiting and left >= 0:
        one = waiting.pop()
        left -= 1
        if isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return left >= 0

"""Time 100 replications of the study on one core beside one run of it, and tell what takes their time."""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from study import ROOT, copy_to, run

from manybleus.config import read_study
from manybleus.replication import redraws

STEPS = ("draw_scenes", "render", "look", "references", "count_for", "score")


def timed(name: str, function: Callable[..., object], spent: dict[str, float]) -> Callable[..., object]:
    """Return the function, which from now on tells how long it took."""

    def call(*arguments: object) -> object:
        started = time.perf_counter()
        found = function(*arguments)
        spent[name] += time.perf_counter() - started
        return found

    return call


def main() -> None:
    study = read_study(ROOT / "config" / "config.yaml")
    original = redraws.Original(
        study.images, study.seed, study.systems, study.tables, study.baseline, study.gap, study.tie_tolerance
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        once = run(folder, "all")
        whole = run(folder, "replications")
    started = time.perf_counter()
    draws = sum(len(drawn) for drawn in redraws.redraw(original, range(100), {}))
    plain = time.perf_counter() - started
    print(f"one run of the study, {study.images} images: {once:.1f} s")
    print(f"100 replications of it, {draws} rows: {plain:.1f} s, {plain / once:.2f}x one run of the study")
    print(f"the target `replications`, with 25 to 3,200 images, figures and page: {whole:.1f} s, {whole / once:.2f}x")
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"peak memory of the largest process: {most / 1024:.0f} MB")
    spent = dict.fromkeys(STEPS, 0.0)
    for step in STEPS:
        setattr(redraws, step, timed(step, getattr(redraws, step), spent))
    list(redraws.redraw(original, range(10), {}))
    total = sum(spent.values())
    print("time by step: " + ", ".join(f"{step} {100 * seconds / total:.0f} %" for step, seconds in spent.items()))


if __name__ == "__main__":
    main()

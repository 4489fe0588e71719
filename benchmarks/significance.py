"""Time the tests of significance beside sacreBLEU: the bootstrap of a whole grid against one corpus_bleu call."""

import sys
from functools import partial

from engine import GRID, coco_like, peak, seconds, taking_turns, theirs

from manybleus.analysis.significance import judge, judgements, randomization_p
from manybleus.bleu.configuration import Configuration, configurations
from manybleus.bleu.draws import bootstrap_draws
from manybleus.bleu.scores import count_for
from manybleus.captions import Captions
from manybleus.config import Significance

IMAGES, MANY_IMAGES, REPEATS = 5_000, 40_504, 7
PLAN = Significance()


def bootstrap(captions: Captions, cells: list[Configuration]) -> None:
    """Captions to intervals, p and verdicts of every cell and pair."""
    judgements(count_for(captions, cells), cells, PLAN, None)


def main() -> None:
    cells = configurations(GRID)
    captions = coco_like(IMAGES)
    ours, one = taking_turns(REPEATS, partial(bootstrap, captions, cells), partial(theirs, captions))
    print(f"{IMAGES} images, 3 systems, {len(cells)} cells, {PLAN.bootstrap} draws, statistics included: ", end="")
    print(f"{ours:.3f} s, a sacreBLEU call {one:.3f} s, {ours / one:.2f}x")
    statistics = count_for(captions, cells)
    taken = seconds(partial(randomization_p, statistics, cells, PLAN))
    print(f"{PLAN.randomization} draws of the randomization on the same: {taken:.1f} s")
    if "--memory" in sys.argv:
        statistics = count_for(coco_like(MANY_IMAGES), cells)
        draws = bootstrap_draws(MANY_IMAGES, PLAN.bootstrap, PLAN.seed)
        for name, call in {
            "bootstrap": partial(judge, "plain", statistics, cells, draws, PLAN),
            "randomization": partial(randomization_p, statistics, cells, PLAN),
        }.items():
            print(
                f"{MANY_IMAGES} images, {name}: {seconds(call):.1f} s, peak {peak(call):.0f} MB beside the statistics"
            )


if __name__ == "__main__":
    main()

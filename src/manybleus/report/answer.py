"""The first screen: one sentence with the answer, and the figures that it stands on."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from manybleus.drawing import same_decimals
from manybleus.report.results import PLAIN, Results
from manybleus.report.words import FEW_RANKINGS, MANY_SYSTEMS, cells_words, listed, unbroken
from manybleus.text import counted, signed

_ALONE = "Not asked", ": there is no configuration other than the baseline."


@dataclass(frozen=True, slots=True)
class GridFlips:
    """How many cells of the full grid rank the systems otherwise than the baseline.

    Attributes
    ----------
    cells, flips
        All, and those with another ranking.
    distinct, distinct_flips
        The same, of cells whose scores differ in nine decimals.
    significant
        Flips in which a pair's new order is significant; None where nothing was drawn.
    decisive
        Those of them in which the baseline's order of that pair is significant, too.
    distinct_significant, distinct_decisive
        Their distinct cells.
    """

    cells: int
    flips: int
    distinct: int
    distinct_flips: int
    significant: int | None = None
    decisive: int | None = None
    distinct_significant: int = 0
    distinct_decisive: int = 0


def grid_flips(results: Results) -> GridFlips:
    """Count the flips over the full grid, from ``rankings.csv`` and ``significance.csv``."""
    rankings = results.over["rankings"]
    others = rankings[rankings["ranking"] != results.baseline_ranking]
    return GridFlips(
        cells=results.grid_cells,
        flips=int(others["cells"].sum()),
        distinct=int(rankings["distinct_cells"].sum()),
        distinct_flips=int(others["distinct_cells"].sum()),
        **_standing_flips(results),
    )


def _standing_flips(results: Results) -> dict[str, int]:
    """Count the cells with a significant order that is not the baseline's, and those where that one is significant."""
    table = results.over["significance"]
    if table.empty:
        return {}
    plain = table[table["resampling"] == PLAIN]
    pairs = plain["pair"].nunique()
    verdicts = plain["verdict"].map({"first": 1, "second": -1, "neither": 0}).to_numpy().reshape(-1, pairs)
    standard = results.at(plain, results.study.baseline)
    orders = np.sign(standard["gap"].to_numpy())
    known = (standard["verdict"] != "neither").to_numpy()
    inside = (np.arange(len(verdicts)) < results.grid_cells)[:, None]
    turned = inside & (verdicts != 0) & (verdicts != orders)
    significant, distinct = results.count(turned.any(axis=1))
    decisive, distinct_decisive = results.count((turned & known).any(axis=1))
    return {
        "significant": significant,
        "decisive": decisive,
        "distinct_significant": distinct,
        "distinct_decisive": distinct_decisive,
    }


def answer(results: Results) -> dict[str, Any]:
    """Return the question, the answer's word and the rest of its sentence, what is known of its worth, an example."""
    if len(results.captions.systems) == 1:
        word, rest = _moved(results)
        of_one = {"question": "how far does the score move?", "worth": "", "ask": False, "outside": "", "example": []}
        return of_one | {"word": word, "rest": rest}
    found = grid_flips(results)
    flipped = int(results.study_flips["flip"].sum())
    if not flipped and not found.flips:
        word, rest = _steady(results, found)
    elif found.flips:
        one = "s" if found.flips == 1 else ""
        cells = counted(found.cells, "configuration")
        rest = (
            f": the captions stayed the same, yet {found.flips:,} of {cells} of {_whole(results)}"
            f" ({found.distinct_flips:,} of {found.distinct:,} distinct) rank{one} the systems"
            f" {_otherwise(results)}{_decisively(results, found)}."
        )
        word = "Yes"
    else:
        word = "Yes"
        rows = counted(len(results.study_flips), "row")
        rest = f": the captions stayed the same, yet {flipped} of {rows} of the tables rank the systems otherwise."
    asked = found.flips > 0 and found.significant is None
    return {
        "question": "does the ranking change?",
        "word": word,
        "rest": rest,
        "worth": _worth(results, found),
        "ask": asked,
        "outside": _outside(results),
        "example": _example(results, found),
    }


def _moved(results: Results) -> tuple[str, str]:
    """Tell between which scores the one system's lies."""
    if len(results.cells) == 1:
        return _ALONE
    scores, cells = results.grid["score"], counted(len(results.cells), "configuration")
    distinct = results.count(np.ones(len(results.cells), dtype=bool))[1]
    own = next(iter(results.scores(results.study.baseline).values()))
    return (
        f"From {scores.min():.4f} to {scores.max():.4f}",
        f": so far does the score of the same captions move over {cells} of BLEU ({distinct:,} distinct)."
        f" At the baseline it is {own:.4f}.",
    )


def _whole(results: Results) -> str:
    """What is counted: rows of a table may lie outside of the grid."""
    return "the grid" if _outside(results) else "BLEU"


def _outside(results: Results) -> str:
    """How many configurations only a table names; nothing where there are none."""
    outside = len(results.cells) - results.grid_cells
    return counted(outside, "configuration") if outside > 0 else ""


def _steady(results: Results, found: GridFlips) -> tuple[str, str]:
    if found.cells == 1 and results.study_flips.empty:
        return _ALONE
    same = "the ranking" if are_many(results) else f"the ranking {unbroken(results.baseline_ranking)}"
    cells, rows = counted(found.cells, "configuration"), ", and in every row of the tables" * bool(_outside(results))
    where = f"in all {cells} of {_whole(results)} ({found.distinct:,} distinct){rows}"
    return "No", f": the captions stayed the same, and so did {same} {where}."


def _decisively(results: Results, found: GridFlips) -> str:
    if found.decisive is None:
        return ""
    meant = " (both orders significant)"
    if found.decisive:
        return f", {cells_words(found.decisive, found.distinct_decisive)} of them decisively{meant}"
    since = ""
    pair = turning_pair(results)
    if pair and at_baseline(results, pair)["verdict"] == "neither":
        scores = results.scores(results.study.baseline)
        ties = same_decimals(*(scores[system] for system in pair))
        names = listed(pair, "and" if ties else "nor")
        since = (
            f": at the baseline {names} agree at four decimals"
            if ties
            else f": at the baseline neither {names} leads significantly"
        )
    return f", {'none of them' if found.flips > 1 else 'but not'} decisively{meant}{since}"


def turning_pair(results: Results) -> tuple[str, str] | None:
    """Return the pair that the answer is about, of those whose order over the grid is not always the baseline's.

    It is that of the gap, if that one turns at all; else the one that turns in most cells, the baseline's leader first.
    """
    if not results.study.gap:
        return None
    scores, places = results.scores(results.study.baseline), results.over["places"].set_index("system")["baseline"]
    turned = {}
    for (one, other), row in zip(combinations(scores, 2), results.over["pairs"].to_dict("records"), strict=True):
        leads = scores[one] >= scores[other]
        order = "tied" if places[one] == places[other] else "first" if leads else "second"
        # Two columns are called as columns of names are.
        turned[(one, other) if leads else (other, one)] = row["cells"] - int(row[order])
    gap = results.study.gap
    if turned.get(gap) or turned.get(gap[::-1]):
        return gap
    most = max(turned, key=lambda pair: turned[pair])
    return most if turned[most] else None


def at_baseline(results: Results, pair: tuple[str, str] | None) -> dict[str, Any]:
    """Return the row of ``significance.csv`` about a pair at the baseline, by plain draws."""
    rows = results.at(results.gap_tests(pair), results.study.baseline)
    return {str(key): value for key, value in rows.to_dict("records")[0].items()}


def _worth(results: Results, found: GridFlips) -> str:
    """Say how the baseline's tie stands, and how many flips are significant."""
    told = ""
    cell = results.cell(results.study.baseline)
    if cell["equal"] and results.study.gap:
        gap = abs(cell["gap"])
        leader, other = results.study.gap if cell["gap"] >= 0 else results.study.gap[::-1]
        told = (
            f"At the baseline {leader} and {other} are equal. "
            if not gap
            else f"At the baseline {leader} leads {other} by {_unsigned(gap)},"
            " which is a tie for any practical purpose. "
        )
    if found.significant is not None and found.flips:
        one = "has" if found.significant == 1 else "have"
        told += (
            f"{found.significant:,} of the {found.flips:,} ({_distinctly(found)}) {one} an order that is significant"
            f" and not the baseline's (level {results.study.level:g}, adjusted for all configurations and pairs)."
        )
    return told.strip()


def _distinctly(found: GridFlips) -> str:
    return f"{found.distinct_significant:,} of {found.distinct_flips:,} distinct"


def _unsigned(gap: float) -> str:
    """A gap without its sign, on one line."""
    return signed(gap).lstrip("+").replace("-", "\N{NON-BREAKING HYPHEN}")


def are_many(results: Results) -> bool:
    """Whether there are too many systems to write out their whole ranking."""
    return len(results.captions.systems) > MANY_SYSTEMS


def _otherwise(results: Results) -> str:
    """How the flips rank the systems; of many rankings, or of many systems, only how many there are."""
    names = results.over["rankings"]["ranking"]
    others = [str(name) for name in names if name != results.baseline_ranking]
    if are_many(results) or len(others) > FEW_RANKINGS:
        return f"in {counted(len(others), 'way')} other than the baseline's"
    return f"{listed([unbroken(name) for name in others], 'or')} instead of {unbroken(results.baseline_ranking)}"


def _example(results: Results, found: GridFlips) -> list[dict[str, Any]]:
    """The baseline and the widest flip of the tables, one under the other; where nothing flips, the narrowest row."""
    rows = results.study_flips.to_dict("records")
    flipped = [row for row in rows if row["flip"]]
    if are_many(results) or not (flipped or (rows and not found.flips)):
        return []
    shown = max(flipped or rows, key=lambda row: abs(row["gap"]) if flipped else -abs(row["gap"]))
    table = results.tables[shown["table"]]
    row = table[table["configuration"] == shown["configuration"]].to_dict("records")[0]
    baseline = results.scores(results.study.baseline)
    return [
        {
            "configuration": "the baseline",
            "scores": [f"{score:.4f}" for score in baseline.values()],
            "ranking": unbroken(results.baseline_ranking),
            "tie": bool(results.cell(results.study.baseline)["equal"]),
            "flip": False,
        },
        {
            "configuration": row["configuration"],
            "scores": [f"{row[system]:.4f}" for system in baseline],
            "ranking": unbroken(row["ranking"]),
            "tie": False,
            "flip": bool(shown["flip"]),
        },
    ]


def facts(results: Results) -> list[dict[str, Any]]:
    """Return the figures below the answer, each with the section that shows where it is from."""
    if len(results.captions.systems) == 1:
        return []
    rows, found = results.study_flips, grid_flips(results)
    must = [row for row in results.rows("checks") if row["holds"]]
    verdicts = Counter(row["verdict"] for row in results.rows("claims"))
    agreeing = verdicts["MATCH"] + verdicts["WITHIN_BOUND"]
    told = "tables" if results.study.is_own else "study's tables"
    shown = [
        (int(rows["flip"].sum()), len(rows), f"rows of the {told} flip the ranking", "tables"),
        (found.significant or 0, found.flips if found.significant is not None else 0,
         f"flips of the grid have a significant order ({_distinctly(found)})", "significance"),
        (sum(row["holds"] == "True" for row in must), len(must), "checks hold", "checks"),
        (agreeing, agreeing + verdicts["DIFFERS"], "published statements that can be computed agree", "ledger"),
    ]  # fmt: skip
    return [{"number": f"{part:,} of {all_:,}", "text": text, "link": link} for part, all_, text, link in shown if all_]

"""Which orders and flips would survive another draw of images, as the templates show it."""

import math
from typing import Any

import pandas as pd

from manybleus.report.answer import at_baseline
from manybleus.report.results import OWN_TABLE, PLAIN, Results
from manybleus.report.words import cells_words, in_words, listed, unbroken
from manybleus.text import counted, signed

KINDS = {
    "decisive": "both orders, the baseline's and the new one, are significant",
    "soft": "one of the two orders is significant, the other is not",
    "tie": "neither order is significant",
}
_LISTED = 10
_SMALLEST_P = 0.0001
# The drawing of an interval, in units of its own.
_WIDTH = 150


def significance(results: Results) -> dict[str, Any]:
    """Return the intervals of the tables' rows, what their flips are worth, and the largest contradictions."""
    if not results.study.gap or not results.study.draws:
        return {}
    rows = results.over["flip_significance"]
    plain = rows[rows["resampling"] == PLAIN]
    other = rows[rows["resampling"] != PLAIN].set_index(["table", "configuration"])
    kinds = plain["kind"].dropna()
    scale = _scale(pd.concat([plain["low"], plain["high"]]))
    lines = [
        {
            "table": "own" if row["table"] == OWN_TABLE else row["table"],
            "configuration": row["configuration"],
            "gap": signed(row["gap"]),
            "interval": f"{signed(row['low'])} to {signed(row['high'])}",
            "drawn": [scale(row[name]) for name in ("low", "gap", "high")],
            "p": p_words(row["adjusted"]),
            "near": _is_near(row["adjusted"], results),
            "verdict": _verdict(str(row["verdict"]), results),
            "kind": "" if pd.isna(row["kind"]) else str(row["kind"]),
            "other": _other(other, row, results),
            "change": signed(row["change"]),
            "change_interval": f"{signed(row['change_low'])} to {signed(row['change_high'])}",
            "change_p": p_words(row["change_p"]),
        }
        for row in plain.to_dict("records")
    ]
    return {
        "level": f"{results.study.level:g}",
        "too_few_below": results.too_few_below,
        "covers": f"{100 * (1 - results.study.level):g}",
        "draws": f"{results.study.draws:,}",
        "noise": f"{2 * noise(results.study.level, results.study.draws):.3f}",
        "zero": scale(0.0),
        "width": _WIDTH,
        "rows": lines,
        "has_strata": len(other) > 0,
        "near": [line for line in lines if line["near"] or (line["other"] and line["other"]["near"])],
        "kinds": [
            {"kind": kind, "meaning": meaning, "rows": list(plain["configuration"][plain["kind"] == kind])}
            for kind, meaning in KINDS.items()
        ],
        "flips": len(kinds),
        "tied": at_baseline(results, results.study.gap)["verdict"] == "neither",
        **_reversals(results),
        "blocks": _blocks(results),
    }


def noise(level: float, draws: int) -> float:
    """Return the standard error of a bootstrap p that is the level.

    p is twice the share of the draws on the rarer side of zero, a binomial share.
    """
    return 2 * math.sqrt(level / 2 * (1 - level / 2) / draws)


def is_near(p: float, level: float, draws: int) -> bool:
    """Whether p is so near the level, within two standard errors, that other draws may well tell otherwise."""
    return abs(p - level) <= 2 * noise(level, draws)


def _is_near(p: float, results: Results) -> bool:
    return not results.too_few_below and is_near(p, results.study.level, results.study.draws)


def p_words(p: float) -> str:
    """Return p with four decimals; none is 0."""
    return f"{p:.4f}" if p >= _SMALLEST_P else f"< {_SMALLEST_P}"


def _scale(values: "pd.Series[float]") -> Any:
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return round(4 + (_WIDTH - 8) * (value - low) / span, 1)

    return place


def _verdict(verdict: str, results: Results) -> str:
    first, second = results.study.gap or ("", "")
    return unbroken({"first": f"{first} leads", "second": f"{second} leads", "neither": "neither"}[verdict])


def _other(other: pd.DataFrame, row: dict[Any, Any], results: Results) -> dict[str, Any]:
    """What the draws within strata say of the same row."""
    if other.empty:
        return {}
    found = other.loc[(row["table"], row["configuration"])]
    return {
        "p": p_words(found["adjusted"]),
        "near": _is_near(found["adjusted"], results),
        "verdict": _verdict(str(found["verdict"]), results),
        "kind": "" if pd.isna(found["kind"]) else str(found["kind"]),
    }


def _reversals(results: Results) -> dict[str, Any]:
    """The pairs of which some configurations say one thing significantly, and some the other."""
    table = results.over["reversals"]
    systems = list(results.captions.systems)
    names = {f"{one}-{two}": (one, two) for place, one in enumerate(systems) for two in systems[place + 1 :]}
    both = table[table["first_cell"].notna()].assign(size=lambda rows: rows["change"].abs())
    plain = both[both["resampling"] == PLAIN].sort_values("size", ascending=False, kind="stable")
    listed_pairs = list(plain["pair"][:_LISTED])
    lines = []
    for pair in listed_pairs:
        for row in both[both["pair"] == pair].to_dict("records"):
            one, two = names[pair]
            lines.append(
                {
                    "pair": listed([one, two], "and"),
                    "resampling": str(row["resampling"]),
                    # Two columns are called as columns of names are.
                    "counts": [
                        cells_words(int(row[name]), int(row[f"distinct_{name}"]), noun="")
                        for name in ("first", "neither", "second")
                    ],
                    "one": {"leads": one, "cell": in_words(str(row["first_cell"])), "gap": signed(row["first_gap"])},
                    "two": {"leads": two, "cell": in_words(str(row["second_cell"])), "gap": signed(row["second_gap"])},
                    "change": f"{row['change']:.4f}",
                    "interval": f"{row['change_low']:.4f} to {row['change_high']:.4f}",
                    "p": p_words(row["change_p"]),
                }
            )
    of = int((table["resampling"] == PLAIN).sum())
    return {
        "reversals": lines,
        "contradicting": counted(len(plain), "pair"),
        "unlisted": max(len(plain) - _LISTED, 0),
        "pairs": of,
    }


def _blocks(results: Results) -> list[dict[str, str]]:
    return [
        {
            "pair": f"{row['better']} and {row['worse']}",
            "blocks": str(row["blocks"]),
            "difference": signed(row["mean_difference"]),
            "t": "" if pd.isna(row["t"]) else f"{row['t']:.2f}",
            "p": "" if pd.isna(row["p"]) else p_words(row["p"]),
        }
        for row in results.over["block_t"].to_dict("records")
    ]

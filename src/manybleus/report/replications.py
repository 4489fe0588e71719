"""The page of the replications: from their result files to plain values that its template shows."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from manybleus import __version__
from manybleus.replication.redraws import BASELINE, FLIP, ONE_REFERENCE, ORDER, SCENES
from manybleus.report.results import OWN_TABLE
from manybleus.report.words import data_uri, listed, unbroken
from manybleus.text import counted, signed


@dataclass(frozen=True, slots=True)
class Repeated:
    """What the page must know beside the result files.

    Attributes
    ----------
    study
        Its name.
    images, seed
        The study's own.
    seeds
        The first and the last seed.
    gap
        The two systems whose difference is told.
    titles
        Table name -> its title.
    single
        Table name and name of each row that uses one reference alone: with one reference, nothing is drawn there.
    """

    study: str
    images: int
    seed: int
    seeds: tuple[int, int]
    gap: tuple[str, str]
    titles: Mapping[str, str]
    single: tuple[tuple[str, str], ...] = ()


def replication_context(
    repeated: Repeated,
    rows: pd.DataFrame,
    counts: pd.DataFrame,
    sizes: pd.DataFrame | None,
    drawings: Mapping[str, bytes],
) -> dict[str, Any]:
    """Return everything that the page of the replications shows, as plain values.

    Parameters
    ----------
    repeated
        What was repeated.
    rows, counts, sizes
        As ``distributions.row_table``, ``count_table`` and ``size_table`` make them; None without other sizes.
    drawings
        File name -> figure as SVG, as ``replication_figures.replication_figures`` makes them.
    """
    first, last = repeated.seeds
    fresh = counts[(counts["redrawn"] == SCENES) & counts["seed"].between(first, last)]
    return {
        "study": {
            "name": repeated.study,
            "seed": repeated.seed,
            "images": repeated.images,
            "gap": list(repeated.gap),
            "seeds": f"seed {first}" if first == last else f"seeds {first} to {last}",
            "draws": len(fresh),
            "draws_words": counted(len(fresh), "draw"),
        },
        "answer": _answer(fresh),
        "facts": _facts(repeated, rows[rows["redrawn"] == SCENES], counts, fresh),
        "parts": {name: _tables(repeated, name, rows) for name in (SCENES, ORDER, ONE_REFERENCE)},
        "order": _rankings(counts[(counts["redrawn"] == ORDER) & counts["seed"].between(first, last)]),
        "kept": _kept(repeated, rows[rows["redrawn"] == ONE_REFERENCE]),
        "single": listed([name for _, name in repeated.single], "and"),
        "sizes": [] if sizes is None else _sizes(rows, sizes),
        "figures": {name: data_uri("image/svg+xml", svg) for name, svg in drawings.items()},
        "version": __version__,
    }


def _answer(fresh: pd.DataFrame) -> str:
    flips = fresh["flips"]
    span = f"{flips.min()}" if flips.min() == flips.max() else f"{flips.min()} to {flips.max()}"
    return f"the baseline ranks the systems {_rankings(fresh)}; {span} of its {fresh['rows'].iloc[0]} rows flip."


def _rankings(counts: pd.DataFrame) -> str:
    """Return in how many draws the baseline ranks the systems how, the most frequent first."""
    found = Counter(counts["baseline_ranking"]).most_common()
    return listed([f"{unbroken(ranking)} in {times}" for ranking, times in found], "and")


def _facts(repeated: Repeated, rows: pd.DataFrame, counts: pd.DataFrame, fresh: pd.DataFrame) -> list[dict[str, str]]:
    own = counts[(counts["redrawn"] == SCENES) & counts["own"]].iloc[0]
    settled = int(((rows["ahead"] == rows["draws"]) | (rows["ahead"] + rows["tied"] == 0)).sum())
    draws = len(fresh)
    facts = [
        (int((fresh["flips"] > 0).sum()), draws, "draws have at least one row that flips", "scenes"),
        (
            int((fresh["baseline_ranking"] == own["baseline_ranking"]).sum()),
            draws,
            "draws rank the systems at the baseline as the study's own does",
            "scenes",
        ),
        (
            int((fresh["flips"] >= own["flips"]).sum()),
            draws,
            f"draws have as many flips as the study's own, {own['flips']}, or more",
            "scenes",
        ),
        (settled, len(rows), f"rows have {listed(repeated.gap, 'and')} in one order in every draw", "scenes"),
    ]
    return [{"number": f"{part} of {all_}", "text": text, "link": link} for part, all_, text, link in facts]


def _tables(repeated: Repeated, redrawn: str, rows: pd.DataFrame) -> list[dict[str, Any]]:
    tables = []
    for name, part in rows[rows["redrawn"] == redrawn].groupby("table", sort=False):
        label = "Your own configurations" if name == OWN_TABLE else f"Table {name}: {repeated.titles[str(name)]}"
        lines = [
            {
                "configuration": row["configuration"],
                "study": signed(row["study_gap"]),
                **_shown(row),
                "below": row["below"],
                "change": row["study_change"],
                "counted": redrawn == ONE_REFERENCE or row["study_change"] != BASELINE,
                "still": redrawn == ONE_REFERENCE and (name, row["configuration"]) in repeated.single,
            }
            for row in part.to_dict("records")
        ]
        tables.append({"key": f"{redrawn.replace(' ', '-')}-{str(name).lower()}", "label": label, "lines": lines})
    return tables


def _sizes(rows: pd.DataFrame, sizes: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of the figure by number of images: the baseline, and those that flip in the study."""
    study = rows[(rows["redrawn"] == SCENES) & rows["study_change"].isin([BASELINE, FLIP])]
    found = []
    for key in zip(study["table"], study["configuration"], strict=True):
        part = sizes[(sizes["table"] == key[0]) & (sizes["configuration"] == key[1])]
        lines = [{"images": f"{row['images']:,}", **_shown(row)} for row in part.to_dict("records")]
        found.append({"configuration": key[1], "lines": lines})
    return found


def _shown(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        **{name: signed(row[name]) for name in ("mean", "lowest", "highest")},
        "sd": "" if pd.isna(row["sd"]) else f"{row['sd']:.4f}",
        "draws": row["draws"],
        "ahead": row["ahead"],
        "flips": row["flips"],
        "share": f"{100 * row['flips'] / row['draws']:.0f}",
    }


def _kept(repeated: Repeated, rows: pd.DataFrame) -> str:
    """Return how many rows keep with one reference, in every draw, the ranking that they have with all of theirs."""
    rows = rows[[row not in repeated.single for row in zip(rows["table"], rows["configuration"], strict=True)]]
    return f"{int((rows['flips'] == 0).sum())} of {len(rows)}"

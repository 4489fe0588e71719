"""The study's printed output, byte by byte, from the result tables."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from manybleus.replication.statements import study_flips


def printed_output(checks: Mapping[str, str], tables: Mapping[str, pd.DataFrame]) -> str:
    """Return what the study prints.

    Parameters
    ----------
    checks
        Check id -> its value as text, as ``checks.csv`` holds them.
    tables
        The study's tables by file name, as ``analysis.tables.study_tables`` makes them.
    """
    spread = tables["tables/spread.csv"]
    brevity_penalties = tables["tables/brevity_penalties.csv"]
    differences = tables["tables/mean_minus_corpus.csv"]
    precisions, monotone = tables["tables/precisions.csv"], tables["tables/monotone.csv"]
    parts = [
        _checks(checks),
        "",
        # The study's header of Table A stands one column right of its rows.
        _table(f"{'A. corpus BLEU-4':20}{'configuration':52}", tables["tables/table_a.csv"]),
        "spread (max - min over table A): " + ", ".join(f"{s} {v:.4f}" for s, v in spread.itertuples(index=False)),
        "",
        _table(f"{'B. baseline set-up':20}{'aggregation and smoothing':51}", tables["tables/table_b.csv"]),
        "mean sentence - corpus: " + "; ".join(map(_differences, differences.to_dict("records"))),
        "",
        "BP (baseline): "
        + "; ".join(
            f"{system} corpus {corpus:.4f}, mean sentence {mean:.4f}"
            for system, corpus, mean in brevity_penalties.itertuples(index=False)
        ),
        "",
        "modified precisions p1..p4 by number of references:",
        *(_precisions(precisions, *flags) for flags in monotone.itertuples(index=False)),
        "",
        _flips(study_flips(tables)),
    ]
    return "\n".join(parts) + "\n"


def _checks(checks: Mapping[str, str]) -> str:
    def noise(check: str) -> str:
        return f"{float(checks[check]):.1e}"

    images = checks["data-images"]
    return (
        f"images {images}, object overlap {checks['data-overlap']} px, "
        f"distinct references per image {checks['data-distinct-references']}, "
        f"objects read {checks['data-objects-read']}\n"
        f"punctuation check: tokens with punctuation under 'removed' {checks['punct-removed']}; "
        f"tokens with attached punctuation under 'kept' {checks['punct-kept']}\n"
        f"S1 colours, shapes and relation correct {checks['reading-s1']}/{images}; "
        f"S2 colours and relation correct {checks['reading-s2']}/{images}\n"
        f"hand vs NLTK, corpus, no candidate under 4 tokens: max diff {noise('nltk-corpus')}\n"
        f"hand vs NLTK, corpus, {checks['nltk-short-cases']} cases with a candidate under 4 tokens: "
        f"max diff {noise('nltk-short')}; with NLTK's denominator floor: {noise('nltk-short-floored')}\n"
        f"hand vs NLTK, sentence level (baseline): max diff {noise('nltk-sentence')}\n"
        f"coco guards vs none, corpus: max relative diff {noise('coco-corpus')}; "
        f"{checks['coco-zero-sentences']} sentences score 0 unsmoothed, guarded max {noise('coco-zero-max')}"
    )


def _table(title: str, table: pd.DataFrame) -> str:
    _, *systems, _, gap = table.columns
    lines = [title + "".join(f"{system:>8}" for system in systems) + "   ranking"]
    for row in table.to_dict("records"):
        scores = "".join(f"{row[system]:8.4f}" for system in systems)
        lines.append(f"{'':19}{row['configuration']:52}{scores}   {row['ranking']}   {gap} {row[gap]:+.2e}")
    return "\n".join(lines)


def _differences(row: Mapping[Any, Any]) -> str:
    (_, smoothing), *by_system = row.items()
    return f"{smoothing} " + " ".join(f"{system} {difference:+.4f}" for system, difference in by_system)


def _precisions(table: pd.DataFrame, system: str, precisions_monotone: bool, score_monotone: bool) -> str:
    rows = table[table["system"] == system].drop(columns=["system", "references", "score"])
    listed = "  ".join("/".join(f"{p:.3f}" for p in row) for row in rows.itertuples(index=False))
    return (
        f"  {system:2} {listed}   precisions non-decreasing {precisions_monotone}, BLEU non-decreasing {score_monotone}"
    )


def _flips(flips: pd.DataFrame) -> str:
    flipped = list(flips["configuration"][flips["flip"]])
    baseline = flips["baseline_ranking"].iloc[0]
    return f"rows whose ranking differs from the baseline ({baseline}): {len(flipped)} of {len(flips)}: {flipped}"

"""The study's statements about its tables, each computed from the tables alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

Tables = Mapping[str, pd.DataFrame]
Quantity = tuple[str, object]


def statements(tables: Tables) -> pd.DataFrame:
    """Compute every statement that is not itself a cell of a table.

    Parameters
    ----------
    tables
        The study's tables by file name, as ``analysis.tables.study_tables`` makes them.

    Returns
    -------
    DataFrame
        ``statement``, ``quantity`` (``value``, or ``lowest`` and ``highest`` where a range is stated), ``value``. A
        statement about a row or system that an edited study does not have is left out.
    """
    lines = []
    for name, state in STATEMENTS.items():
        try:
            lines += [{"statement": name, "quantity": quantity, "value": value} for quantity, value in state(tables)]
        except (KeyError, IndexError, ValueError):
            continue
    return pd.DataFrame(lines, columns=["statement", "quantity", "value"])


def study_flips(tables: Tables) -> pd.DataFrame:
    """Return the flips of the study's own Tables A and B, without a user's further rows."""
    flips = tables["tables/flips.csv"]
    return flips[flips["table"].isin(["A", "B"])]


def flips(tables: Tables) -> Iterator[Quantity]:
    """How many rows' ranking differs from the baseline's."""
    rows = study_flips(tables)
    yield "value", f"{int(rows['flip'].sum())} of {len(rows)}"


def flips_set(tables: Tables) -> Iterator[Quantity]:
    """Which rows' ranking differs."""
    rows = study_flips(tables)
    yield "value", "; ".join(rows["configuration"][rows["flip"]])


def s1_first(tables: Tables) -> Iterator[Quantity]:
    """S1 ranks first, untied, in every row."""
    yield "value", bool(pd.concat(_tables_a_b(tables))["ranking"].str.startswith("S1 >").all())


def flip_gap(tables: Tables) -> Iterator[Quantity]:
    """G's lead over S2 in the flipped rows."""
    rows = study_flips(tables)
    yield from _range([-float(gap) for gap in rows["gap"][rows["flip"]]])


def nonflip_gap(tables: Tables) -> Iterator[Quantity]:
    """S2's largest lead over G in the other rows."""
    rows = study_flips(tables)
    yield "value", float(rows["gap"][~rows["flip"]].max())


def references_largest(tables: Tables) -> Iterator[Quantity]:
    """Going from one to eight references moves S1 more than any other single change in Table A moves it."""
    scores = tables["tables/table_a.csv"].set_index("configuration")["S1"]
    moved = (scores - scores.iloc[0]).abs().drop(["1 reference", "8 references"])
    yield "value", bool(scores["8 references"] - scores["1 reference"] > moved.max())


def references_monotone(tables: Tables) -> Iterator[Quantity]:
    """BLEU rises with the number of references, every system, every step."""
    by_system = tables["tables/precisions.csv"].groupby("system")["score"]
    yield "value", bool((by_system.diff().dropna() > 0).all())


def precisions_monotone(tables: Tables) -> Iterator[Quantity]:
    """No modified precision falls as nested references are added."""
    yield "value", bool(tables["tables/monotone.csv"]["precisions"].all())


def mean_versus_corpus(tables: Tables) -> Iterator[Quantity]:
    """Mean sentence BLEU minus corpus BLEU: the range, and in how many of the pairs they differ at all."""
    differences = _differences(tables).to_numpy()
    yield "lowest", float(differences.min())
    yield "highest", float(differences.max())
    yield "differing", f"{int((differences != 0).sum())} of {differences.size}"


def mean_spread(tables: Tables) -> Iterator[Quantity]:
    """Spread of a system's mean sentence scores over the smoothings, the smallest and the largest.

    The study subtracts the figures of its table, rounded to four decimals; the unrounded spreads are told beside.
    """
    rows = _rows_of_b(tables, "mean sentence, ")
    for quantity, scores in {"": rows.round(4), " unrounded": rows}.items():
        spreads = (scores.max() - scores.min()).to_dict()
        low, high = min(spreads, key=spreads.__getitem__), max(spreads, key=spreads.__getitem__)
        yield f"lowest{quantity}", f"{low} {spreads[low]:.4f}"
        yield f"highest{quantity}", f"{high} {spreads[high]:.4f}"


def unsmoothed_mean_below(tables: Tables) -> Iterator[Quantity]:
    """How far unsmoothed mean sentence BLEU lies below corpus BLEU."""
    yield from _range([-float(x) for x in _differences(tables).loc["none"].to_numpy(float)])


def add1_corpus(tables: Tables) -> Iterator[Quantity]:
    """The most that add-1 adds to a corpus score."""
    rows = _rows_of_b(tables, "corpus, ")
    yield "value", float((rows.loc["add-1"] - rows.loc["none"]).to_numpy(float).max())


def exp_coco_corpus(tables: Tables) -> Iterator[Quantity]:
    """exp and the guards leave the corpus scores unchanged at four decimals."""
    rows = _rows_of_b(tables, "corpus, ").map("{:.4f}".format)
    yield "value", bool((rows.loc["exp"] == rows.loc["none"]).all() and (rows.loc["coco"] == rows.loc["none"]).all())


def no_zero_counts(tables: Tables) -> Iterator[Quantity]:
    """No corpus count of matches is zero at the baseline's four references."""
    rows = _at_four_references(tables)
    yield "value", bool((rows.filter(regex="^p[0-9]") > 0).all(axis=None))


def s2_lowest_p4(tables: Tables) -> Iterator[Quantity]:
    """S2's 4-gram precision, the lowest of all systems at four references."""
    p4 = _at_four_references(tables).set_index("system")["p4"]
    value = float(p4["S2"])
    yield "value", value if p4.idxmin() == "S2" else f"{p4.idxmin()} is the lowest"


STATEMENTS: dict[str, Callable[[Tables], Iterator[Quantity]]] = {
    "flips": flips,
    "flips-set": flips_set,
    "s1-first": s1_first,
    "flip-gap": flip_gap,
    "nonflip-gap-max": nonflip_gap,
    "refs-largest-effect": references_largest,
    "refs-monotone": references_monotone,
    "precisions-monotone": precisions_monotone,
    "mean-vs-corpus": mean_versus_corpus,
    "mean-spread": mean_spread,
    "unsmoothed-mean-below": unsmoothed_mean_below,
    "add1-corpus": add1_corpus,
    "exp-coco-corpus": exp_coco_corpus,
    "no-zero-counts": no_zero_counts,
    "s2-lowest-p4": s2_lowest_p4,
}


def _tables_a_b(tables: Tables) -> Sequence[pd.DataFrame]:
    return tables["tables/table_a.csv"], tables["tables/table_b.csv"]


def _rows_of_b(tables: Tables, prefix: str) -> pd.DataFrame:
    """Scores of Table B's rows whose names begin so, by the rest of the name."""
    table = tables["tables/table_b.csv"]
    rows = table[table["configuration"].str.startswith(prefix)]
    scores = rows.set_index(rows["configuration"].str.removeprefix(prefix))
    return scores[list(tables["tables/monotone.csv"]["system"])]


def _differences(tables: Tables) -> pd.DataFrame:
    return tables["tables/mean_minus_corpus.csv"].set_index("smoothing")


def _at_four_references(tables: Tables) -> pd.DataFrame:
    precisions = tables["tables/precisions.csv"]
    return precisions[precisions["references"].astype(str) == "4"]


def _range(values: Sequence[float]) -> Iterator[Quantity]:
    yield "lowest", min(values)
    yield "highest", max(values)

"""What is told of choices, pairs and places is what the tables over the grid say."""

from dataclasses import replace

import pandas as pd

from manybleus.report.effects import effects, standings


def with_over(results, **tables):
    return replace(results, over=results.over | tables)


def test_choices_stand_by_how_often_they_turn_the_pair(small):
    told = effects(small.read())["axes"]
    table = small.table("effects.csv").query("pair == 'S2-G'")
    whole = table[table["from"].isna()].sort_values("pivotality", ascending=False, kind="stable")
    assert [row["pivotality"] for row in told] == [f"{100 * value:.1f}" for value in whole["pivotality"]]
    assert {row["flips"] for row in told} == {f"{row.flips} of {row.contexts}" for row in whole.itertuples()}


def test_the_largest_step_and_the_shares_are_the_tables(small):
    results = small.read()
    table = results.over["effects"].copy()
    step = table[(table["axis"] == "smoothing") & table["from"].notna() & (table["pair"] == "S2-G")].index[0]
    table.loc[step, ["from", "to", "mean_change"]] = ["this", "that", -0.75]
    shares = results.over["variances"].copy()
    shares.loc[(shares["of"] == "S2-G") & (shares["term"] == "smoothing"), ["share", "total_share"]] = [0.125, 0.25]
    told = effects(with_over(results, effects=table, variances=shares))
    (row,) = (row for row in told["axes"] if row["axis"] == "smoothing")
    assert row["step"] == {"change": "this → that", "mean": "-0.7500"}
    assert (row["share"], row["total"]) == ("12.5", "25.0")


def test_interactions_are_listed_and_the_rest_is_summed(small):
    table = small.table("variances.csv").query("of == 'S2-G' and axes > 1").sort_values("share", ascending=False)
    told = effects(small.read())
    assert [row["share"] for row in told["interactions"]] == [f"{100 * share:.1f}" for share in table["share"][:6]]
    assert told["rest"]["count"] == max(len(table) - 6, 0)


def test_what_settles_the_ranking_is_put_into_words(small):
    fixed = pd.DataFrame(
        [
            ["choices", "references=1; tokenizer=kept", 2, "A > B", 24, 7],
            ["axes", "references; case", 2, None, 48, 14],
            ["axes", "references; smoothing", 2, None, 48, 14],
        ],
        columns=["kind", "fixed", "size", "ranking", "cells", "distinct_cells"],
    )
    told = effects(with_over(small.read(), fixed=fixed))
    words = "1 reference, punctuation kept on words"
    assert told["settled"] == [{"fixed": words, "ranking": "A > B", "cells": "24 (7)"}]
    assert told["needed"] == ["number of references and case", "number of references and smoothing"]


def test_places_and_turning_pairs_are_the_tables(small):
    results = small.read()
    told = standings(results)
    pairs = small.table("pairs.csv")
    assert (told["turning"], told["of"]) == ((~pairs["holds"]).sum(), 3)
    (row,) = pairs[pairs["pair"] == "S2-G"].to_dict("records")
    (shown,) = (pair for pair in told["pairs"] if pair["pair"] == "S2 and G")
    assert shown["counts"] == [f"{row[name]} ({row[f'distinct_{name}']})" for name in ("first", "tied", "second")]
    places = results.over["places"].assign(best=1, worst=3)
    assert {each["range"] for each in standings(with_over(results, places=places))["places"]} == {"1 to 3"}

"""The ledger: complete, equal to what was published, and sensitive to every cell that it reads."""

import re
from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
import yaml
from helpers import DATA, LEDGER, ids_with, verdict_of

from manybleus.bleu.configuration import Configuration, choices
from manybleus.config import Table, inputs_of
from manybleus.errors import ManybleusError
from manybleus.files import as_csv, cells
from manybleus.replication import peers
from manybleus.replication.claims import failures, read_claims, verdicts
from manybleus.replication.conventions import conventions
from manybleus.replication.rerun import rerun

GROUPS = yaml.safe_load(LEDGER.read_text(encoding="utf-8"))["claims"]
PUBLISHED = yaml.safe_load((DATA / "published_claims.yaml").read_text(encoding="utf-8"))
HOLDS = {"MATCH", "WITHIN_BOUND"}
MINIMAL = {"inputs": {"scenes": {"images": 200}}, "claims": {}, "tables": []}


def numbers_of_the_printed_tables(text):
    """Address -> printed figure, for every number and ranking of the tables."""
    found = {}
    table = ""
    for line in text.splitlines():
        if line.startswith(("A. ", "B. ")):
            table = f"tables/table_{line[0].lower()}.csv"
        elif match := re.fullmatch(r" {19}(.+?)\s+([\d.]+)  ([\d.]+)  ([\d.]+)   (.{11})   S2-G (\S+)", line):
            row, *figures = match.groups()
            found |= {(table, row, c): f for c, f in zip(("S1", "S2", "G", "ranking", "S2-G"), figures, strict=True)}
        elif line.startswith("spread"):
            found |= {("tables/spread.csv", s, "spread"): f for s, f in re.findall(r"(S1|S2|G) ([\d.]+)", line)}
        elif line.startswith("mean sentence - corpus: "):
            for part in line.removeprefix("mean sentence - corpus: ").split("; "):
                smoothing, *words = part.split()
                pairs = zip(words[::2], words[1::2], strict=True)
                found |= {("tables/mean_minus_corpus.csv", smoothing, s): f for s, f in pairs}
        elif line.startswith("BP"):
            for s, corpus, mean in re.findall(r"(S1|S2|G) corpus ([\d.]+), mean sentence ([\d.]+)", line):
                found["tables/brevity_penalties.csv", s, "corpus"] = corpus
                found["tables/brevity_penalties.csv", s, "mean-sentence"] = mean
        elif match := re.fullmatch(
            r"  (S1|S2|G ) (.+?)   precisions non-decreasing (\w+), BLEU non-decreasing (\w+)", line
        ):
            system, rows, precisions, score = match[1].strip(), match[2].split("  "), match[3], match[4]
            for references, row in zip("1248", rows, strict=True):
                for n, figure in enumerate(row.split("/"), start=1):
                    found["tables/precisions.csv", f"{system}, {references}", f"p{n}"] = figure
            found["tables/monotone.csv", system, "precisions"] = precisions
            found["tables/monotone.csv", system, "score"] = score
    return found


def worth(figure):
    """A figure for comparison: a number where it is one."""
    try:
        return float(figure)
    except ValueError:
        return str(figure)


# ------------------------------------------------------------------------------------------------------- completeness


@pytest.mark.parametrize("group", {**PUBLISHED, **GROUPS})
def test_ledger_holds_every_published_claim_and_no_other(claims, group):
    assert {claim.id for claim in claims if claim.group == group} == set(PUBLISHED.get(group, ()))


@pytest.mark.parametrize("group", PUBLISHED)
def test_ledger_states_the_published_figures(claims, group):
    stated = {claim.id: Counter(map(worth, claim.published)) for claim in claims if claim.group == group}
    missing = {i: figures for i, figures in PUBLISHED[group].items() if Counter(map(worth, figures)) - stated[i]}
    assert not missing


def test_only_literature_goes_without_a_result_that_answers_it(claims):
    assert {claim.id for claim in claims if not claim.where} == set(PUBLISHED["literature"])
    assert {claim.id for claim in claims if claim.kind == "literature"} == set(PUBLISHED["literature"])


def test_every_printed_number_of_the_tables_has_a_claim_with_its_value(claims, published):
    printed = numbers_of_the_printed_tables(published)
    assert len(printed) == 17 * 5 + 3 + 12 + 6 + 48 + 6
    of_tables = [claim for claim in claims if claim.group not in GROUPS]
    stated = {
        (address.file, ", ".join(address.row.values()), address.column): claim.published[0]
        for claim in of_tables
        for address in claim.where
    }
    assert len(of_tables) == len(stated)
    assert stated == printed


def test_every_claim_has_one_published_figure_for_each_cell(computable):
    for claim in computable:
        if claim.kind == "interval":
            assert len(claim.published) == 2, claim.id
        elif claim.kind == "bound":
            assert len(claim.published) == 1, claim.id
        else:
            assert len(claim.published) == len(claim.where), claim.id


# ------------------------------------------------------------------------------------------------------------ verdicts


def test_the_study_agrees_with_every_claim(claims, study, tables):
    given = verdict_of(claims, inputs_of(study), tables)
    assert {claim: verdict for claim, verdict in given.items() if verdict not in HOLDS | {"LITERATURE"}} == {}
    assert ids_with("LITERATURE", given) == set(PUBLISHED["literature"])
    bounds = {claim.id for claim in claims if claim.kind in ("bound", "interval")}
    assert ids_with("WITHIN_BOUND", given) == bounds


def spoiled(claim, place):
    """A cell that is just too far from what was published: one unit of its last printed place."""
    published = claim.published[place] if place < len(claim.published) else claim.published[0]
    if claim.kind == "interval":
        published = claim.published[1]
    try:
        number = float(published)
    except ValueError:
        return published + "?"
    if claim.kind in ("exact", "order", "bool"):
        return f"{number:.0f}1"
    mantissa, _, exponent = published.lower().partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return repr(number + unit if number + unit != number else number - unit)


def spoil(table, address, value):
    changed = table.copy()
    rows = pd.Series(True, index=changed.index)
    for column, wanted in address.row.items():
        rows &= changed[column] == wanted
    assert rows.sum() == 1, str(address)
    changed.loc[rows, address.column] = value
    return changed


def cells_read(computable, file):
    """Every cell that a claim reads in a file, once, with a claim that reads it."""
    return {str(a): (claim, place, a) for claim in computable for place, a in enumerate(claim.where) if a.file == file}


FILES = [
    "checks.csv",
    "statements.csv",
    "worked_examples.csv",
    "conventions.csv",
    "study_output.txt",
    "tables/table_a.csv",
    "tables/table_b.csv",
    "tables/spread.csv",
    "tables/mean_minus_corpus.csv",
    "tables/brevity_penalties.csv",
    "tables/precisions.csv",
    "tables/monotone.csv",
]


def test_claims_read_these_files(computable):
    assert {address.file for claim in computable for address in claim.where} == set(FILES)


@pytest.mark.parametrize("file", FILES)
def test_a_changed_cell_makes_exactly_its_claims_differ(computable, study, tables, file):
    readers = [claim for claim in computable if any(address.file == file for address in claim.where)]
    for name, (claim, place, address) in cells_read(computable, file).items():
        changed = {**tables, file: spoil(tables[file], address, spoiled(claim, place))}
        expected = {claim.id for claim in readers if address in claim.where}
        assert ids_with("DIFFERS", verdict_of(readers, inputs_of(study), changed)) == expected, name


@pytest.mark.parametrize("value", ["", "nan", "?"])
def test_a_cell_without_a_value_differs(computable, study, tables, value):
    for file in FILES:
        changed = tables[file].copy()
        columns = {address.column for claim in computable for address in claim.where if address.file == file}
        changed[list(columns)] = value
        readers = [claim for claim in computable if any(address.file == file for address in claim.where)]
        given = verdict_of(readers, inputs_of(study), {**tables, file: changed})
        assert ids_with("DIFFERS", given) == {claim.id for claim in readers}, file


@pytest.mark.parametrize("file", FILES)
def test_a_missing_row_or_column_or_file_differs(computable, study, tables, file):
    readers = [claim for claim in computable if any(address.file == file for address in claim.where)]
    without_column = tables[file].drop(
        columns=list({a.column for claim in readers for a in claim.where if a.file == file})
    )
    for broken in ({file: tables[file].iloc[:0]}, {file: without_column}, {}):
        given = verdict_of(readers, inputs_of(study), {name: tables[name] for name in FILES if name != file} | broken)
        assert ids_with("DIFFERS", given) == {claim.id for claim in readers}


def test_a_missing_file_on_disk_differs(computable, study):
    def read(file):
        raise FileNotFoundError(file)

    assert set(verdicts(computable, inputs_of(study), read)["verdict"]) == {"DIFFERS"}


def test_a_score_of_one_or_zero_is_held_to_more_than_a_whole_number(computable, study, tables):
    """A score that is 1 or 0 by calculation cannot be off by 0.2 unseen."""
    table = tables["worked_examples.csv"]
    blind = []
    for claim in computable:
        for address in claim.where:
            if address.file == "worked_examples.csv" and address.row["quantity"].startswith(("BLEU", "BP")):
                (old,) = table["value"][
                    (table["example"] == address.row["example"]) & (table["quantity"] == address.row["quantity"])
                ]
                changed = {**tables, address.file: spoil(table, address, repr(abs(float(old) - 0.2)))}
                if verdict_of([claim], inputs_of(study), changed)[claim.id] != "DIFFERS":
                    blind.append(str(address))
    assert blind == []


# ------------------------------------------------------------------------------------------- not run, not comparable


def test_conventions_are_not_run_without_pycocoevalcap(monkeypatch, computable, study, tables):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    hidden = cells("conventions.csv", as_csv(conventions()).encode())
    given = verdict_of(computable, inputs_of(study), {**tables, "conventions.csv": hidden})
    assert ids_with("NOT_RUN", given) == {"tie-shorter", "coco-average", "coco-guards", "scales", "bleu-k"}
    assert ids_with("DIFFERS", given) == set()
    assert hidden["shown"][hidden["holds"] == "NOT_RUN"].str.startswith("pycocoevalcap is not installed; ").all()


ANYWAY = {*PUBLISHED["worked examples"], *PUBLISHED["tool conventions"], "determinism", "runtime"}


@pytest.mark.parametrize("change", [{"images": 100}, {"seed": 1}, {"systems": ("S1", "S2")}])
def test_other_scenes_or_systems_leave_only_what_does_not_rest_on_them(computable, study, tables, change):
    given = verdict_of(computable, inputs_of(replace(study, **change)), tables)
    of_scenes_alone = {claim for claim in given if claim.startswith("data-")} if "systems" in change else set()
    assert ids_with("NOT_COMPARABLE", given) == given.keys() - ANYWAY - of_scenes_alone


def test_the_printed_output_alone_rests_on_the_order_of_the_systems(computable, study, tables):
    given = verdict_of(computable, inputs_of(replace(study, systems=("S1", "G", "S2"))), tables)
    assert ids_with("NOT_COMPARABLE", given) == {"printed-output"}


def test_another_order_of_the_systems_leaves_all_but_the_printed_output(computable, study, tables):
    given = verdict_of(computable, inputs_of(replace(study, systems=("S1", "G", "S2"))), tables)
    assert ids_with("NOT_COMPARABLE", given) == {"printed-output"}


def test_tables_and_rows_in_another_order_leave_what_does_not_rest_on_it(computable, study, tables):
    a, b = study.tables
    turned = replace(a, rows=(a.rows[0], *reversed(a.rows[1:])), counted=tuple(reversed(a.counted)))
    given = verdict_of(computable, inputs_of(replace(study, tables=(b, turned))), tables)
    assert ids_with("DIFFERS", given) == set()
    assert {"flips-set", "printed-output"} <= ids_with("NOT_COMPARABLE", given)
    assert verdict_of(computable, inputs_of(replace(study, tables=(b, a))), tables)["spread, S1, spread"] == "MATCH"


@pytest.mark.parametrize("name", ["A", "B"])
def test_a_changed_row_leaves_the_other_rows_of_its_table_comparable(computable, study, tables, name):
    (table,) = [table for table in study.tables if table.name == name]
    row, cell = table.rows[2]
    rows = [(each, replace(cell, references=3) if each == row else old) for each, old in table.rows]
    others = [other for other in study.tables if other is not table]
    given = verdict_of(
        computable, inputs_of(replace(study, tables=(*others, replace(table, rows=tuple(rows))))), tables
    )
    id_ = f"table-{name.lower()}"
    of_rows = {claim for claim in ids_with("NOT_COMPARABLE", given) if claim.startswith("table-")}
    assert of_rows == {f"{id_}, {row}, {column}" for column in ("S1", "S2", "G", "ranking", "S2-G")}
    assert {"flips", "printed-output"} <= ids_with("NOT_COMPARABLE", given)
    assert not ANYWAY & ids_with("NOT_COMPARABLE", given)
    assert ids_with("DIFFERS", given) == set()


def test_another_baseline_leaves_only_what_does_not_rest_on_it(computable, study, tables):
    given = verdict_of(computable, inputs_of(replace(study, baseline=replace(study.baseline, references=8))), tables)
    about_data = {"data-images", "data-overlap", "data-distinct-references", "data-objects-read", "punct-removed"}
    about_data |= {"punct-kept", "reading-s1", "reading-s2"}
    comparable = given.keys() - ids_with("NOT_COMPARABLE", given)
    assert comparable == ANYWAY | about_data


@pytest.mark.parametrize(
    "change",
    [
        {"references": 8, "tokenizer": "kept", "case": "cased"},
        {"reference_length": "average", "smoothing": "exp", "aggregation": "mean-sentence", "max_order": 3},
    ],
    ids=str,
)
def test_a_study_with_another_baseline_differs_from_no_claim(computable, narrow_study, tables, change):
    """What an edited study computes is compared with what was published only where that is the same question."""
    other = replace(narrow_study, baseline=replace(narrow_study.baseline, **change))
    found = {file: cells(file, text.encode()) for file, text in rerun(other, lambda *question: 0.0).items()}
    told = tables["checks.csv"].tail(2)
    found["checks.csv"] = pd.concat([found["checks.csv"], told], ignore_index=True)
    given = verdict_of(computable, inputs_of(other), {**tables, **found})
    assert ids_with("DIFFERS", given) == set()


@pytest.mark.parametrize("change", [{"gap": ("G", "S2")}, {"tie_tolerance": 1e-3}])
def test_another_gap_or_tolerance_leaves_scores_comparable(computable, study, tables, change):
    given = verdict_of(computable, inputs_of(replace(study, **change)), tables)
    assert "printed-output" in ids_with("NOT_COMPARABLE", given)
    kept = given.keys() - ids_with("NOT_COMPARABLE", given)
    assert {claim for claim in given if claim.startswith(("precision,", "spread,", "brevity-penalty,"))} <= kept
    assert {"data-images", "coco-corpus", "refs-s1", *ANYWAY} <= kept


def test_more_cells_and_own_configurations_leave_every_match(claims, narrow_study, nltk, tables):
    own = replace(narrow_study.baseline, references=3, case="cased", smoothing="exp", max_order=2)
    more = replace(
        narrow_study,
        axes={**narrow_study.axes, "references": (4, 5), "max_order": (4, 3), "smoothing": ("none", "exp")},
        tables=(*narrow_study.tables, Table("own", "your own configurations", (("mine", own),), ("mine",))),
    )
    found = {file: cells(file, text.encode()) for file, text in rerun(more, nltk).items()}
    assert set(tables["checks.csv"]["check"]) - set(found["checks.csv"]["check"]) == {"determinism", "runtime"}
    found = {**tables, **found, "checks.csv": tables["checks.csv"]}
    assert verdict_of(claims, inputs_of(more), found) == verdict_of(claims, inputs_of(narrow_study), tables)
    assert found["tables/table_own.csv"]["configuration"].tolist() == ["mine"]


# ----------------------------------------------------------------------------------------------------- reading, failing


def entry(**fields):
    return {"id": "x", "what": "a claim", "kind": "exact", "published": "1", **fields}


def ledger(*entries):
    return {**MINIMAL, "claims": {"group": list(entries)}}


def test_ids_that_stand_twice_are_named():
    where = {"file": "a.csv", "row": "r", "column": "v"}
    with pytest.raises(ManybleusError, match="not unique: x"):
        read_claims(ledger(entry(where=where), entry(where=where)))


def test_kinds_and_cells_that_do_not_fit_are_named_together():
    where = {"file": "a.csv", "row": "r", "column": "v"}
    with pytest.raises(ManybleusError) as error:
        read_claims(ledger(entry(id="a", kind="round", where=where), entry(id="b", published=["1", "2"], where=where)))
    heading, kind, number = str(error.value).splitlines()
    assert heading == "the ledger is not usable: 2 problems"
    assert "a: kind 'round' is not one of rounded, exact, order, bool" in kind
    assert "b: 2 published values for 1 cell; give one for each" in number


@pytest.mark.parametrize("content", [{}, [], None, {"inputs": {}, "claims": {"group": [{}]}, "tables": []}], ids=str)
def test_a_ledger_of_another_form_is_refused_without_a_trace(content):
    with pytest.raises(ManybleusError, match="config/README"):
        read_claims(content)


def test_failures_name_broken_checks_and_differing_claims_that_fail_the_run():
    where = {"file": "a.csv", "row": "r", "column": "v"}
    claims = read_claims(
        ledger(
            entry(id="good", where=where),
            entry(id="bad", published="2", where=where),
            entry(id="told", published="3", where=where, fails=False),
        )
    )
    given = verdicts(claims, {}, lambda file: pd.DataFrame({"row": ["r"], "v": ["1"]}))
    assert given["verdict"].tolist() == ["MATCH", "DIFFERS", "DIFFERS"]
    checks = pd.DataFrame({"check": ["c", "d"], "what": ["w", "w"], "value": ["3", "4"], "holds": ["False", "True"]})
    lines = failures(checks, cells("claims.csv", as_csv(given).encode()))
    assert lines == [
        "check c does not hold: w: 3",
        "claim bad: published 2, reproduced 1 (a.csv: row = r, column v)",
    ]


@pytest.mark.parametrize(
    ("kind", "published", "cell", "holds"),
    [
        ("rounded", "0.35", "0.3549", True),
        ("rounded", "0.35", "0.3551", False),
        ("rounded", "-6.08e-02", "-0.06084", True),
        ("rounded", "+9.73e-07", "9.73e-07", True),
        ("rounded", "+9.73e-07", "-9.73e-07", False),
        ("bound", "0.001", "0.001", True),
        ("bound", "0.001", "0.0011", False),
        ("order", "S1 > S2 = G", "S1 > S2 = G", True),
        ("order", "S1 > S2 = G", "S1 > S2 > G", False),
        ("bool", "True", "False", False),
        ("exact", "1", "1.0", False),
    ],
)
def test_kinds_of_claim(kind, published, cell, holds):
    claims = read_claims(
        ledger(entry(kind=kind, published=published, where={"file": "a.csv", "row": "r", "column": "v"}))
    )
    table = pd.DataFrame({"row": ["r"], "v": [cell]})
    assert (verdict_of(claims, {}, {"a.csv": table})["x"] in HOLDS) == holds


@pytest.mark.parametrize(
    ("low", "high", "holds"), [("0.0252", "0.0749", True), ("0.0244", "0.05", False), ("0.05", "0.0756", False)]
)
def test_an_interval_holds_every_measured_value_at_the_printed_precision(low, high, holds):
    where = [{"file": "a.csv", "row": row, "column": "v"} for row in ("low", "high")]
    claims = read_claims(ledger(entry(kind="interval", published=["0.025", "0.075"], where=where)))
    table = pd.DataFrame({"row": ["low", "high"], "v": [low, high]})
    assert (verdict_of(claims, {}, {"a.csv": table})["x"] == "WITHIN_BOUND") == holds


def test_two_rows_for_one_claim_differ():
    claims = read_claims(ledger(entry(where={"file": "a.csv", "row": "r", "column": "v"})))
    assert verdict_of(claims, {}, {"a.csv": pd.DataFrame({"row": ["r", "r"], "v": ["1", "1"]})})["x"] == "DIFFERS"


def test_inputs_of_the_ledger_are_those_of_the_study(study):
    stated = yaml.safe_load(LEDGER.read_text(encoding="utf-8"))["inputs"]
    assert stated == inputs_of(study)
    assert Configuration(**stated["baseline"]) == study.baseline
    assert choices(study.baseline) == stated["baseline"]

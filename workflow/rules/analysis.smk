TABLES = [
    *(table_file(table.name) for table in STUDY.tables),
    "gap.csv",
    *(
        f"tables/{name}.csv"
        for name in (
            "flips",
            "spread",
            "mean_minus_corpus",
            "brevity_penalties",
            "precisions",
            "monotone",
        )
    ),
]


rule tables:
    """Cut the study's tables out of the grid, and tell which rows flip the ranking."""
    input:
        rules.grid.output,
    output:
        tables=[
            *(shown_table(table) for table in STUDY.tables),
            *(result(file) for file in TABLES[len(STUDY.tables) :]),
        ],
        markdown=[result(table_file(table.name, "md")) for table in STUDY.tables],
    log:
        f"{LOGS}/tables.log",
    benchmark:
        f"{LOGS}/benchmarks/tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        tables=plain_tables(),
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap or ()),
        tie_tolerance=STUDY.tie_tolerance,
        code=source_digest(["analysis.tables"]),
    script:
        "../scripts/tables.py"


EFFECTS = [
    f"{name}.csv"
    for name in (
        "effects",
        "variances",
        "neighbours",
        "fixed",
        "rankings",
        "places",
        "pairs",
    )
]


rule effects:
    """Tell over the whole grid what each choice does to the ranking."""
    input:
        rules.grid.output,
        gap=[] if STUDY.gap else result("gap.csv"),
    output:
        [result(file) if file == "neighbours.csv" else shown(file) for file in EFFECTS],
    log:
        f"{LOGS}/effects.log",
    benchmark:
        f"{LOGS}/benchmarks/effects.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        axes={axis: list(options) for axis, options in STUDY.axes.items()},
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap or ()),
        tie_tolerance=STUDY.tie_tolerance,
        code=source_digest(["analysis.effects"]),
    script:
        "../scripts/effects.py"

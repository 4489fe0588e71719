TABLES = [
    *(table_file(table.name) for table in STUDY.tables),
    "flips.csv",
    "gap.csv",
    *(
        f"tables/{name}.csv"
        for name in (
            "spread",
            "mean_minus_corpus",
            "brevity_penalties",
            "precisions",
            "monotone",
            "ranks",
            "pairs",
        )
    ),
]


rule tables:
    """Cut the study's tables out of the grid, and tell which rows flip the ranking."""
    input:
        rules.grid.output,
    output:
        tables=[result(file) for file in TABLES],
        markdown=[result(table_file(table.name, "md")) for table in STUDY.tables],
    log:
        f"{LOGS}/tables.log",
    benchmark:
        f"{LOGS}/benchmarks/tables.tsv"
    conda:
        "../../environment.yml"
    params:
        tables=plain_tables(),
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap or ()),
        tie_tolerance=STUDY.tie_tolerance,
        code=source_digest(["analysis.tables"]),
    script:
        "../scripts/tables.py"

TABLE_FILES = [table_file(table.name) for table in STUDY.tables]


rule tables:
    """Cut the study's tables out of the grid, and tell which rows flip the ranking."""
    input:
        rules.grid.output,
    output:
        tables=[result(file) for file in TABLE_FILES],
        markdown=[result(Path(file).with_suffix(".md")) for file in TABLE_FILES],
        flips=result("flips.csv"),
        smaller=[
            result(f"tables/{name}.csv")
            for name in ("spread", "mean_minus_corpus", "brevity_penalties", "precisions", "monotone")
        ],
    log:
        f"{LOGS}/tables.log",
    benchmark:
        f"{LOGS}/benchmarks/tables.tsv"
    params:
        folder=RESULTS,
        tables=plain_tables(),
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap),
        tie_tolerance=STUDY.tie_tolerance,
        code=source_digest(["analysis.tables"]),
    script:
        "../scripts/tables.py"

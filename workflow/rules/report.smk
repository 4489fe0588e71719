rule report:
    """Render the report from the result files."""
    input:
        rules.tables.output.tables,
        rules.claims.output,
        [result(file) for file in ANSWERS],
        **CAPTION_FILES,
        grid=rules.grid.output,
        scenes=rules.scenes.output,
    output:
        result("report.html"),
    log:
        f"{LOGS}/report.log",
    benchmark:
        f"{LOGS}/benchmarks/report.tsv"
    params:
        folder=RESULTS,
        study=config["study"],
        tables=plain_tables(),
        code=source_digest(["report.render"]),
    script:
        "../scripts/report.py"

OF_GAPS, OF_SYSTEMS = ("gaps", "curve"), ("precisions", "penalties", "lengths")
# One system alone has no pair whose gap could be drawn.
DRAWN = (*(OF_GAPS if len(STUDY.systems) > 1 else ()), *OF_SYSTEMS)
FIGURES = [
    *(result(f"figures/{name}.csv") for name in (*OF_GAPS, *OF_SYSTEMS)),
    *(
        result(f"figures/{name}.{ending}")
        for name in DRAWN
        for ending in ("light.svg", "dark.svg", "png")
    ),
]


rule figures:
    """Draw the figures, and write the data behind each beside it."""
    input:
        rules.tables.output.tables,
        grid=rules.grid.output[0],
        statistics=rules.statistics.output[0],
        significance=result("significance.csv") if STUDY.is_drawn else [],
    output:
        FIGURES,
    log:
        f"{LOGS}/figures.log",
    benchmark:
        f"{LOGS}/benchmarks/figures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        tables=plain_tables(),
        baseline=choices(STUDY.baseline),
        tie_tolerance=STUDY.tie_tolerance,
        code=source_digest(["figures"]),
    script:
        "../scripts/figures.py"


rule report:
    """Render the report from the result files."""
    input:
        rules.tables.output.tables,
        rules.effects.output if len(STUDY.systems) > 1 else [],
        rules.significance.output if STUDY.is_drawn else [],
        CLAIMS,
        rules.ngrams.output,
        rules.figures.output,
        [result(file) for file in ANSWERS],
        **CAPTION_FILES,
        grid=rules.grid.output,
        sources=SOURCES,
    output:
        result("report.html"),
    log:
        f"{LOGS}/report.log",
    benchmark:
        f"{LOGS}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        study=STUDY.name,
        seed=STUDY.seed if STUDY.files is None else None,
        unit=STUDY.unit,
        tables=[
            {**table, "file": table_file(table["name"])} for table in plain_tables()
        ],
        baseline=choices(STUDY.baseline),
        level=STUDY.significance.level,
        draws=STUDY.significance.bootstrap if STUDY.is_drawn else 0,
        answers=[*(["claims.csv"] if CLAIMS else []), *ANSWERS],
        code=source_digest(["report.context", "report.render"]),
    script:
        "../scripts/report.py"

OF_GAPS, OF_SYSTEMS = ("gaps", "curve"), ("precisions", "penalties", "lengths")
# One system alone has no pair whose gap could be drawn.
DRAWN = (*(OF_GAPS if len(STUDY.systems) > 1 else ()), *OF_SYSTEMS)
FIGURES = [
    *(shown(f"figures/{name}.csv") for name in (*OF_GAPS, *OF_SYSTEMS)),
    *(shown(f"figures/{name}.light.svg") for name in DRAWN),
    *(
        result(f"figures/{name}.{ending}")
        for name in DRAWN
        for ending in ("dark.svg", "png")
    ),
]
# Tables that are pages, too.
PAGES = [
    "flips",
    *(
        ("rankings", "places", "pairs", "effects", "fixed")
        if len(STUDY.systems) > 1
        else ()
    ),
    *(("flip_significance", "reversals") if STUDY.is_drawn else ()),
    *(["claims"] if CLAIMS else []),
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


rule html_tables:
    """Write tables as pages beside their CSV files."""
    input:
        [result(table_file(table.name)) for table in STUDY.tables],
        [result(f"{name}.csv") for name in PAGES],
    output:
        [shown_table(table, "html") for table in STUDY.tables],
        [shown(f"{name}.html") for name in PAGES],
    log:
        f"{LOGS}/html_tables.log",
    benchmark:
        f"{LOGS}/benchmarks/html_tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        study=STUDY.name,
        titles=[
            *(table_words(table) for table in STUDY.tables),
            *(SHOWN[name][1].capitalize() for name in PAGES),
        ],
        code=source_digest(["report.pages", "report.render"]),
    script:
        "../scripts/html_tables.py"


rule report:
    """Render the report from the result files."""
    input:
        rules.tables.output.tables,
        rules.effects.output if len(STUDY.systems) > 1 else [],
        rules.significance.output if STUDY.is_drawn else [],
        rules.flips.output,
        CLAIMS,
        rules.ngrams.output,
        rules.figures.output,
        [result(file) for file in ANSWERS],
        **CAPTION_FILES,
        grid=rules.grid.output,
        sources=SOURCES,
    output:
        shown("report.html"),
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

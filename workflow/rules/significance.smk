SIGNIFICANCE = [
    f"{name}.csv"
    for name in ("significance", "flip_significance", "reversals", "block_t")
]
# A file of strata goes by image ids, which the captions hold.
STRATA_FILE = STUDY.significance.strata_file
STRATA = {**CAPTION_FILES, "strata": STRATA_FILE} if STRATA_FILE else {}


rule significance:
    """Test in every cell whether an order of two systems would survive another draw of images."""
    input:
        **STRATA,
        statistics=rules.statistics.output[0],
        grid=rules.grid.output[0],
        gap=[] if STUDY.gap else result("gap.csv"),
    output:
        [shown(file) for file in SIGNIFICANCE],
    log:
        f"{LOGS}/significance.log",
    benchmark:
        f"{LOGS}/benchmarks/significance.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        axes={axis: list(options) for axis, options in STUDY.axes.items()},
        outside=plain_cells(STUDY.outside),
        tables=plain_tables(),
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap or ()),
        tie_tolerance=STUDY.tie_tolerance,
        plan=asdict(STUDY.significance),
        strata=content_digest([STRATA_FILE]),
        code=source_digest(["analysis.reversals", "strata"]),
    script:
        "../scripts/significance.py"


rule flips:
    """Say of every counted row whether it flips the ranking, and what the flip is worth."""
    input:
        flips=result("tables/flips.csv"),
        tests=result("flip_significance.csv") if STUDY.is_drawn else [],
    output:
        shown("flips.csv"),
    log:
        f"{LOGS}/flips.log",
    benchmark:
        f"{LOGS}/benchmarks/flips.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        code=source_digest(["analysis.reversals"]),
    script:
        "../scripts/flips.py"

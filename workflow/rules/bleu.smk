CAPTION_FILES = {
    "references": result("captions/references.json"),
    "systems": [result(f"captions/{system}.json") for system in STUDY.systems],
}


rule statistics:
    """Count matches and lengths of every system, image, reference count, case rule and tokenizer."""
    input:
        **CAPTION_FILES,
    output:
        result("statistics.npz"),
    log:
        f"{LOGS}/statistics.log",
    benchmark:
        f"{LOGS}/benchmarks/statistics.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        systems=list(STUDY.systems),
        schemes=schemes(STUDY.cells),
        routes=routes(STUDY.cells),
        references=reference_counts(),
        orders=orders(STUDY.cells),
        code=source_digest(["bleu.statistics"]),
    script:
        "../scripts/statistics.py"


rule grid:
    """Score every cell of the configuration grid, and the cells that only a table names."""
    input:
        rules.statistics.output,
    output:
        shown("grid.csv"),
    log:
        f"{LOGS}/grid.log",
    benchmark:
        f"{LOGS}/benchmarks/grid.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        axes={axis: list(options) for axis, options in STUDY.axes.items()},
        outside=plain_cells(STUDY.outside),
        code=source_digest(["bleu.scores", "analysis.tables"]),
    script:
        "../scripts/grid.py"


rule ngrams:
    """Tell of the first images' captions which n-grams match, are clipped or are in no reference."""
    input:
        **CAPTION_FILES,
    output:
        result("ngrams.csv"),
    log:
        f"{LOGS}/ngrams.log",
    benchmark:
        f"{LOGS}/benchmarks/ngrams.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        systems=list(STUDY.systems),
        baseline=choices(STUDY.baseline),
        routes=routes([STUDY.baseline]),
        code=source_digest(["analysis.ngrams"]),
    script:
        "../scripts/ngrams.py"

# The study repeated on other draws; neither the study nor its report depends on it.
REPLICATIONS = STUDY.replications
SEEDS = [REPLICATIONS.first, REPLICATIONS.count]
# Seeds that are drawn with other numbers of images, too.
SEEDS_OF_SIZES = list(REPLICATIONS.seeds_of_sizes) if REPLICATIONS.sizes else []
REPLICATION_TABLES = [
    "rows",
    "counts",
    *(["sizes"] if SEEDS_OF_SIZES else []),
]
REPLICATION_FIGURES = [
    "scenes",
    "order",
    "one_reference",
    *(["sizes"] if SEEDS_OF_SIZES else []),
]
SHARDS = REPLICATIONS.shards(STUDY.seed)
SUMS_OF_REPLICATIONS = result(f"{NAME}.replications")
TIME_OF_SUMS = f"{LOGS}/benchmarks/replication_sums.tsv"


rule replication_shard:
    """Repeat the study with some seeds: fresh scenes, other orders of references, one reference per image."""
    output:
        result("replications/shards/{first}-{last}.csv"),
    log:
        f"{LOGS}/replication_shard_{{first}}-{{last}}.log",
    benchmark:
        f"{LOGS}/benchmarks/replication_shard_{{first}}-{{last}}.tsv"
    wildcard_constraints:
        first=r"\d+",
        last=r"\d+",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        images=STUDY.images,
        seed=STUDY.seed,
        systems=list(STUDY.systems),
        # Titles are for the page.
        tables=[{**table, "title": table["name"]} for table in plain_tables()],
        baseline=choices(STUDY.baseline),
        gap=list(STUDY.gap),
        tie_tolerance=STUDY.tie_tolerance,
        seeds=seeds_of,
        sizes=sizes_of,
        code=source_digest(["replication.redraws"]),
    script:
        "../scripts/replication_shard.py"


rule replication_tables:
    """Put the draws of all shards together, and summarize them."""
    input:
        [result(f"replications/shards/{shard[0]}-{shard[-1]}.csv") for shard in SHARDS],
    output:
        draws=result("replications/draws.csv"),
        tables=[result(f"replications/{name}.csv") for name in REPLICATION_TABLES],
    log:
        f"{LOGS}/replication_tables.log",
    benchmark:
        f"{LOGS}/benchmarks/replication_tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        images=STUDY.images,
        seed=STUDY.seed,
        tie_tolerance=STUDY.tie_tolerance,
        systems=list(STUDY.systems),
        rows=[[table.name, name] for table in STUDY.tables for name, _ in table.rows],
        seeds=SEEDS,
        shards=[list(shard) for shard in SHARDS],
        seeds_of_sizes=SEEDS_OF_SIZES,
        sizes=list(REPLICATIONS.sizes),
        code=source_digest(["replication.distributions"]),
    script:
        "../scripts/replication_tables.py"


rule replication_figures:
    """Draw the figures of the replications."""
    input:
        draws=rules.replication_tables.output.draws,
        tables=rules.replication_tables.output.tables,
    output:
        [
            result(f"replications/{name}.{ending}")
            for name in REPLICATION_FIGURES
            for ending in ("light.svg", "dark.svg", "png")
        ],
    log:
        f"{LOGS}/replication_figures.log",
    benchmark:
        f"{LOGS}/benchmarks/replication_figures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        images=STUDY.images,
        gap=list(STUDY.gap),
        seeds=SEEDS,
        seeds_of_sizes=SEEDS_OF_SIZES,
        code=source_digest(["replication_figures"]),
    script:
        "../scripts/replication_figures.py"


rule replication_page:
    """Render the page of the replications."""
    input:
        tables=rules.replication_tables.output.tables,
        figures=rules.replication_figures.output,
    output:
        shown("replications.html"),
    log:
        f"{LOGS}/replication_page.log",
    benchmark:
        f"{LOGS}/benchmarks/replication_page.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        study=STUDY.name,
        images=STUDY.images,
        seed=STUDY.seed,
        seeds=SEEDS,
        gap=list(STUDY.gap),
        titles={table.name: table.title for table in STUDY.tables},
        single=[
            [table.name, name]
            for table in STUDY.tables
            for name, cell in table.rows
            if cell.references == 1
        ],
        code=source_digest(["report.replications", "report.render"]),
    script:
        "../scripts/replication_page.py"


REPLICATED = [
    *rules.replication_tables.input,
    *rules.replication_tables.output,
    *rules.replication_figures.output,
    *rules.replication_page.output,
]
GUARD_OF_REPLICATIONS = (SUMS_OF_REPLICATIONS, TIME_OF_SUMS, REPLICATED)


rule replication_sums:
    """Tell the SHA-256 sum of every file of the replications."""
    input:
        REPLICATED,
    output:
        SUMS_OF_REPLICATIONS,
    log:
        f"{LOGS}/replication_sums.log",
    benchmark:
        TIME_OF_SUMS
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    params:
        code=source_digest(["sums"]),
    script:
        "../scripts/sums.py"


rule replications:
    """Repeat the study on other draws."""
    input:
        REPLICATED,
        rules.replication_sums.output,

# These are about the study's own scenes, captioners and tables; its output's form is, too.
STUDY_ANSWERS = [
    "checks.csv",
    "statements.csv",
    *(["study_output.txt"] if STUDY.is_printed else []),
]


rule checks:
    """Run the study's checks, with NLTK as the peer, and compute the study once more from its seed."""
    input:
        **CAPTION_FILES,
        scenes=rules.scenes.output.table,
        pictures=rules.scenes.output.pictures,
        grid=rules.grid.output,
        tables=rules.tables.output.tables,
    output:
        checks=shown("checks.csv"),
        seconds=f"{LOGS}/seconds.json",
    log:
        f"{LOGS}/checks.log",
    benchmark:
        f"{LOGS}/benchmarks/checks.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        files=["grid.csv", *TABLES],
        config=in_order(
            {
                key: config[key]
                for key in config
                if key not in ("claims", "significance", "replications")
            }
        ),
        nltk=VERSIONS["nltk"],
        code=source_digest(["replication.rerun"]),
    script:
        "../scripts/checks.py"


rule statements:
    """Compute the study's statements about its tables."""
    input:
        rules.tables.output.tables,
    output:
        result("statements.csv"),
    log:
        f"{LOGS}/statements.log",
    benchmark:
        f"{LOGS}/benchmarks/statements.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        files=TABLES,
        code=source_digest(["replication.statements"]),
    script:
        "../scripts/statements.py"


rule study_output:
    """Print the study's output from its checks and tables."""
    input:
        rules.tables.output.tables,
        checks=rules.checks.output.checks,
    output:
        result("study_output.txt"),
    log:
        f"{LOGS}/study_output.log",
    benchmark:
        f"{LOGS}/benchmarks/study_output.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        files=TABLES,
        code=source_digest(["replication.printed"]),
    script:
        "../scripts/study_output.py"

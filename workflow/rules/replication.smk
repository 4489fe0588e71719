# The study's own form of output, and its checks, are about its own tables and captioners.
PRINTED = ["study_output.txt"] if STUDY.is_printed else []
ANSWERS = [
    "checks.csv",
    "statements.csv",
    "worked_examples.csv",
    "conventions.csv",
    "crosscheck.csv",
    *PRINTED,
]

PEER_VERSIONS = {
    tool: package_versions()[tool] for tool in ("nltk", "sacrebleu", "pycocoevalcap")
}


rule checks:
    """Run the study's checks, with NLTK as the peer, and compute the study once more from its seed."""
    input:
        **CAPTION_FILES,
        scenes=rules.scenes.output.table,
        pictures=rules.scenes.output.pictures,
        grid=rules.grid.output,
        tables=rules.tables.output.tables,
    output:
        checks=result("checks.csv"),
        seconds=f"{LOGS}/seconds.json",
    log:
        f"{LOGS}/checks.log",
    benchmark:
        f"{LOGS}/benchmarks/checks.tsv"
    conda:
        "../../environment.yml"
    params:
        files=["grid.csv", *TABLES],
        config=in_order(
            {
                key: config[key]
                for key in config
                if key not in ("claims", "replications")
            }
        ),
        nltk=package_versions()["nltk"],
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
    params:
        files=TABLES,
        code=source_digest(["replication.printed"]),
    script:
        "../scripts/study_output.py"


rule peers:
    """Compute the worked examples, and show the conventions of the installed tools."""
    output:
        examples=result("worked_examples.csv"),
        conventions=result("conventions.csv"),
    log:
        f"{LOGS}/peers.log",
    benchmark:
        f"{LOGS}/benchmarks/peers.tsv"
    conda:
        "../../environment.yml"
    params:
        tools=PEER_VERSIONS,
        code=source_digest(["replication.examples", "replication.conventions"]),
    script:
        "../scripts/peers.py"


rule crosscheck:
    """Compare every cell that another tool can express with that tool, and name the cause where they differ."""
    input:
        **CAPTION_FILES,
        grid=rules.grid.output,
    output:
        result("crosscheck.csv"),
    log:
        f"{LOGS}/crosscheck.log",
    benchmark:
        f"{LOGS}/benchmarks/crosscheck.tsv"
    conda:
        "../../environment.yml"
    params:
        systems=list(STUDY.systems),
        axes={axis: list(options) for axis, options in STUDY.axes.items()},
        outside=plain_cells(STUDY.outside),
        tools=PEER_VERSIONS,
        code=source_digest(["replication.crosscheck"]),
    script:
        "../scripts/crosscheck.py"


rule claims:
    """Hold every published number against the result."""
    input:
        rules.tables.output.tables,
        [result(file) for file in ANSWERS],
        ledger=[STUDY.claims] if STUDY.claims else [],
    output:
        result("claims.csv"),
    log:
        f"{LOGS}/claims.log",
    benchmark:
        f"{LOGS}/benchmarks/claims.tsv"
    conda:
        "../../environment.yml"
    params:
        inputs=inputs_of(STUDY),
        code=source_digest(["replication.claims"]),
    script:
        "../scripts/claims.py"


rule verdict:
    """Fail the run if a check does not hold, a claim differs, or another tool's score does without a known cause."""
    input:
        checks=rules.checks.output.checks,
        crosscheck=rules.crosscheck.output,
        claims=rules.claims.output,
        report=result("report.html"),
    output:
        touch(VERDICT),
    log:
        f"{LOGS}/verdict.log",
    benchmark:
        f"{LOGS}/benchmarks/verdict.tsv"
    conda:
        "../../environment.yml"
    params:
        code=source_digest(["replication.claims", "replication.crosscheck"]),
    script:
        "../scripts/verdict.py"

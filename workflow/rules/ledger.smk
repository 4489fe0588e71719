# The worked examples and the tools' conventions answer the ledger: one's own captions have them with a ledger only.
HAS_LEDGER = STUDY.files is None or STUDY.claims is not None
ANSWERS = [
    *(STUDY_ANSWERS if STUDY.files is None else []),
    "crosscheck.csv",
    *(["worked_examples.csv", "conventions.csv"] if HAS_LEDGER else []),
]
CLAIMS = [result("claims.csv")] if HAS_LEDGER else []

PEER_VERSIONS = {peer.package: VERSIONS[peer.package] for peer in PEERS}


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
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        tools=PEER_VERSIONS,
        code=source_digest(["replication.examples", "replication.conventions"]),
    script:
        "../scripts/peers.py"


rule crosscheck:
    """Compare the cells that another tool can express with that tool, and name the cause where they differ."""
    input:
        **CAPTION_FILES,
        grid=rules.grid.output,
    output:
        shown("crosscheck.csv"),
    log:
        f"{LOGS}/crosscheck.log",
    benchmark:
        f"{LOGS}/benchmarks/crosscheck.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
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
        shown("claims.csv"),
    log:
        f"{LOGS}/claims.log",
    benchmark:
        f"{LOGS}/benchmarks/claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        inputs=inputs_of(STUDY),
        ledger=content_digest([STUDY.claims]),
        code=source_digest(["replication.claims"]),
    script:
        "../scripts/claims.py"


rule verdict:
    """Fail the run if a check does not hold, a claim differs, or another tool's score does without a known cause."""
    input:
        checks=[result("checks.csv")] if "checks.csv" in ANSWERS else [],
        crosscheck=rules.crosscheck.output,
        claims=CLAIMS,
        report=result("report.html"),
    output:
        touch(VERDICT),
    log:
        f"{LOGS}/verdict.log",
    benchmark:
        f"{LOGS}/benchmarks/verdict.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        code=source_digest(["replication.claims", "replication.crosscheck"]),
    script:
        "../scripts/verdict.py"

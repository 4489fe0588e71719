rule sums:
    """Tell the SHA-256 sum of every result."""
    input:
        outputs,
    output:
        SUMS,
    log:
        f"{LOGS}/sums.log",
    benchmark:
        f"{LOGS}/benchmarks/sums.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        code=source_digest(["sums"]),
    script:
        "../scripts/sums.py"


rule provenance:
    """Tell what the results were made with: versions, machine, commit, configuration, seconds of each job."""
    input:
        rules.sums.output,
    output:
        PROVENANCE,
    log:
        f"{LOGS}/provenance.log",
    benchmark:
        f"{LOGS}/benchmarks/provenance.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        config=in_order(config),
        benchmarks=f"{LOGS}/benchmarks",
        code=source_digest(["provenance"]),
    script:
        "../scripts/provenance.py"

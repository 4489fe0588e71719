FILES = STUDY.files
SOURCES = [result("captions/remarks.csv")]


def only_scenes(_):
    """Refuse what there is for a study of drawn scenes alone."""
    raise WorkflowError(
        f"{STUDY.name} is a study of your own captions: replications draw scenes anew, so they are for studies of scenes"
        " alone. significance.csv tells which orders would survive another draw of images."
    )


rule replications:
    """Say that captions of one's own cannot be drawn anew."""
    input:
        only_scenes,


rule own_captions:
    """Read one's own caption files, check them, tell what is odd, and write them in COCO's formats."""
    input:
        [str(path) for path in FILES.paths],
    output:
        references=result("captions/references.json"),
        systems=[result(f"captions/{system}.json") for system in STUDY.systems],
        remarks=result("captions/remarks.csv"),
    log:
        f"{LOGS}/own_captions.log",
    benchmark:
        f"{LOGS}/benchmarks/own_captions.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        references=[str(path) for path in FILES.references],
        systems=[[name, str(path)] for name, path in FILES.systems],
        table=str(FILES.table or ""),
        columns=list(STUDY.systems),
        missing=FILES.missing,
        # A file may be replaced by an older one, whose time tells nothing.
        content=content_digest(FILES.paths),
        code=source_digest(["captions"]),
    script:
        "../scripts/own_captions.py"

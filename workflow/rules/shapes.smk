rule scenes:
    """Draw the scenes: ground truth, one picture each, and a contact sheet."""
    output:
        table=result("scenes/scenes.csv"),
        pictures=directory(result("scenes/images")),
        sheet=result("scenes/contact_sheet.png"),
    log:
        f"{LOGS}/scenes.log",
    benchmark:
        f"{LOGS}/benchmarks/scenes.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        images=STUDY.images,
        seed=STUDY.seed,
        code=source_digest(["shapes.scenes", "files"]),
    script:
        "../scripts/scenes.py"


rule references:
    """Write each scene's references, in its own order, as a COCO annotations file."""
    input:
        table=rules.scenes.output.table,
    output:
        result("captions/references.json"),
    log:
        f"{LOGS}/references.log",
    benchmark:
        f"{LOGS}/benchmarks/references.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        code=source_digest(["shapes.references", "captions"]),
    script:
        "../scripts/references.py"


rule captions:
    """Let one captioner describe the pictures, read back from disk, and write a COCO results file."""
    input:
        pictures=rules.scenes.output.pictures,
    output:
        result("captions/{system}.json"),
    log:
        f"{LOGS}/captions_{{system}}.log",
    benchmark:
        f"{LOGS}/benchmarks/captions_{{system}}.tsv"
    wildcard_constraints:
        system="|".join(STUDY.systems),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=15,
    params:
        code=source_digest(["shapes.captioners", "captions"]),
    script:
        "../scripts/captions.py"


SOURCES = [*rules.scenes.output]

from snakemake.utils import min_version

min_version("9.19")

# A user's own --configfile stands alone: it inherits nothing of this study.
if not workflow.configfiles:

    configfile: "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/shapes.smk"
include: "workflow/rules/bleu.smk"
include: "workflow/rules/analysis.smk"
include: "workflow/rules/replication.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/replications.smk"
include: "workflow/rules/notebooks.smk"


rule all:
    default_target: True
    input:
        rules.scenes.output,
        CAPTION_FILES["references"],
        CAPTION_FILES["systems"],
        rules.statistics.output,
        rules.grid.output,
        rules.tables.output,
        [result(file) for file in ANSWERS],
        rules.claims.output,
        rules.figures.output,
        rules.report.output,
        VERDICT,

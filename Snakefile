from snakemake.utils import min_version

min_version("9.19")

# A user's own --configfile stands alone: it inherits nothing of this study.
if not workflow.configfiles:

    configfile: "config/config.yaml"


# The first page of what `snakemake --report` makes.
report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/bleu.smk"
include: "workflow/rules/analysis.smk"
include: "workflow/rules/significance.smk"


# Captions come from drawn scenes or from one's own files; the study's checks and statements are about the scenes.
if STUDY.files is None:

    include: "workflow/rules/shapes.smk"
    include: "workflow/rules/replication.smk"
    include: "workflow/rules/replications.smk"

else:

    include: "workflow/rules/own_captions.smk"


include: "workflow/rules/ledger.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/notebooks.smk"
include: "workflow/rules/sums.smk"


rule all:
    default_target: True
    input:
        SOURCES,
        CAPTION_FILES["references"],
        CAPTION_FILES["systems"],
        rules.statistics.output,
        rules.ngrams.output,
        rules.grid.output,
        rules.tables.output,
        rules.effects.output if len(STUDY.systems) > 1 else [],
        rules.significance.output if STUDY.is_drawn else [],
        rules.flips.output,
        [result(file) for file in ANSWERS],
        CLAIMS,
        rules.figures.output,
        rules.html_tables.output,
        rules.report.output,
        VERDICT,
        rules.sums.output,
        rules.provenance.output,


if workflow.is_main_process:
    check_outputs()


onstart:
    forget_sums()

import shlex
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.io import get_wildcard_names

from manybleus.bleu.configuration import choices
from manybleus.bleu.scores import orders, schemes
from manybleus.bleu.tokens import TOKENIZERS
from manybleus.config_problems import OWN_TABLE
from manybleus.config import check_study, inputs_of, table_file
from manybleus.errors import ManybleusError
from manybleus.provenance import (
    content_digest,
    is_provenance,
    package_versions,
    source_digest,
)
from manybleus.replication.peers import PEERS
from manybleus.sums import NAME, changed_outputs
from manybleus.text import visible

try:
    STUDY = check_study(config, [Path(file) for file in workflow.configfiles])
except ManybleusError as error:
    raise WorkflowError(visible(str(error))) from None

# Snakemake writes the path of its Python into shell commands and does not quote it.
if Path(sys.executable).exists():
    sys.executable = shlex.quote(sys.executable)

# Snakemake has no way to write braces of a path that are no wildcard.
OWN_PATHS = [*(STUDY.files.paths if STUDY.files else []), STUDY.claims]
for path in [str(path) for path in (*OWN_PATHS, STUDY.significance.strata) if path]:
    if get_wildcard_names(path):
        told = "Snakemake takes what stands in braces for a wildcard"
        mend = "rename the file or folder, or use manybleus report"
        raise WorkflowError(visible(f"{path}: {told}; {mend}"))

VERSIONS = package_versions()
RESULTS = f"results/{STUDY.name}"
if Path(RESULTS).exists() and not Path(RESULTS).is_dir():
    raise WorkflowError(
        f"{RESULTS} is no folder; move it away, or give the study another name"
    )
LOGS = f"logs/{STUDY.name}"
VERDICT = f"{LOGS}/verdict.done"
SUMS = f"{RESULTS}/{NAME}"
PROVENANCE = f"{RESULTS}/provenance.json"


def result(file):
    """Return the path of a result file of the study."""
    return f"{RESULTS}/{file}"


# What Snakemake's own report shows: each with its category, maybe a subcategory, and its words, and a caption in workflow/report.
SHOWN = {
    "report": ("Report", "everything, in one page"),
    "table": ("Tables", ""),
    "flips": ("Tables", "which rows flip the ranking"),
    "gaps": ("Figures", "the gap in every row of the tables"),
    "curve": ("Figures", "the specification curve"),
    "precisions": ("Figures", "score and precisions by number of references"),
    "penalties": ("Figures", "the brevity penalty, and how to game it"),
    "lengths": ("Figures", "lengths of captions"),
    "grid": ("Extensions/Grid", "every score"),
    "rankings": ("Extensions/Grid", "how often which ranking"),
    "places": ("Extensions/Grid", "the places of each system"),
    "pairs": ("Extensions/Grid", "who leads in each pair"),
    "effects": ("Extensions/Effects", "what each choice does"),
    "variances": ("Extensions/Effects", "where the variance comes from"),
    "fixed": ("Extensions/Effects", "what settles the ranking"),
    "significance": ("Extensions/Significance", "every pair in every configuration"),
    "flip_significance": ("Extensions/Significance", "what each flip is worth"),
    "reversals": ("Extensions/Significance", "both orders, each significant"),
    "block_t": ("Extensions/Significance", "Papineni's test on blocks"),
    "crosscheck": ("Checks/Other tools", "the scores beside other tools'"),
    "checks": ("Checks/Study", "the checks that must hold"),
    "claims": ("Checks/Study", "every published number beside ours"),
    "replications": ("Replications", "the study on other draws"),
    "notebook": ("Notebooks", ""),
}
FORMS = {".csv": "table, CSV", ".html": "page", ".svg": "picture"}


def shown(file, name=None, words=None):
    """Return the path of a result file that Snakemake's own report shows, too."""
    path = Path(file)
    name = name or path.name.partition(".")[0]
    place, what = SHOWN[name]
    category, _, subcategory = place.partition("/")
    return report(
        result(file),
        caption=f"../report/{name}.rst",
        category=category,
        subcategory=subcategory or None,
        labels={"what": words or what, "form": FORMS[path.suffix]},
    )


def table_words(table):
    """Return what one of the study's tables is called."""
    own = table.name == OWN_TABLE
    return table.title if own else f"Table {table.name}: {table.title}"


def shown_table(table, ending="csv"):
    """Return the path of one of the study's tables, as ``shown`` does."""
    return shown(table_file(table.name, ending), "table", table_words(table))


def plain_cells(cells):
    """Return configurations as plain values, as the params of a rule must be."""
    return [choices(cell) for cell in cells]


def plain_tables():
    """Return the study's tables as plain values."""
    return [table.plain() for table in STUDY.tables]


def routes(cells):
    """Return what runs for the tokenizers for which that depends on what is installed: another gives other tokens."""
    named = {cell.tokenizer: TOKENIZERS[cell.tokenizer].signature for cell in cells}
    return {name: route() for name, route in sorted(named.items()) if route}


def reference_counts():
    """Return the numbers of references that any configuration uses."""
    return sorted({cell.references for cell in STUDY.cells}, key=str)


def in_order(value):
    """Return plain values with the keys of every mapping in order, so that their order in the YAML does not count."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(one) for one in value] if isinstance(value, list) else value


def seeds_of(shard):
    """Return the seeds of a shard, which is named by its first and last."""
    return list(range(int(shard.first), int(shard.last) + 1))


def sizes_of(shard):
    """Return the seeds of a shard that are drawn with other numbers of images, too, each with these numbers."""
    seeds = [s for s in seeds_of(shard) if s in STUDY.replications.seeds_of_sizes]
    return [[seed, list(STUDY.replications.sizes)] for seed in seeds]


def outputs(_=None):
    """Return every result that the rule `all` asks for, but for those that tell of the others."""
    return [
        file
        for file in rules.all.input
        if file.startswith(f"{RESULTS}/") and file not in (SUMS, PROVENANCE)
    ]


def guarded():
    """Return sums, what a run makes after them, and the files that they tell of: of the study, of its replications."""
    study = (SUMS, PROVENANCE, outputs())
    return [study] if STUDY.files else [study, GUARD_OF_REPLICATIONS]


def check_outputs():
    """Stop if a file was changed since the run that made it: Snakemake looks at times, not into files."""
    changed = [
        str(path)
        for sums, last, files in guarded()
        for path in changed_outputs(Path(sums), Path(last), map(Path, files))
    ]
    if Path(PROVENANCE).exists() and not is_provenance(Path(PROVENANCE)):
        changed.append(PROVENANCE)
    if changed:
        raise WorkflowError(
            f"{RESULTS}: some files are not as the last run left them, or the sums there do not name them. "
            "To have them made anew, remove them and run again:\n"
            f"  rm -r {shlex.join(dict.fromkeys(changed))}"
        )


def forget_sums():
    """Remove the sums if a file that they tell of is about to be made anew: they tell of whole runs alone."""
    made = {file for job in workflow.dag.needrun_jobs() for file in job.output}
    for sums, last, files in guarded():
        if made & {sums, *files}:
            # In this order: what is made after the sums is there without them only if someone removed them.
            for path in (last, sums):
                Path(path).unlink(missing_ok=True)

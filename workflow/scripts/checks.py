import json
from pathlib import Path
from time import process_time

from skimage.io import imread

from manybleus.captions import read_captions
from manybleus.config import check_study
from manybleus.files import read_table, read_tables, write_table, write_text
from manybleus.job import begin_job
from manybleus.replication import peers
from manybleus.replication.checks import check_table, run_checks
from manybleus.replication.rerun import compared_reference_counts, print_study, rerun
from manybleus.shapes.scenes import scenes_from_table

begin_job(snakemake.log[0])

study = check_study(snakemake.params.config)
folder = Path(snakemake.output.checks).parent
ask = peers.remembered(peers.nltk_corpus_counted_once())

# Of the processor, so that what else the machine does is not counted.
started = process_time()
rerun_results = rerun(study, ask)
seconds = process_time() - started

captions = read_captions(
    Path(snakemake.input.references), dict(zip(study.systems, map(Path, snakemake.input.systems), strict=True))
)

checks = run_checks(
    scenes_from_table(read_table(Path(snakemake.input.scenes))),
    [imread(path) for path in sorted(Path(snakemake.input.pictures).glob("*.png"))],
    captions,
    study.baseline,
    compared_reference_counts(study),
    ask,
)
results = {file: (folder / file).read_text(encoding="utf-8") for file in snakemake.params.files}
if study.is_printed:
    results["study_output.txt"] = print_study(checks, read_tables(folder, snakemake.params.files))
checks["determinism"] = all(rerun_results[file] == text for file, text in results.items())
checks["runtime"] = seconds < 60
write_table(Path(snakemake.output.checks), check_table(checks, study.images))
write_text(Path(snakemake.output.seconds), json.dumps({"study computation, seconds": round(seconds, 1)}) + "\n")

from pathlib import Path

from manybleus.captions import CaptionFiles, read_files, remark_table, remarks, write_references, write_results
from manybleus.files import write_table
from manybleus.job import begin_job

begin_job(snakemake.log[0])

params = snakemake.params
if params.table:
    files = CaptionFiles(table=Path(params.table), columns=tuple(params.columns))
else:
    systems = tuple((name, Path(path)) for name, path in params.systems)
    files = CaptionFiles(tuple(map(Path, params.references)), systems, missing=params.missing)
captions = read_files(files)

write_references(Path(snakemake.output.references), captions.references, "one's own captions", captions.image_ids)
for path, texts in zip(snakemake.output.systems, captions.systems.values(), strict=True):
    write_results(Path(path), texts, captions.image_ids)
write_table(Path(snakemake.output.remarks), remark_table(remarks(captions)))

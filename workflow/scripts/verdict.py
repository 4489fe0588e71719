import sys
from pathlib import Path

from manybleus.files import read_cells
from manybleus.replication.claims import failures

found = failures(read_cells(Path(snakemake.input.checks)), read_cells(Path(snakemake.input.claims[0])))
if found:
    sys.exit("the results do not agree with what was published:\n" + "\n".join(f"  - {line}" for line in found))

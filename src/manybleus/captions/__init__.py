"""Caption files: read, check and write them.

References are a COCO annotations file (``images``; ``annotations`` with ``image_id``, ``id``, ``caption``), and a
system's captions a COCO results file (a list of ``image_id``, ``caption``). The order of an image's annotations in
the file is its reference order. Plain text files hold one segment a line, as sacreBLEU's do; a table holds references
and systems in columns. From here on nothing knows where the captions came from.
"""

from manybleus.captions.data import Captions, ImageId, fewer_references, write_references, write_results
from manybleus.captions.reading import CaptionFiles, Survey, read_captions, read_files, survey
from manybleus.captions.remarks import Remark, remark_table, remarks

__all__ = [
    "CaptionFiles",
    "Captions",
    "ImageId",
    "Remark",
    "Survey",
    "fewer_references",
    "read_captions",
    "read_files",
    "remark_table",
    "remarks",
    "survey",
    "write_references",
    "write_results",
]

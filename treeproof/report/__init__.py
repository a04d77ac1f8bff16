"""The telling: reports as pure functions of the run document.

Whatever can be said of a run stands in that document; this room judges nothing, and reads and writes report
files only. What a candidate wrote is made harmless here (`escape.py`), in every format.
"""

from treeproof.report.document import Document, InvalidDocument, dump, load, schema, validate
from treeproof.report.escape import json_text, visible
from treeproof.report.formats import FORMATS, Request, requested, write_all
from treeproof.report.writing import check_writable, write

__all__ = [
    "FORMATS",
    "Document",
    "InvalidDocument",
    "Request",
    "check_writable",
    "dump",
    "json_text",
    "load",
    "requested",
    "schema",
    "validate",
    "visible",
    "write",
    "write_all",
]

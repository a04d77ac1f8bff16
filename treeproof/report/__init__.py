"""The telling: reports as pure functions of the run document.

Whatever can be said of a run stands in that document; this room judges nothing, and reads and writes report
files only. What a candidate wrote is made harmless here (`escape.py`), in every format.

Its names are imported when they are asked for: whoever prints a line need not wait for every format.
"""

from typing import TYPE_CHECKING

from treeproof.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from treeproof.report.atomic_write import check_writable, write
    from treeproof.report.document import Document, InvalidDocument, dump, load, schema, validate
    from treeproof.report.escape import json_text, visible
    from treeproof.report.formats.registry import FORMATS, ReportRequest, parse_requests, write_reports

__all__ = [
    "FORMATS",
    "Document",
    "InvalidDocument",
    "ReportRequest",
    "check_writable",
    "dump",
    "json_text",
    "load",
    "parse_requests",
    "schema",
    "validate",
    "visible",
    "write",
    "write_reports",
]

_EXPORTS = {
    "treeproof.report.document": ("Document", "InvalidDocument", "dump", "load", "schema", "validate"),
    "treeproof.report.escape": ("json_text", "visible"),
    "treeproof.report.formats.registry": ("FORMATS", "ReportRequest", "parse_requests", "write_reports"),
    "treeproof.report.atomic_write": ("check_writable", "write"),
}

if not TYPE_CHECKING:
    __getattr__ = lazy_exports(__name__, _EXPORTS)

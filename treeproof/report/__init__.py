"""The telling: reports as pure functions of the run document.

Whatever can be said of a run stands in that document; this room judges nothing, and reads and writes report
files only. What a candidate wrote is made harmless here (`escape.py`), in every format.

Its names are imported when they are asked for: whoever prints a line need not wait for every format.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_LAZY_EXPORTS = {
    "document": ("Document", "InvalidDocument", "dump", "load", "schema", "validate"),
    "escape": ("json_text", "visible"),
    "formats": ("FORMATS", "ReportRequest", "parse_requests", "write_reports"),
    "writing": ("check_writable", "write"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LAZY_EXPORTS.items():
        if name in names:
            return getattr(import_module(f"treeproof.report.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

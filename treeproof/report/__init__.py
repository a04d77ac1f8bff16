"""Reports: pure functions of the run document, which contains all data of a run. Nothing is judged here.

Every format escapes the texts of a candidate (`escape.py`). Names are imported when they are first used, because most
commands need few of them.
"""

from typing import TYPE_CHECKING

from treeproof.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from treeproof.report.document import dump, load, schema, validate
    from treeproof.report.escape import json_text, visible
    from treeproof.report.formats.registry import FORMATS, ReportRequest, parse_requests, write_reports
    from treeproof.report.output_file import OutputFile

__all__ = [
    "FORMATS",
    "OutputFile",
    "ReportRequest",
    "dump",
    "json_text",
    "load",
    "parse_requests",
    "schema",
    "validate",
    "visible",
    "write_reports",
]

_EXPORTS = {
    "treeproof.report.document": ("dump", "load", "schema", "validate"),
    "treeproof.report.escape": ("json_text", "visible"),
    "treeproof.report.formats.registry": ("FORMATS", "ReportRequest", "parse_requests", "write_reports"),
    "treeproof.report.output_file": ("OutputFile",),
}

if not TYPE_CHECKING:
    __getattr__ = lazy_exports(__name__, _EXPORTS)

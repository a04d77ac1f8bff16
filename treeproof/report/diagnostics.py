"""The findings of the lint, a line each, ready for an editor to jump to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from treeproof.report.console_writer import ConsoleWriter
from treeproof.spec.diagnostics import Diagnostic


def print_diagnostics(diagnostics: Sequence[Diagnostic], writer: ConsoleWriter) -> int:
    """Print all findings and their number; return the exit code: 2 when one of them is an error, else 0."""
    for finding in diagnostics:
        place = _shortest_path(finding.file) + (f":{finding.line}" if finding.line else "")
        style = "red" if finding.is_error else "yellow"
        writer.line(
            writer.text(place, "bold"), ": ", writer.text(finding.code, style), f": {finding.message}"
        )
    errors = sum(finding.is_error for finding in diagnostics)
    notes = len(diagnostics) - errors
    told = f"{errors} error{'s' * (errors != 1)}, {notes} note{'s' * (notes != 1)}"
    writer.paragraph(writer.text(told, "red" if errors else "green"))
    return 2 if errors else 0


def _shortest_path(file: Path) -> str:
    relative = os.path.relpath(file)
    return relative if len(relative) < len(str(file)) else str(file)

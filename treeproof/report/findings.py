"""The findings of the lint, a line each, ready for an editor to jump to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from treeproof.report.page import Page
from treeproof.spec.findings import Finding


def print_findings(findings: Sequence[Finding], page: Page) -> int:
    """Print all findings and their number; return the exit code: 2 when one of them is an error, else 0."""
    for finding in findings:
        place = _near(finding.file) + (f":{finding.line}" if finding.line else "")
        style = "red" if finding.is_error else "yellow"
        page.line(page.text(place, "bold"), ": ", page.text(finding.word, style), f": {finding.message}")
    errors = sum(finding.is_error for finding in findings)
    notes = len(findings) - errors
    told = f"{errors} error{'s' * (errors != 1)}, {notes} note{'s' * (notes != 1)}"
    page.say(page.text(told, "red" if errors else "green"))
    return 2 if errors else 0


def _near(file: Path) -> str:
    relative = os.path.relpath(file)
    return relative if len(relative) < len(str(file)) else str(file)

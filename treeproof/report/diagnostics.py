"""The diagnostics of lint, one per line, in a form that editors can open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.spec.diagnostics import Diagnostic


def print_diagnostics(diagnostics: Sequence[Diagnostic], writer: ConsoleWriter) -> int:
    """Print all diagnostics and their number; return the exit code: 2 if one of them is an error, else 0."""
    for one in diagnostics:
        place = _shortest_path(one.file) + (f":{one.line}" if one.line else "")
        style = "red" if one.is_error else "yellow"
        writer.line(writer.text(place, "bold"), ": ", writer.text(one.code, style), f": {one.message}")
    by_pattern = {one.snippet.partition(", example=")[0]: one.snippet for one in reversed(diagnostics) if one.snippet}
    _print_snippets(list(reversed(by_pattern.values())), writer)
    errors = sum(one.is_error for one in diagnostics)
    notes = len(diagnostics) - errors
    text = f"{pluralize(errors, 'error')}, {pluralize(notes, 'note')}"
    writer.paragraph(writer.text(text, "red" if errors else "green"))
    return 2 if errors else 0


_MAX_SNIPPETS = 20


def _print_snippets(snippets: Sequence[str], writer: ConsoleWriter) -> None:
    """Print the beginnings of missing step definitions, for a module of `steps`."""
    if not snippets:
        return
    writer.paragraph(writer.text("Steps without a definition, for a module that steps in spec.toml names:", "bold"))
    for snippet in snippets[:_MAX_SNIPPETS]:
        writer.blank()
        for line in snippet.split("\n"):
            writer.line(writer.text(line, "cyan"))
    if len(snippets) > _MAX_SNIPPETS:
        writer.paragraph(writer.text(f"and {len(snippets) - _MAX_SNIPPETS} more", "dim"))
    writer.blank()


def _shortest_path(file: Path) -> str:
    relative = os.path.relpath(file)
    return relative if len(relative) < len(str(file)) else str(file)

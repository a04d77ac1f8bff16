"""The reports of `doctor` and `lint`: the facilities of this host, the checks of an adapter, diagnostics of packs.

Checks nothing itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.spec.diagnostics import Diagnostic
from treeproof.verdict.checks import CheckResult, HostFacility, HostReport
from treeproof.verdict.outcome import FACILITY_REMEDIES

EXIT_SOUND, EXIT_INCOMPLETE, EXIT_FAULT = 0, 3, 4


FACILITIES: Mapping[str, str] = {
    "non_utf8_names": "file names that are not UTF-8",
    "case_sensitive": "names that differ in case only",
    "normal_forms": "names that differ in Unicode normalisation only",
    "folding": "a file system that folds names",
    "symlinks": "symbolic links",
    "special_files": "FIFOs and sockets",
    "mknod": "device files",
    "huge_files": "sparse files of 8 EiB",
    "wide_mtimes": "times thousands of years away",
    "shm": "trees in memory",
    "disk": "trees on a disk",
    "disk_space": "copies of files beyond 2 GiB",
    "drop_caps": "permissions that bind root",
    "devpts": "a mount below /dev",
    "inotify": "detection of opened directories",
    "strace": "tracing of system calls and injection of failures",
    "namespaces": "a process without network",
    "isolation": "isolation of candidates (treeproof run --isolate)",
}
"""A description of each facility."""

_MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "error": ("✗", "red"),
    "warning": ("!", "yellow"),
    "skipped": ("·", "dim"),
}


def print_host_report(report: HostReport, writer: ConsoleWriter) -> int:
    """Print the facilities of the host; return 0 if all requirements can be verified, else 3."""
    user = "root" if report.is_root else "ordinary user"
    writer.field("host", writer.text(f"{report.system} · {user} · workspace in {report.workspace_parent}"), column=10)
    writer.blank()
    for facility in report.facilities:
        _print_facility(writer, facility)
    writer.blank()
    unverifiable = report.unverifiable_requirements
    if unverifiable:
        writer.paragraph(
            writer.text("incomplete", "bold yellow"),
            f": {len(unverifiable)} of {report.requirement_count} requirements cannot be verified on this host",
        )
        return EXIT_INCOMPLETE
    writer.paragraph(
        writer.text("complete", "bold green"),
        f": this host can verify all {report.requirement_count} requirements with scenarios",
    )
    return EXIT_SOUND


def _print_facility(writer: ConsoleWriter, facility: HostFacility) -> None:
    what = FACILITIES.get(facility.name, facility.name.replace("_", " "))
    if facility.cause is None:
        writer.paragraph(what, lead=writer.text("✓ ", "green"))
        return
    needed = bool(facility.requirements)
    writer.paragraph(
        writer.text(what, "bold"),
        writer.text(f": {facility.cause}"),
        lead=writer.text("✗ ", "red") if needed else writer.text("· ", "dim"),
    )
    writer.paragraph(FACILITY_REMEDIES.get(facility.name, ""), indent=4, lead=writer.text("remedy: ", "dim"))
    if needed:
        lead = f"{pluralize(len(facility.requirements), 'requirement')} NOT VERIFIED without it: "
        writer.paragraph(writer.text(lead), writer.comma_separated(facility.requirements), indent=4)
    else:
        writer.paragraph(writer.text("no requirement depends on it", "dim"), indent=4)


def print_checks(checks: Iterable[CheckResult], writer: ConsoleWriter) -> int:
    """Print each check when it is finished; return 0 if there is no error, else 4."""
    errors = warnings = 0
    for check in checks:
        mark, style = _MARKS[check.status]
        errors += check.status == "error"
        warnings += check.status == "warning"
        parts = [
            writer.text(check.name, "bold"),
            writer.text(": " if check.status in ("ok", "error") else f": {check.status}: "),
            writer.text(check.detail),
        ]
        if check.remedy:
            parts.append(writer.text(f" — {check.remedy}", "dim"))
        writer.paragraph(*parts, lead=writer.text(f"{mark} ", style), hang=2)
        for line in check.lines:
            writer.paragraph(writer.text(line, "dim"), indent=4, hang=2)
    writer.blank()
    text = pluralize(warnings, "warning")
    if errors:
        writer.paragraph(writer.text("fault", "bold magenta"), f": {pluralize(errors, 'error')}, {text}")
        return EXIT_FAULT
    writer.paragraph(writer.text("sound", "bold green"), f": the adapter works, {text}")
    return EXIT_SOUND


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

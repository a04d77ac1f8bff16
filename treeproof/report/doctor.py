"""The doctor told to a person: what this machine can verify, and whether an adapter is sound.

A pure function of what was found out; the words for each property of a machine stand in one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from treeproof.report.console_writer import ConsoleWriter
from treeproof.verdict.outcome import FACILITY_REMEDIES

EXIT_SOUND, EXIT_INCOMPLETE, EXIT_FAULT = 0, 3, 4


class HostFacility(Protocol):
    """A property of the machine; ``cause`` says why it is missing, None that it is there."""

    @property
    def name(self) -> str: ...
    @property
    def cause(self) -> str | None: ...
    @property
    def requirements(self) -> Sequence[str]: ...


class HostReport(Protocol):
    """What was found out about a machine."""

    @property
    def system(self) -> str: ...
    @property
    def is_root(self) -> bool: ...
    @property
    def workspace_parent(self) -> str: ...
    @property
    def facilities(self) -> Sequence[HostFacility]: ...
    @property
    def requirement_count(self) -> int: ...
    @property
    def unverifiable_requirements(self) -> Sequence[str]: ...


class CheckResult(Protocol):
    """One check of an adapter; ``state`` is ok, error, warning or skipped."""

    @property
    def name(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def remedy(self) -> str: ...


FACILITIES: Mapping[str, str] = {
    "non_utf8_names": "file names that are not UTF-8",
    "case_sensitive": "names that differ in case only",
    "symlinks": "symbolic links",
    "special_files": "FIFOs and sockets",
    "mknod": "device files",
    "huge_files": "sparse files of 8 EiB",
    "wide_mtimes": "times thousands of years away",
    "shm": "trees in memory",
    "disk": "trees on a disk",
    "drop_caps": "permissions that bind root",
    "devpts": "a mount below /dev",
    "inotify": "detection of opened directories",
    "strace": "tracing of system calls and injection of failures",
    "namespaces": "a process without network",
}
"""A description of each facility."""

_MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "error": ("✗", "red"),
    "warning": ("!", "yellow"),
    "skipped": ("·", "dim"),
}


def print_host_report(report: HostReport, writer: ConsoleWriter) -> int:
    """Print what the machine can verify; return 0 when that is everything, else 3."""
    user = "root" if report.is_root else "ordinary user"
    writer.field(
        "machine",
        writer.text(f"{report.system} · {user} · trees are built in {report.workspace_parent}"),
        column=10,
    )
    writer.blank()
    for facility in report.facilities:
        _print_facility(writer, facility)
    writer.blank()
    unverifiable = report.unverifiable_requirements
    if unverifiable:
        writer.paragraph(
            writer.text("incomplete", "bold yellow"),
            f": {len(unverifiable)} of {report.requirement_count} requirements would end NOT VERIFIED here",
        )
        return EXIT_INCOMPLETE
    writer.paragraph(
        writer.text("complete", "bold green"),
        f": this machine can verify all {report.requirement_count} requirements that have scenarios",
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
        count = len(facility.requirements)
        lead = f"{count} requirement{'s' * (count != 1)} NOT VERIFIED without it: "
        writer.paragraph(writer.text(lead), writer.comma_separated(facility.requirements), indent=4)
    else:
        writer.paragraph(writer.text("no requirement depends on it", "dim"), indent=4)


def print_checks(checks: Iterable[CheckResult], writer: ConsoleWriter) -> int:
    """Print each check as it is made; return 0 when the adapter is sound, else 4."""
    errors = warnings = 0
    for check in checks:
        mark, style = _MARKS[check.status]
        errors += check.status == "error"
        warnings += check.status == "warning"
        parts = [
            writer.text(check.name, "bold"),
            writer.text(": " + _status_prefix(check.status)),
            writer.text(check.detail),
        ]
        if check.remedy:
            parts.append(writer.text(f" — {check.remedy}", "dim"))
        writer.paragraph(*parts, lead=writer.text(f"{mark} ", style), hang=2)
    writer.blank()
    told = f"{warnings} warning{'s' * (warnings != 1)}"
    if errors:
        writer.paragraph(
            writer.text("fault", "bold magenta"), f": {errors} error{'s' * (errors != 1)}, {told}"
        )
        return EXIT_FAULT
    writer.paragraph(writer.text("sound", "bold green"), f": the adapter works, {told}")
    return EXIT_SOUND


def _status_prefix(state: str) -> str:
    return "" if state in ("ok", "error") else f"{state}: "

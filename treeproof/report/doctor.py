"""The doctor told to a person: what this machine can verify, and whether an adapter is sound.

A pure function of what was found out; the words for each property of a machine stand in one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from treeproof.report.page import Page

EXIT_SOUND, EXIT_INCOMPLETE, EXIT_FAULT = 0, 3, 4


class Facility(Protocol):
    """A property of the machine; ``cause`` says why it is missing, None that it is there."""

    @property
    def name(self) -> str: ...
    @property
    def cause(self) -> str | None: ...
    @property
    def requirements(self) -> Sequence[str]: ...


class MachineReport(Protocol):
    """What was found out about a machine."""

    @property
    def system(self) -> str: ...
    @property
    def root(self) -> bool: ...
    @property
    def workspace(self) -> str: ...
    @property
    def facilities(self) -> Sequence[Facility]: ...
    @property
    def requirements(self) -> int: ...
    @property
    def unverifiable(self) -> Sequence[str]: ...


class Check(Protocol):
    """One check of an adapter; ``state`` is ok, wrong, note or not checked."""

    @property
    def name(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def said(self) -> str: ...
    @property
    def instead(self) -> str: ...


FACILITIES: Mapping[str, tuple[str, str]] = {
    "non_utf8_names": (
        "file names that are not UTF-8",
        "set TREEPROOF_WORKSPACE to a folder on tmpfs or ext4",
    ),
    "case_sensitive": (
        "names that differ in case only",
        "set TREEPROOF_WORKSPACE to a folder on a file system that distinguishes case",
    ),
    "symlinks": ("symbolic links", "set TREEPROOF_WORKSPACE to a folder on a file system that has links"),
    "special_files": ("FIFOs and sockets", "set TREEPROOF_WORKSPACE to a folder on tmpfs or ext4"),
    "mknod": ("making device files", "run as root with CAP_MKNOD"),
    "huge_files": (
        "sparse files of 8 EiB",
        "set TREEPROOF_WORKSPACE to a folder on tmpfs (/dev/shm); ext4 holds less than 16 TiB",
    ),
    "wide_mtimes": (
        "times thousands of years away",
        "set TREEPROOF_WORKSPACE to a folder on tmpfs (/dev/shm)",
    ),
    "shm": (
        "trees in memory",
        "mount a tmpfs at /dev/shm (in a container: --shm-size=256m); only speed depends on it",
    ),
    "disk": ("trees on a disk", "set TMPDIR to a writable folder on a disk"),
    "drop_caps": ("permissions that bite for root", "run as an ordinary user"),
    "devpts": ("a mount below /dev", "mount devpts at /dev/pts"),
    "inotify": (
        "seeing which directories are opened",
        "allow inotify: sysctl fs.inotify.max_user_instances and max_user_watches",
    ),
    "strace": (
        "making system calls fail, and seeing them",
        "install strace and allow ptrace (in a container: --cap-add=SYS_PTRACE; sysctl kernel.yama.ptrace_scope "
        "below 2)",
    ),
    "namespaces": (
        "a process without network",
        "install util-linux (unshare) and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)",
    ),
}
"""Each property in plain words, and what to install or allow where it is missing."""

_MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "wrong": ("✗", "red"),
    "note": ("!", "yellow"),
    "not checked": ("·", "dim"),
}


def print_machine(report: MachineReport, page: Page) -> int:
    """Print what the machine can verify; return 0 when that is everything, else 3."""
    user = "root" if report.root else "ordinary user"
    page.field(
        "machine", page.text(f"{report.system} · {user} · trees are built in {report.workspace}"), column=10
    )
    page.blank()
    for facility in report.facilities:
        _facility(page, facility)
    page.blank()
    unverifiable = report.unverifiable
    if unverifiable:
        page.say(
            page.text("incomplete", "bold yellow"),
            f": {len(unverifiable)} of {report.requirements} requirements would end NOT VERIFIED here",
        )
        return EXIT_INCOMPLETE
    page.say(
        page.text("complete", "bold green"),
        f": this machine can verify all {report.requirements} requirements that have scenarios",
    )
    return EXIT_SOUND


def _facility(page: Page, facility: Facility) -> None:
    what, how = FACILITIES.get(facility.name, (facility.name.replace("_", " "), ""))
    if facility.cause is None:
        page.say(what, lead=page.text("✓ ", "green"))
        return
    needed = bool(facility.requirements)
    page.say(
        page.text(what, "bold"),
        page.text(f": {facility.cause}"),
        lead=page.text("✗ ", "red") if needed else page.text("· ", "dim"),
    )
    if how:
        page.say(how, indent=4, lead=page.text("how: ", "dim"))
    if needed:
        count = len(facility.requirements)
        lead = f"{count} requirement{'s' * (count != 1)} NOT VERIFIED without it: "
        page.say(page.text(lead), page.words(facility.requirements), indent=4)
    else:
        page.say(page.text("no requirement depends on it", "dim"), indent=4)


def print_checks(checks: Iterable[Check], page: Page) -> int:
    """Print each check as it is made; return 0 when the adapter is sound, else 4."""
    wrong = notes = 0
    for check in checks:
        mark, style = _MARKS[check.state]
        wrong += check.state == "wrong"
        notes += check.state == "note"
        parts = [page.text(check.name, "bold"), page.text(": " + _state(check.state)), page.text(check.said)]
        if check.instead:
            parts.append(page.text(f" — {check.instead}", "dim"))
        page.say(*parts, lead=page.text(f"{mark} ", style), hang=2)
    page.blank()
    told = f"{notes} note{'s' * (notes != 1)}"
    if wrong:
        page.say(page.text("fault", "bold magenta"), f": {wrong} of the checks found something wrong, {told}")
        return EXIT_FAULT
    page.say(page.text("sound", "bold green"), f": the adapter works, {told}")
    return EXIT_SOUND


def _state(state: str) -> str:
    return "" if state in ("ok", "wrong") else f"{state}: "

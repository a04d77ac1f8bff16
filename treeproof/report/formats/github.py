"""A run as GitHub workflow commands: annotations of a job, one per line, for its standard output.

GitHub shows ten annotations per kind and step. So the order is: the conclusion, one command for each cause, the worst
first, then unverified requirements and warnings. No two commands are equal. They point to the manifest, if the run has
one: the feature files are not in the repository of the candidate. No text can start a command of its own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from treeproof.report.digest import (
    abbreviate,
    cause_rerun,
    pluralize,
    rerun_note,
    unverified_by_cause,
    warnings_with_scenarios,
)
from treeproof.report.escape import shortened, visible
from treeproof.verdict.causes import Cause
from treeproof.verdict.run_document import RunDocument

_MAX_COMMANDS = 50  # lines of one kind; the limit of GitHub for a job
_MAX_MESSAGE = 2000  # characters
_TARGET_WITH_KIND = re.compile(r"[a-z][a-z+]*:")
_LEVEL_OF_CONCLUSION: Mapping[str, str] = {
    "conformant": "notice",
    "sound": "notice",
    "partial": "notice",
    "incomplete": "warning",
}


def dump(run: RunDocument, environ: Mapping[str, str] | None = None) -> bytes:
    """Return the commands in UTF-8; the first one is the conclusion.

    ``environ`` (default: that of the process) names the workspace of the job, from which GitHub resolves paths.
    """
    place = _manifest(run, os.environ if environ is None else environ)
    first = _command(
        _LEVEL_OF_CONCLUSION.get(run.verdict, "error"),
        f"{run.candidate.label}: {run.reason}",
        title=f"treeproof: {run.conclusion}",
        file=place,
    )
    others = [
        _limit_commands(_cause_command(run, cause, place) for cause in run.causes),
        _limit_commands(_other_commands(run, place)),
    ]
    return ("\n".join(dict.fromkeys([first, *others[0], *others[1]])) + "\n").encode("utf-8")


def _manifest(run: RunDocument, environ: Mapping[str, str]) -> str:
    """Return the manifest of the run as GitHub resolves it; empty if TARGET is none, or not in the workspace."""
    target = next(iter(run.command), "")
    if not target or target == "reference" or _TARGET_WITH_KIND.match(target):
        return ""
    manifest = target if target.endswith(".toml") else os.path.join(target, "treeproof.toml")
    workspace = environ.get("GITHUB_WORKSPACE")
    if workspace:
        manifest = os.path.relpath(manifest, workspace)
    place = PurePath(os.path.normpath(manifest))
    return "" if place.is_absolute() or ".." in place.parts else place.as_posix()


def _limit_commands(commands: Iterable[str]) -> Iterator[str]:
    every = list(dict.fromkeys(commands))
    yield from every[:_MAX_COMMANDS]
    if len(every) > _MAX_COMMANDS:
        yield _command("notice", f"{len(every) - _MAX_COMMANDS} more in the other reports", title="treeproof")


def _cause_command(run: RunDocument, cause: Cause, place: str) -> str:
    requirement, smallest = cause.requirement, cause.smallest
    scenarios, requirements = len(cause.scenarios), len(cause.requirements)
    lines = [cause.message]
    if smallest is not None:
        evidence = smallest.evidence
        lines.append(f"{smallest.id} {smallest.title}")
        shown = {"tree": evidence.tree, "expected": evidence.expected, "got": evidence.got}
        lines += [f"{name}: {text}" for name, text in shown.items() if text]
    if scenarios > 1:
        lines.append(f"{pluralize(scenarios, 'scenario')} of {pluralize(requirements, 'requirement')}")
    if cause.blocked:
        lines.append(f"blocks {pluralize(len(cause.blocked), 'scenario')}")
    lines.append(", ".join(filter(None, [f"re-run: {cause_rerun(run, cause)}", rerun_note(cause)])))
    return _command(
        _kind(run, cause),
        "\n".join(shortened(line, 400) for line in lines),
        title=f"{requirement.id} ({requirement.level}): {cause.label}",
        file=place,
    )


def _kind(run: RunDocument, cause: Cause) -> str:
    if cause.known or cause.is_beyond_document:
        return "notice"
    decides = cause.is_fault or any(one.decides(run.profile) for one in cause.requirements)
    return "error" if decides else "warning"


def _other_commands(run: RunDocument, place: str) -> Iterator[str]:
    ids_by_cause: dict[tuple[str, str | None], list[str]] = {}
    for spec in run.specs:
        for group in unverified_by_cause(run, spec):
            if not group.is_deselected:
                ids_by_cause.setdefault((group.cause, group.remedy), []).extend(group.ids)
    for (cause, remedy), ids in ids_by_cause.items():
        text = f"{cause}\n{', '.join(abbreviate(ids, 20))}" + (f"\nremedy: {remedy}" if remedy else "")
        yield _command("warning", text, title=f"not verified: {pluralize(len(ids), 'requirement')}", file=place)
    for warning in warnings_with_scenarios(run):
        yield _command("warning", warning, title="treeproof", file=place)


def _command(kind: str, message: str, *, title: str, file: str = "") -> str:
    properties = {"file": file, "line": "1" if file else "", "title": title}
    text = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items() if value)
    return f"::{kind} {text}::{_escape_data(visible(shortened(message, _MAX_MESSAGE), lines=True))}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(visible(text)).replace(":", "%3A").replace(",", "%2C")

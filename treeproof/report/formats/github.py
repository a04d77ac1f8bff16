"""A run as GitHub workflow commands: annotations of a job, one per line, for its standard output.

GitHub shows ten annotations per kind and step. So the order is: the conclusion, the first failed scenario of each
requirement, other failed scenarios, unverified requirements. No text can start a command of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.report.digest import (
    Json,
    abbreviate,
    candidate_label,
    conclusion,
    decides_exit,
    failing_requirements,
    failures_beyond_document,
    pluralize,
    rerun_command,
    unverified_by_cause,
    warnings_with_scenarios,
)
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible

_MAX_COMMANDS = 50  # lines of one kind; the limit of GitHub for a job
_MAX_MESSAGE = 2000  # characters
_LEVEL_OF_CONCLUSION = {"conformant": "notice", "partial": "notice", "incomplete": "warning"}


def dump(run: Document) -> bytes:
    """Return the commands in UTF-8; the first one is the conclusion."""
    first = _command(
        _LEVEL_OF_CONCLUSION.get(run["verdict"], "error"),
        f"{candidate_label(run)}: {run['reason']}",
        title=f"treeproof: {conclusion(run)}",
    )
    return (
        "\n".join([first, *_limit_commands(_failure_commands(run)), *_limit_commands(_other_commands(run))]) + "\n"
    ).encode("utf-8")


def _limit_commands(commands: Iterator[str]) -> Iterator[str]:
    every = list(commands)
    yield from every[:_MAX_COMMANDS]
    if len(every) > _MAX_COMMANDS:
        yield _command("notice", f"{len(every) - _MAX_COMMANDS} more in the other reports", title="treeproof")


def _failure_commands(run: Document) -> Iterator[str]:
    ranks: list[tuple[int, str]] = []
    for spec in run["specs"]:
        for requirement, scenarios in failing_requirements(spec, run["profile"]):
            kind = "error" if decides_exit(requirement, run["profile"]) else "warning"
            kind = "notice" if requirement.get("known") else kind
            if not scenarios:
                cause = requirement["cause"] or "no scenario shows the cause"
                ranks.append((0, _command(kind, cause, title=f"{requirement['id']} ({requirement['level']})")))
            for rank, scenario in enumerate(scenarios):
                ranks.append((rank, _failure_command(run, kind, requirement, scenario)))
        for requirement, scenarios in failures_beyond_document(spec, run["profile"]):
            for rank, scenario in enumerate(scenarios):
                ranks.append((rank, _failure_command(run, "notice", requirement, scenario, "beyond the document")))
    ranks.sort(key=lambda ranked: ranked[0])
    yield from (command for _, command in ranks)


def _failure_command(run: Document, kind: str, requirement: Json, scenario: Json, note: str = "fails") -> str:
    evidence = scenario["evidence"]
    lines = [f"{scenario['id']} {scenario['title']}", str(evidence.get("message", ""))]
    lines += [f"{name}: {evidence[name]}" for name in ("tree", "expected", "got") if evidence.get(name)]
    lines.append(f"re-run: {rerun_command(run, scenario['id'])}")
    return _command(
        kind,
        "\n".join(shortened(line, 400) for line in lines),
        title=f"{requirement['id']} ({requirement['level']}) {note}",
        file=scenario["file"],
        line=scenario["line"],
    )


def _other_commands(run: Document) -> Iterator[str]:
    for spec in run["specs"]:
        for scenario in spec["scenarios"]:
            if scenario["outcome"] == "fault":
                cause = scenario["evidence"].get("cause", "fault")
                yield _command(
                    "error",
                    cause,
                    title=f"{scenario['id']}: fault",
                    file=scenario["file"],
                    line=scenario["line"],
                )
    for spec in run["specs"]:
        for group in unverified_by_cause(run, spec):
            if group.is_deselected:
                continue
            remedy = f"\nremedy: {group.remedy}" if group.remedy else ""
            text = f"{group.cause}\n{', '.join(abbreviate(group.ids, 20))}{remedy}"
            count = pluralize(len(group.ids), "requirement")
            yield _command("warning", text, title=f"not verified: {count}")
    for warning in warnings_with_scenarios(run):
        yield _command("warning", warning, title="treeproof")


def _command(kind: str, message: str, *, title: str, file: str = "", line: int = 0) -> str:
    properties = {"file": file, "line": str(line) if file and line else "", "title": title}
    text = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items() if value)
    return f"::{kind} {text}::{_escape_data(visible(shortened(message, _MAX_MESSAGE), lines=True))}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(visible(text)).replace(":", "%3A").replace(",", "%2C")

"""The differences between two versions of a specification as text, as Markdown and as JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.markdown_text import code_span, prose
from treeproof.spec import Interpretation, Requirement
from treeproof.spec.packs import command_name
from treeproof.spec.version_differences import Difference, VersionDifferences

_LEVELS = ("MUST", "SHOULD", "MAY")
_NO_LIMIT = 1_000_000
_MAX_IDS = 6


def print_differences(found: VersionDifferences, writer: ConsoleWriter) -> None:
    """Print what an implementer of the old version has to do for the new one."""
    writer.paragraph(writer.text(_title(found), "bold"), f": {_summary(found)}")
    for heading, lines in _sections(found):
        writer.heading(heading)
        for head, details in lines:
            writer.paragraph(head, indent=2, hang=4)
            for label, value, _ in details:
                writer.paragraph(writer.text(f"{label}: {value}", "dim"), indent=6)


def differences_as_markdown(found: VersionDifferences) -> str:
    """Return the same as Markdown."""
    lines = [f"# {prose(_title(found))}", "", prose(_summary(found)), ""]
    for heading, items in _sections(found):
        lines += [f"## {prose(heading)}", ""]
        for head, details in items:
            id, _, rest = head.partition(" ")
            lines.append(f"- {code_span(id)} {prose(rest.strip(), limit=_NO_LIMIT)}")
            for label, value, is_code in details:
                text = code_span(value, limit=_NO_LIMIT) if is_code else prose(value, limit=_NO_LIMIT)
                lines.append(f"  - {label}: {text}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def differences_as_json(found: VersionDifferences) -> str:
    """Return the same as JSON: `old`, `new`, `same`, and a list for each kind of items."""
    document: dict[str, Any] = {
        "old": f"{found.old.name}@{found.old.version}",
        "new": f"{found.new.name}@{found.new.version}",
        "same": found.same,
    }
    lists = {"tools": found.tools, "requirements": found.requirements, "interpretations": found.interpretations}
    for name, items in lists.items():
        document[name] = [_json_of(one) for one in items]
    for name, words in (("error_kinds", found.error_kinds), ("schemas", found.schemas)):
        document[name] = [{"name": word, "kind": kind} for word, kind in words]
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _json_of(one: Difference) -> dict[str, Any]:
    item: dict[str, Any] = {"id": one.id, "kind": one.kind}
    if isinstance(one.item, Requirement):
        item |= {"level": one.item.level, "text": one.item.text}
        item |= {"new_scenarios": list(one.new_scenarios), "gone_scenarios": list(one.gone_scenarios)}
    if isinstance(one.item, Interpretation):
        item |= {"question": one.item.question}
    item["fields"] = [{"key": change.key, "old": change.old, "new": change.new} for change in one.fields]
    return item


def _title(found: VersionDifferences) -> str:
    return f"{found.new.name} {found.old.version} to {found.new.version}"


def _summary(found: VersionDifferences) -> str:
    if found.is_empty:
        return "nothing differs for a candidate"
    kinds = [one.kind for one in found.requirements]
    counts = [
        f"{kinds.count(kind)} {word}"
        for kind, word in (
            ("new", "new"),
            ("changed", "changed"),
            ("scenarios", "with other scenarios"),
            ("withdrawn", "withdrawn"),
        )
        if kind in kinds
    ]
    return f"requirements: {', '.join([*counts, f'{found.same} the same'])}"


_Detail = tuple[str, str, bool]
"""A label, its value, and whether the value is code."""
_Line = tuple[str, Sequence[_Detail]]


def _sections(found: VersionDifferences) -> Iterator[tuple[str, list[_Line]]]:
    """Yield each heading that has lines, with these: a line begins with an id and has details."""
    by_weight = sorted(
        found.requirements,
        key=lambda one: (isinstance(one.item, Requirement) and _LEVELS.index(one.item.level), one.kind != "new"),
    )

    def lines_of(*kinds: str) -> list[_Line]:
        return [_requirement_line(one, found) for one in by_weight if one.kind in kinds]

    sections: list[tuple[str, list[_Line]]] = [
        ("Tools", [(f"{one.id} {one.kind}", _field_lines(one)) for one in found.tools]),
        ("To do", lines_of("new", "changed")),
        ("Other scenarios, the same rule", lines_of("scenarios")),
        ("No longer required", lines_of("withdrawn")),
        ("Open questions", [_interpretation_line(one) for one in found.interpretations]),
        ("Kinds of errors", [(f"{word} {kind}", ()) for word, kind in found.error_kinds]),
        ("Schemas", [(f"{word} {kind}", ()) for word, kind in found.schemas]),
    ]
    yield from ((heading, lines) for heading, lines in sections if lines)


def _requirement_line(one: Difference, found: VersionDifferences) -> _Line:
    assert isinstance(one.item, Requirement)
    details = list(_field_lines(one))
    if one.kind == "new" and one.item.condition is not None:
        details.append(("condition", one.item.condition, False))
    if one.kind == "new" and one.item.excluded is not None:
        details.append(("not verified", one.item.excluded, False))
    for label, ids in (("new scenarios", one.new_scenarios), ("no longer run", one.gone_scenarios)):
        if ids:
            rest = f" and {len(ids) - _MAX_IDS} more" if len(ids) > _MAX_IDS else ""
            details.append((label, f"{', '.join(ids[:_MAX_IDS])}{rest}", False))
    if one.kind != "withdrawn" and one.new_scenarios:
        command = f"treeproof run TARGET --spec {shlex.quote(command_name(found.new))} --select {one.id}"
        details.append(("check", command, True))
    kind = "" if one.kind == "scenarios" else f" {one.kind}"
    return f"{one.id} {one.item.level}{kind}: {one.item.text}", details


def _interpretation_line(one: Difference) -> _Line:
    assert isinstance(one.item, Interpretation)
    details = list(_field_lines(one))
    if one.kind == "new":
        for reading in one.item.readings:
            advice = ", recommended" if reading.label == one.item.recommended else ""
            label = f"{reading.label}{'' if reading.accepted else ' (not accepted)'}{advice}"
            details.append((label, reading.text, False))
    return f"{one.id} {one.kind}: {one.item.question}", details


def _field_lines(one: Difference) -> tuple[_Detail, ...]:
    return tuple((change.key, f"{_quoted(change.old)}, now {_quoted(change.new)}", False) for change in one.fields)


def _quoted(text: str | None) -> str:
    return "none" if text is None else f'"{text}"'

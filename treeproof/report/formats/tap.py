"""A run as TAP 14 (Test Anything Protocol), one test point per test case.

Not verified, not applicable and excluded are skipped with a cause; a failure without effect (known, advisory) is TODO.
The values of YAML blocks are JSON strings, one per line, so that no text of a candidate can end the block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from treeproof.report.digest import candidate_label, conclusion
from treeproof.report.document import Document
from treeproof.report.escape import shortened, visible
from treeproof.report.formats import cases
from treeproof.report.formats.cases import Case

_MAX_LINE = 300  # characters of a description or a reason


def dump(run: Document) -> bytes:
    """Return the run as TAP version 14 in UTF-8."""
    points = [
        case
        for spec in run["specs"]
        for cases_of in (cases.scenario_cases, cases.requirement_cases)
        for case in cases_of(spec, run["profile"])
    ]
    lines = [
        "TAP version 14",
        f"1..{max(1, len(points))}",
        f"# treeproof {run['treeproof']}: {conclusion(run)}: {_escape_text(run['reason'])}",
        f"# candidate {_escape_text(candidate_label(run))}, profile {run['profile']}, exit {run['exit']}",
    ]
    for number, case in enumerate(points, 1):
        lines += _test_point(number, case)
    if not points:  # an empty plan would count as skipped
        lines.append("not ok 1 - nothing was executed")
    return ("\n".join(lines) + "\n").encode("utf-8")


def _test_point(number: int, case: Case) -> Iterator[str]:
    is_ok = case.state not in (cases.FAILED, cases.FAULT, cases.ADVISORY, cases.KNOWN)
    directive = ""
    if case.state in (cases.NOT_VERIFIED, cases.NOT_APPLICABLE, cases.EXCLUDED):
        directive = f" # SKIP {_escape_text(case.state_and_message)}"
    elif case.state in (cases.ADVISORY, cases.KNOWN):
        directive = f" # TODO {_escape_text(case.state_and_message)}"
    yield f"{'ok' if is_ok else 'not ok'} {number} - {_escape_text(case.name)}{directive}"
    if case.state == cases.PASSED:
        return
    yield "  ---"
    yield f"  outcome: {_quote(case.state)}"
    yield f"  requirement: {_quote(case.requirement_id)}"
    if case.requirement is not None:
        yield f"  level: {_quote(case.level)}"
        yield f"  verdict: {_quote(case.verdict)}"
    if "message" not in case.evidence and "cause" not in case.evidence:
        yield f"  message: {_quote(visible(case.message))}"
    if case.scenario is not None and case.scenario["file"]:
        yield "  at:"
        yield f"    file: {_quote(visible(case.scenario['file']))}"
        yield f"    line: {case.scenario['line']}"
    for name, text in cases.evidence_members(case.evidence):
        # `outcome` is already the state of the case.
        yield from _member("answer" if name == "outcome" else name, text.split("\n"))
    yield "  ..."


def _member(name: str, lines: list[str]) -> Iterator[str]:
    if len(lines) == 1:
        yield f"  {name}: {_quote(lines[0])}"
        return
    yield f"  {name}:"
    yield from (f"    - {_quote(line)}" for line in lines)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _escape_text(text: str) -> str:
    """Return a description or a reason: printable, cut, with `#` and the backslash escaped for TAP."""
    return shortened(visible(text), _MAX_LINE).replace("\\", "\\\\").replace("#", "\\#")

"""The expected lines of a script that calls the tool, and the comparison of the emitted ones with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.api import CallResult, Case, Finding, Unmodelled

from ..shared.formatting import format_json
from ..shared.judgement import MATCH, Comparison
from ..shared.reading_choices import ReadingChoices
from .comparison import parse_output
from .escapes import find_escape
from .expected import call_outcome
from .outcomes import CallOutcome, ExpectedFailure, ExpectedListing
from .path_comparison import PathComparison
from .refusal_comparison import aggregated
from .script_language import Block, CalledValue, FreeText, Line, ScriptExecution, ScriptFails, parse_script, summands

INTERPRETER = "NeuroScript"
_TOOL = "FS.WalkDir"
_OTHER_LINES = "the script emits other lines"
_ENDS_EARLY = "the script ends at an error"


@dataclass(frozen=True)
class ExpectedScript:
    """The lines of a script in the order of a walk, and the outcomes of its calls. `fails`: one of them ends it.

    `lines_before_failure` is the number of lines before the first call that gives nil.
    """

    lines: tuple[Line, ...]
    calls: tuple[CallOutcome, ...]
    fails: bool
    lines_before_failure: int
    text: str


def script_outcome(case: Case, readings: ReadingChoices) -> ExpectedScript:
    """Return the expected lines of a script. Raises Unmodelled for statements that no example has."""
    text = case.arguments.get("script") if isinstance(case.arguments, dict) else None
    if not isinstance(text, str):
        raise Unmodelled("a call of the interpreter without a script")
    calls: list[CallOutcome] = []
    before: list[int] = []

    def call(number: int, name: str, values: Sequence[Any]) -> CalledValue:
        if name != _TOOL:
            raise Unmodelled(f"a script that calls {name}")
        names = ("path", *(f"surplus{at}" for at in range(1, len(values))))
        outcome = call_outcome(case, dict(zip(names, values, strict=False)), readings)
        calls.append(outcome)
        if isinstance(outcome, ExpectedFailure):
            before.append(len(execution.lines))
        return CalledValue(number, _elements(outcome, number, readings))

    execution, fails = ScriptExecution(call), False
    try:
        execution.run(parse_script(text).body)
    except ScriptFails:
        fails = True
    return ExpectedScript(tuple(execution.lines), tuple(calls), fails, min(before, default=0), text)


def _elements(outcome: CallOutcome, number: int, readings: ReadingChoices) -> tuple[Mapping[str, Any], ...] | None:
    """Return the elements as a script sees them, None for nil. Raises ScriptFails for an error of the call."""
    if isinstance(outcome, ExpectedFailure):
        if outcome.fails == "must" or (
            outcome.fails == "may" and readings.choose(f"call {number} fails", (False, True))
        ):
            raise ScriptFails
        if outcome.allows_empty_list and readings.choose(f"call {number} lists nothing", (False, True)):
            return ()
        return None
    if outcome.any_non_utf8_spelling or any(element.is_optional for element in outcome.elements):
        raise Unmodelled("a script over a list with free names or with elements that may be missing")
    free = {"isDir": FreeText(), "size": FreeText(), "modTime": FreeText()}
    return tuple({"name": one.path.rpartition("/")[2], "path": one.path, **free} for one in outcome.elements)


def compare_script(expected: ExpectedScript, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the emitted lines from the expected ones."""
    if answer.status != "ok":
        if expected.fails and answer.error_kind != "UnknownTool":
            return MATCH
        return 1, (_failed_script(expected, answer),)
    value, problem = parse_output(answer)
    if problem is not None or not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Unmodelled("the output of a script is no list of texts, of which the document says nothing")
    missing, surplus = _unmatched(expected.lines, value)
    if expected.fails:
        kind = "the script does not fail"
        # An interpreter that takes wrong arguments breaks their rule; else it is the convention of errors.
        failures = [call.requirement for call in expected.calls if isinstance(call, ExpectedFailure)]
        first, *others = dict.fromkeys([*(id for id in failures if id.startswith("WD-ARG")), "WD-ERR-01"])
        got = format_json(value)
        return 1, (Finding(first, kind, '"an error"', got, tuple(others), kind=kind),)
    if not missing and not surplus:
        return MATCH
    return 2, aggregated([_other_lines(expected, value, missing, surplus, case)])


def _failed_script(expected: ExpectedScript, answer: CallResult) -> Finding:
    got = format_json(f"{answer.error_kind}: {answer.error_message}")
    due = format_json([line.text for line in expected.lines])
    if answer.error_kind == "UnknownTool":
        kind = "scripts do not know the tool"
        return Finding("WD-SYN-01", kind, due, got, kind=kind)
    others = _others_of_a_value(expected)
    if any(isinstance(call, ExpectedFailure) for call in expected.calls):
        return Finding("WD-ERR-01", _ENDS_EARLY, due, got, others, kind=_ENDS_EARLY)
    id = "WD-LAST-01" if "LAST" in expected.text else "WD-SYN-01"
    kind = "the script ends with an error"
    return Finding(id, f"{kind}, and none of its calls is one", due, got, others, kind=kind)


def _others_of_a_value(expected: ExpectedScript) -> tuple[str, ...]:
    """Return the rule that a list without its elements or their members breaks: a script cannot read it."""
    return ("WD-RET-01",) if any(isinstance(call, ExpectedListing) for call in expected.calls) else ()


def _unmatched(lines: Sequence[Line], texts: Sequence[str]) -> tuple[list[Line], list[str]]:
    """Return the lines without a text of their own, and the texts without a line. The order is free."""
    remaining, missing = list(texts), []
    for line in lines:
        found = next((text for text in remaining if line.matches(text)), None)
        if found is None:
            missing.append(line)
        else:
            remaining.remove(found)
    return missing, remaining


def _other_lines(
    expected: ExpectedScript, got: Sequence[str], missing: Sequence[Line], surplus: Sequence[str], case: Case
) -> Finding:
    """Return the finding for other lines: of the walk, if they show another one, else of LAST."""
    due, shown = format_json([line.text for line in expected.lines]), format_json(got)
    failures = [call for call in expected.calls if isinstance(call, ExpectedFailure)]
    if got and not surplus and failures and tuple(missing) == expected.lines[expected.lines_before_failure :]:
        return Finding("WD-ERR-01", _ENDS_EARLY, due, shown, kind=_ENDS_EARLY)
    lists = {
        number: sorted(element.path for element in call.elements)
        for number, call in enumerate(expected.calls)
        if isinstance(call, ExpectedListing)
    }
    script = parse_script(expected.text)
    own = {json.loads(text) for text in script.emitted_texts() if len(summands(text)) == 1 and text.startswith('"')}
    for pattern in _loop_patterns(script):
        paths = sorted(match[1] for text in got if text not in own and (match := pattern.fullmatch(text)))
        number = next((line.call for line in expected.lines if pattern.fullmatch(line.text)), None)
        if number is None:  # no list is due here
            if paths and paths not in lists.values():
                return _list_instead_of_nil(failures, paths, case, due, shown)
        elif paths and paths != lists[number] and paths not in [one for at, one in lists.items() if at != number]:
            call = expected.calls[number]
            assert isinstance(call, ExpectedListing)
            names = [path.rstrip("/").rpartition("/")[2] for path in paths]
            elements = [{"path": path} for path in paths]
            found = find_escape(elements, call, case)
            found = found or next(PathComparison(call, paths, names).differences(), None)
            if found is not None:
                return found
    # A walk that gives something else than is due shows in the lines as well.
    others = (*dict.fromkeys(call.requirement for call in failures), *_others_of_a_value(expected))
    return Finding("WD-LAST-01", _OTHER_LINES, due, shown, others, kind=_OTHER_LINES)


def _list_instead_of_nil(
    failures: Sequence[ExpectedFailure], paths: Sequence[str], case: Case, due: str, got: str
) -> Finding:
    elements = [{"path": path} for path in paths]
    failure = failures[0] if failures else ExpectedFailure("WD-RET-02", "there is nothing to list")
    found = find_escape(elements, failure, case)
    if found is not None:
        return found
    requirement = "WD-ERR-02" if failure.requirement.startswith("WD-SEC") else failure.requirement
    kind = "something is listed where nil is due"
    return Finding(requirement, f"{kind}, although {failure.reason}", due, got, kind=kind)


def _loop_patterns(script: Block) -> Iterator[re.Pattern[str]]:
    """Yield an expression for each line that emits the path of an element, with the path as its group."""
    for text in script.emitted_texts():
        parts = summands(text)
        at = next((at for at, part in enumerate(parts) if part.endswith('["path"]')), None)
        if at is not None:
            before, behind = ("".join(map(_expression, few)) for few in (parts[:at], parts[at + 1 :]))
            yield re.compile(f"{before}(.*?){behind}", re.DOTALL)


def _expression(summand: str) -> str:
    return re.escape(json.loads(summand)) if summand.startswith('"') else ".*"

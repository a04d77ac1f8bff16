"""When and Then: scripts that call the tool, run by the interpreter of a candidate that has one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from treeproof.api import CONTROL_CALL, CallResult, Fault, Mismatch, NotApplicable, NotVerified, World, then, when

from ..shared.errors import quote_message
from ..shared.interpretations import match_outcomes
from ..shared.values import format_json
from .entries import assert_paths
from .view import KEYS, Walk, is_nil_answer

INTERPRETER = "NeuroScript"
_ERRORS_INTERPRETATION = "AMB-WD-23"
CALLS_IN_ERROR = {f"FS.WalkDir({value})": value for value in ('"f"', '"f/x"', '"../outside"', '""', "5")}
"""The calls that are an error in every reading, which may end a script, and their arguments in JSON."""
ENDS_AT_AN_ERROR = "the script ends at an error"
"""The kind of a difference: nothing is emitted after a call that is an error."""
_PATH = re.compile(r"\b(?:Path|before|first|second): (?!nil\b)([^,\n]+)")
_MISSING = 'FS.WalkDir("no_such_dir")'
_ARGUMENTS = {**CALLS_IN_ERROR, _MISSING: '"no_such_dir"'}
_EMPTY = 'FS.WalkDir("e")'
_EMITTED = re.compile(r'EMIT "([^"]*)"')

SCRIPTS_FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "fs_walkdir"


@when(r'the script "(?P<name>[\w-]+)" is run', example='the script "nested" is run', role="call")
def the_script_is_run(world: World, name: str) -> None:
    """Run a script of fixtures/fs_walkdir with the candidate's interpreter."""
    file = SCRIPTS_FOLDER / f"{name}.ns"
    if not file.is_file():
        raise Fault("harness", f"there is no script {file.name} in {SCRIPTS_FOLDER}")
    world.call(INTERPRETER, json.dumps({"script": file.read_text("utf-8")}), verbatim=True)


@then("the script emits, in any order", evidence="docstring")
def the_script_emits(world: World, docstring: str) -> None:
    """Require exactly the lines of the text block, each as often. A line that ends with … is compared up to there.

    If a call outside scripts does not list the same paths, or is no nil, that is the difference.
    """
    got: list[str] | None = None
    try:
        got, expected = emitted_lines(world), docstring.split("\n")
        remaining = list(got)
        for line in expected:
            found = next((text for text in remaining if line_matches(text, line)), None)
            if found is None:
                what = f"the script does not emit {line!r}"
                raise Mismatch(what, expected=docstring, got="\n".join(got), kind="the script emits other lines")
            remaining.remove(found)
        if remaining:
            what = f"the script emits {remaining[0]!r} as well"
            raise Mismatch(what, expected=docstring, got="\n".join(got), kind="the script emits other lines")
    except Mismatch as why:
        script = _script_of_last_call(world)
        _assert_walks(world, docstring)
        _assert_errors_are_nil(world, script)
        _assert_nothing_is_in_an_empty_directory(world, script)
        if got is not None and _ends_at_an_error(script, got):
            why.kind = ENDS_AT_AN_ERROR
        raise
    world.evidence.is_positive = True


@then("by AMB-WD-23 the script emits, in any order", evidence="docstring")
def the_script_emits_or_fails(world: World, docstring: str) -> None:
    """Require the lines of the text block, or that the script fails where the reading is that errors fail the call."""
    rows = [{_ERRORS_INTERPRETATION: "nil"}, {_ERRORS_INTERPRETATION: "error"}]
    match_outcomes(world, [_ERRORS_INTERPRETATION], rows, partial(_assert_reading, world, docstring), lambda _: False)


def _assert_reading(world: World, docstring: str, row: Mapping[str, str]) -> None:
    has_failed = world.answer.status != "ok" and world.answer.error_kind != "UnknownTool"
    if row[_ERRORS_INTERPRETATION] == "nil":
        if has_failed:
            raise _failure(world)
        the_script_emits(world, docstring)
    elif not has_failed:
        raise Mismatch("the script does not fail", stage="refusal")


@then("the script fails, or lists nothing")
def the_script_lists_nothing(world: World) -> None:
    """Require that the script emits no line that begins with listed:, or ends with an error."""
    if world.answer.status == "ok":
        got = emitted_lines(world)
        if any(line.startswith("listed: ") for line in got):
            what = "the script lists something, and does not fail"
            raise Mismatch(what, got="\n".join(got), stage="refusal", kind="something is listed")


@then("the script runs to its end")
def the_script_ends(world: World) -> None:
    """Require that no call of the last script fails."""
    answer = world.answer
    if answer.status != "ok":
        raise _failure(world)


def _assert_walks(world: World, docstring: str) -> None:
    """Raise Mismatch if a control call does not list the paths in a text block."""
    call, answer = world.control_call(world.session.pack.tools[0].name, '{"path": "walktest"}')
    try:
        found = Walk.parse(answer, call)
        assert_paths(found, sorted(set(_PATH.findall(docstring))) or ["file1.txt"])
        for key in (key for element in found.entries for key in KEYS if key not in element):
            raise Mismatch(f"an element has no {key}", stage="output", kind=f"no {key}")
    except Mismatch as why:
        raise why.within(CONTROL_CALL) from why


def _script_of_last_call(world: World) -> str:
    return str(json.loads(world.log.calls[-1].arguments_text or "{}").get("script", ""))


def _ends_at_an_error(script: str, got: Sequence[str]) -> bool:
    """Return whether a script has a call that is an error, and emits no line that stands behind it."""
    position = min((script.index(call) for call in CALLS_IN_ERROR if call in script), default=-1)
    behind = tuple(_EMITTED.findall(script[position:])) if position >= 0 else ()
    return bool(behind) and not any(text.startswith(behind) for text in got)


def _assert_nothing_is_in_an_empty_directory(world: World, script: str) -> None:
    """Raise Mismatch if a call outside scripts lists something in the empty directory of the last script."""
    if _EMPTY not in script:
        return
    call, answer = world.control_call(world.session.pack.tools[0].name, '{"path": "e"}')
    try:
        if not is_nil_answer(answer):
            assert_paths(Walk.parse(answer, call), [])
    except Mismatch as why:
        raise why.within(CONTROL_CALL) from why


def _assert_errors_are_nil(world: World, script: str) -> None:
    """Raise Mismatch if a call outside scripts gives a value where the last script should see nil."""
    for call in _ARGUMENTS:
        if call not in script:
            continue
        answer = _call_outside_scripts(world, call)
        if answer.status == "ok" and not is_nil_answer(answer):
            why = Mismatch("the result is not nil", got=(answer.content or "")[:400], stage="refusal")
            raise why.within(CONTROL_CALL)


def _call_outside_scripts(world: World, call: str) -> CallResult:
    _, answer = world.control_call(world.session.pack.tools[0].name, f'{{"path": {_ARGUMENTS[call]}}}')
    return answer


def _failure(world: World) -> Mismatch:
    kind = world.answer.error_kind
    return Mismatch(
        f"the script ended with {kind}{quote_message(world.answer.error_message)}",
        stage="call",
        kind=f"the script ended with {kind}",
    )


def line_matches(text: str, line: str) -> bool:
    """Return whether an emitted text is the line; an ellipsis at its end permits any rest."""
    return text.startswith(line[:-1]) if line.endswith("…") else text == line


def emitted_lines(world: World) -> list[str]:
    """Return the texts that the last script emitted.

    Raises Mismatch. Where an error ended the script: NotApplicable if its call fails outside scripts too, which a
    reading permits, else NotVerified.
    """
    answer = world.answer
    if answer.status != "ok":
        script = _script_of_last_call(world)
        if answer.error_kind == "UnknownTool":
            raise NotVerified("other_requirement", "scripts do not know the tool: WD-SYN-01 covers that")
        calls = [call for call in CALLS_IN_ERROR if call in script]
        if any(_call_outside_scripts(world, call).status != "ok" for call in calls):
            raise NotApplicable("an error fails the call, and with it the script, so no later line of it can show LAST")
        if calls:
            raise NotVerified("other_requirement", "a call ends the script that gives nil outside scripts")
        raise _failure(world)
    try:
        found = json.loads(answer.content or "")
    except (ValueError, RecursionError) as error:
        text = (answer.content or "")[:400]
        raise Mismatch(f"the output of a script is not JSON: {error}", got=text, stage="output") from error
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise Mismatch("the output of a script is no list of texts", got=format_json(found)[:400], stage="output")
    return found

"""When and Then: scripts that call the tool, run by the interpreter of a candidate that has one."""

from __future__ import annotations

import json
import re
from pathlib import Path

from treeproof.api import CONTROL_CALL, Fault, Mismatch, NotVerified, World, then, when

from ..shared.errors import quote_message
from ..shared.values import format_json
from .entries import assert_paths
from .view import KEYS, Walk, is_nil_answer

INTERPRETER = "NeuroScript"
CALLS_IN_ERROR = tuple(f"FS.WalkDir({value})" for value in ('"f"', '"f/x"', '"../outside"', '""', "5"))
"""The calls that are an error in every reading, which may end a script."""
_PATH = re.compile(r"\b(?:Path|before|first|second): (?!nil\b)([^,\n]+)")
FAILING_PATHS = ("f", "no_such_dir", "f/x", "../outside")
"""The paths to which the scripts walk in vain."""

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
    except Mismatch:
        _assert_walks(world, docstring)
        _assert_errors_are_nil(world)
        raise
    world.evidence.is_positive = True


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


def _assert_errors_are_nil(world: World) -> None:
    """Raise Mismatch if a call outside scripts gives a value where the last script should see nil."""
    script = json.loads(world.log.calls[-1].arguments_text or "{}").get("script", "")
    for path in (path for path in FAILING_PATHS if f'("{path}")' in script):
        _, answer = world.control_call(world.session.pack.tools[0].name, json.dumps({"path": path}))
        if answer.status == "ok" and not is_nil_answer(answer):
            why = Mismatch("the result is not nil", got=(answer.content or "")[:400], stage="refusal")
            raise why.within(CONTROL_CALL)


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
    """Return the texts that the last script emitted. Raises Mismatch, and NotVerified if an error may end a script."""
    answer = world.answer
    if answer.status != "ok":
        script = json.loads(world.log.calls[-1].arguments_text or "{}").get("script", "")
        if any(call in script for call in CALLS_IN_ERROR):
            cause = "an error fails the call, and with it the script: WD-ERR-01 and WD-ARG-02 to WD-ARG-03 cover that"
            raise NotVerified("other_requirement", cause)
        if answer.error_kind == "UnknownTool":
            raise NotVerified("other_requirement", "scripts do not know the tool: WD-SYN-01 covers that")
        raise _failure(world)
    try:
        found = json.loads(answer.content or "")
    except (ValueError, RecursionError) as error:
        text = (answer.content or "")[:400]
        raise Mismatch(f"the output of a script is not JSON: {error}", got=text, stage="output") from error
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise Mismatch("the output of a script is no list of texts", got=format_json(found)[:400], stage="output")
    return found

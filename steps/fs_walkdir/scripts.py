"""When and Then: scripts that call the tool, run by the interpreter of a candidate that has one."""

from __future__ import annotations

import json
from pathlib import Path

from treeproof.api import Fault, Mismatch, NotApplicable, World, then, when

from ..shared.errors import describe_error, error_kind

INTERPRETER = "NeuroScript"
SCRIPTS_FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "fs_walkdir"
CALLS_IN_ERROR = {
    'FS.WalkDir("f")': ("AMB-WD-23", "error"),
    'FS.WalkDir("f/x")': ("AMB-WD-23", "error"),
    'FS.WalkDir("../outside")': ("AMB-WD-23", "error"),
    'FS.WalkDir("")': ("AMB-WD-28", "call_error"),
    "FS.WalkDir(5)": ("AMB-WD-27", "call_error"),
}
"""The calls that fail by some reading, and with them the script, so that no later line of it shows LAST."""


@when(r'the script "(?P<name>[\w-]+)" is run', example='the script "nested" is run', role="call")
def the_script_is_run(world: World, name: str) -> None:
    """Run a script of fixtures/fs_walkdir with the candidate's interpreter."""
    file = SCRIPTS_FOLDER / f"{name}.ns"
    if not file.is_file():
        raise Fault("harness", f"there is no script {file.name} in {SCRIPTS_FOLDER}")
    world.call(INTERPRETER, json.dumps({"script": file.read_text("utf-8")}), verbatim=True)


@then("the script emits, in any order")
def the_script_emits(world: World, docstring: str) -> None:
    """Require exactly the lines of the text block, each as often. A line that ends with … is compared up to there.

    Does not apply if an error ends the script, and by an accepted reading it may.
    """
    if world.answer.status == "error" and world.answer.error_kind != "UnknownTool" and _may_end_early(world):
        raise NotApplicable("an error fails the call, and with it the script, so no later line of it can show LAST")
    remaining, missing = emitted_lines(world), []
    for line in docstring.split("\n"):
        found = next((text for text in remaining if line_matches(text, line)), None)
        if found is None:
            missing.append(line)
        else:
            remaining.remove(found)
    if missing or remaining:
        what = f"the script does not emit {missing[0]!r}" if missing else f"the script emits {remaining[0]!r} as well"
        got = "\n".join(emitted_lines(world))
        raise Mismatch(what, expected=docstring, got=got, kind="the script emits other lines")


@then("the script fails, or lists nothing")
def the_script_lists_nothing(world: World) -> None:
    """Require that the script emits no line that begins with listed:, or ends with an error."""
    lines = emitted_lines(world) if world.answer.status == "ok" else []
    if any(line.startswith("listed: ") for line in lines):
        what = "the script lists something, and does not fail"
        raise Mismatch(what, got="\n".join(lines), kind="something is listed")


def _may_end_early(world: World) -> bool:
    script = str(json.loads(world.log.calls[-1].arguments_text or "{}").get("script", ""))
    readings = [reading for call, reading in CALLS_IN_ERROR.items() if call in script]
    return any(label in world.accepted_readings(id) for id, label in readings)


def line_matches(text: str, line: str) -> bool:
    """Return whether an emitted text is the line; an ellipsis at its end permits any rest."""
    return text.startswith(line[:-1]) if line.endswith("…") else text == line


def emitted_lines(world: World) -> list[str]:
    """Return the texts that the last script emitted. Raises Mismatch if it failed, and for another output."""
    answer = world.answer
    if answer.status != "ok":
        raise Mismatch(f"the script failed: {describe_error(answer)}", kind=error_kind(answer))
    try:
        found = json.loads(answer.content or "")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        got = (answer.content or "")[:400]
        raise Mismatch("the output of a script is no list of texts in JSON", got=got)
    return found

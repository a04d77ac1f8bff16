"""When and Then: scripts that call the tool, run by the interpreter of a candidate that has one."""

from __future__ import annotations

import json
from pathlib import Path

from treeproof.api import Fault, Mismatch, NotVerified, World, then, when

from ..shared.errors import quote_message
from ..shared.values import format_json

INTERPRETER = "NeuroScript"
CALL_ON_A_FILE = 'FS.WalkDir("f")'
"""The call that is an error in every reading."""
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
    """Require exactly the lines of the text block, each as often. A line that ends with … is compared up to there."""
    got, expected = emitted_lines(world), docstring.split("\n")
    remaining = list(got)
    for line in expected:
        found = next((text for text in remaining if line_matches(text, line)), None)
        if found is None:
            raise Mismatch(f"the script does not emit {line!r}", expected=docstring, got="\n".join(got))
        remaining.remove(found)
    if remaining:
        raise Mismatch(f"the script emits {remaining[0]!r} as well", expected=docstring, got="\n".join(got))
    world.evidence.is_positive = True


def line_matches(text: str, line: str) -> bool:
    """Return whether an emitted text is the line; an ellipsis at its end permits any rest."""
    return text.startswith(line[:-1]) if line.endswith("…") else text == line


def emitted_lines(world: World) -> list[str]:
    """Return the texts that the last script emitted. Raises Mismatch, and NotVerified if an error may end a script."""
    answer = world.answer
    if answer.status != "ok":
        script = json.loads(world.log.calls[-1].arguments_text or "{}").get("script", "")
        if CALL_ON_A_FILE in script:
            cause = "an error fails the call, and with it the script: WD-ERR-01 covers that (AMB-WD-23)"
            raise NotVerified("other_requirement", cause)
        raise Mismatch(
            f"the script ended with {answer.error_kind}{quote_message(answer.error_message)}",
            stage="call",
            kind=f"the script ended with {answer.error_kind}",
        )
    try:
        found = json.loads(answer.content or "")
    except ValueError as error:
        raise Mismatch(
            f"the output of a script is not JSON: {error}", got=(answer.content or "")[:400], stage="output"
        ) from error
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise Mismatch("the output of a script is no list of texts", got=format_json(found)[:400], stage="output")
    return found

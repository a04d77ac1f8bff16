"""Then: control calls, which show what the same candidate does where the rule of the scenario is not in question."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from treeproof.api import (
    CONTROL_CALL,
    Call,
    CallResult,
    ComparisonStage,
    Mismatch,
    NotVerified,
    ProcessOptions,
    World,
    parse_tree,
    then,
)

from ..shared.errors import describe_error
from .differences import BAD_ARGS, IDLE_SUCCESS, LOST_CONTENTS, SUCCESS, another_name, failed_call, no_effect

ALLOWED = {"tools": {"fileops": {"allow_overwrite": True}}}


@dataclass(frozen=True)
class ControlCase:
    """A call on a tree of its own. ``final``: the path that gets the content, or must not get it (``must_fail``)."""

    tree: str
    final: str
    arguments: dict[str, Any] = field(default_factory=dict)
    config: dict[str, Any] | None = None
    must_fail: bool = False


FREE, TAKEN = 'a="1"', 'a="1", b="2"'

CONTROL_CASES = {
    "a file": ControlCase(FREE, "b"),
    "a file into a directory": ControlCase('a="1", d/', "d/a", {"destination": "d"}),
    "a file onto another": ControlCase(TAKEN, "b", {"overwrite": True}, ALLOWED),
    "nothing onto a file": ControlCase(TAKEN, "b", must_fail=True),
    "nothing onto a file with overwrite false": ControlCase(TAKEN, "b", {"overwrite": False}, must_fail=True),
    "nothing onto a file with overwrite false, where it is allowed": ControlCase(
        TAKEN, "b", {"overwrite": False}, ALLOWED, must_fail=True
    ),
    "nothing from a name that is not there": ControlCase(FREE, "b", {"source": "gone"}, must_fail=True),
    "nothing out of the sandbox": ControlCase(FREE, "../x", {"destination": "../x"}, must_fail=True),
}
CONTROL_TOOLS = {"moves": "move", "copies": "copy"}


@then(
    rf"a control call (?P<verb>{'|'.join(CONTROL_TOOLS)}) (?P<case>{'|'.join(CONTROL_CASES)})",
    example="a control call moves a file",
    role="control",
    evidence="always",
)
def a_control_call(world: World, verb: str, case: str) -> None:
    """Require that the same candidate does this if nothing prevents it. Other effects are not checked.

    `nothing …`: the call must fail.
    """
    tool, control = CONTROL_TOOLS[verb], CONTROL_CASES[case]
    root = world.fixture.add_root("control")
    world.fixture.build(parse_tree(control.tree), root)
    sandbox = os.fsdecode(root)
    context = {**world.session.pack.context, "roots": [sandbox], "working_dir": sandbox}
    if control.config is not None:
        context["config"] = control.config
    call = Call(tool, {"source": "a", "destination": "b", **control.arguments}, context)
    answer = world.session.call(call)
    has_moved = _content(root, control.final) == b"1"
    if (answer.status == "ok" and has_moved) if not control.must_fail else answer.status != "ok":
        world.evidence.is_positive = world.evidence.is_positive or not control.must_fail
        return
    world.show_control_call(call, answer, control.tree)
    if control.must_fail:
        replaced = LOST_CONTENTS if control.tree == TAKEN else SUCCESS
        kind = replaced if has_moved else IDLE_SUCCESS
        raise Mismatch("it succeeded; it should fail", context=CONTROL_CALL, stage="refusal", kind=kind)
    stage, kind = _difference(tool, answer, control, root)
    outcome = describe_error(answer) or "it succeeded"
    raise Mismatch(f"it has no effect ({outcome})", context=CONTROL_CALL, stage=stage, kind=kind)


@then("a call that fails succeeds in a process in the working directory", role="control", evidence="always")
def succeeds_in_the_working_directory(world: World) -> None:
    """Repeat a call that failed in a new process whose own directory is the working directory.

    Without a verdict if that fails too: then the failure does not show where relative paths start.
    """
    if world.answer.status == "ok":
        return
    call = world.log.calls[-1]
    directory = os.fsencode(str(call.context["working_dir"]))
    world.use_process(ProcessOptions(cwd=directory))
    again = world.session.call(call, world.own_process())
    world.use_process(None)
    if again.status != "ok":
        raise NotVerified("not_observed", "the call fails in any directory, so it does not show where paths start")


def _content(root: bytes, name: str) -> bytes:
    path = os.path.join(root, name.encode())
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as file:
        return file.read(1)


def _difference(tool: str, answer: CallResult, control: ControlCase, root: bytes) -> tuple[ComparisonStage, str]:
    """Return stage and kind of a control call that should succeed, as a scenario names them."""
    directory = os.path.join(root, os.path.dirname(control.final).encode())
    if answer.error_kind == BAD_ARGS:
        return "error", failed_call(tool, BAD_ARGS)
    if answer.status != "ok":
        into_directory = directory != os.path.join(root, b"")
        return "call", failed_call(tool, answer.error_kind, into_directory=into_directory)
    if directory != os.path.join(root, b"") and os.listdir(directory):
        return "entries", another_name(tool)
    return "entries", no_effect(tool)

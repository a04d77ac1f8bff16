"""When and Then: calls by an alias, and the scenarios of another specification with calls by an alias."""

from __future__ import annotations

import os
from dataclasses import replace

from treeproof.api import CONTROL_CALL, Call, CallResult, Mismatch, NotVerified, World, run_under_alias, then, when

from ..shared.errors import describe_error, error_kind
from .differences import UNKNOWN_TOOL


@when(
    r'(?P<tool>[\w.]+) is called by the name "(?P<name>\S+)" with (?P<arguments>\{.*\})',
    example='move is called by the name "mv" with {"source": "a"}',
    role="call",
)
def called_by_the_name(world: World, tool: str, name: str, arguments: str) -> None:
    """Call a tool by an alias, if the candidate offers it."""
    world.session.require_tool(tool)
    world.send(replace(world.call_builder.build(tool, arguments), tool=name))


def _require_known_name(answer: CallResult) -> None:
    if answer.error_kind == UNKNOWN_TOOL:
        raise Mismatch(describe_error(answer), got=UNKNOWN_TOOL, kind=error_kind(answer))


def _plain_call(world: World, name: str) -> CallResult:
    sandbox = os.fsdecode(world.sandbox.add_root("name"))
    context = {**world.session.pack.context, "roots": [sandbox], "working_dir": sandbox}
    return world.session.call(Call(name, {"path": "."}, context))


@then("there is a tool of this name")
def tool_exists(world: World) -> None:
    """Require that the call reached a tool. What the tool answers is a matter of other rules."""
    answer = world.answer
    _require_known_name(answer)
    if answer.status != "ok":
        raise NotVerified("not_observed", "the call fails, so it does not show which tool has this name")


@then(
    r'(?P<specification>\w+)\'s own (?P<requirement>[A-Z][\w-]+) holds by the name "(?P<name>\S+)"',
    example='list_directory\'s own T-LD-01 holds by the name "ls"',
)
def holds_by_the_name(world: World, specification: str, requirement: str, name: str) -> None:
    """Execute the scenarios of that requirement with the tool called by this alias.

    If no tool has the alias, or a plain call fails, that is the difference, whatever the scenarios expect.
    """
    world.session.require_tool(specification)
    plain = _plain_call(world, name)
    _require_known_name(plain)
    if plain.status != "ok":
        raise Mismatch(describe_error(plain), context=CONTROL_CALL, kind=error_kind(plain))
    for _ in run_under_alias(world.session, specification, requirement, name):
        pass  # a scenario that fails raises

"""When and Then: calls by an alias, and the scenarios of another specification with calls by an alias."""

from __future__ import annotations

from dataclasses import replace

from treeproof.api import Mismatch, World, run_under_alias, then, when


@when(
    r'(?P<tool>[\w.]+) is called by the name "(?P<name>\S+)" with (?P<arguments>\{.*\})',
    example='move is called by the name "mv" with {"source": "a"}',
    role="call",
)
def called_by_the_name(world: World, tool: str, name: str, arguments: str) -> None:
    """Call a tool by an alias, if the candidate offers it."""
    world.session.require_tool(tool)
    world.send(replace(world.call_builder.build(tool, arguments), tool=name))


@then(
    r'(?P<specification>\w+)\'s own (?P<requirement>[A-Z][\w-]+) holds by the name "(?P<name>\S+)"',
    example='list_directory\'s own T-LD-01 holds by the name "ls"',
    evidence="always",
)
def holds_by_the_name(world: World, specification: str, requirement: str, name: str) -> None:
    """Execute the scenarios of that requirement with the tool called by this alias."""
    results = run_under_alias(world.session, specification, requirement, name)
    for result in results:
        world.evidence.is_positive = world.evidence.is_positive or result.evidence.is_positive
    if not world.evidence.is_positive:
        raise Mismatch(f"no scenario of {requirement} has positive evidence")

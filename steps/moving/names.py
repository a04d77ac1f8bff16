"""When and Then: a tool by another of its names, and what another specification asks of one that is named in this."""

from __future__ import annotations

from dataclasses import replace

from pytest_bdd import then, when

from treeproof.run.borrowed import borrowed
from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..words import sentence


@when(sentence(r'(?P<tool>[\w.]+) is called by the name "(?P<name>\S+)" with (?P<arguments>\{.*\})'))
def called_by_the_name(world: World, tool: str, name: str, arguments: str) -> None:
    """When move is called by the name "mv" with {"source": "a"}: the same tool, if the candidate offers it.

    Role: call
    """
    world.session.require_tool(tool)
    world.send(replace(world.prepare(tool, arguments), tool=name))


@then(
    sentence(r'(?P<specification>\w+)\'s own (?P<requirement>[A-Z][\w-]+) holds by the name "(?P<name>\S+)"')
)
def holds_by_the_name(world: World, specification: str, requirement: str, name: str) -> None:
    """Then list_directory's own T-LD-01 holds by the name "ls": its scenarios, as that specification writes them.

    Evidence: always
    """
    performed = borrowed(world.session, specification, requirement, name)
    for number, done in enumerate(performed, start=1):
        world.expecting(f"{number} scenarios hold")
        world.positive = world.positive or done.positive
    if not world.positive:
        raise Mismatch(f"no scenario of {requirement} showed anything")

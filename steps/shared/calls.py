"""Given and When: configuration, budgets, context and process of a call, and the call."""

from __future__ import annotations

import os
import tomllib
from typing import Any

from treeproof.api import (
    CONTEXT_CAPABILITIES,
    UNFINISHED,
    Call,
    Fault,
    NotVerified,
    ProcessOptions,
    World,
    expand_text,
    given,
    when,
    with_context,
)

from .values import parse_json, parse_rows

HUGE = 1_000_000
DEFAULT_BUDGETS = {"max_output_bytes": 102_400, "available_capacity_bytes": 65_536}
"""The protocol's budgets for a call whose context contains none."""


@given(UNFINISHED)
def this_scenario_is_unfinished(world: World) -> None:
    """End the scenario before its call: it verifies nothing yet. Remove the line when the others are written."""
    raise NotVerified("no_scenario", "the scenario is unfinished", "finish the scenario, and remove this line")


@given(r"the configuration (?P<table>\{.*\})", example='the configuration {"max_entries": 3}', capabilities="config")
def the_configuration(world: World, table: str) -> None:
    """Set the tool's table of the configuration file."""
    world.require_capability("config")
    world.call_builder.tool_config = {**(world.call_builder.tool_config or {}), **parse_json(table)}


@given("the configuration file", capabilities="config")
def the_configuration_file(world: World, docstring: str) -> None:
    """Set the complete configuration file from the TOML in the text block."""
    world.require_capability("config")
    world.call_builder.config = tomllib.loads(docstring)


@given(
    r"budgets of (?P<output>\d+) and (?P<capacity>\d+) bytes",
    example="budgets of 543 and 1000000 bytes",
    capabilities="budget",
)
def the_budgets(world: World, output: str, capacity: str) -> None:
    """Set max_output_bytes and available_capacity_bytes of the following calls."""
    world.require_capability("budget")
    world.call_builder.context.update(max_output_bytes=int(output), available_capacity_bytes=int(capacity))


@given(r"the context (?P<members>\{.*\})", example='the context {"allow_absolute": true}', context="members")
def the_context(world: World, members: str) -> None:
    """Add members to the context of the following calls."""
    added: dict[str, Any] = parse_json(members)
    for member in CONTEXT_CAPABILITIES.keys() & added.keys():
        world.require_capability(CONTEXT_CAPABILITIES[member])
    world.call_builder.context.update(added)


@given(
    r"the candidate's process has (?P<launch>\{.*\})",
    example='the candidate\'s process has {"cwd": "/", "env": {"LC_ALL": "C"}, "umask": "077"}',
)
def the_process(world: World, launch: str) -> None:
    """Use a new process of the candidate with this working directory, environment and umask."""
    world.use_process(parse_process_options(world, parse_json(launch)))


@when(
    r"(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\})",
    example='list_directory is called with {"recursive": true}',
    role="call",
)
def called(world: World, tool: str, arguments: str) -> None:
    """Call a tool with these arguments and the default arguments of the pack."""
    world.call(tool, arguments)


@when(
    r"(?P<tool>[\w.]+) is called with exactly (?P<arguments>.+)",
    example="list_directory is called with exactly [1]",
    role="call",
)
def called_exactly(world: World, tool: str, arguments: str) -> None:
    """Call a tool with any JSON, sent unchanged and without default arguments."""
    world.call(tool, arguments, verbatim=True)


@when(
    r"(?P<tool>[\w.]+) is called again with (?P<arguments>\{.*\})",
    example='list_directory is called again with {"path": "a"}',
    role="call",
)
def called_again(world: World, tool: str, arguments: str) -> None:
    """Make a further call; the following steps check its result."""
    world.call(tool, arguments)


@when(r"the call is repeated (?P<times>\d+) times", example="the call is repeated 20 times")
def repeated(world: World, times: str) -> None:
    """Repeat the last call and keep every call result."""
    for _ in range(int(times)):
        world.send(world.log.calls[-1])


@when("the same call is made by fresh processes with", columns="process")
def by_fresh_processes(world: World, datatable: list[list[str]]) -> None:
    """Repeat the last call in new processes, one for each row of JSON objects."""
    world.send_to_new_processes(
        [parse_process_options(world, parse_json(row["process"])) for row in parse_rows(datatable)]
    )


@when(
    r'the same call is made on the tree built in the orders "(?P<orders>.+)"',
    example='the same call is made on the tree built in the orders "reversed, shuffled 1"',
)
def in_other_orders(world: World, orders: str) -> None:
    """Repeat the first call on the same tree, built again in each of these orders."""
    for order in orders.split(","):
        world.send_to_rebuilt_tree(world.log.calls[0], order=order.strip())


@when("the same call is made on a copy of the tree")
def on_a_copy(world: World) -> None:
    """Repeat the first call on the same tree at a longer absolute path."""
    world.send_to_rebuilt_tree(world.log.calls[0], order="listed", subfolder="copy/of/the")


@when("the same call is made on a copy of the tree on a disk", needs="disk")
def on_a_disk(world: World) -> None:
    """Repeat the first call on the same tree on a disk, which orders names differently."""
    previous, world.sandbox.roots.requires_disk = world.sandbox.roots.requires_disk, True
    try:
        world.send_to_rebuilt_tree(world.log.calls[0], order="listed")
    finally:
        world.sandbox.roots.requires_disk = previous


@when("the same call is made with the budgets swapped")
def with_swapped_budgets(world: World) -> None:
    """Repeat the last call with max_output_bytes and available_capacity_bytes exchanged."""
    call = world.log.calls[-1]
    output, capacity = budgets_of(call)
    world.send(with_context(call, max_output_bytes=capacity, available_capacity_bytes=output))


def budgets_of(call: Call) -> list[int]:
    """Return max_output_bytes and available_capacity_bytes of a call."""
    return [int(str(call.context.get(key, default))) for key, default in DEFAULT_BUDGETS.items()]


def parse_process_options(world: World, process: dict[str, Any]) -> ProcessOptions:
    """Return the options in a JSON object: ``env``, ``cwd``, ``umask`` (octal text). Raises Fault for others."""
    for name in process.keys() - {"env", "cwd", "umask"}:
        raise Fault("harness", f'a process has no option "{name}"; write env, cwd or umask')
    cwd = process.get("cwd")
    umask = process.get("umask")
    return ProcessOptions(
        env=process.get("env", {}),
        cwd=os.fsencode(expand_text(cwd, world.sandbox.placeholders)) if cwd is not None else None,
        umask=int(umask, 8) if umask is not None else None,
    )

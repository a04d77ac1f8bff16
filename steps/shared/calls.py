"""Given and When: what a call is made with, and the call."""

from __future__ import annotations

import os
import tomllib
from typing import Any

from pytest_bdd import given, when

from treeproof.api import Call, ProcessOptions, World, expand_text, with_context

from .values import parse_json, step_pattern

HUGE = 1_000_000
DEFAULT_BUDGETS = {"max_output_bytes": 102_400, "available_capacity_bytes": 65_536}
"""The protocol's own, for a call whose context names none."""


@given(step_pattern(r"the configuration (?P<table>\{.*\})"))
def the_configuration(world: World, table: str) -> None:
    """Given the configuration {"max_entries": 3}: the tool's own table of the configuration file."""
    world.require_capability("config")
    world.call_builder.tool_config = {**(world.call_builder.tool_config or {}), **parse_json(table)}


@given("the configuration file")
def the_configuration_file(world: World, docstring: str) -> None:
    """Given the configuration file, as TOML below the sentence."""
    world.require_capability("config")
    world.call_builder.config = tomllib.loads(docstring)


@given(step_pattern(r"budgets of (?P<output>\d+) and (?P<capacity>\d+) bytes"))
def the_budgets(world: World, output: str, capacity: str) -> None:
    """Given budgets of 543 and 1000000 bytes: max_output_bytes and available_capacity_bytes."""
    world.require_capability("budget")
    world.call_builder.context.update(max_output_bytes=int(output), available_capacity_bytes=int(capacity))


@given(step_pattern(r"the context (?P<members>\{.*\})"))
def the_context(world: World, members: str) -> None:
    """Given the context {"allow_absolute": true}: further members of the call's context."""
    more: dict[str, Any] = parse_json(members)
    if "policy" in more or "approval" in more:
        world.require_capability("policy")
    if more.keys() & {"max_output_bytes", "available_capacity_bytes"}:
        world.require_capability("budget")
    world.call_builder.context.update(more)


@given(step_pattern(r"the candidate's process has (?P<launch>\{.*\})"))
def the_process(world: World, launch: str) -> None:
    """Given the candidate's process has {"cwd": "/", "env": {"LC_ALL": "C"}, "umask": "077"}: a fresh process."""
    world.use_process(parse_process_options(world, parse_json(launch)))


@when(step_pattern(r"(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\})"))
def called(world: World, tool: str, arguments: str) -> None:
    """When list_directory is called with {"recursive": true}: what the pack assumes of the tool is added.

    Role: call
    """
    world.call(tool, arguments)


@when(step_pattern(r"(?P<tool>[\w.]+) is called with exactly (?P<arguments>.+)"))
def called_exactly(world: World, tool: str, arguments: str) -> None:
    """When list_directory is called with exactly [1]: any JSON, sent as it is spelt.

    Role: call
    """
    world.call(tool, arguments, verbatim=True)


@when(step_pattern(r"(?P<tool>[\w.]+) is called again with (?P<arguments>\{.*\})"))
def called_again(world: World, tool: str, arguments: str) -> None:
    """When list_directory is called again with {"path": "a"}: a second call, of which the next sentences speak.

    Role: call
    """
    world.call(tool, arguments)


@when(step_pattern(r"the call is repeated (?P<times>\d+) times"))
def repeated(world: World, times: str) -> None:
    """When the call is repeated 20 times: every answer is kept."""
    for _ in range(int(times)):
        world.send(world.log.calls[-1])


@when("the same call is made by fresh processes with")
def by_fresh_processes(world: World, datatable: list[list[str]]) -> None:
    """When the same call is made by fresh processes with: one row a process, a JSON object as in 'the candidate's
    process has'.
    """
    world.send_to_new_processes([parse_process_options(world, parse_json(row[0])) for row in datatable[1:]])


@when(step_pattern(r'the same call is made on the tree built in the orders "(?P<orders>.+)"'))
def in_other_orders(world: World, orders: str) -> None:
    """When the same call is made on the tree built in the orders "reversed, shuffled 1": the tree anew each time."""
    for order in orders.split(","):
        world.send_to_rebuilt_tree(world.log.calls[0], order=order.strip())


@when("the same call is made on a copy of the tree")
def on_a_copy(world: World) -> None:
    """When the same call is made on a copy of the tree: the same tree at a longer absolute path."""
    world.send_to_rebuilt_tree(world.log.calls[0], order="listed", subfolder="copy/of/the")


@when("the same call is made on a copy of the tree on a disk")
def on_a_disk(world: World) -> None:
    """When the same call is made on a copy of the tree on a disk: on a file system that orders names otherwise.

    Needs: disk
    """
    kept, world.fixture.sandboxes.requires_disk = world.fixture.sandboxes.requires_disk, True
    try:
        world.send_to_rebuilt_tree(world.log.calls[0], order="listed")
    finally:
        world.fixture.sandboxes.requires_disk = kept


@when("the same call is made with the budgets swapped")
def with_swapped_budgets(world: World) -> None:
    """When the same call is made with the budgets swapped: max_output_bytes and available_capacity_bytes exchanged."""
    call = world.log.calls[-1]
    output, capacity = budgets_of(call)
    world.send(with_context(call, max_output_bytes=capacity, available_capacity_bytes=output))


def budgets_of(call: Call) -> list[int]:
    """Return what a call may spend at most: max_output_bytes and available_capacity_bytes."""
    return [int(str(call.context.get(key, usual))) for key, usual in DEFAULT_BUDGETS.items()]


def parse_process_options(world: World, process: dict[str, Any]) -> ProcessOptions:
    """Return the launch that a sentence's JSON object describes: ``env``, ``cwd``, ``umask`` (octal text)."""
    cwd = process.get("cwd")
    umask = process.get("umask")
    return ProcessOptions(
        env=process.get("env", {}),
        cwd=os.fsencode(expand_text(cwd, world.fixture.placeholders)) if cwd is not None else None,
        umask=int(umask, 8) if umask is not None else None,
    )

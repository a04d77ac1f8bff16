"""Side effects that a world records, and scenarios of another specification that run under an alias."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Adapter, Call, CallResult
from treeproof.run.aliased_scenarios import AliasAdapter, run_under_alias
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import CONTENT_CALLS, failure_args, render_tree, subtree, without_default_metadata
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome

PACK = load_pack(find_pack("file_operations"))
CASE = next(case for file in PACK.feature_files() for case in parse_feature(file).scenarios)


@pytest.fixture
def world(session: Session) -> Iterator[World]:
    created = World(session, CASE)
    try:
        yield created
    finally:
        created.close()


def with_adapter(session: Session, adapter: Adapter) -> Session:
    return Session(session.pack, session.candidate.with_adapter(adapter))


def root_of(tree: object) -> str:
    assert tree is not None
    return render_tree(without_default_metadata(subtree(tree, b"root")))  # type: ignore[arg-type]


def test_the_trees_before_and_after_each_call_are_recorded(world: World) -> None:
    world.sandbox.build_tree('a="A"')
    world.call("move", '{"source": "a", "destination": "b"}')
    assert (root_of(world.effects.before), root_of(world.effects.after)) == ('a="A"', 'b="A"')
    world.call("copy", '{"source": "b", "destination": "c"}')
    assert (root_of(world.effects.before), root_of(world.effects.after)) == ('b="A"', 'b="A", c="A"')
    evidence = world.build_evidence(Outcome.PASSED, {})
    assert (evidence["before"], evidence["after"]) == ('b="A"', 'b="A", c="A"')
    assert "expected" not in evidence


def test_the_context_of_the_pack_is_sent_unless_a_scenario_replaces_it(world: World) -> None:
    assert world.call_builder.build("move", "{}").context["approval"] == "approve"
    world.call_builder.context["approval"] = "deny"
    assert world.call_builder.build("move", "{}").context["approval"] == "deny"


def test_the_second_root_is_on_another_file_system_and_is_removed_with_the_scenario(session: Session) -> None:
    world = World(session, CASE)
    second_root = world.sandbox.roots.make_second_root()
    if world.sandbox.roots.simulates_cross_device:
        pytest.skip("not verified: that the second root is on another file system; this host has only one")
    assert os.stat(second_root).st_dev != os.stat(session.workspace.path).st_dev
    assert world.sandbox.placeholders["$FAR"] == os.fsdecode(second_root)
    world.close()
    assert not os.path.exists(second_root)


def test_the_tree_after_a_killed_call_is_recorded(world: World) -> None:
    if reason := world.session.host.unsupported_reason("strace"):
        pytest.skip(f"not verified: that a killed call is no fault, and its side effects; needs strace: {reason}")
    world.sandbox.build_tree('a="0123456789abcdef"*200000, d/')
    arguments = failure_args(CONTENT_CALLS, "signal=SIGKILL", [b"a"], world.sandbox.root, after=1)
    world.send_and_kill(world.call_builder.build("copy", '{"source": "a", "destination": "d/b"}'), arguments)
    assert world.effects.before == world.effects.after
    assert not world.log.answers
    assert world.session.candidate.circuit_breaker.open_reason is None, "a killed call is no fault of the candidate"


def test_a_call_with_a_result_was_not_killed(world: World) -> None:
    if reason := world.session.host.unsupported_reason("strace"):
        pytest.skip(f"not verified: that a call which answers was not killed; needs strace: {reason}")
    world.sandbox.build_tree('a="A"')
    arguments = failure_args(CONTENT_CALLS, "signal=SIGKILL", [b"another"], world.sandbox.root, after=1)
    with pytest.raises(NotVerified, match="never reached the system call at which strace kills it"):
        world.send_and_kill(world.call_builder.build("move", '{"source": "a", "destination": "b"}'), arguments)


def test_scenarios_under_an_alias_call_the_tool_by_that_name(session: Session) -> None:
    called_tools: list[str] = []

    class RecordingAdapter(AliasAdapter):
        def call(self, call: Call) -> CallResult:
            called_tools.append(call.tool)
            return super().call(call)

    recording = RecordingAdapter(session.candidate.adapter, "nothing", "nothing")
    worlds = list(run_under_alias(with_adapter(session, recording), "list_directory", "T-LD-03", "ls"))
    assert len(worlds) >= 3
    assert set(called_tools) == {"ls"}


def test_a_mismatch_of_a_scenario_under_an_alias_is_raised(session: Session) -> None:
    class WrongAdapter(AliasAdapter):
        def call(self, call: Call) -> CallResult:
            return replace(super().call(call), content="{}")

    wrong: Adapter = WrongAdapter(session.candidate.adapter, "nothing", "nothing")
    with pytest.raises(Mismatch):
        list(run_under_alias(with_adapter(session, wrong), "list_directory", "T-LD-05", "dir"))


def test_a_requirement_without_scenarios_cannot_run_under_an_alias(session: Session) -> None:
    with pytest.raises(Fault, match="no scenario of list_directory verifies T-LD-99"):
        list(run_under_alias(session, "list_directory", "T-LD-99", "ls"))

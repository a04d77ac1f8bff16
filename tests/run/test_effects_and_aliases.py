"""What a world shows of a tool that changes the tree, and scenarios that are borrowed from another specification."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Adapter, Call, CallResult, Target, connect
from treeproof.run.aliased_scenarios import AliasAdapter, run_under_alias
from treeproof.run.connected_candidate import ConnectedCandidate, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import CONTENT_CALLS, failure_args, render_tree, subtree, without_default_metadata
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome

PACK = load_pack(find_pack("file_operations"))
CASE = next(row for file in PACK.feature_files() for row in parse_feature(file).scenarios)


@pytest.fixture
def session() -> Iterator[Session]:
    adapter = connect(Target.for_entry_point("reference", PACK.reference or ""))
    with (
        open_environment(Interrupts()) as environment,
        ConnectedCandidate(adapter, environment) as candidate,
        contextlib.closing(Session(PACK, candidate.start())) as made,
    ):
        yield made


@pytest.fixture
def world(session: Session) -> Iterator[World]:
    made = World(session, CASE)
    try:
        yield made
    finally:
        made.close()


def with_adapter(session: Session, adapter: Adapter) -> Session:
    return Session(session.pack, session.candidate.with_adapter(adapter))


def root_of(tree: object) -> str:
    assert tree is not None
    return render_tree(without_default_metadata(subtree(tree, b"root")))  # type: ignore[arg-type]


def test_before_and_after_each_call_are_kept(world: World) -> None:
    world.fixture.build_tree('a="A"')
    world.call("move", '{"source": "a", "destination": "b"}')
    assert (root_of(world.effects.before), root_of(world.effects.after)) == ('a="A"', 'b="A"')
    world.call("copy", '{"source": "b", "destination": "c"}')
    assert (root_of(world.effects.before), root_of(world.effects.after)) == ('b="A"', 'b="A", c="A"')
    evidence = world.build_evidence(Outcome.PASSED, {})
    assert (evidence["before"], evidence["after"]) == ('b="A"', 'b="A", c="A"')
    assert "expected" not in evidence


def test_the_context_of_the_pack_goes_along_unless_a_scenario_says_otherwise(world: World) -> None:
    assert world.call_builder.build("move", "{}").context["approval"] == "approve"
    world.call_builder.context["approval"] = "deny"
    assert world.call_builder.build("move", "{}").context["approval"] == "deny"


def test_the_second_root_lies_on_another_file_system_and_goes_with_the_scenario(session: Session) -> None:
    world = World(session, CASE)
    far = world.fixture.sandboxes.make_second_root()
    if world.fixture.sandboxes.simulates_cross_device:
        pytest.skip("not verified: that the second root lies on another file system; this machine has one only")
    assert os.stat(far).st_dev != os.stat(session.workspace.path).st_dev
    assert world.fixture.placeholders["$FAR"] == os.fsdecode(far)
    world.close()
    assert not os.path.exists(far)


def test_a_call_can_be_killed_and_what_it_leaves_is_seen(world: World) -> None:
    if why := world.session.host.unsupported_reason("strace"):
        pytest.skip(f"not verified: that a killed call is no fault, and what it leaves; needs strace: {why}")
    world.fixture.build_tree('a="0123456789abcdef"*200000, d/')
    words = failure_args(CONTENT_CALLS, "signal=SIGKILL", [b"a"], world.fixture.root, after=1)
    world.send_and_kill(world.call_builder.build("copy", '{"source": "a", "destination": "d/b"}'), words)
    assert world.effects.before == world.effects.after
    assert not world.log.answers
    assert world.session.candidate.circuit_breaker.open_reason is None, "that it died is no fault of the candidate"


def test_who_answers_was_not_killed(world: World) -> None:
    if why := world.session.host.unsupported_reason("strace"):
        pytest.skip(f"not verified: that a call which answers was not killed; needs strace: {why}")
    world.fixture.build_tree('a="A"')
    words = failure_args(CONTENT_CALLS, "signal=SIGKILL", [b"another"], world.fixture.root, after=1)
    with pytest.raises(NotVerified, match="never reached the system call at which strace kills it"):
        world.send_and_kill(world.call_builder.build("move", '{"source": "a", "destination": "b"}'), words)


def test_borrowed_scenarios_call_the_tool_by_its_other_name(session: Session) -> None:
    asked: list[str] = []

    class Listening(AliasAdapter):
        def call(self, call: Call) -> CallResult:
            asked.append(call.tool)
            return super().call(call)

    listening = Listening(session.candidate.adapter, "nothing", "nothing")
    worlds = list(run_under_alias(with_adapter(session, listening), "list_directory", "T-LD-03", "ls"))
    assert len(worlds) >= 3
    assert all(world.evidence.is_positive for world in worlds)
    assert set(asked) == {"ls"}


def test_what_a_borrowed_scenario_finds_is_told(session: Session) -> None:
    class Lying(AliasAdapter):
        def call(self, call: Call) -> CallResult:
            return replace(super().call(call), content="{}")

    lying: Adapter = Lying(session.candidate.adapter, "nothing", "nothing")
    with pytest.raises(Mismatch):
        list(run_under_alias(with_adapter(session, lying), "list_directory", "T-LD-05", "dir"))


def test_a_requirement_that_nobody_verifies_cannot_be_borrowed(session: Session) -> None:
    with pytest.raises(Fault, match="no scenario of list_directory verifies T-LD-99"):
        list(run_under_alias(session, "list_directory", "T-LD-99", "ls"))

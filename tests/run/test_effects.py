"""What a world shows of a tool that changes the tree, and scenarios that are borrowed from another specification."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Adapter, Answer, Call, Target, connect
from treeproof.run.borrowed import Renamed, borrowed
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec import find, load, parse
from treeproof.tree import TRANSFER, Workspace, failing, inside, probe, render, unremarkable
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome, Profile

PACK = load(find("file_operations"))
ROW = next(row for file in PACK.features() for row in parse(file).scenarios)


@pytest.fixture
def session() -> Iterator[Session]:
    with Workspace.create() as workspace:
        adapter = connect(Target.for_reference(PACK.reference or ""))
        hello = adapter.start(str(workspace.path))
        machine = probe(os.fsencode(workspace.path))
        made = Session(PACK, adapter, hello, workspace, machine, Profile.DEFAULT, {})
        try:
            yield made
        finally:
            made.close()
            adapter.close()


@pytest.fixture
def world(session: Session) -> Iterator[World]:
    made = World(session, ROW)
    try:
        yield made
    finally:
        made.close()


def root_of(tree: object) -> str:
    assert tree is not None
    return render(unremarkable(inside(tree, b"root")))  # type: ignore[arg-type]


def test_before_and_after_each_call_are_kept(world: World) -> None:
    world.grow('a="A"')
    world.call("move", '{"source": "a", "destination": "b"}')
    assert (root_of(world.before), root_of(world.after)) == ('a="A"', 'b="A"')
    world.call("copy", '{"source": "b", "destination": "c"}')
    assert (root_of(world.before), root_of(world.after)) == ('b="A"', 'b="A", c="A"')
    evidence = world.evidence(Outcome.PASSED, {})
    assert (evidence["before"], evidence["after"]) == ('b="A"', 'b="A", c="A"')
    assert "expected" not in evidence


def test_the_context_of_the_pack_goes_along_unless_a_scenario_says_otherwise(world: World) -> None:
    assert world.prepare("move", "{}").context["approval"] == "approve"
    world.context["approval"] = "deny"
    assert world.prepare("move", "{}").context["approval"] == "deny"


def test_the_second_root_lies_on_another_file_system_and_goes_with_the_scenario(session: Session) -> None:
    world = World(session, ROW)
    far = world.places.go_far()
    if world.places.far_is_near:
        pytest.skip(
            "not verified: that the second root lies on another file system; this machine has one only"
        )
    assert os.stat(far).st_dev != os.stat(session.workspace.path).st_dev
    assert world.names["$FAR"] == os.fsdecode(far)
    world.close()
    assert not os.path.exists(far)


def test_a_call_can_be_killed_and_what_it_leaves_is_seen(world: World) -> None:
    if why := world.session.machine.why_not("strace"):
        pytest.skip(f"not verified: that a killed call is no fault, and what it leaves; needs strace: {why}")
    world.grow('a="0123456789abcdef"*200000, d/')
    words = failing(TRANSFER, "signal=SIGKILL", [b"a"], world.root, after=1)
    world.kill(world.prepare("copy", '{"source": "a", "destination": "d/b"}'), words)
    assert world.before == world.after
    assert not world.answers
    assert world.session.breaker.why is None, "that it died is no fault of the candidate"


def test_who_answers_was_not_killed(world: World) -> None:
    if why := world.session.machine.why_not("strace"):
        pytest.skip(f"not verified: that a call which answers was not killed; needs strace: {why}")
    world.grow('a="A"')
    words = failing(TRANSFER, "signal=SIGKILL", [b"another"], world.root, after=1)
    with pytest.raises(NotVerified, match="never came to where it was to be killed"):
        world.kill(world.prepare("move", '{"source": "a", "destination": "b"}'), words)


def test_borrowed_scenarios_call_the_tool_by_its_other_name(session: Session) -> None:
    asked: list[str] = []

    class Listening(Renamed):
        def call(self, call: Call) -> Answer:
            asked.append(call.tool)
            return super().call(call)

    listening = Listening(session.adapter, "nothing", "nothing")
    worlds = list(borrowed(replace(session, adapter=listening), "list_directory", "T-LD-03", "ls"))
    assert len(worlds) >= 3
    assert all(world.positive for world in worlds)
    assert set(asked) == {"ls"}


def test_what_a_borrowed_scenario_finds_is_told(session: Session) -> None:
    class Lying(Renamed):
        def call(self, call: Call) -> Answer:
            return replace(super().call(call), content="{}")

    lying: Adapter = Lying(session.adapter, "nothing", "nothing")
    with pytest.raises(Mismatch):
        list(borrowed(replace(session, adapter=lying), "list_directory", "T-LD-05", "dir"))


def test_a_requirement_that_nobody_verifies_cannot_be_borrowed(session: Session) -> None:
    with pytest.raises(Fault, match="no scenario of list_directory verifies T-LD-99"):
        list(borrowed(session, "list_directory", "T-LD-99", "ls"))

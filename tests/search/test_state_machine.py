"""Sequences of calls: the same for the same seed, judged call by call, made smaller, and gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Target, connect
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.session import Policy, Session
from treeproof.search.generation import sample
from treeproof.search.sequences import SequenceRunner
from treeproof.search.state_machine import load_state_machine
from treeproof.spec import find_pack, load_pack
from treeproof.tree import Workspace, probe_host, render_tree, tree_diff, without_default_metadata
from treeproof.verdict import NotVerified

PACK = load_pack(find_pack("file_operations"))
WRONG = "treeproof.mutants.file_operations:mutants[MUT-FO-061]"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.create() as made:
        yield made


def sequence_runner(workspace: Workspace, entry: str, seed: int = 0) -> SequenceRunner:
    environment = Environment(workspace, probe_host(os.fsencode(workspace.path)))
    candidate = ConnectedCandidate(connect(Target.for_entry_point("reference", entry)), environment).start()
    return SequenceRunner.for_session(Session(PACK, candidate, Policy(seed=seed, examples=25)))


def describe_transitions(found: SequenceRunner) -> list[str]:
    return [
        f"{render_tree(without_default_metadata(step.before))} {step.command} {step.answer.status}"
        for step in found.transitions
    ]


def test_the_same_seed_gives_the_same_sequences_and_nothing_is_left(workspace: Workspace) -> None:
    first = sequence_runner(workspace, PACK.reference or "")
    assert describe_transitions(first) == describe_transitions(sequence_runner(workspace, PACK.reference or ""))
    assert describe_transitions(first) != describe_transitions(sequence_runner(workspace, PACK.reference or "", seed=1))
    assert os.listdir(workspace.path) == ["owner"]


def test_each_call_starts_from_what_the_one_before_has_left(workspace: Workspace) -> None:
    steps = sequence_runner(workspace, PACK.reference or "").transitions
    follows = [one.after == two.before for one, two in zip(steps, steps[1:], strict=False)]
    assert sum(follows) > len(steps) // 2
    assert any(tree_diff(step.before, step.after, times=False) for step in steps)


def test_the_machine_finds_nothing_in_the_reference_and_something_in_a_wrong_one(workspace: Workspace) -> None:
    right, wrong = sequence_runner(workspace, PACK.reference or ""), sequence_runner(workspace, WRONG)
    assert not any(right.findings(step) for step in right.transitions)
    assert any(wrong.findings(step) for step in wrong.transitions)


def test_findings_are_those_of_the_call_even_where_calls_come_and_go(workspace: Workspace) -> None:
    wrong = sequence_runner(workspace, WRONG)
    stale = 0
    for play in sample(wrong.strategy(), seed=5, examples=60):
        for step in wrong.run_sequence(play):
            stale += wrong.findings(step) != wrong.state_machine.judge(step, wrong.accepted_readings)
    assert stale == 0


def test_the_smallest_sequence_is_a_call_or_two_on_a_few_entries(workspace: Workspace) -> None:
    wrong = sequence_runner(workspace, WRONG)
    step = wrong.find_minimal_transition(lambda step: bool(wrong.state_machine.judge(step, wrong.accepted_readings)))
    assert step is not None
    assert len(render_tree(step.before)) < 300
    assert wrong.shrink_attempts_left < 400


def test_without_attempts_nothing_is_made_smaller(workspace: Workspace) -> None:
    wrong = sequence_runner(workspace, WRONG)
    wrong.shrink_attempts_left = 0
    assert wrong.find_minimal_transition(lambda step: True) is None


def test_a_pack_without_a_machine_has_no_sequences() -> None:
    with pytest.raises(NotVerified, match="has no state machine"):
        load_state_machine(replace(PACK, state_machine=None))

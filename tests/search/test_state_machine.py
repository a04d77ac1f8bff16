"""Sequences of calls: the same for the same seed, judged call by call, minimised, and removed afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Target, connect
from treeproof.model.checked_model import load_state_machine
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.session import Policy, Session
from treeproof.run.targets import mutant_target
from treeproof.search.generation import sample
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import find_pack, load_pack
from treeproof.tree import Workspace, probe_host, render_tree, tree_diff, without_default_metadata
from treeproof.verdict import NotVerified

PACK = load_pack(find_pack("file_operations"))
REFERENCE, MUTANT = Target.for_entry_point("reference", PACK.reference or ""), mutant_target(PACK, "MUT-FO-061")


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.create() as created:
        yield created


def sequence_runner(workspace: Workspace, target: Target, seed: int = 0) -> SequenceRunner:
    environment = Environment(workspace, probe_host(os.fsencode(workspace.path)))
    candidate = ConnectedCandidate(connect(target), environment).start()
    return SequenceRunner.for_session(Session(PACK, candidate, Policy(seed=seed, examples=25)))


def describe_exchanges(found: SequenceRunner) -> list[str]:
    return [
        f"{render_tree(without_default_metadata(step.before))} {step.command} {step.answer.status}"
        for step in found.exchanges
    ]


def test_the_same_seed_gives_the_same_sequences_and_their_files_are_removed(workspace: Workspace) -> None:
    first = sequence_runner(workspace, REFERENCE)
    assert describe_exchanges(first) == describe_exchanges(sequence_runner(workspace, REFERENCE))
    assert describe_exchanges(first) != describe_exchanges(sequence_runner(workspace, REFERENCE, seed=1))
    assert os.listdir(workspace.path) == []


def test_each_call_starts_from_the_tree_after_the_previous_call(workspace: Workspace) -> None:
    steps = sequence_runner(workspace, REFERENCE).exchanges
    follows = [one.after == two.before for one, two in zip(steps, steps[1:], strict=False)]
    assert sum(follows) > len(steps) // 2
    assert any(tree_diff(step.before, step.after, times=False) for step in steps)


def test_the_state_machine_finds_errors_in_a_mutant_but_not_in_the_reference(workspace: Workspace) -> None:
    reference, mutant = sequence_runner(workspace, REFERENCE), sequence_runner(workspace, MUTANT)
    assert not any(reference.findings(step) for step in reference.exchanges)
    assert any(mutant.findings(step) for step in mutant.exchanges)


def test_the_findings_of_every_call_are_those_of_the_state_machine(workspace: Workspace) -> None:
    mutant = sequence_runner(workspace, MUTANT)
    different = 0
    for sequence in sample(mutant.strategy(), seed=5, examples=60):
        for step in mutant.run_sequence(sequence):
            different += mutant.findings(step) != mutant.state_machine.judge(step, mutant.accepted_readings).findings
    assert different == 0


@pytest.mark.slow
def test_a_minimal_exchange_has_few_entries(workspace: Workspace) -> None:
    mutant = sequence_runner(workspace, MUTANT)
    step = mutant.find_minimal_exchange(
        lambda step: bool(mutant.state_machine.judge(step, mutant.accepted_readings).findings)
    )
    assert step is not None
    assert len(render_tree(step.before)) < 300
    assert mutant.shrink_attempts_left < 400


def test_without_attempts_nothing_is_minimised(workspace: Workspace) -> None:
    mutant = sequence_runner(workspace, MUTANT)
    mutant.shrink_attempts_left = 0
    assert mutant.find_minimal_exchange(lambda step: True) is None


def test_a_pack_without_a_state_machine_has_no_sequences() -> None:
    with pytest.raises(NotVerified, match="has no state machine"):
        load_state_machine(replace(PACK, state_machine=None))

"""Sequences of calls: the same for the same seed, judged call by call, made smaller, and gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from treeproof.candidate import Target, connect
from treeproof.run.session import Session
from treeproof.search.drawing import sample
from treeproof.search.machine import machine_of
from treeproof.search.plays import Plays
from treeproof.spec import find, load
from treeproof.tree import Workspace, deviations, probe, render, unremarkable
from treeproof.verdict import NotVerified, Profile

PACK = load(find("file_operations"))
WRONG = "treeproof.reference_impl.mutants.file_operations:MUT_FO_061"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace.create() as made:
        yield made


def plays(workspace: Workspace, entry: str, seed: int = 0) -> Plays:
    adapter = connect(Target.for_reference(entry))
    hello = adapter.start(str(workspace.path))
    machine = probe(os.fsencode(workspace.path))
    session = Session(PACK, adapter, hello, workspace, machine, Profile.DEFAULT, {}, seed=seed, examples=25)
    return Plays.of(session)


def shown(found: Plays) -> list[str]:
    return [f"{render(unremarkable(step.before))} {step.turn} {step.answer.status}" for step in found.steps]


def test_the_same_seed_gives_the_same_sequences_and_nothing_is_left(workspace: Workspace) -> None:
    first = plays(workspace, PACK.reference or "")
    assert shown(first) == shown(plays(workspace, PACK.reference or ""))
    assert shown(first) != shown(plays(workspace, PACK.reference or "", seed=1))
    assert os.listdir(workspace.path) == ["owner"]


def test_each_call_starts_from_what_the_one_before_has_left(workspace: Workspace) -> None:
    steps = plays(workspace, PACK.reference or "").steps
    follows = [one.after == two.before for one, two in zip(steps, steps[1:], strict=False)]
    assert sum(follows) > len(steps) // 2
    assert any(deviations(step.before, step.after, times=False) for step in steps)


def test_the_machine_finds_nothing_in_the_reference_and_something_in_a_wrong_one(
    workspace: Workspace,
) -> None:
    right, wrong = plays(workspace, PACK.reference or ""), plays(workspace, WRONG)
    assert not any(right.findings(step) for step in right.steps)
    assert any(wrong.findings(step) for step in wrong.steps)


def test_findings_are_those_of_the_call_even_where_calls_come_and_go(workspace: Workspace) -> None:
    wrong = plays(workspace, WRONG)
    stale = 0
    for play in sample(wrong.strategy(), seed=5, examples=60):
        for step in wrong.perform(play):
            stale += wrong.findings(step) != wrong.machine.judge(step, wrong.accepted)
    assert stale == 0


def test_the_smallest_sequence_is_a_call_or_two_on_a_few_entries(workspace: Workspace) -> None:
    wrong = plays(workspace, WRONG)
    step = wrong.smallest(lambda step: bool(wrong.machine.judge(step, wrong.accepted)))
    assert step is not None
    assert len(render(step.before)) < 300
    assert wrong.attempts_left < 400


def test_without_attempts_nothing_is_made_smaller(workspace: Workspace) -> None:
    wrong = plays(workspace, WRONG)
    wrong.attempts_left = 0
    assert wrong.smallest(lambda step: True) is None


def test_a_pack_without_a_machine_has_no_sequences() -> None:
    with pytest.raises(NotVerified, match="no model of the tree"):
        machine_of(replace(PACK, state_machine=None))

"""Each call of a tool that changes the tree is judged by the tree after it, from the tree before it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.candidate import Call, CallResult, CandidateFault, Target, connect
from treeproof.model.case import NO_ANSWER, CommandSequence, Exchange
from treeproof.run.connected_candidate import ConnectedCandidate, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import by_path, parse_tree
from treeproof.verdict import Outcome

FILE_OPERATIONS = load_pack(find_pack("file_operations"))
GIVEN = {"source": "$FILE", "destination": "$NEW"}
PACK = replace(
    FILE_OPERATIONS,
    tools=tuple(replace(tool, evidence=GIVEN if tool.has_side_effects else None) for tool in FILE_OPERATIONS.tools),
)
CASES = {case.id: case for file in PACK.feature_files() for case in parse_feature(file).scenarios}
MOVED, THERE_AND_BACK, FAR = (CASES[id] for id in ("FO-D01-01", "FO-D01-12", "FO-MV-04-04"))


@pytest.fixture
def session() -> Iterator[Session]:
    adapter = connect(Target.for_entry_point("reference", PACK.reference or ""))
    with (
        open_environment(Interrupts()) as environment,
        ConnectedCandidate(adapter, environment) as candidate,
        contextlib.closing(Session(PACK, candidate.start())) as created,
    ):
        yield created


def root_of(call: Call) -> Path:
    return Path(str(call.context["working_dir"]))


def test_a_right_call_has_no_finding(session: Session) -> None:
    record = run_scenario(session, MOVED)
    assert record.outcome is Outcome.PASSED
    assert [(one.number, one.alternatives, one.not_modelled) for one in record.calls] == [(1, (), "")]


def test_a_lost_file_is_found_although_no_line_looks_at_it(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    call = session.candidate.call

    def lose_another(sent: Call, *rest: object) -> CallResult:
        answer = call(sent, *rest)  # type: ignore[arg-type]
        if (root_of(sent) / "c").exists():
            (root_of(sent) / "c").unlink()
        return answer

    monkeypatch.setattr(session.candidate, "call", lose_another)
    record = run_scenario(session, MOVED)
    (judged,) = record.calls
    assert {finding.kind for finding in judged.alternatives[0].findings} == {"contents are lost"}
    assert judged.evidence.after != judged.evidence.before


@pytest.mark.parametrize(("loses", "found"), [(True, {"contents are lost"}), (False, set())])
def test_a_call_that_never_answers_is_judged_by_the_tree_after_it(
    session: Session, monkeypatch: pytest.MonkeyPatch, loses: bool, found: set[str]
) -> None:
    run_scenario(session, MOVED)

    def break_off(sent: Call, *rest: object) -> CallResult:
        os.replace(root_of(sent) / "a", root_of(sent) / "unfinished")
        if loses:
            (root_of(sent) / "unfinished").unlink()
        raise CandidateFault("exit", "the process ended")

    monkeypatch.setattr(session.candidate, "call", break_off)
    record = run_scenario(session, MOVED)
    assert record.outcome is Outcome.FAULT
    kinds = {finding.kind for call in record.calls for one in call.alternatives for finding in one.findings}
    assert kinds == found


def exchanges_of(session: Session, case: ScenarioCase, monkeypatch: pytest.MonkeyPatch) -> list[Exchange]:
    """Return the exchanges of a scenario."""
    seen: list[World] = []
    close = World.close

    def keep(world: World) -> None:
        seen.append(world)
        close(world)

    monkeypatch.setattr(World, "close", keep)
    assert run_scenario(session, case).outcome is Outcome.PASSED
    return seen[-1].exchanges


def test_a_killed_call_has_no_answer(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    killed = next(case for case in CASES.values() if any("killed half way" in step.text for step in case.steps))
    (exchange,) = exchanges_of(session, killed, monkeypatch)
    assert exchange.answer is NO_ANSWER
    assert not exchange.is_answered


def test_each_call_is_judged_from_the_tree_before_it(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = exchanges_of(session, THERE_AND_BACK, monkeypatch)
    assert first.after == second.before
    assert second.earlier == (first,)
    assert second.case.context == {}


def test_a_second_root_is_a_place_of_its_own_in_a_scenario_and_in_a_sequence(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    (exchange,) = exchanges_of(session, FAR, monkeypatch)
    runner = SequenceRunner(session)
    command = replace(exchange.command, context={})
    tree = parse_tree('far/, a="0123456789abcdef\\n"*50000')
    (alike,) = runner.run_sequence(CommandSequence(tree, (command,)))
    for one in (exchange, alike):
        assert by_path(one.before)[b"root/far"].target == b"$FAR"
        assert b"$FAR/b" in by_path(one.after)
        assert one.command.context == {"roots": ["$ROOT", "$FAR"]}


def test_positive_evidence_is_a_file_under_a_random_name(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    run_scenario(session, MOVED)
    assert PositiveEvidence.for_session(session).finish() == {"move": "", "copy": ""}
    ok = CallResult("ok", "done", None, None, None, None, None, b"")
    monkeypatch.setattr(session.candidate, "call", lambda *given: ok)
    problems = PositiveEvidence.for_session(session).finish()
    assert set(problems) == {"move", "copy"}
    assert all("the new name has not its content" in problem for problem in problems.values())

"""The world of a scenario: its calls, what it notes, and the record of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from treeproof.candidate import (
    CandidateFault,
)
from treeproof.run.scenario_record import build_record
from treeproof.run.scenario_state import ScenarioEvidence
from treeproof.run.session import Policy, Session
from treeproof.run.world import World, parse_creation_order
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import REVERSED, shuffled
from treeproof.tree import parse_tree as recipe
from treeproof.verdict import Fault, Mismatch, NotVerified, Outcome, Profile
from treeproof.verdict.finding import Alternative, CallJudgement, Finding


@pytest.fixture
def world(scripted_session: Session, case: ScenarioCase) -> Iterator[World]:
    created = World(scripted_session, case)
    yield created
    created.close()
    assert not scripted_session.workspace.path.exists() or [*scripted_session.workspace.path.glob("[0-9]*")] == []


def test_a_call_gets_the_path_the_roots_and_replaced_placeholders(world: World) -> None:
    world.sandbox.build_tree("a, l->$OUTSIDE/b")
    world.call("say", '{"text": "$ROOT and $(\'x\'*3)"}')
    sent = world.log.calls[0]
    root = os.fsdecode(world.sandbox.root)
    assert sent.arguments == {"text": f"{root} and xxx", "path": "."}
    assert (sent.context, sent.arguments_text) == ({"roots": [root], "working_dir": root}, None)
    assert os.readlink(world.sandbox.root + b"/l") == world.sandbox.outside + b"/b"


def test_verbatim_arguments_are_sent_unchanged(world: World) -> None:
    world.call("say", '{"n": 1e2}', verbatim=True)
    assert (world.log.calls[0].arguments, world.log.calls[0].arguments_text) == ({"n": 100.0}, '{"n": 1e2}')


def test_changes_after_the_first_call_are_reported(world: World) -> None:
    world.sandbox.build_tree("a, d/{b}")
    assert world.effects.changes() == []
    world.call("say", "{}")
    assert world.effects.changes() == []
    os.unlink(world.sandbox.root + b"/a")
    assert [line for line in world.effects.changes() if "root/a" in line] == ["root/a: vanished"]


TWO_READINGS = "an earlier answer shows the reading a of AMB-EC-01, and this one b"


def test_two_readings_in_one_scenario_are_a_warning_where_the_document_permits_different_results() -> None:
    evidence = ScenarioEvidence(is_strict=False, is_determined=lambda id: False)
    for label in "aabb":
        evidence.record_reading("AMB-EC-01", label)
    assert (evidence.readings, evidence.warnings) == ({"AMB-EC-01": "a"}, [TWO_READINGS])


def test_two_readings_in_one_scenario_fail_where_the_document_requires_the_same_result() -> None:
    evidence = ScenarioEvidence(is_strict=False, is_determined=lambda id: id == "AMB-EC-01")
    evidence.record_reading("AMB-EC-01", "a")
    with pytest.raises(Mismatch, match=TWO_READINGS) as raised:
        evidence.record_reading("AMB-EC-01", "b")
    assert (raised.value.compares_answers, raised.value.kind) == (True, "two readings of AMB-EC-01")


def test_an_injected_fault_that_did_not_occur_is_not_verified(world: World) -> None:
    world.sandbox.build_tree("a!L, b")
    with pytest.raises(NotVerified, match="injected fault was not triggered"):
        world.check_evidence()
    world.faults.injected_count = 1
    world.check_evidence()


def test_a_failure_on_a_full_file_system_is_not_verified(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.sandbox.build_tree("a")
    world.phase = "then"
    status = os.statvfs(world.sandbox.root)
    for changes in ({"f_favail": 3}, {"f_bavail": 1}):
        values = {name: getattr(status, name) for name in ("f_bavail", "f_frsize", "f_files", "f_favail")}
        full = SimpleNamespace(**{**values, "f_files": 14, "f_frsize": 4096, **changes})
        with monkeypatch.context() as patched:
            patched.setattr(os, "fstatvfs", lambda descriptor, full=full: full)
            record = build_record(world.session.pack, world.case, world, Mismatch("no error"), 0.0)
        assert record.outcome is Outcome.NOT_VERIFIED
        assert record.evidence.to_json()["cause"].startswith("No space left in the workspace")


def test_a_failure_without_the_injected_fault_is_not_verified(world: World) -> None:
    def outcome() -> Outcome:
        return build_record(world.session.pack, world.case, world, Mismatch("no error"), 0.0).outcome

    world.sandbox.build_tree("a, b")
    world.phase = "then"
    world.call("say", "{}")
    assert outcome() is Outcome.FAILED
    world.faults.is_required = True
    assert outcome() is Outcome.NOT_VERIFIED
    world.faults.is_required, world.sandbox.tree = False, recipe("a!L, b")
    assert outcome() is Outcome.NOT_VERIFIED
    world.faults.injected_count = 1
    assert outcome() is Outcome.FAILED


def test_only_what_an_earlier_finding_explains_is_blocked_by_it(world: World) -> None:
    def code(number: int) -> object:
        error = OSError(number, os.strerror(number))
        return build_record(world.session.pack, world.case, world, error, 0.0).evidence.code

    assert code(errno.ENOENT) == "harness_fault"
    found = Alternative({}, (Finding("X-1", "the root is gone", "a directory", "nothing"),))
    world.judgements.append(CallJudgement(1, alternatives=(found,)))
    assert code(errno.ENOENT) == code(errno.ELOOP) == "other_requirement"
    assert code(errno.ENOSPC) == code(errno.EMFILE) == "harness_fault"


def test_a_warning_fails_a_scenario_under_the_strict_profile_only(world: World) -> None:
    world.evidence.warn("rather slow")
    assert world.evidence.warnings == ["rather slow"]
    session = Session(world.session.pack, world.session.candidate, Policy(Profile.STRICT))
    strict = World(session, world.case)
    with pytest.raises(Mismatch, match="rather slow"):
        strict.evidence.warn("rather slow")


def test_a_tree_that_the_host_refuses_is_not_verified(world: World) -> None:
    with pytest.raises(NotVerified, match="this machine cannot make the tree: .*File name too long"):
        world.sandbox.build_tree("'n'*300")


def test_a_removed_workspace_is_a_candidate_fault(world: World) -> None:
    os.rmdir(world.session.workspace.path)
    with pytest.raises(CandidateFault, match="workspace: it removed or renamed the workspace of the run"):
        world.sandbox.build_tree("a")


def test_evidence_contains_no_path_of_the_run(world: World, case: ScenarioCase) -> None:
    world.sandbox.build_tree("a")
    world.call("say", '{"text": "$ROOT"}')
    evidence = world.build_evidence(Outcome.FAILED, {"message": f"not in {os.fsdecode(world.sandbox.root)}"})
    assert evidence["message"] == "not in $ROOT"
    assert str(world.session.workspace.path) not in str(evidence)
    assert evidence["steps"][0] == 'given the tree "a"'


@pytest.mark.parametrize(("text", "order"), [("reversed", REVERSED), ("shuffled 7", shuffled(7))])
def test_creation_orders_have_names(text: str, order: object) -> None:
    assert parse_creation_order(text) == order


def test_an_unknown_creation_order_is_a_fault() -> None:
    with pytest.raises(Fault, match="no creation order 'sideways'"):
        parse_creation_order("sideways")

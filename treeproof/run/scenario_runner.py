"""One scenario from its world to its record. Every way to run a scenario uses this function."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from treeproof.candidate import CandidateFault
from treeproof.run.missing_tool import check_tool_name
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.returning_calls import check_returned
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.step_runner import run_steps
from treeproof.run.world import World
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import WorkspaceLost
from treeproof.verdict import Mismatch, NotVerified, Outcome, ScenarioRecord

CURRENT_TEST_VARIABLE = "PYTEST_CURRENT_TEST"


def run_scenario(session: Session, case: ScenarioCase) -> ScenarioRecord:
    """Run one scenario in a new world and return its record.

    Every exception becomes a record except KeyboardInterrupt; nothing that the scenario built remains.
    """
    began, world, error = time.monotonic(), None, None
    with _hide_current_test():
        PositiveEvidence.for_session(session).begin()
        try:
            world = create_world(session, case)
            perform_scenario(world)
        except KeyboardInterrupt:
            _close(world)
            raise
        except BaseException as problem:  # also SystemExit, and what an adopter's pytest plugin raises
            error = problem
        seconds = time.monotonic() - began
        record = build_record(session.pack, case, world, error, seconds)
        lost = session.candidate.find_lost_folder(case.id)
        if record.outcome not in (Outcome.FAILED, Outcome.FAULT):
            lost = _find_lost_workspace(session) or lost
            record = record if lost is None else build_record(session.pack, case, world, lost, seconds)
        problem_at_close = _close(world)
    if problem_at_close is None:
        return record
    return build_record(session.pack, case, world, problem_at_close, record.seconds, teardown=True)


def create_world(session: Session, case: ScenarioCase) -> World:
    """Return the world of a scenario, simulated if the case requires it and the session can simulate it.

    Raises CandidateFault and UsageError if the candidate of a simulated platform does not start.
    """
    if case.simulated is None or case.simulated not in session.simulated_entry_points:
        return World(session, case)
    from treeproof.run.simulated_platforms import SimulatedPlatforms  # pyfakefs takes a while to import

    return session.shared(SimulatedPlatforms).create_world(case, case.simulated)


def perform_scenario(world: World) -> None:
    """Check the prerequisites, run all steps, check the evidence. Raises the first exception."""
    check_prerequisites(world)
    try:
        run_steps(world)
    except NotVerified as missing:
        check_tool_name(world, missing)
        raise
    except CandidateFault as fault:
        check_returned(world, fault)
        raise
    except Mismatch:
        world.check_fault_had_effect()
        raise
    world.check_evidence()


def _find_lost_workspace(session: Session) -> CandidateFault | None:
    """Return the fault of a candidate that has removed or replaced the workspace: nothing in it shows anything."""
    try:
        session.workspace.check_in_place()
    except WorkspaceLost as lost:
        return CandidateFault("workspace", str(lost))
    return None


def _close(world: World | None) -> Exception | None:
    """Close the world; return the exception if that fails."""
    try:
        if world is not None:
            world.close()
    except Exception as error:
        return error
    return None


@contextlib.contextmanager
def _hide_current_test() -> Iterator[None]:
    """Hide the variable in which pytest names the running test, so that a candidate cannot recognise a scenario."""
    value = os.environ.pop(CURRENT_TEST_VARIABLE, None)
    try:
        yield
    finally:
        if value is not None:
            os.environ[CURRENT_TEST_VARIABLE] = value

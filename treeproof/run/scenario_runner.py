"""One scenario from its world to its record. Every way to run a scenario uses this function."""

from __future__ import annotations

import contextlib
import inspect
import os
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

from treeproof.candidate import Call, CandidateFault
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.world import World
from treeproof.spec.gherkin import ScenarioCase, StepText
from treeproof.spec.step_definitions import StepDefinition
from treeproof.tree import Tree, WorkspaceLost, plain_tree
from treeproof.verdict import Fault, Mismatch, NotApplicable, NotVerified, Outcome, ScenarioRecord
from treeproof.verdict.difference import NO_RETURN, OTHER_NAME

UNREADABLE = "the answer has no entries that can be read"
"""The beginning of the reason why the contract does not judge an answer that only a mapping could make readable."""
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
        if world.session.pack.returns is not None:
            check_survived(world, fault)
        check_returned(world, fault)
        raise
    except Mismatch:
        world.check_fault_had_effect()
        raise
    world.check_evidence()
    if world.session.pack.is_contract:
        check_judged(world)


def check_judged(world: World) -> None:
    """Raise for a scenario of which the contract could judge no call: one that shows nothing does not pass.

    NotVerified if no answer could be read, NotApplicable if the contract leaves the calls open.
    """
    reasons = [judgement.not_modelled for judgement in world.judgements]
    if not all(reasons):
        return
    if any(reason.startswith(UNREADABLE) for reason in reasons):
        remedy = "map the output in the manifest (docs/manifest.md), so that its entries can be read"
        raise NotVerified("no_evidence", reasons[0], remedy)
    raise NotApplicable(reasons[0] if reasons else "no call is made")


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


def check_tool_name(world: World, missing: NotVerified) -> None:
    """Raise Mismatch if the tool is missing and the scenario's requirement is the one that names the tools.

    Only for a candidate that claims the specification with a name that the specification does not have. One that offers
    fewer tools shows nothing about their names.
    """
    pack, offered = world.session.pack, world.session.candidate.initialize_result.tools
    if missing.code != "missing_tool" or world.case.requirement != pack.naming:
        return
    own = {tool.name for tool in pack.tools}
    names = [name for name, claim in offered.items() if claim.partition("@")[0] == pack.name and name not in own]
    if names:
        raise Mismatch(
            f"{missing.detail}; for {pack.name} it offers {', '.join(map(repr, names))}",
            kind=OTHER_NAME,
        ) from missing


def check_returned(world: World, fault: CandidateFault) -> None:
    """Raise Mismatch if ``fault`` is the timeout of the scenario's own call, and its tag requires that it returns.

    The control call is the same call on the same tree, with empty files instead of links, pipes, sockets and devices.
    A call on a tree without any of them stays a fault.
    """
    call = world.log.unanswered_call
    if not world.case.must_return or call is None or (fault.kind, fault.method) != ("timeout", "call"):
        return
    plain = plain_tree(world.sandbox.tree)
    if plain == world.sandbox.tree and call.context.get("roots") == [os.fsdecode(world.sandbox.root)]:
        return  # the control call would be the same call: it is merely slow
    if _control_call_returns(world, call, plain):
        seconds = world.session.candidate.call_seconds
        raise Mismatch(f"the call did not return within {seconds:g} s", kind=NO_RETURN) from fault


def check_survived(world: World, fault: CandidateFault) -> None:
    """Judge a call that has no answer by the contract, if the tool gives one to a plain call after it.

    Raises NotVerified for the scenario, which has shown nothing else.
    """
    call = world.log.unanswered_call
    if call is None or fault.method != "call":
        return
    if PositiveEvidence.for_session(world.session).shows_content(call.tool):
        what = "does not return" if fault.kind == "timeout" else "ends the tool"
        world.judge_without_answer(f"the call {what}: {fault.detail}")
        raise NotVerified("other_requirement", f"the call {what}") from fault


def _control_call_returns(world: World, call: Call, tree: Tree) -> bool:
    try:
        root = world.sandbox.add_root("control")
        world.sandbox.build(tree, root)
        world.session.candidate.circuit_breaker.subject = None
        world.session.call(world.call_builder.move_to(call, root), world.own_process())
    except (CandidateFault, NotVerified, NotApplicable):
        return False
    return True


def run_steps(world: World) -> None:
    """Run every step of the scenario. Raises the exception of the first step that fails."""
    for text in world.case.steps:
        if text.keyword_type == "then" and world.session.pack.is_contract:
            continue  # it states what a document demands; the contract judges the calls
        world.step = text
        world.evidence.expected_text = ""  # that of an earlier step, which has passed
        world.phase = text.keyword_type
        definition = world.session.step_registry.find(text)
        definition.context.step_func(**_step_arguments(definition, text, world))


def _step_arguments(definition: StepDefinition, text: StepText, world: World) -> dict[str, object]:
    context = definition.context
    parsed = context.parser.parse_arguments(text.text) or {}
    available = {name: _converted(context, name, value) for name, value in parsed.items()}
    available["world"] = world
    if text.docstring is not None:
        available["docstring"] = text.docstring
    if text.table is not None:
        available["datatable"] = [list(row) for row in text.table]
    parameters = _parameters(context.step_func)
    missing = [name for name, required in parameters.items() if required and name not in available]
    if missing or context.target_fixture is not None:
        what = f"has the parameter {', '.join(missing)}" if missing else "has a target fixture"
        step = f'{text.keyword_type.capitalize()} "{text.text}"'
        raise Fault("harness", f"a step definition {what}, but a step receives only the world: {step}")
    return {name: value for name, value in available.items() if name in parameters}


def _converted(context: Any, name: str, value: object) -> object:
    convert = context.converters.get(name)
    return value if convert is None else convert(value)


@cache
def _parameters(function: Any) -> dict[str, bool]:
    """Return each parameter of a step function, True if it is required. Raises Fault for a coroutine or generator."""
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise Fault("harness", f"the step definition {function.__name__} is not a plain function")
    found = inspect.signature(function).parameters
    return {name: parameter.default is parameter.empty for name, parameter in found.items()}

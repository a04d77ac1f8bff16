"""Then: properties of any sequence of moves and copies, checked on random trees."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from functools import partial

from treeproof.api import (
    CONTROL_CALL,
    ROOT_NAME,
    Call,
    CandidateFault,
    Exchange,
    Finding,
    Mismatch,
    NotVerified,
    SequenceRunner,
    Tree,
    Unmodelled,
    World,
    render_tree,
    subtree,
    then,
    tree_diff,
    without_default_metadata,
)

from .differences import EFFECT_WITH_ERROR, NO_EFFECT

ViolationCheck = Callable[[SequenceRunner, str, Exchange], Finding | None]
"""Returns how one call violates a requirement; None if it does not."""


def _findings(runner: SequenceRunner, exchange: Exchange) -> tuple[Finding, ...]:
    """Return the findings in one call, none for a call whose root an earlier one has removed."""
    try:
        return runner.findings(exchange)
    except Unmodelled:
        return ()


def _matches_model(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Finding | None:
    # A call by an alias can reach the wrong tool, which is no matter of this rule: the finding has others then.
    own = (one for one in _findings(runner, exchange) if one.requirement == requirement and not one.other_requirements)
    return next(own, None)


def _failure_changes_nothing(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Finding | None:
    if exchange.answer.status == "ok":
        return None
    diff = tree_diff(exchange.before, exchange.after, times=False)
    if not diff:
        return None
    message = f"{EFFECT_WITH_ERROR} ({exchange.answer.error_kind}): {'; '.join(diff[:5])}"
    return Finding(requirement, message, kind=EFFECT_WITH_ERROR)


PROPERTIES: Mapping[str, ViolationCheck] = {
    "what is left is what a model of the tree says of this rule": _matches_model,
    "a call that fails changes nothing": _failure_changes_nothing,
}
PROPERTY_NAMES = "|".join(PROPERTIES)


@then(
    rf"for any moves and copies, (?P<name>{PROPERTY_NAMES})",
    example="for any moves and copies, a call that fails changes nothing",
)
def for_any_sequence(world: World, name: str) -> None:
    """Check the property on random sequences on random trees."""
    runner, check, requirement = (
        SequenceRunner.for_session(world.session),
        PROPERTIES[name],
        world.case.requirement,
    )
    if not runner.exchanges and runner.broken is None:
        raise NotVerified("tree_not_buildable", "no tree of a sequence can be built on this machine")
    if any(check(runner, requirement, exchange) for exchange in runner.exchanges):
        violation = partial(check, runner, requirement)
        raise _minimal_mismatch(world, runner, violation)
    if runner.broken is not None:
        _record_tree(world, runner, runner.broken.before, runner.broken.call)
        world.log.broken_call = runner.broken.call
        error = runner.broken.error
        is_lost = isinstance(error, CandidateFault) and error.kind == "workspace"
        if is_lost and any(_findings(runner, exchange) for exchange in runner.exchanges):
            raise NotVerified("other_requirement", f"an earlier call of a sequence has changed its place: {error}")
        raise error
    if not any(
        exchange.answer.status == "ok" and tree_diff(exchange.before, exchange.after, times=False)
        for exchange in runner.exchanges
    ):
        if not any(_findings(runner, exchange) for exchange in runner.exchanges):
            what = "no random call has to change anything; more cases would help (--examples)"
            raise NotVerified("no_evidence", what)
        text = "no call of the candidate changes anything: not one move or copy"
        raise Mismatch(text, context=CONTROL_CALL, kind=NO_EFFECT)


def _record_tree(world: World, runner: SequenceRunner, before: Tree, call: Call) -> None:
    world.sandbox.roots.evidence_root = os.fsencode(str(call.context["working_dir"]))
    world.sandbox.notations["tree"] = render_tree(without_default_metadata(subtree(before, ROOT_NAME)))
    world.sandbox.notations["outside"] = runner.state_machine.outside


def _minimal_mismatch(world: World, runner: SequenceRunner, check: Callable[[Exchange], Finding | None]) -> Mismatch:
    """Return the Mismatch of the smallest violating call, and record its evidence.

    If the sample has calls that violate no other requirement, it is the smallest of these.
    """

    def violates_alone(exchange: Exchange) -> bool:
        others = {found.requirement for found in _findings(runner, exchange)} - {world.case.requirement}
        return not others and bool(check(exchange))

    violates = violates_alone if any(map(violates_alone, runner.exchanges)) else check
    exchange = runner.find_minimal_exchange(lambda exchange: bool(violates(exchange)))
    if exchange is None:
        exchange = next(exchange for exchange in runner.exchanges if violates(exchange))
    _record_tree(world, runner, exchange.before, exchange.call)
    world.log.add(exchange.call, exchange.answer)
    world.effects.before, world.effects.after = exchange.before, exchange.after
    found = check(exchange)
    assert found is not None
    mismatch = Mismatch(found.message, expected=found.expected, got=found.got, kind=found.kind, harm=found.harm)
    with contextlib.suppress(Unmodelled):
        mismatch.scenario = "\n".join(runner.state_machine.scenario_steps([exchange], runner.accepted_readings))
    return mismatch

"""Then: properties of any sequence of moves and copies, checked on random trees."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial

from treeproof.api import (
    ROOT_NAME,
    Mismatch,
    NotVerified,
    SequenceRunner,
    Transition,
    Tree,
    Unmodelled,
    World,
    render_tree,
    subtree,
    then,
    tree_diff,
    without_default_metadata,
)

from .effects import content_counts, loss_diff

ViolationCheck = Callable[[SequenceRunner, str, Transition], str]
"""Returns how one call violates a requirement; "" if it does not."""


def _matches_model(runner: SequenceRunner, requirement: str, transition: Transition) -> str:
    return next((found.message for found in runner.findings(transition) if found.requirement == requirement), "")


def _failure_changes_nothing(runner: SequenceRunner, requirement: str, transition: Transition) -> str:
    if transition.answer.status == "ok":
        return ""
    diff = tree_diff(transition.before, transition.after, times=False)
    return f"an effect with an error ({transition.answer.error_kind}): {'; '.join(diff[:5])}" if diff else ""


def _failure_loses_nothing(runner: SequenceRunner, requirement: str, transition: Transition) -> str:
    if transition.answer.status == "ok":
        return ""
    diff = loss_diff(transition.before, transition.after)
    return f"a loss with an error ({transition.answer.error_kind}): {'; '.join(diff[:5])}" if diff else ""


def _no_content_is_lost(runner: SequenceRunner, requirement: str, transition: Transition) -> str:
    missing = content_counts(transition.before) - content_counts(transition.after)
    overwrote = transition.answer.status == "ok" and sum(missing.values()) <= 1 and _may_overwrite(transition)
    if not missing or overwrote:
        return ""
    return f"{sum(missing.values())} of the previous contents are lost"


def _may_overwrite(transition: Transition) -> bool:
    table = transition.command.context.get("config", {}).get("tools", {})
    allowed = any(bool(settings.get("allow_overwrite")) for settings in table.values())
    return bool(transition.command.arguments.get("overwrite")) or allowed


def _outside_is_untouched(runner: SequenceRunner, requirement: str, transition: Transition) -> str:
    diff = tree_diff(_outside_root(transition.before), _outside_root(transition.after), times=False)
    if diff:
        return f"something beside the sandbox has changed: {'; '.join(diff[:5])}"
    inside_before = content_counts(subtree(transition.before, ROOT_NAME)).keys()
    added = content_counts(subtree(transition.after, ROOT_NAME)).keys() - inside_before
    leaked = added & content_counts(_outside_root(transition.before)).keys()
    return "content from outside the sandbox is now inside" if leaked else ""


def _outside_root(tree: Tree) -> Tree:
    return Tree(tuple(node for node in tree.entries if node.name != ROOT_NAME))


PROPERTIES: Mapping[str, ViolationCheck] = {
    "what is left is what a model of the tree says of this rule": _matches_model,
    "a call that fails changes nothing": _failure_changes_nothing,
    "a call that fails loses nothing": _failure_loses_nothing,
    "no content is lost but what was overwritten on demand": _no_content_is_lost,
    "nothing beside the sandbox changes or comes into it": _outside_is_untouched,
}
PROPERTY_NAMES = "|".join(PROPERTIES)


@then(
    rf"for any moves and copies, (?P<name>{PROPERTY_NAMES})",
    example="for any moves and copies, a call that fails changes nothing",
    evidence="always",
)
def for_any_sequence(world: World, name: str) -> None:
    """Check the property on random sequences on random trees."""
    runner, check, requirement = (
        SequenceRunner.for_session(world.session),
        PROPERTIES[name],
        world.case.requirement,
    )
    if not runner.transitions:
        raise NotVerified("tree_not_buildable", "no tree of a sequence can be built on this machine")
    if any(check(runner, requirement, transition) for transition in runner.transitions):
        violation = partial(check, runner, requirement)
        raise _minimal_mismatch(world, runner, violation)
    if not any(
        transition.answer.status == "ok" and tree_diff(transition.before, transition.after, times=False)
        for transition in runner.transitions
    ):
        raise Mismatch("no call of the candidate changes anything: not one move or copy", stage="effect")
    world.evidence.is_positive = True


def _minimal_mismatch(world: World, runner: SequenceRunner, check: Callable[[Transition], str]) -> Mismatch:
    """Return the Mismatch of the smallest violating call, and record its evidence.

    If the sample has calls that violate no other requirement, it is the smallest of these.
    """

    def violates_alone(transition: Transition) -> bool:
        others = {found.requirement for found in runner.findings(transition)} - {world.case.requirement}
        return not others and bool(check(transition))

    violates = violates_alone if any(map(violates_alone, runner.transitions)) else check
    transition = runner.find_minimal_transition(lambda transition: bool(violates(transition)))
    if transition is None:
        transition = next(transition for transition in runner.transitions if violates(transition))
    world.fixture.notations["tree"] = render_tree(without_default_metadata(subtree(transition.before, ROOT_NAME)))
    world.fixture.notations["outside"] = runner.state_machine.outside
    world.log.add(transition.call, transition.answer)
    world.effects.before, world.effects.after = transition.before, transition.after
    message = check(transition)
    own = (found for found in runner.findings(transition) if found.requirement == world.case.requirement)
    found = next((one for one in own if one.message == message), None)
    if found is None:
        mismatch = Mismatch(message, stage="effect", kind=message.partition(":")[0])
    else:
        mismatch = Mismatch(message, expected=found.expected, got=found.got, stage=found.stage, kind=found.kind)
    with contextlib.suppress(Unmodelled):
        mismatch.scenario = "\n".join(runner.state_machine.scenario_steps([transition], runner.accepted_readings))
    return mismatch

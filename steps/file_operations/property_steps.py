"""Then: properties of any sequence of moves and copies, checked on random trees."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

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

from .effects import content_counts

ViolationCheck = Callable[[SequenceRunner, str, Transition], str]
"""Returns how one call violates a requirement; "" if it does not."""


def _matches_model(runner: SequenceRunner, requirement: str, step: Transition) -> str:
    return next((found.message for found in runner.findings(step) if found.requirement == requirement), "")


def _failure_changes_nothing(runner: SequenceRunner, requirement: str, step: Transition) -> str:
    if step.answer.status == "ok":
        return ""
    off = tree_diff(step.before, step.after, times=False)
    return f"an effect with an error ({step.answer.error_kind}): {'; '.join(off[:5])}" if off else ""


def _no_content_is_lost(runner: SequenceRunner, requirement: str, step: Transition) -> str:
    missing = content_counts(step.before) - content_counts(step.after)
    overwrote = step.answer.status == "ok" and sum(missing.values()) <= 1 and _may_overwrite(step)
    if not missing or overwrote:
        return ""
    return f"{sum(missing.values())} of the contents that stood there are nowhere any more"


def _may_overwrite(step: Transition) -> bool:
    table = step.command.context.get("config", {}).get("tools", {})
    allowed = any(bool(own.get("allow_overwrite")) for own in table.values())
    return bool(step.command.arguments.get("overwrite")) or allowed


def _outside_is_untouched(runner: SequenceRunner, requirement: str, step: Transition) -> str:
    off = tree_diff(_outside_root(step.before), _outside_root(step.after), times=False)
    if off:
        return f"something beside the sandbox has changed: {'; '.join(off[:5])}"
    secrets = content_counts(_outside_root(step.before)).keys() - content_counts(subtree(step.before, ROOT_NAME)).keys()
    leaked = content_counts(subtree(step.after, ROOT_NAME)).keys() & secrets
    return "what lies beside the sandbox has come into it" if leaked else ""


def _outside_root(tree: Tree) -> Tree:
    return Tree(tuple(node for node in tree.entries if node.name != ROOT_NAME))


PROPERTIES: Mapping[str, ViolationCheck] = {
    "what is left is what a model of the tree says of this rule": _matches_model,
    "a call that fails changes nothing": _failure_changes_nothing,
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
    runner, wrong, requirement = (
        SequenceRunner.for_session(world.session),
        PROPERTIES[name],
        world.case.requirement,
    )
    if not runner.transitions:
        raise NotVerified("tree_not_buildable", "no tree of any sequence could be made on this machine")
    if any(wrong(runner, requirement, step) for step in runner.transitions):
        raise _minimal_mismatch(world, runner, lambda step: wrong(runner, requirement, step))
    if not any(
        step.answer.status == "ok" and tree_diff(step.before, step.after, times=False) for step in runner.transitions
    ):
        raise Mismatch("no call of the candidate changes anything", expected="a move or a copy")
    world.evidence.is_positive = True


def _minimal_mismatch(world: World, runner: SequenceRunner, wrong: Callable[[Transition], str]) -> Mismatch:
    """Return the Mismatch of the smallest wrong call, and record its evidence."""
    step = runner.find_minimal_transition(lambda step: bool(wrong(step)))
    if step is None:
        step = next(step for step in runner.transitions if wrong(step))
    world.fixture.notations["tree"] = render_tree(without_default_metadata(subtree(step.before, ROOT_NAME)))
    world.fixture.notations["outside"] = runner.state_machine.outside
    world.log.calls.append(step.call)
    world.log.answers.append(step.answer)
    world.effects.before, world.effects.after = step.before, step.after
    found = runner.state_machine.judge(step, runner.accepted_readings)
    why = Mismatch(wrong(step), expected=found[0].expected if found else "", got=found[0].got if found else "")
    with contextlib.suppress(Unmodelled):
        why.scenario = "\n".join(runner.state_machine.scenario_steps([step], runner.accepted_readings))
    return why

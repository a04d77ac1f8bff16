"""Then: properties of any sequence of moves and copies, checked on random trees."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from treeproof.api import (
    CONTROL_CALL,
    ROOT_NAME,
    Call,
    Exchange,
    Finding,
    Mismatch,
    NotVerified,
    SequenceRunner,
    Tree,
    Unmodelled,
    World,
    normalise,
    parse_tree,
    render_tree,
    subtree,
    then,
    tree_diff,
    without_default_metadata,
)

from .differences import (
    COPY_NAMES,
    EFFECT_WITH_ERROR,
    LOST_CONTENTS,
    Difference,
    Observation,
    classify,
    content_counts,
    failed_call,
    no_effect,
)
from .effects import loss_diff


@dataclass(frozen=True)
class Violation:
    """How one call violates a requirement: the message, and the difference that the scenarios name alike."""

    message: str
    difference: Difference


ViolationCheck = Callable[[SequenceRunner, str, Exchange], Violation | None]
"""Returns how one call violates a requirement; None if it does not."""


def _matches_model(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Violation | None:
    for found in runner.findings(exchange):
        # A call by an alias can reach the wrong tool, which is no matter of this rule.
        if found.requirement == requirement and not found.other_requirements:
            return Violation(found.message, _difference(exchange, found))
    return None


def _difference(exchange: Exchange, found: Finding) -> Difference:
    """Return the difference that the model found, as the scenarios name it."""
    seen = Observation(
        exchange.command.tool, exchange.command.arguments, exchange.answer, exchange.before, exchange.after
    )
    is_success_due = found.stage not in ("refusal", "error")
    return classify(seen, normalise(parse_tree(found.expected)), is_success_due=is_success_due)


def _belongs_to_another(runner: SequenceRunner, requirement: str, exchange: Exchange) -> bool:
    """Return whether the model names other requirements for this call, and not this one."""
    findings = runner.findings(exchange)
    return bool(findings) and all(found.requirement != requirement for found in findings)


def _failure_changes_nothing(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Violation | None:
    if exchange.answer.status == "ok":
        return None
    diff = tree_diff(exchange.before, exchange.after, times=False)
    if not diff:
        return None
    message = f"{EFFECT_WITH_ERROR} ({exchange.answer.error_kind}): {'; '.join(diff[:5])}"
    return Violation(message, Difference("effect", EFFECT_WITH_ERROR))


def _failure_loses_nothing(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Violation | None:
    if exchange.answer.status == "ok":
        return None
    diff = loss_diff(exchange.before, exchange.after)
    if not diff or _belongs_to_another(runner, requirement, exchange):
        return None
    message = f"a loss with an error ({exchange.answer.error_kind}): {'; '.join(diff[:5])}"
    lost = content_counts(exchange.before) - content_counts(exchange.after)
    kind = LOST_CONTENTS if lost else EFFECT_WITH_ERROR
    return Violation(message, Difference("effect", kind, "data" if lost else None))


def _no_content_is_lost(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Violation | None:
    missing = content_counts(exchange.before) - content_counts(exchange.after)
    overwrote = exchange.answer.status == "ok" and sum(missing.values()) <= 1 and _may_overwrite(exchange)
    if not missing or overwrote or _belongs_to_another(runner, requirement, exchange):
        return None
    message = f"{sum(missing.values())} of the previous contents are lost"
    return Violation(message, Difference("effect", LOST_CONTENTS, "data"))


def _may_overwrite(exchange: Exchange) -> bool:
    tables = exchange.command.context.get("config", {}).get("tools", {})
    allowed = any(isinstance(table, Mapping) and bool(table.get("allow_overwrite")) for table in tables.values())
    return bool(exchange.command.arguments.get("overwrite")) or allowed


def _outside_is_untouched(runner: SequenceRunner, requirement: str, exchange: Exchange) -> Violation | None:
    diff = tree_diff(_outside_root(exchange.before), _outside_root(exchange.after), times=False)
    if diff:
        message = "something beside the sandbox has changed"
        return Violation(f"{message}: {'; '.join(diff[:5])}", Difference("effect", message, "escape"))
    inside_before = content_counts(subtree(exchange.before, ROOT_NAME)).keys()
    added = content_counts(subtree(exchange.after, ROOT_NAME)).keys() - inside_before
    if not added & content_counts(_outside_root(exchange.before)).keys():
        return None
    message = "content from outside the sandbox is now inside"
    return Violation(message, Difference("effect", message, "escape"))


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
    if not runner.exchanges and runner.broken is None:
        raise NotVerified("tree_not_buildable", "no tree of a sequence can be built on this machine")
    if any(check(runner, requirement, exchange) for exchange in runner.exchanges):
        violation = partial(check, runner, requirement)
        raise _minimal_mismatch(world, runner, violation)
    if runner.broken is not None:
        _record_tree(world, runner, runner.broken.before, runner.broken.call)
        world.log.broken_call = runner.broken.call
        raise runner.broken.error
    if not any(
        exchange.answer.status == "ok" and tree_diff(exchange.before, exchange.after, times=False)
        for exchange in runner.exchanges
    ):
        if not any(runner.findings(exchange) for exchange in runner.exchanges):
            what = "no random call has to change anything; more cases would help (--examples)"
            raise NotVerified("no_evidence", what)
        raise _nothing_changes(runner.exchanges)
    world.evidence.is_positive = True


def _nothing_changes(exchanges: Sequence[Exchange]) -> Mismatch:
    """Return the difference of calls of which none has an effect: that of a plain call which has none."""
    kinds = Counter(
        ("call", failed_call(verb, exchange.answer.error_kind))
        if exchange.answer.status != "ok"
        else ("entries", no_effect(verb))
        for exchange in exchanges
        for verb in ["copy" if exchange.call.tool in COPY_NAMES else "move"]
    )
    stage, kind = kinds.most_common(1)[0][0]
    text = "no call of the candidate changes anything: not one move or copy"
    return Mismatch(text, context=CONTROL_CALL, stage="call" if stage == "call" else "entries", kind=kind)


def _record_tree(world: World, runner: SequenceRunner, before: Tree, call: Call) -> None:
    world.fixture.sandboxes.evidence_root = os.fsencode(str(call.context["working_dir"]))
    world.fixture.notations["tree"] = render_tree(without_default_metadata(subtree(before, ROOT_NAME)))
    world.fixture.notations["outside"] = runner.state_machine.outside


def _minimal_mismatch(world: World, runner: SequenceRunner, check: Callable[[Exchange], Violation | None]) -> Mismatch:
    """Return the Mismatch of the smallest violating call, and record its evidence.

    If the sample has calls that violate no other requirement, it is the smallest of these.
    """

    def violates_alone(exchange: Exchange) -> bool:
        others = {found.requirement for found in runner.findings(exchange)} - {world.case.requirement}
        return not others and bool(check(exchange))

    violates = violates_alone if any(map(violates_alone, runner.exchanges)) else check
    exchange = runner.find_minimal_exchange(lambda exchange: bool(violates(exchange)))
    if exchange is None:
        exchange = next(exchange for exchange in runner.exchanges if violates(exchange))
    _record_tree(world, runner, exchange.before, exchange.call)
    world.log.add(exchange.call, exchange.answer)
    world.effects.before, world.effects.after = exchange.before, exchange.after
    violation = check(exchange)
    assert violation is not None
    own = (found for found in runner.findings(exchange) if found.requirement == world.case.requirement)
    found = next((one for one in own if one.message == violation.message), None)
    difference = violation.difference
    mismatch = Mismatch(
        violation.message,
        expected=found.expected if found else "",
        got=found.got if found else "",
        stage=difference.stage,
        kind=difference.kind,
        harm=difference.harm,
    )
    with contextlib.suppress(Unmodelled):
        mismatch.scenario = "\n".join(runner.state_machine.scenario_steps([exchange], runner.accepted_readings))
    return mismatch

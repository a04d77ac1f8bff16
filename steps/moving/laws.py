"""Then: rules that hold for any sequence of moves and copies, tried on random trees."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.search.machine import Step
from treeproof.search.model import Unmodelled
from treeproof.search.plays import Plays
from treeproof.tree import ROOT, Tree, deviations, inside, render, unremarkable
from treeproof.verdict import Mismatch, NotVerified

from ..words import sentence
from .effects import contents

Wrong = Callable[[Plays, str, Step], str]
"""What is wrong with one call, seen from a requirement; "" where nothing is."""


def _model(plays: Plays, requirement: str, step: Step) -> str:
    return next((found.message for found in plays.findings(step) if found.requirement == requirement), "")


def _unchanged(plays: Plays, requirement: str, step: Step) -> str:
    if step.answer.status == "ok":
        return ""
    off = deviations(step.before, step.after, times=False)
    return f"an effect with an error ({step.answer.kind}): {'; '.join(off[:5])}" if off else ""


def _kept(plays: Plays, requirement: str, step: Step) -> str:
    missing = contents(step.before) - contents(step.after)
    overwrote = step.answer.status == "ok" and sum(missing.values()) <= 1 and _may_overwrite(step)
    if not missing or overwrote:
        return ""
    return f"{sum(missing.values())} of the contents that stood there are nowhere any more"


def _may_overwrite(step: Step) -> bool:
    table = step.turn.context.get("config", {}).get("tools", {})
    allowed = any(bool(own.get("allow_overwrite")) for own in table.values())
    return bool(step.turn.arguments.get("overwrite")) or allowed


def _beside(plays: Plays, requirement: str, step: Step) -> str:
    off = deviations(_rest(step.before), _rest(step.after), times=False)
    if off:
        return f"something beside the sandbox has changed: {'; '.join(off[:5])}"
    secrets = contents(_rest(step.before)).keys() - contents(inside(step.before, ROOT)).keys()
    leaked = contents(inside(step.after, ROOT)).keys() & secrets
    return "what lies beside the sandbox has come into it" if leaked else ""


def _rest(tree: Tree) -> Tree:
    return Tree(tuple(node for node in tree.entries if node.name != ROOT))


LAWS: Mapping[str, Wrong] = {
    "what is left is what a model of the tree says of this rule": _model,
    "a call that fails changes nothing": _unchanged,
    "no content is lost but what was overwritten on demand": _kept,
    "nothing beside the sandbox changes or comes into it": _beside,
}
WORDS = "|".join(LAWS)


@then(sentence(rf"for any moves and copies, (?P<words>{WORDS})"))
def for_any_sequence(world: World, words: str) -> None:
    """Then for any moves and copies, a call that fails changes nothing: random sequences on random trees.

    Evidence: always
    """
    plays, wrong, requirement = Plays.of(world.session), LAWS[words], world.row.requirement
    if not plays.steps:
        raise NotVerified("no tree of any sequence could be made on this machine")
    if any(wrong(plays, requirement, step) for step in plays.steps):
        raise _smallest(world, plays, lambda step: wrong(plays, requirement, step))
    if not any(
        step.answer.status == "ok" and deviations(step.before, step.after, times=False)
        for step in plays.steps
    ):
        raise Mismatch(
            "whatever it is asked, the candidate never changes anything", expected="a move or a copy"
        )
    world.positive = True


def _smallest(world: World, plays: Plays, wrong: Callable[[Step], str]) -> Mismatch:
    """The Mismatch of the smallest call that is wrong; the evidence becomes that of this call."""
    step = plays.smallest(lambda step: bool(wrong(step)))
    if step is None:
        step = next(step for step in plays.steps if wrong(step))
    world.trees["tree"] = render(unremarkable(inside(step.before, ROOT)))
    world.trees["outside"] = plays.machine.outside
    world.calls.append(step.call)
    world.answers.append(step.answer)
    world.before, world.after = step.before, step.after
    found = plays.machine.judge(step, plays.accepted)
    why = Mismatch(
        wrong(step), expected=found[0].expected if found else "", got=found[0].got if found else ""
    )
    with contextlib.suppress(Unmodelled):
        why.scenario = "\n".join(plays.machine.sentences([step], plays.accepted))
    return why

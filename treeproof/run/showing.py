"""What a report keeps of a scenario: its trees, its calls, its answers, without a path of the run.

Nothing is asked or looked at here, only what a world has kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from treeproof.candidate import Answer, Call
from treeproof.run.placeholders import scrub, without_durations
from treeproof.run.places import Places
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioRow
from treeproof.tree import ROOT, Tree, inside, render, unremarkable
from treeproof.verdict import Outcome
from treeproof.verdict.evidence import bounded


class Shown(Protocol):
    """What evidence is made of.

    `changed`: the suite itself has changed the tree between two calls. `expected`: what the last sentence expects.
    """

    session: Session
    row: ScenarioRow
    step: str
    context: dict[str, Any]
    calls: list[Call]
    answers: list[Answer]
    trees: dict[str, str]
    before: Tree | None
    after: Tree | None
    due: Tree | None
    changed: bool
    expected: str
    places: Places

    @property
    def outside(self) -> bytes: ...


def evidence(world: Shown, outcome: Outcome, why: Mapping[str, str]) -> dict[str, Any]:
    """Return what the report keeps of this scenario, without a path of this run."""
    names = world.places.every_name()
    result: dict[str, Any] = {**world.trees}
    trees = _trees(world)
    result.update({moment: tree for moment, tree in trees.items() if moment != "expected"})
    if world.calls:
        result["call"] = _call_evidence(world.calls[-1], names)
    if world.answers:
        ours = outcome is not Outcome.PASSED or _is_of_this_tree(world, world.calls[-1])
        last = world.answers[-1]
        if outcome is Outcome.PASSED:  # equal runs have equal reports; of a failure every byte may matter
            last = replace(last, content=without_durations(last.content, world.session.pack.durations))
        result["outcome"] = _answer_evidence(last, names, content=ours)
    if outcome is not Outcome.PASSED:
        result["steps"] = [f"{step.keyword_type} {step.text}" for step in world.row.steps]
        result["step"] = world.step
        if len(world.calls) > 1:
            result["calls"] = [_call_evidence(call, names) for call in world.calls[:8]]
        if outcome is Outcome.FAULT:
            result["stderr"] = bounded(world.session.adapter.diagnostics(), 4000)
    result.update(why)
    if not result.get("expected") and world.expected and outcome is Outcome.FAILED:
        result["expected"] = bounded(world.expected)
    if "expected" in trees and not result.get("got"):
        # What was compared is trees.
        result = {key: member for key, member in result.items() if key != "got"}
        result["expected"] = trees["expected"]
    return dict(scrub(result, names))


def _is_of_this_tree(world: Shown, call: Call) -> bool:
    """Whether the answer to a call speaks of what the recipes say, and so is the same in every run.

    It does not where the suite itself has changed the tree meanwhile, where the call names a place elsewhere, or
    where a link holds a path of this run, which is as long as it happens to be.
    """
    if world.changed or world.context.get("roots") or any("->$" in tree for tree in world.trees.values()):
        return False
    members = call.arguments.values() if isinstance(call.arguments, Mapping) else ()
    workspace = os.fsdecode(os.path.dirname(world.outside))
    return not any(
        isinstance(path, str) and path.startswith("/") and not path.startswith(workspace) for path in members
    )


def _trees(world: Shown) -> dict[str, str]:
    """What stood there before the last call and after it, and what was due; without the root's own name where
    nothing stands beside it.
    """
    found = {"before": world.before, "after": world.after, "expected": world.due}
    trees = {moment: unremarkable(tree) for moment, tree in found.items() if tree is not None}
    alone = all([node.name for node in tree.entries] == [ROOT] for tree in trees.values())
    return {moment: bounded(render(inside(tree, ROOT) if alone else tree)) for moment, tree in trees.items()}


def _call_evidence(call: Call, names: Mapping[str, str]) -> dict[str, Any]:
    arguments = (
        call.arguments_text
        if call.arguments_text is not None
        else json.dumps(call.arguments, ensure_ascii=False)
    )
    return {
        "tool": call.tool,
        "arguments": bounded(scrub(arguments, names), 4000),
        "context": dict(call.context),
    }


def _answer_evidence(answer: Answer, names: Mapping[str, str], *, content: bool) -> dict[str, Any]:
    if answer.status == "ok":
        text = scrub(answer.content or "", names)  # before it is cut: half a path would not be known
        return {"status": "ok", "content": bounded(text, 8000)} if content else {"status": "ok"}
    return {
        "status": "error",
        "kind": answer.kind,
        "message": bounded(scrub(answer.message or "", names), 2000),
    }

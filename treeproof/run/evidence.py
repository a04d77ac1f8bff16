"""The evidence of a scenario for reports: its trees, calls and results, without a path of the run.

Reads only what a World has recorded; calls nothing and looks at no file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from treeproof.candidate import Call, CallResult
from treeproof.run.call_builder import CallBuilder
from treeproof.run.fixture import Fixture
from treeproof.run.placeholders import mask_volatile_members, scrub
from treeproof.run.scenario_state import CallLog, EffectRecorder, ScenarioEvidence
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import ROOT_NAME, render_tree, subtree, without_default_metadata
from treeproof.verdict import Outcome
from treeproof.verdict.record import truncate


class EvidenceSource(Protocol):
    """The parts of a World that evidence is made of."""

    session: Session
    case: ScenarioCase
    step: str
    fixture: Fixture
    call_builder: CallBuilder
    log: CallLog
    effects: EffectRecorder
    evidence: ScenarioEvidence


def build_evidence(source: EvidenceSource, outcome: Outcome, details: Mapping[str, str]) -> dict[str, Any]:
    """Return the evidence of this scenario for the report, without a path of this run."""
    names = source.fixture.sandboxes.all_placeholders()
    result: dict[str, Any] = {**source.fixture.notations}
    trees = _tree_evidence(source)
    result.update({moment: tree for moment, tree in trees.items() if moment != "expected"})
    if source.log.calls:
        result["call"] = _call_evidence(source.log.calls[-1], names)
    if source.log.answers:
        has_content = outcome is not Outcome.PASSED or _is_reproducible(source, source.log.calls[-1])
        last = source.log.answers[-1]
        if outcome is Outcome.PASSED:  # equal runs have equal reports; in a failure every byte may matter
            last = replace(last, content=mask_volatile_members(last.content, source.session.pack.volatile_members))
        result["outcome"] = _answer_evidence(last, names, content=has_content)
    if outcome is not Outcome.PASSED:
        result["steps"] = [f"{step.keyword_type} {step.text}" for step in source.case.steps]
        result["step"] = source.step
        if len(source.log.calls) > 1:
            result["calls"] = [_call_evidence(call, names) for call in source.log.calls[:8]]
        if outcome is Outcome.FAULT:
            result["stderr"] = truncate(source.session.candidate.adapter.captured_output(), 4000)
    result.update(details)
    if not result.get("expected") and source.evidence.expected_text and outcome is Outcome.FAILED:
        result["expected"] = truncate(source.evidence.expected_text)
    if "expected" in trees and not result.get("got"):
        # The step has compared trees.
        result = {key: member for key, member in result.items() if key != "got"}
        result["expected"] = trees["expected"]
    return dict(scrub(result, names))


def _is_reproducible(world: EvidenceSource, call: Call) -> bool:
    """Return True if the result of a call depends only on the tree notations, so that it is equal in every run.

    False if the suite itself has changed the tree, or the call names a path outside the workspace. Also false if a link
    contains a path of this run, whose length varies.
    """
    if (
        world.effects.changed_by_suite
        or world.call_builder.context.get("roots")
        or any("->$" in tree for tree in world.fixture.notations.values())
    ):
        return False
    members = call.arguments.values() if isinstance(call.arguments, Mapping) else ()
    workspace = os.fsdecode(os.path.dirname(world.fixture.outside))
    return not any(
        isinstance(path, str) and path.startswith("/") and not path.startswith(workspace) for path in members
    )


def _tree_evidence(world: EvidenceSource) -> dict[str, str]:
    """Return the trees before and after the last call and the expected one, without the root's name if it is alone."""
    found = {"before": world.effects.before, "after": world.effects.after, "expected": world.effects.expected}
    trees = {moment: without_default_metadata(tree) for moment, tree in found.items() if tree is not None}
    alone = all([node.name for node in tree.entries] == [ROOT_NAME] for tree in trees.values())
    return {
        moment: truncate(render_tree(subtree(tree, ROOT_NAME) if alone else tree)) for moment, tree in trees.items()
    }


def _call_evidence(call: Call, names: Mapping[str, str]) -> dict[str, Any]:
    arguments = (
        call.arguments_text if call.arguments_text is not None else json.dumps(call.arguments, ensure_ascii=False)
    )
    return {
        "tool": call.tool,
        "arguments": truncate(scrub(arguments, names), 4000),
        "context": dict(call.context),
    }


def _answer_evidence(answer: CallResult, names: Mapping[str, str], *, content: bool) -> dict[str, Any]:
    if answer.status == "ok":
        text = scrub(answer.content or "", names)  # before truncation: half a path is not recognised
        return {"status": "ok", "content": truncate(text, 8000)} if content else {"status": "ok"}
    return {
        "status": "error",
        "kind": answer.error_kind,
        "message": truncate(scrub(answer.error_message or "", names), 2000),
    }

"""The evidence of a scenario for reports: its trees, calls and results, without a path of the run.

Reads only what a World has recorded; calls nothing and looks at no file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from treeproof.candidate import Call, CallResult
from treeproof.model.placeholders import map_texts, scrub
from treeproof.run.call_builder import CallBuilder, mask_volatile_members
from treeproof.run.sandbox import Sandbox
from treeproof.run.scenario_state import CallLog, EffectRecorder, FaultInjection, ScenarioEvidence
from treeproof.run.session import Session
from treeproof.spec.gherkin import ScenarioCase, StepText
from treeproof.tree import ROOT_NAME, notations_of, render_tree, subtree, without_default_metadata
from treeproof.verdict import Outcome
from treeproof.verdict.plain_text import truncate

MAX_CALLS = 8
"""The number of calls that evidence lists: the first one, and the last ones of those that lead to the shown call."""

MAX_TABLE_ROWS, MAX_CELL_CHARACTERS = 30, 200
MAX_DOCSTRING_CHARACTERS = 4_000


class EvidenceSource(Protocol):
    """The parts of a World that evidence is made of."""

    session: Session
    case: ScenarioCase
    step: StepText | None
    sandbox: Sandbox
    call_builder: CallBuilder
    log: CallLog
    effects: EffectRecorder
    faults: FaultInjection
    evidence: ScenarioEvidence


def build_evidence(
    source: EvidenceSource, outcome: Outcome, details: Mapping[str, str], *, answer_index: int | None = None
) -> dict[str, Any]:
    """Return the evidence of this scenario for the report, without a path of this run.

    It shows the call of ``source.log.answers[answer_index]`` and those before it; None: the last call.
    """
    names = source.sandbox.roots.all_placeholders()
    result: dict[str, Any] = {**source.sandbox.notations}
    trees = _tree_evidence(source)
    result.update({moment: tree for moment, tree in trees.items() if moment != "expected"})
    broken = source.log.broken_call
    exchanges = source.log.until(answer_index)
    shown, answer = (broken, None) if broken is not None else exchanges[-1] if exchanges else (None, None)
    if shown is not None:
        result["call"] = _call_evidence(source.session, shown, names, is_sent=shown is broken or answer is not None)
    if shown is not None and answer is not None:
        has_content = outcome is not Outcome.PASSED or _is_reproducible(source, shown)
        if outcome is Outcome.PASSED:  # equal runs have equal reports; in a failure every byte may matter
            masked = mask_volatile_members(answer.content, source.session.pack.volatile_members)
            answer = replace(answer, content=masked)
        result["outcome"] = _answer_evidence(answer, names, content=has_content)
    if outcome is not Outcome.PASSED:
        result["steps"] = [f"{step.keyword_type} {step.text}" for step in source.case.steps]
        result.update(_step_evidence(source.step))
        if len(exchanges) > 1:
            result["calls"] = [_call_evidence(source.session, call, names) for call, _ in _shown_exchanges(exchanges)]
            result["call_number"] = len(exchanges)
        if source.faults.race:
            result["race"] = _race_evidence(source.faults)
    result.update(details)
    is_open = not result.get("expected") and not result.get("got")  # what was got may be another part of the answer
    if is_open and source.evidence.expected_text and outcome is Outcome.FAILED:
        result["expected"] = truncate(source.evidence.expected_text)
    if "expected" in trees and not result.get("got"):
        # The step has compared trees.
        result = {key: member for key, member in result.items() if key != "got"}
        result["expected"] = trees["expected"]
    if outcome is Outcome.FAILED and not result.get("expected") and source.step is not None:
        result["expected"] = source.step.text  # only a condition is known: the words of the line
    return dict(map_texts(scrub(result, names), source.session.workspace.without_paths))


def evidence_of_call(session: Session, call: Call, answer: CallResult, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a call and its result as members of evidence, without a path of this run."""
    members = {"call": _call_evidence(session, call, names), "outcome": _answer_evidence(answer, names, content=True)}
    return dict(map_texts(scrub(members, names), session.workspace.without_paths))


def build_call_evidence(source: EvidenceSource) -> dict[str, Any]:
    """Return the trees, the last call and its result, without a path of this run: what shows a finding alone."""
    names = source.sandbox.roots.all_placeholders()
    result: dict[str, Any] = {**source.sandbox.notations, **_tree_evidence(source)}
    if source.effects.changed_by_suite:
        result["tree"] = render_tree(without_default_metadata(source.sandbox.tree))
    exchanges = source.log.until(None)
    call, answer = exchanges[-1]
    result["call"] = _call_evidence(source.session, call, names)
    if answer is not None:
        result["outcome"] = _answer_evidence(answer, names, content=True)
    if len(exchanges) > 1:
        result["calls"] = [_call_evidence(source.session, one, names) for one, _ in _shown_exchanges(exchanges)]
        result["call_number"] = len(exchanges)
    return dict(map_texts(scrub(result, names), source.session.workspace.without_paths))


def _shown_exchanges(exchanges: Sequence[tuple[Call, CallResult | None]]) -> Sequence[tuple[Call, CallResult | None]]:
    return exchanges if len(exchanges) <= MAX_CALLS else [exchanges[0], *exchanges[1 - MAX_CALLS :]]


def _is_reproducible(world: EvidenceSource, call: Call) -> bool:
    """Return True if the result of a call depends only on the tree notations, so that it is equal in every run.

    False if the suite itself has changed the tree, or the call names a path outside the workspace. Also false if a link
    contains a path of this run, whose length varies.
    """
    if (
        world.effects.changed_by_suite
        or world.call_builder.context.get("roots")
        or any("->$" in tree for tree in world.sandbox.notations.values())
    ):
        return False
    members = call.arguments.values() if isinstance(call.arguments, Mapping) else ()
    workspace = os.fsdecode(os.path.dirname(world.sandbox.outside))
    return not any(
        isinstance(path, str) and path.startswith("/") and not path.startswith(workspace) for path in members
    )


def _tree_evidence(world: EvidenceSource) -> dict[str, str]:
    """Return the trees before and after the last call and the expected one, without the root's name if it is alone."""
    found = {"before": world.effects.before, "after": world.effects.after, "expected": world.effects.expected}
    trees = {moment: tree for moment, tree in found.items() if tree is not None}
    alone = all([node.name for node in tree.entries] == [ROOT_NAME] for tree in trees.values())
    notations: dict[str, str] = {}
    for moment, tree in trees.items():
        equal = next((other for other in notations if trees[other] == tree), None)  # most calls change little
        if equal is None:
            shown = without_default_metadata(subtree(tree, ROOT_NAME) if alone else tree)
            notations[moment] = truncate(render_tree(shown))
        else:
            notations[moment] = notations[equal]
    if "expected" in trees and "after" in trees and notations["expected"] == notations["after"]:
        notations["expected"], notations["after"] = map(truncate, notations_of(trees["expected"], trees["after"]))
    return notations


def _step_evidence(step: StepText | None) -> dict[str, Any]:
    """Return the step at which the scenario has ended, with its table and its text block."""
    if step is None:
        return {"step": ""}
    result: dict[str, Any] = {"step": f"{step.keyword_type.capitalize()} {step.text}"}
    if step.table is not None:
        result["table"] = [[truncate(cell, MAX_CELL_CHARACTERS) for cell in row] for row in step.table[:MAX_TABLE_ROWS]]
    if step.docstring is not None:
        result["docstring"] = truncate(step.docstring, MAX_DOCSTRING_CHARACTERS)
    return result


def _race_evidence(faults: FaultInjection) -> str:
    rounds = "1 round" if faults.race_rounds == 1 else f"{faults.race_rounds} rounds"
    return f"This is a race: {faults.race}, while the call runs; {rounds} ran."


def _call_evidence(session: Session, call: Call, names: Mapping[str, str], *, is_sent: bool = True) -> dict[str, Any]:
    arguments = (
        call.arguments_text if call.arguments_text is not None else json.dumps(call.arguments, ensure_ascii=False)
    )
    sent = session.sent_arguments(call) if is_sent else None
    return {
        "tool": call.tool,
        "arguments": truncate(scrub(arguments, names), 4000),
        **({} if sent is None else {"sent": truncate(scrub(sent, names), 4000)}),
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

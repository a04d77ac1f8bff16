"""Collects the planned and the executed items of a conformance run, from one process or from several.

Knows node ids, reports and records, and no candidate. The same code as in any other run judges the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.run.completeness import check_completeness
from treeproof.run.conclusion import Clock, Run, conclude_run
from treeproof.run.execution import RunResults
from treeproof.run.plan import Options, TargetPlan
from treeproof.run.scenario_plugin import ROOT_NODE_ID, node_id
from treeproof.run.scenario_record import build_record
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import Fault, NotApplicable, NotVerified, Outcome, Profile, ScenarioRecord, baseline
from treeproof.verdict.judge import CANDIDATE_DID_NOT_START
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import Verdict

_BY_SEVERITY = (Outcome.PASSED, Outcome.NOT_APPLICABLE, Outcome.NOT_VERIFIED, Outcome.FAULT, Outcome.FAILED)
EVIDENCE_KEY = "evidence"
"""The member of the facts about a candidate that has the positive evidence of each pack."""
_UNKNOWN_HOST = {"system": "unknown", "root": False, "strace": None, "non_utf8_names": None}
START_NODE_ID = f"{ROOT_NODE_ID}::start"
"""The item that fails if the candidate did not start."""


@dataclass(frozen=True)
class ConformanceResult:
    """The run document, the numbers of selected and of all scenarios, and the failures that belong to no item."""

    document: RunDocument
    selected_count: int
    scenario_count: int
    failures_without_item: tuple[str, ...]


class RunCollector:
    """Collects in the process that reports: the only one, or the controller of pytest-xdist."""

    def __init__(self, plans: Sequence[TargetPlan]) -> None:
        self._target = plans[0].target
        self.packs: dict[str, SelectedPack] = {part.pack.name: part for plan in plans for part in plan.packs}
        self._simulated_packs = {part.pack.name for plan in plans if plan.is_reference for part in plan.packs}
        self.began = Clock()
        self.selected: set[str] = set()
        self.candidate_facts: dict[str, Any] | None = None
        self.start_failure: str | None = None
        self._records: dict[str, ScenarioRecord] = {}

    def runnable_cases(self, part: SelectedPack) -> Iterable[ScenarioCase]:
        """Yield the scenarios of a pack that apply here; the others have no item."""
        yield from (case for case in part.cases if not self._is_not_applicable(part, case))

    def _is_not_applicable(self, part: SelectedPack, case: ScenarioCase) -> bool:
        if case.simulated is None or case.simulated == self._target.platform:
            return False
        return part.pack.name not in self._simulated_packs

    def add_record(self, node: str, record: ScenarioRecord) -> None:
        """Keep a record; of repeated runs, the worst outcome: a flaky scenario counts as failed."""
        before = self._records.get(node)
        if before is None or _BY_SEVERITY.index(record.outcome) >= _BY_SEVERITY.index(before.outcome):
            self._records[node] = record

    def add_lost_item(self, node: str, message: str, *, crashed: bool) -> None:
        """Record an item without a record: its worker ``crashed``, or a plugin or hook has ended it."""
        if node == START_NODE_ID:
            self.start_failure = message
            return
        error = (
            Fault("candidate", message)
            if crashed
            else NotVerified("ended_by_hook", f"another plugin or hook ended it: {message}")
        )
        for part in self.packs.values():
            case = next((case for case in self.runnable_cases(part) if node_id(part.pack, case) == node), None)
            if case is not None:
                self.add_record(node, build_record(part.pack, case, None, error, 0.0))

    def conclude(
        self, options: Options, baseline_entries: Sequence[baseline.BaselineEntry], *, stopped: bool
    ) -> ConformanceResult:
        """Judge the records. ``stopped``: pytest ended before all selected items ran."""
        facts, scenarios = self.candidate_facts or {}, self.selected - {START_NODE_ID}
        claims = facts.get("packs") or sorted({node.split("::")[1] for node in scenarios})
        parts = [self.packs[name] for name in self.packs if name in claims] or list(self.packs.values())
        all_nodes = {node_id(part.pack, case) for part in parts for case in self.runnable_cases(part)}
        has_selection = self.selected != all_nodes and self.start_failure is None
        results = RunResults(
            [self._pack_records(part, has_selection) for part in parts],
            [InitializeResult(**hello) for hello in facts.get("hellos", ())],
            self._start_fault,
            [] if stopped else check_completeness(scenarios, sorted(self._records)),
            interrupted=stopped,
            evidence=facts.get(EVIDENCE_KEY, {}),
        )
        run = conclude_run(
            results,
            options,
            self._target,
            self.began,
            packs=parts,
            selection=sorted(node.rsplit("::", 1)[1] for node in self.selected) if has_selection else (),
            machine=facts.get("machine", _UNKNOWN_HOST),
            command=options.command,
            warnings=sorted({message for record in self._records.values() for message in record.warnings}),
            baseline_entries=baseline_entries,
        )
        return ConformanceResult(
            run.document,
            len(self.selected),
            len(all_nodes),
            (*results.completeness_errors, *self._failures_without_item(run, options.chosen_profile)),
        )

    @property
    def _start_fault(self) -> CandidateFault | None:
        why = self.start_failure
        return CandidateFault("start", why.removeprefix(f"{CANDIDATE_DID_NOT_START}: ")) if why is not None else None

    def _pack_records(self, part: SelectedPack, has_selection: bool) -> tuple[SelectedPack, tuple[ScenarioRecord, ...]]:
        nodes = {node_id(part.pack, case): case for case in part.cases}
        records = [self._records[node] for node in nodes if node in self._records]
        if has_selection:
            selected = frozenset(case.id for node, case in nodes.items() if node in self.selected)
            return replace(part, selected_ids=selected), tuple(records)
        if self.start_failure is None:
            why = NotApplicable("a rule of another platform, which is only simulated, and only for the reference")
            not_applicable = [case for case in part.cases if self._is_not_applicable(part, case)]
            records += [build_record(part.pack, case, None, why, 0.0) for case in not_applicable]
        return part, tuple(records)

    def _failures_without_item(self, run: Run, profile: Profile) -> list[str]:
        """Return the failures without a failing item: of the baseline, or of several scenarios together."""
        applied = run.applied
        ids = [entry.id for entry in applied.entries if entry.state in ("passed", "expired")]
        expired = {entry.id for entry in applied.entries if entry.state == "expired"}
        reported = {record.id for record in self._records.values()} - expired
        messages = [text for text, id in zip(applied.contradictions, ids, strict=True) if id not in reported]
        failing = [
            verdict
            for judgement in applied.judgements
            for verdict in judgement.requirements
            if verdict.verdict is Verdict.FAIL and verdict.selected and verdict.decides(profile)
        ]
        # Only failures without own scenarios have a cause; restatements are reported with the other requirement.
        return messages + [
            v.cause for v in failing if v.cause and not v.known and v.id in self._own_requirement_ids(applied)
        ]

    @staticmethod
    def _own_requirement_ids(applied: baseline.AppliedBaseline) -> set[str]:
        return {r.id for j in applied.judgements for r in j.pack.requirements if not r.restates}


def merge_evidence(
    one: Mapping[str, Mapping[str, str]], other: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Return the positive evidence of two processes: what one of them has not shown, the run has not shown."""
    return {
        pack: {
            call: one.get(pack, {}).get(call) or other.get(pack, {}).get(call) or ""
            for call in {**one.get(pack, {}), **other.get(pack, {})}
        }
        for pack in {**one, **other}
    }

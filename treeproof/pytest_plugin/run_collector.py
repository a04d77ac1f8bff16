"""Collects the planned and the executed items of a conformance run, from one process or from several.

Knows node ids, reports and records, and no candidate. The same code as in any other run judges the records.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.pytest_plugin.items import ROOT_NODE_ID, node_id
from treeproof.run.completeness import check_completeness
from treeproof.run.plan import Options, TargetPlan, platform_name
from treeproof.run.scenario_record import build_record
from treeproof.run.selected_pack import SelectedPack
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import (
    Fault,
    NotApplicable,
    NotVerified,
    Outcome,
    Profile,
    ScenarioRecord,
    baseline,
    judge,
)
from treeproof.verdict.judge import INTERRUPTED, NOT_STARTED, Conclusion, conclude
from treeproof.verdict.run_document import CandidateFacts, HostFacts, RunDocument, RunFacts, build_run_document
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
        self.packs: dict[str, SelectedPack] = {part.pack.name: part for plan in plans for part in plan.packs}
        self._simulated_packs = {part.pack.name for plan in plans if plan.is_reference for part in plan.packs}
        self.started_at, self._clock = datetime.datetime.now(datetime.UTC), time.monotonic()
        self.selected: set[str] = set()
        self.candidate_facts: dict[str, Any] | None = None
        self.start_failure: str | None = None
        self._records: dict[str, ScenarioRecord] = {}

    def runnable_cases(self, part: SelectedPack) -> Iterable[ScenarioCase]:
        """Yield the scenarios of a pack that apply here; the others have no item."""
        for text in part.features.values():
            yield from (case for case in text.scenarios if not self._is_not_applicable(part.pack, case))

    def _is_not_applicable(self, pack: Pack, case: ScenarioCase) -> bool:
        return case.simulated is not None and pack.name not in self._simulated_packs

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
        self,
        *,
        options: Options,
        adapter_kind: str,
        baseline_entries: Sequence[baseline.BaselineEntry],
        baseline_name: str | None,
        stopped: bool,
    ) -> ConformanceResult:
        """Judge the records. ``stopped``: pytest ended before all selected items ran."""
        facts, profile = self.candidate_facts or {}, options.profile
        claims = facts.get("packs") or sorted({node.split("::")[1] for node in self.selected if node != START_NODE_ID})
        parts = [self.packs[name] for name in self.packs if name in claims] or list(self.packs.values())
        all_nodes = {node_id(part.pack, case) for part in parts for case in self.runnable_cases(part)}
        has_selection = self.selected != all_nodes and self.start_failure is None
        completeness_errors = check_completeness(
            self.selected - {START_NODE_ID},
            sorted(self.selected - {START_NODE_ID}),
            sorted(self._records),
            None,
            (),
        )
        judgements = [self._judge_pack(part, profile, has_selection, stopped) for part in parts]
        applied = baseline.apply_baseline(
            baseline_entries, judgements, platform=platform_name(), today=self.started_at.date()
        )
        conclusion, reason = conclude(
            applied.judgements,
            profile,
            has_selection=has_selection,
            completeness_errors=() if stopped else completeness_errors,
            contradictions=applied.contradictions,
            interrupted=stopped,
        )
        if self.start_failure is not None:
            conclusion, reason = Conclusion.FAULT, self.start_failure
        run = RunFacts(
            candidate=_candidate_summary(facts, options.target, adapter_kind),
            machine=HostFacts.from_json(facts.get("machine", _UNKNOWN_HOST)),
            profile=profile,
            selection=sorted(node.rsplit("::", 1)[1] for node in self.selected) if has_selection else None,
            seed=options.seed,
            command=options.command,
            started=self.started_at.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self._clock,
            interrupted=stopped,
            warnings=[
                *([] if stopped else completeness_errors),
                *applied.contradictions,
                *applied.changes,
                *self._scenario_warnings(),
            ],
            baseline=applied.result(baseline_name) if baseline_name else None,
        )
        hidden_failures = [*([] if stopped else completeness_errors), *self._failures_without_item(applied, profile)]
        return ConformanceResult(
            build_run_document(applied.judgements, conclusion, reason, run),
            len(self.selected),
            len(all_nodes),
            tuple(hidden_failures),
        )

    def _judge_pack(self, part: SelectedPack, profile: Profile, has_selection: bool, stopped: bool) -> Any:
        own = {node_id(part.pack, case): case for text in part.features.values() for case in text.scenarios}
        records = [self._records[node] for node in own if node in self._records]
        if not has_selection and self.start_failure is None:
            why = NotApplicable("a rule of another platform, which is only simulated, and only for the reference")
            not_applicable = [case for case in own.values() if self._is_not_applicable(part.pack, case)]
            records += [build_record(part.pack, case, None, why, 0.0) for case in not_applicable]
        return judge(
            part.pack,
            records,
            platform=platform_name(),
            selected=frozenset(case.id for node, case in own.items() if node in self.selected)
            if has_selection
            else None,
            expected=part.requirement_by_scenario,
            profile=profile,
            unfinished=NOT_STARTED if self.start_failure else INTERRUPTED if stopped else None,
            evidence=(self.candidate_facts or {}).get(EVIDENCE_KEY, {}).get(part.pack.name),
        )

    def _scenario_warnings(self) -> list[str]:
        return sorted({message for record in self._records.values() for message in record.warnings})

    def _failures_without_item(self, applied: baseline.AppliedBaseline, profile: Profile) -> list[str]:
        """Return the failures without a failing item: of the baseline, or of several scenarios together."""
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


def _candidate_summary(facts: Mapping[str, Any], target: str, kind: str) -> CandidateFacts:
    version, language = facts.get("version", ""), facts.get("language", "")
    return CandidateFacts(facts.get("name", target), version, language, kind, tuple(facts.get("capabilities", ())))

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
from treeproof.report.document import Document
from treeproof.run.completeness import check_completeness
from treeproof.run.plan import Options, SelectedPack, TargetPlan, platform_name
from treeproof.run.scenario_record import build_record
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
from treeproof.verdict.judge import INTERRUPTED, NOT_STARTED, Conclusion, Verdict, conclude
from treeproof.verdict.run_document import RunFacts, build_run_document

_BY_SEVERITY = (Outcome.PASSED, Outcome.NOT_APPLICABLE, Outcome.NOT_VERIFIED, Outcome.FAULT, Outcome.FAILED)
START_NODE_ID = f"{ROOT_NODE_ID}::start"
"""The item that fails where the candidate did not start."""


@dataclass(frozen=True)
class ConformanceResult:
    """The run document, how many scenarios ran of how many, and what decides although no item shows it."""

    document: Document
    selected_count: int
    scenario_count: int
    failures_without_item: tuple[str, ...]


class RunCollector:
    """Of the process that reports: the only one, or the controller of pytest-xdist."""

    def __init__(self, plans: Sequence[TargetPlan]) -> None:
        self.packs: dict[str, SelectedPack] = {part.pack.name: part for party in plans for part in party.packs}
        self._simulated_packs = {part.pack.name for party in plans if party.is_reference for part in party.packs}
        self.started_at, self._clock = datetime.datetime.now(datetime.UTC), time.monotonic()
        self.selected: set[str] = set()
        self.candidate_facts: dict[str, Any] | None = None
        self.start_failure: str | None = None
        self._records: dict[str, ScenarioRecord] = {}

    def runnable_cases(self, part: SelectedPack) -> Iterable[ScenarioCase]:
        """Yield the scenarios of a pack that can show something here; the others need no item."""
        for text in part.features.values():
            yield from (row for row in text.scenarios if not self._is_not_applicable(part.pack, row))

    def _is_not_applicable(self, pack: Pack, row: ScenarioCase) -> bool:
        return row.simulated is not None and pack.name not in self._simulated_packs

    def add_record(self, node: str, record: ScenarioRecord) -> None:
        """Keep a record. Of a scenario that runs again the graver outcome stays: one that wavers did not hold."""
        before = self._records.get(node)
        if before is None or _BY_SEVERITY.index(record.outcome) >= _BY_SEVERITY.index(before.outcome):
            self._records[node] = record

    def add_lost_item(self, node: str, said: str, *, crashed: bool) -> None:
        """An item ended without a record: its worker ``crashed``, or a plugin or a hook kept it from running."""
        if node == START_NODE_ID:
            self.start_failure = said
            return
        error = (
            Fault("candidate", said)
            if crashed
            else NotVerified("ended_by_hook", f"another plugin or hook ended it: {said}")
        )
        for part in self.packs.values():
            row = next((row for row in self.runnable_cases(part) if node_id(part.pack, row) == node), None)
            if row is not None:
                self.add_record(node, build_record(part.pack.folder, row, None, error, 0.0))

    def conclude(
        self,
        *,
        options: Options,
        adapter_kind: str,
        baseline_entries: Sequence[baseline.BaselineEntry],
        baseline_name: str | None,
        stopped: bool,
    ) -> ConformanceResult:
        """Judge what ran. ``stopped``: pytest ended before everything that was selected had its turn."""
        facts, profile = self.candidate_facts or {}, options.profile
        claims = facts.get("packs") or sorted({node.split("::")[1] for node in self.selected if node != START_NODE_ID})
        parts = [self.packs[name] for name in self.packs if name in claims] or list(self.packs.values())
        every = {node_id(part.pack, row) for part in parts for row in self.runnable_cases(part)}
        narrowed = self.selected != every and self.start_failure is None
        guards = check_completeness(
            self.selected - {START_NODE_ID},
            sorted(self.selected - {START_NODE_ID}),
            sorted(self._records),
            None,
            (),
        )
        judgements = [self._judge_pack(part, profile, narrowed, stopped) for part in parts]
        applied = baseline.apply_baseline(
            baseline_entries, judgements, platform=platform_name(), today=self.started_at.date()
        )
        word, reason = conclude(
            applied.judgements,
            profile,
            has_selection=narrowed,
            completeness_errors=() if stopped else guards,
            contradictions=applied.contradictions,
        )
        if self.start_failure is not None:
            word, reason = Conclusion.FAULT, self.start_failure
        run = RunFacts(
            candidate=_candidate_summary(facts, options.target, adapter_kind),
            machine=facts.get("machine", {}),
            profile=profile,
            selection=sorted(node.rsplit("::", 1)[1] for node in self.selected) if narrowed else None,
            seed=options.seed,
            command=options.command,
            started=self.started_at.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self._clock,
            interrupted=stopped,
            warnings=[*([] if stopped else guards), *applied.contradictions, *self._scenario_warnings()],
            baseline=applied.to_json(baseline_name) if baseline_name else None,
        )
        unseen = [*([] if stopped else guards), *self._failures_without_item(applied, profile)]
        return ConformanceResult(
            build_run_document(applied.judgements, word, reason, run),
            len(self.selected),
            len(every),
            tuple(unseen),
        )

    def _judge_pack(self, part: SelectedPack, profile: Profile, narrowed: bool, stopped: bool) -> Any:
        own = {node_id(part.pack, row): row for text in part.features.values() for row in text.scenarios}
        records = [self._records[node] for node in own if node in self._records]
        if not narrowed and self.start_failure is None:
            why = NotApplicable("a rule of another platform, which is only simulated, and only for the reference")
            settled = [row for row in own.values() if self._is_not_applicable(part.pack, row)]
            records += [build_record(part.pack.folder, row, None, why, 0.0) for row in settled]
        return judge(
            part.pack,
            records,
            platform=platform_name(),
            selected=frozenset(row.id for node, row in own.items() if node in self.selected) if narrowed else None,
            expected=part.requirement_by_scenario,
            profile=profile,
            unfinished=NOT_STARTED if self.start_failure else INTERRUPTED if stopped else None,
        )

    def _scenario_warnings(self) -> list[str]:
        return sorted({said for record in self._records.values() for said in record.warnings})

    def _failures_without_item(self, applied: baseline.AppliedBaseline, profile: Profile) -> list[str]:
        """What decides although every scenario's own item is content: of the baseline, or of several together."""
        untrue = [
            entry for entry, state in applied.states if state in ("passed", "expired")
        ]  # in the order of the sentences
        shown = {record.id for record in self._records.values()} - {
            entry.id for entry, state in applied.states if state == "expired"
        }
        said = [told for told, entry in zip(applied.contradictions, untrue, strict=True) if entry.id not in shown]
        failing = [
            verdict
            for judgement in applied.judgements
            for verdict in judgement.requirements
            if verdict.verdict is Verdict.FAIL and verdict.selected and verdict.decides(profile)
        ]
        # Only what fails without a scenario of its own has a cause; what restates another one is told there.
        return said + [
            v.cause
            for v in failing
            if v.cause and not v.is_known_failure and v.id in self._own_requirement_ids(applied)
        ]

    @staticmethod
    def _own_requirement_ids(applied: baseline.AppliedBaseline) -> set[str]:
        return {r.id for j in applied.judgements for r in j.pack.requirements if not r.restates}


def _candidate_summary(facts: Mapping[str, Any], target: str, kind: str) -> dict[str, Any]:
    said = {member: facts.get(member, "") for member in ("version", "language")}
    name, capabilities = facts.get("name", target), facts.get("capabilities", [])
    return {"name": name, **said, "adapter": kind, "capabilities": capabilities}

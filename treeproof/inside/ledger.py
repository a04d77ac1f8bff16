"""What was to run and what did, from one process or from many: the books of a conformance run inside pytest.

Knows node ids, reports and records, and no candidate. The judging is that of any other run.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.inside.items import TOP, node_id
from treeproof.report.document import Document
from treeproof.run.asked import Asked, Options, Party, platform_name
from treeproof.run.guard import broken_promises
from treeproof.run.recording import record_of
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioRow
from treeproof.verdict import Fault, NotApplicable, NotVerified, Outcome, Profile, Record, baseline, judge
from treeproof.verdict.document import RunFacts, document
from treeproof.verdict.judge import Verdict, Word, conclude

_GRAVER = (Outcome.PASSED, Outcome.NOT_APPLICABLE, Outcome.NOT_VERIFIED, Outcome.FAULT, Outcome.FAILED)
START = f"{TOP}::start"
"""The item that fails where the candidate did not start."""


@dataclass(frozen=True)
class Conclusion:
    """The run document, how many scenarios ran of how many, and what decides although no item shows it."""

    document: Document
    chosen: int
    scenarios: int
    unseen: tuple[str, ...]


class Ledger:
    """Of the process that reports: the only one, or the controller of pytest-xdist."""

    def __init__(self, parties: Sequence[Party]) -> None:
        self.packs: dict[str, Asked] = {part.pack.name: part for party in parties for part in party.asked}
        self._simulating = {part.pack.name for party in parties if party.is_reference for part in party.asked}
        self.began, self._clock = datetime.datetime.now(datetime.UTC), time.monotonic()
        self.selected: set[str] = set()
        self.facts: dict[str, Any] | None = None
        self.start_failed: str | None = None
        self._records: dict[str, Record] = {}

    def rows(self, part: Asked) -> Iterable[ScenarioRow]:
        """Yield the scenarios of a pack that can show something here; the others need no item."""
        for text in part.features.values():
            yield from (row for row in text.scenarios if not self._is_settled(part.pack, row))

    def _is_settled(self, pack: Pack, row: ScenarioRow) -> bool:
        return row.simulated is not None and pack.name not in self._simulating

    def note(self, node: str, record: Record) -> None:
        """Keep a record. Of a scenario that runs again the graver outcome stays: one that wavers did not hold."""
        before = self._records.get(node)
        if before is None or _GRAVER.index(record.outcome) >= _GRAVER.index(before.outcome):
            self._records[node] = record

    def note_loss(self, node: str, said: str, *, crashed: bool) -> None:
        """An item ended without a record: its worker ``crashed``, or a plugin or a hook kept it from running."""
        if node == START:
            self.start_failed = said
            return
        error = (
            Fault("candidate", said) if crashed else NotVerified(f"another plugin or hook ended it: {said}")
        )
        for part in self.packs.values():
            row = next((row for row in self.rows(part) if node_id(part.pack, row) == node), None)
            if row is not None:
                self.note(node, record_of(part.pack.folder, row, None, error, 0.0))

    def conclude(
        self,
        *,
        options: Options,
        kind: str,
        known: Sequence[baseline.Known],
        baseline_name: str | None,
        stopped: bool,
    ) -> Conclusion:
        """Judge what ran. ``stopped``: pytest ended before everything that was selected had its turn."""
        facts, profile = self.facts or {}, options.profile
        claims = facts.get("packs") or sorted(
            {node.split("::")[1] for node in self.selected if node != START}
        )
        parts = [self.packs[name] for name in self.packs if name in claims] or list(self.packs.values())
        every = {node_id(part.pack, row) for part in parts for row in self.rows(part)}
        narrowed = self.selected != every and self.start_failed is None
        guards = broken_promises(
            self.selected - {START}, sorted(self.selected - {START}), sorted(self._records), None, ()
        )
        judgements = [self._judged(part, profile, narrowed, stopped) for part in parts]
        applied = baseline.apply(known, judgements, platform=platform_name(), today=self.began.date())
        word, reason = conclude(
            applied.judgements,
            profile,
            narrowed=narrowed,
            guards=() if stopped else guards,
            contradictions=applied.contradictions,
        )
        if self.start_failed is not None:
            word, reason = Word.FAULT, self.start_failed
        run = RunFacts(
            candidate=_candidate(facts, options.target, kind),
            machine=facts.get("machine", {}),
            profile=profile,
            selection=sorted(node.rsplit("::", 1)[1] for node in self.selected) if narrowed else None,
            seed=options.seed,
            command=options.command,
            started=self.began.isoformat(timespec="seconds"),
            seconds=time.monotonic() - self._clock,
            interrupted=stopped,
            warnings=[*([] if stopped else guards), *applied.contradictions, *self._remarks()],
            baseline=applied.to_json(baseline_name) if baseline_name else None,
        )
        unseen = [*([] if stopped else guards), *self._unshown(applied, profile)]
        return Conclusion(
            document(applied.judgements, word, reason, run), len(self.selected), len(every), tuple(unseen)
        )

    def _judged(self, part: Asked, profile: Profile, narrowed: bool, stopped: bool) -> Any:
        own = {node_id(part.pack, row): row for text in part.features.values() for row in text.scenarios}
        records = [self._records[node] for node in own if node in self._records]
        if not narrowed and self.start_failed is None:
            why = NotApplicable(
                "a rule of another platform, which is only simulated, and only for the reference"
            )
            settled = [row for row in own.values() if self._is_settled(part.pack, row)]
            records += [record_of(part.pack.folder, row, None, why, 0.0) for row in settled]
        return judge(
            part.pack,
            records,
            platform=platform_name(),
            selected=frozenset(row.id for node, row in own.items() if node in self.selected)
            if narrowed
            else None,
            expected=part.expected,
            profile=profile,
            interrupted=stopped,
        )

    def _remarks(self) -> list[str]:
        return sorted({said for record in self._records.values() for said in record.warnings})

    def _unshown(self, applied: baseline.Applied, profile: Profile) -> list[str]:
        """What decides although every scenario's own item is content: of the baseline, or of several together."""
        untrue = [
            entry for entry, state in applied.states if state in ("passed", "expired")
        ]  # in the order of the sentences
        shown = {record.id for record in self._records.values()} - {
            entry.id for entry, state in applied.states if state == "expired"
        }
        said = [
            told for told, entry in zip(applied.contradictions, untrue, strict=True) if entry.id not in shown
        ]
        failing = [
            verdict
            for judgement in applied.judgements
            for verdict in judgement.requirements
            if verdict.verdict is Verdict.FAIL and verdict.selected and verdict.decides(profile)
        ]
        # Only what fails without a scenario of its own has a cause; what restates another one is told there.
        return said + [v.cause for v in failing if v.cause and not v.known and v.id in self._own(applied)]

    @staticmethod
    def _own(applied: baseline.Applied) -> set[str]:
        return {r.id for j in applied.judgements for r in j.pack.requirements if not r.restates}


def _candidate(facts: Mapping[str, Any], target: str, kind: str) -> dict[str, Any]:
    said = {member: facts.get(member, "") for member in ("version", "language")}
    name, capabilities = facts.get("name", target), facts.get("capabilities", [])
    return {"name": name, **said, "adapter": kind, "capabilities": capabilities}

"""Runs the scenarios of a pack against variants, in a worker."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, Target
from treeproof.candidate.strace import Trace
from treeproof.mutation.pack_runner import PackRunner
from treeproof.mutation.variant_report import VariantResult
from treeproof.run.connected_candidate import ConnectedCandidate
from treeproof.run.interrupts import Interrupts
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Policy, Session, StepRegistry
from treeproof.run.targets import variant_target
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.variants import JOIN
from treeproof.tree import Host
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord
from treeproof.verdict.spec_result import Verdict

GROUP_EXAMPLES = 25
"""The random cases per property for several variants as one candidate, of which a pack has dozens."""

REFERENCE_ID = ""
"""The id of the reference in a request."""


class AnswerRecordingSession(Session):
    """A session that computes a hash of all results of a scenario, to compare them with those of the reference."""

    def __init__(self, pack: Pack, candidate: ConnectedCandidate, policy: Policy) -> None:
        super().__init__(pack, candidate, policy)
        self._hash = hashlib.sha256()

    def call(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        """Call a tool and record the result."""
        return self._record(super().call(call, adapter))

    def call_traced(
        self,
        call: Call,
        strace_args: Sequence[bytes],
        adapter: Adapter | None = None,
        on_delay: Callable[[], object] | None = None,
    ) -> tuple[CallResult, Trace]:
        """Call a tool under strace and record the result."""
        result, trace = super().call_traced(call, strace_args, adapter, on_delay)
        return self._record(result), trace

    def _record(self, result: CallResult) -> CallResult:
        parts = (result.status, result.content, result.error_kind, result.error_message)
        self._hash.update(self.workspace.without_paths(repr(parts)).encode("utf-8", "backslashreplace"))
        return result

    def take_hash(self) -> str:
        """Return the hash of the results since the last call of this method."""
        digest, self._hash = self._hash.hexdigest(), hashlib.sha256()
        return digest


class VariantRunner(PackRunner):
    """Runs scenarios of one pack against variants, one variant after the other."""

    def __init__(self, pack: Pack, host: Host, interrupts: Interrupts, registry: StepRegistry) -> None:
        super().__init__(pack, host, interrupts, registry)
        # A call beyond the document decides nothing about a right implementation.
        self._cases = [case for case in self._cases if case.basis != "prudent"]
        self._reference_hashes: dict[str, str] = {}

    def run(self, id: str, scenarios: Sequence[str] | None, *, compare: bool) -> VariantResult:
        """Return the result of a variant (REFERENCE_ID: the reference) from ``scenarios`` (None: all).

        With ``compare`` it names the scenarios in which the variant answers differently from the reference.
        """
        began = time.perf_counter()
        cases = [case for case in self._cases if scenarios is None or case.id in scenarios]
        target = variant_target(self._pack, id) if id else self._reference
        try:
            examples = GROUP_EXAMPLES if JOIN in id and not compare else None
            records, hashes, evidence = self._run(target, cases, examples)
        except CandidateFault as fault:
            return VariantResult(id, {"start": f"candidate fault: {fault.detail}"}, {}, {})
        changed = self._changed(hashes) if compare else ()
        return _result(id, self._judge(records, evidence, Profile.DEFAULT), changed, time.perf_counter() - began)

    def _changed(self, hashes: Mapping[str, str]) -> tuple[str, ...]:
        """Return the scenarios in which the results differ from those of the reference."""
        known = self._reference_hashes
        missing = [case for case in self._cases if case.id in hashes and case.id not in known]
        if missing:
            known |= self._run(self._reference, missing)[1]
        return tuple(id for id, digest in hashes.items() if known[id] != digest)

    def _run(
        self, target: Target, cases: Iterable[ScenarioCase], examples: int | None = None
    ) -> tuple[list[ScenarioRecord], dict[str, str], Mapping[str, str]]:
        """Return the records, and the results and readings of each scenario as a hash, and the positive evidence.

        Raises CandidateFault.
        """
        records, hashes = [], {}
        with self.open_session(target, AnswerRecordingSession, examples) as session:
            for case in cases:
                record = run_scenario(session, case)
                records.append(record)
                # Other effects may have the same text as a result.
                hashes[case.id] = f"{session.take_hash()} {sorted(record.readings.items())}"
            evidence = PositiveEvidence.for_session(session).finish()
        return records, hashes, evidence


def _result(id: str, judgement: PackJudgement, changed: tuple[str, ...], seconds: float) -> VariantResult:
    deciding = [one for one in judgement.requirements if one.selected and one.decides(Profile.DEFAULT)]
    failed = {one.id: one.cause for one in deciding if one.verdict is Verdict.FAIL}
    failures = {id: cause for id, cause in failed.items() if cause}
    for record in judgement.records:
        if record.requirement in failed and record.outcome is Outcome.FAILED and record.basis != "prudent":
            failures[record.id] = str(record.evidence.message)
        for finding in record.findings:
            if finding.decides:
                failures.setdefault(record.id, f"{finding.requirement}: {finding.evidence.message}")
    return VariantResult(
        id,
        failures,
        {one.id: one.cause or "" for one in deciding if one.verdict is Verdict.NOT_VERIFIED},
        {seen.id: list(seen.observed) for seen in judgement.interpretations if seen.observed},
        changed,
        seconds,
    )

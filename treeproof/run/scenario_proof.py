"""Whether a generated scenario shows the difference that it was made from.

A property reduces a case to a small one, and writes it as steps. They leave out what a step cannot say, so the steps
are run: they have to fail with the candidate, and to pass with the reference.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace

from treeproof.candidate import CandidateFault, connect
from treeproof.run.connected_candidate import ConnectedCandidate
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.run.targets import resolve_target
from treeproof.spec.gherkin import ScenarioCase, parse_feature_text
from treeproof.verdict import Evidence, Outcome, ScenarioRecord


def with_proven_scenario(session: Session, case: ScenarioCase, record: ScenarioRecord) -> ScenarioRecord:
    """Return the record without the generated scenarios that do not show the violation of its requirement."""
    texts = {one.scenario for one in (record.evidence, *(call.evidence for call in record.calls))} - {None, ""}
    wrong = {text for text in texts if not _is_proven(session, case, str(text))}
    if not wrong:
        return record

    def proven(evidence: Evidence) -> Evidence:
        return evidence.without(["scenario"]) if evidence.scenario in wrong else evidence

    calls = tuple(replace(call, evidence=proven(call.evidence)) for call in record.calls)
    return replace(record, evidence=proven(record.evidence), calls=calls)


def _is_proven(session: Session, case: ScenarioCase, text: str) -> bool:
    feature = f"Feature: generated\n  Scenario: generated\n{textwrap.indent(text, '    ')}\n"
    parsed = parse_feature_text(case.file, feature).scenarios
    generated = replace(case, steps=parsed[0].steps)
    if not _shows_violation(run_scenario(session, generated)):
        return False
    reference = session.shared(_Reference).session
    return reference is None or run_scenario(reference, generated).outcome is Outcome.PASSED


def _shows_violation(record: ScenarioRecord) -> bool:
    """Return whether a line fails, or the model names the requirement in each outcome that is possible."""
    by_model = (
        call.alternatives
        and all(
            any(record.requirement in finding.possible_requirements for finding in one.findings)
            for one in call.alternatives
        )
        for call in record.calls
    )
    return record.outcome is Outcome.FAILED or any(by_model)


class _Reference:
    """The session of the reference, which is started when it is needed first; None if there is none that starts."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self.session: Session | None = None
        self._candidate: ConnectedCandidate | None = None
        if not pack.reference:
            return
        target = resolve_target("reference", reference=pack.reference, folder=pack.folder)
        self._candidate = ConnectedCandidate(connect(target), session.candidate.environment)
        try:
            self._candidate.start(named_explicitly=True)
        except CandidateFault:
            return
        self.session = Session(pack, self._candidate, session.policy)

    def close(self) -> None:
        """Stop the reference."""
        if self.session is not None:
            self.session.close()
        if self._candidate is not None:
            self._candidate.close()

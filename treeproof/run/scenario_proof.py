"""Whether a generated scenario shows the difference that it was made from.

A property reduces a case to a small one, and writes it as steps. They leave out what a step cannot say, so the steps
are run: they have to show the same difference with the candidate, in a process that has had no other call, and to pass
with the reference.
"""

from __future__ import annotations

import copy
import textwrap
import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import replace

from treeproof.candidate import CandidateFault, ProcessOptions, connect
from treeproof.run.connected_candidate import ConnectedCandidate
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.run.targets import own_target
from treeproof.spec.gherkin import ScenarioCase, parse_feature_text
from treeproof.verdict import Evidence, NotVerified, Outcome, ScenarioRecord
from treeproof.verdict.finding import CallJudgement, Finding

MAX_SECONDS = 20.0
"""The time for the new processes of a session; what is not tried by then is not shown."""


def with_proven_scenario(session: Session, case: ScenarioCase, record: ScenarioRecord) -> ScenarioRecord:
    """Return the record without the generated scenarios that do not show the violation of its requirement."""
    shown = [record.evidence, *(call.evidence for call in record.calls)]
    texts = {one.scenario for one in shown} - {None, ""}
    if not texts:
        return record
    found = (one.evidence() for call in record.calls for some in _possible(record, call) for one in some)
    kinds = {one.difference_kind for one in (*shown, *found)} - {""}
    wrong = {text for text in texts if not _is_proven(session, case, str(text), kinds)}
    if not wrong:
        return record

    def proven(evidence: Evidence) -> Evidence:
        return evidence.without(["scenario"]) if evidence.scenario in wrong else evidence

    calls = tuple(replace(call, evidence=proven(call.evidence)) for call in record.calls)
    return replace(record, evidence=proven(record.evidence), calls=calls)


def _is_proven(session: Session, case: ScenarioCase, text: str, kinds: Set[str]) -> bool:
    feature = f"Feature: generated\n  Scenario: generated\n{textwrap.indent(text, '    ')}\n"
    parsed = parse_feature_text(case.file, feature).scenarios
    generated = replace(case, steps=parsed[0].steps)
    means = session.shared(_Means)
    if not _shows_violation(run_scenario(session, generated), kinds) or means.seconds <= 0:
        return False
    began = time.monotonic()
    with _new_process(session) as fresh:
        is_shown = _shows_violation(run_scenario(fresh, generated), kinds)
    means.seconds -= time.monotonic() - began
    reference = means.session
    return is_shown and (reference is None or run_scenario(reference, generated).outcome is Outcome.PASSED)


@contextmanager
def _new_process(session: Session) -> Iterator[Session]:
    """Give a session in which the candidate has had no call; the same one if the candidate cannot be started again."""
    try:
        adapter = session.spawn(ProcessOptions())
    except (CandidateFault, NotVerified):
        yield session
        return
    fresh = copy.copy(session)
    fresh.candidate = copy.copy(session.candidate)
    fresh.candidate.adapter = adapter
    try:
        yield fresh
    finally:
        adapter.close()


def _possible(record: ScenarioRecord, call: CallJudgement) -> list[list[Finding]]:
    """Return the findings on the requirement of a record, in each outcome of a call that is possible."""
    return [
        [finding for finding in one.findings if record.requirement in finding.possible_requirements]
        for one in call.alternatives
    ]


def _shows_violation(record: ScenarioRecord, kinds: Set[str]) -> bool:
    """Return whether a line, or the model in each possible outcome, shows a difference of one of these kinds."""
    if record.outcome is Outcome.FAILED and record.evidence.difference_kind in kinds:
        return True
    outcomes = (_possible(record, call) for call in record.calls)
    return any(
        all(some) and any(one.evidence().difference_kind in kinds for findings in some for one in findings)
        for some in outcomes
    )


class _Means:
    """What proofs share: the time, and the session of the reference; None if there is none that starts."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self.seconds = MAX_SECONDS
        self.session: Session | None = None
        self._candidate: ConnectedCandidate | None = None
        if not pack.reference:
            return
        self._candidate = ConnectedCandidate(connect(own_target(pack)), session.candidate.environment)
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

"""The search for counterexamples within a time limit: generate, call, judge, minimise.

Prints nothing; a listener receives every case and every counterexample.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from treeproof.candidate import CandidateFault
from treeproof.search.counterexample_file import SavedCounterexample, answer_to_json
from treeproof.search.generation import StopSearch
from treeproof.search.minimisation import find_minimal
from treeproof.search.model import Finding, Unmodelled
from treeproof.search.search_spaces import SearchCase, SearchSpace, SearchSpaces
from treeproof.search.setup import reference_agrees
from treeproof.tree import CannotBuild
from treeproof.verdict import NotVerified

CASES_PER_ROUND = 40
"""So many cases of a ground are drawn before the next one has its turn."""

SHRINK_ATTEMPTS = 500
SHRINK_SECONDS = 20.0
"""A counterexample that was found in time may be made smaller for so long, even if the time is over."""

MAX_COUNTEREXAMPLES = 12
"""After so many counterexamples, each for another requirement, there is enough to do."""


class SearchListener(Protocol):
    """Who hears how a search goes."""

    def on_case(self, search: Search) -> None:
        """A further case was asked and judged."""

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        """A counterexample, made as small as it gets."""


@dataclass
class Search:
    """A search that is going on, or is over. `cases` are calls that were judged, `classes` what was met in them."""

    spaces: SearchSpaces
    reference: SearchSpaces | None
    target: str
    seconds: float
    listener: SearchListener
    cases: int = 0
    skipped: int = 0
    label_counts: Counter[str] = field(default_factory=Counter)
    counterexamples: list[SavedCounterexample] = field(default_factory=list)
    fault: str = ""
    interrupted: bool = False
    started_at: float = field(default_factory=time.monotonic)
    ended_at: float = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since it began, until it ended."""
        return (self.ended_at or time.monotonic()) - self.started_at

    @property
    def is_over(self) -> bool:
        """Whether its time is up, or it has found enough."""
        return self.elapsed >= self.seconds or len(self.counterexamples) >= MAX_COUNTEREXAMPLES or bool(self.fault)

    @property
    def exit_code(self) -> int:
        """1 with a counterexample, 4 if the candidate broke, 3 if nobody looked long enough, else 0."""
        if self.counterexamples:
            return 1
        return 4 if self.fault else 3 if self.interrupted else 0

    def run(self) -> None:
        """Look until it is over. A candidate that breaks, and a signal, end it early."""
        try:
            round = 0
            while not self.is_over:
                for ground in self.spaces:
                    if not self.is_over:
                        self._run_round(ground, round)
                round += 1
        except CandidateFault as fault:
            self.fault = str(fault)
        except KeyboardInterrupt:
            self.interrupted = True
        self.ended_at = time.monotonic()

    def _run_round(self, ground: SearchSpace, round: int) -> None:
        """One round of a ground. A counterexample is kept to the requirement that it was found for."""
        known = {bundle.requirement for bundle in self.counterexamples}
        wanted: Finding | None = None
        patience = 0.0

        def fails(case: SearchCase) -> bool:
            nonlocal wanted, patience
            if wanted is None and self.is_over:
                raise StopSearch
            if wanted is not None and time.monotonic() > patience:
                raise StopSearch
            findings = self._run_case(ground, case, counted=wanted is None)
            if wanted is not None:
                return any(finding.requirement == wanted.requirement for finding in findings)
            wanted = next((finding for finding in findings if finding.requirement not in known), None)
            patience = time.monotonic() + SHRINK_SECONDS
            return wanted is not None

        case = find_minimal(
            ground.strategy(),
            fails,
            seed=self.spaces.session.policy.seed + round,
            examples=CASES_PER_ROUND,
            attempts=SHRINK_ATTEMPTS,
            weight=lambda case: case.weight,
        )
        if case is not None and wanted is not None:
            self._save_counterexample(ground, case, wanted)

    def _run_case(self, ground: SearchSpace, case: SearchCase, *, counted: bool) -> tuple[Finding, ...]:
        try:
            looked = ground.run_case(case)
        except (Unmodelled, CannotBuild):
            self.skipped += 1
            return ()
        if counted:
            for classes in looked.case_labels:
                self.cases += 1
                self.label_counts.update(classes)
            self.listener.on_case(self)
        return looked.findings

    def _save_counterexample(self, ground: SearchSpace, case: SearchCase, wanted: Finding) -> None:
        session = self.spaces.session
        hello = session.candidate.initialize_result
        told = ground.minimise(case, wanted)
        bundle = SavedCounterexample(
            spec=session.pack.name,
            family=ground.name,
            outside=ground.outside,
            case=told.case,
            requirement=told.finding.requirement,
            message=told.finding.message,
            expected=told.finding.expected,
            got=told.finding.got,
            scenario=told.scenario,
            answer=answer_to_json(told.answer),
            agreement=self._describe_agreement(ground, told.case),
            target=self.target,
            candidate={"name": hello.name, "version": hello.version},
            profile=str(session.policy.profile),
            seed=session.policy.seed,
        )
        self.counterexamples.append(bundle)
        self.listener.on_counterexample(bundle)

    def _describe_agreement(self, ground: SearchSpace, case: SearchCase) -> str:
        """Of candidate, reference and model, who stands alone."""
        if self.reference is None:
            return ""
        try:
            agreed = reference_agrees(self.reference, ground.name, case)
        except (CandidateFault, CannotBuild, NotVerified, Unmodelled):
            agreed = None
        return {
            True: "the reference answers as the model says: the candidate stands alone",
            False: "the reference does not answer as the model says either: look at the model first",
            None: "",
        }[agreed]

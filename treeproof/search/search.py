"""The search for counterexamples within a time limit: generate, call, judge, minimise.

Prints nothing; a listener receives every case and every counterexample.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from treeproof.candidate import CandidateFault
from treeproof.errors import UsageError
from treeproof.model.case import Unmodelled
from treeproof.run.interrupts import Interrupts
from treeproof.search.counterexample_file import SavedCounterexample, answer_to_json
from treeproof.search.generation import StopSearch
from treeproof.search.minimisation import find_minimal
from treeproof.search.search_spaces import SearchCase, SearchSpace, SearchSpaces, open_search
from treeproof.tree import CannotBuild, WorkspaceLost
from treeproof.verdict import NotVerified, Profile, decides_exit_code
from treeproof.verdict.finding import Finding
from treeproof.verdict.judge import EXIT_CODES, Conclusion

CASES_PER_ROUND = 40
"""The number of cases of one search space per round."""

SHRINK_ATTEMPTS = 500
SHRINK_SECONDS = 20.0
"""The time to shrink a counterexample, even after the time limit of the search."""

MAX_COUNTEREXAMPLES = 12
"""A search ends after this number of counterexamples, each for another requirement."""


class SearchListener(Protocol):
    """Receives the progress of a search."""

    def on_case(self, search: Search) -> None:
        """Receive the search after each judged case."""

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        """Receive a minimised counterexample."""


@dataclass
class Search:
    """A search. `cases` is the number of judged calls, `label_counts` the number of calls per case label."""

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
        """The duration of the search in seconds."""
        return (self.ended_at or time.monotonic()) - self.started_at

    @property
    def is_over(self) -> bool:
        """True after the time limit, a fault or enough counterexamples."""
        return self.elapsed >= self.seconds or len(self.counterexamples) >= MAX_COUNTEREXAMPLES or bool(self.fault)

    @property
    def exit_code(self) -> int:
        """1 with a counterexample, 4 after a fault, 5 after an interrupt, else 0."""
        if self.counterexamples:
            return 1
        return 4 if self.fault else EXIT_CODES[Conclusion.INTERRUPTED] if self.interrupted else 0

    @cached_property
    def _deciding(self) -> frozenset[str]:
        """The requirements that decide the exit code of a run; a recommendation has no counterexample by default."""
        session = self.spaces.session
        return frozenset(
            one.id
            for one in session.pack.requirements
            if decides_exit_code(one.level, one.basis, session.policy.profile)
        )

    def run(self) -> None:
        """Search until it is over. A fault of the candidate or a signal ends it early."""
        try:
            round = 0
            while not self.is_over:
                for space in self.spaces:
                    if not self.is_over:
                        self._run_round(space, round)
                round += 1
        except CandidateFault as fault:
            self.fault = str(fault)
        except KeyboardInterrupt:
            self.interrupted = True
        self.ended_at = time.monotonic()

    def _run_round(self, space: SearchSpace, round: int) -> None:
        """Run one round of a space. A counterexample keeps its first requirement while it shrinks."""
        known = {counterexample.requirement for counterexample in self.counterexamples}
        target: Finding | None = None
        deadline = 0.0

        def fails(case: SearchCase) -> bool:
            nonlocal target, deadline
            if self.is_over if target is None else time.monotonic() > deadline:
                raise StopSearch
            findings = self._run_case(space, case, counted=target is None)
            if target is not None:
                return any(finding.requirement == target.requirement for finding in findings)
            target = next((finding for finding in findings if finding.requirement not in known), None)
            deadline = time.monotonic() + SHRINK_SECONDS
            return target is not None

        case = find_minimal(
            space.strategy(),
            fails,
            seed=self.spaces.session.policy.seed + round,
            examples=CASES_PER_ROUND,
            attempts=SHRINK_ATTEMPTS,
        )
        if case is not None and target is not None:
            self._save_counterexample(space, case, target)

    def _run_case(self, space: SearchSpace, case: SearchCase, *, counted: bool) -> tuple[Finding, ...]:
        try:
            result = space.run_case(case)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost
        except (Unmodelled, CannotBuild):
            self.skipped += 1
            return ()
        if counted:
            for labels in result.case_labels:
                self.cases += 1
                self.label_counts.update(labels)
            self.listener.on_case(self)
        return tuple(finding for finding in result.findings if finding.requirement in self._deciding)

    def _save_counterexample(self, space: SearchSpace, case: SearchCase, target: Finding) -> None:
        session = self.spaces.session
        hello = session.candidate.initialize_result
        minimal = space.minimise(case, target)
        counterexample = SavedCounterexample(
            spec=session.pack.name,
            version=session.pack.version,
            family=space.name,
            outside=space.outside,
            case=minimal.case,
            requirement=minimal.finding.requirement,
            message=minimal.finding.message,
            expected=minimal.finding.expected,
            got=minimal.finding.got,
            scenario=minimal.scenario,
            answer=answer_to_json(minimal.answer),
            agreement=self._describe_agreement(space, minimal.case),
            target=self.target,
            candidate={"name": hello.name, "version": hello.version},
            profile=str(session.policy.profile),
            seed=session.policy.seed,
        )
        self.counterexamples.append(counterexample)
        self.listener.on_counterexample(counterexample)

    def _describe_agreement(self, space: SearchSpace, case: SearchCase) -> str:
        """Return a text on which of candidate, reference and model disagrees with the other two; "" if unknown."""
        own_space = self.reference.get(space.name) if self.reference is not None else None
        if own_space is None:
            return ""
        try:
            if own_space.run_case(case).findings:
                return "the reference does not agree with the model either: check the model first"
            return "the reference agrees with the model: only the candidate differs"
        except (CandidateFault, CannotBuild, NotVerified, Unmodelled):
            return ""


@dataclass(frozen=True)
class ReplayResult:
    """The findings of a replay, and the counterexample with the new answer. `cause`: why the case could not run."""

    counterexample: SavedCounterexample
    findings: tuple[Finding, ...] = ()
    cause: str = ""

    @property
    def exit_code(self) -> int:
        """1 if it is still a counterexample, 3 if the case could not run, else 0."""
        if self.cause:
            return 3
        return 1 if self.findings else 0


def replay(
    counterexample: SavedCounterexample,
    target: str,
    profile: Profile | None,
    interrupts: Interrupts,
    *,
    file: Path,
) -> ReplayResult:
    """Run the case again. Raises CandidateFault, and UsageError with the counterexample's ``file``."""
    effective_profile = profile or Profile(counterexample.profile)
    with open_search(target, [counterexample.spec], effective_profile, counterexample.seed, interrupts) as spaces:
        space = spaces.get(counterexample.family)
        if space is None:
            if not spaces.is_known(counterexample.family):
                raise UsageError(
                    f'{file}: the key "family": the model has no family "{counterexample.family}" any more'
                )
            return ReplayResult(
                counterexample,
                cause=f"this candidate does not support cases of the family {counterexample.family}",
            )
        if not isinstance(counterexample.case, space.case_type):
            raise UsageError(f'{file}: the key "case": it is not a case of the family "{counterexample.family}"')
        try:
            result = space.with_outside(counterexample.outside).run_case(counterexample.case)
        except CannotBuild as error:
            return ReplayResult(counterexample, cause=f"this machine cannot make the tree: {error}")
        except NotVerified as why:
            return ReplayResult(counterexample, cause=why.detail)
        except Unmodelled as why:
            return ReplayResult(counterexample, cause=f"the model does not cover the case any more: {why}")
    return ReplayResult(replace(counterexample, answer=answer_to_json(result.answer)), result.findings)

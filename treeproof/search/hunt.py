"""Looking for counterexamples as long as there is time: draw, ask, judge, and make smaller what does not hold.

Nothing is told from here; a listener hears of every case and of every counterexample.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from treeproof.candidate import CandidateFault
from treeproof.search.bundle import Bundle, answer_json
from treeproof.search.drawing import Enough, falsified
from treeproof.search.grounds import Ground, Grounds, Kept
from treeproof.search.model import Finding, Unmodelled
from treeproof.search.opening import agrees
from treeproof.tree import CannotBuild
from treeproof.verdict import NotVerified

CASES_A_ROUND = 40
"""So many cases of a ground are drawn before the next one has its turn."""

SHRINK_ATTEMPTS = 500
SHRINK_SECONDS = 20.0
"""A counterexample that was found in time may be made smaller for so long, even if the time is over."""

MOST_FOUND = 12
"""After so many counterexamples, each for another requirement, there is enough to do."""


class Listener(Protocol):
    """Who hears how a search goes."""

    def looked_at(self, hunt: Hunt) -> None:
        """A further case was asked and judged."""

    def found(self, bundle: Bundle) -> None:
        """A counterexample, made as small as it gets."""


@dataclass
class Hunt:
    """A search that is going on, or is over. `cases` are calls that were judged, `classes` what was met in them."""

    grounds: Grounds
    referee: Grounds | None
    target: str
    seconds: float
    listener: Listener
    cases: int = 0
    left_out: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    bundles: list[Bundle] = field(default_factory=list)
    fault: str = ""
    interrupted: bool = False
    began: float = field(default_factory=time.monotonic)
    ended: float = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds since it began, until it ended."""
        return (self.ended or time.monotonic()) - self.began

    @property
    def is_over(self) -> bool:
        """Whether its time is up, or it has found enough."""
        return self.elapsed >= self.seconds or len(self.bundles) >= MOST_FOUND or bool(self.fault)

    @property
    def exit(self) -> int:
        """1 with a counterexample, 4 if the candidate broke, 3 if nobody looked long enough, else 0."""
        if self.bundles:
            return 1
        return 4 if self.fault else 3 if self.interrupted else 0

    def run(self) -> None:
        """Look until it is over. A candidate that breaks, and a signal, end it early."""
        try:
            round = 0
            while not self.is_over:
                for ground in self.grounds:
                    if not self.is_over:
                        self._search(ground, round)
                round += 1
        except CandidateFault as fault:
            self.fault = str(fault)
        except KeyboardInterrupt:
            self.interrupted = True
        self.ended = time.monotonic()

    def _search(self, ground: Ground, round: int) -> None:
        """One round of a ground. A counterexample is kept to the requirement that it was found for."""
        known = {bundle.requirement for bundle in self.bundles}
        wanted: Finding | None = None
        patience = 0.0

        def fails(case: Kept) -> bool:
            nonlocal wanted, patience
            if wanted is None and self.is_over:
                raise Enough
            if wanted is not None and time.monotonic() > patience:
                raise Enough
            findings = self._findings(ground, case, counted=wanted is None)
            if wanted is not None:
                return any(finding.requirement == wanted.requirement for finding in findings)
            wanted = next((finding for finding in findings if finding.requirement not in known), None)
            patience = time.monotonic() + SHRINK_SECONDS
            return wanted is not None

        case = falsified(
            ground.strategy(),
            fails,
            seed=self.grounds.session.seed + round,
            examples=CASES_A_ROUND,
            attempts=SHRINK_ATTEMPTS,
            weigh=lambda case: case.weight,
        )
        if case is not None and wanted is not None:
            self._keep(ground, case, wanted)

    def _findings(self, ground: Ground, case: Kept, *, counted: bool) -> tuple[Finding, ...]:
        try:
            looked = ground.look(case)
        except (Unmodelled, CannotBuild):
            self.left_out += 1
            return ()
        if counted:
            for classes in looked.classes:
                self.cases += 1
                self.classes.update(classes)
            self.listener.looked_at(self)
        return looked.findings

    def _keep(self, ground: Ground, case: Kept, wanted: Finding) -> None:
        session = self.grounds.session
        told = ground.told(case, wanted)
        bundle = Bundle(
            spec=session.pack.name,
            family=ground.name,
            outside=ground.outside,
            case=told.case,
            requirement=told.finding.requirement,
            message=told.finding.message,
            expected=told.finding.expected,
            got=told.finding.got,
            scenario=told.scenario,
            answer=answer_json(told.answer),
            agreement=self._agreement(ground, told.case),
            target=self.target,
            candidate={"name": session.hello.name, "version": session.hello.version},
            profile=str(session.profile),
            seed=session.seed,
        )
        self.bundles.append(bundle)
        self.listener.found(bundle)

    def _agreement(self, ground: Ground, case: Kept) -> str:
        """Of candidate, reference and model, who stands alone."""
        if self.referee is None:
            return ""
        try:
            agreed = agrees(self.referee, ground.name, case)
        except (CandidateFault, CannotBuild, NotVerified, Unmodelled):
            agreed = None
        return {
            True: "the reference answers as the model says: the candidate stands alone",
            False: "the reference does not answer as the model says either: look at the model first",
            None: "",
        }[agreed]

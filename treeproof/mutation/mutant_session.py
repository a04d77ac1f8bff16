"""One mutant or variant and the scenarios of its pack, run one by one until the result is certain.

Each scenario runs as in an ordinary run. But properties do not reduce failing cases, and scenarios that cannot change a
verdict do not run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from treeproof.candidate import Target
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.plan import TargetPlan
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session, StepRegistry
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.verdict import Outcome, Profile, ScenarioRecord
from treeproof.verdict.judge import resolve_alone

NOT_PASSING = frozenset({Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED})
"""Outcomes with which a scenario keeps its requirement from passing."""


S = TypeVar("S", bound=Session)


@contextlib.contextmanager
def open_session(
    pack: Pack,
    target: Target,
    environment: Environment,
    registry: StepRegistry,
    session_class: Callable[[Pack, ConnectedCandidate, Policy], S],
) -> Iterator[S]:
    """Start a mutant or variant and yield its session. Raises CandidateFault if it does not start."""
    plan = TargetPlan(target, (SelectedPack(pack),))
    with ConnectedCandidate.connect(plan, environment) as candidate:
        session = session_class(pack, candidate.start(named_explicitly=True), Policy(minimises=False))
        session.step_registry = registry  # the same for all of them
        with contextlib.closing(session):
            yield session


def run_scenarios(
    session: Session,
    cases: Iterable[ScenarioCase],
    costs: ScenarioCosts,
    stop_outcomes: frozenset[Outcome],
    first: str | None = None,
    wanted: frozenset[str] = frozenset(),
) -> list[ScenarioRecord]:
    """Run the scenarios: the one with the id ``first``, then the fast ones before the slow ones.

    A requirement ends with its first outcome in ``stop_outcomes``, or with a finding in the scenario of any. If
    requirements are ``wanted``, their scenarios come before others, and nothing runs once one of them has ended.
    """
    records = []
    decided: set[str] = set()

    def rank(case: ScenarioCase) -> tuple[bool, bool]:
        return case.id != first, bool(wanted) and case.requirement not in wanted

    for case in sorted(costs.cheapest_first(cases), key=rank):
        if wanted & decided:
            break
        if case.requirement not in decided:
            record = run_scenario(session, case)
            costs.add(record)
            records.append(record)
            alone = resolve_alone(session.pack, record, Profile.STRICT)
            if alone.outcome in stop_outcomes:
                decided.add(case.requirement)
            if stop_outcomes:
                decided |= {finding.requirement for finding in alone.findings if finding.decides}
    return records


class ScenarioCosts:
    """The times of scenarios, in seconds by id."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def add(self, record: ScenarioRecord) -> None:
        """Keep the time of a scenario unless it failed: a failure may end early."""
        if record.outcome is not Outcome.FAILED:
            self._seconds[record.id] = record.seconds

    def cheapest_first(self, cases: Iterable[ScenarioCase]) -> list[ScenarioCase]:
        """Return the cases in the order of their times; those without a When make many calls and come last."""
        return sorted(cases, key=lambda case: (not _has_call(case), self._seconds.get(case.id, 0.0)))


def _has_call(case: ScenarioCase) -> bool:
    return any(step.keyword_type == "when" for step in case.steps)

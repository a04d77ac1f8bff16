"""What runs scenarios of a pack against one candidate after the other: a mutant, a variant, or the reference.

Each scenario runs as in an ordinary run. But properties do not reduce failing cases.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from treeproof.candidate import Target
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import TargetPlan
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session, StepRegistry
from treeproof.run.targets import own_target
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.systems import system_name
from treeproof.tree import Host, Workspace
from treeproof.verdict import PackJudgement, Profile, ScenarioRecord, judge

S = TypeVar("S", bound=Session)


class PackRunner:
    """Opens sessions of one pack, and judges their records. All sessions share the step definitions."""

    def __init__(self, pack: Pack, host: Host, interrupts: Interrupts, registry: StepRegistry) -> None:
        self._pack, self._host, self._interrupts, self._registry = pack, host, interrupts, registry
        self._cases = scenarios_of(pack)

    @cached_property
    def _reference(self) -> Target:
        return own_target(self._pack)

    @contextlib.contextmanager
    def open_session(
        self,
        target: Target,
        session_class: Callable[[Pack, ConnectedCandidate, Policy], S],
        examples: int | None = None,
    ) -> Iterator[S]:
        """Start a candidate in a workspace of its own and yield its session. Raises CandidateFault if that fails.

        ``examples``: the number of random cases per property; None: each has its own.
        """
        plan = TargetPlan(target, (SelectedPack(self._pack),))
        with (
            Workspace.create() as workspace,
            ConnectedCandidate.connect(plan, Environment(workspace, self._host, self._interrupts)) as candidate,
        ):
            session = session_class(
                self._pack, candidate.start(named_explicitly=True), Policy(examples=examples, minimises=False)
            )
            session.step_registry = self._registry
            with contextlib.closing(session):
                yield session

    def _judge(self, records: Sequence[ScenarioRecord], evidence: Mapping[str, str], profile: Profile) -> PackJudgement:
        """Return the judgement of records that are all of the run."""
        return judge(
            self._pack,
            records,
            platform=system_name(),
            selected=frozenset(record.id for record in records),
            expected={case.id: case.requirement for case in self._cases},
            profile=profile,
            evidence=evidence,
        )


def has_call(case: ScenarioCase) -> bool:
    """Return False for a property, which makes many calls in one step."""
    return any(step.keyword_type == "when" for step in case.steps)

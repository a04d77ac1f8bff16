"""Which values of a pack's table of inputs, and which pairs of them, the calls of its scenarios and random cases have.

The reference answers; each call is labelled by its tree and its arguments.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from treeproof.errors import UsageError
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.model.case_facts import EARLIER
from treeproof.model.checked_model import CheckedModel, CheckedStateMachine, load_model, load_state_machine
from treeproof.model.input_table import InputTable, Labels, Pair, Value
from treeproof.run.call_judge import CallJudge
from treeproof.run.connected_candidate import ConnectedCandidate, Environment
from treeproof.run.plan import TargetPlan
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.run.targets import own_target
from treeproof.search.case_samples import CaseSamples
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import Pack, ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import ROOT_NAME, Tree, parse_tree, without_default_metadata
from treeproof.verdict import Outcome
from treeproof.verdict.finding import CallJudgement

MIN_PAIRS = 0.95
"""The share of the possible pairs that a pack must reach."""


@dataclass
class Coverage:
    """What the calls of a run have. `counts` has the number of scenarios and random cases of each value."""

    pack: Pack
    table: InputTable
    counts: Counter[int] = field(default_factory=Counter)
    pairs: set[Pair] = field(default_factory=set)
    calls: int = 0
    stale: list[tuple[str, str]] = field(default_factory=list)
    """The ids of generated scenarios with another example than what the model expects, and that."""
    _seen: set[Labels] = field(default_factory=set)

    def add(self, labels: Labels) -> None:
        """Count a call."""
        self.calls += 1
        self.counts.update(labels.values())
        if labels not in self._seen:
            self._seen.add(labels)
            self.pairs.update(labels.pairs())

    @property
    def missing_values(self) -> list[Value]:
        """The values that no call has."""
        return [value for value in self.table.values if not self.counts[value.number]]

    @property
    def missing_pairs(self) -> list[Pair]:
        """The possible pairs that no call has, in the order of the table."""
        return sorted(self.table.possible_pairs() - self.pairs)

    @property
    def share_of_pairs(self) -> float:
        """The share of the possible pairs that some call has, from 0 to 1."""
        possible = self.table.possible_pairs()
        return len(possible & self.pairs) / len(possible) if possible else 1.0

    @property
    def is_enough(self) -> bool:
        """Whether each value and MIN_PAIRS of the pairs are reached, and no generated scenario is stale."""
        return not self.missing_values and not self.stale and self.share_of_pairs >= MIN_PAIRS


def measure_coverage(pack: Pack, environment: Environment) -> Coverage:
    """Run all scenarios of a pack with the reference, and return what they reach.

    Raises UsageError for a table that is wrong, and CandidateFault if the reference does not start.
    """
    coverage = Coverage(pack, InputTable(pack))
    target = own_target(pack)
    plan = TargetPlan(target, (SelectedPack(pack),))
    with ConnectedCandidate.connect(plan, environment) as candidate:
        session = Session(pack, candidate.start(named_explicitly=True), Policy(minimises=False))
        with contextlib.closing(session):
            for _, labels in labelled_calls(session, coverage):
                coverage.add(labels)
    return coverage


def labelled_calls(session: Session, coverage: Coverage) -> Iterator[tuple[Exchange, Labels]]:
    """Run all scenarios, and yield their calls and those of random cases with their labels."""
    pack = session.pack
    model = load_model(pack) if pack.state_machine is None else load_state_machine(pack)
    calls: list[tuple[Exchange, CallJudgement]] = []
    judge = CallJudge.for_session(session)
    judge.on_judged = lambda exchange, judgement: calls.append((_with_outside(exchange), judgement))
    for case in scenarios_of(pack):
        calls.clear()
        record = run_scenario(session, case)
        if record.outcome is Outcome.FAULT:
            raise UsageError(f"{case.id} ends with a fault: {record.evidence.reason}; correct it first")
        if calls and case.is_generated:
            _check_example(case, calls[-1][0].case, model, coverage)
        before: Case | None = None
        for exchange, judgement in calls:
            earlier = EARLIER[
                0 if judgement.number == 1 else 1 if before is None or before.tree == exchange.case.tree else 2
            ]
            before = exchange.case
            yield exchange, coverage.table.labels(exchange.case, earlier, model_labels(model, exchange))
    if pack.oracle is not None:
        for case_run in CaseSamples.for_session(session).all_case_runs:
            outside = parse_tree(case_run.family.outside)
            for own, call, answer in zip(case_run.cases, case_run.calls, case_run.answers, strict=True):
                exchange = Exchange(replace(own, outside=outside), answer, call=call)
                labels = model_labels(model, exchange)
                yield exchange, coverage.table.labels(exchange.case, _earlier_of(own), labels)
    if pack.state_machine is not None:
        last: Case | None = None
        for exchange in SequenceRunner.for_session(session).exchanges:
            earlier = EARLIER[0 if last is None else 1 if last.tree == exchange.case.tree else 2]
            last = exchange.case
            exchange = _with_outside(exchange)
            yield exchange, coverage.table.labels(exchange.case, earlier, model_labels(model, exchange))


def _check_example(
    scenario: ScenarioCase, case: Case, model: CheckedModel | CheckedStateMachine, coverage: Coverage
) -> None:
    """Note a generated scenario whose example is not what the model expects."""
    if isinstance(model, CheckedStateMachine):  # its tree was read from the disk
        case = replace(case, tree=without_default_metadata(case.tree), outside=without_default_metadata(case.outside))
    expected = to_json(model.summary(case))
    if dict(scenario.values).get("expected") != expected:
        coverage.stale.append((scenario.id, expected))


def _with_outside(exchange: Exchange) -> Exchange:
    """Return the call of a tool that changes trees with the tree beside its sandbox root, and that at $FAR."""
    if not exchange.before.entries:
        return exchange
    beside = tuple(node for node in exchange.before.entries if node.name != ROOT_NAME)
    return replace(exchange, case=replace(exchange.case, outside=Tree(beside)))


def model_labels(model: CheckedModel | CheckedStateMachine, exchange: Exchange) -> Iterable[str]:
    """Return what the model of a pack names a call; nothing for one that it does not cover."""
    try:
        return model.case_labels(exchange.case if isinstance(model, CheckedModel) else exchange)
    except Unmodelled:
        return ()


def _earlier_of(case: Case) -> str:
    if not case.earlier:
        return EARLIER[0]
    return EARLIER[1 if all(one.tree == case.tree for one in case.earlier) else 2]


def to_json(value: Any) -> str:
    """Return JSON that can be in a file: an escape instead of half a pair of surrogates, which stands for a byte."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()

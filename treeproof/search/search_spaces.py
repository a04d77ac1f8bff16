"""Search spaces: kinds of random cases that can be generated, run, judged and minimised.

The families of a model and the sequences of a state machine have the same interface here. Each of their cases can be
saved and run again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from treeproof.candidate import CallResult, CandidateFault, connect
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.model.case import Case, CaseFamily, CommandSequence, Exchange, Unmodelled
from treeproof.run.clean_packs import require_clean
from treeproof.run.connected_candidate import ConnectedCandidate, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import TargetPlan
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.session import Policy, Session
from treeproof.run.targets import REFERENCE, own_target, resolve_target
from treeproof.search.case_samples import CaseSamples
from treeproof.search.sequences import SequenceRunner, with_second_root
from treeproof.spec import Pack, bundled_packs, load_pack, open_pack
from treeproof.spec.packs import default_specs
from treeproof.tree import CannotBuild, Tree, without_default_metadata
from treeproof.verdict import NotApplicable, NotSent, Profile
from treeproof.verdict.finding import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SEQUENCES_NAME = "sequences"
"""The name of the search space of a state machine; other spaces have the name of their family."""

SearchCase: TypeAlias = "Case | CommandSequence"
"""A random case: one call on a tree, or a sequence of calls."""


@dataclass(frozen=True)
class CaseResult:
    """The findings of a case, its last answer, and the case labels of each judged call."""

    findings: tuple[Finding, ...]
    answer: CallResult
    case_labels: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Counterexample:
    """A minimised case, the finding in its last call, and the steps of a scenario ("" if there are none)."""

    case: SearchCase
    finding: Finding
    answer: CallResult
    scenario: str


class ModelCases:
    """The cases of one family of a model. `outside` is the tree beside the sandbox root, in notation.

    Methods that run a case raise CandidateFault, CannotBuild and Unmodelled.
    """

    case_type: type[SearchCase] = Case

    def __init__(self, samples: CaseSamples, family: CaseFamily) -> None:
        self._samples, self._family = samples, family
        self.name, self.outside = family.name, family.outside

    def strategy(self) -> SearchStrategy[Any]:
        """Return the hypothesis strategy for its cases on this host."""
        return self._samples.strategy(self._family)

    def run_case(self, case: Any) -> CaseResult:
        """Make the call and compare the answer with the model."""
        with self._samples.temporary_run(self._family, case) as run:
            run.watches_changes = bool(self._family.unchanged)
            try:
                findings = run.judge(self._samples.model, self._samples.accepted_readings).findings
            except (NotApplicable, NotSent) as why:
                raise Unmodelled(str(why)) from why
            if self._family.unchanged and (changes := run.changes()):
                got = "; ".join(changes)
                findings += (Finding(self._family.unchanged, "the call has changed the disk", "", got, ()),)
            return CaseResult(findings, run.call_candidate(), (self._samples.model.case_labels(case),))

    def minimise(self, case: Any, target: Finding) -> Counterexample:
        """Run the case again; hypothesis has already reduced it. It still has a finding for that requirement."""
        result = self.run_case(case)
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._samples.model.scenario_steps(case, self.outside))
        return Counterexample(case, _matching_finding(result.findings, target) or target, result.answer, scenario)

    def with_outside(self, outside: str) -> ModelCases:
        """Return the family with another tree beside the sandbox root; each case has its own tree."""
        return ModelCases(self._samples, replace(self._family, tree=None, outside=outside))


class StatefulCases:
    """The sequences of calls of a state machine."""

    case_type: type[SearchCase] = CommandSequence
    name = SEQUENCES_NAME

    def __init__(self, runner: SequenceRunner, outside: str) -> None:
        self._runner = runner
        self.outside = outside

    def strategy(self) -> SearchStrategy[Any]:
        """Return the hypothesis strategy for the sequences on this host."""
        return self._runner.strategy(self._runner.state_machine.wider)

    def run_case(self, sequence: Any) -> CaseResult:
        """Make all calls and compare each with the model, on the tree before that call."""
        exchanges = list(self._runner.run_sequence(sequence, self.outside))
        if not exchanges:
            raise Unmodelled("no call of the sequence can be made")
        findings = tuple(finding for exchange in exchanges for finding in self._runner.findings(exchange))
        labels = tuple(self._runner.state_machine.case_labels(exchange) for exchange in exchanges)
        return CaseResult(findings, exchanges[-1].answer, labels)

    def minimise(self, sequence: Any, target: Finding) -> Counterexample:
        """Return the failing call alone on the tree before it; with earlier calls only if they are necessary."""
        exchanges = self._run_until_failure(sequence, target)
        failing = exchanges[-1]
        if len(exchanges) > 1:
            try:
                alone = self._run_until_failure(CommandSequence(_tree_before(failing), (failing.command,)), target)
            except CannotBuild:  # the candidate has made that tree
                alone = exchanges
            is_enough = len(alone) == 1 and self._find(alone[-1], target) is not None
            exchanges = alone if is_enough else self._minimise_commands(exchanges, target)
        kept = CommandSequence(_tree_before(exchanges[0]), tuple(exchange.command for exchange in exchanges))
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._runner.state_machine.scenario_steps(exchanges, self._runner.accepted_readings))
        finding = self._find(exchanges[-1], target) or target
        return Counterexample(kept, finding, exchanges[-1].answer, scenario)

    def with_outside(self, outside: str) -> StatefulCases:
        """Return the sequences with another tree beside the sandbox root."""
        return StatefulCases(self._runner, outside)

    def _minimise_commands(self, exchanges: list[Exchange], target: Finding) -> list[Exchange]:
        """Return the failing call after as few earlier calls as possible."""
        tree = _tree_before(exchanges[0])
        for index in reversed(range(len(exchanges) - 1)):
            if index >= len(exchanges) - 1:
                continue  # an earlier call has failed instead, so this one was removed
            commands = tuple(exchange.command for exchange in (*exchanges[:index], *exchanges[index + 1 :]))
            try:
                fewer = self._run_until_failure(CommandSequence(tree, commands), target)
            except CannotBuild:
                continue
            if self._find(fewer[-1], target) is not None:
                exchanges = fewer
        return exchanges

    def _find(self, exchange: Exchange, target: Finding) -> Finding | None:
        return _matching_finding(self._runner.findings(exchange), target)

    def _run_until_failure(self, sequence: CommandSequence, target: Finding) -> list[Exchange]:
        """Return the exchanges up to the first one with such a finding; all if there is none."""
        exchanges = list(self._runner.run_sequence(sequence, self.outside))
        failing = (n for n, one in enumerate(exchanges, start=1) if self._find(one, target))
        return exchanges[: next(failing, None)]


SearchSpace = ModelCases | StatefulCases
"""Cases of one kind."""


def _tree_before(exchange: Exchange) -> Tree:
    """Return the tree in the sandbox root before a call, in a form that can be built."""
    return without_default_metadata(with_second_root(exchange.before))


def _matching_finding(findings: tuple[Finding, ...], target: Finding) -> Finding | None:
    return next((finding for finding in findings if finding.requirement == target.requirement), None)


class SearchSpaces:
    """All search spaces of a candidate: the families of its pack's model, and the sequences of its state machine."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._all_names: set[str] = set()
        self.all_case_labels: tuple[str, ...] = ()
        """All case labels, in display order."""
        self._spaces = {space.name: space for space in self._create_spaces(session.pack)}

    def _create_spaces(self, pack: Pack) -> Iterator[SearchSpace]:
        if pack.oracle is not None:
            samples = CaseSamples(self.session)
            self._all_names |= samples.all_family_names
            self.all_case_labels += samples.model.all_case_labels
            for family in samples.families.values():
                yield ModelCases(samples, family)
        if pack.state_machine is not None:
            runner = SequenceRunner(self.session)
            self._all_names.add(SEQUENCES_NAME)
            self.all_case_labels += tuple(
                name for name in runner.state_machine.all_case_labels if name not in self.all_case_labels
            )
            yield StatefulCases(runner, runner.state_machine.outside)

    def __iter__(self) -> Iterator[SearchSpace]:
        return iter(self._spaces.values())

    def get(self, name: str) -> SearchSpace | None:
        """Return the space of this name; None if there is none, or the candidate does not support its cases."""
        return self._spaces.get(name)

    def is_known(self, name: str) -> bool:
        """Return True if a candidate with every tool and capability has a space of this name."""
        return name in self._all_names


@contextlib.contextmanager
def open_search(
    target: str, specs: Sequence[str], profile: Profile, seed: int, interrupts: Interrupts
) -> Iterator[SearchSpaces]:
    """Start the candidate that TARGET names; at the end it is closed and everything that was built is removed.

    Raises UsageError, and CandidateFault if the candidate does not start.
    """
    parsed = None if target == REFERENCE else resolve_target(target, specs)
    if parsed is not None:
        specs = specs or parsed.specs
    specs = specs or default_specs()
    selected = map(open_pack, specs) if specs else map(load_pack, bundled_packs())
    packs = [pack for pack in selected if pack.has_model]
    if not packs:
        raise UsageError(
            "no specification has a model: none of them names an oracle or a state_machine in its spec.toml; "
            "see: treeproof list specs"
        )
    require_clean(packs)
    parsed = parsed or own_target(packs[0])
    plan = TargetPlan(parsed, tuple(map(SelectedPack, packs)))
    with (
        open_environment(interrupts) as environment,
        OrphanReaper(),
        ConnectedCandidate.connect(plan, environment) as candidate,
    ):
        candidate.start(named_explicitly=bool(specs))
        yield SearchSpaces(Session(candidate.packs[0].pack, candidate, Policy(profile, seed)))


@contextlib.contextmanager
def reference_search(spaces: SearchSpaces, target: str) -> Iterator[SearchSpaces | None]:
    """Open the reference in this process and workspace; None if it is the candidate itself or does not exist."""
    session = spaces.session
    if session.pack.reference is None or target == REFERENCE:
        yield None
        return
    adapter = connect(own_target(session.pack).with_own_error_kinds(session.pack.error_kinds))
    with ConnectedCandidate(adapter, session.candidate.environment) as reference:
        try:
            reference.start()
        except CandidateFault:
            yield None
        else:
            yield SearchSpaces(Session(session.pack, reference, session.policy))

"""One property on many random cases: whom a violation blames, and the smallest case that shows it.

A case that breaks another requirement is handed over to that one, which fails with its tree and call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from treeproof.api import (
    CallJudgement,
    CandidateFault,
    CaseFamily,
    CaseRun,
    CaseSamples,
    Fault,
    Finding,
    Mismatch,
    NotApplicable,
    NotSent,
    NotVerified,
    Unmodelled,
    World,
    render_tree,
)

from .properties import Property, PropertyCheck, PropertySuite, matches_model

MAX_SAMPLE_ROUNDS = 5
"""The maximum number of samples until a case is evidence."""


def check_property(suite: PropertySuite, world: World, name: str, *, needs_file_modes: bool = False) -> None:
    """Check a property on its sample.

    Raises Mismatch for the smallest case that violates it. Without a violation, raises CandidateFault if the
    candidate broke at a case. Raises NotVerified if faults kept it from a case, if no case is evidence,
    if every violation is attributed to another requirement, or if the candidate may ignore file modes. Raises
    NotApplicable if no case is evidence, and the candidate cannot get some: its tool lacks an argument, for example.
    """
    samples = CaseSamples.for_session(world.session)
    if needs_file_modes and not samples.respects_file_modes:
        what = "file modes do not bind the candidate here, so no directory can be closed to it"
        raise NotVerified("modes_ignored", what)
    try:
        runner = PropertyRunner(world, samples, suite, suite.properties[name])
        try:
            runner.run()
        finally:
            runner.hand_over()
    finally:
        samples.close()


def _record_evidence(world: World, case_run: CaseRun, why: Mismatch) -> None:
    """Record the evidence of one case as that of the scenario; ``why`` then names an answer of the scenario.

    By default that is the answer that the property requested last.
    """
    _record_tree(world, case_run)
    index = case_run.requested_index if why.answer_index is None else why.answer_index
    why.answer_index = None if index is None else len(world.log.answers) + index
    for call, answer in (*zip(case_run.calls, case_run.answers, strict=True), *case_run.further):
        world.log.add(call, answer)


def _record_tree(world: World, case_run: CaseRun) -> None:
    world.sandbox.roots.evidence_root = case_run.root
    world.sandbox.notations["tree"] = render_tree(case_run.tree)
    if case_run.family.outside:
        world.sandbox.notations["outside"] = case_run.family.outside


@dataclass
class PropertyRunner:
    """Checks one property on many cases.

    `judged_count` is the number of cases that are evidence; `blamed_requirements` are others that are violated.
    `broken` is the first case at which the candidate had a fault, or which it did not get because of earlier ones.
    """

    world: World
    samples: CaseSamples
    suite: PropertySuite
    checked_property: Property
    judged_count: int = 0
    blamed_requirements: set[str] = field(default_factory=set)
    own_finding: CallJudgement | None = None
    """The smallest case with a finding that names the property's requirement."""
    foreign: dict[str, tuple[CaseRun, int]] = field(default_factory=dict)
    """For each other requirement, the smallest case with a finding that names it, and the index of its answer."""
    broken: tuple[CaseRun, CandidateFault | NotVerified] | None = None
    left_out: tuple[CaseRun, CandidateFault] | None = None
    """The first case without an answer whose fault another property has."""
    unsent: NotApplicable | NotSent | None = None
    """Why the first case was left out whose call the candidate cannot get."""

    @property
    def requirement(self) -> str:
        return self.world.case.requirement

    @cached_property
    def affecting_interpretations(self) -> frozenset[str]:
        entries = self.world.session.pack.interpretations
        return frozenset(entry.id for entry in entries if self.requirement in entry.affects)

    @property
    def is_independent(self) -> bool:
        return self.checked_property.independent or self.compares_model

    @property
    def compares_model(self) -> bool:
        """True for the property that the model permits the answers."""
        return self.checked_property.function is matches_model

    def run(self) -> None:
        """Check the property on its sample, and on further ones until a case is evidence."""
        samples, names = self.samples, self.checked_property.families
        families = [samples.families[name] for name in names if name in samples.families]
        for family in families:
            self.check_all(family, samples.case_runs(family.name))
        if self.own_finding is not None:
            return
        if not self.judged_count:  # nothing but faults: they concern this property as well
            self.broken = self.broken or self.left_out
        self.raise_fault()
        for round in range(1, MAX_SAMPLE_ROUNDS):
            if self.judged_count or self.blamed_requirements or self.foreign:
                break
            for family in families:
                self.check_all(family, samples.further_runs(family.name, round))
            self.raise_fault()
        if self.judged_count:
            return
        if blamed := self.blamed_requirements | self.foreign.keys():
            others = ", ".join(sorted(blamed))
            raise NotVerified("other_requirement", f"every violation is attributed to {others}, and fails that")
        if self.unsent is not None:
            raise self.unsent
        if len(samples.build_errors) > samples.built_count:
            raise NotVerified(
                "tree_not_buildable",
                f"most random trees cannot be built on this machine: {samples.build_errors[-1]}",
            )
        raise NotVerified("no_evidence", "no random case is evidence; more entries in the candidate's lists would help")

    def check_all(self, family: CaseFamily, case_runs: Iterable[CaseRun]) -> None:
        """Raise Mismatch if a case violates the property and no other requirement.

        Of a model's findings the smallest case is kept instead, and no other case runs.
        """
        for case_run in case_runs if self.own_finding is None else ():
            if self.compares_model and self.repeats(case_run):
                continue
            try:
                shows_content = self.check_case(case_run)
                self.judged_count += shows_content
            except (NotApplicable, NotSent) as error:
                self.unsent = self.unsent or error
            except (CandidateFault, NotVerified) as error:
                if isinstance(error, NotVerified) and error.code != "not_called":
                    raise
                # The other cases may still show a violation. A fault of its own comes before a call that was not made.
                if isinstance(error, CandidateFault) and not self.is_first_at(case_run):
                    self.left_out = self.left_out or (case_run, error)
                elif self.broken is None or (
                    isinstance(error, CandidateFault) and not isinstance(self.broken[1], CandidateFault)
                ):
                    self.broken = case_run, error
            except Mismatch as why:
                others = set() if self.is_independent else self.other_requirements(case_run)
                if not others and self.compares_model:
                    self.minimise(family, case_run, why)
                    return  # the finding fails the requirement to which the whole run attributes it
                if not others:
                    raise self.minimise(family, case_run, why) from why
                self.blamed_requirements |= others
                self.keep_foreign(case_run)
            else:
                if self.compares_model:
                    case_run.cache["result"] = shows_content, self.observed_readings(case_run)
                    self.record_readings(case_run)

    def repeats(self, case_run: CaseRun) -> bool:
        """Return whether an earlier property has found the answers to a case right, and count it as that one did.

        A specification has dozens of properties that compare an answer with the model.
        """
        if "result" not in case_run.cache or any(self.samples.findings(case_run)):
            return False
        self.judged_count += case_run.cache["result"][0]
        self.record_readings(case_run)
        return True

    def is_first_at(self, case_run: CaseRun) -> bool:
        """Return whether this is the first property that meets the fault of a case: it has the fault, no other one.

        One crash of a thousand calls would else cost nearly every requirement its verdict.
        """
        owners: dict[int, str] = self.samples.cache.setdefault("owners of faults", {})
        return owners.setdefault(id(case_run), self.world.case.id) == self.world.case.id

    def keep_foreign(self, case_run: CaseRun) -> None:
        """Keep the findings of a case that name other requirements."""
        for found, index in self.samples.findings_with_answers(case_run):
            known = self.foreign.get(found.requirement)
            is_lighter = known is None or case_run.case.weight < known[0].case.weight
            if found.requirement != self.requirement and is_lighter:
                self.foreign[found.requirement] = case_run, index

    def hand_over(self) -> None:
        """Hand the cases with findings on other requirements over to these, once in a run: they fail with them.

        The record of a property that shows nothing because of them has them too: they block it.
        """
        handed: set[str] = self.samples.cache.setdefault("handed over", set())
        for requirement in sorted(self.foreign if not self.judged_count else self.foreign.keys() - handed):
            case_run, index = self.foreign[requirement]
            handed.add(requirement)
            self.world.judgements.append(self._judgement(case_run, index))
        if self.own_finding is not None:
            self.world.judgements.append(self.own_finding)

    def raise_fault(self) -> None:
        """Raise the fault of the first broken case, if any, and record its tree and call."""
        if self.broken is None:
            return
        case_run, error = self.broken
        if isinstance(error, CandidateFault):
            _record_tree(self.world, case_run)
            self.world.log.broken_call = case_run.broken_call or case_run.build_call(case_run.case)
        raise error

    def check_case(self, case_run: CaseRun) -> bool:
        """Check the property on one case of the sample. Raises Mismatch."""
        function = self.checked_property.function
        if self.compares_model:
            self.keep_foreign(case_run)
        shows_content: object = function(PropertyCheck(case_run, self.samples, self.suite, self.is_attributed))
        if not isinstance(shows_content, bool):
            problem = f"the property {function.__name__} returned {shows_content!r:.80}"
            fix = "return True if the case shows existing content, else False"
            raise Fault("specification", f"{self.world.session.pack.name}: {problem}; {fix}")
        return shows_content

    def is_attributed(self, finding: Finding) -> bool:
        return finding.requirement == self.requirement

    def other_requirements(self, case_run: CaseRun) -> set[str]:
        """Return the other requirements that the answers to a case violate; empty if they violate its own as well."""
        found = {one.requirement for one in self.samples.findings(case_run)}
        return found if self.requirement not in found else set()

    def observed_readings(self, case_run: CaseRun) -> Mapping[str, str]:
        try:
            return case_run.judge(self.samples.model, self.samples.accepted_readings).observed_readings
        except Unmodelled:
            return {}

    def record_readings(self, case_run: CaseRun) -> None:
        """Record the readings that the answer shows, of interpretations that affect the requirement."""
        try:
            for interpretation, label in case_run.cache["result"][1].items():
                if interpretation in self.affecting_interpretations:
                    self.world.evidence.record_reading(interpretation, label)
        except Mismatch as why:
            raise self.with_evidence(case_run, why) from why

    def minimise(self, family: CaseFamily, case_run: CaseRun, why: Mismatch) -> Mismatch:
        """Return the Mismatch of the smallest failing case, and record its evidence.

        If the sample has cases that break no other rule, it is the smallest of these.
        """
        is_single = any(self.breaks_one_rule(run) and self.fails(run) for run in self.samples.case_runs(family.name))
        fails = self.fails_alone if is_single else self.fails
        case = self.samples.find_minimal_case(family, fails) or case_run.case
        smallest = CaseRun(self.world.session, family, case, self.world.sandbox.root)
        smallest.build_tree()
        try:
            self.checked_property.function(PropertyCheck(smallest, self.samples, self.suite, self.is_attributed))
            why.message += " (not reproduced with the smallest case)"
        except Mismatch as again:
            why = again
        except (CandidateFault, NotVerified, NotApplicable):
            why.message += " (with the smallest case the candidate breaks)"
            smallest = case_run
        why.scenario = smallest.failing_scenario(self.samples.model, self.samples.accepted_readings)
        if self.compares_model:
            index = smallest.requested_index if why.answer_index is None else why.answer_index
            self.own_finding = self._judgement(smallest, index or 0, why.scenario)
            return why
        _record_evidence(self.world, smallest, why)
        return why

    def _judgement(self, case_run: CaseRun, index: int, scenario: str = "") -> CallJudgement:
        samples = self.samples
        return case_run.call_judgement(index, samples.model, samples.accepted_readings, scenario)

    def with_evidence(self, case_run: CaseRun, why: Mismatch) -> Mismatch:
        """Record the evidence of a case that follows another reading than earlier cases; alone it is no violation."""
        _record_evidence(self.world, case_run, why)
        return why

    def fails(self, case_run: CaseRun) -> bool:
        try:
            self.checked_property.function(PropertyCheck(case_run, self.samples, self.suite, self.is_attributed))
        except Mismatch:
            return self.is_independent or not self.other_requirements(case_run)
        except (CandidateFault, NotVerified, NotApplicable):  # another problem
            return False
        return False

    def fails_alone(self, case_run: CaseRun) -> bool:
        return self.fails(case_run) and self.breaks_one_rule(case_run)

    def breaks_one_rule(self, case_run: CaseRun) -> bool:
        """Return whether all findings in the answers so far name one requirement, the property's own."""
        found = [*self.samples.findings(case_run)]
        return all(map(self.is_attributed, found))

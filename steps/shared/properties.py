"""The check of properties, which hold for any tree and call, on random cases. Contains no steps and no properties.

All properties of a run share one sample of cases. If a case violates one, hypothesis reduces it. The evidence is the
tree, the calls and the results of the smallest case, and a scenario for a feature file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice

from treeproof.api import (
    MISSING_ENTRIES,
    Alternative,
    Attribution,
    CallJudgement,
    CandidateFault,
    CaseFamily,
    CaseRun,
    CaseSamples,
    CaseUpdate,
    Finding,
    Mismatch,
    NotVerified,
    SpecificationFault,
    Unmodelled,
    World,
    render_tree,
)

from .entry_view import entry_view
from .values import first_difference

MAX_SAMPLE_ROUNDS = 5
"""The maximum number of samples until a case is evidence."""

MAX_SILENT_CASES = 40
"""The maximum number of cases in the search for a first piece of evidence."""


@dataclass(frozen=True)
class PropertyCheck:
    """One case for one property. `is_attributed`: whether a finding of the model belongs to its requirement."""

    case_run: CaseRun
    samples: CaseSamples
    suite: PropertySuite
    is_attributed: Callable[[Finding], bool]


PropertyFunction = Callable[[PropertyCheck], bool]
"""Returns whether the case is evidence; raises Mismatch if it violates the property."""


@dataclass(frozen=True)
class Property:
    """A property and the families of cases for it. `independent`: errors of other requirements cannot violate it."""

    function: PropertyFunction
    families: tuple[str, ...]
    independent: bool = False


@dataclass(frozen=True)
class PropertySuite:
    """The properties of a pack by their names in steps.

    `variants`: the updates of each case of a family that the model judges; properties make these calls as well.
    `evidence_predicate`: whether the answer to a case shows existing content. Without any such answer every property
    fails, with `no_evidence_message`.
    """

    properties: Mapping[str, Property]
    variants: Mapping[str, tuple[CaseUpdate | None, ...]]
    evidence_predicate: Callable[[CaseRun], bool]
    no_evidence_message: str = "no call of the candidate lists anything"

    @property
    def names_pattern(self) -> str:
        """The names as a part of a step's pattern."""
        return "|".join(self.properties)

    def findings(self, case_run: CaseRun, samples: CaseSamples) -> tuple[Finding, ...]:
        """Return all findings of the model for a case and its variants. Raises CandidateFault."""
        return tuple(found for found, _ in self.findings_with_answers(case_run, samples))

    def findings_with_answers(self, case_run: CaseRun, samples: CaseSamples) -> tuple[tuple[Finding, int | None], ...]:
        """Return the same findings, each with the index of its answer in the case. Raises CandidateFault."""
        if "findings" not in case_run.cache:
            case_run.cache["findings"] = tuple(self._findings(case_run, samples))
        found: tuple[tuple[Finding, int | None], ...] = case_run.cache["findings"]
        return found

    def _findings_so_far(self, case_run: CaseRun, samples: CaseSamples) -> tuple[Finding, ...]:
        """Return the findings for a case; none for one at which the candidate has a fault, or which it does not get."""
        try:
            return self.findings(case_run, samples)
        except (CandidateFault, NotVerified):
            return ()

    def _findings(self, case_run: CaseRun, samples: CaseSamples) -> Iterator[tuple[Finding, int | None]]:
        for update in self.variants.get(case_run.family.name, (None,)):
            with contextlib.suppress(Unmodelled):
                for found in case_run.judge(samples.model, samples.accepted_readings, update).findings:
                    yield found, case_run.requested_index

    def has_evidence(self, case_run: CaseRun) -> bool:
        """Return whether the answer to a case shows existing content; the result is kept."""
        if "has_evidence" not in case_run.cache:
            case_run.cache["has_evidence"] = self.evidence_predicate(case_run)
        return bool(case_run.cache["has_evidence"])

    def check(self, world: World, name: str, *, needs_file_modes: bool = False) -> None:
        """Check a property on its sample.

        Raises Mismatch for the smallest case that violates it. Without a violation, raises CandidateFault if the
        candidate broke at a case. Raises NotVerified if faults kept it from a case, if no case is evidence,
        if every violation is attributed to another requirement, or if the candidate may ignore file modes.
        """
        samples = CaseSamples.for_session(world.session)
        if needs_file_modes and not samples.respects_file_modes:
            what = "file modes do not bind the candidate here, so no directory can be closed to it"
            raise NotVerified("modes_ignored", what)
        self._require_known_families(world, samples, name)
        try:
            self._check(world, samples, self.properties[name])
        finally:
            samples.close()

    def _require_known_families(self, world: World, samples: CaseSamples, name: str) -> None:
        """Raise SpecificationFault for a family that the model has for no candidate."""
        families, specification = self.properties[name].families, world.session.pack.name
        if isinstance(families, str):
            problem = f'families is a text; write a tuple such as ("{families}",)'
            raise SpecificationFault(specification, f'the property "{name}": {problem}')
        unknown = [one for one in families if one not in samples.families]
        known = samples.all_family_names if unknown else frozenset()
        for family in unknown:
            if family not in known:
                problem = f'the model has no family "{family}"; write one of: {", ".join(sorted(known))}'
                raise SpecificationFault(specification, f'the property "{name}": {problem}')

    def _check(self, world: World, samples: CaseSamples, checked: Property) -> None:
        runner = _PropertyRunner(world, samples, self, checked, self._attribution(samples))
        try:
            self._run(world, samples, runner, checked)
        finally:
            runner.hand_over()

    def _run(self, world: World, samples: CaseSamples, runner: _PropertyRunner, checked: Property) -> None:
        families = [samples.families[name] for name in checked.families if name in samples.families]
        for family in families:
            runner.check_all(family, samples.case_runs(family.name))
        if runner.own_finding is not None:
            return
        runner.raise_fault()
        is_silent = not runner.judged_count and not runner.blamed_requirements
        if is_silent and not runner.is_whole and not self._ever_has_evidence(samples):
            if len(samples.build_errors) > samples.built_count:  # the sample is too small to judge
                raise NotVerified(
                    "tree_not_buildable",
                    f"most random trees cannot be built on this machine: {samples.build_errors[-1]}",
                )
            raise self._without_evidence(world, samples)
        for round in range(1, MAX_SAMPLE_ROUNDS):
            if runner.judged_count or runner.blamed_requirements:
                break
            for family in families:
                runner.check_all(family, samples.further_runs(family.name, round))
            runner.raise_fault()
        if runner.blamed_requirements and not (runner.is_whole and runner.judged_count):
            others = ", ".join(sorted(runner.blamed_requirements))
            raise NotVerified(
                "other_requirement",
                f"every violation is attributed to {others}, and fails that",
            )
        if not runner.judged_count:
            raise NotVerified(
                "no_evidence",
                "no random case is evidence; more entries in the candidate's lists would help",
            )
        world.evidence.is_positive = True

    def _without_evidence(self, world: World, samples: CaseSamples) -> Mismatch:
        """Return the Mismatch of a candidate that never shows content, with the first unreadable answer."""
        for name in samples.families:
            for case_run in samples.case_runs(name):
                try:
                    if case_run.answers:
                        _ = entry_view(world).parse(case_run.answers[0], case_run.calls[0]).keys
                except Mismatch as why:
                    reason = why.within(f"{self.no_evidence_message}: ").at_answer(0)
                    _record_evidence(world, case_run, reason)
                    return reason
        return Mismatch(self.no_evidence_message, stage="entries", kind=MISSING_ENTRIES)

    def _attribution(self, samples: CaseSamples) -> Attribution:
        """Return the attribution of the model's findings for the whole sample; the result is kept."""
        if samples.session.pack.judged == "whole":
            return Attribution(())  # each finding names its requirement
        if "attribution" not in samples.cache:
            case_runs = (one for name in samples.families for one in samples.case_runs(name))
            samples.cache["attribution"] = Attribution(
                found for case_run in case_runs for found in self._findings_so_far(case_run, samples)
            )
        attribution: Attribution = samples.cache["attribution"]
        return attribution

    def _ever_has_evidence(self, samples: CaseSamples) -> bool:
        """Return whether a case of the first family shows existing content; the result is kept."""
        if "has_evidence" not in samples.cache:
            first = next(iter(samples.families))
            rounds = (samples.further_runs(first, round) for round in range(1, MAX_SAMPLE_ROUNDS))
            case_runs = islice(chain(samples.case_runs(first), *rounds), MAX_SILENT_CASES)
            samples.cache["has_evidence"] = any(map(self._shows_evidence, case_runs))
        return bool(samples.cache["has_evidence"])

    def _shows_evidence(self, case_run: CaseRun) -> bool:
        """Return whether the answer to a case shows existing content; False without an answer."""
        try:
            return self.has_evidence(case_run)
        except (CandidateFault, NotVerified):
            return False


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
    world.fixture.sandboxes.evidence_root = case_run.root
    world.fixture.notations["tree"] = render_tree(case_run.case.tree)
    if case_run.family.outside:
        world.fixture.notations["outside"] = case_run.family.outside


def matches_model(check: PropertyCheck) -> bool:
    """The property that the model permits the answers. Each difference is attributed to one requirement."""
    for found, answer_index in check.suite.findings_with_answers(check.case_run, check.samples):
        if check.is_attributed(found):
            diff = first_difference(found.expected, found.got) if len(found.expected) > 200 else ""
            raise Mismatch(
                found.message,
                expected=found.expected,
                got=found.got,
                diff=diff,
                stage=found.stage,
                kind=found.kind,
                answer_index=answer_index,
            )
    if check.samples.session.pack.judged == "whole" and any(
        found.stage in _EARLY_STAGES for found in check.suite.findings(check.case_run, check.samples)
    ):
        return False  # the comparison of this answer has not come to what the property is about
    return check.suite.has_evidence(check.case_run)


_EARLY_STAGES = frozenset({"tool", "call", "output", "refusal", "error", "entries"})
"""The stages after which a model compares nothing more; at later ones it finds all differences of an answer."""


@dataclass
class _PropertyRunner:
    """Checks one property on many cases.

    `judged_count` is the number of cases that are evidence; `blamed_requirements` are others that are violated.
    `broken` is the first case at which the candidate had a fault, or which it did not get because of earlier ones.
    """

    world: World
    samples: CaseSamples
    suite: PropertySuite
    checked_property: Property
    attribution: Attribution
    judged_count: int = 0
    blamed_requirements: set[str] = field(default_factory=set)
    own_finding: CallJudgement | None = None
    """The smallest case with a finding that names the property's requirement."""
    foreign: dict[str, tuple[CaseRun, int]] = field(default_factory=dict)
    """For each other requirement, the smallest case with a finding that names it, and the index of its answer."""
    broken: tuple[CaseRun, CandidateFault | NotVerified] | None = None

    @property
    def requirement(self) -> str:
        return self.world.case.requirement

    @cached_property
    def affecting_interpretations(self) -> frozenset[str]:
        entries = self.world.session.pack.interpretations
        return frozenset(entry.id for entry in entries if self.requirement in entry.affects)

    @property
    def is_independent(self) -> bool:
        return self.checked_property.independent or self.checked_property.function is matches_model

    def check_all(self, family: CaseFamily, case_runs: Iterable[CaseRun]) -> None:
        """Raise Mismatch if a case violates the property and no other requirement.

        Of a model's findings in a pack that is judged whole, the smallest case is kept instead, and no other case runs.
        """
        for case_run in case_runs if self.own_finding is None else ():
            try:
                self.judged_count += self.check_case(case_run)
            except (CandidateFault, NotVerified) as error:
                if isinstance(error, NotVerified) and error.code != "not_called":
                    raise
                # The other cases may still show a violation. A fault of its own comes before a call that was not made.
                if self.broken is None or (
                    isinstance(error, CandidateFault) and not isinstance(self.broken[1], CandidateFault)
                ):
                    self.broken = case_run, error
            except Mismatch as why:
                others = set() if self.is_independent else self.other_requirements(case_run)
                if not others and self.is_whole and self.checked_property.function is matches_model:
                    self.minimise(family, case_run, why)
                    return  # the finding fails the requirement to which the whole run attributes it
                if not others:
                    raise self.minimise(family, case_run, why) from why
                self.blamed_requirements |= others
                self.keep_foreign(case_run)
            else:
                if self.checked_property.function is matches_model:
                    try:
                        self.record_readings(case_run)
                    except Mismatch as why:
                        raise self.with_evidence(case_run, why) from why

    @property
    def is_whole(self) -> bool:
        """True if each finding fails the requirement that it names, whatever property it was met in."""
        return self.world.session.pack.judged == "whole"

    def keep_foreign(self, case_run: CaseRun) -> None:
        """Keep the findings of a case that are attributed to other requirements."""
        for found, index in self.samples.findings_with_answers(case_run):
            owner = self.attribution.requirement_for(found)
            if owner == self.requirement:
                continue
            known = self.foreign.get(owner)
            if known is None or case_run.case.weight < known[0].case.weight:
                self.foreign[owner] = case_run, index

    def hand_over(self) -> None:
        """Hand the cases with findings on other requirements over to these, once in a run: they fail with them.

        The record of a property that shows nothing because of them has them too: they block it.
        """
        handed: set[str] = self.samples.cache.setdefault("handed over", set())
        for requirement in sorted(self.foreign if not self.judged_count else self.foreign.keys() - handed):
            case_run, index = self.foreign[requirement]
            handed.add(requirement)
            judgement = self._judgement(case_run, index)
            if not self.is_whole:  # there the sample decides whom a finding blames
                found = case_run.judge_answer(index, self.samples.model, self.samples.accepted_readings).findings
                owned = (replace(one, requirement=requirement, other_requirements=()) for one in found[:1])
                judgement = replace(judgement, alternatives=(Alternative({}, tuple(owned)),))
            self.world.judgements.append(judgement)
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
        if self.is_whole and function is matches_model:
            self.keep_foreign(case_run)
        shows_content: object = function(PropertyCheck(case_run, self.samples, self.suite, self.is_attributed))
        if not isinstance(shows_content, bool):
            problem = f"the property {function.__name__} returned {shows_content!r:.80}"
            fix = "return True if the case shows existing content, else False"
            raise SpecificationFault(self.world.session.pack.name, f"{problem}; {fix}")
        return shows_content

    def is_attributed(self, finding: Finding) -> bool:
        return self.attribution.requirement_for(finding) == self.requirement

    def other_requirements(self, case_run: CaseRun) -> set[str]:
        """Return the other requirements that the answers to a case violate.

        Empty if they violate the property's own requirement as well, or if no property covers the others.
        """
        found = {self.attribution.requirement_for(one) for one in self.samples.findings(case_run)}
        others = found if self.is_whole else found & set(self.attribution.requirements)
        return others if self.requirement not in found else set()

    def record_readings(self, case_run: CaseRun) -> None:
        """Record the readings that the answer shows, of interpretations that affect the requirement."""
        with contextlib.suppress(Unmodelled):
            for interpretation, label in case_run.judge(
                self.samples.model, self.samples.accepted_readings
            ).observed_readings.items():
                if interpretation in self.affecting_interpretations:
                    self.world.evidence.record_reading(interpretation, label)

    def minimise(self, family: CaseFamily, case_run: CaseRun, why: Mismatch) -> Mismatch:
        """Return the Mismatch of the smallest failing case, and record its evidence.

        If the sample has cases that break no other rule, it is the smallest of these.
        """
        is_single = any(self.breaks_one_rule(run) and self.fails(run) for run in self.samples.case_runs(family.name))
        fails = self.fails_alone if is_single else self.fails
        case = self.samples.find_minimal_case(family, fails) or case_run.case
        smallest = CaseRun(self.world.session, family, case, self.world.fixture.root)
        smallest.build_tree()
        try:
            self.checked_property.function(PropertyCheck(smallest, self.samples, self.suite, self.could_be_attributed))
            why.message += " (not reproduced with the smallest case)"
        except Mismatch as again:
            why = again
        except (CandidateFault, NotVerified):
            why.message += " (with the smallest case the candidate breaks)"
            smallest = case_run
        why.scenario = smallest.failing_scenario(self.samples.model, self.samples.accepted_readings)
        if self.is_whole and self.checked_property.function is matches_model:
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
            self.checked_property.function(PropertyCheck(case_run, self.samples, self.suite, self.could_be_attributed))
        except Mismatch:
            return self.is_independent or not self.other_requirements(case_run)
        except (CandidateFault, NotVerified):  # another problem
            return False
        return False

    def fails_alone(self, case_run: CaseRun) -> bool:
        return self.fails(case_run) and self.breaks_one_rule(case_run)

    def breaks_one_rule(self, case_run: CaseRun) -> bool:
        """Return whether all findings in the answers so far name one requirement, which may be the property's own."""
        found = [*self.samples.findings(case_run)]
        return len({one.requirement for one in found}) <= 1 and all(map(self.could_be_attributed, found))

    def could_be_attributed(self, finding: Finding) -> bool:
        """Return whether a finding could belong to the requirement; a reduced case cannot decide that."""
        return self.requirement in ([finding.requirement] if self.is_whole else finding.possible_requirements)

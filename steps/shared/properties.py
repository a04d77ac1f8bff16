"""How laws are tried: rules that hold for any tree and call, on random ones. Which laws there are is a pack's business.

One sample of cases serves all laws of a run; when a law does not hold, hypothesis makes the case smaller, and the
evidence is that of the smallest one: its tree, its calls, its answers, and a scenario to paste. No step stands here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from treeproof.api import (
    Attribution,
    CandidateFault,
    CaseFamily,
    CaseRun,
    CaseSamples,
    CaseUpdate,
    Finding,
    Mismatch,
    NotVerified,
    Unmodelled,
    World,
    render_tree,
)

from .values import first_difference

MAX_SAMPLE_ROUNDS = 5
"""So many samples are drawn at most until a law has something to judge."""

MAX_SILENT_CASES = 40
"""A candidate that shows nothing in so many cases shows nothing."""


@dataclass(frozen=True)
class PropertyCheck:
    """One subject before one law of a book. `blames` says whether a finding of the model goes to its requirement."""

    case_run: CaseRun
    samples: CaseSamples
    suite: PropertySuite
    is_attributed: Callable[[Finding], bool]


PropertyFunction = Callable[[PropertyCheck], bool]
"""Whether there was anything to judge; raises Mismatch where the law does not hold."""


@dataclass(frozen=True)
class Property:
    """A law, and the families of cases on which it is tried. No other mistake can break an `independent` one."""

    function: PropertyFunction
    families: tuple[str, ...]
    independent: bool = False


@dataclass(frozen=True)
class PropertySuite:
    """The laws of a pack by their words.

    `views`: what the model is asked of each case of a family beside the case itself, calls that other laws make as
    well. `shows`: whether an answer to a subject tells of something that is there; a candidate that never does that
    earns nothing. `silent`: what is said of a candidate that never does.
    """

    properties: Mapping[str, Property]
    variants: Mapping[str, tuple[CaseUpdate | None, ...]]
    evidence_predicate: Callable[[CaseRun], bool]
    no_evidence_message: str = "the candidate lists nothing, whatever it is asked"

    @property
    def names_pattern(self) -> str:
        """The laws' words as alternatives of a sentence's pattern."""
        return "|".join(self.properties)

    def findings(self, subject: CaseRun, samples: CaseSamples) -> tuple[Finding, ...]:
        """All that the model finds in the answers to a case, in its views. Raises CandidateFault."""
        if "findings" not in subject.cache:
            subject.cache["findings"] = tuple(self._findings(subject, samples))
        found: tuple[Finding, ...] = subject.cache["findings"]
        return found

    def _findings(self, subject: CaseRun, samples: CaseSamples) -> Iterator[Finding]:
        for update in self.variants.get(subject.family.name, (None,)):
            with contextlib.suppress(Unmodelled):
                yield from subject.judge(samples.model, samples.accepted_readings, update).findings

    def has_evidence(self, subject: CaseRun) -> bool:
        """Whether the answer to a subject shows something; found out once."""
        if "tells" not in subject.cache:
            subject.cache["tells"] = self.evidence_predicate(subject)
        return bool(subject.cache["tells"])

    def check(self, world: World, name: str, *, needs_file_modes: bool = False) -> None:
        """Check a property on its sample.

        Raises Mismatch for the smallest case that violates it, CandidateFault, and NotVerified if no case is evidence,
        if every violation is attributed to another requirement, or if the candidate may ignore file modes.
        """
        samples = CaseSamples.for_session(world.session)
        if needs_file_modes and not samples.respects_file_modes:
            what = "file modes do not bind the candidate here, so no directory can be closed to it"
            raise NotVerified("modes_ignored", what)
        try:
            self._check(world, samples, self.properties[name])
        except CandidateFault:
            subject = samples.last_broken_run()
            if (
                subject is not None
                and subject.unanswered_call is not None
                and world.session.circuit_breaker.open_reason is None
            ):
                _record_tree(world, subject)
                world.log.calls.append(subject.unanswered_call[1])
            raise
        finally:
            samples.close()

    def _check(self, world: World, samples: CaseSamples, tried: Property) -> None:
        trying = _PropertyRunner(world, samples, self, tried, self._attribution(samples))
        families = [samples.families[name] for name in tried.families if name in samples.families]
        for family in families:
            trying.check_all(family, samples.case_runs(family.name))
        if (
            not trying.judged_count
            and not trying.blamed_requirements
            and not self._ever_has_evidence(samples)
        ):
            if (
                len(samples.build_errors) > samples.built_count
            ):  # what was left of the sample tells nothing of the candidate
                raise NotVerified(
                    "tree_not_buildable",
                    f"most random trees cannot be made on this machine: {samples.build_errors[-1]}",
                )
            raise Mismatch(self.no_evidence_message, expected="something that is there, now and then")
        for round in range(1, MAX_SAMPLE_ROUNDS):
            if trying.judged_count or trying.blamed_requirements:
                break
            for family in families:
                trying.check_all(family, samples.further_runs(family.name, round))
        if trying.blamed_requirements:
            others = ", ".join(sorted(trying.blamed_requirements))
            raise NotVerified(
                "other_requirement",
                f"where it does not hold, {others} is to blame; the laws below that rule show the cases",
            )
        if not trying.judged_count:
            raise NotVerified(
                "no_evidence",
                "no case shows it, although many were tried; a candidate that lists more would show it",
            )
        world.evidence.is_positive = True

    def _attribution(self, samples: CaseSamples) -> Attribution:
        """To whom the model's findings on the whole sample go; found out once."""
        kept = samples.session.module_state
        blame = kept.get("blame")
        if not isinstance(blame, Attribution):
            subjects = (subject for name in samples.families for subject in samples.case_runs(name))
            kept["blame"] = blame = Attribution(
                found for subject in subjects for found in self.findings(subject, samples)
            )
        return blame

    def _ever_has_evidence(self, samples: CaseSamples) -> bool:
        """Whether the candidate has shown anything on cases of the first family; found out once."""
        kept = samples.session.module_state
        if "ever tells" not in kept:
            first = next(iter(samples.families))
            rounds = (samples.further_runs(first, round) for round in range(1, MAX_SAMPLE_ROUNDS))
            subjects = islice(chain(samples.case_runs(first), *rounds), MAX_SILENT_CASES)
            kept["ever tells"] = any(map(self.has_evidence, subjects))
        return bool(kept["ever tells"])


def _record_evidence(world: World, subject: CaseRun) -> None:
    """Make the evidence of a scenario that of one case."""
    _record_tree(world, subject)
    world.log.calls += subject.calls
    world.log.answers += subject.answers


def _record_tree(world: World, subject: CaseRun) -> None:
    world.fixture.sandboxes.evidence_root = subject.root
    world.fixture.notations["tree"] = render_tree(subject.case.tree)
    if subject.family.outside:
        world.fixture.notations["outside"] = subject.family.outside


def matches_model(trial: PropertyCheck) -> bool:
    """The law that the answers are those that the model allows; what differs is blamed on one requirement."""
    for found in trial.suite.findings(trial.case_run, trial.samples):
        if trial.is_attributed(found):
            diff = first_difference(found.expected, found.got) if len(found.expected) > 200 else ""
            raise Mismatch(found.message, expected=found.expected, got=found.got, diff=diff)
    return trial.suite.has_evidence(trial.case_run)


@dataclass
class _PropertyRunner:
    """One law on many subjects. `judged` counts those that show it, `blamed` holds who else breaks it."""

    world: World
    samples: CaseSamples
    suite: PropertySuite
    checked_property: Property
    attribution: Attribution
    judged_count: int = 0
    blamed_requirements: set[str] = field(default_factory=set)

    @property
    def requirement(self) -> str:
        return self.world.case.requirement

    @property
    def is_independent(self) -> bool:
        return self.checked_property.independent or self.checked_property.function is matches_model

    def check_all(self, family: CaseFamily, subjects: Iterable[CaseRun]) -> None:
        """Raises Mismatch where the law does not hold, and nobody else is to blame."""
        for subject in subjects:
            try:
                self.judged_count += self.check_case(subject)
            except Mismatch as why:
                others = set() if self.is_independent else self.other_requirements(subject)
                if not others:
                    raise self.minimise(family, subject, why) from why
                self.blamed_requirements |= others
            else:
                if self.checked_property.function is matches_model:
                    try:
                        self.record_readings(subject)
                    except Mismatch as why:
                        raise self.with_evidence(subject, why) from why

    def check_case(self, subject: CaseRun) -> bool:
        """Try the law on one subject of the sample. Raises Mismatch."""
        return self.checked_property.function(
            PropertyCheck(subject, self.samples, self.suite, self.is_attributed)
        )

    def is_attributed(self, finding: Finding) -> bool:
        return self.attribution.requirement_for(finding) == self.requirement

    def other_requirements(self, subject: CaseRun) -> set[str]:
        """Who is to blame for the answers to a subject, other than the law's own requirement.

        Empty if that one is to blame as well, or if no law of those others would fail.
        """
        found = {self.attribution.requirement_for(one) for one in self.samples.findings(subject)}
        return found & set(self.attribution.requirements) if self.requirement not in found else set()

    def record_readings(self, subject: CaseRun) -> None:
        """Note the readings that only can explain the answer, of the passages that touch this requirement."""
        entries = self.world.session.pack.interpretations
        touching = {entry.id for entry in entries if self.requirement in entry.affects}
        with contextlib.suppress(Unmodelled):
            for passage, label in subject.judge(
                self.samples.model, self.samples.accepted_readings
            ).observed_readings.items():
                if passage in touching:
                    self.world.evidence.record_reading(passage, label)

    def minimise(self, family: CaseFamily, subject: CaseRun, why: Mismatch) -> Mismatch:
        """The Mismatch of the smallest case that fails as well; the evidence becomes that of this case."""
        case = self.samples.find_minimal_case(family, self.fails) or subject.case
        smallest = CaseRun(self.world.session, family, case, self.world.fixture.root)
        smallest.build_tree()
        try:
            self.checked_property.function(
                PropertyCheck(smallest, self.samples, self.suite, self.could_be_attributed)
            )
            why.message += " (it did not when it was tried again)"
        except Mismatch as again:
            why = again
        _record_evidence(self.world, smallest)
        why.scenario = smallest.failing_scenario(self.samples.model, self.samples.accepted_readings)
        return why

    def with_evidence(self, subject: CaseRun, why: Mismatch) -> Mismatch:
        """The Mismatch of a case that shows another reading than those before; the evidence becomes that of the case.

        It is not made smaller: by itself it is right.
        """
        _record_evidence(self.world, subject)
        return why

    def fails(self, subject: CaseRun) -> bool:
        try:
            self.checked_property.function(
                PropertyCheck(subject, self.samples, self.suite, self.could_be_attributed)
            )
        except Mismatch:
            return self.is_independent or not self.other_requirements(subject)
        return False

    def could_be_attributed(self, finding: Finding) -> bool:
        """Of smaller cases than those of the sample one asks less: they say less about who is to blame."""
        return self.requirement in finding.possible_requirements

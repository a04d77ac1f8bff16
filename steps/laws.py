"""How laws are tried: rules that hold for any tree and call, on random ones. Which laws there are is a pack's business.

One sample of cases serves all laws of a run; when a law does not hold, hypothesis makes the case smaller, and the
evidence is that of the smallest one: its tree, its calls, its answers, and a scenario to paste. No step stands here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice

from treeproof.candidate import CandidateFault
from treeproof.run.world import World
from treeproof.search.blame import Blame
from treeproof.search.model import Family, Finding, Unmodelled, Update
from treeproof.search.subject import Samples, Subject
from treeproof.tree import render
from treeproof.verdict import Mismatch, NotVerified

from .words import difference

FURTHER_ROUNDS = 5
"""So many samples are drawn at most until a law has something to judge."""

ENOUGH_CASES = 40
"""A candidate that shows nothing in so many cases shows nothing."""


@dataclass(frozen=True)
class Trial:
    """One subject before one law of a book. `blames` says whether a finding of the model goes to its requirement."""

    subject: Subject
    samples: Samples
    book: Book
    blames: Callable[[Finding], bool]


Law = Callable[[Trial], bool]
"""Whether there was anything to judge; raises Mismatch where the law does not hold."""


@dataclass(frozen=True)
class Tried:
    """A law, and the families of cases on which it is tried. No other mistake can break an `independent` one."""

    law: Law
    families: tuple[str, ...]
    independent: bool = False


@dataclass(frozen=True)
class Book:
    """The laws of a pack by their words.

    `views`: what the model is asked of each case of a family beside the case itself, calls that other laws make as
    well. `shows`: whether an answer to a subject tells of something that is there; a candidate that never does that
    earns nothing. `silent`: what is said of a candidate that never does.
    """

    laws: Mapping[str, Tried]
    views: Mapping[str, tuple[Update | None, ...]]
    shows: Callable[[Subject], bool]
    silent: str = "the candidate lists nothing, whatever it is asked"

    @property
    def words(self) -> str:
        """The laws' words as alternatives of a sentence's pattern."""
        return "|".join(self.laws)

    def findings(self, subject: Subject, samples: Samples) -> tuple[Finding, ...]:
        """All that the model finds in the answers to a case, in its views. Raises CandidateFault."""
        if "findings" not in subject.kept:
            subject.kept["findings"] = tuple(self._findings(subject, samples))
        found: tuple[Finding, ...] = subject.kept["findings"]
        return found

    def _findings(self, subject: Subject, samples: Samples) -> Iterator[Finding]:
        for update in self.views.get(subject.family.name, (None,)):
            with contextlib.suppress(Unmodelled):
                yield from subject.judged(samples.model, samples.accepted, update).findings

    def tells(self, subject: Subject) -> bool:
        """Whether the answer to a subject shows something; found out once."""
        if "tells" not in subject.kept:
            subject.kept["tells"] = self.shows(subject)
        return bool(subject.kept["tells"])

    def hold(self, world: World, words: str) -> None:
        """Try a law on its sample.

        Raises Mismatch for the smallest case that breaks it, NotVerified where nothing shows it or where whatever
        breaks it goes to another requirement, and CandidateFault.
        """
        samples = Samples.of(world.session)
        try:
            self._hold(world, samples, self.laws[words])
        except CandidateFault:
            subject = samples.broken()
            if subject is not None and subject.unanswered is not None and world.session.breaker.why is None:
                _show_tree(world, subject)
                world.calls.append(subject.unanswered[1])
            raise

    def _hold(self, world: World, samples: Samples, tried: Tried) -> None:
        trying = _Trying(world, samples, self, tried, self._blame(samples))
        families = [samples.families[name] for name in tried.families if name in samples.families]
        for family in families:
            trying.all(family, samples.subjects(family.name))
        if not trying.judged and not trying.blamed and not self._ever_tells(samples):
            if (
                len(samples.refusals) > samples.built
            ):  # what was left of the sample tells nothing of the candidate
                raise NotVerified(f"most random trees cannot be made on this machine: {samples.refusals[-1]}")
            raise Mismatch(self.silent, expected="something that is there, now and then")
        for round in range(1, FURTHER_ROUNDS):
            if trying.judged or trying.blamed:
                break
            for family in families:
                trying.all(family, samples.further(family.name, round))
        if trying.blamed:
            others = ", ".join(sorted(trying.blamed))
            raise NotVerified(
                f"where it does not hold, {others} is to blame; the laws below that rule show the cases"
            )
        if not trying.judged:
            raise NotVerified(
                "no case shows it, although many were tried; a candidate that lists more would show it"
            )
        world.positive = True

    def _blame(self, samples: Samples) -> Blame:
        """To whom the model's findings on the whole sample go; found out once."""
        kept = samples.session.kept
        blame = kept.get("blame")
        if not isinstance(blame, Blame):
            subjects = (subject for name in samples.families for subject in samples.subjects(name))
            kept["blame"] = blame = Blame(
                found for subject in subjects for found in self.findings(subject, samples)
            )
        return blame

    def _ever_tells(self, samples: Samples) -> bool:
        """Whether the candidate has shown anything on cases of the first family; found out once."""
        kept = samples.session.kept
        if "ever tells" not in kept:
            first = next(iter(samples.families))
            rounds = (samples.further(first, round) for round in range(1, FURTHER_ROUNDS))
            subjects = islice(chain(samples.subjects(first), *rounds), ENOUGH_CASES)
            kept["ever tells"] = any(map(self.tells, subjects))
        return bool(kept["ever tells"])


def _show(world: World, subject: Subject) -> None:
    """Make the evidence of a scenario that of one case."""
    _show_tree(world, subject)
    world.calls += subject.calls
    world.answers += subject.answers


def _show_tree(world: World, subject: Subject) -> None:
    world.places.shown = subject.root
    world.trees["tree"] = render(subject.case.tree)
    if subject.family.outside:
        world.trees["outside"] = subject.family.outside


def model(trial: Trial) -> bool:
    """The law that the answers are those that the model allows; what differs is blamed on one requirement."""
    for found in trial.book.findings(trial.subject, trial.samples):
        if trial.blames(found):
            diff = difference(found.expected, found.got) if len(found.expected) > 200 else ""
            raise Mismatch(found.message, expected=found.expected, got=found.got, diff=diff)
    return trial.book.tells(trial.subject)


@dataclass
class _Trying:
    """One law on many subjects. `judged` counts those that show it, `blamed` holds who else breaks it."""

    world: World
    samples: Samples
    book: Book
    tried: Tried
    blame: Blame
    judged: int = 0
    blamed: set[str] = field(default_factory=set)

    @property
    def requirement(self) -> str:
        return self.world.row.requirement

    @property
    def independent(self) -> bool:
        return self.tried.independent or self.tried.law is model

    def all(self, family: Family, subjects: Iterable[Subject]) -> None:
        """Raises Mismatch where the law does not hold, and nobody else is to blame."""
        for subject in subjects:
            try:
                self.judged += self.holds(subject)
            except Mismatch as why:
                others = set() if self.independent else self.others(subject)
                if not others:
                    raise self.smallest(family, subject, why) from why
                self.blamed |= others
            else:
                if self.tried.law is model:
                    try:
                        self.record(subject)
                    except Mismatch as why:
                        raise self.shown(subject, why) from why

    def holds(self, subject: Subject) -> bool:
        """Try the law on one subject of the sample. Raises Mismatch."""
        return self.tried.law(Trial(subject, self.samples, self.book, self.is_mine))

    def is_mine(self, finding: Finding) -> bool:
        return self.blame.of(finding) == self.requirement

    def others(self, subject: Subject) -> set[str]:
        """Who is to blame for the answers to a subject, other than the law's own requirement.

        Empty if that one is to blame as well, or if no law of those others would fail.
        """
        found = {self.blame.of(one) for one in self.samples.findings(subject)}
        return found & set(self.blame.requirements) if self.requirement not in found else set()

    def record(self, subject: Subject) -> None:
        """Note the readings that only can explain the answer, of the passages that touch this requirement."""
        entries = self.world.session.pack.interpretations
        touching = {entry.id for entry in entries if self.requirement in entry.touches}
        with contextlib.suppress(Unmodelled):
            for passage, label in subject.judged(self.samples.model, self.samples.accepted).seen.items():
                if passage in touching:
                    self.world.saw(passage, label)

    def smallest(self, family: Family, subject: Subject, why: Mismatch) -> Mismatch:
        """The Mismatch of the smallest case that fails as well; the evidence becomes that of this case."""
        case = self.samples.smallest(family, self.fails) or subject.case
        smallest = Subject(self.world.session, family, case, self.world.root)
        smallest.grow()
        try:
            self.tried.law(Trial(smallest, self.samples, self.book, self.could_be_mine))
            why.message += " (it did not when it was tried again)"
        except Mismatch as again:
            why = again
        _show(self.world, smallest)
        why.scenario = smallest.scenario(self.samples.model, self.samples.accepted)
        return why

    def shown(self, subject: Subject, why: Mismatch) -> Mismatch:
        """The Mismatch of a case that shows another reading than those before; the evidence becomes that of the case.

        It is not made smaller: by itself it is right.
        """
        _show(self.world, subject)
        return why

    def fails(self, subject: Subject) -> bool:
        try:
            self.tried.law(Trial(subject, self.samples, self.book, self.could_be_mine))
        except Mismatch:
            return self.independent or not self.others(subject)
        return False

    def could_be_mine(self, finding: Finding) -> bool:
        """Of smaller cases than those of the sample one asks less: they say less about who is to blame."""
        return self.requirement in finding.candidates

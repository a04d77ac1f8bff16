"""Asking in this process: one candidate after the other, each about its packs, and what came of it.

Whether it is one process that asks or several (`jobs.py`), what they do is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from treeproof.candidate import CandidateFault, Hello, connect
from treeproof.run.asked import Asked, Options, Party, claimed, declared_readings
from treeproof.run.breaker import Breaker
from treeproof.run.interrupts import INTERRUPTED, Interrupts
from treeproof.run.session import Session
from treeproof.spec.gherkin import FeatureText
from treeproof.tree import Machine, Workspace
from treeproof.verdict import Record

if TYPE_CHECKING:
    from treeproof.run.engine import Executed

Started = Callable[[Hello, int], None]
"""Is told once, when the candidate has answered: who it is, and how many scenarios will be asked of it."""


@dataclass
class Done:
    """What was asked and what came of it: the records of each pack, and what is to be said of the run itself.

    ``left`` says what the candidate left behind, ``facilities`` what the processes that asked know of the machine.
    """

    results: list[tuple[Asked, tuple[Record, ...]]] = field(default_factory=list)
    hellos: list[Hello] = field(default_factory=list)
    fault: CandidateFault | None = None
    guards: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False
    left: list[Leavings] = field(default_factory=list)
    facilities: list[Mapping[str, object]] = field(default_factory=list)


@dataclass(frozen=True)
class Leavings:
    """What a candidate left behind in one place: processes, files beside the fixtures, what cannot be removed."""

    orphans: int = 0
    strangers: tuple[str, ...] = ()
    leftovers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Means:
    """What a process asks with; ``begun`` and ``listener`` hear of every scenario when it begins and when it ended."""

    options: Options
    workspace: Workspace
    machine: Machine
    stop: Interrupts
    listener: Callable[[Record], None]
    begun: Callable[[str], None] = lambda id: None


class Inquiry:
    """One candidate, started in this process, and a session for each pack that it is asked about."""

    def __init__(self, party: Party, means: Means) -> None:
        self.party = party
        self.adapter = connect(party.target)
        self.breaker = Breaker()
        self._means = means
        self._sessions: dict[str, Session] = {}

    def start(self) -> tuple[Hello, list[Asked]]:
        """Start it; return what it says of itself, and the packs that it will be asked about.

        Raises CandidateFault, KeyboardInterrupt, and UsageError where manifest and candidate disagree.
        """
        with self._means.stop.waiting():
            self._hello = self.adapter.start(str(self._means.workspace.path))
        self._declared = declared_readings(self.party.target, self._hello, self.party.asked)
        return self._hello, claimed(self.party.asked, self._hello, named=bool(self._means.options.specs))

    def execute(
        self, part: Asked, features: Mapping[Path, FeatureText], selected: frozenset[str] | None
    ) -> Executed:
        """Run the scenarios of ``features``, or of them those of ``selected``."""
        # Imported late: a run that asks from other processes needs no pytest in this one, and starts sooner.
        from treeproof.run.engine import execute

        means = self._means
        return execute(
            self._session(part), features, selected, means.listener, means.options.order, means.begun
        )

    def _session(self, part: Asked) -> Session:
        if part.pack.name not in self._sessions:
            means = self._means
            self._sessions[part.pack.name] = Session(
                part.pack,
                self.adapter,
                self._hello,
                means.workspace,
                means.machine,
                means.options.profile,
                self._declared,
                self.breaker,
                means.stop,
                part.pack.simulated if self.party.is_reference else {},
                means.options.seed,
                means.options.examples,
            )
        return self._sessions[part.pack.name]

    def rest(self) -> None:
        """End what was started beside the candidate; it is started again where it is needed."""
        for session in self._sessions.values():
            session.close()

    def close(self) -> list[str]:
        """End the candidate. Returns what is to be said of it."""
        self.rest()
        self.adapter.close()
        return [f"the candidate was {self.breaker.why}"] if self.breaker.why else []


def ask_here(parties: Sequence[Party], means: Means, started: Started) -> Done:
    """Ask one party after the other until one does not start or somebody interrupts.

    Raises UsageError where manifest and candidate disagree.
    """
    done = Done()
    for number, party in enumerate(parties):
        if done.fault is not None or done.interrupted:
            done.results += [(part, ()) for part in party.asked]
            continue
        rest = sum(part.size for other in parties[number + 1 :] for part in other.asked)
        _ask_one(party, means, done, started if number == 0 else _nobody_is_told, rest)
    return done


def _ask_one(party: Party, means: Means, done: Done, started: Started, rest: int) -> None:
    """Start one candidate and ask it about its packs; ``rest`` scenarios will follow with others."""
    first = len(done.results)
    done.results += [(part, ()) for part in party.asked]
    inquiry = Inquiry(party, means)
    try:
        hello, parts = inquiry.start()
        done.hellos.append(hello)
        done.results[first:] = [(part, ()) for part in parts]
        started(hello, rest + sum(part.size for part in parts))
        for number, part in enumerate(parts, start=first):
            if not part.size:
                continue
            executed = inquiry.execute(part, part.features, part.selected)
            done.results[number] = (part, executed.records)
            inquiry.rest()
            if executed.interrupted:
                raise KeyboardInterrupt
            done.guards += executed.guards
    except CandidateFault as fault:
        done.fault = fault
        done.warnings += [said for said in [inquiry.adapter.diagnostics()] if said]
    except KeyboardInterrupt:
        done.interrupted = True
        done.guards += [INTERRUPTED]
    finally:
        said = inquiry.close()
    if done.fault is None and not done.interrupted:
        done.warnings += said


def _nobody_is_told(hello: Hello, scenarios: int) -> None:
    """The start of a run is told once."""

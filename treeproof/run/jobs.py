"""Several processes that ask beside each other, some feature files at a time each, and one run that comes of it.

Every worker has a candidate, a workspace and a sealed pytest of its own; records come back as they are made and are
judged together, here and once, so that the document is that of one process. A worker that ends in the middle of a
scenario has been ended by the candidate: that scenario is a fault, everything else is asked by another one.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeproof.candidate import CandidateFault, Hello
from treeproof.errors import UsageError
from treeproof.run.asked import Asked, Party
from treeproof.run.asking import Done, Leavings, Means, Started
from treeproof.run.breaker import Breaker
from treeproof.run.hired import Hired, Unit, units
from treeproof.run.interrupts import INTERRUPTED
from treeproof.run.recording import record_of
from treeproof.run.worker import Task, hello_from
from treeproof.tree.workspace import sweep
from treeproof.verdict import Outcome, Record

SHARED_SERVERS = ("mcp+http",)
"""Kinds of candidates of which one stands at one address, for all."""

_END_SECONDS = 15.0
"""So long a worker may take to end in order: it ends a candidate, and removes what it built."""

_LOOK_SECONDS = 2.0
"""So often workers are looked at while none of them says anything: one may be stopped, or gone."""

_SAME_IN_EVERY_PROCESS = ("tools", "capabilities", "interpretations")


def usual_jobs(size: int) -> int:
    """How many processes a run over ``size`` scenarios of a quick candidate is worth: a start costs half a second."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, 4, size // 250))


def ask_beside_each_other(parties: Sequence[Party], means: Means, started: Started) -> Done:
    """Ask every party in ``means.options.jobs`` processes.

    Raises UsageError where manifest and candidate disagree, and for candidates of which there can be only one.
    """
    jobs = means.options.jobs or 1
    for party in parties:
        if party.target.kind in SHARED_SERVERS:
            raise UsageError(
                f"--jobs {jobs}: {party.target.kind} reaches one server, which all processes would share; "
                "leave --jobs out"
            )
    with _Crew(parties, means, started, jobs) as crew:
        crew.ask()
    return crew.result()


@dataclass
class _Party:
    """How far the asking of one candidate is."""

    party: Party
    hello: Hello | None = None
    parts: list[Asked] = field(default_factory=list)
    waiting: deque[Unit] = field(default_factory=deque)
    breaker: Breaker = field(default_factory=Breaker)
    refused: list[tuple[CandidateFault, str]] = field(default_factory=list)
    """Starts that failed while others might still succeed, and what the candidate said then."""


class _Crew:
    """The workers of a run. A context manager: on leaving none of them remains."""

    def __init__(self, parties: Sequence[Party], means: Means, started: Started, jobs: int) -> None:
        self._means = means
        self._started = started
        self._jobs = jobs
        self._parties = [_Party(party) for party in parties]
        self._records: dict[str, dict[str, Record]] = {}
        self._done = Done()
        self._selector = selectors.DefaultSelector()
        self._workers: list[Hired] = []
        options = replace(means.options, order=None, baseline=None, jobs=1)
        self._task = pickle.dumps(Task(options, tuple(parties)))

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in list(self._workers):
            with contextlib.suppress(ProcessLookupError):
                worker.process.terminate()
            worker.finish()
        with contextlib.suppress(KeyboardInterrupt, UsageError):
            self._wait_for_all()
        for worker in list(self._workers):
            self._drop(worker)
        self._selector.close()
        sweep(self._means.workspace.path.parent)  # what a worker left that could not end in order

    # ---- the course of it ---------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask until everything is asked, a candidate does not start, or somebody interrupts. Raises UsageError."""
        try:
            for number in range(self._jobs):
                self._hire(number)
            while self._workers:
                for worker in self._ready():
                    self._hear(worker)
                if self._done.interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            self._done.interrupted = True
        if self._done.interrupted:
            self._done.guards.append(INTERRUPTED)

    def result(self) -> Done:
        """What came of it."""
        for state in self._parties:
            parts = state.parts or list(state.party.asked)
            for part in parts:
                records = self._records.get(part.pack.name, {})
                self._done.results.append((part, tuple(records[id] for id in sorted(records))))
            if state.hello is not None:
                self._done.hellos.append(state.hello)
            if state.breaker.why:
                self._done.warnings.append(f"the candidate was {state.breaker.why}")
        return replace(
            self._done,
            guards=list(dict.fromkeys(self._done.guards)),
            warnings=list(dict.fromkeys(self._done.warnings)),
        )

    def _ready(self) -> list[Hired]:
        with self._means.stop.waiting():
            ready = [key.data for key, _ in self._selector.select(_LOOK_SECONDS)]
        if ready:
            return ready
        for worker in self._workers:
            worker.end_if_stopped()
        return [worker for worker in self._workers if worker.has_ended]

    def _wait_for_all(self) -> None:
        deadline = time.monotonic() + _END_SECONDS
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                self._hear(key.data)

    def _hire(self, number: int) -> None:
        worker = Hired(number, self._task)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        self._give(worker)

    def _drop(self, worker: Hired) -> str:
        self._selector.unregister(worker.stdout)
        self._workers.remove(worker)
        return worker.end()

    def _give(self, worker: Hired) -> None:
        """Give a worker that is free its next unit, a candidate to start, or its leave."""
        for number, state in enumerate(self._parties):
            if self._done.fault is not None or self._done.interrupted:
                break
            if state.hello is not None and not state.waiting:
                continue
            if number not in worker.parties:
                worker.ask(number)
            else:
                worker.ask(number, state.waiting.popleft())
            return
        worker.unit = worker.starting = None
        worker.finish()

    # ---- what they say ------------------------------------------------------------------------------------------

    def _hear(self, worker: Hired) -> None:
        messages, was_the_last = worker.messages()
        for message in messages:
            self._heard(worker, message)
        if was_the_last:
            self._lost(worker)
        elif worker.ended_in_order:
            self._drop(worker)

    def _heard(self, worker: Hired, message: Mapping[str, Any]) -> None:
        match message:
            case {"begun": id}:
                worker.begun = id
            case {"record": record}:
                self._note(worker.unit, Record.from_json(record))
            case {"done": _, "guards": guards, "interrupted": interrupted}:
                worker.unit = None
                if interrupted:  # what was not executed then is no broken promise
                    self._done.interrupted = True
                else:
                    self._done.guards += guards
                self._give(worker)
            case {"hello": hello, "packs": packs}:
                self._said_hello(worker, hello_from(hello), packs)
                self._give(worker)
            case {"fault": [kind, detail], "said": said}:
                self._did_not_start(worker, CandidateFault(kind, detail), said)
            case {"usage": problem}:
                raise UsageError(problem)
            case {"left": left, "said": said, "machine": machine}:
                worker.ended_in_order = True
                self._done.left.append(Leavings(**{name: _frozen(value) for name, value in left.items()}))
                self._done.warnings += said
                self._done.facilities.append(machine)

    def _note(self, unit: Unit | None, record: Record) -> None:
        assert unit is not None
        state = self._parties[unit.party]
        if record.outcome in (Outcome.PASSED, Outcome.FAILED):
            state.breaker.answered()
        self._records.setdefault(unit.pack, {})[record.id] = record
        self._means.listener(record)

    def _said_hello(self, worker: Hired, hello: Hello, packs: Sequence[str]) -> None:
        assert worker.starting is not None
        number, worker.starting = worker.starting, None
        state = self._parties[number]
        worker.parties.add(number)
        if state.hello is None:
            state.hello = hello
            state.parts = [part for part in state.party.asked if part.pack.name in packs]
            state.waiting.extend(units(number, state.parts))
            if number == 0:
                rest = sum(part.size for other in self._parties[1:] for part in other.party.asked)
                self._started(hello, rest + sum(part.size for part in state.parts))
        other = [
            name for name in _SAME_IN_EVERY_PROCESS if getattr(hello, name) != getattr(state.hello, name)
        ]
        if other:
            self._done.fault = CandidateFault(
                "lying", f"in another process it declares other {' and '.join(other)} than before"
            )

    def _did_not_start(self, worker: Hired, fault: CandidateFault, said: str) -> None:
        assert worker.starting is not None
        number, worker.starting = worker.starting, None
        self._parties[number].refused.append((fault, said))
        worker.finish()
        self._settle_refusals(number)

    def _settle_refusals(self, number: int) -> None:
        """A candidate of which one process starts is asked; one of which none does, did not start."""
        state = self._parties[number]
        if not state.refused or (state.hello is None and any(w.starting == number for w in self._workers)):
            return
        if state.hello is not None and any(number in worker.parties for worker in self._workers):
            self._done.warnings += [
                f"no further process of the candidate could be started: {fault.detail}"
                for fault, _ in state.refused
            ]
        else:
            self._done.fault, said = state.refused[0]
            self._done.warnings += [said] if said else []
        state.refused.clear()

    # ---- what they do not say -----------------------------------------------------------------------------------

    def _lost(self, worker: Hired) -> None:
        """A worker has ended: in order, or not."""
        ending = self._drop(worker)
        if worker.ended_in_order or self._done.interrupted:
            return
        fault = CandidateFault("exit", f"the process in which it was asked {ending}")
        if worker.starting is not None:
            self._parties[worker.starting].refused.append((fault, ""))
            self._settle_refusals(worker.starting)
            return
        if worker.unit is None:
            self._done.guards.append(f"a process that asked {ending}")
            return
        state = self._parties[worker.unit.party]
        state.breaker.broke(fault, time.monotonic() - worker.since)
        self._hand_back(worker.unit, worker.begun, fault)
        if state.breaker.in_doubt:
            state.breaker.give_up()
            while state.waiting:
                self._give_up(state.waiting.popleft(), CandidateFault("exit", state.breaker.why or ""))
        self._hire(worker.number)

    def _hand_back(self, unit: Unit, begun: str | None, fault: CandidateFault) -> None:
        """Blame the scenario that was being asked; the ones after it are asked by another process."""
        known = self._records.setdefault(unit.pack, {})
        left = [id for id in unit.ids if id not in known]
        if begun in left:
            self._give_up(replace(unit, ids=(begun,)), fault)
            left.remove(begun)
        if left:
            self._parties[unit.party].waiting.appendleft(replace(unit, ids=tuple(left)))

    def _give_up(self, unit: Unit, fault: CandidateFault) -> None:
        part = next(part for part in self._parties[unit.party].parts if part.pack.name == unit.pack)
        rows = [row for text in part.features.values() for row in text.scenarios]
        for row in rows:
            if row.id in unit.ids:
                self._note(unit, record_of(part.pack.folder, row, None, fault, 0.0))


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

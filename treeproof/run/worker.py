"""A process that asks for another one: a task and then feature files on stdin, records as JSON lines on stdout.

``jobs`` starts it. It has a candidate, a workspace and a pytest of its own; what comes back is judged elsewhere.
"""

from __future__ import annotations

import contextlib
import copyreg
import gc
import json
import os
import pickle
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn

from treeproof.candidate import CandidateFault, Hello
from treeproof.candidate.deadline import end_what_cannot_be_interrupted
from treeproof.candidate.ending import end_with_the_parent
from treeproof.candidate.orphans import Orphans
from treeproof.errors import UsageError
from treeproof.run.asked import Asked, Options, Party
from treeproof.run.asking import Inquiry, Means
from treeproof.run.interrupts import Interrupts
from treeproof.tree import Workspace, probe


def _read_only(members: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(members)


# A catalogue holds read-only mappings, which pickle does not know.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


@dataclass(frozen=True)
class Task:
    """What every worker of a run is told first."""

    options: Options
    parties: tuple[Party, ...]


def main() -> NoReturn:
    """Work until stdin ends or a signal comes; either way nothing remains, and the process ends at once.

    A candidate in this process may have left threads that do not end and functions to be called at the exit.
    """
    code = 0
    try:
        _work()
    except BaseException:  # it may have made anything of this interpreter
        code = 1
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    _exit(code)


_exit = os._exit
"""Kept from before a candidate is here."""


def _work() -> None:
    end_with_the_parent()
    gc.set_threshold(100_000, 20, 20)  # as the verb has it, and for the same reason
    requests, answers = _own_streams()
    try:
        task: Task = pickle.load(requests)
    except (EOFError, pickle.UnpicklingError):
        return  # whoever started this process was gone before it could say what to do
    if not all(party.is_reference for party in task.parties):
        end_what_cannot_be_interrupted()
    with Interrupts(last=True) as stop:
        worker = _Worker(task, requests, answers, stop)
        try:
            worker.work()
        except UsageError as error:
            worker.say(usage=str(error))
        except KeyboardInterrupt:
            pass


class _Worker:
    def __init__(self, task: Task, requests: BinaryIO, answers: BinaryIO, stop: Interrupts) -> None:
        self._task = task
        self._requests = requests
        self._answers = answers
        self._stop = stop
        self._inquiries: dict[int, Inquiry] = {}
        self._parts: dict[str, Asked] = {}

    def say(self, **message: Any) -> None:
        """One line to whoever started this process."""
        self._answers.write(json.dumps(message).encode("ascii") + b"\n")
        self._answers.flush()

    def work(self) -> None:
        """Do what is asked. Raises UsageError and KeyboardInterrupt."""
        said: list[str] = []
        with Workspace.create() as workspace, Orphans() as orphans:
            machine = probe(os.fsencode(workspace.path))
            machine.to_json()  # looked at before a candidate can spoil what is looked at
            means = Means(
                self._task.options,
                workspace,
                machine,
                self._stop,
                listener=lambda record: self.say(record=record.to_json()),
                begun=lambda id: self.say(begun=id),
            )
            try:
                while request := self._next():
                    self._answer(request, means)
            except KeyboardInterrupt:
                pass  # what was asked until now has been told
            finally:
                for inquiry in self._inquiries.values():
                    said += inquiry.close()
                facilities = machine.to_json()
                strangers = workspace.strangers()
        self.say(
            left={
                "orphans": orphans.ended,
                "strangers": strangers,
                "leftovers": workspace.leftovers,
            },
            said=said,
            machine=facilities,
        )

    def _next(self) -> Mapping[str, Any] | None:
        with self._stop.waiting():
            line = self._requests.readline()
        return json.loads(line) if line else None

    def _answer(self, request: Mapping[str, Any], means: Means) -> None:
        number = request["party"]
        if number not in self._inquiries:
            self._start(number, means)
            return
        inquiry, part = self._inquiries[number], self._parts[request["pack"]]
        executed = inquiry.execute(part, part.features, frozenset(request["ids"]))
        self.say(done=True, guards=executed.guards, interrupted=executed.interrupted)
        if executed.interrupted:
            raise KeyboardInterrupt

    def _start(self, number: int, means: Means) -> None:
        inquiry = Inquiry(self._task.parties[number], means)
        try:
            hello, parts = inquiry.start()
        except CandidateFault as fault:
            self.say(fault=[fault.fault, fault.detail], said=inquiry.adapter.diagnostics())
            inquiry.close()
            return
        except BaseException:
            inquiry.close()
            raise
        self._inquiries[number] = inquiry
        self._parts |= {part.pack.name: part for part in parts}
        self.say(hello=told(hello), packs=[part.pack.name for part in parts])


def told(hello: Hello) -> dict[str, Any]:
    """What a candidate said of itself, as JSON; `hello_from` reads it back."""
    members = {**vars(hello), "capabilities": sorted(hello.capabilities)}
    return {name: value for name, value in members.items() if name != "raw"}


def hello_from(data: Mapping[str, Any]) -> Hello:
    """Read back what `told` wrote."""
    return Hello(**{**data, "capabilities": frozenset(data["capabilities"])})


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The requests and the answers on descriptors that a candidate in this process does not know."""
    requests, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)  # whatever a candidate prints goes to stderr
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")

"""Wrong in what a call asks for."""

import os
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from ...candidate import Candidate
from ...context import CallContext
from ...errors import Kind, ToolError
from ...executor import Definition, Executor, Result
from ...file_operations import COPY, MOVE
from ...moving.gate import Gate
from ...moving.request import SCHEMA, Reading, Written
from ...paths import Flavour
from ..mutant import Mutant
from .made import both, copying, made, moving


def changed(definition: Definition, *path: str, to: Any) -> Definition:
    """The definition with another value in its schema; None takes it away."""
    schema = deepcopy(SCHEMA)
    place = schema
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return replace(definition, input_schema=schema)


class HereByDefault(Reading):
    """A destination that is left out is the working directory."""

    def path(self, key: str) -> Written:
        self.arguments = {"destination": ".", **self.arguments}
        return super().path(key)


class Spelt(Reading):
    """What is no text is turned into one."""

    def path(self, key: str) -> Written:
        self.arguments = {**self.arguments, key: str(self.arguments[key])}
        return super().path(key)


class Forced(Reading):
    """`force` overwrites as well."""

    def overwrite(self) -> bool:
        return super().overwrite() or bool(self.arguments.get("force"))


def taken_for(other: Callable[[str], str]) -> type[Reading]:
    """Takes every path for another one."""

    class TakenFor(Reading):
        def path(self, key: str) -> Written:
            self.arguments = {**self.arguments, key: other(self.arguments[key])}
            return super().path(key)

    return TakenFor


class FromTheRoot(Gate):
    """Relative paths start in the first root."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(replace(context, working_dir=context.roots[0]), flavour)


class AsksFirst(Executor):
    """The user is asked before anything is looked at."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if context.policy.mode == "prompt" and not context.approves and context.policy.enabled:
            return Result(kind=Kind.APPROVAL_DENIED, message="not approved", approval_requested=True)
        return super().execute(name, arguments, context, flavour)


class FailsForEverything(Executor):
    """Wrong arguments are a failure like any other."""

    def _check(self, definition: Definition, arguments: Any) -> None:
        try:
            super()._check(definition, arguments)
        except ToolError as error:
            raise ToolError(Kind.EXECUTION_FAILED, error.message) from error


class Remembers(Candidate):
    """A call that was made before is answered from memory."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._known: dict[str, dict[str, Any]] = {}

    def call(self, params: Any) -> dict[str, Any]:
        key = repr(params)
        if key not in self._known:
            self._known[key] = super().call(params)
        return self._known[key]


MUTANTS: tuple[Mutant, ...] = (
    made(
        21,
        "move needs no destination: it is the working directory.",
        "FR-FOPS-MV-01",
        tools=moving(definition=changed(MOVE, "required", to=["source"]), reading=HereByDefault),
    ),
    made(
        22,
        "move takes anything for overwrite.",
        "FR-FOPS-MV-01",
        tools=moving(definition=changed(MOVE, "properties", "overwrite", to=None)),
    ),
    made(
        23,
        "copy takes anything for a path.",
        "FR-FOPS-CP-01",
        "FR-VAL-01",
        tools=copying(
            definition=changed(COPY, "properties", to={"overwrite": {"type": "boolean", "default": False}}),
            reading=Spelt,
        ),
    ),
    made(24, "An argument `force` overwrites as well.", "FR-FOPS-MV-01", tools=moving(reading=Forced)),
    made(
        25, "Blanks around a path are cut off.", "DFO-01", "DFO-02", tools=both(reading=taken_for(str.strip))
    ),
    made(
        26,
        "Relative paths start in the first root.",
        "FR-FOPS-MV-01",
        "FR-FOPS-CP-01",
        tools=both(gate=FromTheRoot),
    ),
    made(
        27,
        "The user is asked before the arguments are looked at.",
        "FR-VAL-01",
        "FR-APR-05",
        executor=AsksFirst,
    ),
    made(
        28,
        "Wrong arguments are ExecutionFailed.",
        "FR-FOPS-CP-01",
        "FR-FOPS-MV-01",
        "FR-VAL-01",
        "FR-FOPS-LS-01",
        executor=FailsForEverything,
    ),
    made(
        29,
        "A call that was made before is answered from memory.",
        "FR-EXE-01",
        "DFO-01",
        "DFO-02",
        face=Remembers,
    ),
    made(
        30,
        "Names are composed.",
        "DFO-01",
        tools=both(reading=taken_for(lambda path: normalize("NFC", path))),
    ),
    made(31, "A tilde is a home directory.", "DFO-01", tools=both(reading=taken_for(os.path.expanduser))),
    made(
        32,
        "A backslash parts directories.",
        "DFO-01",
        tools=both(reading=taken_for(lambda path: path.replace("\\", "/"))),
    ),
    made(
        33,
        "Relative paths of copy start in the first root.",
        "FR-FOPS-CP-01",
        tools=copying(gate=FromTheRoot),
    ),
)

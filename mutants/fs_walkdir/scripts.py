"""Mutants: errors in what scripts see. They change the interpreter, whose statements no call shows."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.fs_walkdir.script import ScriptRun, Statement

from ..shared.mutant import Mutant
from .builders import reference


def last_becomes(change: Callable[[Any, Any], Any]) -> type[ScriptRun]:
    """Return the execution in which the change makes LAST, from the one before and the value of a call."""

    class Changed(ScriptRun):
        def set_last(self, value: Any) -> None:
            self.last = change(self.last, value)

    return Changed


def last_is_kept(argument: str) -> type[ScriptRun]:
    """Return the execution in which LAST keeps its value if a call with this argument gives nil."""

    class Kept(ScriptRun):
        def execute(self, statement: Statement) -> None:
            before = self.last
            super().execute(statement)
            if statement.text.endswith(f"({argument})") and self.last is None:
                self.last = before

    return Kept


class KeepsReferences(ScriptRun):
    def set_last(self, value: Any) -> None:
        for name, kept in self.variables.items():
            if kept is self.last:
                self.variables[name] = value
        super().set_last(value)


class LastOnce(ScriptRun):
    def evaluate(self, text: str, line: int) -> Any:
        value = super().evaluate(text, line)
        if text.strip() == "LAST":
            self.last = None
        return value


class BlocksHaveTheirOwn(ScriptRun):
    def execute(self, statement: Statement) -> None:
        before = self.last
        super().execute(statement)
        if statement.text.startswith(("IF ", "FOR ")):
            self.last = before


class OneList(ScriptRun):
    """The list of each call is the same object."""

    def set_last(self, value: Any) -> None:
        if isinstance(self.last, list) and isinstance(value, list):
            self.last[:] = value
        else:
            super().set_last(value)


class EndsAtAnError(ScriptRun):
    """A script ends without an error where a call gives nil for another reason than a missing start."""

    has_ended = False

    def execute(self, statement: Statement) -> None:
        if not self.has_ended:
            super().execute(statement)
            is_call = statement.text.startswith("CALL ") and "no_such" not in statement.text
            self.has_ended = is_call and self.last is None


RUNS: tuple[tuple[str, str, type[ScriptRun]], ...] = (
    (
        *("MUT-WD-138", "LAST keeps its value when a call returns nil."),
        last_becomes(lambda last, value: last if value is None else value),
    ),
    (
        *("MUT-WD-139", "LAST keeps the first value of a script."),
        last_becomes(lambda last, value: value if last is None else last),
    ),
    (
        *("MUT-WD-140", "LAST holds the details of an error."),
        last_becomes(lambda last, value: "the walk failed" if value is None else value),
    ),
    (
        *("MUT-WD-141", "LAST is the empty list after an error."),
        last_becomes(lambda last, value: [] if value is None else value),
    ),
    (
        *("MUT-WD-142", "LAST holds an empty list, whatever was found."),
        last_becomes(lambda last, value: value and []),
    ),
    ("MUT-WD-180", "SET keeps a reference to LAST, which the next call changes.", KeepsReferences),
    ("MUT-WD-219", "LAST can be read once.", LastOnce),
    ("MUT-WD-220", "A call in a block does not set LAST.", BlocksHaveTheirOwn),
    ("MUT-WD-221", "All calls of a script have one list.", OneList),
    ("MUT-WD-281", "LAST is kept after a way out.", last_is_kept('"../outside"')),
    ("MUT-WD-282", "LAST is kept after the empty path.", last_is_kept('""')),
    ("MUT-WD-283", "LAST is kept after a number.", last_is_kept("5")),
    ("MUT-WD-284", "LAST is kept after a path below a file.", last_is_kept('"f/x"')),
)

MUTANTS: tuple[Mutant, ...] = (
    *(reference(id, summary, "WD-LAST-01")(script_run=run) for id, summary, run in RUNS),
    reference("MUT-WD-302", "A script ends at an error, as if that were its end.", "WD-ERR-01")(
        script_run=EndsAtAnError
    ),
)

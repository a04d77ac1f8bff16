"""Mutants: errors in the check of arguments against the schema."""

from collections.abc import Callable
from typing import Any

from treeproof.reference_impl.list_directory.request import SCHEMA
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, ToolDefinition
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import REFUSED

Arguments = dict[str, Any]
INTEGERS = ("max_depth", "max_entries")
SWITCHES = tuple(name for name, rule in SCHEMA["properties"].items() if rule["type"] == "boolean")


def with_arguments_changed(change: Callable[[Arguments], Arguments]) -> type[Executor]:
    """Return an executor with changed arguments."""

    class ChangingArguments(Executor):
        def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
            changed_arguments = change(arguments) if isinstance(arguments, dict) else arguments
            return super().execute(name, changed_arguments, context, flavour)

    return ChangingArguments


def change_members(names: tuple[str, ...], change: Callable[[Any], Any]) -> Callable[[Arguments], Arguments]:
    """Change the given members of these names."""

    def changed(arguments: Arguments) -> Arguments:
        return {name: change(value) if name in names else value for name, value in arguments.items()}

    return changed


def wrap_integers(bits: int) -> Callable[[Any], Any]:
    return lambda value: value % 2**bits if isinstance(value, int) and value >= 2**bits else value


def drop_members(unwanted: Callable[[str, Any], bool]) -> Callable[[Arguments], Arguments]:
    return lambda arguments: {k: v for k, v in arguments.items() if not unwanted(k, v)}


def dropping_large_numbers(most: int) -> type[Executor]:
    """Omit a limit with a fraction or exponent if it is this large."""
    return with_arguments_changed(
        drop_members(lambda name, value: name in INTEGERS and isinstance(value, float) and value >= most)
    )


class TakesAnything(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        changed_arguments = arguments if isinstance(arguments, dict) else {"path": "."}
        return super().execute(name, changed_arguments, context, flavour)


def as_list(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


class WithoutMessage(Executor):
    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        try:
            super()._check_arguments(definition, arguments)
        except ToolError as error:
            raise ToolError(error.kind, "") from error


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-097",
        "Booleans are accepted as integers.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(
            change_members(INTEGERS, lambda value: int(value) if isinstance(value, bool) else value)
        ),
    ),
    build_mutant(
        "MUT-100",
        "Integers wrap around at 32 bits.",
        "FR-LD-VAL-04 SCH-LD FR-LD-VAL-02 FR-LD-VAL-06b",
        REFUSED,
        executor=with_arguments_changed(change_members(INTEGERS, wrap_integers(32))),
    ),
    build_mutant(
        "MUT-221",
        "Digits in a string are accepted as an integer.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(
            change_members(INTEGERS, lambda v: int(v) if isinstance(v, str) and v.isdigit() else v)
        ),
    ),
    build_mutant(
        "MUT-222",
        "Fractions are truncated to integers.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(
            change_members(INTEGERS, lambda v: int(v) if isinstance(v, float) and abs(v) < 9e99 else v)
        ),
    ),
    build_mutant(
        "MUT-223",
        "Every value that is not empty is accepted as true.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(
            change_members(SWITCHES, lambda value: bool(value) if value is not None else value)
        ),
    ),
    build_mutant(
        "MUT-225",
        "The names of arguments are case-insensitive.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(lambda arguments: {name.lower(): value for name, value in arguments.items()}),
    ),
    build_mutant(
        "MUT-226",
        "A missing path means the working directory.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(lambda arguments: {"path": "."} | arguments),
    ),
    build_mutant(
        "MUT-227",
        "Limits below 1 mean no limit.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(
            drop_members(lambda name, value: name in INTEGERS and not isinstance(value, bool | str) and value < 1)
        ),
    ),
    build_mutant(
        "MUT-228",
        "Arguments that are no object list the working directory.",
        "SCH-LD",
        REFUSED,
        executor=TakesAnything,
    ),
    build_mutant(
        "MUT-229",
        "A list of one path is accepted as a path.",
        "SCH-LD",
        REFUSED,
        executor=with_arguments_changed(change_members(("path",), as_list)),
    ),
    build_mutant(
        "MUT-230",
        "Integers wrap around at 64 bits.",
        "FR-LD-VAL-04 SCH-LD FR-LD-VAL-02",
        REFUSED,
        executor=with_arguments_changed(change_members(INTEGERS, wrap_integers(64))),
    ),
    build_mutant(
        "MUT-246",
        "Arguments that the schema refuses are reported without a message.",
        "FR-LD-ERR-01 SCH-LD FR-LD-DEF-05 FR-LD-OUT-08 FR-LD-VAL-01 FR-LD-VAL-07",
        executor=WithoutMessage,
    ),
    build_mutant(
        "MUT-740",
        "A limit with an exponent beyond 32 bits is ignored.",
        "FR-LD-VAL-04",
        executor=dropping_large_numbers(2**32),
    ),
    build_mutant(
        "MUT-741",
        "A limit with an exponent beyond 64 bits is ignored.",
        "FR-LD-VAL-04",
        executor=dropping_large_numbers(2**64),
    ),
)

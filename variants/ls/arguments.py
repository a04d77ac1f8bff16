"""Variants: values that the schema leaves open, and the order of checks."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from treeproof.reference_impl.ls.candidate import DEFINITION
from treeproof.reference_impl.ls.request import PARAMETERS
from treeproof.rows.ls.answer import INVALID, MISSING, Answer
from treeproof.rows.ls.row import row
from treeproof.rows.shared.row import Row, Sent

from ..shared.variant import variant
from .stages import ARGUMENTS, DEFAULTS, ENVELOPES, JSON

LARGEST_EXACT_DOUBLE = 2**53
BROKEN_PATTERN = re.compile(r"(?<!\\)(\\\\)*\\$|\[z-[ay]\]")
"""A pattern that ends in an escape, or has a range whose ends are reversed, as in Java and Go."""


def given(sent: Sent, name: str) -> Any:
    """Return an argument, None if there is none."""
    return sent.arguments.get(name) if isinstance(sent.arguments, dict) else None


def refused(where: Callable[[Sent], Any]) -> Row:
    """Return the row that refuses arguments, as a limit that the schema excludes."""
    return row(stage=ARGUMENTS, where=where, arguments=lambda sent: {"limit": 0})


def ignoring(is_refused: Callable[[str], Any]) -> Row:
    """Return the row that refuses patterns."""

    def where(sent: Sent) -> bool:
        patterns = given(sent, "ignore")
        return isinstance(patterns, list) and any(isinstance(one, str) and is_refused(one) for one in patterns)

    return refused(where)


def null_is(**defaults: Any) -> Row:
    """Return the row that takes null for the default of an argument."""

    def filled(sent: Sent) -> Any:
        return {name: defaults.get(name) if value is None else value for name, value in sent.arguments.items()}

    return row(stage=DEFAULTS, where=lambda sent: isinstance(sent.arguments, dict), arguments=filled)


def nul_is(code: str) -> Row:
    """Return the row that has another code for a path that contains a NUL."""
    return row(
        where=lambda sent: "\0" in str(given(sent, "path")) and isinstance(given(sent, "path"), str),
        change=lambda at: at.refuse(code, INVALID[1]),
    )


def echo(change: Callable[[dict[str, Any]], Any], where: Callable[[Answer], bool] = lambda at: at.has_object) -> Row:
    """Return the row that shows other arguments in params_input, by default of objects only."""
    return row(stage=JSON, only=where, every={"context.params_input": lambda at: change(at.arguments)})


def whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def with_doubles(value: Any) -> Any:
    """Return a JSON value with numbers that pass through a double, and are written with as few digits as possible."""
    if isinstance(value, dict):
        return {name: with_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [with_doubles(member) for member in value]
    is_large = type(value) is int and abs(value) > LARGEST_EXACT_DOUBLE
    return int(Decimal(repr(float(value)))) if is_large else value


def become_doubles(at: Answer) -> None:
    at.members = with_doubles(at.members)


def look_at_the_path(at: Answer) -> None:
    """Become the failure of the path alone, if it fails."""
    if (alone := Answer(at.sent, {"path": at.given_path})).failed:
        at.sent, at.members = alone.sent, alone.members


def without_the_tool(sent: Sent) -> Any:
    message = "the arguments are no object"
    return replace(sent.answer(), status="error", content=None, error_kind="BadArgs", error_message=message)


_PARAMETERS_WITHOUT_NULL = {
    name: {key: value for key, value in one.items() if value is not None} for name, one in PARAMETERS.items()
}
DEFINITION_WITHOUT_NULL = replace(
    DEFINITION, input_schema={**DEFINITION.input_schema, "properties": _PARAMETERS_WITHOUT_NULL}
)

DEFINITION_WITH_EMPTY_IGNORE = replace(
    DEFINITION,
    input_schema={
        **DEFINITION.input_schema,
        "properties": {**PARAMETERS, "ignore": {**PARAMETERS["ignore"], "default": []}},
    },
)

VARIANTS = (
    variant("AMB-LS-12=b", "A whole number with a fraction of zero is an integer.")(
        row(stage=DEFAULTS, offset=whole, limit=whole)
    ),
    variant("AMB-LS-13=b", "null as a path is the default.")(null_is(path=".")),
    variant("AMB-LS-71=b", "null as an offset is the default.")(null_is(offset=0)),
    variant("AMB-LS-72=b", "null as a limit is the default.")(null_is(limit=100)),
    variant("AMB-LS-75=b", "null as include_hidden is false.")(null_is(include_hidden=False)),
    variant("AMB-LS-17=b", "The empty path is refused.")(refused(lambda sent: given(sent, "path") == "")),
    variant("AMB-LS-51=b", "Unknown arguments are refused.")(
        refused(lambda sent: isinstance(sent.arguments, dict) and sent.arguments.keys() - PARAMETERS.keys())
    ),
    variant("AMB-LS-18=b", "A path with a NUL lies outside.")(nul_is("ACCESS_DENIED")),
    variant("AMB-LS-18=c", "A path with a NUL does not exist.")(nul_is("NOT_FOUND")),
    variant("AMB-LS-18=d", "A path with a NUL is a failure of the system.")(nul_is("INTERNAL_ERROR")),
    variant("AMB-LS-57=b", "params_input is empty for arguments that are no object.")(
        echo(lambda sent: {}, lambda at: not at.has_object)
    ),
    variant("AMB-LS-57=c", "Arguments that are no object never reach the tool.")(
        row(stage=JSON, where=lambda sent: not isinstance(sent.arguments, dict), answer=without_the_tool)
    ),
    variant("AMB-LS-81=b", "Arguments pass through a type with five members.")(
        echo(lambda sent: {name: value for name, value in sent.items() if name in PARAMETERS})
    ),
    variant("AMB-LS-82=b", "An empty pattern is refused.")(ignoring(lambda pattern: pattern == "")),
    variant("AMB-LS-33=b", "The path is checked before the other arguments.")(
        row(
            stage=ENVELOPES,
            only=lambda at: (
                at.kind == "arguments"
                and at.has_object
                and isinstance(at.arguments.get("path", "."), str)
                and at.given_path
            ),
            change=look_at_the_path,
        )
    ),
    variant("VAR-LS-06", "An offset that is no safe integer is refused.")(
        refused(lambda sent: type(at := given(sent, "offset")) is int and at >= LARGEST_EXACT_DOUBLE)
    ),
    variant("VAR-LS-33", "A broken pattern is refused.")(ignoring(BROKEN_PATTERN.search)),
    variant("VAR-LS-34", "The empty path does not exist, as for the system.")(
        row(refusal=lambda at: ("NOT_FOUND", MISSING.format(path="")) if at.given_path == "" else None)
    ),
    variant("VAR-LS-18", "Numbers are doubles, as in JavaScript.")(row(stage=JSON, change=become_doubles)),
    variant("VAR-LS-13", "null as arguments means none.")(
        row(stage=DEFAULTS, where=lambda sent: sent.arguments is None, arguments=lambda sent: {})
    ),
    variant("VAR-LS-14", "An argument `__proto__` never arrives.")(
        echo(lambda sent: {name: value for name, value in sent.items() if name != "__proto__"})
    ),
    variant("VAR-LS-15", "The schema says that ignore is an empty array by default.")(
        definition=DEFINITION_WITH_EMPTY_IGNORE
    ),
    variant("VAR-LS-10", "The schema does not say that null is a default.")(definition=DEFINITION_WITHOUT_NULL),
)

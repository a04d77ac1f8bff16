"""Variants: the argument, its name, and who refuses a wrong one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.rows.fs_walkdir import row as rows
from treeproof.rows.fs_walkdir.row import unlogged
from treeproof.rows.shared.row import Sent

from ..shared.variant import variant
from .rows import NAMES, row


def bad_arguments(sent: Sent) -> Any:
    """Return the answer of a call whose arguments fail it."""
    message = "path is the one argument, and a text that is not empty"
    answer = unlogged(sent.answer())
    return replace(answer, status="error", content=None, error_kind="BadArgs", error_message=message)


def given(condition: Callable[[dict[str, Any]], Any]) -> Callable[[Sent], Any]:
    """Return the condition on arguments that are an object."""
    return lambda sent: isinstance(sent.arguments, dict) and condition(sent.arguments)


def by_place(arguments: Any) -> Any:
    values = list(arguments.values()) if isinstance(arguments, dict) else []
    return {"path": values[0]} if len(values) == 1 else arguments


def without_name(arguments: Any) -> Any:
    """Take a value that is no object for the argument, as an interpreter with arguments by place does."""
    if isinstance(arguments, list) and len(arguments) == 1:
        return {"path": arguments[0]}
    return {"path": arguments} if isinstance(arguments, str) else arguments


def is_wrong(arguments: Any) -> bool:
    """Return whether a schema can describe what is wrong."""
    path = arguments.get("path") if isinstance(arguments, dict) and arguments.keys() == {"path"} else None
    return not isinstance(path, str) or not path


VARIANTS = (
    variant("AMB-WD-25=place", "The argument is known by its place.")(row(NAMES, arguments=by_place)),
    variant("AMB-WD-26=call_error", "A missing argument fails the call.")(
        row(where=given(lambda found: "path" not in found), answer=bad_arguments)
    ),
    variant("AMB-WD-27=call_error", "A value of another type fails the call.")(
        row(
            where=given(lambda given: given.keys() == {"path"} and not isinstance(given["path"], str)),
            answer=bad_arguments,
        )
    ),
    variant("AMB-WD-28=call_error", "The empty path fails the call.")(
        row(where=given(lambda found: found == {"path": ""}), answer=bad_arguments)
    ),
    variant("AMB-WD-29=call_error", "An argument too many fails the call.")(
        row(where=given(lambda found: "path" in found and len(found) > 1), answer=bad_arguments)
    ),
    variant("VAR-WD-29", "A value without a name is the argument.")(row(NAMES, arguments=without_name)),
    # A script reaches the tool in another way.
    variant(
        "VAR-WD-01",
        "All arguments are checked before the tool is reached.",
        {f"AMB-WD-{number}": "call_error" for number in (26, 27, 28, 29)},
        excludes=("AMB-WD-25=place",),
    )(rows.row(where=lambda sent: is_wrong(sent.arguments), answer=bad_arguments)),
)

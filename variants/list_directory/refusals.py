"""Rows that refuse calls, or give other errors for them. Contains no variants."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.rows.list_directory.listing import ListCall, failed
from treeproof.rows.list_directory.row import row
from treeproof.rows.shared.row import Row

from .stages import ANSWERS

LISTED = ("", "ExecutionFailed")
"""The kinds of errors that come behind the check of the sandbox, and none."""

CHECKED = (*LISTED, "SandboxViolation")
"""The kinds of errors that come behind the check of the arguments, and none."""


def refusing(kind: str, message: str, where: Callable[[ListCall], Any], behind: tuple[str, ...] = LISTED) -> Row:
    """Return the row that refuses calls before what is due to errors of some kinds."""
    prefix = "list_directory failed: " if kind == "ExecutionFailed" else ""

    def result(sent: ListCall, answer: Any) -> Any:
        is_due = (answer.error_kind or "") in behind and not is_textual(answer)
        return failed(answer, kind, prefix + message) if is_due else answer

    return row(stage=ANSWERS, where=where, result=result)


def is_textual(answer: Any) -> bool:
    """Return whether the sandbox refuses the text of a path."""
    return answer.error_kind == "SandboxViolation" and "not allowed" in answer.error_message


def reworded(is_meant: Callable[[Any], Any], **changes: Any) -> Row:
    """Return the row that changes some errors."""
    return row(stage=ANSWERS, failure=lambda answer: replace(answer, **changes) if is_meant(answer) else answer)


def has_message(*parts: str) -> Callable[[Any], bool]:
    """Return the condition that the message of an error contains one of some texts."""
    return lambda answer: any(part in answer.error_message for part in parts)


def of_kind(*kinds: str) -> Callable[[Any], bool]:
    return lambda answer: answer.error_kind in kinds

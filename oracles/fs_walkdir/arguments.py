"""The arguments of a call: the path, or the failure of a call with wrong ones (Behaviour 1)."""

from __future__ import annotations

from typing import Any

from ..shared.reading_choices import ReadingChoices
from .outcomes import ExpectedFailure

_MISSING, _OTHER_TYPE, _EMPTY, _SURPLUS = "AMB-WD-26", "AMB-WD-27", "AMB-WD-28", "AMB-WD-29"
"""The interpretations of whether a call fails."""


def parse_arguments(arguments: Any, readings: ReadingChoices) -> str | ExpectedFailure:
    """Return the path of valid arguments, or the failure."""
    if isinstance(arguments, dict) and set(arguments) == {"path"}:
        return _parse_path(arguments["path"], readings)
    values = _positional(arguments)
    # What has no names can only be known by its place, or not at all: it shows nothing of how names are treated.
    by_place = readings.choose("arguments without names", (True, False)) if not isinstance(arguments, dict) else None
    if len(values) == 1 and (readings["AMB-WD-25"] == "place" if by_place is None else by_place):
        return _parse_path(values[0], readings)
    if len(values) > 1 and (not isinstance(arguments, dict) or "path" in arguments):
        return _failure("WD-ARG-01", "there is more than one argument", (_SURPLUS,), readings)
    conventions: tuple[str, ...] = (_MISSING,)
    if not isinstance(arguments, dict) or len(values) > 1:  # all of them may be missing, too many, or of another type
        conventions = (_MISSING, _OTHER_TYPE, _SURPLUS)
    return _failure("WD-ARG-01", "path is not the one argument", conventions, readings)


def _positional(arguments: Any) -> list[Any]:
    """Return the values of arguments by their places; a single value that is no container is the one argument."""
    if isinstance(arguments, dict):
        return list(arguments.values())
    if isinstance(arguments, list):
        return arguments
    return [] if arguments is None else [arguments]


def _parse_path(path: Any, readings: ReadingChoices) -> str | ExpectedFailure:
    if path is None:  # a language may take null for an argument that is not there
        return _failure("WD-ARG-02", "path is null", (_OTHER_TYPE, _MISSING), readings)
    if not isinstance(path, str):
        return _failure("WD-ARG-02", "path is no string", (_OTHER_TYPE,), readings)
    if path == "":
        return _failure("WD-ARG-03", "path is empty", (_EMPTY,), readings)
    return path


def _failure(requirement: str, reason: str, conventions: tuple[str, ...], readings: ReadingChoices) -> ExpectedFailure:
    """Return the failure by one of the interpretations, which the first one names.

    A tool whose errors fail the call (AMB-WD-23) fails it for its arguments, too, whichever part checks them.
    """
    accepted = {label for id in conventions for label in readings.accepted_labels(id)}
    if len(conventions) > 1:  # no single interpretation is shown
        fails = readings.choose("wrong arguments", tuple(sorted(accepted, reverse=True))) == "call_error"
    else:
        fails = readings[conventions[0]] == "call_error"
    if fails:
        return ExpectedFailure(requirement, reason, "must", logged="anything", convention=conventions[0])
    may_fail = "error" in readings.accepted_labels("AMB-WD-23")
    return ExpectedFailure(requirement, reason, "may" if may_fail else "no", convention=conventions[0])

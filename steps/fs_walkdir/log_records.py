"""Then: the log records of a call. They need a candidate with the capability `log`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.api import Mismatch, NotVerified, World, then

from ..shared.values import format_json
from .view import Walk

ERROR_LEVELS = ("error",)


def log_records(world: World) -> list[Mapping[str, Any]]:
    """Return the records of the last answer. Raises NotVerified if the candidate reports no log."""
    world.require_capability("log")
    return list(world.answer.log or ())


def assert_record(world: World) -> None:
    """Raise Mismatch unless there is a record of any level with a message."""
    records = log_records(world)
    if not any(str(record.get("message", "")).strip() for record in records):
        got = format_json([dict(record) for record in records])[:800]
        raise Mismatch("no error is logged: no record has a message", got=got, kind="no error is logged")


@then("a record is logged, unless a list was returned", capabilities="log")
def a_record_is_logged(world: World) -> None:
    """Require a record of any level with a message. After a list there is no error that could be logged."""
    if Walk.parse_or_none(world.answer, world.log.calls[-1]) is not None:
        raise NotVerified("other_requirement", "the call returned a list, so there is no error to log")
    assert_record(world)


@then("no error is logged", capabilities="log")
def no_error_is_logged(world: World) -> None:
    """Require no record at the level error. Records of other levels are free (AMB-WD-02)."""
    found = [dict(record) for record in log_records(world) if record.get("level") in ERROR_LEVELS]
    if found:
        raise Mismatch("an error is logged", got=format_json(found)[:800])

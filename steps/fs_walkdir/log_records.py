"""Then: the log records of a call. They need a candidate with the capability `log`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.api import Mismatch, NotVerified, World, then

from ..shared.interpretations import answer_has_entries
from ..shared.values import format_json
from .results import assert_list

ERROR_LEVELS = ("error",)


def log_records(world: World) -> list[Mapping[str, Any]]:
    """Return the records of the last answer. Raises NotVerified if the candidate reports no log."""
    world.require_capability("log")
    return list(world.answer.log or ())


def assert_record(world: World) -> None:
    """Raise Mismatch unless there is a record of any level with a message."""
    records = log_records(world)
    if world.answer.status == "error" and "error" not in world.accepted_readings("AMB-WD-23"):
        raise NotVerified("other_requirement", "the call fails, and no nil is returned whose reason could be logged")
    if not any(str(record.get("message", "")).strip() for record in records):
        got = format_json([dict(record) for record in records])[:800]
        raise Mismatch("no error is logged: no record has a message", got=got, stage="log", kind="no error is logged")


@then("a record is logged, unless a list was returned", capabilities="log")
def a_record_is_logged(world: World) -> None:
    """Require a record of any level with a message. After a list there is no error that could be logged."""
    log_records(world)
    try:
        assert_list(world)
    except Mismatch:
        assert_record(world)
    else:
        raise NotVerified("other_requirement", "the call returned a list, so there is no error to log")


@then("no error is logged", capabilities="log")
def no_error_is_logged(world: World) -> None:
    """Require no record at the level error. Records of other levels are free (AMB-WD-02).

    Raises NotVerified after a list with elements: then something was found.
    """
    if answer_has_entries(world):
        raise NotVerified("other_requirement", "the call listed something, so the start is not missing")
    found = [dict(record) for record in log_records(world) if record.get("level") in ERROR_LEVELS]
    if found:
        raise Mismatch("an error is logged", got=format_json(found)[:800], stage="log")

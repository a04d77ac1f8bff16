"""Then: the log records of a call. They need a candidate with the capability `log`."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json

ERROR_LEVELS = ("error",)
WARNING_LEVELS = ("warning", "error")


def log_records_at(world: World, levels: tuple[str, ...]) -> list[object]:
    """Return the records of the last answer at these levels. Raises NotVerified if the candidate reports no log."""
    world.require_capability("log")
    return [dict(record) for record in world.answer.log or () if record.get("level") in levels]


@then("an error is logged")
def an_error_is_logged(world: World) -> None:
    """Require at least one log record at the level error, with a message."""
    found = log_records_at(world, ERROR_LEVELS)
    if not any(str(dict(record).get("message", "")).strip() for record in found if isinstance(record, dict)):
        log = [dict(record) for record in world.answer.log or ()]
        raise Mismatch("no error is logged", expected="a record at the level error", got=format_json(log)[:800])


@then("no error is logged")
def no_error_is_logged(world: World) -> None:
    """Require no log record at the level warning or error."""
    found = log_records_at(world, WARNING_LEVELS)
    if found:
        raise Mismatch("an error is logged", expected="no record at warning or error", got=format_json(found)[:800])

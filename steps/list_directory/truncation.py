"""Then: whether a listing is complete, or truncated and for which reason."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json, format_member
from .view import CUT_BY_SIZE, Document

OTHER_TRUNCATION = "the truncation differs"
"""The kind of a difference between two truncations: whether entries were cut, and the reason."""


def check_reason(found: Document) -> None:
    """Raise Mismatch unless the reason is null, left out, or one of the two words (DOC-07)."""
    if found.members.get("truncated_reason") not in (None, "max_entries", CUT_BY_SIZE):
        raise Mismatch(
            "truncated_reason is neither null nor max_entries nor max_output_bytes",
            got=format_member(found.members, "truncated_reason"),
            kind="another truncated_reason",
        )


def truncation_reason(found: Document) -> str:
    """Return the reason of the truncation, ``no`` if there is none.

    Raises Mismatch if flag and reason disagree, or if there is no such reason.
    """
    check_reason(found)
    flag, reason = found.members.get("truncated"), found.members.get("truncated_reason")
    if flag in (False,) and reason is None:  # DOC-06 compares the type
        return "no"
    if flag in (True,) and isinstance(reason, str):
        return reason
    raise Mismatch(
        "truncated and truncated_reason contradict each other",
        got=format_json({"truncated": flag, "truncated_reason": reason}),
    )


def assert_truncation(world: World, expected: str) -> None:
    """Raise Mismatch unless the last listing is truncated for this reason; ``no`` means complete."""
    got = truncation_reason(Document.last(world))
    if got != expected:
        texts = _format_truncation(expected), _format_truncation(got)
        raise Mismatch(OTHER_TRUNCATION, expected=texts[0], got=texts[1])


def _format_truncation(reason: str) -> str:
    is_cut = reason != "no"
    return format_json({"truncated": is_cut, "truncated_reason": reason if is_cut else None})


@then("the listing is complete")
def the_listing_is_complete(world: World) -> None:
    """Require that truncated is false and the reason null."""
    assert_truncation(world, "no")


@then(r'the listing is truncated by "(?P<reason>\w+)"', example='the listing is truncated by "max_entries"')
def the_listing_is_truncated_by(world: World, reason: str) -> None:
    """Require that truncated is true, with this reason."""
    assert_truncation(world, reason)

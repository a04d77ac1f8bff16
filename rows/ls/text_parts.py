"""The text of a listing in its parts, each of which a row can replace."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer, Entry

SUFFIXES = {"dir": "/", "link": "@"}


def heading(at: "Answer") -> str:
    return f"Listed {len(at.entries)} entries in '{at.path}'"


def totals(at: "Answer") -> str:
    counts = at.members["stats"]
    by_type = f"{counts['dirs']} dirs, {counts['files']} files, {counts['links']} links"
    return f"(Total: {at.total} items - {by_type})"


def notice(at: "Answer") -> str:
    shown = f"Showing {at.start}-{at.end} of {at.total}."
    return f"[Truncated: {shown} {at.total - at.end} more items available.]"


def hint(at: "Answer") -> str:
    return f"Use offset={at.end} to view next page."


def gap(at: "Answer") -> list[str]:
    return [""] if at.entries else []


def line(entry: "Entry") -> str:
    return entry.path + SUFFIXES.get(entry.type, "")


def announcement(at: "Answer", **parts: Callable[..., Any]) -> list[str]:
    """Return lines 3 and 4, if the page is truncated."""
    return [parts.get("notice", notice)(at), parts.get("hint", hint)(at)] if at.is_truncated else []


def render(at: "Answer", lines: Callable[[list[str]], list[str]] = list, **parts: Callable[..., Any]) -> str:
    """Return the text with other parts: the functions of this module, and the `lines` of all entries."""
    head = [parts.get("heading", heading)(at), parts.get("totals", totals)(at)]
    announced = parts["announcement"](at) if "announcement" in parts else announcement(at, **parts)
    shown = lines([parts.get("line", line)(entry) for entry in at.entries])
    return "\n".join([*head, *announced, *parts.get("gap", gap)(at), *shown])

"""The value of FS.WalkDir, read from its JSON text: a list of maps, or nil. No step stands here.

Reading is lenient: of a map only what a sentence asks for has to be there.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from re import compile as pattern
from typing import Any

from treeproof.api import CallResult, Mismatch

from ..shared.values import format_json, format_names

KEYS = ("name", "path", "isDir", "size", "modTime")

Element = dict[str, Any]

_RFC_3339 = pattern(
    r"(?P<date>\d{4}-\d\d-\d\d)[Tt](?P<time>\d\d:\d\d:\d\d)(?P<fraction>\.\d+)?(?P<offset>[Zz]|[+-]\d\d:\d\d)"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_value(answer: CallResult) -> Any:
    """The value of a call that succeeded, None for nil. Raises Mismatch for an error, and for what is no JSON."""
    if answer.status != "ok":
        raise Mismatch(
            f"the call failed with {answer.error_kind}: {answer.error_message}",
            expected="a list or nil",
            got=f"{answer.error_kind}: {answer.error_message}",
        )
    try:
        return json.loads(answer.content or "")
    except (ValueError, RecursionError) as error:
        text = (answer.content or "")[:400]
        raise Mismatch(f"the output is not JSON: {error}", expected="a list or null", got=text) from error


def parse_answer(answer: CallResult) -> list[Element]:
    """The maps of a list. Raises Mismatch for nil, and for what is no list of maps that have a text `path`."""
    found = parse_value(answer)
    if found is None:
        raise Mismatch("the result is nil", expected="a list", got="null")
    if not isinstance(found, list) or not all(isinstance(element, dict) for element in found):
        raise Mismatch(
            "the result is no list of maps", expected="a list of maps", got=format_json(found)[:400]
        )
    for element in found:
        if not isinstance(element.get("path"), str):
            raise Mismatch("an element has no text under the key path", got=format_json(element)[:400])
    return found


def paths(found: list[Element]) -> list[str]:
    return [element["path"] for element in found]


def element_at(found: list[Element], path: str) -> Element:
    """The element of a path. Raises Mismatch where there is none."""
    for element in found:
        if element["path"] == path:
            return element
    raise Mismatch(
        f"there is no element {format_names([path])}",
        expected=format_names([path]),
        got=format_names(paths(found)),
    )


def parse_time(text: object) -> Fraction | None:
    """Seconds since 1970 of a time in RFC 3339; None for what is none."""
    match = _RFC_3339.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{match['date']}T{match['time']}+00:00")
    except ValueError:
        return None
    offset = timedelta()
    if match["offset"] not in "Zz":
        hours, minutes = int(match["offset"][1:3]), int(match["offset"][4:6])
        if hours > 23 or minutes > 59:
            return None
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if match["offset"][0] == "-" else 1)
    whole = (moment - _EPOCH - offset) // timedelta(seconds=1)
    return whole + Fraction(f"0{match['fraction'] or '.0'}")


def fraction_digits(text: str) -> int:
    """How many digits of a fraction a time in RFC 3339 writes."""
    match = _RFC_3339.fullmatch(text)
    return len(match["fraction"]) - 1 if match and match["fraction"] else 0

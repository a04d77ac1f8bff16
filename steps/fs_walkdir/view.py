"""The value of FS.WalkDir, parsed from its JSON text: a list of maps, or nil. Contains no steps.

Parsing is lenient: a map needs only its path and the keys that a step checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from re import compile as pattern
from typing import ClassVar, Self

from treeproof.api import Call, CallResult, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import json_of, quote_message
from ..shared.values import format_json

MAX_LOG_RECORDS = 3
"""The number of log records in a message."""

KEYS = ("name", "path", "isDir", "size", "modTime")

NIL = "the result is nil"
"""The kind of a difference: nil where a list is due."""

_RFC_3339 = pattern(
    r"(?P<date>\d{4}-\d\d-\d\d)[Tt ](?P<time>\d\d:\d\d:\d\d)(?P<fraction>\.\d+)?(?P<offset>[Zz]|[+-]\d\d:\d\d)"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_FRACTION_CHARACTERS = 1000


@dataclass(frozen=True)
class Walk(EntryView):
    """The maps of one answer."""

    numbers_by_value: ClassVar[bool] = True

    maps: list[Entry]

    @classmethod
    def parse(cls, answer: CallResult, call: Call | None = None) -> Self:
        """Parse an answer. Raises Mismatch for nil, and unless it is a list of maps with a text ``path``."""
        found = json_of(answer)
        if found is None:
            # The log shows the reader why it is nil.
            logged = [str(record.get("message", "")) for record in (answer.log or ())][:MAX_LOG_RECORDS]
            text = quote_message("; ".join(filter(None, logged)))
            raise Mismatch(f"{NIL}{text and ', and the log says'}{text}", got="null", kind=NIL)
        if not isinstance(found, list) or not all(
            isinstance(one, dict) and isinstance(one.get("path"), str) for one in found
        ):
            what = "the result is no list of maps with a text under the key path"
            raise Mismatch(what, got=format_json(found)[:400])
        return cls(found)

    @property
    def entries(self) -> list[Entry]:
        """The maps in output order."""
        return self.maps


ENTRY_VIEW = Walk


def parse_time(text: object) -> Fraction | None:
    """Return the seconds since 1970 of a time in RFC 3339; None for another value."""
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
    # A time on a disk has nine digits at most, and thousands of them are no number of Python.
    return whole + Fraction(f"0{(match['fraction'] or '.0')[:_MAX_FRACTION_CHARACTERS]}")


def fraction_digits(text: str) -> int:
    """Return the number of digits in the fraction of a time in RFC 3339."""
    match = _RFC_3339.fullmatch(text)
    return len(match["fraction"]) - 1 if match and match["fraction"] else 0

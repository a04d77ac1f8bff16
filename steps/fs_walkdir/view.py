"""The value of FS.WalkDir, parsed from its JSON text: a list of maps, or nil. Contains no steps.

Parsing is lenient: a map needs only its path and the keys that a step checks.
"""

from __future__ import annotations

import json
import posixpath
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from re import compile as pattern
from typing import Any, ClassVar, Self

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Call, CallResult, ComparisonStage, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import describe_error, error_kind, quote_message
from ..shared.values import format_json, format_names

MAX_LOG_RECORDS = 3
"""The number of log records in a message."""

KEYS = ("name", "path", "isDir", "size", "modTime")

NIL = "the result is nil"
"""The kind of a difference: nil where a list is due."""

TWICE = "elements are there twice"
START = "the start is an element"
BEHIND = "elements lie behind others that are no directories"
"""The kinds of a difference between two sets of paths, if all expected ones are there."""

STARTS = frozenset({"", ".", "./", "..", "../", "/"})
"""The paths that name the start, or what is above it."""

_RFC_3339 = pattern(
    r"(?P<date>\d{4}-\d\d-\d\d)[Tt](?P<time>\d\d:\d\d:\d\d)(?P<fraction>\.\d+)?(?P<offset>[Zz]|[+-]\d\d:\d\d)"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_FRACTION_CHARACTERS = 1000


def parse_value(answer: CallResult) -> Any:
    """Return the value of an answer, None for nil. Raises Mismatch for an error, and for an output that is no JSON."""
    if answer.status != "ok":
        raise Mismatch(describe_error(answer), got=str(answer.error_kind), stage="call", kind=error_kind(answer))
    try:
        return json.loads(answer.content or "")
    except (ValueError, RecursionError) as error:
        text = (answer.content or "")[:400]
        raise Mismatch(f"the output is not JSON: {error}", got=text, stage="output") from error


def is_nil_answer(answer: CallResult) -> bool:
    """Return whether a call succeeded and gave nil."""
    try:
        return parse_value(answer) is None
    except Mismatch:
        return False


def nil_mismatch(answer: CallResult, what: str) -> Mismatch:
    """Return the Mismatch for nil where a list is due; its message has what the candidate logged, if anything."""
    logged = [str(record.get("message", "")) for record in (answer.log or ())][:MAX_LOG_RECORDS]
    text = quote_message("; ".join(filter(None, logged)))
    return Mismatch(f"{what}{text and ', and the log says'}{text}", got="null", stage="call", kind=what)


@dataclass(frozen=True)
class Walk(EntryView):
    """The maps of one answer."""

    numbers_by_value: ClassVar[bool] = True

    maps: list[Entry]
    start_name: str = ""
    """The base name of the start; "" if the path of the call does not show it."""

    @classmethod
    def parse(cls, answer: CallResult, call: Call | None = None) -> Self:
        """Parse an answer. Raises Mismatch for nil, and unless it is a list of maps with a text ``path``."""
        found = parse_value(answer)
        if found is None:
            raise nil_mismatch(answer, NIL)
        if not isinstance(found, list) or not all(isinstance(element, dict) for element in found):
            got = format_json(found)[:400]
            raise Mismatch("the result is no list of maps", got=got, stage="output")
        for element in found:
            if not isinstance(element.get("path"), str):
                raise Mismatch(
                    "an element has no text under the key path",
                    got=format_json(element)[:400],
                    stage="output",
                    kind="no path",
                )
        if any(map(_is_nested, found)):
            raise Mismatch("the list is nested", got=format_json(found)[:400], stage="output")
        return cls(found, _start_name(call))

    @property
    def entries(self) -> list[Entry]:
        """The maps in output order."""
        return self.maps

    def member_stage(self, entry: Entry, key: str) -> ComparisonStage:
        """Return "output" for a key that is absent."""
        return "members" if key in entry else "output"

    def has_other_form(self, missing: Sequence[str]) -> bool:
        """Return whether the entries of all missing paths are there, under other paths.

        The name of an element shows that, or the last component of its path. A path whose directories are elements,
        too, is no other form but another entry. The path of the start with the name of another entry is another form.
        """
        if any(self.key(one) in STARTS and not self.is_start(one) for one in self.entries):
            return True
        absent = [path for path in missing if path not in self.keys]
        if absent and self._names == sorted(path.rpartition("/")[2] for path in missing):
            return True
        others = [element for element in self.entries if self.key(element) not in missing]
        return bool(absent) and all(any(self._is_other_form(one, path) for one in others) for path in absent)

    def is_start(self, element: Entry) -> bool:
        """Return whether an element is the start, or what is above it: it has such a path, and no name of another."""
        last = _last_component(str(element.get("name", "")))
        return self.key(element) in STARTS and (not self.start_name or last in STARTS | {self.start_name})

    @property
    def _names(self) -> list[str]:
        return sorted(str(element.get("name", _last_component(self.key(element)))) for element in self.entries)

    def _is_other_form(self, element: Entry, path: str) -> bool:
        key, last = self.key(element), _last_component(path)
        if key.replace("\\", "/").strip("/") == path.replace("\\", "/"):
            return True
        if _last_component(key) != last:
            return element.get("name") == path.rpartition("/")[2]
        directory = key.strip("/").rpartition("/")[0]
        return path.endswith("/" + key) or not directory or not self._lists_all_of(directory)

    def _lists_all_of(self, directory: str) -> bool:
        parts, keys = directory.split("/"), set(self.keys)
        return all("/".join(parts[:length]) in keys for length in range(1, len(parts) + 1))

    def surplus_kind(self, expected: Sequence[str]) -> str | None:
        """Return what the paths are that are listed beside the expected ones; None if these are not all there."""
        missing, surplus = Counter(expected) - Counter(self.keys), Counter(self.keys) - Counter(expected)
        if missing or not surplus:
            return None
        if all(path in expected for path in surplus):
            return TWICE
        if all(path in STARTS for path in surplus):
            return START
        leaves = tuple(f"{path}/" for path in expected if not any(one.startswith(f"{path}/") for one in expected))
        return BEHIND if leaves and all(path.startswith(leaves) for path in surplus) else UNEXPECTED_ENTRIES

    def assert_lists(self, expected: Sequence[str]) -> None:
        """Raise Mismatch unless the last components of these paths are listed: other steps check the paths."""
        missing = sorted(set(map(_last_component, expected)) - set(map(_last_component, self.keys)))
        if missing:
            what = f"it does not list {format_names(missing)}"
            raise Mismatch(
                what,
                got=format_names(self.keys),
                stage="entries",
                kind=MISSING_ENTRIES,
            )


ENTRY_VIEW = Walk


def _start_name(call: Call | None) -> str:
    """Return the last component of the path of a call; "" if that is no name."""
    path = call.arguments.get("path") if call and isinstance(call.arguments, dict) else None
    name = posixpath.basename(posixpath.normpath(path)) if isinstance(path, str) else ""
    return "" if name in STARTS else name


def _is_nested(element: Entry) -> bool:
    """Return whether a member of an element is a list of further elements."""
    lists = (value for value in element.values() if isinstance(value, list))
    return any(isinstance(item, dict) and "name" in item for items in lists for item in items)


def _last_component(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].rpartition("\\")[2]


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

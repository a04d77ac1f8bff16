"""The comparison of the members of an element with an expected one, and the readings that right members show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isfinite
from typing import Any

from treeproof.api import Finding, Kind

from ..shared.formatting import format_json, format_paths
from .outcomes import ExpectedListing
from .walk import ExpectedElement

ELEMENT_KEYS = frozenset({"name", "path", "isDir", "size", "modTime"})

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", re.IGNORECASE)
"""RFC 3339; its section 5.6 allows a blank for the T."""

_FIRST_SECOND, _LAST_SECOND = -62135596800, 253402300799
"""The seconds of the years that RFC 3339 can write."""

Sizes = Mapping[str, frozenset[int] | None]
"""The right sizes by reading; None: any number from 0."""


@dataclass(frozen=True)
class Shown:
    """The readings of one interpretation that an element is right by; each right element shows some."""

    interpretation: str
    labels: frozenset[str]


class ElementComparison:
    """Compares elements with those of one expected listing."""

    def __init__(self, expected: ExpectedListing) -> None:
        self._expected = expected

    def differences(self, expected: ExpectedElement, element: Mapping[str, Any]) -> Iterator[Finding]:
        """Yield a finding for each member that is wrong."""
        missing, surplus = ELEMENT_KEYS - set(element), set(element) - ELEMENT_KEYS
        if missing or (surplus and "tolerated" not in self._expected.members.further_keys):
            keys = format_json(sorted(ELEMENT_KEYS)), format_json(sorted(element))
            kind = f"no {min(missing)}" if missing else "a map has further keys"
            yield Finding("WD-RET-01", f"the keys {_of(expected)} are wrong", *keys, kind=kind)
            if missing:
                return
        yield from _compare_name(expected, element["name"])
        yield from _compare_is_dir(expected, element["isDir"])
        yield from self._compare_size(expected, element["size"])
        yield from self._compare_time(expected, element["modTime"])

    def shown_readings(self, expected: ExpectedElement, element: Mapping[str, Any]) -> Iterator[Shown]:
        """Yield the readings that a right element shows."""
        if set(element) - ELEMENT_KEYS:
            yield Shown("AMB-WD-16", frozenset({"tolerated"}))
        kind, size = expected.node.kind, element["size"]
        if kind is Kind.DIR:
            yield Shown("AMB-WD-04", frozenset({"zero" if size == 0 else "system"}))
        if kind is Kind.SYMLINK:
            fitting = (label for label, sizes in self._link_sizes(expected).items() if sizes is None or size in sizes)
            yield Shown("AMB-WD-05", frozenset(fitting))
        if expected.mtime_ns is not None and (written := _written(element["modTime"])) is not None:
            yield _shown_of_time(expected.mtime_ns, *written)

    def _compare_size(self, expected: ExpectedElement, size: Any) -> Iterator[Finding]:
        if type(size) is not int and not (isinstance(size, float) and isfinite(size)):
            yield Finding(
                "WD-ENT-04",
                f"size {_of(expected)} is no number",
                '"a number"',
                format_json(size),
                kind="a size is no number",
            )
        elif size < 0:
            message = f"size {_of(expected)} is below 0"
            yield Finding("WD-ENT-04", message, "0", format_json(size), kind="a size is below 0")
        elif expected.node.kind is Kind.DIR:
            if size != 0 and "system" not in self._expected.members.directory_sizes:
                message = f"size {_of(expected)}, a directory, is not 0"
                yield Finding("WD-ENT-06", message, "0", format_json(size), kind="the size of a directory is not 0")
        elif expected.node.kind is Kind.FILE:
            # A reader of doubles has no exact number beyond 2^53.
            if expected.node.size <= 2**53 and size != expected.node.size:
                right = format_json(expected.node.size)
                message = f"size {_of(expected)} is wrong"
                yield Finding("WD-ENT-04", message, right, format_json(size), kind="another size")
        elif expected.node.kind is Kind.SYMLINK:
            accepted = self._expected.members.link_sizes
            sizes = {label: right for label, right in self._link_sizes(expected).items() if label in accepted}
            if all(right is not None and size not in right for right in sizes.values()):
                right = format_json(sorted({one for few in sizes.values() for one in few or ()}))
                message = f"size {_of(expected)}, a link, is neither its own nor its target's"
                yield Finding("WD-ENT-04", message, right, format_json(size), kind="another size of a link")

    def _link_sizes(self, expected: ExpectedElement) -> Sizes:
        """Return the sizes of a link by the readings of AMB-WD-05."""
        target = expected.node.target or b""
        own = None if b"$" in target else frozenset({len(target)})
        return {"own": own, "zero": frozenset({0}), "target": self._target_sizes(expected, own)}

    def _target_sizes(self, expected: ExpectedElement, own: frozenset[int] | None) -> frozenset[int] | None:
        start = self._expected.start
        place = start.place
        for name in expected.raw_path.split(b"/")[:-1]:
            place = (*place, next(child for child in place[-1].children if child.name == name))
        target, is_known = start.surroundings.target_of(place, expected.node)
        if target is not None and target.kind is Kind.FILE and target.size <= 2**53:
            return frozenset({target.size})
        # What leads to nothing has no size but its own, or none.
        return None if target is not None or not is_known or own is None else own | {0}

    def _compare_time(self, expected: ExpectedElement, text: Any) -> Iterator[Finding]:
        written = _written(text)
        if written is None:
            kind, form = "a modTime is no time in RFC 3339", '"a time in RFC 3339"'
            message = f"modTime {_of(expected)} is no time in RFC 3339"
            yield Finding("WD-ENT-05", message, form, format_json(text), kind=kind)
            return
        if expected.mtime_ns is None:
            return
        second, fraction = divmod(expected.mtime_ns, 10**9)
        if not _FIRST_SECOND <= second <= _LAST_SECOND:
            return
        instants, accepted = _instants(expected.mtime_ns, written[1]), self._expected.members.fractions
        if not any(written[0] in right for label, right in instants.items() if label in accepted):
            instant = f"{datetime.fromtimestamp(second, UTC).isoformat()[:-6]}.{fraction:09}Z"
            message = f"modTime {_of(expected)} is another instant"
            yield Finding("WD-ENT-05", message, format_json(instant), format_json(text), kind="another modTime")


def _of(expected: ExpectedElement) -> str:
    """Return the words for a member's element; only findings need them, and a list may have thousands of elements."""
    return f"of {format_paths([expected.path])}"


def _compare_name(expected: ExpectedElement, name: Any) -> Iterator[Finding]:
    due = expected.path.rpartition("/")[2]
    if not isinstance(name, str) or (expected.is_utf8 and name != due):
        values = format_json(due), format_json(name)
        yield Finding("WD-ENT-01", f"name {_of(expected)} is wrong", *values, kind="another name")


def _compare_is_dir(expected: ExpectedElement, is_dir: Any) -> Iterator[Finding]:
    due = expected.node.kind is Kind.DIR
    if is_dir is due:
        return
    values = format_json(due), format_json(is_dir)
    if type(is_dir) is not bool:
        kind = "isDir is no boolean"
    elif expected.node.kind is Kind.SYMLINK:
        kind = "isDir of a link is true"
    else:
        kind = f"isDir of a {'directory' if due else 'file'} is {format_json(is_dir)}"
    yield Finding("WD-ENT-03", f"isDir {_of(expected)} is wrong", *values, kind=kind)


def shared_labels(shown: Sequence[Shown]) -> Mapping[str, str]:
    """Return the readings that all elements show, where that is one."""
    found: dict[str, frozenset[str]] = {}
    for one in shown:
        found[one.interpretation] = found.get(one.interpretation, one.labels) & one.labels
    return {id: next(iter(labels)) for id, labels in found.items() if len(labels) == 1}


def _written(text: Any) -> tuple[int, int] | None:
    """Return the instant that a text writes, in parts of a second, and the number of digits of such a part."""
    return _written_in(text) if isinstance(text, str) else None


@lru_cache(1000)
def _written_in(text: str) -> tuple[int, int] | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    offset = "+00:00" if match[4] in "Zz" else match[4]
    try:
        moment = datetime.fromisoformat(f"{match[1]} {match[2]}{offset}")
    except ValueError:
        return None
    # Zeros after the nanoseconds change nothing; thousands of digits are no number of Python.
    digits = (match[3] or "")[:9] + (match[3] or "")[9:18].rstrip("0")
    return int(moment.timestamp()) * 10 ** len(digits) + int(digits or "0"), len(digits)


@lru_cache(1000)
def _shown_of_time(mtime_ns: int, instant: int, digits: int) -> Shown:
    instants = _instants(mtime_ns, digits)
    return Shown("AMB-WD-22", frozenset(label for label, right in instants.items() if instant in right))


@lru_cache(1000)
def _instants(mtime_ns: int, digits: int) -> Mapping[str, set[int]]:
    """Return the right whole numbers for an instant by AMB-WD-22; before 1970 it is also cut towards 1970."""
    exact, half = Fraction(mtime_ns, 10**9) * 10**digits, Fraction(1, 2)
    return {
        "cut": {floor(exact)} | ({ceil(exact)} if exact < 0 else set()),
        "nearest": {floor(exact + half), ceil(exact - half)},
    }

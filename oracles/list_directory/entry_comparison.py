"""The comparison of one listed entry with the expected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.api import Finding

from ..shared.formatting import format_json, format_paths
from .document import ERROR_CODES, ExpectedEntry
from .lossy_names import is_utf8

TYPES = ("file", "dir", "symlink", "other", "unknown")
"""The words for the kinds of entries (EF-04)."""

_REQUIREMENTS = {
    "name": "EF-01",
    "depth": "EF-03",
    "type": "EF-04",
    "size_bytes": "EF-05",
    "modified_epoch_ms": "EF-06",
    "is_hidden": "EF-07",
    "error_code": "EF-08",
}


OTHER_TYPE = "another type"
"""The kind of a difference in whether an entry is `unknown`, on which all its other members depend."""


@dataclass(frozen=True)
class _Subject:
    """What a finding is about. A run compares 50,000 entries, and writes few of their paths."""

    path: str

    def __str__(self) -> str:
        return f"of {format_paths([self.path])}"


def compare_entry(
    expected: ExpectedEntry, got: dict[str, Any], path: str, unknown_suspects: Sequence[str] = ()
) -> list[Finding]:
    """Return the differences of an entry in its members.

    `unknown_suspects`: requirements whose violation can make the entry `unknown`, the likeliest first.
    """
    if _is_healthy_match(expected, got):
        return []
    subject = _Subject(path)
    lossy = () if is_utf8(expected.raw_path) else ("NFR-LD-REL-02",)
    if got["type"] in TYPES and (expected.type == "unknown") != (got["type"] == "unknown"):
        if got["type"] == "unknown" and got["error_code"] is None:
            kind, others = OTHER_TYPE, ("FR-LD-LST-04", "FR-LD-LST-08", *lossy)
            return [Finding("EF-04", f"type {subject} is wrong", expected.type, "unknown", others, kind)]
        first, other = "FR-LD-LST-04", "FR-LD-LST-08"
        if "read_dir_failed" in (*expected.error_codes, got["error_code"]):
            first, other = other, first
        if not expected.error_codes and unknown_suspects:  # the walk tried to enter what is not to be entered
            others = (*unknown_suspects[1:], first, other, "EF-04", *lossy)
            first = unknown_suspects[0]
        elif lossy and not expected.error_codes:  # probably looked up by its lossy text; the metadata can be had
            others, first = (first, other, *lossy), "EF-04"
        else:
            others = (other, "EF-04", *lossy)
        message = f"type {subject} is wrong"
        return [Finding(first, message, expected.type, got["type"], others, OTHER_TYPE)]
    accepted: dict[str, tuple[Any, ...]] = {
        "name": (expected.name,),
        "depth": (expected.depth,),
        "type": (expected.type,),
        "size_bytes": (expected.size_bytes,),
        "modified_epoch_ms": expected.accepted_times,
        "is_hidden": (expected.is_hidden,),
        "error_code": expected.error_codes or (None,),
    }
    if expected.error_codes and got["error_code"] is None:
        first = "FR-LD-LST-08" if "read_dir_failed" in expected.error_codes else "FR-LD-LST-04"
        message, kind = f"error_code {subject} is null", "an unknown entry has no error_code"
        return [Finding(first, message, " or ".join(expected.error_codes), "null", ("EF-08",), kind)]
    failure_suspects = ("FR-LD-LST-08", "FR-LD-LST-04") if expected.error_codes else ()
    others = (*(["EF-04"] if expected.type == "symlink" else []), *failure_suspects, *lossy)
    findings = [
        Finding(
            _requirement_of(name, expected, got),
            f"{name} {subject} is wrong",
            " or ".join(map(format_json, values)),
            format_json(got[name]),
            others,
            f"another {name}",
        )
        for name, values in accepted.items()
        if not any(same_json(got[name], value) or _is_double_of(expected, got[name], value) for value in values)
    ]
    return findings + _compare_error(expected, got["error"], subject, failure_suspects)


def _is_healthy_match(expected: ExpectedEntry, got: dict[str, Any]) -> bool:
    """Return whether all members are those of a readable entry: nearly all of the entries in a run are."""
    time, size = got["modified_epoch_ms"], got["size_bytes"]
    return (
        not expected.error_codes
        and got["error"] is got["error_code"] is None
        and got["is_hidden"] is expected.is_hidden
        and bool not in (type(got["depth"]), type(time), type(size))
        and float not in (type(got["depth"]), type(time), type(size))
        and time in expected.accepted_times
        and (got["type"], got["name"], got["depth"], size)
        == (expected.type, expected.name, expected.depth, expected.size_bytes)
    )


def _is_double_of(expected: ExpectedEntry, got: object, value: object) -> bool:
    is_number = type(got) is int and type(value) is int
    return expected.has_doubles and is_number and float(got) == float(value)  # type: ignore[arg-type]


def _requirement_of(member: str, expected: ExpectedEntry, got: dict[str, Any]) -> str:
    """Return the requirement of a member; a code that is documented, and not for a directory, is one of the walk."""
    if member == "error_code" and expected.error_codes == ("read_dir_failed",) and got["error_code"] in ERROR_CODES:
        return "FR-LD-LST-08"
    return _REQUIREMENTS[member]


def _compare_error(expected: ExpectedEntry, error: object, subject: _Subject, others: tuple[str, ...]) -> list[Finding]:
    if not expected.error_codes:
        return [] if error is None else [_error_finding(f"error {subject} is not null", "null", error)]
    is_optional = error in (None, "") and expected.error_codes == ("read_dir_failed",)  # AMB-LD-05
    if is_optional or (isinstance(error, str) and error):
        return []
    if error in (None, ""):
        message, kind = f"error {subject} is empty", "an unknown entry has no error"
        got = format_json(error)
        return [Finding("FR-LD-LST-04", message, "a text", got, ("EF-09", *others), kind)]
    return [_error_finding(f"error {subject} is no text", "a text", error, others)]


def _error_finding(message: str, expected: str, got: object, others: tuple[str, ...] = ()) -> Finding:
    return Finding("EF-09", message, expected, format_json(got), others, "another error")


def pair_entries(
    expected: list[ExpectedEntry], got: list[dict[str, Any]]
) -> list[tuple[ExpectedEntry, dict[str, Any]]]:
    """Pair each listed entry with an expected one that it matches, else with the first remaining one."""
    remaining = list(expected)
    pairs = []
    for members in got:
        entry = next((entry for entry in remaining if not compare_entry(entry, members, "")), remaining[0])
        remaining.remove(entry)
        pairs.append((entry, members))
    return pairs


def same_json(got: Any, expected: Any) -> bool:
    """Return whether two JSON values are equal in type and value."""
    return type(got) is type(expected) and bool(got == expected)

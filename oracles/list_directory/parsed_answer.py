"""The document of a candidate, parsed leniently: its members and its canonical text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .document import json_string

MEMBERS = ("path", "entries", "returned", "max_entries", "truncated", "truncated_reason")
ENTRY_MEMBERS = (
    "name",
    "path",
    "depth",
    "type",
    "size_bytes",
    "modified_epoch_ms",
    "is_hidden",
    "error_code",
    "error",
)
_TEXTS = ("name", "path", "type")


@dataclass(frozen=True)
class MalformedDocument:
    """The defect of an output that is not a document, and the violated requirement."""

    requirement: str
    message: str


@dataclass(frozen=True)
class ParsedDocument:
    """A document of the right shape, with any values."""

    raw: str
    members: dict[str, Any]

    @property
    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.members["entries"]
        return found

    @property
    def paths(self) -> list[str]:
        return [entry["path"] for entry in self.entries]

    @property
    def size(self) -> int:
        """Return the length of the text in bytes."""
        return len(self.raw.encode("utf-8", "surrogatepass"))

    @property
    def canonical_text(self) -> str:
        """Return the document in its canonical form."""
        entries = ",".join(entry_text(entry) for entry in self.entries)
        return _object(
            MEMBERS,
            {**{name: canonical_value(self.members[name]) for name in MEMBERS}, "entries": f"[{entries}]"},
        )


def parse_document(raw: str) -> ParsedDocument | MalformedDocument:
    """Return the document in an output, or the defect of its shape."""
    try:
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        return MalformedDocument("NFR-LD-REL-01", f"the output is not JSON: {error}")
    if not isinstance(members, dict):
        return MalformedDocument("DOC-01", "the output is not an object")
    if set(members) != set(MEMBERS):
        return MalformedDocument("DOC-01", f"the document has the members {', '.join(members)}")
    entries = members["entries"]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return MalformedDocument("DOC-03", "entries is no array of objects")
    for entry in entries:
        if set(entry) != set(ENTRY_MEMBERS):
            return MalformedDocument("DOC-03", f"an entry has the members {', '.join(entry)}")
        wrong = next((name for name in _TEXTS if not isinstance(entry[name], str)), None)
        if wrong is not None:
            return MalformedDocument("DOC-03", f"{wrong} of an entry is no text")
    return ParsedDocument(raw, members)


def entry_text(entry: dict[str, Any]) -> str:
    """Return an entry in its canonical form."""
    return _object(ENTRY_MEMBERS, {name: canonical_value(entry[name]) for name in ENTRY_MEMBERS})


def canonical_value(value: Any) -> str:
    """Return a value in its canonical form, if a document can hold it."""
    return (
        json_string(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )


def _object(names: tuple[str, ...], texts: dict[str, str]) -> str:
    return "{" + ",".join(f'"{name}":{texts[name]}' for name in names) + "}"


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")

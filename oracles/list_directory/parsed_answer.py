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
OTHER_MEMBERS = "other members"
"""The kind of an object whose members are not the documented ones."""
_NO_ENTRIES = "entries is no array of objects"
_TEXTS = ("name", "path", "type")


@dataclass(frozen=True)
class MalformedDocument:
    """The defect of an output that is not a document, and the violated requirement.

    `is_broken`: the output is no JSON. `kind`: the defect without names and numbers.
    """

    requirement: str
    message: str
    kind: str
    is_broken: bool = False
    is_unreadable: bool = True
    """Whether a reader cannot find the entries; otherwise only some members are others."""
    other_requirements: tuple[str, ...] = ()


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
        message = f"the output is not JSON: {error}"
        if "control character" in str(error):
            return MalformedDocument(
                "FR-LD-OUT-02a", message, "a raw control character", other_requirements=("DOC-01",)
            )
        kind = "the JSON ends too early" if _is_cut(raw.rstrip(), error) else "the output is not JSON"
        return MalformedDocument("DOC-01", message, kind, is_broken=True)
    if not isinstance(members, dict):
        return MalformedDocument("DOC-01", "the output is not an object", "the output is not a JSON object")
    entries = members.get("entries")
    if set(members) != set(MEMBERS):
        shown = f"the document has the members {', '.join(members)}"
        return MalformedDocument("DOC-01", shown, OTHER_MEMBERS, is_unreadable="entries" not in members)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return MalformedDocument("DOC-03", _NO_ENTRIES, _NO_ENTRIES)
    for entry in entries:
        if set(entry) != set(ENTRY_MEMBERS):
            shown = f"an entry has the members {', '.join(entry)}"
            return MalformedDocument("DOC-03", shown, OTHER_MEMBERS, is_unreadable="path" not in entry)
        wrong = next((name for name in _TEXTS if not isinstance(entry[name], str)), None)
        if wrong is not None:
            message, is_path = f"{wrong} of an entry is no text", wrong == "path"
            return MalformedDocument("DOC-03", message, f"another {wrong}", is_unreadable=is_path)
    return ParsedDocument(raw, members)


def _is_cut(text: str, error: Exception) -> bool:
    """Return whether the reader of a JSON object came to the end of the text, perhaps within a word or an escape."""
    rest = len(text) - getattr(error, "pos", 0)
    is_in_word = rest < len("false") and text[-1:].isalnum()
    return text.lstrip().startswith("{") and (rest <= 0 or is_in_word or "Unterminated" in str(error))


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

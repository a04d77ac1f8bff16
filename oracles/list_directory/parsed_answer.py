"""The document of a candidate, parsed leniently: its members and its canonical text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

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
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BLANKS = re.compile(r"[ \t\r\n]+")
_ESCAPE = re.compile(r"\\(?:u....|.)")
_NO_ENTRIES = "entries is no array of objects"
_TEXTS = {"name": "EF-01", "path": "EF-02", "type": "EF-04"}
"""The members of an entry that are always texts, and the requirement of each."""


@dataclass(frozen=True)
class ParsedDocument:
    """A document of the right shape, with any values."""

    raw: str
    members: dict[str, Any]

    @property
    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.members["entries"]
        return found

    @cached_property
    def paths(self) -> list[str]:
        return [entry["path"] for entry in self.entries]

    @cached_property
    def size(self) -> int:
        """Return the length of the text in bytes."""
        return len(self.raw.encode("utf-8", "surrogatepass"))

    @cached_property
    def canonical_text(self) -> str:
        """Return the document in its canonical form."""
        ordered = {name: self.members[name] for name in MEMBERS}
        return _canonical({**ordered, "entries": list(map(_ordered, self.entries))})

    @cached_property
    def plain_text(self) -> str:
        """Return the text with the minimal escapes in its strings, and everything else as it is."""
        if "\\" not in self.raw:
            return self.raw
        return _STRING.sub(lambda found: _canonical(json.loads(found[0])) if "\\" in found[0] else found[0], self.raw)

    @cached_property
    def compact_size(self) -> int:
        """Return the length of the text without blanks between its tokens. If that fits, only its form is wrong."""
        blanks = sum(len(found[0]) for found in _BLANKS.finditer(_STRING.sub("", self.raw)))
        return self.size - blanks

    @cached_property
    def literal(self) -> frozenset[str]:
        """Return the characters that stand for themselves in the strings of the text."""
        return frozenset(_ESCAPE.sub("", "".join(found[0][1:-1] for found in _STRING.finditer(self.raw))))


@dataclass(frozen=True)
class MalformedDocument:
    """The defect of an output that is not a document, and the violated requirement.

    `is_cut`: the output is the beginning of a JSON text. `kind`: the defect without names and numbers. `expected`: what
    is due instead of `got`, the part that is wrong; empty for the whole output.
    """

    requirement: str
    message: str
    kind: str
    is_cut: bool = False
    other_requirements: tuple[str, ...] = ()
    readable: ParsedDocument | None = None
    """The document if a reader finds the paths of its entries; members that it lacks are None."""
    expected: str = "a JSON object"
    got: str = ""


@lru_cache(maxsize=1)  # all outcomes of a case are compared with one output
def parse_document(raw: str) -> ParsedDocument | MalformedDocument:
    """Return the document in an output, or the defect of its shape."""
    try:
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        message = f"the output is not JSON: {error}"
        if "control character" in str(error):
            others = ("FR-LD-OUT-02a", "DOC-01")
            return MalformedDocument("NFR-LD-SEC-02", message, "a raw control character", other_requirements=others)
        is_cut = _is_cut(raw.rstrip(), error)
        kind = "the JSON ends too early" if is_cut else "the output is not JSON"
        return MalformedDocument("DOC-01", message, kind, is_cut=is_cut)
    if not isinstance(members, dict):
        return MalformedDocument("DOC-01", "the output is not an object", "the output is not a JSON object")
    entries = members.get("entries")
    if set(members) != set(MEMBERS):
        return _other_members("DOC-01", "the document", members, MEMBERS, _readable(raw, members))
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return MalformedDocument("DOC-03", _NO_ENTRIES, _NO_ENTRIES, expected="entries: a list of JSON objects")
    for entry in entries:
        if set(entry) != set(ENTRY_MEMBERS):
            return _other_members("DOC-03", "an entry", entry, ENTRY_MEMBERS, _readable(raw, members))
        wrong = next((name for name in _TEXTS if not isinstance(entry[name], str)), None)
        if wrong is not None:
            return MalformedDocument(
                _TEXTS[wrong],
                f"{wrong} of an entry is no text",
                f"another {wrong}",
                other_requirements=("DOC-03",),
                readable=_readable(raw, members),
                expected=f"{wrong}: a text",
                got=f"{wrong}: {_canonical(entry[wrong])}",
            )
    return ParsedDocument(raw, members)


def _readable(raw: str, members: dict[str, Any]) -> ParsedDocument | None:
    """Return the document with None for each member that it lacks; None if the paths of its entries are not there."""
    entries = members.get("entries")
    is_list = isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)
    if not isinstance(entries, list) or not is_list or not all(isinstance(one.get("path"), str) for one in entries):
        return None
    whole = [{**dict.fromkeys(ENTRY_MEMBERS), **entry} for entry in entries]
    return ParsedDocument(raw, {**dict.fromkeys(MEMBERS), **members, "entries": whole})


def _other_members(
    requirement: str, subject: str, found: dict[str, Any], due: tuple[str, ...], readable: ParsedDocument | None
) -> MalformedDocument:
    missing, surplus = ", ".join(name for name in due if name not in found), ", ".join(sorted(found.keys() - set(due)))
    message = f"{subject} has no {missing}" if missing else f"{subject} has {surplus} as well"
    expected, got = f"the members {', '.join(due)}", f"the members {', '.join(found)}"
    return MalformedDocument(requirement, message, OTHER_MEMBERS, readable=readable, expected=expected, got=got)


def _is_cut(text: str, error: Exception) -> bool:
    """Return whether the reader of a JSON object came to the end of the text, perhaps within a word or an escape."""
    rest = len(text) - getattr(error, "pos", 0)
    is_in_word = rest < len("false") and text[-1:].isalnum()
    return text.lstrip().startswith("{") and (rest <= 0 or is_in_word or "Unterminated" in str(error))


def _ordered(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in ENTRY_MEMBERS}


def _canonical(members: Any) -> str:
    """Return a JSON text with the minimal escapes (AMB-LD-15), which are those of Python's encoder."""
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")

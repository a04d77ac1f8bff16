"""The envelope of an answer, parsed from its text. Contains no steps.

Parsing is lenient: a step about the order of entries must not fail for an additional member. The key of an entry is the
last component of its path, because other steps check the base of relative paths.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from treeproof.api import Call, CallResult, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import error_kind, quote_message
from ..shared.values import format_json, format_member, parse_name_list

MAX_CODE_CHARACTERS = 60
MAX_EXACT = 2**53
"""The number up to which a double holds every integer; JSON promises no more than the nearest double."""

MAX_DOUBLE = sys.float_info.max
ERROR_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")


@dataclass(frozen=True)
class Envelope(EntryView):
    """A parsed envelope and the text that it was parsed from."""

    key_column = "name"
    raw: str
    members: dict[str, Any]

    @classmethod
    def parse(cls, answer: CallResult, call: Call | None = None) -> Self:
        """Parse an answer. Raises Mismatch for one without an envelope."""
        if answer.status != "ok":
            kind = f"{error_kind(answer)} and without an envelope"
            what = kind + quote_message(answer.error_message)
            raise Mismatch(what, got=str(answer.error_kind), kind=kind)
        raw = answer.content or ""
        return cls(raw, _parse(raw))

    def object_member(self, name: str) -> dict[str, Any]:
        """Return a member that is an object; an empty object if it is none."""
        found = self.members.get(name)
        return found if isinstance(found, dict) else {}

    @property
    def is_error(self) -> bool:
        """True for an envelope with the status error."""
        return self.members.get("status") == "error"

    @property
    def refusal_kind(self) -> str:
        """The code of the error as a clause, without its message."""
        return f"the call is refused with {_cut(self.object_member('error').get('code'))}"

    @property
    def refusal_text(self) -> str:
        """The code and the message of the error as a clause."""
        return self.refusal_kind + quote_message(self.object_member("error").get("message"))

    def refusal(self) -> Mismatch:
        """Return the Mismatch for an envelope with an error where a listing is due."""
        return Mismatch(self.refusal_text, got=format_json(self.members.get("error"))[:400], kind=self.refusal_kind)

    @classmethod
    def describe_refusal(cls, answer: CallResult) -> str:
        """Return a clause with the candidate's own error, of the call or in an envelope; "" if it shows none."""
        if answer.status != "ok":
            return super().describe_refusal(answer)
        try:
            found = cls.parse(answer)
        except Mismatch:
            return ""
        return found.refusal_text if found.is_error else ""

    def assert_not_refused(self) -> None:
        """Raise Mismatch if the envelope is that of an error."""
        if self.is_error:
            raise self.refusal()

    def assert_has(self, name: str) -> None:
        """Raise Mismatch if the envelope has no member ``name``, so that its content cannot be compared."""
        if name not in self.members:
            got = json.dumps(list(self.members))[:400]
            raise Mismatch(f"the envelope has no {name}", got=got)

    @property
    def entries(self) -> list[Entry]:
        """The entries in output order. Raises Mismatch unless they are an array of objects with a text ``path``."""
        self.assert_not_refused()
        self.assert_has("data")
        entries = self.object_member("data").get("entries")
        if not isinstance(entries, list):
            raise Mismatch("data.entries is no array", got=self.raw[:400])
        if not all(isinstance(entry, dict) and isinstance(entry.get("path"), str) for entry in entries):
            raise Mismatch("an entry has no path", got=self.raw[:400])
        return entries

    def key(self, entry: Entry) -> str:
        """Return the name of an entry."""
        return str(entry["path"]).rstrip("/").rpartition("/")[2]

    @property
    def paths(self) -> list[str]:
        """The paths of the entries in output order."""
        return [str(entry["path"]) for entry in self.entries]

    @staticmethod
    def parse_cell(cell: str, placeholders: Mapping[str, str]) -> str:
        """Return the quoted text of a cell."""
        return parse_name_list(cell)[0]

    @property
    def text_lines(self) -> list[str]:
        """The lines of the text, without empty ones at its end (AMB-LS-03)."""
        self.assert_has("text")
        text = self.members["text"]
        if not isinstance(text, str) or not text:
            raise Mismatch("there is no text", got=format_member(self.members, "text")[:400])
        return text.rstrip("\n").split("\n")


def _cut(code: object) -> str:
    """Return the code of an error, which may be anything, as a short text."""
    text = code if isinstance(code, str) else format_json(code)
    return text[:MAX_CODE_CHARACTERS]


parse_answer = Envelope.parse
ENTRY_VIEW = Envelope


@lru_cache(maxsize=512)
def _parse(raw: str) -> dict[str, Any]:
    try:
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise Mismatch(
            f"the output is not JSON: {error}",
            got=raw[:400],
            kind="the answer is no JSON in UTF-8",
        ) from error
    if not isinstance(members, dict):
        raise Mismatch("the output is not a JSON object", got=raw[:400], kind="the answer is no object")
    return members


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def json_equal(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal. Numbers are compared by value, large ones as doubles."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(json_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(json_equal, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float) and min(abs(one), abs(other)) > MAX_EXACT:
        return one == other or (max(abs(one), abs(other)) <= MAX_DOUBLE and float(one) == float(other))
    return bool(one == other)

"""The envelope of an answer, read from its raw text. No step stands here.

Reading is lenient: a sentence about the order of entries must not fail for an additional member at the top. Names are
the last components of paths, so that what a path is relative to is the matter of the sentences about paths.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from treeproof.api import CallResult, Mismatch

ERROR_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")


@dataclass(frozen=True)
class Envelope:
    """A parsed envelope and the text that it was parsed from."""

    raw: str
    members: dict[str, Any]

    def object_member(self, name: str) -> dict[str, Any]:
        """A member that is an object; an empty one where it is none."""
        found = self.members.get(name)
        return found if isinstance(found, dict) else {}

    @property
    def is_listing(self) -> bool:
        """Whether it holds a list of entries, and no error."""
        return self.members.get("status") != "error" and isinstance(
            self.object_member("data").get("entries"), list
        )

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries in output order. Raises Mismatch where there is no array of objects with texts as paths."""
        entries = self.object_member("data").get("entries")
        if not self.is_listing or not isinstance(entries, list):
            raise Mismatch("the answer is no listing", expected="a listing", got=self.raw[:400])
        if not all(isinstance(entry, dict) and isinstance(entry.get("path"), str) for entry in entries):
            raise Mismatch(
                "data.entries is no array of objects with a text 'path'",
                expected="a listing",
                got=self.raw[:400],
            )
        return entries

    @property
    def paths(self) -> list[str]:
        """The paths of the entries, in output order."""
        return [str(entry["path"]) for entry in self.entries]

    @property
    def names(self) -> list[str]:
        """The last components of the paths, in output order."""
        return [last_component(path) for path in self.paths]

    @property
    def text_lines(self) -> list[str]:
        """The text, line by line, without what is empty at its end (AMB-LS-03)."""
        text = self.members.get("text")
        if not isinstance(text, str):
            raise Mismatch("the envelope has no text", expected="a text", got=json.dumps(text)[:400])
        return text.rstrip("\n").split("\n")


def last_component(path: str) -> str:
    """The last component of a path, whatever stands behind it."""
    return path.rstrip("/").rpartition("/")[2]


def parse_answer(answer: CallResult) -> Envelope:
    """Return the envelope of an answer; raises Mismatch for an answer without one."""
    if answer.status != "ok":
        raise Mismatch(
            f"the call failed with {answer.error_kind} and without an envelope: {answer.error_message}",
            expected="an envelope",
            got=f"{answer.error_kind}: {answer.error_message}",
        )
    return _parse(answer.content or "")


@lru_cache(maxsize=512)
def _parse(raw: str) -> Envelope:
    try:
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise Mismatch(
            f"the output is not JSON: {error}", expected="one JSON object", got=raw[:400]
        ) from error
    if not isinstance(members, dict):
        raise Mismatch("the output is not a JSON object", expected="one JSON object", got=raw[:400])
    return Envelope(raw, members)


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def json_equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal. Numbers are compared by value, and true is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(json_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(json_equal, one, other))
    return bool(one == other)

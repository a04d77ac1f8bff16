"""The kinds of differences, in the words that the steps use: a property and a row about one bug have one cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES

NO_JSON = "the answer is no JSON in UTF-8"
NO_OBJECT = "the answer is no object"
NOT_REFUSED = "not refused"
OTHER_ORDER = "the order of entries differs"
OTHER_ENTRY_LINE = "another line of an entry"
OTHER_HEAD_LINES = ("another first line", "another second line", "another third line", "another fourth line")
ITSELF = "the directory itself or the one above it is listed"
DEEPER = "entries of directories below are listed"
TWICE = "an entry is listed twice"
OTHER_NAMES = "paths have another form"
NO_FLAG = "data.truncated is neither true nor false"


def entries_kind(expected: Collection[str], got: Collection[str]) -> str:
    """Return the kind of a difference between the names of two lists; "" if both have the same, each as often."""
    due, found = Counter(expected), Counter(got)
    kinds = (MISSING_ENTRIES, due - found), (UNEXPECTED_ENTRIES, found - due)
    return " and ".join(kind for kind, names in kinds if names)


def member_kind(members: object, place: str) -> str:
    """Return the kind of a difference at a member, such as ``stats.links``, that ``members`` has or lacks."""
    name = place.rpartition(".")[2]
    return f"another {place}" if isinstance(members, dict) and name in members else f"no {place}"

"""Whether an answer shows something from outside of the project: by what is there, not by what was requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treeproof.api import Case, Finding

from ..shared.formatting import format_json
from ..shared.remembered import once_in_a_row
from .outcomes import ExpectedFailure, ExpectedListing, ExpectedOutcome

SHOWN_TARGET = "the answer shows where a link leads outside"


def find_escape(members: Mapping[str, Any], expected: ExpectedOutcome, case: Case) -> Finding | None:
    """Return the finding for an answer that shows what is outside, None for any other one."""
    if isinstance(expected, ExpectedFailure):
        return None
    texts, everything = _all_texts(members)
    for entry in expected.entries:
        place = entry.target.replace("$OUTSIDE/", "").lstrip("./") if entry.leads_outside else ""
        if not place or place not in everything or _is_inside(place, expected, case):
            continue
        if any(_names(text, place) for text in texts):
            got = format_json(next(text for text in texts if _names(text, place)))
            message = f"{SHOWN_TARGET}: {entry.key}"
            return Finding("LS-DATA-07", message, format_json(entry.path), got, kind=SHOWN_TARGET, harm="escape")
    return None


@once_in_a_row
def _all_texts(members: Mapping[str, Any]) -> tuple[list[str], str]:
    """Return all texts outside of the context, and these in one."""
    texts = list(_texts({name: value for name, value in members.items() if name != "context"}))
    return texts, "\n".join(texts)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            for item in value.values():
                yield from _texts(item)


def _names(text: str, place: str) -> bool:
    return any(place in line.split("/") or line.endswith(f"/{place}") or line == place for line in text.split("\n"))


def _is_inside(place: str, expected: ExpectedListing, case: Case) -> bool:
    """Return whether a text can stand for something inside as well."""
    names = {*(entry.key for entry in expected.entries), *expected.excluded, *expected.headings}
    paths = ("/" + path.decode("utf-8", "replace") for path, _ in case.tree.walk())
    return any(place in name.split("/") for name in names) or any(path.endswith("/" + place) for path in paths)

"""The versions of a specification in which an item of its pack holds. The versions are in their order, oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SINCE, UNTIL = "since", "until"
"""The keys of a catalogue, and with a colon and a version the tags of features."""


@dataclass(frozen=True, slots=True)
class VersionSpan:
    """From the version `since` to the version `until`, both included. None: from the first, or to the last."""

    since: str | None = None
    until: str | None = None

    @classmethod
    def of_table(cls, values: Mapping[str, Any]) -> VersionSpan:
        """Return the span of a table of a catalogue. Values that are no texts do not limit it."""
        since, until = values.get(SINCE), values.get(UNTIL)
        return cls(since if isinstance(since, str) else None, until if isinstance(until, str) else None)

    def contains(self, version: str, order: Sequence[str]) -> bool:
        """Return whether the version is in the span. Unknown versions do not limit it."""
        at = order.index(version)
        starts = order.index(self.since) if self.since in order else 0
        ends = order.index(self.until) if self.until in order else len(order) - 1
        return starts <= at <= ends

    def problem(self, order: Sequence[str]) -> tuple[str, str] | None:
        """Return the key with a problem, and what to write instead; None if there is none."""
        known = ", ".join(order)
        for key, version in ((SINCE, self.since), (UNTIL, self.until)):
            if version is not None and version not in order:
                return key, f'no version is called "{version}"; write one of: {known}'
        if self.since is not None and self.until is not None and order.index(self.since) > order.index(self.until):
            return UNTIL, f'"{self.until}" is before "{self.since}", so it holds in no version; write a later one'
        return None


def tag_spans(tags: Iterable[str]) -> list[VersionSpan]:
    """Return a span for each tag `since:…` and `until:…`. A scenario holds in the versions that all contain."""
    found = []
    for tag in tags:
        key, colon, version = tag.partition(":")
        if colon and key == SINCE:
            found.append(VersionSpan(since=version))
        elif colon and key == UNTIL:
            found.append(VersionSpan(until=version))
    return found

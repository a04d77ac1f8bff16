"""The comparison of what counts a listing, apart from its text: `truncated`, the status, and the stats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treeproof.api import Finding

from ..shared.formatting import format_json
from .envelope_comparison import member_kind
from .outcomes import ExpectedListing

NO_FLAG = "data.truncated is neither true nor false"


class CountComparison:
    """The flag, the status and the stats of a listing whose entries are right."""

    def __init__(self, expected: ExpectedListing, members: Mapping[str, Any]) -> None:
        self.expected = expected
        self.members = members
        self.data = members["data"]
        stats = members.get("stats")
        self.stats: Mapping[str, Any] = stats if isinstance(stats, dict) else {}

    def differences(self) -> Iterator[Finding]:
        """Yield the differences; each is for itself."""
        yield from self._flag()
        yield from self._status()
        if "stats" in self.members:
            yield from self._counts()

    @property
    def _is_truncated(self) -> bool:
        """The expected flag. For an empty list, false is always accepted."""
        is_uncut = not self.expected.entries and self.data.get("truncated") is False
        return self.expected.is_truncated and not is_uncut

    def _flag(self) -> Iterator[Finding]:
        due, got = self._is_truncated, self.data.get("truncated")
        values = format_json(due), format_json(got)
        if not isinstance(got, bool):
            kind = NO_FLAG if "truncated" in self.data else "no data.truncated"
            yield Finding("LS-DATA-04", NO_FLAG, *values, kind=kind)
        elif got != due:
            total = self.stats.get("total_entries")
            counts_filtered = got and type(total) is int and total > len(self.expected.entries)
            rules = ["LS-PAGE-02"]
            if self.expected.excluded and got:  # what a filter leaves out may be what is announced to follow
                rules.insert(0 if counts_filtered else 1, "LS-FILT-07")
            if not got and type(total) is int and total < len(self.expected.entries):
                rules.append("LS-DATA-06")  # the entries that should follow may be missing
            first, *others = rules
            kind = "another data.truncated"
            yield Finding(first, "truncated is wrong", *values, tuple(others), kind=kind)

    def _status(self) -> Iterator[Finding]:
        """Report a status that fits neither the listing nor the flag: with a wrong flag it is no second error."""
        status, flag = self.members.get("status"), self.data.get("truncated")
        flags = {self._is_truncated, flag} if isinstance(flag, bool) else {self._is_truncated}
        accepted = {"partial" if one else "success" for one in flags}
        if status in ("success", "partial") and status not in accepted:
            due = "partial" if self._is_truncated else "success"
            values, what = (format_json(due), format_json(status)), "status and truncated contradict each other"
            yield Finding("LS-PAGE-03", what, *values, kind="another status")

    def _counts(self) -> Iterator[Finding]:
        listing = self.expected
        if not _is_count(got := self.stats.get("total_entries"), len(listing.entries)):
            yield self._finding("LS-STAT-01", "total_entries", format_json(len(listing.entries)), got)
        due = {f"{type}s": listing.count_of(type) for type in ("dir", "file", "link")}
        found = {name: self.stats.get(name) for name in due}
        wrong = [name for name, count in due.items() if not _is_count(found[name], count)]
        if wrong and not self._go_with_total(found, got):
            yield self._finding("LS-STAT-02", wrong[0], format_json(due), found)
        if not _is_count(got := self.stats.get("returned"), len(listing.page)):
            yield self._finding("LS-STAT-03", "returned", format_json(len(listing.page)), got)

    def _go_with_total(self, counts: Mapping[str, Any], total: Any) -> bool:
        """Return whether counts add up to a total that is wrong itself: they count another list."""
        if _is_count(total, len(self.expected.entries)) or type(total) is not int:
            return False
        return all(type(one) is int for one in counts.values()) and sum(counts.values()) == total

    def _finding(self, requirement: str, name: str, due: str, got: Any) -> Finding:
        kind = member_kind(self.members.get("stats"), f"stats.{name}")
        return Finding(requirement, f"{name} is wrong", due, format_json(got), kind=kind)


def _is_count(got: Any, expected: int) -> bool:
    return type(got) is int and got == expected

"""Whom a page blames that lacks entries, or holds other ones of the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from .filters import DEFAULT_NAMES
from .order import is_determined
from .outcomes import ExpectedEntry, ExpectedListing
from .refusal_comparison import rules_of_entries

_SORTING = ("LS-SORT-01", "LS-SORT-02", "LS-SORT-03", "LS-SORT-04", "LS-SEC-07")
_BEGINNINGS = tuple(name.strip("._")[:3].lower() for name in DEFAULT_NAMES)


def letters(name: str) -> str:
    """Return what other spellings of a name have in common: with other signs, or percent-encoded."""
    return "".join(filter(str.isalnum, unquote(name)))


class MissingEntries:
    """The requirements that a page breaks whose entries are all in the list."""

    def __init__(self, expected: ExpectedListing, stats: Mapping[str, Any], has_limit: bool = True) -> None:
        """`has_limit`: the call gives a limit."""
        self.expected = expected
        self.total, self.returned = stats.get("total_entries"), stats.get("returned")
        self.has_limit = has_limit

    def message(self, page: Sequence[ExpectedEntry]) -> str:
        """Return what is wrong with the page."""
        if not self._is_slice(page):
            return "entries are missing"
        is_short = len(page) != len(self.expected.page)
        return "the page has another size" if is_short else "the page holds other entries"

    def requirements(self, page: Sequence[ExpectedEntry]) -> list[str]:
        """Return the requirements that may be broken, the most special one first; each once."""
        listed = {entry.key for entry in page}
        lost = [entry for entry in self.expected.entries if entry.key not in listed]
        return list(dict.fromkeys(self._of_page(page) if self._is_slice(page) else self._of_list(lost)))

    def _is_slice(self, page: Sequence[ExpectedEntry]) -> bool:
        """Return whether the entries that are not on the page can be on another one."""
        entries = self.expected.entries
        is_short = type(self.total) is int and self.total < len(entries)
        is_cut = self.total == len(entries) and self.returned == len(page) and list(page) == list(entries[: len(page)])
        return (self.expected.is_paged and not is_short) or is_cut

    def _of_page(self, page: Sequence[ExpectedEntry]) -> Iterator[str]:
        request, entries = self.expected.request, self.expected.entries
        excluded = self.expected.excluded.values()
        filters = dict.fromkeys(["LS-FILT-07", *(one.requirement for one in excluded)] if excluded else [])
        if len(page) != len(self.expected.page):
            if request.offset >= len(entries):
                yield "LS-PAGE-05"
            yield from ["LS-PAGE-01", "LS-ARG-03"] if self.has_limit else ["LS-DEF-04", "LS-PAGE-01"]
            yield from filters
            return
        if self._starts_elsewhere(page, entries):
            yield "LS-PAGE-01"
            yield from filters
        yield from _SORTING if not all(entry.type == "file" for entry in entries) else ["LS-SORT-02"]
        yield "LS-PAGE-01"
        yield from filters

    def _starts_elsewhere(self, page: Sequence[ExpectedEntry], entries: Sequence[ExpectedEntry]) -> bool:
        """Return whether the page is a slice of the list, but at another place."""
        if not is_determined(entries):
            return True
        starts = range(len(entries) - len(page) + 1)
        return any(list(entries[at : at + len(page)]) == list(page) for at in starts)

    def _of_list(self, lost: Sequence[ExpectedEntry]) -> Iterator[str]:
        for entry in lost:
            yield from self._rules_of(entry)
        if self.expected.is_paged:
            yield "LS-FILT-07"
        yield "LS-DATA-06"

    def _rules_of(self, entry: ExpectedEntry) -> Iterator[str]:
        """Yield the requirements by which an entry is listed."""
        request = self.expected.request
        is_named_by_default = entry.type == "dir" and entry.key in DEFAULT_NAMES
        if entry.key.startswith(".") or (is_named_by_default and request.hidden):
            yield "LS-FILT-03"
        yield from rules_of_entries([entry])
        if request.patterns:
            if any(pattern.startswith("**/") for pattern in request.patterns):
                yield "LS-FILT-06"
            yield "LS-FILT-05" if any("/" in pattern for pattern in request.patterns) else "LS-FILT-04"
        is_alike = any(one and one in entry.key.lower() for one in _BEGINNINGS)
        if entry.type == "dir" and is_alike and not is_named_by_default and not request.hidden:
            yield "LS-FILT-09"

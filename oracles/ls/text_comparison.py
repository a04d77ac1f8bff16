"""The comparison of the envelope's text, line by line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import Finding

from ..shared.formatting import format_json
from .missing_entries import MissingEntries
from .outcomes import TYPES, ExpectedEntry, ExpectedListing

TYPE_SUFFIXES = {"dir": "/", "link": "@", "file": ""}
OTHER_LINES = ("another first line", "another second line", "another third line", "another fourth line")
OTHER_ENTRY_LINE = "another line of an entry"
FURTHER_LINES = "the text has other lines"

_COUNTS = re.compile(r"\(Total: (\d+) items - (\d+) dirs, (\d+) files, (\d+) links\)")


def line_form(expected: ExpectedListing, paths: Sequence[str], lines: Sequence[str]) -> str:
    """Return the accepted reading of AMB-LS-05 that the lines of the entries follow, else the recommended one."""
    last = lines[max(0, len(lines) - len(paths)) :]

    def fitting(form: str) -> int:
        return sum(line.startswith(name) for line, name in zip(last, as_shown(paths, form), strict=False))

    return max(expected.line_forms, key=fitting)


def as_shown(paths: Sequence[str], form: str) -> list[str]:
    """Return what stands in the lines of entries: their paths, or their names alone."""
    return [path if form == "a" else path.rpartition("/")[2] for path in paths]


class TextComparison:
    """The text of a listing whose entries are right; `page` are those of the answer, and `paths` as it shows them.

    The text is held against the listing, and its third and fourth line against the flag of the answer, too: lines that
    go with a wrong flag are no second error.
    """

    def __init__(
        self,
        expected: ExpectedListing,
        page: Sequence[ExpectedEntry],
        paths: Sequence[str],
        text: str,
        members: Mapping[str, Any],
    ) -> None:
        self.expected = expected
        self.page = page
        self.paths = paths
        self.lines = text.rstrip("\n").split("\n")
        flag = members["data"].get("truncated")
        self.is_flag_wrong = isinstance(flag, bool) and flag != expected.is_truncated

    def differences(self) -> Iterator[Finding]:
        """Yield the differences of a text."""
        if not all(one.isprintable() for one in self.expected.headings):
            return  # a tool may show such signs in another way in a text for people
        head = list(self._head())
        for number, (requirement, *accepted) in enumerate(head):
            got = self.lines[number] if number < len(self.lines) else ""
            if got not in accepted:
                rules = [*self._rules_of_count(got)] if number == 1 else []
                first, *others = dict.fromkeys((*rules, requirement))
                what = f"line {number + 1} of the text is wrong"
                values = format_json(accepted[0]), format_json(got)
                yield Finding(first, what, *values, tuple(others), kind=OTHER_LINES[number])
        if all(one.isprintable() for one in self.paths) and all(entry.is_utf8 for entry in self.page):
            yield from self._entry_lines(line_form(self.expected, self.paths, self.lines), len(head))

    def _head(self) -> Iterator[tuple[str, ...]]:
        """Yield the lines before the entries: for each its requirement, then the accepted texts."""
        listing = self.expected
        total, end = len(listing.entries), listing.page_end
        counts = ", ".join(f"{listing.count_of(type)} {type}s" for type in TYPES)
        yield "LS-TEXT-01", *(f"Listed {len(listing.page)} entries in '{path}'" for path in listing.headings)
        yield "LS-TEXT-02", f"(Total: {total} items - {counts})"
        if listing.has_next_page and not self.is_flag_wrong:
            shown = f"Showing {listing.request.offset}-{end} of {total}."
            yield "LS-TEXT-03", f"[Truncated: {shown} {listing.remaining} more items available.]"
            yield "LS-TEXT-04", f"Use offset={end} to view next page."

    def _rules_of_count(self, line: str) -> Iterator[str]:
        """Yield the requirements beside its own that a second line breaks which counts another list."""
        found = _COUNTS.fullmatch(line)
        if found is None:
            return
        total, *parts = map(int, found.groups())
        right = len(self.expected.entries)
        counts_page = self.expected.is_paged and total == len(self.page) and not self.is_flag_wrong
        if sum(parts) != total or total == right or counts_page:
            return
        if total > right:
            more = {type: count - self.expected.count_of(type) for type, count in zip(TYPES, parts, strict=True)}
            hidden = Counter(one.type for one in self.expected.excluded.values())
            if all(0 <= count <= hidden[type] for type, count in more.items()):
                yield "LS-FILT-07"
                yield from dict.fromkeys(one.requirement for one in self.expected.excluded.values())
            return
        yield "LS-TEXT-02"
        if self.expected.is_paged:
            yield from MissingEntries(self.expected, {"total_entries": total}).requirements(self.page)

    def _entry_lines(self, form: str, head: int) -> Iterator[Finding]:
        names = as_shown(self.paths, form)
        due = [name + TYPE_SUFFIXES[entry.type] for name, entry in zip(names, self.page, strict=True)]
        got = self.lines[-len(due) :] if due else []
        values = format_json("\n".join(due)), format_json("\n".join(got))
        if got != due:
            is_ending = self._is_another_ending(got, names, due)
            requirement = "LS-TEXT-06" if is_ending else "LS-TEXT-05"
            what = "a line has another ending" if is_ending else "the lines of the entries differ"
            kind = "another ending of a line" if is_ending else OTHER_ENTRY_LINE
            yield Finding(requirement, what, *values, kind=kind)
            return
        before = self.lines[: len(self.lines) - len(due)]
        if due and before[-1:] != [""]:
            what, values = "there is no empty line before the entries", self._first_lines([*before, "", *due])
            yield Finding("LS-TEXT-05", what, *values, kind="no empty line")
        elif len(before) != head + bool(due) and not self._may_have_more(head):
            # Beside the template there is nothing; a listing that is not truncated has no bracketed line.
            has_hint = any(line.startswith("[") for line in before[2:])
            first, *others = ["LS-TEXT-03", "LS-TEXT-04"] if has_hint else ["LS-TEXT-05", "LS-TEXT-03", "LS-TEXT-04"]
            values = self._first_lines([*before[:head], *([""] if due else []), *due])
            yield Finding(first, FURTHER_LINES, *values, tuple(others), kind=FURTHER_LINES)

    def _first_lines(self, due: Sequence[str]) -> tuple[str, str]:
        """Return the first lines that are due, and those of the text."""
        return format_json("\n".join(due[:8])), format_json("\n".join(self.lines[:8]))

    def _is_another_ending(self, got: Sequence[str], names: Sequence[str], due: Sequence[str]) -> bool:
        """Return whether each line begins with its name, has only signs behind it, and one ends in another sign."""
        if len(got) != len(names) or any(
            not line.startswith(name) or line[len(name) :].strip("/@*=|>\\")
            for line, name in zip(got, names, strict=True)
        ):
            return False
        return any(not line.endswith(one) and line[-1:] != one[-1:] for line, one in zip(got, due, strict=True))

    def _may_have_more(self, head: int) -> bool:
        """Return whether a third and a fourth line are open: of a page that an offset alone makes truncated."""
        is_open = self.expected.is_truncated and not self.expected.has_next_page
        return is_open or self.is_flag_wrong

"""The comparison of a listing in its envelope with the expected listing, from coarse to fine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Finding

from ..shared.formatting import format_json
from ..shared.judgement import Comparison, first_differences
from .count_comparison import CountComparison
from .envelope_comparison import member_kind
from .missing_entries import MissingEntries, letters
from .order import can_be_page, inversions
from .order_comparison import order_finding
from .outcomes import TYPES, ExpectedEntry, ExpectedListing, format_keys
from .refusal_comparison import rules_of_path
from .text_comparison import TextComparison

ITSELF = "the directory itself or the one above it is listed"
DEEPER = "entries of directories below are listed"
TWICE = "an entry is listed twice"
OTHER_FORM = "paths have another form"
NAMED_MEMBERS = frozenset({"path", "type"})
"""The members of an entry that the document describes."""


class ListingComparison:
    """The comparison of a listing in its envelope with the expected listing."""

    def __init__(self, expected: ExpectedListing, members: dict[str, Any], sent: Mapping[str, Any]) -> None:
        self.expected = expected
        self.sent = sent
        self.members = members
        self.data = members["data"]
        self.by_key = {entry.key: entry for entry in expected.entries}
        self.entries: list[Any] = []
        self.keys: list[str] = []
        """The keys of the expected entries that are listed, or the names of others."""

    def compare(self) -> Comparison:
        """Return the differences of the first stage that has any."""
        stages = (
            self.shape,
            self.spelling,
            self.directory,
            self.membership,
            self.order,
            self.entry_members,
            self.remainder,
        )
        return first_differences(stages, start=2)

    @property
    def page(self) -> list[ExpectedEntry]:
        """The expected entries in the order of the answer, if it lists no others."""
        return [self.by_key[key] for key in self.keys]

    def shape(self) -> Iterator[Finding]:
        """Report entries that cannot be read."""
        entries = self.data.get("entries")
        if not isinstance(entries, list):
            kind = "data.entries is no array"
            yield Finding("LS-DATA-01", kind, "an array", format_json(entries), kind=kind)
            return
        for entry in entries:
            if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
                kind = "an entry has no path"
                yield Finding("LS-DATA-02", kind, "an object with path", format_json(entry), kind=kind)
                return
        self.entries = entries
        self.keys = self._matched([entry["path"].rstrip("/").rpartition("/")[2] for entry in entries])

    def _matched(self, names: Sequence[str]) -> list[str]:
        """Return the names, with the key of an entry for each that stands for bytes that are not UTF-8."""
        known = self.by_key.keys() | self.expected.excluded.keys()
        open_ones = [entry for entry in self.expected.entries if not entry.is_utf8]
        found: list[str] = []
        for name in names:
            fitting = (one for one in open_ones if name not in known and re.fullmatch(one.shown_name, name, re.DOTALL))
            entry = next(fitting, None)
            if entry is not None:
                open_ones.remove(entry)
            found.append(name if entry is None else entry.key)
        return found

    def finding(self, requirement: str, message: str, others: Sequence[str] = (), kind: str = "") -> Finding:
        """Return a finding about which entries are listed."""
        due, got = [entry.key for entry in self.expected.page], self.keys
        kinds = (MISSING_ENTRIES, Counter(due) - Counter(got)), (UNEXPECTED_ENTRIES, Counter(got) - Counter(due))
        kind = kind or " and ".join(name for name, keys in kinds if keys) or message
        values = format_keys(due), format_keys(got)
        possible = tuple(one for one in dict.fromkeys(others) if one != requirement)
        return Finding(requirement, message, *values, possible, kind=kind)

    def spelling(self) -> Iterator[Finding]:
        """Report names that are all there, some of them in another form, and links in place of which targets are."""
        got, due = Counter(self.keys), Counter(entry.key for entry in self.expected.page)
        lost, strange = due - got, got - due
        if not lost:
            return
        targets = {self.by_key[key].target.rstrip("/").rpartition("/")[2] for key in lost} - {""}
        if strange and set(strange) <= targets - self.by_key.keys():  # else the order, which is open, may have it here
            leads_outside = any(self.by_key[key].leads_outside for key in lost)
            rules = ["LS-DATA-07", "LS-DATA-03"] if leads_outside else ["LS-DATA-03", "LS-DATA-07"]
            yield self.finding(rules[0], "a link is listed as what it leads to", rules[1:])
            return
        unknown = set(strange) - set(self.expected.excluded) - set(self.by_key)
        changed = {letters(key) for key in unknown - self.expected.names_elsewhere()} - {""}
        found = {*map(letters, unknown)}
        renamed = [key for key in lost if letters(key) in found or any(one in letters(key) for one in changed)]
        if got.total() == due.total() and len(lost) <= len(renamed) + len(unknown & {"", ".", ".."}):
            yield self.finding("LS-DATA-03", OTHER_FORM, kind=OTHER_FORM)

    def directory(self) -> Iterator[Finding]:
        """Report a listing that has no name in common with the requested directory, or reports another path."""
        got = set(self.keys)
        if got & (self.by_key.keys() | self.expected.excluded.keys()):
            return
        context = self.members.get("context")
        resolved = context.get("path_resolved") if isinstance(context, dict) else None
        is_named = isinstance(resolved, str) and resolved not in self.expected.resolved_paths
        foreign = got - {"", ".", ".."}
        is_foreign = foreign and foreign <= self.expected.names_elsewhere()
        if is_foreign or (is_named and len(self.keys) != len(self.expected.page)):
            rules = [*rules_of_path(self.expected), "LS-SEC-02"]
            if "path" not in self.sent:
                rules = ["LS-DEF-04", "LS-SEC-02"] if self.expected.cwd != "." else []
            first, *others = *rules, "LS-DATA-06"
            yield self.finding(first, "another directory is listed", others, kind="another directory is listed")

    def membership(self) -> Iterator[Finding]:
        """Report entries that are missing, or listed and should not be."""
        got, due = Counter(self.keys), Counter(entry.key for entry in self.expected.page)
        if excluded := sorted(set(got) & set(self.expected.excluded)):
            first, *others = self._rules_of_filters(excluded)
            message = f"{excluded[0]!r} is listed and should be left out"
            yield self.finding(first, message, others)
            return
        surplus = sorted({key for key in got if key not in self.by_key or got[key] > 1})
        if surplus:
            message = f"{surplus[0]!r} is listed and should not be, or not twice"
            yield self.finding("LS-DATA-06", message, kind=self._surplus_kind(got - due))
        elif not self._is_right_page(got, due):
            stats = self.members.get("stats")
            missing = MissingEntries(self.expected, stats if isinstance(stats, dict) else {}, "limit" in self.sent)
            first, *others = missing.requirements(self.page)
            yield self.finding(first, missing.message(self.page), others)

    def _is_right_page(self, got: Counter[str], due: Counter[str]) -> bool:
        if got.total() != due.total():
            return False
        if got == due:
            return True
        page = self.page
        return bool(inversions(page)) or can_be_page(page, self.expected.entries, self.expected.request.offset)

    def _rules_of_filters(self, listed: Sequence[str]) -> Iterator[str]:
        """Yield the requirements of the filters that should have left out these entries, the most special one first."""
        expected = self.expected
        counts = Counter(expected.excluded[key].requirement for key in listed)
        rules = [requirement for requirement, _ in counts.most_common()]
        by_pattern = [key for key, one in expected.excluded.items() if one.requirement not in _BY_DEFAULT]
        has_none_left_out = not set(by_pattern) - set(listed)
        is_combined = expected.request.hidden and by_pattern and has_none_left_out
        replaces_default = expected.request.patterns and set(rules) <= set(_BY_DEFAULT)
        if is_combined or replaces_default:
            yield "LS-FILT-08"
        yield from rules
        if expected.is_in_hidden:
            yield "LS-FILT-10"

    def _surplus_kind(self, surplus: Counter[str]) -> str:
        """Return what the entries beside the expected ones are; "" if it is not known."""
        if surplus.keys() <= {"", ".", ".."}:
            return ITSELF
        due = {entry.path for entry in self.expected.entries}
        pairs = zip(self.keys, (entry["path"].rpartition("/")[0] for entry in self.entries), strict=True)
        if Counter(key for key, parent in pairs if parent in due) == surplus:
            return DEEPER
        return TWICE if surplus.keys() <= self.by_key.keys() else ""

    def order(self) -> Iterator[Finding]:
        """Report entries that stand the wrong way round, and a page that no order of the list has."""
        page = self.page
        if self.expected.has_free_order:
            return
        if pairs := inversions(page):
            yield from self._types_behind_order(page) or [order_finding(self.expected, page, pairs)]

    def _types_behind_order(self, page: Sequence[ExpectedEntry]) -> list[Finding]:
        """Return the findings on types that explain the order: entries are sorted by the wrong types."""
        shown = [
            entry if got.get("type") == entry.type else replace(entry, rank=0.0 if got.get("type") == "dir" else 1.0)
            for got, entry in zip(self.entries, page, strict=True)
        ]
        return [] if shown == list(page) or inversions(shown) else list(self.entry_members())

    def entry_members(self) -> Iterator[Finding]:
        """Report wrong members of entries."""
        for got in self.entries:
            if not got.keys() >= NAMED_MEMBERS or (got.keys() > NAMED_MEMBERS and not self.expected.may_have_others):
                kind = "an entry has other members"
                yield Finding("LS-DATA-02", kind, '["path", "type"]', format_json([*got]), kind=kind)
                return
        pairs = list(zip(self.entries, self.page, strict=True))
        yield from self._paths(pairs)
        yield from self._types(pairs)

    def _paths(self, pairs: Sequence[tuple[Any, ExpectedEntry]]) -> Iterator[Finding]:
        for got, entry in pairs:
            parent = got["path"].rpartition("/")[0] if "/" in got["path"] else ""
            is_right = got["path"] == entry.path if entry.is_utf8 else parent == entry.base
            if not is_right:
                values = format_json(entry.path), format_json(got["path"])
                first, others = "LS-DATA-03", ("LS-DATA-07",)
                if entry.leads_outside and got["path"].endswith(entry.target.lstrip("./")):
                    first, others = "LS-DATA-07", ("LS-DATA-03",)
                what = "the path is wrong"
                yield Finding(first, what, *values, others, kind="another path")
                return

    def _types(self, pairs: Sequence[tuple[Any, ExpectedEntry]]) -> Iterator[Finding]:
        for got, entry in pairs:
            what, kind = "the type is wrong", "another type"
            values = format_json(f"{entry.key}: {entry.type}"), format_json(f"{entry.key}: {got['type']}")
            if got["type"] not in TYPES:
                yield Finding("LS-DATA-02", what, *values, kind="no such type")
                return
            if got["type"] != entry.type:
                # Beside the three words, the document states one thing of types: a link is one.
                first = "LS-DATA-05" if "link" in (got["type"], entry.type) else "LS-DATA-02"
                yield Finding(first, what, *values, kind=kind)
                return

    def remainder(self) -> Iterator[Finding]:
        """Report what is wrong with the flag, the status, the stats, the context and the text; each is for itself."""
        yield from CountComparison(self.expected, self.members).differences()
        yield from self._resolved_path()
        text = self.members.get("text")
        if isinstance(text, str) and text:
            paths = [got["path"] for got in self.entries]
            yield from TextComparison(self.expected, self.page, paths, text, self.members).differences()

    def _resolved_path(self) -> Iterator[Finding]:
        context = self.members.get("context")
        if not isinstance(context, dict) or context.get("path_resolved") in self.expected.resolved_paths:
            return
        kind = member_kind(context, "context.path_resolved")
        first = "LS-ENV-09" if "path_resolved" in context else "LS-ENV-12"
        due, got = format_json(self.expected.resolved_paths[0]), format_json(context.get("path_resolved"))
        yield Finding(first, "path_resolved is wrong", due, got, kind=kind)


_BY_DEFAULT = ("LS-FILT-01", "LS-FILT-02")

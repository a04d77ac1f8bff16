"""The comparison of a listing in its envelope with the expected listing, from coarse to fine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, pairwise
from typing import Any
from urllib.parse import unquote

from treeproof.api import Finding

from ..shared.formatting import format_json
from ..shared.judgement import Comparison, first_differences
from .expected import (
    DEFAULT_NAMES,
    ExpectedEntry,
    ExpectedListing,
    has_hidden_component,
)
from .kinds import (
    DEEPER,
    ITSELF,
    NO_FLAG,
    OTHER_NAMES,
    OTHER_ORDER,
    TWICE,
    entries_kind,
    member_kind,
)
from .text_comparison import compare_text


class ListingComparison:
    """The comparison of a listing in its envelope with the expected listing."""

    def __init__(self, expected: ExpectedListing, members: dict[str, Any], sent: Mapping[str, Any]) -> None:
        self.expected = expected
        self.sent = sent
        self.members = members
        self.data = members["data"]
        self.page = expected.page
        self.entries: list[Any] = []
        self.names: list[str] = []

    def compare(self) -> Comparison:
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

    def surplus_kind(self) -> str:
        """Return what the entries beside the expected ones are; "" if entries are missing, or if it is not known."""
        got, due = Counter(self.names), Counter(entry.name for entry in self.page)
        surplus = got - due
        if due - got or not surplus:
            return ""
        if surplus.keys() <= {"", ".", ".."}:
            return ITSELF
        expected = {entry.path for entry in self.expected.entries}
        pairs = zip(self.names, (entry["path"].rpartition("/")[0] for entry in self.entries), strict=True)
        if Counter(name for name, parent in pairs if parent in expected) == surplus:
            return DEEPER
        return TWICE if surplus.keys() <= due.keys() else ""

    def page_finding(self, requirement: str, message: str, *others: str, kind: str = "") -> Finding:
        due = [entry.name for entry in self.page]
        kind = kind or entries_kind(due, self.names)
        return Finding(
            requirement,
            message,
            ", ".join(due),
            ", ".join(self.names),
            others,
            stage="entries" if kind else "order",
            kind=kind or OTHER_ORDER,
        )

    def shape(self) -> Iterator[Finding]:
        entries = self.data.get("entries")
        if not isinstance(entries, list):
            message = "data.entries is no array"
            yield Finding("LS-DATA-01", message, "", format_json(entries), stage="output")
            return
        for entry in entries:
            if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"]:
                message = "an entry has no path"
                yield Finding("LS-DATA-02", message, "", format_json(entry), stage="output")
                return
        self.entries = entries
        self.names = [entry["path"].rstrip("/").split("/")[-1] for entry in entries]

    def spelling(self) -> Iterator[Finding]:
        """Report names that are all there, some of them in another form."""
        got, expected = Counter(self.names), Counter(entry.name for entry in self.page)
        lost, strange = set(expected - got), set(got - expected) - set(self.expected.excluded)
        found = set(map(_letters, strange))
        renamed = [name for name in lost if _letters(name) in found]
        if lost and len(got) == len(expected) and len(lost) <= len(renamed) + len(strange & {"", ".", ".."}):
            values = ", ".join(expected), ", ".join(self.names)
            yield Finding("LS-DATA-03", OTHER_NAMES, *values, stage="output", kind=OTHER_NAMES)

    def directory(self) -> Iterator[Finding]:
        """Report a listing that has no name in common with the requested directory, or reports another path."""
        got = set(self.names)
        known = {entry.name for entry in self.expected.entries} | set(self.expected.excluded)
        context = self.members.get("context")
        resolved = context.get("path_resolved") if isinstance(context, dict) else None
        is_named = isinstance(resolved, str) and resolved not in self.expected.resolved_paths
        if (got and not got & known) or (is_named and self.names != [entry.name for entry in self.page]):
            default = ["LS-DEF-04"] if "path" not in self.sent else []
            place = "LS-SEC-02" if self.expected.cwd != "." else "LS-ENV-09"
            suspects = (*default, place, "LS-SEC-02", "LS-SEC-04", "LS-ENV-09", "LS-DATA-06")
            yield self.page_finding(suspects[0], "another directory is listed", *suspects[1:])

    def membership(self) -> Iterator[Finding]:
        got, expected = Counter(self.names), Counter(entry.name for entry in self.page)
        if got == expected:
            return
        excluded = sorted(set(got) & set(self.expected.excluded))
        if excluded:
            counts = Counter(self.expected.excluded[name] for name in excluded)
            first, *others = (requirement for requirement, _ in counts.most_common())
            if self.expected.request.hidden:
                others.append("LS-FILT-08")
            if has_hidden_component(self.expected.resolved_paths[0]):
                others.append("LS-FILT-10")
            message = f"{excluded[0]!r} is listed and should be left out"
            yield self.page_finding(first, message, *others)
            return
        surplus = sorted(set(got) - {entry.name for entry in self.expected.entries})
        surplus += sorted(name for name in got if got[name] > 1)
        if surplus:
            message = f"{surplus[0]!r} is listed and should not be, or not twice"
            yield self.page_finding("LS-DATA-06", message, kind=self.surplus_kind())
            return
        yield self.page_difference(sorted(set(expected) - set(got)))

    def page_difference(self, missing: list[str]) -> Finding:
        """Return the finding for a page that lacks entries, or holds other ones."""
        request, entries, total = self.expected.request, self.expected.entries, self.stat("total_entries")
        is_paged = request.offset > 0 or request.limit < len(entries)
        if not is_paged or (type(total) is int and total < len(entries)):
            lost = [entry for entry in entries if entry.name in missing]
            suspects = dict.fromkeys(id for entry in lost for id in self.missing_suspects(entry))
            first, *others = suspects or ["LS-DATA-06"]
            return self.page_finding(first, "entries are missing", *others, *["LS-FILT-07"] * is_paged)
        if len(self.page) == len(self.names):
            others = ["LS-SORT-01", "LS-SORT-02", "LS-SORT-03", "LS-SORT-04", "LS-SEC-07"]
            others += ["LS-FILT-07"] if self.expected.excluded else []
            return self.page_finding("LS-PAGE-01", "the page holds other entries", *others)
        filters = ["LS-FILT-07"] if self.expected.excluded else []
        return self.page_finding("LS-PAGE-01", "the page has another size", *filters, "LS-ARG-03", "LS-DEF-04")

    def missing_suspects(self, entry: ExpectedEntry) -> Iterator[str]:
        """Yield the requirements that a missing entry may violate."""
        request, is_plain = self.expected.request, True
        is_named_by_default = entry.type == "dir" and entry.name in DEFAULT_NAMES
        if entry.name.startswith(".") or (is_named_by_default and request.hidden):
            yield "LS-FILT-03"
            is_plain = False
        if request.patterns:
            yield "LS-FILT-05" if any("/" in pattern for pattern in request.patterns) else "LS-FILT-04"
            is_plain = False
        is_alike = any(name in entry.name.lower() for name in ("bui", "dis", "nod", "tar", "ven"))
        if entry.type == "dir" and is_alike and not is_named_by_default:
            yield "LS-FILT-09"
            is_plain = False
        if entry.leads_outside:
            yield "LS-SEC-07"
        if is_plain or entry.type == "link":
            yield "LS-DATA-06"

    def order(self) -> Iterator[Finding]:
        by_name = {entry.name: entry for entry in self.page}
        everything = _in_fixed_order([by_name[name] for name in self.names])
        got = [entry for entry in everything if entry.has_plain_name]
        due = [entry for entry in _in_fixed_order(list(self.page)) if entry.has_plain_name]
        ranks = [entry.rank for entry in everything]
        if got == due and ranks == sorted(ranks):
            pairs = pairwise(everything)
            if any(one.rank == other.rank and one.is_certainly_behind(other) for one, other in pairs):
                yield self.page_finding("LS-SORT-02", "names are not in alphabetical order")
            return
        if got == due:
            got, due = everything, sorted(everything, key=lambda entry: entry.rank)
        misplaced: Mapping[str, Callable[[ExpectedEntry], bool]] = {
            "LS-SEC-07": lambda entry: entry.leads_outside and not entry.sorts_first,
            "LS-SORT-03": lambda entry: entry.type == "link" and entry.sorts_first,
            "LS-SORT-04": lambda entry: entry.type == "link" and not entry.sorts_first,
        }
        for requirement, is_misplaced in misplaced.items():
            rest = [entry for entry in got if not is_misplaced(entry)]
            if len(rest) < len(got) and rest == [entry for entry in due if not is_misplaced(entry)]:
                has_capitals = any(is_misplaced(entry) and entry.name != entry.name.lower() for entry in got)
                first = "LS-SORT-02" if has_capitals else requirement  # the place of a capital may be the reason
                others = (requirement, "LS-SORT-03", "LS-SORT-04", "LS-SORT-02")
                yield self.page_finding(first, "a link is misplaced", *others)
                return
        groups = [entry.sorts_first for entry in got]
        if groups != sorted(groups, reverse=True):
            are_sorted = sorted(got, key=lambda entry: not entry.sorts_first) == due
            names = [] if are_sorted else ["LS-SORT-02"]
            yield self.page_finding("LS-SORT-01", "directories do not come first", *names)
        else:
            yield self.page_finding("LS-SORT-02", "names are not in alphabetical order")

    def entry_members(self) -> Iterator[Finding]:
        for entry in self.entries:
            if not entry.keys() >= {"path", "type"} or (len(entry) > 2 and not self.expected.extra_members):
                what, kind = "an entry has other members than path and type", "an entry has other members"
                yield Finding("LS-DATA-02", what, "", ", ".join(entry), stage="members", kind=kind)
                return
            if entry["type"] not in ("dir", "file", "link"):
                got = format_json(entry["type"])
                yield Finding(
                    "LS-DATA-02",
                    "the type is none of dir, file and link",
                    "",
                    got,
                    stage="members",
                    kind="another type",
                )
                return
        by_name = {entry.name: entry for entry in self.page}
        pairs = [(entry, by_name[name]) for entry, name in zip(self.entries, self.names, strict=True)]
        for got, expected in pairs:
            if got["path"] != expected.path:
                others = ("LS-DATA-07", "LS-ENV-09", "LS-SEC-02")
                values = expected.path, got["path"]
                yield Finding("LS-DATA-03", "the path is wrong", *values, others, stage="members", kind="another path")
                return
        for got, expected in pairs:
            if got["type"] != expected.type:
                values = f"{expected.name}: {expected.type}", f"{expected.name}: {got['type']}"
                yield Finding("LS-DATA-05", "the type is wrong", *values, stage="members", kind="another type")
                return

    def stat(self, name: str) -> Any:
        stats = self.members.get("stats")
        return stats.get(name) if isinstance(stats, dict) else None

    def remainder(self) -> Iterator[Finding]:
        yield from self.flag()
        yield from self.stats()
        context = self.members.get("context")
        got = context.get("path_resolved") if isinstance(context, dict) else None
        if isinstance(context, dict) and "path_resolved" not in context:
            message, kind = "there is no path_resolved", "no context.path_resolved"
            yield Finding("LS-ENV-12", message, self.expected.resolved_paths[0], "", stage="members", kind=kind)
        elif isinstance(context, dict) and got not in self.expected.resolved_paths:
            expected = self.expected.resolved_paths[0]
            message, kind = "path_resolved is wrong", "another context.path_resolved"
            yield Finding("LS-ENV-09", message, expected, format_json(got), stage="members", kind=kind)
        text, flag = self.members.get("text"), self.data.get("truncated")
        is_flag_wrong = isinstance(flag, bool) and flag != self.truncated  # the lines of the text may go with it
        if isinstance(text, str) and text and not is_flag_wrong:
            total = self.stat("total_entries")
            other_total = total if type(total) is int and total != len(self.expected.entries) else None
            yield from compare_text(self.expected, self.names, text, self.truncated, other_total)

    @property
    def truncated(self) -> bool:
        """Return the expected flag. For an empty list, false is always accepted."""
        is_uncut = not self.expected.entries and self.data.get("truncated") is False
        return self.expected.truncated and not is_uncut

    def flag(self) -> Iterator[Finding]:
        expected, got = self.truncated, self.data.get("truncated")
        values = format_json(expected), format_json(got)
        kind = member_kind(self.data, "data.truncated")
        if not isinstance(got, bool):
            kind = NO_FLAG if "truncated" in self.data else kind
            message = "truncated is neither true nor false"
            yield Finding("LS-DATA-04", message, *values, stage="members", kind=kind)
        elif got != expected:
            filters = ("LS-FILT-07",) if self.expected.excluded else ()
            yield Finding("LS-PAGE-02", "truncated is wrong", *values, filters, stage="members", kind=kind)
        status = self.members.get("status")
        expected_status = "partial" if (got if isinstance(got, bool) else expected) else "success"
        if status in ("success", "partial") and status != expected_status:
            message, kind = "status and truncated contradict each other", "another status"
            yield Finding("LS-PAGE-03", message, expected_status, status, stage="members", kind=kind)

    def stats(self) -> Iterator[Finding]:
        total, returned = self.stat("total_entries"), self.stat("returned")
        if not _is_count(total, len(self.expected.entries)):
            values = str(len(self.expected.entries)), format_json(total)
            yield self.stat_finding("LS-STAT-01", "total_entries", *values)
        else:
            expected = {f"{type}s": self.expected.count_of(type) for type in ("dir", "file", "link")}
            got = {name: self.stat(name) for name in expected}
            wrong = [name for name, count in expected.items() if not _is_count(got[name], count)]
            if wrong:
                yield self.stat_finding("LS-STAT-02", wrong[0], format_json(expected), format_json(got))
        if not _is_count(returned, len(self.page)):
            yield self.stat_finding("LS-STAT-03", "returned", str(len(self.page)), format_json(returned))

    def stat_finding(self, requirement: str, name: str, expected: str, got: str) -> Finding:
        kind = member_kind(self.members.get("stats"), f"stats.{name}")
        others = () if name == "returned" else self.filter_suspects()
        return Finding(requirement, f"{name} is wrong", expected, got, others, stage="members", kind=kind)

    def filter_suspects(self) -> tuple[str, ...]:
        """Return the requirements of filters that the total shows to be broken although the page does not."""
        total = self.stat("total_entries")
        if type(total) is not int or total == len(self.expected.entries):
            return ()
        if total > len(self.expected.entries):
            suspects = dict.fromkeys(self.expected.excluded.values())
        else:
            suspects = dict.fromkeys(id for entry in self.expected.entries for id in self.missing_suspects(entry))
        return (*suspects, "LS-DATA-06", "LS-FILT-07")


def _in_fixed_order(entries: list[ExpectedEntry]) -> list[ExpectedEntry]:
    """Return the entries with those that differ in case only, which may have any order (AMB-LS-26), in one order."""
    groups = groupby(entries, key=lambda entry: entry.sort_key)
    return [entry for _, group in groups for entry in sorted(group, key=lambda entry: entry.name)]


def _letters(name: str) -> str:
    """Return what other spellings of a name have in common: with other signs, or percent-encoded."""
    return "".join(filter(str.isalnum, unquote(name)))


def _is_count(got: Any, expected: int) -> bool:
    return type(got) is int and got == expected

"""The comparison of a document with the expected listing.

The stages run from coarse to fine: length, membership, order, fields, header, cut, bytes. A stage runs only if the
earlier ones found no difference, so each mistake is attributed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Case, Finding

from ..shared.formatting import format_difference, format_json, format_paths
from ..shared.judgement import Comparison, first_differences
from .document import (
    CUT_BY_COUNT,
    CUT_BY_SIZE,
    ExpectedEntry,
    document_size,
    escaped_size,
    longest_escaped_size,
)
from .entry_comparison import OTHER_TYPE, compare_entry, pair_entries, same_json
from .expected import ExpectedListing
from .membership import (
    SIZE_SUSPECTS,
    all_utf8,
    attribute_missing,
    attribute_repeated,
    attribute_surplus,
    depth_suspects,
)
from .parsed_answer import ParsedDocument
from .path_text import FOLDER

_ENTRY_SIZE_SUSPECTS = (
    *SIZE_SUSPECTS,
    *("FR-LD-LST-06", "FR-LD-LST-07"),
    *("EF-01", "EF-02", "EF-05", "EF-08", "EF-09", "NFR-LD-REL-02", "FR-LD-VAL-10", "EF-04"),
    "FR-LD-OUT-01",
)
"""The same for a document with entries."""

_WALK_REQUIREMENTS = ("FR-LD-LST-01", "FR-LD-LST-02")
"""The requirements of which entries there are, without and with recursion."""

OTHER_TRUNCATION = "the truncation differs"
"""The kind of a difference between two truncations: whether entries were cut, and the reason."""

_LIMIT_REQUIREMENTS: Mapping[str, str] = {
    "configuration": "FR-LD-VAL-06a",
    "unsaid": "FR-LD-VAL-06a",
    "built-in": "CFG-LD-05",
}
"""The requirements that determine the limit of a call without one, by the source of its value."""

_SUSPECTS_OF_HEADER: Mapping[str, tuple[str, ...]] = {
    "max_entries": ("DOC-05", "FR-LD-VAL-04"),
    "returned": ("DOC-04",),
}

EXCEEDS_BUDGET = "the output exceeds the budget"
FITS_IN_CHARACTERS = "the output fits in characters and not in bytes"
"""The kinds of an output that is too long."""

_VALID_REASONS = ((False, None), (True, CUT_BY_COUNT), (True, CUT_BY_SIZE))


class ListingComparison:
    """The comparison of a document with the expected listing."""

    def __init__(
        self, outcome: ExpectedListing, found: ParsedDocument, case: Case, *, is_own_text: bool = True
    ) -> None:
        self.outcome = outcome
        self.found = found
        self.case = case
        self.is_own_text = is_own_text
        self.got = found.paths
        self.expected = [entry.path for entry in outcome.entries]
        self.limit = outcome.request.max_entries
        self.reason = found.members["truncated_reason"]

    def compare(self) -> Comparison:
        stages = (self.length, self.membership, self.order, self.kinds, self.fields, self.header, self.cut, self.bytes)
        return first_differences(stages, start=2)

    def compare_paths(self) -> tuple[Finding, ...]:
        """Return the differences in which entries there are, or in their order."""
        return first_differences((self.membership, self.order))[1]

    def path_finding(self, requirement: str, message: str, *others: str, kind: str = "") -> Finding:
        paths = format_difference(self.expected, self.got)
        return Finding(requirement, message, *paths, others, kind)

    def length(self) -> Iterator[Finding]:
        budget, size = self.outcome.budget, self.found.size
        if size <= budget:
            return
        spelt = self.found.compact_size if self.outcome.any_escapes else self.canonical_size
        if self.is_own_text and spelt > budget and not self.is_long_by_its_values():
            if not self.got and self.outcome.kept_count is None:
                kind = "the call succeeded although nothing fits into the budget"
                got = f"{size} bytes"
                yield Finding("FR-LD-OUT-08", kind, "ExecutionFailed", got, ("FR-LD-OUT-03",), kind)
                return
            first, other = "FR-LD-OUT-03", "FR-LD-OUT-06"
            if len(self.found.raw) <= budget:
                first, other = other, first
            bounds = f"at most {budget} bytes", f"{size} bytes"
            kind = FITS_IN_CHARACTERS if first == "FR-LD-OUT-06" else EXCEEDS_BUDGET
            yield Finding(first, EXCEEDS_BUDGET, *bounds, (other, "FR-LD-OUT-08"), kind)

    def is_long_by_its_values(self) -> bool:
        """Return whether the document has the entries that fit, and is longer because some values are others."""
        kept = self.outcome.kept_count
        if kept is None or self.got != self.expected[:kept]:
            return False
        return any(self.fields()) or any(self.header())

    @property
    def canonical_size(self) -> int:
        """Return the length in the canonical form with minimal escapes."""
        return len(self.found.canonical_text.encode("utf-8", "surrogatepass"))

    def membership(self) -> Iterator[Finding]:
        got, expected = Counter(self.got), Counter(self.expected)
        if got == expected or (self.is_cut and not got - expected):
            return
        walked = Counter(entry.path for entry in self.outcome.qualifying)
        surplus = sorted((got - walked).elements())
        if surplus:
            yield self.surplus_finding(surplus, sorted((expected - got).elements()))
            return
        if len(self.got) > self.limit:
            suspects = ["FR-LD-LST-07"]
            if self.follows_another_limit():
                suspects = [*self.limit_suspects(), "FR-LD-LST-07", "DOC-05", "FR-LD-VAL-04"]
            message = f"{len(self.got)} entries are more than {self.limit}"
            yield self.path_finding(suspects[0], message, *suspects[1:], kind=UNEXPECTED_ENTRIES)
            return
        missing = sorted((expected - got).elements())
        reasons = attribute_missing(self.outcome, missing) if missing else []
        if got - expected:
            message = "the entries within the limit are not the first ones of the walk"
            kind = f"{MISSING_ENTRIES} and {UNEXPECTED_ENTRIES}"
            yield self.path_finding("FR-LD-LST-05", message, *reasons, kind=kind)
        elif self.reason == CUT_BY_COUNT:
            is_other_limit = self.follows_another_limit() and len(self.got) == self.found.members["max_entries"]
            known = list(self.limit_suspects()) if is_other_limit else []
            first, *others = [*known, *["FR-LD-LST-06"] * self.outcome.is_filtered, "FR-LD-LST-07"]
            message = f"cut at {len(self.got)} entries, before the limit of {self.limit}"
            yield self.path_finding(first, message, *others, *reasons, kind=MISSING_ENTRIES)
        else:
            message = f"missing: {format_paths(missing)}"
            yield self.path_finding(reasons[0], message, *reasons[1:], kind=MISSING_ENTRIES)

    def surplus_finding(self, surplus: Sequence[str], missing: Sequence[str]) -> Finding:
        """Return the finding for entries that are no descendants, or are listed more often than they are there."""
        if not missing and set(surplus) <= {entry.path for entry in self.outcome.qualifying}:
            first, *others = attribute_repeated(self.outcome, surplus)
            message = f"listed more often than they are there: {format_paths(surplus)}"
            return self.path_finding(first, message, *others, kind="an entry is listed twice")
        due_names = {entry.path: entry.name for entry in self.outcome.entries if entry.path in missing}
        renamed = [one for one in self.found.entries if one["path"] in surplus and one["name"] in due_names.values()]
        first, *others = attribute_surplus(self.outcome, surplus, missing)
        if len(renamed) == len(surplus) == len(missing) and first in ("NFR-LD-REL-02", *_WALK_REQUIREMENTS):
            first, others = "EF-02", [first, *others]  # each entry is there, by its name
        elif first == "EF-02" and not renamed and len(surplus) == len(missing):
            first, others = "EF-01", [first, *others]
        if self.is_of_another_directory(surplus):
            others = [first, *others]
            first = "FR-LD-VAL-10" if self.outcome.is_respelt else "FR-LD-VAL-08"
            message, kind = "the entries are those of another directory", "another directory is listed"
            return self.path_finding(first, message, *others, kind=kind)
        message = f"listed and not expected: {format_paths(surplus)}"
        is_other_form = first == "EF-02"
        kind = "paths have another form" if is_other_form else self.surplus_kind(surplus, first)
        return self.path_finding(first, message, *others, kind=kind)

    def is_of_another_directory(self, surplus: Sequence[str]) -> bool:
        """Return whether all listed entries, and none of the expected ones, are in another directory of the tree."""
        if self.outcome.directory.is_sandbox_root or not self.expected or set(self.got) & set(self.expected):
            return False
        names = {path.rpartition(b"/")[2].decode("utf-8", "replace") for path, _ in self.case.tree.walk()}
        due = {entry.name for entry in self.outcome.entries}
        return {path.rpartition("/")[2] for path in surplus} <= names - due

    def follows_another_limit(self) -> bool:
        """Return whether the document shows another limit than the one in force, and has no more entries than that."""
        limit = self.found.members["max_entries"]
        return isinstance(limit, int) and limit != self.limit and len(self.got) <= limit

    def limit_suspects(self) -> Iterator[str]:
        """Yield the requirement that determines the limit of a call without one."""
        source = self.outcome.request.sources["max_entries"]
        if source in _LIMIT_REQUIREMENTS:
            yield _LIMIT_REQUIREMENTS[source]

    def surplus_kind(self, surplus: Sequence[str], requirement: str) -> str:
        """Return what surplus paths are, as the steps name it."""
        if requirement == "FR-LD-LST-03":
            what = "the directory itself or its parent"
        elif not self.outcome.request.recursive and all("/" in path for path in surplus):
            what = "from directories below"
        elif not self.outcome.request.hidden and all(path.startswith(".") or "/." in path for path in surplus):
            what = "hidden ones"
        else:
            return UNEXPECTED_ENTRIES
        return f"{UNEXPECTED_ENTRIES}: {what}"

    @property
    def is_cut(self) -> bool:
        """Return whether the budget cuts the listing, or may do so because of the candidate's own error texts."""
        by_size = self.reason == CUT_BY_SIZE
        return self.outcome.full_size > self.outcome.budget or (by_size and len(self.got) < len(self.expected))

    def order(self) -> Iterator[Finding]:
        if self.got == self.expected[: len(self.got)]:
            return
        lossy = () if all_utf8(self.outcome.qualifying) else ("NFR-LD-REL-02",)
        if self.got == sorted(self.got):
            message = "the kept entries are not the first ones of the sorted list"
            kind = "other entries are kept than the first ones"
            yield self.path_finding("FR-LD-OUT-07", message, "FR-LD-OUT-01", "FR-LD-LST-05", *lossy, kind=kind)
        else:
            message, kind = "the entries are not in the order of their paths", "the entries or their order differ"
            yield self.path_finding("FR-LD-OUT-01", message, *lossy, kind=kind)

    def kinds(self) -> Iterator[Finding]:
        """Yield only the entries of another type: an outcome in which each has its own is nearer.

        Of entries with one path it is not known which is which, so none of their members is nearer than another.
        """
        if len(set(self.got)) == len(self.got):
            yield from (one for one in self.fields() if one.kind == OTHER_TYPE)

    def fields(self) -> tuple[Finding, ...]:
        """Compare the members of all entries, once for the stages that need it."""
        return self._members

    @cached_property
    def _members(self) -> tuple[Finding, ...]:
        return tuple(self._compare_members())

    def _compare_members(self) -> Iterator[Finding]:
        """Compare the entries of each path; entries with equal paths may have any order if a reading accepts that."""
        at, any_order = 0, self.outcome.any_order
        while at < len(self.got):
            path, end = self.got[at], at + 1
            while end < len(self.got) and self.got[end] == path:
                end += 1
            last = end
            while any_order and last < len(self.expected) and self.expected[last] == path:
                last += 1
            expected, got = list(self.outcome.entries[at:last]), self.found.entries[at:end]
            pairs = pair_entries(expected, got) if any_order else list(zip(expected, got, strict=False))
            for entry, members in pairs:
                yield from compare_entry(entry, members, path, self.unknown_suspects(entry))
            at = end

    def unknown_suspects(self, entry: ExpectedEntry) -> tuple[str, ...]:
        """Return the requirements for the depth for a directory at the last level, which a walk too deep reads."""
        if entry.type != "dir" or entry.depth < self.outcome.request.max_depth:
            return ()
        return tuple(depth_suspects(self.outcome))

    def header(self) -> Iterator[Finding]:
        members, outcome = self.found.members, self.outcome
        limit_requirement = next(self.limit_suspects(), "DOC-05")
        for name, requirement, expected in (
            ("path", "FR-LD-VAL-10", outcome.path),
            ("returned", "FR-LD-OUT-02b", len(self.got)),
            ("max_entries", limit_requirement, self.limit),
        ):
            if name == "max_entries" and outcome.request.shows_any_limit:
                continue
            if name == "path" and is_absolute_path_of(members[name], outcome.path):
                continue
            if not same_json(members[name], expected):
                if name == "returned" and type(members[name]) is not int:
                    requirement = "DOC-04"
                values = format_json(expected), format_json(members[name])
                others = _SUSPECTS_OF_HEADER.get(name, ())
                yield Finding(requirement, f"{name} is wrong", *values, others, f"another {name}")
        yield from self.flags()

    def flags(self) -> Iterator[Finding]:
        """Compare the truncation with the words and types of the document, and with each other."""
        flag = self.found.members["truncated"]
        if self.reason not in (None, CUT_BY_COUNT, CUT_BY_SIZE):
            words = f"null, {format_json(CUT_BY_COUNT)} or {format_json(CUT_BY_SIZE)}"
            message = "there is no such truncated_reason"
            yield Finding("DOC-07", message, words, format_json(self.reason), (), "another truncated_reason")
        elif type(flag) is not bool:
            kind = "another truncated"
            yield Finding("DOC-06", "truncated is no boolean", "a boolean", format_json(flag), (), kind)
        elif (flag, self.reason) not in _VALID_REASONS:
            message, expected = "truncated and truncated_reason contradict each other", "false and null, or a reason"
            got = f"truncated {format_json(flag)}, truncated_reason {format_json(self.reason)}"
            others = ("FR-LD-LST-07", "FR-LD-OUT-05", "DOC-06")
            yield Finding("FR-LD-OUT-02b", message, expected, got, others, message)

    def cut(self) -> Iterator[Finding]:
        """Compare the reason, and the number of entries that the budget leaves."""
        reason, outcome = self.reason, self.outcome
        if outcome.request.max_entries == 0:  # a configured limit that cannot be used (AMB-LD-32)
            return
        if len(self.got) == len(self.expected):
            if reason != outcome.reason:
                first, *others = self.reason_suspects()
                values = format_json(outcome.reason), format_json(reason)
                yield Finding(first, "the reason is wrong", *values, tuple(others), OTHER_TRUNCATION)
        elif reason != CUT_BY_SIZE:
            first, other = "FR-LD-OUT-05", "FR-LD-OUT-07"
            if reason == CUT_BY_COUNT:
                first, other = other, first
            # A listing without a reason may lack the entries for another cause than the budget.
            missing = sorted((Counter(self.expected) - Counter(self.got)).elements())
            causes = attribute_missing(outcome, missing) if reason is None else ["FR-LD-LST-07"]
            if reason == CUT_BY_COUNT and outcome.is_filtered:
                causes.append("FR-LD-LST-06")
            message = "entries were cut for size, and the reason is another one"
            others = [other, "FR-LD-OUT-02b", *causes]
            values = format_json(CUT_BY_SIZE), format_json(reason)
            yield Finding(first, message, *values, tuple(others), OTHER_TRUNCATION)
        elif self.is_own_text:
            yield from self.truncated_too_early()

    def truncated_too_early(self) -> Iterator[Finding]:
        """Report missing entries that fit into the budget; the cause may also be overlong listed entries."""
        outcome, budget = self.outcome, self.outcome.budget
        rest = outcome.entries[len(self.got) :]
        if any(entry.error_codes for entry in rest):
            return  # the length of their error texts is unknown
        others = [*_ENTRY_SIZE_SUSPECTS, "FR-LD-LST-02" if outcome.request.recursive else "FR-LD-LST-01"]
        rest_sizes = [self.longest_size(entry) for entry in rest]
        whole = self.size_with(rest_sizes, outcome.reason)
        equal_paths = [size for entry, size in zip(rest, rest_sizes, strict=True) if entry.path == rest[0].path]
        one_more = self.size_with([max(equal_paths) if outcome.any_order else rest_sizes[0]], CUT_BY_SIZE)
        kept = f"{len(self.got)} entries"
        if whole <= budget:
            message = f"entries were cut although all of them fit into {budget} bytes"
            first, *others = ("FR-LD-OUT-05", *others)
            if outcome.is_count_truncated and not all_utf8(outcome.qualifying):
                first, *others = ("FR-LD-LST-05", first, *others)
            due = f"{len(self.expected)} entries"
            yield Finding(first, message, due, kept, tuple(others), MISSING_ENTRIES)
        elif one_more <= budget and len(rest) > 1:
            message = f"one more entry fits into {budget} bytes"
            due = f"more than {kept}"
            yield Finding("FR-LD-OUT-07", message, due, kept, tuple(others), MISSING_ENTRIES)

    def longest_size(self, entry: ExpectedEntry) -> int:
        """Return the greatest length of an entry in the spelling of this document."""
        if not self.outcome.any_escapes:
            return entry.json_size
        texts = (entry.name, entry.path)
        shorter = sum(map(escaped_size, texts))
        return entry.json_size - shorter + sum(longest_escaped_size(text, self.found.literal) for text in texts)

    def size_with(self, more: Sequence[int], reason: str | None) -> int:
        """Return the length of this document with further entries, by their lengths, and with this reason."""
        known = document_size("", [0] * len(self.got), self.limit, self.reason)
        longer = document_size("", [0] * len(self.got) + list(more), self.limit, reason)
        return (self.found.size if self.outcome.any_escapes else self.canonical_size) + longer - known

    def reason_suspects(self) -> Iterator[str]:
        """Yield the requirements that a wrong reason may violate, the likeliest first."""
        request = self.outcome.request
        if self.reason == CUT_BY_SIZE:
            yield "FR-LD-OUT-05"
        elif len(self.outcome.qualifying) >= self.limit:
            yield "FR-LD-LST-07"
        elif request.recursive and any(path.count(b"/") >= request.max_depth for path, _ in self.case.tree.walk()):
            yield from ("FR-LD-LST-02", "DOC-06")
        else:
            yield "DOC-06"
        if self.outcome.is_filtered:
            yield "FR-LD-LST-06"
        yield "FR-LD-LST-07"
        if request.recursive:  # another depth finds more entries, or fewer, than the limit allows
            yield from depth_suspects(self.outcome)
        if not all_utf8(self.outcome.qualifying):
            yield "NFR-LD-REL-02"

    def bytes(self) -> Iterator[Finding]:
        expected = self.found.canonical_text
        got = self.found.plain_text if self.outcome.any_escapes else self.found.raw
        if self.is_own_text and expected != got:
            kind = "the output is not canonical"
            yield Finding("FR-LD-OUT-02a", kind, expected, self.found.raw, kind=kind)


def is_absolute_path_of(got: object, path: str) -> bool:
    """Return whether a text is an absolute path of which the expected one has a placeholder for its beginning."""
    if not path.startswith(f"/{FOLDER}") or not isinstance(got, str):
        return False
    rest = path.removeprefix(f"/{FOLDER}")
    folder = got.removesuffix(rest)
    is_tidy = folder == "/" + "/".join(part for part in folder.split("/") if part not in ("", "."))
    return len(folder) > 1 and got.endswith(rest) and is_tidy

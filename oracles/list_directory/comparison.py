"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The stages run from coarse to fine: error or listing, length, membership, order, fields, header, cut, bytes. A stage
runs only if the earlier ones found no difference, so each mistake is attributed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, CallResult, Case, ComparisonStage, Finding

from ..shared.formatting import format_json, format_paths
from ..shared.judgement import MATCH, Comparison, first_differences
from .arguments import ExpectedFailure
from .document import CUT_BY_COUNT, CUT_BY_SIZE, ExpectedEntry, document_size
from .entry_comparison import compare_entry, pair_entries, same_json
from .expected import ROOT_PLACEHOLDER, ExpectedListing, ExpectedOutcome
from .membership import all_utf8, attribute_missing, attribute_surplus, depth_suspects
from .parsed_answer import MalformedDocument, ParsedDocument, entry_text, parse_document

_SIZE_SUSPECTS = (
    *("FR-LD-OUT-07", "FR-LD-OUT-05", "FR-LD-OUT-06", "FR-LD-OUT-03", "FR-LD-OUT-02a"),
    *("DOC-01", "DOC-03", "DOC-05", "DOC-06"),
)
"""The requirements that a candidate violates if it overestimates the length of a document, or writes a longer one."""

_ENTRY_SIZE_SUSPECTS = (
    *_SIZE_SUSPECTS,
    *("FR-LD-LST-06", "FR-LD-LST-07"),
    *("EF-01", "EF-02", "EF-05", "EF-08", "EF-09", "NFR-LD-REL-02", "FR-LD-VAL-10", "EF-04"),
    "FR-LD-OUT-01",
)
"""The same for a document with entries."""

_ERROR_KIND_REQUIREMENTS = {"BadArgs": "FR-LD-ERR-01", "SandboxViolation": "FR-LD-ERR-02"}
"""The requirement that prescribes a kind of error."""
_KINDS_WITH_MESSAGE = frozenset({"BadArgs", "ExecutionFailed"})
"""The kinds of errors for which the document demands a message."""
_MISTAKEN_FOR = {"BadArgs": ("FR-LD-VAL-01", "SCH-LD"), "SandboxViolation": ("FR-LD-VAL-07",)}
"""The requirements whose violation an error of this kind reports."""

OTHER_TRUNCATION = "the truncation differs"
"""The kind of a difference between two truncations: whether entries were cut, and the reason."""

_LIMIT_REQUIREMENTS: Mapping[str, str] = {"configuration": "FR-LD-VAL-06a", "built-in": "CFG-LD-05"}
"""The requirements that determine the limit of a call without one, by the source of its value."""

EXCEEDS_BUDGET = "the output exceeds the budget"
FITS_IN_CHARACTERS = "the output fits in characters and not in bytes"
"""The kinds of an output that is too long."""

_VALID_REASONS = ((False, None), (True, CUT_BY_COUNT), (True, CUT_BY_SIZE))


def compare(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if isinstance(outcome, ExpectedFailure):
        return _compare_failure(outcome, answer)
    if answer.status != "ok":
        return _compare_unexpected_failure(outcome, answer)
    found = parse_document(answer.content or "")
    if isinstance(found, MalformedDocument):
        return 1, (_malformed_finding(outcome, found, answer.content or ""),)
    return _ListingComparison(outcome, found, case).compare()


def _malformed_finding(outcome: ExpectedListing, found: MalformedDocument, content: str) -> Finding:
    requirement, others = found.requirement, found.other_requirements
    if found.is_broken and outcome.full_size > outcome.budget:  # probably the budget cut through the text
        requirement, others = "NFR-LD-REL-01", (requirement, *others)
    stage: ComparisonStage = "output" if found.is_unreadable else "members"
    return Finding(requirement, found.message, "", content[:400], others, stage, found.kind)


def _compare_failure(outcome: ExpectedFailure, answer: CallResult) -> Comparison:
    expected = " or ".join(sorted(outcome.kinds))
    if answer.status == "ok":
        message = f"the call succeeds although {outcome.reason}"
        kind = f"the call succeeded; it should fail with {expected}"
        got = (answer.content or "")[:400]
        return 0, (Finding(outcome.requirement, message, expected, got, stage="refusal", kind=kind),)
    got = f"{answer.error_kind}: {answer.error_message}"
    if answer.error_kind not in outcome.kinds:
        only_kind = next(iter(outcome.kinds)) if len(outcome.kinds) == 1 else ""
        first = _ERROR_KIND_REQUIREMENTS.get(only_kind, outcome.requirement)
        message = f"the kind of error is wrong, as {outcome.reason}"
        others = (outcome.requirement, *_MISTAKEN_FOR.get(answer.error_kind or "", ()))
        return 1, (Finding(first, message, expected, got, others, "error", _error_kind(answer, expected)),)
    if not (answer.error_message or "").strip() and outcome.kinds <= _KINDS_WITH_MESSAGE:
        return 2, (Finding(outcome.requirement, "the error has no message", "", got, stage="error"),)
    if outcome.message_part and outcome.message_part not in (answer.error_message or "").lower():
        phrase = f"… {outcome.message_part} …"
        return 2, (Finding("T-LD-02", "the message lacks its phrase", phrase, got, stage="error"),)
    return MATCH


def _error_kind(answer: CallResult, expected: str) -> str:
    """Return the kind of this difference, as the steps name it."""
    return f"the call failed with {answer.error_kind}; it should fail with {expected}"


def _compare_unexpected_failure(outcome: ExpectedListing, answer: CallResult) -> Comparison:
    kind, got = answer.error_kind or "", f"{answer.error_kind}: {answer.error_message}"
    if outcome.kept_count is None:
        if kind == "ExecutionFailed":
            return MATCH
        suspects = tuple(_failure_suspects(outcome, kind))
        message, expected = "the kind of error is wrong", "ExecutionFailed"
        return 1, (Finding("FR-LD-OUT-08", message, expected, got, suspects, "error", _error_kind(answer, expected)),)
    if _truncation_is_uncertain(outcome) and kind == "ExecutionFailed":
        return MATCH
    first, *others = _failure_suspects(outcome, kind)
    message, difference = "the call fails although it is valid", f"the call failed with {kind}"
    return 0, (Finding(first, message, "", got, tuple(others), "call", difference),)


def _truncation_is_uncertain(outcome: ExpectedListing) -> bool:
    """Return whether the budget cuts a listing with error texts, whose length only the candidate determines."""
    return outcome.full_size > outcome.budget and any(entry.error_codes for entry in outcome.entries)


def _failure_suspects(outcome: ExpectedListing, kind: str) -> Iterator[str]:
    """Yield the requirements that an unexpected error of this kind may violate, the likeliest first."""
    request, sources = outcome.request, outcome.request.sources
    if kind == "BadArgs":
        if sources["max_entries"] == "call":
            yield "FR-LD-VAL-04"
        if sources["max_depth"] == "call":
            yield "FR-LD-VAL-06b" if request.recursive else "FR-LD-VAL-02"
        if not all((request.files, request.dirs, request.symlinks)):
            yield "FR-LD-VAL-05"
        if outcome.has_unusual_path:
            yield from ("FR-LD-VAL-10", "FR-LD-VAL-01")
        yield "SCH-LD"
        return
    if not all_utf8(outcome.qualifying):
        yield "NFR-LD-REL-02"
    if kind == "SandboxViolation" and (".." in outcome.path or not outcome.has_unusual_path):
        yield "FR-LD-VAL-07"
    if outcome.has_unusual_path:
        yield "FR-LD-VAL-10"
    if kind == "SandboxViolation":
        yield "FR-LD-VAL-07"
    if kind == "ExecutionFailed" and outcome.budget < outcome.full_size + 32:
        yield from ("FR-LD-OUT-08", *_SIZE_SUSPECTS)
    if any(entry.error_codes for entry in outcome.entries):
        yield "FR-LD-LST-04"
    if outcome.directory.node is not None and kind != "SandboxViolation":
        yield "FR-LD-VAL-08"
    yield "FR-LD-LST-02" if request.recursive else "FR-LD-LST-01"
    yield "FR-LD-VAL-05"


class _ListingComparison:
    """The comparison of a document with the expected listing."""

    def __init__(self, outcome: ExpectedListing, found: ParsedDocument, case: Case) -> None:
        self.outcome = outcome
        self.found = found
        self.case = case
        self.got = found.paths
        self.expected = [entry.path for entry in outcome.entries]
        self.limit = outcome.request.max_entries
        self.reason = found.members["truncated_reason"]

    def compare(self) -> Comparison:
        stages = (self.length, self.membership, self.order, self.fields, self.header, self.cut, self.bytes)
        return first_differences(stages, start=2)

    def path_finding(
        self, requirement: str, message: str, *others: str, stage: ComparisonStage = "entries", kind: str = ""
    ) -> Finding:
        paths = format_paths(self.expected), format_paths(self.got)
        return Finding(requirement, message, *paths, others, stage, kind)

    def length(self) -> Iterator[Finding]:
        budget, size = self.outcome.budget, self.found.size
        if size > budget and (self.outcome.any_escapes or self.canonical_size > budget):
            first, other = "FR-LD-OUT-03", "FR-LD-OUT-06"
            if len(self.found.raw) <= budget:
                first, other = other, first
            bounds = f"at most {budget} bytes", f"{size} bytes"
            kind = FITS_IN_CHARACTERS if first == "FR-LD-OUT-06" else EXCEEDS_BUDGET
            yield Finding(first, EXCEEDS_BUDGET, *bounds, (other, "FR-LD-OUT-08"), "output", kind)

    @property
    def canonical_size(self) -> int:
        """Return the length in the canonical form. If it fits, only the form of a longer document is wrong."""
        return len(self.found.canonical_text.encode("utf-8", "surrogatepass"))

    def membership(self) -> Iterator[Finding]:
        got, expected = Counter(self.got), Counter(self.expected)
        if got == expected or (self.is_cut and not got - expected):
            return
        walked = Counter(entry.path for entry in self.outcome.qualifying)
        surplus = sorted((got - walked).elements())
        if surplus:
            first, *others = attribute_surplus(self.outcome, surplus, sorted((walked - got).elements()))
            message = f"listed and not expected: {format_paths(surplus)}"
            is_other_form = first == "EF-02"
            kind = "paths have another form" if is_other_form else self.surplus_kind(surplus, first)
            stage: ComparisonStage = "output" if is_other_form else "entries"
            yield self.path_finding(first, message, *others, stage=stage, kind=kind)
            return
        if len(self.got) > self.limit:
            reported_limit = self.found.members["max_entries"]
            follows_reported_limit = isinstance(reported_limit, int) and self.limit < len(self.got) <= reported_limit
            message = f"{len(self.got)} entries are more than {self.limit}"
            others = [*self.limit_suspects(), "DOC-05", "FR-LD-VAL-04"] if follows_reported_limit else []
            yield self.path_finding("FR-LD-LST-07", message, *others, kind=UNEXPECTED_ENTRIES)
            return
        missing = sorted((expected - got).elements())
        reasons = attribute_missing(self.outcome, missing) if missing else []
        if got - expected:
            message = "the entries within the limit are not the first ones of the walk"
            kind = f"{MISSING_ENTRIES} and {UNEXPECTED_ENTRIES}"
            yield self.path_finding("FR-LD-LST-05", message, *reasons, kind=kind)
        elif self.reason == CUT_BY_COUNT:
            first, *others = ["FR-LD-LST-06"] * self.outcome.is_filtered + ["FR-LD-LST-07"]
            message = f"cut at {len(self.got)} entries, before the limit of {self.limit}"
            yield self.path_finding(first, message, *others, *reasons, kind=MISSING_ENTRIES)
        else:
            message = f"missing: {format_paths(missing)}"
            yield self.path_finding(reasons[0], message, *reasons[1:], kind=MISSING_ENTRIES)

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
            yield self.path_finding("FR-LD-OUT-07", message, "FR-LD-OUT-01", "FR-LD-LST-05", *lossy)
        else:
            message, kind = "the entries are not in the order of their paths", "the entries or their order differ"
            yield self.path_finding("FR-LD-OUT-01", message, *lossy, stage="order", kind=kind)

    def fields(self) -> Iterator[Finding]:
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
            if name == "path" and outcome.path.startswith(ROOT_PLACEHOLDER):
                continue
            if not same_json(members[name], expected):
                values = format_json(expected), format_json(members[name])
                others = ("DOC-05", "FR-LD-VAL-04") if name == "max_entries" else ()
                yield Finding(requirement, f"{name} is wrong", *values, others, "members", f"another {name}")
        flag = members["truncated"]
        if self.reason not in (None, CUT_BY_COUNT, CUT_BY_SIZE):
            words = f"null, {format_json(CUT_BY_COUNT)} or {format_json(CUT_BY_SIZE)}"
            message = "there is no such truncated_reason"
            yield Finding("DOC-07", message, words, format_json(self.reason), (), "members", "another truncated_reason")
        if (flag, self.reason) not in _VALID_REASONS or type(flag) is not bool:
            message, expected = "truncated and truncated_reason contradict each other", "false and null, or a reason"
            got = f"truncated {format_json(flag)}, truncated_reason {format_json(self.reason)}"
            yield Finding("FR-LD-OUT-02b", message, expected, got, ("FR-LD-LST-07", "FR-LD-OUT-05"), "members")

    def cut(self) -> Iterator[Finding]:
        """Compare the reason, and the number of entries that the budget leaves."""
        reason, outcome = self.reason, self.outcome
        if len(self.got) == len(self.expected):
            if reason != outcome.reason:
                first, *others = self.reason_suspects()
                values = format_json(outcome.reason), format_json(reason)
                yield Finding(first, "the reason is wrong", *values, tuple(others), "members", OTHER_TRUNCATION)
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
            values = CUT_BY_SIZE, format_json(reason)
            yield Finding(first, message, *values, tuple(others), "members", OTHER_TRUNCATION)
        elif not outcome.any_escapes:  # else the length of the missing entries is unknown
            yield from self.truncated_too_early()

    def truncated_too_early(self) -> Iterator[Finding]:
        """Report missing entries that fit into the budget; the cause may also be overlong listed entries."""
        outcome, budget = self.outcome, self.outcome.budget
        sizes = [_entry_size(entry) for entry in self.found.entries]
        rest = outcome.entries[len(self.got) :]
        if any(entry.error_codes for entry in rest):
            return  # the length of their error texts is unknown
        others = [*_ENTRY_SIZE_SUSPECTS, "FR-LD-LST-02" if outcome.request.recursive else "FR-LD-LST-01"]
        rest_sizes = [entry.json_size for entry in rest]
        whole = document_size(outcome.path, sizes + rest_sizes, self.limit, outcome.reason)
        equal_paths = [entry.json_size for entry in rest if outcome.any_order and entry.path == rest[0].path]
        following = max(equal_paths, default=rest[0].json_size)
        one_more = document_size(outcome.path, [*sizes, following], self.limit, CUT_BY_SIZE)
        kept = f"{len(self.got)} entries"
        if whole <= budget:
            message = f"entries were cut although all of them fit into {budget} bytes"
            first, *others = ("FR-LD-OUT-05", *others)
            if outcome.is_count_truncated and not all_utf8(outcome.qualifying):
                first, *others = ("FR-LD-LST-05", first, *others)
            due = f"{len(self.expected)} entries"
            yield Finding(first, message, due, kept, tuple(others), "entries", MISSING_ENTRIES)
        elif one_more <= budget and len(rest) > 1:
            message = f"one more entry fits into {budget} bytes"
            due = f"more than {kept}"
            yield Finding("FR-LD-OUT-07", message, due, kept, tuple(others), "entries", MISSING_ENTRIES)

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
        if not self.outcome.any_escapes and expected != self.found.raw:
            yield Finding("FR-LD-OUT-02a", "the output is not canonical", expected, self.found.raw, stage="text")


def _entry_size(entry: dict[str, Any]) -> int:
    return len(entry_text(entry).encode("utf-8", "surrogatepass"))

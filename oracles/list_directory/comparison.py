"""An answer against one outcome: what differs, and which requirement is to blame for it.

The comparison goes from the coarse to the fine: error or listing, which entries, in which order, with which fields,
which header, how long, which bytes. Each step looks only at what the steps before have found right, so that one
mistake is blamed once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treeproof.api import CallResult, Finding, Tree, format_name

from .arguments import ExpectedFailure
from .document import CUT_BY_COUNT, CUT_BY_SIZE, ExpectedEntry, document_size
from .expected import ExpectedListing
from .lossy_names import is_utf8
from .membership import all_utf8, attribute_missing, attribute_surplus
from .parsed_answer import MalformedDocument, ParsedDocument, entry_text, parse_document

ComparisonResult = tuple[int, tuple[Finding, ...]]
"""How far the comparison came, and what it found there. Of several, the one that came farthest is the best guess."""

_FIELDS = {
    "name": "EF-01",
    "depth": "EF-03",
    "type": "EF-04",
    "size_bytes": "EF-05",
    "modified_epoch_ms": "EF-06",
    "is_hidden": "EF-07",
    "error_code": "EF-08",
    "error": "EF-09",
}
"""The members of an entry and the requirement that each has."""

_RELATED = {"max_entries": ("FR-LD-VAL-04",)}

_SIZE_SUSPECTS = ("FR-LD-OUT-07", "FR-LD-OUT-05", "FR-LD-OUT-06", "FR-LD-OUT-03", "FR-LD-OUT-02a")
"""What makes a candidate think that a document is longer than it is, be it empty."""

_ENTRY_SIZE_SUSPECTS = (
    *_SIZE_SUSPECTS,
    *("FR-LD-LST-06", "FR-LD-LST-07"),
    *("EF-01", "EF-02", "EF-05", "EF-08", "EF-09", "NFR-LD-REL-02", "DOC-05", "FR-LD-VAL-10", "EF-04"),
    "FR-LD-OUT-01",
)
"""What makes it think so, of a document with entries."""

MATCH: ComparisonResult = (99, ())


def compare(
    outcome: ExpectedListing | ExpectedFailure, answer: CallResult, tree: Tree, *, free_escapes: bool
) -> ComparisonResult:
    """What the answer does otherwise than the outcome."""
    if isinstance(outcome, ExpectedFailure):
        return _compare_failure(outcome, answer)
    if answer.status != "ok":
        return _compare_unexpected_failure(outcome, answer)
    found = parse_document(answer.content or "")
    if isinstance(found, MalformedDocument):
        return 1, (Finding(found.requirement, found.message, "a document", (answer.content or "")[:400]),)
    return _ListingComparison(outcome, found, tree, free_escapes).compare()


def _compare_failure(outcome: ExpectedFailure, answer: CallResult) -> ComparisonResult:
    expected = " or ".join(sorted(outcome.kinds))
    if answer.status == "ok":
        message = f"the call succeeded although {outcome.reason}"
        return 0, (Finding(outcome.requirement, message, expected, (answer.content or "")[:400]),)
    got = f"{answer.error_kind}: {answer.error_message}"
    if answer.error_kind not in outcome.kinds:
        alone = next(iter(outcome.kinds)) if len(outcome.kinds) == 1 else ""
        first = _ERROR_KIND_REQUIREMENTS.get(alone, outcome.requirement)
        message = f"the wrong kind of error, as {outcome.reason}"
        others = (outcome.requirement, *_MISTAKEN_FOR.get(answer.error_kind or "", ()))
        return 1, (Finding(first, message, expected, got, other_requirements=others),)
    if not (answer.error_message or "").strip():
        return 2, (Finding(outcome.requirement, "the error has no message", "a message", got),)
    if outcome.message_part and outcome.message_part not in (answer.error_message or "").lower():
        phrase = f"… {outcome.message_part} …"
        return 2, (Finding(outcome.requirement, "the message lacks its phrase", phrase, got),)
    return MATCH


_ERROR_KIND_REQUIREMENTS = {"BadArgs": "FR-LD-ERR-01", "SandboxViolation": "FR-LD-ERR-02"}
_MISTAKEN_FOR = {"BadArgs": ("FR-LD-VAL-01", "SCH-LD"), "SandboxViolation": ("FR-LD-VAL-07",)}
"""The requirements about kinds of errors, and those by which something is refused that should fail otherwise."""


def _compare_unexpected_failure(outcome: ExpectedListing, answer: CallResult) -> ComparisonResult:
    got = f"{answer.error_kind}: {answer.error_message}"
    if outcome.kept_count is None:
        if answer.error_kind != "ExecutionFailed":
            instead = tuple(_failure_suspects(outcome, answer.error_kind or ""))  # refused for something else
            return 1, (
                Finding(
                    "FR-LD-OUT-08",
                    "the wrong kind of error",
                    "ExecutionFailed",
                    got,
                    other_requirements=instead,
                ),
            )
        return MATCH
    if _truncation_is_uncertain(outcome) and answer.error_kind == "ExecutionFailed":
        return MATCH
    first, *others = _failure_suspects(outcome, answer.error_kind or "")
    message = "the call failed although nothing is wrong with it"
    return 0, (Finding(first, message, "a listing", got, other_requirements=tuple(others)),)


def _truncation_is_uncertain(outcome: ExpectedListing) -> bool:
    """Whether entries with texts of the candidate's own stand where the budget bites, so that nobody can price them."""
    return outcome.full_size > outcome.budget and any(entry.error_codes for entry in outcome.entries)


def _failure_suspects(outcome: ExpectedListing, kind: str) -> Iterator[str]:
    """The requirements that a refusal of this kind, where a listing is due, may misread; the likeliest first."""
    asked, sources = outcome.request, outcome.request.sources
    if kind == "BadArgs":
        if sources["max_entries"] == "call":
            yield "FR-LD-VAL-04"
        if sources["max_depth"] == "call":
            yield "FR-LD-VAL-06b" if asked.recursive else "FR-LD-VAL-02"
        if not all((asked.files, asked.dirs, asked.symlinks)):
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
        yield "FR-LD-ERR-04"
    if outcome.directory.node is not None and kind != "SandboxViolation":
        yield "FR-LD-VAL-08"
    yield "FR-LD-LST-02" if asked.recursive else "FR-LD-LST-01"
    yield "FR-LD-VAL-05"


class _ListingComparison:
    def __init__(
        self, outcome: ExpectedListing, found: ParsedDocument, tree: Tree, free_escapes: bool
    ) -> None:
        self.outcome = outcome
        self.found = found
        self.tree = tree
        self.free_escapes = free_escapes
        self.got = found.paths
        self.expected = [entry.path for entry in outcome.entries]
        self.by_size = found.members["truncated_reason"] == CUT_BY_SIZE

    def compare(self) -> ComparisonResult:
        steps = (self.length, self.membership, self.order, self.fields, self.header, self.cut, self.bytes)
        for number, step in enumerate(steps, start=2):
            found = tuple(step())
            if found:
                return number, found
        return MATCH

    def length(self) -> Iterable[Finding]:
        budget, size = self.outcome.budget, self.found.size
        if size > budget and (self.free_escapes or self.canonical_size > budget):
            characters = len(self.found.raw)
            first, other = "FR-LD-OUT-03", "FR-LD-OUT-06"
            if characters <= budget:
                first, other = other, first
            bounds = f"at most {budget} bytes", f"{size} bytes"
            yield Finding(
                first, "the output exceeds the budget", *bounds, other_requirements=(other, "FR-LD-OUT-08")
            )

    @property
    def canonical_size(self) -> int:
        """What the document would weigh in the right spelling: one that is only spelt too long is blamed for that."""
        return len(self.found.canonical_text.encode("utf-8", "surrogatepass"))

    def membership(self) -> Iterable[Finding]:
        got, due = Counter(self.got), Counter(self.expected)
        if got == due or (self.is_cut and not got - due):
            return
        walked = Counter(entry.path for entry in self.outcome.qualifying)
        surplus = sorted((got - walked).elements())
        limit, shown = (
            self.outcome.request.max_entries,
            (_format_paths(self.expected), _format_paths(self.got)),
        )
        if surplus:
            first, *others = attribute_surplus(self.outcome, surplus, sorted((walked - got).elements()))
            yield Finding(
                first,
                f"listed and not due: {_format_paths(surplus)}",
                *shown,
                other_requirements=tuple(others),
            )
            return
        if len(self.got) > limit:
            named = self.found.members["max_entries"]
            keeps_another = isinstance(named, int) and limit < len(self.got) <= named
            named_by = ("DOC-05", *_RELATED["max_entries"]) if keeps_another else ()
            message = f"{len(self.got)} entries are more than {limit}"
            yield Finding("FR-LD-LST-07", message, *shown, other_requirements=named_by)
            return
        missing = sorted((due - got).elements())
        reasons = tuple(attribute_missing(self.outcome, missing)) if missing else ()
        if got - due:
            message = "other entries survived the limit than the first of the walk"
            yield Finding("FR-LD-LST-05", message, *shown, other_requirements=reasons)
        elif self.found.members["truncated_reason"] == CUT_BY_COUNT:
            first, *others = ["FR-LD-LST-06"] * self.outcome.is_filtered + ["FR-LD-LST-07"]
            message = f"cut at {len(self.got)} entries, before the limit of {limit}"
            yield Finding(first, message, *shown, other_requirements=(*others, *reasons))
        else:
            yield Finding(
                reasons[0], f"missing: {_format_paths(missing)}", *shown, other_requirements=reasons[1:]
            )

    @property
    def is_cut(self) -> bool:
        """Whether the budget has to take something away, as far as anyone can tell."""
        return self.outcome.full_size > self.outcome.budget or (
            self.by_size and len(self.got) < len(self.expected)
        )

    def order(self) -> Iterable[Finding]:
        if self.got == self.expected[: len(self.got)]:
            return
        shown = (_format_paths(self.expected), _format_paths(self.got))
        lossy = () if all_utf8(self.outcome.qualifying) else ("NFR-LD-REL-02",)
        if self.got == sorted(self.got):
            message = "what is left is not the beginning of the sorted list"
            yield Finding(
                "FR-LD-OUT-07", message, *shown, other_requirements=("FR-LD-OUT-01", "FR-LD-LST-05", *lossy)
            )
        else:
            message = "the entries are not in the order of their paths"
            yield Finding("FR-LD-OUT-01", message, *shown, other_requirements=lossy)

    def fields(self) -> Iterable[Finding]:
        for path, due, got in self.groups():
            pairs = _pair_entries(due, got) if self.outcome.any_order else list(zip(due, got, strict=False))
            for entry, members in pairs:
                yield from _compare_entry(entry, members, path)

    def groups(self) -> Iterable[tuple[str, list[ExpectedEntry], list[dict[str, Any]]]]:
        """The entries by path, each with those that the document has of it; loose ones may stand in any order."""
        at = 0
        while at < len(self.got):
            end = at + 1
            while end < len(self.got) and self.got[end] == self.got[at]:
                end += 1
            more = end
            while (
                self.outcome.any_order and more < len(self.expected) and self.expected[more] == self.got[at]
            ):
                more += 1
            yield self.got[at], list(self.outcome.entries[at:more]), self.found.entries[at:end]
            at = end

    def header(self) -> Iterable[Finding]:
        members, outcome = self.found.members, self.outcome
        for name, requirement, due in (
            ("path", "FR-LD-VAL-10", outcome.path),
            ("returned", "FR-LD-OUT-02b", len(self.got)),
            ("max_entries", "DOC-05", outcome.request.max_entries),
        ):
            if not _same(members[name], due):
                values = _json(due), _json(members[name])
                yield Finding(
                    requirement, f"{name} is wrong", *values, other_requirements=_RELATED.get(name, ())
                )
        flag, reason = members["truncated"], members["truncated_reason"]
        if (flag, reason) not in ((False, None), (True, CUT_BY_COUNT), (True, CUT_BY_SIZE)) or type(
            flag
        ) is not bool:
            got = f"truncated {_json(flag)}, truncated_reason {_json(reason)}"
            message, due = "flag and reason contradict each other", "false and null, or a reason"
            yield Finding(
                "FR-LD-OUT-02b", message, due, got, other_requirements=("FR-LD-LST-07", "FR-LD-OUT-05")
            )

    def cut(self) -> Iterable[Finding]:
        """The flag, and whether the budget took no more and no less than it had to."""
        reason = self.found.members["truncated_reason"]
        if len(self.got) == len(self.expected):
            if reason != self.outcome.reason:
                first, *others = self.reason_suspects(reason)
                due, got = _json(self.outcome.reason), _json(reason)
                yield Finding(first, "the reason is wrong", due, got, other_requirements=tuple(others))
        elif reason != CUT_BY_SIZE:
            first, other = "FR-LD-OUT-05", "FR-LD-OUT-07"
            if reason == CUT_BY_COUNT:
                first, other = other, first
            message = "entries were cut for size, and the reason is another"
            # A listing that passes for whole may lack them for their own sake and have had no need to cut.
            missing = sorted((Counter(self.expected) - Counter(self.got)).elements())
            own = attribute_missing(self.outcome, missing) if reason is None else ["FR-LD-LST-07"]
            if reason == CUT_BY_COUNT and self.outcome.is_filtered:
                own.append("FR-LD-LST-06")
            yield Finding(
                first, message, CUT_BY_SIZE, _json(reason), other_requirements=(other, "FR-LD-OUT-02b", *own)
            )
        elif not self.free_escapes:  # else nobody knows how the missing entries would have been spelt
            yield from self.truncated_too_early()

    def truncated_too_early(self) -> Iterable[Finding]:
        """Entries that the budget had room for. Who writes something else than is due may well run out of room."""
        outcome, budget = self.outcome, self.outcome.budget
        prices = [_entry_size(entry) for entry in self.found.entries]
        rest = outcome.entries[len(self.got) :]
        if any(entry.error_codes for entry in rest):
            return  # nobody knows how long their error texts are
        others = [*_ENTRY_SIZE_SUSPECTS, "FR-LD-LST-02" if outcome.request.recursive else "FR-LD-LST-01"]
        whole = document_size(
            outcome.path, prices + [e.json_size for e in rest], outcome.request.max_entries, outcome.reason
        )
        alike = [entry.json_size for entry in rest if outcome.any_order and entry.path == rest[0].path]
        following = max(alike, default=rest[0].json_size)
        one_more = document_size(outcome.path, [*prices, following], outcome.request.max_entries, CUT_BY_SIZE)
        kept = f"{len(self.got)} entries"
        if whole <= budget:
            message = f"entries were cut although all of them fit into {budget} bytes"
            first, *others = ("FR-LD-OUT-05", *others)
            if outcome.is_count_truncated and not all_utf8(outcome.qualifying):  # others may have survived
                first, *others = ("FR-LD-LST-05", first, *others)
            yield Finding(
                first, message, f"{len(self.expected)} entries", kept, other_requirements=tuple(others)
            )
        elif one_more <= budget and len(rest) > 1:
            message = f"one more entry fits into {budget} bytes"
            yield Finding(
                "FR-LD-OUT-07",
                message,
                f"more than {len(self.got)} entries",
                kept,
                other_requirements=tuple(others),
            )

    def reason_suspects(self, reason: object) -> Iterator[str]:
        count, limit = len(self.outcome.qualifying), self.outcome.request.max_entries
        if reason == CUT_BY_SIZE:
            yield "FR-LD-OUT-05"
        elif count >= limit:
            yield "FR-LD-LST-07"
        elif self.outcome.request.recursive and self.is_deeper():
            yield from ("FR-LD-LST-02", "DOC-06")
        else:
            yield "DOC-06"
        if self.outcome.is_filtered:
            yield "FR-LD-LST-06"
        yield "FR-LD-LST-07"
        if not all_utf8(self.outcome.qualifying):
            yield "NFR-LD-REL-02"

    def is_deeper(self) -> bool:
        depth = self.outcome.request.max_depth
        return any(path.count(b"/") >= depth for path, _ in self.tree.walk())

    def bytes(self) -> Iterable[Finding]:
        if self.free_escapes:
            return
        due = self.found.canonical_text
        if due != self.found.raw:
            yield Finding("FR-LD-OUT-02a", "the spelling is not canonical", due, self.found.raw)


def _compare_entry(due: ExpectedEntry, got: dict[str, Any], path: str) -> list[Finding]:
    what = f"of {format_name(path.encode('utf-8', 'surrogatepass'))}"
    lossy = () if is_utf8(due.raw_path) else ("NFR-LD-REL-02",)
    if (due.type == "unknown") != (got["type"] == "unknown"):
        first, other = "FR-LD-LST-04", "FR-LD-LST-08"
        if "read_dir_failed" in (*due.error_codes, got["error_code"]):
            first, other = other, first
        others = (other, "FR-LD-ERR-04", "EF-04", *lossy)
        return [Finding(first, f"type {what} is wrong", due.type, got["type"], other_requirements=others)]
    right: dict[str, tuple[Any, ...]] = {
        "name": (due.name,),
        "depth": (due.depth,),
        "type": (due.type,),
        "size_bytes": (due.size_bytes,),
        "modified_epoch_ms": due.accepted_times,
        "is_hidden": (due.is_hidden,),
        "error_code": due.error_codes or (None,),
    }
    of_link = ("EF-04",) if due.type == "symlink" else ()
    of_failed = ("FR-LD-LST-08", "FR-LD-LST-04") if due.error_codes else ()
    findings = [
        Finding(
            _FIELDS[name],
            f"{name} {what} is wrong",
            " or ".join(map(_json, values)),
            _json(got.get(name)),
            other_requirements=of_link + of_failed + lossy,
        )
        for name, values in right.items()
        if not any(_same(got[name], value) for value in values)
    ]
    return findings + _compare_error(due, got["error"], what, of_failed)


def _compare_error(due: ExpectedEntry, error: object, what: str, others: tuple[str, ...]) -> list[Finding]:
    if not due.error_codes:
        wrong = error is not None
        return [Finding("EF-09", f"error {what} is not null", "null", _json(error))] if wrong else []
    if error is None and "read_dir_failed" in due.error_codes:
        return []  # advice at most (AMB-LD-05)
    if isinstance(error, str) and error:
        return []
    return [Finding("EF-09", f"error {what} is no text", "a text", _json(error), other_requirements=others)]


def _pair_entries(
    due: list[ExpectedEntry], got: list[dict[str, Any]]
) -> list[tuple[ExpectedEntry, dict[str, Any]]]:
    """Each written entry with one that it can be, where one is left."""
    left = list(due)
    pairs = []
    for members in got:
        entry = next((entry for entry in left if not _compare_entry(entry, members, "")), left[0])
        left.remove(entry)
        pairs.append((entry, members))
    return pairs


def _entry_size(entry: dict[str, Any]) -> int:
    return len(entry_text(entry).encode("utf-8", "surrogatepass"))


def _same(got: Any, due: Any) -> bool:
    return type(got) is type(due) and bool(got == due)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _format_paths(paths: Sequence[str]) -> str:
    return ", ".join(format_name(path.encode("utf-8", "surrogatepass")) for path in paths[:40])

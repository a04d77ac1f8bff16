"""An answer against one outcome: what differs, and which requirement is to blame for it.

The comparison goes from the coarse to the fine: error or listing, which entries, in which order, with which fields,
which header, how long, which bytes. Each step looks only at what the steps before have found right, so that one
mistake is blamed once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from treeproof.candidate import Answer
from treeproof.search.model import Finding
from treeproof.tree import Tree, show_name

from .answers import Misshapen, Written, entry_text, read
from .arguments import Refusal
from .document import CUT_BY_COUNT, CUT_BY_SIZE, Entry, price
from .membership import blame_missing, blame_surplus
from .outcomes import Listing

Findings = tuple[int, tuple[Finding, ...]]
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

MATCH: Findings = (99, ())


def compare(outcome: Listing | Refusal, answer: Answer, tree: Tree, *, free_escapes: bool) -> Findings:
    """What the answer does otherwise than the outcome."""
    if isinstance(outcome, Refusal):
        return _refused(outcome, answer)
    if answer.status != "ok":
        return _refused_wrongly(outcome, answer)
    found = read(answer.content or "")
    if isinstance(found, Misshapen):
        return 1, (Finding(found.requirement, found.message, "a document", (answer.content or "")[:400]),)
    return _Comparison(outcome, found, tree, free_escapes).findings()


def _refused(outcome: Refusal, answer: Answer) -> Findings:
    expected = " or ".join(sorted(outcome.kinds))
    if answer.status == "ok":
        message = f"the call succeeded although {outcome.why}"
        return 0, (Finding(outcome.requirement, message, expected, (answer.content or "")[:400]),)
    got = f"{answer.kind}: {answer.message}"
    if answer.kind not in outcome.kinds:
        requirement = _KINDS.get(next(iter(outcome.kinds)) if len(outcome.kinds) == 1 else "")
        finding = Finding(
            requirement or outcome.requirement, f"the wrong kind of error, as {outcome.why}", expected, got
        )
        return 1, (finding,)
    if not (answer.message or "").strip():
        return 2, (Finding(outcome.requirement, "the error has no message", "a message", got),)
    if outcome.saying and outcome.saying not in (answer.message or "").lower():
        return 2, (
            Finding(outcome.requirement, "the message lacks its phrase", f"… {outcome.saying} …", got),
        )
    return MATCH


_KINDS = {"BadArgs": "FR-LD-ERR-01", "SandboxViolation": "FR-LD-ERR-02"}


def _refused_wrongly(outcome: Listing, answer: Answer) -> Findings:
    got = f"{answer.kind}: {answer.message}"
    if outcome.kept is None:
        if answer.kind != "ExecutionFailed":
            return 1, (Finding("FR-LD-OUT-08", "the wrong kind of error", "ExecutionFailed", got),)
        return MATCH
    if _kept_is_doubtful(outcome) and answer.kind == "ExecutionFailed":
        return MATCH
    requirement = _needless(outcome, answer.kind or "")
    return 0, (Finding(requirement, "the call failed although nothing is wrong with it", "a listing", got),)


def _kept_is_doubtful(outcome: Listing) -> bool:
    """Whether entries with texts of the candidate's own stand where the budget bites, so that nobody can price them."""
    return outcome.full_price > outcome.budget and any(entry.codes for entry in outcome.entries)


def _needless(outcome: Listing, kind: str) -> str:
    """The requirement that a refusal of this kind, where a listing is due, most likely misreads."""
    asked, sources = outcome.asked, outcome.asked.sources
    if kind == "BadArgs":
        if sources["max_entries"] == "call":
            return "FR-LD-VAL-04"
        if asked.recursive and sources["max_depth"] == "call":
            return "FR-LD-VAL-06b"
        if sources["max_depth"] == "call":
            return "FR-LD-VAL-02"
        return "FR-LD-VAL-05" if (asked.files, asked.dirs, asked.symlinks).count(True) < 3 else "SCH-LD"
    if kind == "SandboxViolation":
        return "FR-LD-VAL-07"
    if kind == "ExecutionFailed":
        if outcome.budget < outcome.full_price + 32:
            return "FR-LD-OUT-08"
        if outcome.found.node is not None:
            return "FR-LD-VAL-08"
        if any(entry.codes for entry in outcome.entries):
            return "FR-LD-ERR-04"
        if any(not _is_utf8(entry.raw) for entry in outcome.entries):
            return "NFR-LD-REL-02"
    return "FR-LD-LST-02" if asked.recursive else "FR-LD-LST-01"


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Comparison:
    def __init__(self, outcome: Listing, found: Written, tree: Tree, free_escapes: bool) -> None:
        self.outcome = outcome
        self.found = found
        self.tree = tree
        self.free_escapes = free_escapes
        self.got = found.paths
        self.due = [entry.path for entry in outcome.entries]
        self.by_size = found.members["truncated_reason"] == CUT_BY_SIZE

    def findings(self) -> Findings:
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
            requirement = "FR-LD-OUT-03" if characters > budget else "FR-LD-OUT-06"
            yield Finding(
                requirement, "the output exceeds the budget", f"at most {budget} bytes", f"{size} bytes"
            )

    @property
    def canonical_size(self) -> int:
        """What the document would weigh in the right spelling: one that is only spelt too long is blamed for that."""
        return len(self.found.respelt.encode("utf-8", "surrogatepass"))

    def membership(self) -> Iterable[Finding]:
        got, due = Counter(self.got), Counter(self.due)
        if got == due or (self.is_cut and not got - due):
            return
        walked = Counter(entry.path for entry in self.outcome.walked)
        surplus = sorted((got - walked).elements())
        limit, shown = self.outcome.asked.limit, (_listed(self.due), _listed(self.got))
        if surplus:
            missing = sorted((walked - got).elements())
            requirement = blame_surplus(self.outcome, surplus, missing)
            yield Finding(requirement, f"listed and not due: {_listed(surplus)}", *shown)
        elif len(self.got) > limit:
            yield Finding("FR-LD-LST-07", f"{len(self.got)} entries are more than {limit}", *shown)
        elif got - due:
            yield Finding(
                "FR-LD-LST-05", "other entries survived the limit than the first of the walk", *shown
            )
        elif self.found.members["truncated_reason"] == CUT_BY_COUNT:
            requirement = "FR-LD-LST-06" if self.outcome.filtered else "FR-LD-LST-07"
            yield Finding(requirement, f"cut at {len(self.got)} entries, before the limit of {limit}", *shown)
        else:
            missing = sorted((due - got).elements())
            requirement = blame_missing(self.outcome, missing)
            yield Finding(requirement, f"missing: {_listed(missing)}", *shown)

    @property
    def is_cut(self) -> bool:
        """Whether the budget has to take something away, as far as anyone can tell."""
        return self.outcome.full_price > self.outcome.budget or (
            self.by_size and len(self.got) < len(self.due)
        )

    def order(self) -> Iterable[Finding]:
        if self.got == self.due[: len(self.got)]:
            return
        shown = (_listed(self.due), _listed(self.got))
        if self.got == sorted(self.got):
            yield Finding("FR-LD-OUT-07", "what is left is not the beginning of the sorted list", *shown)
        else:
            yield Finding("FR-LD-OUT-01", "the entries are not in the order of their paths", *shown)

    def fields(self) -> Iterable[Finding]:
        for path, due, got in self.groups():
            pairs = _matched(due, got) if self.outcome.loose else list(zip(due, got, strict=False))
            for entry, members in pairs:
                yield from _entry_differs(entry, members, path)

    def groups(self) -> Iterable[tuple[str, list[Entry], list[dict[str, Any]]]]:
        """The entries by path, each with those that the document has of it; loose ones may stand in any order."""
        at = 0
        while at < len(self.got):
            end = at + 1
            while end < len(self.got) and self.got[end] == self.got[at]:
                end += 1
            more = end
            while self.outcome.loose and more < len(self.due) and self.due[more] == self.got[at]:
                more += 1
            yield self.got[at], list(self.outcome.entries[at:more]), self.found.entries[at:end]
            at = end

    def header(self) -> Iterable[Finding]:
        members, outcome = self.found.members, self.outcome
        for name, requirement, due in (
            ("path", "FR-LD-VAL-10", outcome.path),
            ("returned", "FR-LD-OUT-02b", len(self.got)),
            ("max_entries", "DOC-05", outcome.asked.limit),
        ):
            if not _same(members[name], due):
                yield Finding(requirement, f"{name} is wrong", _json(due), _json(members[name]))
        flag, reason = members["truncated"], members["truncated_reason"]
        if (flag, reason) not in ((False, None), (True, CUT_BY_COUNT), (True, CUT_BY_SIZE)) or type(
            flag
        ) is not bool:
            got = f"truncated {_json(flag)}, truncated_reason {_json(reason)}"
            yield Finding(
                "FR-LD-OUT-02b", "flag and reason contradict each other", "false and null, or a reason", got
            )

    def cut(self) -> Iterable[Finding]:
        """The flag, and whether the budget took no more and no less than it had to."""
        outcome, reason = self.outcome, self.found.members["truncated_reason"]
        if len(self.got) == len(self.due):
            if reason != outcome.reason:
                yield self.wrong_reason(reason)
            return
        if reason != CUT_BY_SIZE:
            requirement = "FR-LD-OUT-07" if reason == CUT_BY_COUNT else "FR-LD-OUT-05"
            yield Finding(
                requirement,
                "entries were cut for size, and the reason is another",
                CUT_BY_SIZE,
                _json(reason),
            )
            return
        if self.free_escapes:
            return  # how the missing entries would have been spelt is not known
        prices = [_own_price(entry) for entry in self.found.entries]
        rest = self.outcome.entries[len(self.got) :]
        if any(entry.codes for entry in rest):
            return  # nor how long their error texts are
        whole = price(
            outcome.path, prices + [entry.price for entry in rest], outcome.asked.limit, outcome.reason
        )
        if whole <= outcome.budget:
            yield Finding(
                "FR-LD-OUT-05",
                f"entries were cut although all of them fit into {outcome.budget} bytes",
                f"{len(self.due)} entries",
                f"{len(self.got)}",
            )
            return
        alike = [entry.price for entry in rest if outcome.loose and entry.path == rest[0].path]
        following = max(alike, default=rest[0].price)
        one_more = price(outcome.path, [*prices, following], outcome.asked.limit, CUT_BY_SIZE)
        if one_more <= outcome.budget and len(rest) > 1:
            yield Finding(
                "FR-LD-OUT-07",
                f"one more entry fits into {outcome.budget} bytes",
                f"more than {len(self.got)} entries",
                f"{len(self.got)}",
            )

    def wrong_reason(self, reason: object) -> Finding:
        outcome = self.outcome
        due, got = _json(outcome.reason), _json(reason)
        if reason == CUT_BY_SIZE:
            return Finding("FR-LD-OUT-05", "nothing was cut for size, and the reason says so", due, got)
        if len(outcome.walked) > outcome.asked.limit:
            return Finding(
                "FR-LD-LST-07", "more entries qualify than the limit, and the flag is down", due, got
            )
        if len(outcome.walked) < outcome.asked.limit and outcome.asked.recursive and self.is_deeper():
            return Finding("FR-LD-LST-02", "the depth is no reason for the flag", due, got)
        if len(outcome.walked) < outcome.asked.limit:
            return Finding("DOC-06", "nothing was cut, and the flag is up", due, got)
        return Finding("FR-LD-LST-07", "the flag at the limit fits no accepted reading", due, got)

    def is_deeper(self) -> bool:
        depth = self.outcome.asked.depth
        return any(path.count(b"/") >= depth for path, _ in self.tree.walk())

    def bytes(self) -> Iterable[Finding]:
        if self.free_escapes:
            return
        due = self.found.respelt
        if due != self.found.raw:
            yield Finding("FR-LD-OUT-02a", "the spelling is not canonical", due, self.found.raw)


def _entry_differs(due: Entry, got: dict[str, Any], path: str) -> list[Finding]:
    what = f"of {show_name(path.encode('utf-8', 'surrogatepass'))}"
    if (due.type == "unknown") != (got["type"] == "unknown"):
        requirement = "FR-LD-LST-04"
        if "read_dir_failed" in (*due.codes, got["error_code"]):
            requirement = "FR-LD-LST-08"
        return [Finding(requirement, f"type {what} is wrong", due.type, got["type"])]
    right: dict[str, tuple[Any, ...]] = {
        "name": (due.name,),
        "depth": (due.depth,),
        "type": (due.type,),
        "size_bytes": (due.size,),
        "modified_epoch_ms": due.times,
        "is_hidden": (due.hidden,),
        "error_code": due.codes or (None,),
    }
    findings = [
        Finding(
            _FIELDS[name], f"{name} {what} is wrong", " or ".join(map(_json, values)), _json(got.get(name))
        )
        for name, values in right.items()
        if not any(_same(got[name], value) for value in values)
    ]
    error = got["error"]
    if due.codes and "read_dir_failed" in due.codes and error is None:
        return findings  # advice at most (AMB-LD-05)
    if due.codes and (not isinstance(error, str) or not error):
        findings.append(Finding("EF-09", f"error {what} is no text", "a text", _json(error)))
    if not due.codes and error is not None:
        findings.append(Finding("EF-09", f"error {what} is not null", "null", _json(error)))
    return findings


def _matched(due: list[Entry], got: list[dict[str, Any]]) -> list[tuple[Entry, dict[str, Any]]]:
    """Each written entry with one that it can be, where one is left."""
    left = list(due)
    pairs = []
    for members in got:
        entry = next((entry for entry in left if not _entry_differs(entry, members, "")), left[0])
        left.remove(entry)
        pairs.append((entry, members))
    return pairs


def _own_price(entry: dict[str, Any]) -> int:
    return len(entry_text(entry).encode("utf-8", "surrogatepass"))


def _same(got: Any, due: Any) -> bool:
    return type(got) is type(due) and bool(got == due)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(show_name(path.encode("utf-8", "surrogatepass")) for path in paths[:40])

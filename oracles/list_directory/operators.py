"""The operators of list_directory, and the requirements that the change of an answer by each of them breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from treeproof.api import Exchange, Kind, Operator, by_path

from ..shared.operators import (
    EntryOperators,
    MemberOperators,
    because,
    changed_entry,
    list_at,
    of_odd_names,
    on_answer,
    on_json,
    on_text,
    unreadable,
    where,
)
from .path_resolution import surroundings_of
from .path_text import looks_like_another

_entries_of = list_at("entries")
_entries, _document = EntryOperators(_entries_of), MemberOperators()

_LENGTH = ("FR-LD-OUT-03", "FR-LD-OUT-06")
_WALK = {False: ("FR-LD-LST-01",), True: ("FR-LD-LST-02", "FR-LD-LST-08")}
"""Which entries there are, without and with recursion."""

_CUT = {False: (), True: ("FR-LD-OUT-07", "FR-LD-OUT-02b")}
"""Which entries are kept, without and with a budget."""

_LISTED = (
    *("FR-LD-LST-03", "FR-LD-LST-04", "FR-LD-LST-06", "FR-LD-LST-06a", "FR-LD-LST-07", "FR-LD-VAL-06"),
    *("FR-LD-VAL-06a", "CFG-LD-03", "CFG-LD-05", "NFR-LD-REL-02", "EF-04"),
)
"""What an entry breaks that is not listed, besides the rules of the walk and of the cut: the rule with a word on it."""

_CALLED = (
    *(*_LISTED, *_WALK[False], *_WALK[True], *_CUT[True]),
    "EF-06",
    "FR-LD-VAL-08",
    "FR-LD-VAL-10",
    "FR-LD-OUT-08",
    "T-LD-01",
    "FR-LD-VAL-09",
    "FR-LD-VAL-07",
    "FR-LD-ERR-02",
)
_LIMIT = ("DOC-05", "CFG-LD-02", "CFG-LD-05", "FR-LD-VAL-06a")
_ORDER = ("FR-LD-OUT-01", "FR-LD-LST-05")


_MAX_NAME, _LAST_TIME_MS = 255, 15_032_385_535_000
"""The longest name in bytes, and the last time that usual file systems keep: the year 2446."""


def _path_of(exchange: Exchange) -> str:
    arguments = exchange.case.arguments
    return str(arguments.get("path")) if isinstance(arguments, dict) else ""


def _is_free(recorded: Exchange) -> bool:
    names = {path.rpartition(b"/")[2] for path in by_path(recorded.case.outside)}
    return _path_of(recorded).rpartition("/")[2].encode("utf-8", "surrogatepass") not in names


def _kind_reason(recorded: Exchange, changed: Exchange) -> str:
    """Return why a call may fail with another kind of error."""
    path, kinds = _path_of(recorded), {recorded.answer.error_kind, changed.answer.error_kind}
    if path != path.strip():
        return "blanks around a path may be a part of it (AMB-LD-19)"
    if looks_like_another(path):
        return "a name that looks like the way up, a home directory or a drive may be refused (AMB-LD-70)"
    if not (path.isprintable() and path.isascii() and len(path) < _MAX_NAME):
        return "what counts as whitespace is open, and what no system takes has no error of its own"
    if kinds == {"SandboxViolation", "ExecutionFailed"} and (_is_free(recorded) or _passes_link(recorded)):
        return "nothing is at the path, or a link on the way leads nowhere: which check says so is open"
    if surroundings_of(recorded.case).is_without_root:
        return "of a root that is missing no kind of error is named"
    if "policy" in recorded.case.context:
        return "of a call that a policy stops no kind of error is named"
    if "config" in recorded.case.context or _has_budget(recorded) or ".." in path or _passes_link(recorded):
        return "two rules are broken, and each may be reported"
    return ""


def _passes_link(recorded: Exchange) -> bool:
    nodes = by_path(recorded.case.tree)
    node = nodes.get(_path_of(recorded).split("/")[0].encode("utf-8", "surrogatepass"))
    return node is not None and node.kind is Kind.SYMLINK


def _failure_reason(recorded: Exchange, changed: Exchange) -> str:
    if "config" in recorded.case.context:
        return "a configuration that cannot be used may be refused"
    if _has_budget(recorded):
        return "a document in another spelling, or with other words of an error, need not fit"
    return ""


def _has_budget(recorded: Exchange) -> bool:
    return not {"max_output_bytes", "available_capacity_bytes"}.isdisjoint(recorded.case.context)


def _has_failures_and_budget(recorded: Exchange, changed: Exchange) -> bool:
    return _has_budget(recorded) and any(node.mode is not None for node in by_path(recorded.case.tree).values())


_of_prices = because("the words of an error count against the budget", _has_failures_and_budget)


def _is_full(recorded: Exchange, changed: Exchange) -> bool:
    document = json.loads(recorded.answer.content or "")
    return bool(document["returned"] == document["max_entries"])


_of_full_listings = because("whether a limit that is met exactly has cut is open (AMB-LD-01)", _is_full)


def _error_reason(recorded: Exchange, changed: Exchange) -> str:
    code = changed_entry(recorded, changed, _entries_of)["error_code"]
    return "" if code is None else "the words of an error are free, and only an entry without metadata needs some"


def _has_no_time(recorded: Exchange, changed: Exchange) -> bool:
    entry = changed_entry(recorded, changed, _entries_of)
    time = entry["modified_epoch_ms"] or 0
    return entry["error_code"] is not None or not 0 <= time < _LAST_TIME_MS


def _size_reason(recorded: Exchange, changed: Exchange) -> str:
    size = changed_entry(recorded, changed, _entries_of)["size_bytes"] or 0
    return "a number may be a double (AMB-LD-61)" if size > 2**53 else of_odd_names(_entries_of)(recorded, changed)


def _time_reason(recorded: Exchange, changed: Exchange) -> str:
    if _has_no_time(recorded, changed):
        return "a time before 1970 or after 2446, and that of what cannot be read, may be null"
    if any((node.mtime_ns or 0) % 10**6 for node in by_path(recorded.case.tree).values()):
        return "a part of a millisecond may be cut off or rounded (AMB-LD-26)"
    return ""


def _is_ok(exchange: Exchange) -> bool:
    return exchange.answer.status == "ok"


def _fails_with(*kinds: str) -> Callable[[Exchange], bool]:
    return lambda exchange: exchange.answer.error_kind in kinds


def _to_empty(holder: list[Any]) -> bool:
    document = holder[0]
    if not document.get("entries"):
        return False
    document.update(entries=[], returned=0)
    return True


def _other_reason(holder: list[Any]) -> bool:
    document = holder[0]
    reasons = {"max_entries": "max_output_bytes", "max_output_bytes": "max_entries"}
    document["truncated_reason"] = reasons.get(document["truncated_reason"])
    return document["truncated_reason"] is not None


def _truncated(reason: str | None) -> Callable[[list[Any]], bool]:
    def change(holder: list[Any]) -> bool:
        document = holder[0]
        is_other = bool(document["truncated"]) != (reason is not None)
        document.update(truncated=reason is not None, truncated_reason=reason)
        return is_other

    return change


def _of_membership(recursive: bool, has_budget: bool) -> Iterator[Operator]:
    """Yield the operators on which entries there are, for calls with or without recursion, and a budget or a cut."""

    def applies(exchange: Exchange) -> bool:
        arguments = exchange.case.arguments
        is_recursive = isinstance(arguments, dict) and bool(arguments.get("recursive"))
        is_cut = '"max_output_bytes"' in (exchange.answer.content or "")
        return (is_recursive, is_cut or _has_budget(exchange)) == (recursive, has_budget)

    words = [word for word, is_so in (("recursion", recursive), ("a budget", has_budget)) if is_so]
    prefix = f"entry, with {' and '.join(words)}," if words else "entry"
    entries, walk = EntryOperators(_entries_of, prefix), _WALK[recursive]
    lost = (*_LISTED, *walk, *_CUT[has_budget])
    yield from where(
        applies,
        *entries.less(*lost),
        # With an entry more, a document can be longer than its budget.
        *entries.twice(*walk, *_LENGTH, "EF-02", "FR-LD-LST-07"),
        entries.invented(("name", "path"), *walk, *_LENGTH, "EF-02"),
        on_json(f"{prefix} all left out", lost, _to_empty, _of_prices),
    )


_EMPTY = json.dumps(
    {"path": ".", "entries": [], "returned": 0, "max_entries": 200, "truncated": False, "truncated_reason": None},
    separators=(",", ":"),
)

_BAD_ARGUMENTS = (
    "FR-LD-ERR-01",
    "SCH-LD",
    "FR-LD-VAL-01",
    "FR-LD-VAL-02",
    "FR-LD-VAL-04",
    "FR-LD-VAL-05",
    "FR-LD-VAL-06b",
)
_OUTSIDE = ("C-02", "FR-LD-VAL-07", "FR-LD-ERR-02")
_TARGET = ("FR-LD-VAL-08", "FR-LD-ERR-03", "FR-LD-OUT-08", "FR-LD-VAL-10", "FR-LD-VAL-06a", "DOC-05")

_operators: tuple[Operator, ...] = (
    *(
        operator
        for recursive in (False, True)
        for has_budget in (False, True)
        for operator in _of_membership(recursive, has_budget)
    ),
    *_entries.swapped(*_ORDER, reason=of_odd_names(_entries_of)),
    *_entries.member("name", value=("EF-01", *_LENGTH), form=("EF-01",), absent=("DOC-03",)),
    *_entries.member("path", value=("EF-02", "FR-LD-LST-01", *_LENGTH), form=("EF-02",), absent=("DOC-03",)),
    *_entries.member("depth", value=("EF-03",), form=("EF-03",), absent=("DOC-03",)),
    *_entries.member("type", value=("EF-04",), form=("EF-04",), absent=("DOC-03",)),
    *_entries.member("size_bytes", value=("EF-05",), form=("EF-05",), absent=("DOC-03",), reason=_size_reason),
    *_entries.member("modified_epoch_ms", value=("EF-06",), form=("EF-06",), absent=("DOC-03",), reason=_time_reason),
    *_entries.member("is_hidden", value=("EF-07",), form=("EF-07",), absent=("DOC-03",)),
    *_entries.member(
        "error_code", value=("EF-08",), form=("EF-08",), absent=("DOC-03",), null=("FR-LD-LST-04", "FR-LD-LST-08")
    ),
    *_entries.member(
        "error",
        value=("EF-09",),
        form=("EF-09",),
        absent=("DOC-03",),
        null=("FR-LD-LST-04",),
        reason=_error_reason,
    ),
    _entries.further("DOC-03"),
    *_document.member("path", value=("DOC-02", "FR-LD-VAL-10"), form=("FR-LD-VAL-10",), absent=("DOC-01",)),
    *_document.member("entries", form=("DOC-03",), absent=("DOC-01",)),
    *_document.member(
        "returned",
        value=("FR-LD-OUT-02b", "DOC-04"),
        less=("FR-LD-OUT-02b", "DOC-04"),
        form=("DOC-04",),
        absent=("DOC-01",),
    ),
    *_document.member("max_entries", value=_LIMIT, less=_LIMIT, form=_LIMIT, absent=("DOC-01",)),
    *_document.member("truncated", value=("DOC-06", "FR-LD-OUT-02b"), form=("DOC-06",), absent=("DOC-01",)),
    *_document.member(
        "truncated_reason",
        value=("DOC-07", "FR-LD-OUT-02b"),
        form=("DOC-07",),
        null=("FR-LD-OUT-02b",),
        absent=("DOC-01",),
    ),
    _document.further("DOC-01"),
    *unreadable("DOC-01", "NFR-LD-REL-01"),
    on_text("text with a blank", ("FR-LD-OUT-02a",), lambda text: text.replace('"entries":', '"entries": ', 1)),
    on_text("text with a line break", ("FR-LD-OUT-02a", "DOC-01"), lambda text: text + "\n"),
    on_json(
        "truncated without a cut", ("DOC-06", "FR-LD-LST-02", *_LENGTH), _truncated("max_entries"), _of_full_listings
    ),
    on_json("truncated is silent", ("FR-LD-LST-07", "FR-LD-OUT-05", "DOC-06"), _truncated(None)),
    on_json(
        "truncated for the other reason",
        ("FR-LD-LST-07", "FR-LD-OUT-05", "FR-LD-OUT-07", "DOC-07", *_LENGTH),
        _other_reason,
    ),
    *where(
        _is_ok,
        on_answer(
            "an error for a listing",
            _CALLED,
            _failure_reason,
            status="error",
            content=None,
            error_kind="ExecutionFailed",
        ),
        on_answer("the framework may truncate", ("FR-LD-OUT-04",), context={"allow_truncation": True}),
    ),
    *where(
        _fails_with("BadArgs"),
        on_answer(
            "BadArgs: a listing",
            (*_BAD_ARGUMENTS, "FR-LD-LST-01", "FR-LD-VAL-07"),  # the last one if the root is missing too
            status="ok",
            content=_EMPTY,
            error_kind=None,
        ),
        on_answer("BadArgs: ExecutionFailed", _BAD_ARGUMENTS, _kind_reason, error_kind="ExecutionFailed"),
        on_answer("BadArgs: SandboxViolation", _BAD_ARGUMENTS, _kind_reason, error_kind="SandboxViolation"),
    ),
    *where(
        _fails_with("SandboxViolation"),
        on_answer(
            "SandboxViolation: a listing",
            (*_OUTSIDE, "FR-LD-LST-06", "FR-LD-DEF-05"),
            status="ok",
            content=_EMPTY,
            error_kind=None,
        ),
        on_answer("SandboxViolation: ExecutionFailed", _OUTSIDE, _kind_reason, error_kind="ExecutionFailed"),
        on_answer("SandboxViolation: BadArgs", _OUTSIDE, _kind_reason, error_kind="BadArgs"),
    ),
    *where(
        _fails_with("ExecutionFailed"),
        on_answer(
            "ExecutionFailed: a listing",
            (*_TARGET, "FR-LD-OUT-05", "FR-LD-LST-08", "FR-LD-VAL-07"),
            status="ok",
            content=_EMPTY,
            error_kind=None,
        ),
        on_answer("ExecutionFailed: SandboxViolation", _TARGET, _kind_reason, error_kind="SandboxViolation"),
        on_answer("ExecutionFailed: BadArgs", _TARGET, _kind_reason, error_kind="BadArgs"),
    ),
)


def _is_elsewhere(exchange: Exchange) -> bool:
    context = exchange.case.context
    return bool(context.get("working_dir", "$ROOT") != context.get("roots", ("$ROOT",))[0].rstrip("/"))


def _is_failure_in_a_listing(exchange: Exchange) -> bool:
    """Return whether one entry may stand for a directory that cannot be read, whose members are free (AMB-LD-10)."""
    found = _entries_of(json.loads(exchange.answer.content or "null")) if exchange.answer.status == "ok" else None
    return found is not None and [entry["type"] for entry in found] == ["unknown"] and _path_of(exchange) != "None"


operators: tuple[Operator, ...] = (
    *where(lambda exchange: not _is_elsewhere(exchange) and not _is_failure_in_a_listing(exchange), *_operators),
    # What is not listed as it should be can be what another working directory has.
    *where(
        _is_elsewhere,
        *(
            replace(one, name=f"elsewhere, {one.name}", requirements=one.requirements | {"CWD-LD"})
            for one in _operators
        ),
    ),
)

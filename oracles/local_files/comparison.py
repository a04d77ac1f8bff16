"""An answer against one outcome: what differs, and which requirement is to blame.

The model does not know where the sandbox lies: an absolute path is one that ends in the sandbox's name, what was asked
for, and the place of the entry, with the same beginning for all.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from treeproof.api import DEFAULT_MTIME_NS, AcceptedReadings, CallResult, Finding, Kind, format_path

from .expected import ExpectedEntry, ExpectedFailure, ExpectedListing, ExpectedOutcome, accepted_labels

SANDBOX_NAME = "/root"
TYPE_NAMES = {Kind.DIR: "DirectoryEntry", Kind.FILE: "FileEntry", Kind.SYMLINK: "SymbolicLinkEntry"}
OTHER_TYPE = "OtherEntry"
MEMBERS = frozenset({"@type", "name", "path", "size", "lastModified"})
MATCH: tuple[int, tuple[Finding, ...]] = (9, ())

ORDERS = {
    "kind": "by @type (DirectoryEntry, FileEntry, SymbolicLinkEntry, OtherEntry; the last two either way round), "
    "then by name upwards, by code points or by UTF-16 units",
    "folded": "the same with names in lower case",
    "descending": "all by name downwards, by code points or by UTF-16 units",
}
"""The orders of the accepted readings of AMB-LF-01, for whoever has written another one."""

Entry = dict[str, Any]


def compare(
    outcome: ExpectedOutcome, answer: CallResult, accepted: AcceptedReadings
) -> tuple[int, tuple[Finding, ...]]:
    """How far the answer is what the outcome says, and what differs there."""
    if isinstance(outcome, ExpectedFailure):
        if answer.status != "ok":
            return MATCH
        got = (answer.content or "")[:400]
        return 0, (Finding("LF-ERR-01", f"the call succeeds although {outcome.reason}", "an error", got),)
    if answer.status != "ok":
        return 0, (_unexpected_failure(outcome, f"{answer.error_kind}: {answer.error_message}"),)
    try:
        value = json.loads(answer.content or "")
    except ValueError:
        return 0, (Finding("LF-MODEL-01", "the output is no JSON", "a list", (answer.content or "")[:400]),)
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        first = "LF-FIND-03" if outcome.is_search else "LF-MODEL-01"
        return 0, (Finding(first, "the output is no list of objects", "a list", _format_json(value)),)
    return _compare_list(outcome, value, accepted)


def _unexpected_failure(outcome: ExpectedListing, got: str) -> Finding:
    due = outcome.entries
    reasons = []
    if not all(child.is_utf8 for child in due):
        reasons.append("LF-FIELD-01")
    if any(child.node.kind is Kind.SYMLINK for child in due):
        reasons.append("LF-LINK-01")
    if any(child.node.kind not in TYPE_NAMES for child in due):
        reasons.append("LF-TYPE-03")
    # Who refuses such a call may have stumbled over its path before anything was listed.
    at = 0 if ".." in outcome.subpath else len(reasons)
    reasons.insert(at, "LF-FIND-01" if outcome.is_search else "LF-LIST-01")
    return Finding(
        reasons[0], "the call fails", f"{len(due)} entries", got, other_requirements=tuple(reasons[1:])
    )


def _compare_list(
    outcome: ExpectedListing, value: list[Entry], accepted: AcceptedReadings
) -> tuple[int, tuple[Finding, ...]]:
    top = _common_directory(outcome, value)
    placed = [(_relative_path(outcome, entry, top), entry) for entry in value]
    wrong = list(_compare_membership(outcome, [place for place, _ in placed]))
    if wrong:
        return 1, tuple(wrong)
    by_place: dict[str, list[ExpectedEntry]] = {}
    for child in outcome.entries:
        by_place.setdefault(child.path, []).append(child)
    for place, entry in placed:
        told = [list(_compare_entry(outcome, child, entry, accepted)) for child in by_place.get(place, [])]
        # Of names that look alike the one of its kind is meant.
        closest: list[Finding] = min(told, key=_mismatch_rank, default=[])
        wrong += closest
    beginnings = {str(entry.get("path")).removesuffix(place) for place, entry in placed}
    if not wrong and len(beginnings) > 1:
        wrong.append(
            Finding(
                "LF-FIELD-02", "paths begin in different directories", got=", ".join(sorted(beginnings)[:3])
            )
        )
    if wrong:
        return 2, tuple(wrong)
    if not outcome.is_search and not any(
        _is_sorted(value, label) for label in accepted_labels(accepted, "AMB-LF-01")
    ):
        shown = _format_paths([place for place, _ in placed])
        orders = [words for label, words in ORDERS.items() if label in accepted_labels(accepted, "AMB-LF-01")]
        what = f"the list is in no order that is accepted: {'; or '.join(orders)}"
        kinds = [*TYPE_NAMES.values(), OTHER_TYPE]
        by_kind = sorted(placed, key=lambda both: (kinds.index(both[1]["@type"]), str(both[1]["name"])))
        due = f"for one, {_format_paths([place for place, _ in by_kind])}"
        return 3, (Finding("LF-SORT-01", what, due, shown, other_requirements=("LF-SORT-02",)),)
    return MATCH


def _mismatch_rank(told: list[Finding]) -> tuple[bool, int]:
    return any(finding.requirement.startswith("LF-TYPE") for finding in told), len(told)


def _common_directory(outcome: ExpectedListing, value: list[Entry]) -> str:
    """The requested directory with a slash, as all paths begin; empty where they do not agree.

    A path that goes through links may come by the sandbox's name twice.
    """
    begin = os.path.commonprefix([str(entry.get("path")) for entry in value])
    before, found, _ = begin.rpartition(f"{SANDBOX_NAME}{outcome.subpath}/")
    return before + found


def _relative_path(outcome: ExpectedListing, entry: Entry, top: str) -> str:
    """The place of an entry below the requested directory, as well as it can be told."""
    path, name = str(entry.get("path")).rstrip("/"), entry.get("name")
    known = {child.path for child in outcome.entries}
    _, found, place = path.rpartition(f"{SANDBOX_NAME}{outcome.subpath}/")
    place = path.removeprefix(top) if top else place if found else path
    if place in known or not isinstance(name, str):
        return place
    return name if name in known and not outcome.is_search else place if found else name


def _compare_membership(outcome: ExpectedListing, got: list[str]) -> Iterator[Finding]:
    due = [child.path for child in outcome.entries]
    if outcome.any_non_utf8_spelling:
        plain = {child.path for child in outcome.entries if child.is_utf8}
        if len(got) == len(due) and plain <= set(got):
            return
    missing, surplus = Counter(due) - Counter(got), Counter(got) - Counter(due)
    shown = (_format_paths(sorted(due)), _format_paths(sorted(got)))
    for place in surplus:
        if any(place.startswith(link + "/") for link in outcome.link_paths):
            yield Finding(
                "LF-FIND-05",
                f"{_format_paths([place])} lies behind a link",
                *shown,
                other_requirements=("LF-FIND-02",),
            )
        elif not outcome.is_search:
            others = ("LF-FIELD-01", "LF-FIELD-02")
            yield Finding(
                "LF-LIST-01", f"{_format_paths([place])} is no child", *shown, other_requirements=others
            )
        elif "/" in place and not outcome.is_recursive:
            yield Finding(
                "LF-FIND-04",
                f"{_format_paths([place])} lies deeper",
                *shown,
                other_requirements=("LF-FIND-02",),
            )
        else:
            yield Finding(
                "LF-FIND-02",
                f"{_format_paths([place])} does not match",
                *shown,
                other_requirements=("LF-FIND-01",),
            )
    for child in outcome.entries:
        if child.path not in missing:
            continue
        reasons = ["LF-LIST-01"] if not outcome.is_search else ["LF-FIND-02", "LF-FIND-01"]
        if outcome.is_search and "/" in child.path:
            reasons.reverse()
        if outcome.is_search and not outcome.is_recursive:
            reasons.append("LF-FIND-04")
        if outcome.is_search and child.node.kind is not Kind.FILE:
            reasons.append("LF-FIND-03")
        if not child.is_utf8:
            reasons.insert(0, "LF-FIELD-01")
        if not outcome.is_search and child.raw_path.startswith(b"."):
            reasons.insert(0, "LF-LIST-02")
        if child.node.kind is Kind.SYMLINK:
            reasons.append("LF-LINK-01")
        if child.node.kind not in TYPE_NAMES:
            reasons.append("LF-TYPE-03")
        yield Finding(
            reasons[0],
            f"{_format_paths([child.path])} is missing",
            *shown,
            other_requirements=tuple(reasons[1:]),
        )


def _compare_entry(
    outcome: ExpectedListing, child: ExpectedEntry, entry: Entry, accepted: AcceptedReadings
) -> Iterator[Finding]:
    what, kind = f"of {_format_paths([child.path])}", child.node.kind
    alike = ("LF-FIND-03",) if outcome.is_search else ()
    word = TYPE_NAMES.get(kind, OTHER_TYPE)
    if entry.get("@type") != word:
        known = entry.get("@type") in (*TYPE_NAMES.values(), OTHER_TYPE)
        first = {Kind.SYMLINK: "LF-TYPE-02", Kind.DIR: "LF-TYPE-01", Kind.FILE: "LF-TYPE-01"}.get(
            kind, "LF-TYPE-03"
        )
        first = first if known else "LF-TYPE-01"
        others = (*alike, "LF-TYPE-01", "LF-MODEL-02")
        yield Finding(
            first, f"@type {what} is wrong", word, _format_json(entry.get("@type")), other_requirements=others
        )
        return
    due = MEMBERS | ({"target"} if kind is Kind.SYMLINK else set())
    if set(entry) != due:
        others = (*alike, *(["LF-LINK-01"] if kind is Kind.SYMLINK else []))
        got = ", ".join(sorted(entry))
        yield Finding(
            "LF-MODEL-02",
            f"the members {what} are wrong",
            ", ".join(sorted(due)),
            got,
            other_requirements=others,
        )
        return
    name, path = entry["name"], entry["path"]
    if child.is_utf8 and name != child.name:
        yield Finding(
            "LF-FIELD-01",
            f"name {what} is wrong",
            _format_json(child.name),
            _format_json(name),
            other_requirements=alike,
        )
    ending = f"{SANDBOX_NAME}{outcome.subpath}/{child.path}"
    if not isinstance(path, str) or not path.startswith("/") or (child.is_utf8 and not path.endswith(ending)):
        yield Finding(
            "LF-FIELD-02", f"path {what} is wrong", f"…{ending}", _format_json(path), other_requirements=alike
        )
    yield from _compare_numbers(child, entry, what, alike, accepted)
    target = child.node.target
    if kind is Kind.SYMLINK and target is not None and b"$" not in target:
        # What stands for one that is not UTF-8 is a reading (AMB-LF-25), and none is drawn.
        text = target.decode("utf-8", "replace")
        if "\ufffd" not in text and entry["target"] != text:
            yield Finding(
                "LF-LINK-01",
                f"target {what} is wrong",
                _format_json(text),
                _format_json(entry["target"]),
                other_requirements=alike,
            )


def _compare_numbers(
    child: ExpectedEntry, entry: Entry, what: str, alike: tuple[str, ...], accepted: AcceptedReadings
) -> Iterator[Finding]:
    node = child.node
    is_link = node.kind is Kind.SYMLINK
    size, time = entry["size"], entry["lastModified"]
    right = node.size if node.kind is Kind.FILE else len(node.target or b"") if is_link else None
    if is_link and b"$" in (node.target or b""):
        right = None
    if type(size) is not int or size < 0 or (right is not None and size != right):
        first = "LF-LINK-02" if is_link else "LF-FIELD-03"
        due = "an integer" if right is None else str(right)
        yield Finding(
            first,
            f"size {what} is wrong",
            due,
            _format_json(size),
            other_requirements=("LF-FIELD-03", *alike),
        )
    ns = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
    times = {"floor": ns // 10**6, "nearest": (ns + 500_000) // 10**6}
    good = [times[label] for label in accepted_labels(accepted, "AMB-LF-08")]
    if type(time) is not int or time not in good:
        # Whose time a link tells is advice (LF-LINK-03), that it is an integer is not.
        first = "LF-LINK-03" if is_link and type(time) is int else "LF-FIELD-04"
        due = " or ".join(map(str, dict.fromkeys(good)))
        yield Finding(
            first,
            f"lastModified {what} is wrong",
            due,
            _format_json(time),
            other_requirements=("LF-FIELD-04", *alike),
        )


def _is_sorted(value: list[Entry], label: str) -> bool:
    """Whether the list is in this order; links and other kinds may stand either way round (AMB-LF-02).

    Names compare by code points, whose order is that of their UTF-8, or by UTF-16 units.
    """
    for encoding in ("utf-8", "utf-16-be"):
        names = [_sort_key(str(entry["name"]), label, encoding) for entry in value]
        if label == "descending":
            if names == sorted(names, reverse=True):
                return True
            continue
        for last in (("SymbolicLinkEntry", OTHER_TYPE), (OTHER_TYPE, "SymbolicLinkEntry")):
            ranks = {word: rank for rank, word in enumerate(("DirectoryEntry", "FileEntry", *last))}
            keys = [(ranks[entry["@type"]], name) for entry, name in zip(value, names, strict=True)]
            if keys == sorted(keys):
                return True
    return False


def _sort_key(name: str, label: str, encoding: str) -> bytes:
    return (name.lower() if label == "folded" else name).encode(encoding, "surrogatepass")


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:400]


def _format_paths(places: list[str]) -> str:
    return ", ".join(format_path(place.encode("utf-8", "surrogatepass")) for place in places[:30])

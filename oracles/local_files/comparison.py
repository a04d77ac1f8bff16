"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The model does not know the path of the sandbox. It checks that an absolute path ends in the sandbox's name, the
requested directory and the entry's path, and that all paths have the same beginning.
"""

from __future__ import annotations

import itertools
import json
import os
import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import Any

from treeproof.api import (
    DEFAULT_MTIME_NS,
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    CallResult,
    Case,
    ComparisonStage,
    Finding,
    Kind,
)

from ..shared.formatting import format_json, format_paths
from ..shared.judgement import MATCH, Comparison, first_differences
from .expected import ExpectedEntry, ExpectedFailure, ExpectedListing, ExpectedOutcome

SANDBOX_NAME = "/root"
TYPE_NAMES = {Kind.DIR: "DirectoryEntry", Kind.FILE: "FileEntry", Kind.SYMLINK: "SymbolicLinkEntry"}
OTHER_TYPE = "OtherEntry"
ALL_TYPES = (*TYPE_NAMES.values(), OTHER_TYPE)
MEMBERS = frozenset({"@type", "name", "path", "size", "lastModified"})

ORDERS = {
    "kind": "by @type (DirectoryEntry, FileEntry, SymbolicLinkEntry, OtherEntry; the last two in either order)",
    "descending": "all by descending name, by code points, by UTF-16 units, or in lower case",
}
"""The order that each reading of AMB-LF-01 prescribes, for messages."""

Entry = dict[str, Any]


def compare(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    content = answer.content or ""
    if isinstance(expected, ExpectedFailure):
        if answer.status != "ok" or (expected.or_nothing and _is_empty_list(content)):
            return MATCH
        message = f"the call succeeds although {expected.reason}"
        return 0, (Finding(expected.requirement, message, "", content[:400], stage="refusal"),)
    if answer.status != "ok":
        return 0, (_unexpected_failure(expected, answer),)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return 0, (Finding("LF-MODEL-01", "the output is no JSON", "", content[:400], stage="output"),)
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        first = "LF-FIND-03" if expected.is_search else "LF-MODEL-01"
        return 0, (Finding(first, "the output is no list of objects", "", format_json(value), stage="output"),)
    return _ListComparison(expected, value).compare()


def _is_empty_list(content: str) -> bool:
    try:
        return bool(json.loads(content) == [])
    except (ValueError, RecursionError):
        return False


def _unexpected_failure(expected: ExpectedListing, answer: CallResult) -> Finding:
    reasons = []
    if not all(entry.is_utf8 for entry in expected.entries):
        reasons.append("LF-FIELD-01")
    if any(entry.node.kind is Kind.SYMLINK for entry in expected.entries):
        reasons.append("LF-LINK-01")
    if any(entry.node.kind not in TYPE_NAMES for entry in expected.entries):
        reasons.append("LF-TYPE-03")
    # The cause may be the path, before the candidate lists anything.
    at = 0 if ".." in expected.subpath else len(reasons)
    reasons.insert(at, "LF-FIND-01" if expected.is_search else "LF-LIST-01")
    if expected.is_search and expected.link_paths:
        reasons.insert(0, "LF-FIND-05")
    due, got = f"{len(expected.entries)} entries", f"{answer.error_kind}: {answer.error_message}"
    kind = f"the call failed with {answer.error_kind}"
    return Finding(reasons[0], "the call fails", due, got, tuple(reasons[1:]), "call", kind)


class _ListComparison:
    """The comparison of a list of entries with the expected one."""

    def __init__(self, expected: ExpectedListing, value: list[Entry]) -> None:
        self.expected = expected
        self.value = value
        self.known = {entry.path for entry in (*expected.entries, *expected.optional)}
        self.infix = f"{SANDBOX_NAME}{expected.subpath}/"
        top = self.common_directory()
        names = [str(entry.get("name")) for entry in value]
        # Complete names show that a list is complete, whatever the paths are.
        has_all_names = not expected.is_search and Counter(names) == Counter(one.path for one in expected.entries)
        self.paths = names if has_all_names else [self.relative_path(entry, top) for entry in value]
        self.shared_suspects = ("LF-FIND-03",) if expected.is_search else ()

    def compare(self) -> Comparison:
        return first_differences((self.membership, self.entries, self.order), start=1)

    def common_directory(self) -> str:
        """Return the requested directory with a slash, if all paths begin with it; else an empty text.

        A path through links may contain the sandbox's name twice.
        """
        beginning = os.path.commonprefix([str(entry.get("path")) for entry in self.value])
        before, found, _ = beginning.rpartition(self.infix)
        return before + found

    def relative_path(self, entry: Entry, top: str) -> str:
        """Return the path of an entry below the requested directory, as far as it can be determined."""
        full, name = str(entry.get("path")).rstrip("/"), entry.get("name")
        if self.expected.is_respelt:
            known = [path for path in self.expected.tree_paths if full.endswith("/" + path)]
            return max(known, key=len, default=full)
        _, found, rest = full.rpartition(self.infix)
        path = full.removeprefix(top) if top else rest if found else full
        if path in self.known or not isinstance(name, str):
            return path
        return name if name in self.known and not self.expected.is_search else path if found else name

    def path_finding(self, kind: str, requirement: str, message: str, *others: str) -> Finding:
        expected = format_paths(sorted(entry.path for entry in self.expected.entries))
        return Finding(requirement, message, expected, format_paths(sorted(self.paths)), others, "entries", kind)

    def renamed_finding(self, message: str) -> Finding:
        """Return the finding of an entry that stands under a name that the tree does not have."""
        expected = format_paths(sorted(entry.path for entry in self.expected.entries))
        others = ("LF-FIELD-02", *(("LF-FIND-03", "LF-FIND-02") if self.expected.is_search else ("LF-LIST-01",)))
        got = format_paths(sorted(self.paths))
        return Finding("LF-FIELD-01", message, expected, got, others, "output", "an entry has another name")

    def membership(self) -> Iterator[Finding]:
        expected = self.expected
        if expected.is_search and any("path" not in entry for entry in self.value):
            members, got_members = (", ".join(sorted(keys)) for keys in (MEMBERS, {*itertools.chain(*self.value)}))
            suspects = "LF-FIELD-02", "LF-FIND-03"
            yield Finding("LF-MODEL-02", "an entry has no path", members, got_members, suspects, "output", "no path")
            return
        if expected.any_non_utf8_spelling:
            plain = {entry.path for entry in expected.entries if entry.is_utf8}
            least = len(expected.entries)
            if least <= len(self.paths) <= least + len(expected.optional) and plain <= set(self.paths):
                return
        wanted, got = Counter(entry.path for entry in expected.entries), Counter(self.paths)
        optional = Counter(entry.path for entry in expected.optional)
        missing = wanted - got
        links = tuple(link + "/" for link in expected.link_paths)
        unknown = {path for path in got if path not in expected.tree_paths and not path.startswith(links)}
        is_renamed = expected.is_search or len(missing) == len(unknown)
        for path in got - wanted - optional:
            subject = format_paths([path])
            if expected.is_search and path.startswith(links):
                continue  # A search may go through links (AMB-LF-34).
            if path in unknown and is_renamed:
                yield self.renamed_finding(f"{subject} is no name of an entry")
            elif not expected.is_search:
                yield self.path_finding(
                    UNEXPECTED_ENTRIES, "LF-LIST-01", f"{subject} is no child", "LF-FIELD-01", "LF-FIELD-02"
                )
            elif "/" in path and not expected.is_recursive:
                yield self.path_finding(UNEXPECTED_ENTRIES, "LF-FIND-04", f"{subject} lies deeper", "LF-FIND-02")
            else:
                yield self.path_finding(UNEXPECTED_ENTRIES, "LF-FIND-02", f"{subject} does not match", "LF-FIND-01")
        for entry in expected.entries:
            if entry.path in missing and unknown and is_renamed:
                yield self.renamed_finding(f"{format_paths([entry.path])} has another name")
            elif entry.path in missing:
                first, *others = self.missing_suspects(entry)
                yield self.path_finding(MISSING_ENTRIES, first, f"{format_paths([entry.path])} is missing", *others)

    def missing_suspects(self, entry: ExpectedEntry) -> Iterator[str]:
        """Yield the requirements that a missing entry may violate, the likeliest first."""
        expected = self.expected
        if not expected.is_search and entry.raw_path.startswith(b"."):
            yield "LF-LIST-02"
        if not expected.is_search:
            yield "LF-LIST-01"
        if not entry.is_utf8:
            yield "LF-FIELD-01"
        if expected.is_search:
            yield from ("LF-FIND-01", "LF-FIND-02") if "/" in entry.path else ("LF-FIND-02", "LF-FIND-01")
            if not expected.is_recursive:
                yield "LF-FIND-04"
            if expected.link_paths:
                yield "LF-FIND-05"
            if entry.node.kind is not Kind.FILE:
                yield "LF-FIND-03"
        if entry.node.kind is Kind.SYMLINK:
            yield "LF-LINK-01"
        if entry.node.kind not in TYPE_NAMES:
            yield "LF-TYPE-03"

    def entries(self) -> Iterator[Finding]:
        by_path: dict[str, list[ExpectedEntry]] = {}
        for expected in (*self.expected.entries, *self.expected.optional):
            by_path.setdefault(expected.path, []).append(expected)
        beginnings, differ = set(), False
        for path, entry in zip(self.paths, self.value, strict=True):
            # Entries with equal paths cannot be distinguished: the closest expected one is compared.
            candidates = [list(self.compare_entry(one, entry)) for one in by_path.get(path, [])]
            closest: list[Finding] = min(candidates, key=_mismatch_rank, default=self.compare_form(path, entry))
            differ |= bool(closest)
            yield from closest
            beginnings.add(str(entry.get("path")).removesuffix(path))
        if not differ and len(beginnings) > 1:
            got = ", ".join(sorted(beginnings)[:3])
            yield _member_finding("path", "LF-FIELD-02", "paths begin in different directories", ("", got), ())

    def compare_form(self, path: str, entry: Entry) -> list[Finding]:
        """Compare what every entry has with the model, of one that has no certain counterpart in the tree."""
        if entry.get("@type") in ALL_TYPES:
            return []
        kind = "another @type" if "@type" in entry else "no @type"
        texts = " or ".join(ALL_TYPES), format_json(entry.get("@type"))
        others = (*self.shared_suspects, "LF-MODEL-02")
        return [Finding("LF-TYPE-01", f"@type of {format_paths([path])} is wrong", *texts, others, "output", kind)]

    def compare_entry(self, expected: ExpectedEntry, entry: Entry) -> Iterator[Finding]:
        subject_path, kind = format_paths([expected.path]), expected.node.kind
        subject = f"of {subject_path}"
        suspects = self.shared_suspects
        type_name, got_type = TYPE_NAMES.get(kind, OTHER_TYPE), entry.get("@type")
        if got_type != type_name:
            first = {Kind.SYMLINK: "LF-TYPE-02", Kind.DIR: "LF-TYPE-01", Kind.FILE: "LF-TYPE-01"}.get(
                kind, "LF-TYPE-03"
            )
            first = first if got_type in ALL_TYPES else "LF-TYPE-01"
            is_word = got_type in ALL_TYPES
            others = suspects if is_word else (*suspects, "LF-TYPE-01", "LF-MODEL-02")
            texts = type_name, format_json(got_type)
            stage: ComparisonStage = "members" if got_type in ALL_TYPES else "output"
            kind_of = "another @type" if "@type" in entry else "no @type"
            yield Finding(first, f"@type {subject} is wrong", *texts, others, stage, kind_of)
            return
        members = MEMBERS | ({"target"} if kind is Kind.SYMLINK else set())
        if not members <= set(entry) or (kind in (Kind.DIR, Kind.FILE) and set(entry) != members):
            others = (*suspects, *(["LF-LINK-01"] if kind is Kind.SYMLINK else []))
            names = ", ".join(sorted(members)), ", ".join(sorted(entry))
            if missing := sorted(members - set(entry)):
                message, absent = f"{subject_path} has no {missing[0]}", f"no {missing[0]}"
                first, *rest = ("LF-LINK-01", "LF-MODEL-02") if missing == ["target"] else ("LF-MODEL-02",)
                yield Finding(first, message, *names, (*rest, *others), "output", absent)
            else:
                message = f"{subject_path} has further members"
                yield Finding("LF-MODEL-02", message, *names, others, "members", "an entry has further members")
            return
        name, path = entry["name"], entry["path"]
        if expected.is_utf8 and name != expected.name:
            values = format_json(expected.name), format_json(name)
            yield _member_finding("name", "LF-FIELD-01", f"name {subject} is wrong", values, suspects)
        ending = "/" + expected.path if self.expected.is_respelt else self.infix + expected.path
        is_path = isinstance(path, str) and path.startswith("/")
        if not is_path or (expected.is_utf8 and not path.endswith(ending)):
            values = f"…{ending}", format_json(path)
            before = ending.removesuffix(expected.path)
            leads_somewhere = is_path and any(path.endswith(before + known) for known in self.known)
            stage = "members" if leads_somewhere else "output"
            yield _member_finding("path", "LF-FIELD-02", f"path {subject} is wrong", values, suspects, stage)
        yield from self.compare_numbers(expected, entry, subject)
        target = expected.node.target
        if kind is Kind.SYMLINK and target is not None and b"$" not in target:
            # A target that is not UTF-8 has several forms (AMB-LF-25); the generators use none.
            text = target.decode("utf-8", "replace")
            if "\ufffd" not in text and not _is_target(text, entry["target"]):
                values = format_json(text), format_json(entry["target"])
                yield _member_finding("target", "LF-LINK-01", f"target {subject} is wrong", values, suspects)

    def compare_numbers(self, expected: ExpectedEntry, entry: Entry, subject: str) -> Iterator[Finding]:
        node, size, time = expected.node, entry["size"], entry["lastModified"]
        is_link, target = node.kind is Kind.SYMLINK, node.target or b""
        expected_size = node.size if node.kind is Kind.FILE else len(target) if is_link and b"$" not in target else None
        if type(size) is not int or size < 0 or (expected_size is not None and size != expected_size):
            first = "LF-LINK-02" if is_link and type(size) is int and size >= 0 else "LF-FIELD-03"
            values = "an integer" if expected_size is None else str(expected_size), format_json(size)
            yield _member_finding("size", first, f"size {subject} is wrong", values, self.shared_suspects)
        ns = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
        times = {
            "floor": ns // 10**6,
            "nearest": (ns + 500_000) // 10**6,
            "towards_1970": abs(ns) // 10**6 * (-1 if ns < 0 else 1),
        }
        accepted = dict.fromkeys(times[label] for label in self.expected.time_roundings)
        if type(time) is not int or time not in accepted:
            # The value of a link's time is advisory (LF-LINK-03), its type is not.
            first = "LF-LINK-03" if is_link and type(time) is int else "LF-FIELD-04"
            values = " or ".join(map(str, accepted)), format_json(time)
            others = ("LF-FIELD-04", *self.shared_suspects)
            yield _member_finding("lastModified", first, f"lastModified {subject} is wrong", values, others)

    def order(self) -> Iterator[Finding]:
        accepted = self.expected.orders
        if self.expected.is_search or any(_is_sorted(self.value, label) for label in accepted):
            return
        orders = "; or ".join(text for label, text in ORDERS.items() if label in accepted)
        by_kind = sorted(
            zip(self.paths, self.value, strict=True),
            key=lambda pair: (ALL_TYPES.index(pair[1]["@type"]), str(pair[1].get("name"))),
        )
        yield Finding(
            "LF-SORT-01",
            f"the list is in no accepted order: {orders}",
            format_paths([path for path, _ in by_kind]),
            format_paths(self.paths),
            ("LF-SORT-02",),
            "order",
        )


def _member_finding(
    member: str,
    requirement: str,
    message: str,
    values: tuple[str, str],
    others: tuple[str, ...],
    stage: ComparisonStage = "members",
) -> Finding:
    """Return the finding of a member with another value; ``values`` are the expected one and the one of the answer."""
    return Finding(requirement, message, *values, others, stage, f"another {member}")


def _mismatch_rank(findings: list[Finding]) -> tuple[bool, int]:
    return any(finding.requirement.startswith("LF-TYPE") for finding in findings), len(findings)


def _is_target(text: str, got: object) -> bool:
    """Return whether a target has one of its spellings (AMB-LF-28); of an absolute one the end is compared."""
    normal = posixpath.normpath(text)
    if got in (text, normal):
        return True
    if not isinstance(got, str) or not got.startswith("/") or text.startswith("/"):
        return False
    last = normal.rpartition("/")[2]
    return last in (".", "..") or posixpath.normpath(got).endswith("/" + last)


def _is_sorted(value: list[Entry], label: str) -> bool:
    """Return whether the list has this order; links and other kinds may have either order (AMB-LF-02)."""
    if label == "descending":
        names = [str(entry.get("name")) for entry in value]
        # Names that are not UTF-8 may compare by their bytes, which the answer does not show.
        return any("\ufffd" in name for name in names) or any(
            keys == sorted(keys, reverse=True) for keys in _sort_keys(names)
        )
    for last in (("SymbolicLinkEntry", OTHER_TYPE), (OTHER_TYPE, "SymbolicLinkEntry")):
        ranks = {word: rank for rank, word in enumerate(("DirectoryEntry", "FileEntry", *last))}
        kinds = [ranks[entry["@type"]] for entry in value]
        if kinds == sorted(kinds):
            return True
    return False


def _sort_keys(names: list[str]) -> Iterator[list[bytes]]:
    """Yield the keys of names by code points, by UTF-16 units, and without regard to case."""
    for encoding in ("utf-8", "utf-16-be"):
        yield [name.encode(encoding, "surrogatepass") for name in names]
    yield [name.lower().encode("utf-8", "surrogatepass") for name in names]

"""The comparison of the members of an element with an expected entry, and the readings that right members show."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from treeproof.api import DEFAULT_MTIME_NS, Finding, Kind

from ..shared.formatting import format_json, format_paths
from .identification import Element, relative_paths
from .outcomes import ExpectedEntry, ExpectedListing

TYPE_NAMES = {Kind.DIR: "DirectoryEntry", Kind.FILE: "FileEntry", Kind.SYMLINK: "SymbolicLinkEntry"}
OTHER_TYPE = "OtherEntry"
ALL_TYPES = (*TYPE_NAMES.values(), OTHER_TYPE)
MEMBERS = frozenset({"@type", "name", "path", "size", "lastModified"})
FURTHER_MEMBERS = "an entry has further members"
TWIN = " (a second value)"
"""The end of the name under which a member that is there twice keeps its first value, which is another one."""

_MAX_EXACT = 2**53
"""Beyond this number, doubles leave some integers out."""


@dataclass(frozen=True)
class Shown:
    """The readings of one interpretation by which an element is right; each right element shows some."""

    interpretation: str
    labels: frozenset[str]


Value = TypeVar("Value")

Known = dict[tuple[object, ...], tuple[object, ...]]
"""What is known of pairs of an entry and an element, which are the same for many outcomes; the pairs stay alive."""


class EntryComparison:
    """Compares elements with those of one expected list."""

    def __init__(self, expected: ExpectedListing, known: Known) -> None:
        self._expected, self._rules, self._known = expected, expected.rules, known

    def differences(self, expected: ExpectedEntry, element: Element) -> Iterator[Finding]:
        """Yield a finding for each member that is wrong. A search has to give the same entries as a list."""
        for finding in self._once(self._differences, expected, element):
            if self._expected.search is None:
                yield finding
            else:
                yield replace(finding, requirement="LF-FIND-03", other_requirements=(finding.requirement,))

    def count(self, expected: ExpectedEntry, element: Element) -> int:
        """Return the number of members that are wrong; another type counts most."""
        found = self._once(self._differences, expected, element)
        return len(found) + 9 * any(one.requirement.startswith("LF-TYPE") for one in found)

    def shown_readings(self, expected: ExpectedEntry, element: Element) -> Iterator[Shown]:
        """Yield the readings that a right element shows."""
        yield from self._once(self._shown_readings, expected, element)

    def _once(
        self, compute: Callable[[ExpectedEntry, Element], Iterator[Value]], expected: ExpectedEntry, element: Element
    ) -> tuple[Value, ...]:
        key = (compute.__name__, self._rules.other_texts_for_targets, id(expected), id(element))
        if key not in self._known:
            self._known[key] = (tuple(compute(expected, element)), expected, element)
        return self._known[key][0]  # type: ignore[return-value]

    def _shown_readings(self, expected: ExpectedEntry, element: Element) -> Iterator[Shown]:
        if not expected.has_metadata:
            return
        yield Shown("AMB-LF-05", frozenset(self._path_labels(expected, element)))
        times = _times(expected)
        shown = frozenset(label for label, time in times.items() if time == element["lastModified"])
        if expected.node.kind is not Kind.SYMLINK:
            yield Shown("AMB-LF-08", shown)
        if expected.is_link and not self._rules.other_texts_for_targets:
            targets = self._targets(expected, element)
            yield Shown("AMB-LF-28", frozenset(one for one, texts in targets.items() if element["target"] in texts))

    def _differences(self, expected: ExpectedEntry, element: Element) -> Iterator[Finding]:
        if expected.has_metadata:
            type_finding = _compare_type(expected, element)
            if type_finding is not None:
                yield type_finding
                if element.get("@type") in ALL_TYPES:
                    return  # the other members depend on the type
            yield from _compare_members(expected, element, has_type=type_finding is None)
        name = element.get("name")
        if "name" in element and not (name == expected.name or (isinstance(name, str) and not expected.is_utf8)):
            values = format_json(expected.name), format_json(name)
            yield _member_finding("name", "LF-FIELD-01", expected, values)
        if "path" in element and (finding := self._compare_path(expected, element)) is not None:
            yield finding
        if expected.has_metadata:
            yield from self._compare_numbers(expected, element)
            yield from self._compare_target(expected, element)

    def _compare_path(self, expected: ExpectedEntry, element: Element) -> Finding | None:
        path, spellings = element["path"], self._expected.directory.spellings
        is_absolute = isinstance(path, str) and path.startswith(("/", "$ROOT", "$OUTSIDE"))
        if is_absolute and (not expected.is_utf8 or self._path_labels(expected, element)):
            return None
        accepted = dict.fromkeys(spellings[label] for label in self._accepted_spellings())
        due = " or ".join(format_json(f"{one.rstrip('/')}/{expected.path}") for one in accepted)
        return _member_finding("path", "LF-FIELD-02", expected, (due, format_json(path)))

    def _accepted_spellings(self) -> Sequence[str]:
        """Return the accepted readings of how a path begins; a step up behind a link leaves only some."""
        spellings = self._expected.directory.spellings
        return [label for label in self._rules.paths if label in spellings] or ["resolved"]

    def _path_labels(self, expected: ExpectedEntry, element: Element) -> list[str]:
        fitting = relative_paths(self._expected.directory, element.get("path"))
        return [label for label in self._accepted_spellings() if fitting.get(label) == expected.path]

    def _compare_numbers(self, expected: ExpectedEntry, element: Element) -> Iterator[Finding]:
        is_link = expected.is_link
        if "size" in element:
            size, due = element["size"], _size(expected)
            is_number = type(size) is int and size >= 0
            if not is_number or (due is not None and size != due):
                rule = "LF-LINK-02" if is_link and is_number else "LF-FIELD-03"
                values = ("an integer" if due is None else str(due)), format_json(size)
                finding = _member_finding("size", rule, expected, values)
                is_nearest = due is not None and due > _MAX_EXACT and size == int(float(due))
                yield replace(finding, basis="prudent") if is_nearest else finding
        if "lastModified" in element:
            time, accepted = element["lastModified"], self._accepted_times(expected)
            if type(time) is not int or time not in accepted:
                rule = "LF-LINK-03" if is_link and type(time) is int else "LF-FIELD-04"
                values = " or ".join(map(str, accepted)), format_json(time)
                yield _member_finding("lastModified", rule, expected, values)

    def _accepted_times(self, expected: ExpectedEntry) -> Mapping[int, None]:
        times = _times(expected)
        return dict.fromkeys(times[label] for label in self._rules.fractions)

    def _compare_target(self, expected: ExpectedEntry, element: Element) -> Iterator[Finding]:
        if not expected.is_link or "target" not in element:
            return
        target, texts = element["target"], self._targets(expected, element)
        accepted = {text for label in self._rules.targets for text in texts[label]}
        is_free = self._rules.other_texts_for_targets and "\ufffd" in _target_text(expected)
        if not isinstance(target, str) or not (is_free or target in accepted):
            values = " or ".join(map(format_json, sorted(accepted))), format_json(target)
            yield _member_finding("target", "LF-LINK-01", expected, values)

    def _targets(self, expected: ExpectedEntry, element: Element) -> Mapping[str, set[str]]:
        """Return the texts of a target by the readings of AMB-LF-28; an absolute one begins where the link is."""
        text = _target_text(expected)
        above = expected.path.rpartition("/")[0]
        bases = {
            "/".join(filter(None, (one.rstrip("/"), above))) for one in self._expected.directory.spellings.values()
        }
        bases.add(str(element.get("path")).rpartition("/")[0])
        joined = {text} if text.startswith(("/", "$ROOT", "$OUTSIDE")) else {f"{base}/{text}" for base in bases}
        return {
            "verbatim": {text},
            "normalised": {posixpath.normpath(text)},
            "absolute": joined | {_normal(one) for one in joined} | {_without_single_dots(one) for one in joined},
        }


def shared_labels(shown: Iterator[Shown]) -> Mapping[str, str]:
    """Return the readings that all elements show, where that is one."""
    found: dict[str, frozenset[str]] = {}
    for one in shown:
        found[one.interpretation] = found.get(one.interpretation, one.labels) & one.labels
    return {id: next(iter(labels)) for id, labels in found.items() if len(labels) == 1}


def type_of(expected: ExpectedEntry) -> str:
    """Return the name of the type of an entry."""
    return TYPE_NAMES.get(expected.node.kind, OTHER_TYPE)


def _subject(expected: ExpectedEntry) -> str:
    return f"of {format_paths([expected.path])}"


def _normal(path: str) -> str:
    """Return a path without dots; the folder of the sandbox has the sandbox root in it."""
    return posixpath.normpath(path.replace("$ROOT", "$OUTSIDE/root", 1)).replace("$OUTSIDE/root", "$ROOT", 1)


def _without_single_dots(path: str) -> str:
    return "/".join(name for at, name in enumerate(path.split("/")) if at == 0 or name not in ("", "."))


def _target_text(expected: ExpectedEntry) -> str:
    return (expected.node.target or b"").decode("utf-8", "replace")


def _size(expected: ExpectedEntry) -> int | None:
    """Return the size of a file, or of a link; None if the host or the place of the run decides it."""
    target = expected.node.target or b""
    if expected.node.kind is Kind.FILE:
        return expected.node.size
    has_placeholder = b"$ROOT" in target or b"$OUTSIDE" in target
    return len(target) if expected.is_link and not has_placeholder else None


def _times(expected: ExpectedEntry) -> Mapping[str, int]:
    """Return the time of an entry in milliseconds by the readings of AMB-LF-08."""
    ns = DEFAULT_MTIME_NS if expected.node.mtime_ns is None else expected.node.mtime_ns
    return {
        "floor": ns // 10**6,
        "nearest": (ns + 500_000) // 10**6,
        "towards_1970": abs(ns) // 10**6 * (-1 if ns < 0 else 1),
    }


def _compare_type(expected: ExpectedEntry, element: Element) -> Finding | None:
    due, got = type_of(expected), element.get("@type")
    if got == due:
        return None
    texts = format_json(due), format_json(got)
    if got in ALL_TYPES:
        rule = "LF-TYPE-03" if due == OTHER_TYPE else "LF-TYPE-02"
        return Finding(rule, f"@type {_subject(expected)} is wrong", *texts, kind="another kind")
    kind = "another word as @type" if "@type" in element else "no @type"
    return Finding("LF-TYPE-01", f"{kind} {_subject(expected)}", *texts, kind=kind)


def _compare_members(expected: ExpectedEntry, element: Element, *, has_type: bool) -> Iterator[Finding]:
    due = MEMBERS | ({"target"} if expected.is_link else set())
    if set(element) == due:
        return
    names = ", ".join(sorted(due)), ", ".join(sorted(element))
    missing = sorted(due - set(element) - {"@type"})
    for name in missing:
        yield Finding("LF-MODEL-02", f"no {name} {_subject(expected)}", *names, kind=f"no {name}")
    if twins := [name for name in element if name.endswith(TWIN)]:
        message = f"{twins[0].removesuffix(TWIN)} {_subject(expected)} has two values"
        yield Finding("LF-MODEL-02", message, *names, kind="a member has two values")
        return
    is_closed = expected.node.kind in (Kind.DIR, Kind.FILE)
    if not missing and has_type and is_closed and set(element) - due:
        message = f"further members {_subject(expected)}"
        yield Finding("LF-MODEL-02", message, *names, kind=FURTHER_MEMBERS)


def _member_finding(member: str, requirement: str, expected: ExpectedEntry, values: tuple[str, str]) -> Finding:
    """Return the finding of a member with another value; ``values`` are the expected one and that of the answer."""
    return Finding(requirement, f"{member} {_subject(expected)} is wrong", *values, kind=f"another {member}")

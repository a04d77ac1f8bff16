"""The comparison of the paths of a list with the expected ones: which are missing, and which should not be there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Finding, Kind

from ..shared.formatting import MAX_PATHS, format_json, format_paths
from .missing_elements import DIRECTORIES_MISSING, MissingElements, has_left_out_name
from .outcomes import ExpectedListing
from .refusal_comparison import path_rule
from .walk import ExpectedElement, WalkRules, walk

TWICE = "elements are there twice"
START = "the start is an element"
BEHIND = "elements lie behind others that are no directories"
OTHER_FORM = "paths have another form"
ANOTHER_DIRECTORY = "another directory is walked"
_NON_UTF8_MISSING = "elements whose names are not UTF-8 are missing"
_STARTS = frozenset({"", ".", "./", "..", "../", "/"})


class PathComparison:
    """Compares the paths of one answer with an expected listing; `names` are those of its elements, in order."""

    def __init__(self, expected: ExpectedListing, got: Sequence[str], names: Sequence[str]) -> None:
        self._expected, self._got, self._names = expected, got, names
        self._wanted = Counter(element.path for element in expected.elements)
        optional = Counter(element.path for element in expected.elements if element.is_optional)
        self._missing = self._wanted - Counter(got) - optional
        self._surplus = Counter(got) - self._wanted
        self._links = tuple(one.path + "/" for one in expected.elements if one.node.kind is Kind.SYMLINK)

    def differences(self) -> Iterator[Finding]:
        """Yield the findings: one for the whole list if it is that of another place, or of another form."""
        if not self._missing and not self._surplus or self._is_other_spelling():
            return
        whole = self._difference_of_all()
        if whole is not None:
            yield whole
            return
        yield from self._surplus_paths()
        if not any(path.startswith(self._links) for path in self._surplus):  # what is there once may be there
            yield from self._missing_paths()

    def _is_other_spelling(self) -> bool:
        """Return whether the names that are not UTF-8 stand there in some other spelling, in their places."""
        free = [element for element in self._expected.elements if not element.is_utf8]
        if not self._expected.any_non_utf8_spelling or not free:
            return False
        plain = Counter(element.path for element in self._expected.elements if element.is_utf8)
        optional = Counter(element.path for element in self._expected.elements if element.is_optional)
        got = Counter(self._got)
        others = got - plain
        if plain - got - optional or any(path in plain for path in others):
            return False
        # The narrowest first: `a` below such a directory may also stand for a name that is not UTF-8.
        remaining = sorted(free, key=lambda element: (element.is_optional, _other_names(element)))
        for path in others.elements():
            fitting = next((one for one in remaining if _has_other_spelling(one, path)), None)
            if fitting is None:
                return False
            remaining.remove(fitting)
        return all(element.is_optional for element in remaining)

    def _finding(self, requirement: str, message: str, kind: str, expected: str, got: str, *others: str) -> Finding:
        alike = tuple(id for id in dict.fromkeys(others) if id != requirement)
        return Finding(requirement, message, expected, got, alike, kind=kind)

    def _others_of_missing(self) -> tuple[str, ...]:
        """Return the rules that forbid any missing element alike: that of every walk, and that of an unusual path."""
        start = self._expected.start
        is_plain = start.is_simple_path or start.is_sandbox_itself
        return ("WD-WALK-01", *(() if is_plain else (path_rule(self._expected),)))

    def _difference_of_all(self) -> Finding | None:
        """Return the one finding for a list that is no part of the expected one, and no more than that."""
        expected, missing, surplus = self._expected, self._missing, self._surplus
        wanted, got = format_some(sorted(self._wanted.elements())), format_some(sorted(self._got))
        if not self._got:
            return self._finding(*self._rule_of_empty_list(), wanted, got, *self._others_of_missing())
        due_names = sorted(element.path.rpartition("/")[2] for element in expected.elements)
        behind = [path for path in surplus if path.startswith(self._links)]
        if missing and not behind and sorted(self._names) == due_names:
            return self._finding("WD-ENT-02", OTHER_FORM, OTHER_FORM, wanted, got)
        if self._is_another_directory():
            rule = path_rule(expected)
            if not expected.elements:
                rule = "WD-WALK-04" if expected.start.ends_in_link else "WD-RET-02"
            return self._finding(rule, ANOTHER_DIRECTORY, ANOTHER_DIRECTORY, wanted, got, "WD-WALK-01")
        if not behind and _last_components(surplus) & _last_components(missing):
            return self._finding(
                "WD-ENT-02", OTHER_FORM, OTHER_FORM, format_some(sorted(missing)), format_some(sorted(surplus))
            )
        return None

    def _rule_of_empty_list(self) -> tuple[str, str, str]:
        """Return the rule, the message and the kind for the empty list: that of all its elements, or of its start."""
        expected, what = self._expected, "nothing is listed"
        tops = (element for element in expected.elements if "/" not in element.path and not element.is_optional)
        lost = set(map(MissingElements(expected, frozenset()).rule, tops))
        rule, kind = lost.pop() if len(lost) == 1 else ("WD-ERR-06" if expected.is_partial else "WD-WALK-01", what)
        if rule == "WD-WALK-01" and kind in (what, MISSING_ENTRIES, DIRECTORIES_MISSING):
            is_plain = expected.start.is_simple_path and not expected.start.through_link
            return "WD-WALK-01" if is_plain else path_rule(expected), what, MISSING_ENTRIES
        return rule, what, kind

    def _is_another_directory(self) -> bool:
        """Return whether the paths are those of another directory of the sandbox, or of none that could be meant."""
        start, got = self._expected.start, set(self._got)
        if not set(self._surplus) - _STARTS - set(self._wanted):
            return False
        tops = {path.partition("/")[0] for path in got}
        pending = [start.surroundings.sandbox[-1]]
        while pending:
            node = pending.pop()
            pending += [child for child in node.children if child.kind is Kind.DIR]
            if node is start.node or tops != {child.name.decode("utf-8", "replace") for child in node.children}:
                continue
            if got == {element.path for element in walk(node, _EVERYTHING)}:
                return True
        has_unusual_path = not start.is_simple_path and not start.is_sandbox_itself
        return has_unusual_path and bool(self._missing) and not got & set(self._wanted)

    def _surplus_paths(self) -> Iterator[Finding]:
        expected, start = self._expected, self._expected.start
        wanted = format_some(sorted(self._wanted.elements()))
        for path in self._surplus:
            subject, values = format_paths([path]), (wanted, format_some([path]))
            if path.startswith(self._links):
                yield self._finding("WD-SEC-03", f"{subject} lies behind a link", BEHIND, *values)
            elif path in _STARTS:
                yield self._finding("WD-WALK-02", START, START, *values)
            elif not expected.elements and start.ends_in_link:
                message = f"{subject} lies behind the link"
                yield self._finding("WD-WALK-04", message, UNEXPECTED_ENTRIES, *values)
            elif path in self._wanted:
                yield self._finding("WD-WALK-01", f"{subject} is there twice", TWICE, *values)
            elif not expected.elements and not expected.is_partial:
                yield self._finding("WD-RET-02", f"{subject} is not there", UNEXPECTED_ENTRIES, *values)
            else:
                rule = "WD-ERR-06" if expected.is_partial else "WD-WALK-01"
                yield self._finding(rule, f"{subject} is not there", UNEXPECTED_ENTRIES, *values)

    def _missing_paths(self) -> Iterator[Finding]:
        listed = frozenset(self._got)
        missing, shown = MissingElements(self._expected, listed), format_some(sorted(listed))
        pending = Counter(self._missing)
        tops: set[str] = set()
        for element in self._expected.elements:  # directories stand before what is in them
            if not pending[element.path] or element.is_optional:
                continue
            pending[element.path] -= 1
            directory = element.path.rpartition("/")[0]
            if directory in tops:
                tops.add(element.path)  # it is missing with its directory
                continue
            tops.add(element.path)
            rule, kind = missing.rule(element)
            message = f"{format_paths([element.path])} is missing"
            others = () if rule == "WD-ERR-06" else self._others_of_missing()
            if rule == "WD-WALK-01" and has_left_out_name(element):  # a candidate may leave out a part of such names
                others = ("WD-WALK-03", *others)
            yield self._finding(rule, message, kind, format_some([element.path]), shown, *others)


_EVERYTHING = WalkRules(skips=True, skips_gone=True)


def _other_names(element: ExpectedElement) -> int:
    """Return how many names of a path are not UTF-8."""
    return sum("\ufffd" in name for name in element.path.split("/"))


def _has_other_spelling(element: ExpectedElement, path: str) -> bool:
    """Return whether a path has the names of an element that are UTF-8, and any others in the place of the rest."""
    due, got = element.raw_path.split(b"/"), path.split("/")
    return len(due) == len(got) and all(
        bool(other) and (other == name.decode("utf-8", "replace") or "\ufffd" in name.decode("utf-8", "replace"))
        for name, other in zip(due, got, strict=True)
    )


def _last_components(paths: Mapping[str, int]) -> set[str]:
    return {path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] for path in paths}


def format_some(paths: Sequence[str]) -> str:
    """Return the first paths as a JSON list."""
    return format_json(paths[:MAX_PATHS])


def names_of(value: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of elements; without one, the last component of the path."""
    return [str(element.get("name", str(element["path"]).rstrip("/").rpartition("/")[2])) for element in value]

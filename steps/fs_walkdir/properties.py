"""The properties of FS.WalkDir. Contains no steps; no property knows an expected list.

A property does not judge a case if a compared call returns no list: another property judges that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from treeproof.api import (
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    CannotBuild,
    CaseRun,
    CaseUpdate,
    Kind,
    Mismatch,
    Node,
    Tree,
)

from ..shared import common_properties
from ..shared.common_properties import REPLACEMENT_CHARACTER, AnswerComparison
from ..shared.entry_view import Entry
from ..shared.errors import json_of
from ..shared.properties import PropertyCheck
from ..shared.values import format_json, format_names
from .view import KEYS, Walk, parse_time

FROM_ROOT: CaseUpdate = {"arguments.path": "."}

SPECIAL_FILES_INTERPRETATION = "AMB-WD-18"
"""Whether FIFOs, sockets and devices are elements."""


def has_entries(case_run: CaseRun) -> bool:
    """Return whether the answer to a case has elements; those of another form count as well.

    Of a value that is no list, they are names of the tree that the call does not contain.
    """
    answer = case_run.call_candidate()
    try:
        found = json_of(answer)
    except Mismatch:
        return False
    if found is None or isinstance(found, list):
        return bool(found)
    arguments = format_json(case_run.case.arguments)
    names = (node.name.decode("utf-8", "replace") for node in case_run.case.tree.entries)
    return any(name in (answer.content or "") and name not in arguments for name in names)


def comparable(found: Walk | None, keys: Sequence[str] = KEYS) -> list[str] | None:
    """Return the values that may not differ: those of ``keys`` in sorted maps, with a time as its second.

    None without a list.
    """
    if found is None:
        return None
    return sorted(format_json([_comparable_value(element, key) for key in keys]) for element in found.entries)


def _comparable_value(element: Entry, key: str) -> Any:
    value = element.get(key)
    if key == "modTime" and (moment := parse_time(value)) is not None:
        return int(moment // 1)
    return value


def assert_same_answer(what: str, first: Walk | None, second: Walk | None, keys: Sequence[str] = KEYS) -> None:
    """Raise Mismatch unless both answers have the same values of ``keys``."""
    one, other = comparable(first, keys), comparable(second, keys)
    if one != other:
        expected, got = ("" if found is None else format_json(found)[:800] for found in (one, other))
        error = "; one of the two answers is no list" if one is None or other is None else ""
        raise Mismatch(what + error, expected=expected, got=got, compares_answers=True, kind=what)


def _assert_same_unless_refused(what: str, first: Walk | None, second: Walk | None) -> None:
    """Raise Mismatch if another spelling gives another list; without a list it may be refused (AMB-WD-14)."""
    if first is not None and second is not None:
        assert_same_answer(what, first, second, ("name", "isDir", "size", "modTime"))


read_only = common_properties.read_only(has_entries)
times_independent_of_process = AnswerComparison(
    Walk.parse_or_none, partial(assert_same_answer, keys=("modTime",)), has_entries
).independent_of_process
"""Names that another locale changes are another question."""
independent_of_spelling = AnswerComparison(
    Walk.parse_or_none, _assert_same_unless_refused, has_entries
).independent_of_spelling("./{path}", "{path}/", "{path}/.", ".//{path}//")
"""The form of the paths is another question."""
independent_of_creation_order = AnswerComparison(
    Walk.parse_or_none, partial(assert_same_answer, keys=("name", "path", "isDir")), has_entries
).independent_of_creation_order
"""Sizes and times are not compared: those of a link may belong to a target outside the tree (AMB-WD-05)."""


def subtree(check: PropertyCheck) -> bool:
    """The list of a directory has the paths that the list of its parent has below it."""
    whole = Walk.of_case(check.case_run, FROM_ROOT)
    judged = False
    for node in check.case_run.case.tree.entries if whole and whole.entries else ():
        name = node.name.decode("utf-8", "replace")
        if whole is None or node.kind is not Kind.DIR or REPLACEMENT_CHARACTER in name:
            continue
        own = Walk.of_case(check.case_run, {"arguments.path": name})
        if own is None:
            continue
        due = sorted(path.removeprefix(name + "/") for path in whole.keys if path.startswith(name + "/"))
        if due != sorted(own.keys):
            what = f"the list of {format_names([name])} has other paths than the list of its parent"
            raise Mismatch(
                what,
                expected=format_names(due),
                got=format_names(sorted(own.keys)),
                kind=_kind_of_difference(due, own.keys),
            )
        judged = judged or bool(own.entries)
    return judged


def _kind_of_difference(due: Sequence[str], got: Sequence[str]) -> str:
    sides = (MISSING_ENTRIES, set(due) - set(got)), (UNEXPECTED_ENTRIES, set(got) - set(due))
    return " and ".join(kind for kind, paths in sides if paths)


def _paths_from_root(case_run: CaseRun) -> list[str]:
    found, start = Walk.of_case(case_run), str(case_run.case.arguments["path"])
    return [path if start == "." else f"{start}/{path}" for path in (found.keys if found else ())]


nothing_behind_links = common_properties.nothing_behind_links(_paths_from_root)


def one_element_per_node(check: PropertyCheck) -> bool:
    """There is one element for each entry on the disk; special files count according to the reading."""
    found = Walk.of_case(check.case_run, FROM_ROOT)
    if found is None or not found.entries:
        return False
    nodes = [node for _, node in check.case_run.case.tree.walk()]
    if any(node.name != node.name.decode("utf-8", "replace").encode() for node in nodes):
        return False  # a name that is no text may be left out (AMB-WD-15)
    accepted = check.samples.session.accepted_readings(SPECIAL_FILES_INTERPRETATION)
    due = {len(nodes)} if "included" in accepted else set()
    if "omitted" in accepted:
        due.add(sum(1 for node in nodes if node.kind in (Kind.DIR, Kind.FILE, Kind.SYMLINK)))
    if len(found.entries) not in due:
        what = f"the list has {len(found.entries)} elements, and the disk {' or '.join(map(str, sorted(due)))}"
        kind = MISSING_ENTRIES if len(found.entries) < min(due) else UNEXPECTED_ENTRIES
        raise Mismatch(what, got=format_names(found.keys), kind=kind)
    return True


def one_more_file(check: PropertyCheck) -> bool:
    """One more file in the sandbox root is one more element."""
    case_run, tree = check.case_run, check.case_run.case.tree
    before = Walk.of_case(case_run, FROM_ROOT)
    name = b"one-more"
    if before is None or tree.find(name) is not None:
        return False
    more = Tree((*tree.entries, Node(name, Kind.FILE)))
    case = case_run.case.with_update({**FROM_ROOT, "tree": more})
    try:
        with check.samples.temporary_run(case_run.family, case) as again:
            after = Walk.of_case(again)
            case_run.add_calls_of(again)
    except CannotBuild:
        return False
    what = "one more file is not one more element"
    due = sorted([*before.keys, name.decode()])
    if after is None:
        kind = "the result is no list of maps"
        raise Mismatch(f"{what}; there is no list then", expected=format_names(due), kind=kind)
    if len(after.keys) != len(due) or not set(before.keys) <= set(after.keys):  # its path is another question
        got, kind = format_names(sorted(after.keys)), _kind_of_difference(due, after.keys)
        raise Mismatch(what, expected=format_names(due), got=got, kind=kind)
    return True

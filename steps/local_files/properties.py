"""The properties of LocalFiles. Contains no steps; expected values come only from the disk.

A property does not judge a case if a compared call returns no list: another property judges that.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import zip_longest

from treeproof.api import (
    MISSING_ENTRIES,
    REMOVE_MEMBER,
    UNEXPECTED_ENTRIES,
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
from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import format_json, format_member, format_names
from .members import SHOWN_DIFFERENTLY, type_of_mode
from .view import ENTRY_TYPES, Listing

LIST_ROOT: CaseUpdate = {"tool": "listDirectory", "arguments": {"path": "$ROOT"}}


def has_entries(case_run: CaseRun) -> bool:
    """Return whether the answer to a case has entries."""
    found = Listing.of_case(case_run)
    return bool(found and found.entries)


def _comparable(found: Listing) -> list[str]:
    return [format_json({**entry, "path": found.key(entry)}) for entry in found.entries]


def assert_entries_exist(found: Listing | None) -> None:
    """Raise Mismatch for entries that are not on the disk, since their order has no meaning.

    A name that is not UTF-8 may be shown as any text (AMB-LF-17), so one entry for each such name may differ.
    """
    if not found:
        return
    directory = os.fsencode(found.directory)
    missing = [
        place
        for place in found.keys
        if REPLACEMENT_CHARACTER not in place
        and not os.path.lexists(os.path.join(directory, place.encode("utf-8", "surrogatepass")))
    ]
    if missing and len(missing) > sum(not _is_utf8(name) for name in os.listdir(directory)):
        shown = format_names(missing)
        raise Mismatch(f"{shown} does not exist", got=shown, stage="entries", kind=UNEXPECTED_ENTRIES)


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def assert_same_answer(what: str, first: Listing | None, second: Listing | None) -> None:
    """Raise Mismatch unless both lists have equal entries in the same order; paths are relative to the directory."""
    one, other = (None if found is None else _comparable(found) for found in (first, second))
    if one != other:
        if one is None or other is None:
            raise Mismatch(f"{what}; one of the two is no list", stage="repetition", kind=what)
        number, expected, got = first_differing_entry(one, other)
        raise Mismatch(f"{what}: entry {number}", expected=expected, got=got, stage="repetition", kind=what)


def first_differing_entry(one: list[str], other: list[str]) -> tuple[int, str, str]:
    """Return the number of the first entry that differs between two lists, and the entry as each list has it.

    The entry is empty for a list that has none with this number.
    """
    pairs = enumerate(zip_longest(one, other, fillvalue=""), start=1)
    number, pair = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    return number, pair[0][:400], pair[1][:400]


def entries_with_metadata(case_run: CaseRun) -> Iterator[tuple[Entry, os.stat_result, bytes]]:
    """Yield the entries whose names exist on the disk, with their metadata and paths there."""
    found = Listing.of_case(case_run)
    for entry in found.entries if found else ():
        name = entry.get("name")
        if found is None or not isinstance(name, str) or REPLACEMENT_CHARACTER in name or "/" in name:
            continue
        path = os.path.join(os.fsencode(found.directory), name.encode("utf-8", "surrogatepass"))
        if os.path.lexists(path):
            yield entry, os.lstat(path), path


def every_entry_member(key: str, due: Callable[[os.stat_result, bytes], tuple[object, ...]]) -> PropertyFunction:
    """Return the property that a member of every entry has one of the values of ``due``; (None,) skips an entry."""

    def holds(check: PropertyCheck) -> bool:
        judged = False
        for entry, found, path in entries_with_metadata(check.case_run):
            accepted = due(found, path)
            if accepted == (None,):
                continue
            judged = True
            got = entry.get(key, REMOVE_MEMBER)
            if not any(type(got) is type(value) and got == value for value in accepted):
                what = f"{key} of {format_json(entry['name'])} is another one"
                is_absent = got is REMOVE_MEMBER
                is_unknown = is_absent or (key == "@type" and got not in ENTRY_TYPES)
                expected = format_json({key: accepted[0]})
                if len(accepted) > 1:
                    what, expected = f"{what}; it may be {' or '.join(map(format_json, accepted))}", ""
                raise Mismatch(
                    what,
                    expected=expected,
                    got=format_member(entry, key),
                    stage="output" if is_unknown else "members",
                    kind=f"no {key}" if is_absent else f"another {key}",
                )
        return judged

    return holds


def _milliseconds(found: os.stat_result) -> tuple[object, ...]:
    """Return the time truncated and rounded; (None,) before 1970, where readings differ, and for links.

    Another requirement, which is advisory, covers the time of a link.
    """
    if found.st_mtime_ns < 0 or stat.S_ISLNK(found.st_mode):
        return (None,)
    return (found.st_mtime_ns // 10**6, (found.st_mtime_ns + 500_000) // 10**6)


def _target(found: os.stat_result, path: bytes) -> tuple[object, ...]:
    """Return the spellings of the target (AMB-LF-28); (None,) for one that is not UTF-8."""
    if not stat.S_ISLNK(found.st_mode) or not _is_utf8(target := os.readlink(path)):
        return (None,)
    text, directory = target.decode("utf-8"), os.path.dirname(path).decode("utf-8", "replace")
    absolute = os.path.join(directory, text)
    return tuple(dict.fromkeys((text, os.path.normpath(text), absolute, os.path.normpath(absolute))))


def _size(found: os.stat_result) -> tuple[object, ...]:
    """Return the sizes of a file or directory (AMB-LF-06); (None,) for a link, which another requirement covers."""
    if stat.S_ISLNK(found.st_mode):
        return (None,)
    return (found.st_size, found.st_blocks * 512) if stat.S_ISDIR(found.st_mode) else (found.st_size,)


sizes = every_entry_member("size", lambda found, path: _size(found))
times = every_entry_member("lastModified", lambda found, path: _milliseconds(found))
targets = every_entry_member("target", _target)
kinds = every_entry_member("@type", lambda found, path: (type_of_mode(found.st_mode),))


def one_entry_per_child(check: PropertyCheck) -> bool:
    """There is one entry for each child on the disk."""
    found = Listing.of_case(check.case_run)
    if not found or not found.entries:
        return False
    due = len(os.listdir(os.fsencode(found.directory)))
    if len(found.entries) != due:
        raise Mismatch(
            f"the list has {len(found.entries)} entries, and the disk {due}",
            got=format_names(found.keys),
            stage="entries",
            kind=MISSING_ENTRIES if len(found.entries) < due else UNEXPECTED_ENTRIES,
        )
    return True


def _assert_equal(what: str, first: Listing | None, second: Listing | None) -> None:
    assert_entries_exist(first)
    assert_same_answer(what, first, second)


def _assert_equal_keys(what: str, first: Listing | None, second: Listing | None) -> None:
    assert_entries_exist(first)
    one, two = ([] if found is None else found.keys for found in (first, second))
    if one != two:
        raise Mismatch(what, expected=format_names(one), got=format_names(two), stage="repetition")


def _assert_equal_times(what: str, first: Listing | None, second: Listing | None) -> None:
    """Raise Mismatch unless the entries of both lists have equal times; links, which another rule covers, may not."""
    one, other = (
        sorted(format_json([found.key(entry), entry.get("lastModified")]) for entry in found.entries) if found else []
        for found in (first, second)
    )
    if one != other:
        number, expected, got = first_differing_entry(one, other)
        raise Mismatch(f"{what}: entry {number}", expected=expected, got=got, stage="repetition", kind=what)


second_call_is_equal = AnswerComparison(Listing.parse_or_none, _assert_equal, has_entries).independent_of_repetition
times_independent_of_process = AnswerComparison(
    Listing.parse_or_none, _assert_equal_times, has_entries
).independent_of_process
order_independent_of_process = AnswerComparison(
    Listing.parse_or_none, _assert_equal_keys, has_entries
).independent_of_process
independent_of_creation_order = AnswerComparison(
    Listing.parse_or_none, _assert_equal_keys, has_entries
).independent_of_creation_order
read_only = common_properties.read_only(has_entries)


def _search(path: str, glob: str, recursive: bool) -> CaseUpdate:
    return {"tool": "findFiles", "arguments": {"path": path, "recursive": recursive, "glob": glob}}


def _has_links(case_run: CaseRun) -> bool:
    return any(node.kind is Kind.SYMLINK for _, node in case_run.case.tree.walk())


def listed_is_found(check: PropertyCheck) -> bool:
    """`**/*` finds the files that a directory of a tree without links lists: the first that has files."""
    return not _has_links(check.case_run) and _finds_listed_files(check.case_run)


def listed_is_found_beside_links(check: PropertyCheck) -> bool:
    """The same of a tree with links: every search comes to its end, and loses no file by a link.

    What is not found either with files in place of the links is judged elsewhere.
    """
    if not _has_links(check.case_run):
        return False
    try:
        return _finds_listed_files_after_searches(check.case_run)
    except Mismatch:
        if _loses_files_beside_files(check.case_run):
            return False
        raise


def _loses_files_beside_files(case_run: CaseRun) -> bool:
    with case_run.rebuilt(tree=_files_for_links(case_run.case.tree)) as rebuilt:
        try:
            _finds_listed_files_after_searches(rebuilt)
        except Mismatch:
            return True
    return False


def _finds_listed_files_after_searches(case_run: CaseRun) -> bool:
    for update in (None, {"arguments.recursive": True}):
        case_run.call_candidate(update)  # a search that goes round in circles breaks here
    return _finds_listed_files(case_run)


def _files_for_links(tree: Tree) -> Tree:
    def changed(node: Node) -> Node:
        if node.kind is Kind.SYMLINK:
            return Node(node.name, Kind.FILE)
        return replace(node, children=tuple(map(changed, node.children)))

    return Tree(tuple(map(changed, tree.entries)))


def _finds_listed_files(case_run: CaseRun) -> bool:
    due: set[str] = set()
    for directory in sorted(_names_of_kind(Listing.of_case(case_run, LIST_ROOT), "DirectoryEntry")):
        listed = Listing.of_case(case_run, {"tool": "listDirectory", "arguments": {"path": f"$ROOT/{directory}"}})
        due |= {f"{directory}/{name}" for name in _names_of_kind(listed, "FileEntry")}
        if due:
            break
    if not due:
        return False
    found = Listing.of_case(case_run, _search("$ROOT", "**/*", True))
    if found is not None and not due <= set(found.keys):
        missing = format_names(sorted(due - set(found.keys)))
        what = f"**/* does not find what is listed: {missing}"
        raise Mismatch(what, got=format_names(found.keys), stage="entries", kind=MISSING_ENTRIES)
    return True


def _names_of_kind(found: Listing | None, kind: str) -> list[str]:
    """Return the names of a kind that every dialect of globs finds: none that are hidden or not UTF-8."""
    names = [str(entry.get("name")) for entry in found.entries if entry.get("@type") == kind] if found else []
    return [
        name for name in names if not name.startswith(".") and REPLACEMENT_CHARACTER not in name and "\\" not in name
    ]


def flat_is_subset(check: PropertyCheck) -> bool:
    """A recursive search finds everything that one without recursion finds, which goes no deeper than its glob.

    Of a tree with links the second is judged: what a link disturbs is judged elsewhere.
    """
    arguments = check.case_run.case.arguments
    flat = Listing.of_case(check.case_run, {"arguments": {**arguments, "recursive": False}})
    deep = Listing.of_case(check.case_run, {"arguments": {**arguments, "recursive": True}})
    if flat is None or deep is None:
        return False
    beyond = [place for place in flat.keys if place.count("/") > arguments["glob"].count("/")]
    missing = [] if _has_links(check.case_run) else sorted(set(flat.keys) - set(deep.keys))
    if beyond or missing:
        what = "a search without recursion goes deeper than its glob" if beyond else "a search of all levels finds less"
        kind = UNEXPECTED_ENTRIES if beyond else MISSING_ENTRIES
        shown, found = (beyond, flat) if beyond else (missing, deep)
        message = f"{what}: {format_names(shown)}"
        # Both calls were made; evidence shows the one that is requested last.
        Listing.of_case(check.case_run, {"arguments": {**arguments, "recursive": found is deep}})
        raise Mismatch(message, got=format_names(found.keys), stage="entries", kind=kind)
    return bool(deep.entries)


def search_agrees_with_listing(check: PropertyCheck) -> bool:
    """A search returns an entry of the first level with the same members as the list."""
    path = check.case_run.case.arguments["path"]
    plain = Listing.of_case(check.case_run, {"tool": "listDirectory", "arguments": {"path": path}})
    found = Listing.of_case(check.case_run)
    if found is None or plain is None:
        return False
    listed = {format_json(entry) for entry in plain.entries}
    first_level = [entry for entry in found.entries if "/" not in found.key(entry)]
    for entry in first_level:
        if (got := format_json(entry)) not in listed:
            same = [format_json(one) for one in plain.entries if one.get("name") == entry.get("name")]
            expected = same[0] if len(same) == 1 else ""
            raise Mismatch(SHOWN_DIFFERENTLY, expected=expected, got=got, stage="members")
    return bool(first_level)

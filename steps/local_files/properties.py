"""The property laws of LocalFiles. No step stands here, and no law but the model's knows what the right answer is.

A law is silent where a call that it compares with gives no list, for that is another law's matter.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator

from treeproof.api import (
    ALTERED_PROCESS_OPTIONS,
    REMOVE_MEMBER,
    REVERSED,
    CallResult,
    CannotBuild,
    CaseRun,
    CaseUpdate,
    Kind,
    Mismatch,
    ProcessOptions,
    shuffled,
)

from ..shared.properties import PropertyCheck, PropertyFunction
from ..shared.values import format_json, format_names
from .view import Entry, Listing, make_listing

LIST_ROOT: CaseUpdate = {"tool": "listDirectory", "arguments": {"path": "$ROOT"}}
REPLACEMENT_CHARACTER = "\ufffd"


def listing_or_none(subject: CaseRun, update: CaseUpdate | None = None) -> Listing | None:
    """The entries of an answer; None where there is no list that can be read."""
    case = subject.case.with_update(update) if update else subject.case
    return _parse_or_none(subject, case.arguments, subject.call_candidate(update))


def _parse_or_none(subject: CaseRun, arguments: object, answer: CallResult) -> Listing | None:
    path = arguments.get("path") if isinstance(arguments, dict) else None
    text = str(path).replace("$ROOT", subject.placeholders["$ROOT"])
    try:
        found = json.loads(answer.content or "") if answer.status == "ok" else None
    except ValueError:
        return None
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        return None
    return make_listing(os.path.normpath(text), found)


def has_entries(subject: CaseRun) -> bool:
    """Whether the answer to a subject has entries."""
    found = listing_or_none(subject)
    return bool(found and found.entries)


def _comparable(found: Listing) -> list[str]:
    return [format_json({**entry, "path": found.relative_path(entry)}) for entry in found.entries]


def assert_entries_exist(found: Listing | None) -> None:
    """Raise Mismatch for entries that are not on the disk: a list of what is not there has no order to speak of.

    A name that is not UTF-8 can be shown as any text (AMB-LF-17), so as many of them may be there under another one.
    """
    if not found:
        return
    directory = os.fsencode(found.directory)
    missing = [
        place
        for place in found.relative_paths
        if REPLACEMENT_CHARACTER not in place
        and not os.path.lexists(os.path.join(directory, place.encode("utf-8", "surrogatepass")))
    ]
    if missing and len(missing) > sum(not _is_utf8(name) for name in os.listdir(directory)):
        raise Mismatch(
            f"{format_names(missing)} is not there",
            expected="entries that are there",
            got=format_names(missing),
        )


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def assert_same_answer(what: str, first: Listing | None, second: Listing | None) -> None:
    """Raise Mismatch unless both answers say the same in the same order; paths are those below the directory."""
    one, other = (None if found is None else _comparable(found) for found in (first, second))
    if one != other:
        expected, got = first_differing_entry(one, other)
        raise Mismatch(what, expected=expected, got=got)


def first_differing_entry(one: list[str] | None, other: list[str] | None) -> tuple[str, str]:
    """The first entry that is not the same in both, as each has it, with its number."""
    if one is None or other is None:
        said = ["no list" if told is None else f"a list of {len(told)} entries" for told in (one, other)]
        return said[0], said[1]
    most = max(len(one), len(other))
    at = next(number for number in range(most) if one[number : number + 1] != other[number : number + 1])
    shown = [
        f"{told[at][:400]} as entry {at + 1}" if at < len(told) else f"no entry {at + 1}"
        for told in (one, other)
    ]
    return shown[0], shown[1]


def _format_process_options(launch: ProcessOptions) -> str:
    """What is not as usual about a process, for a person."""
    said = [f"{name}={value}" if value is not None else f"no {name}" for name, value in launch.env.items()]
    if launch.cwd is not None:
        said.append(f"working directory {os.fsdecode(launch.cwd)}")
    if launch.umask is not None:
        said.append(f"umask {launch.umask:03o}")
    return ", ".join(said)


def entries_with_metadata(subject: CaseRun) -> Iterator[tuple[Entry, os.stat_result, bytes]]:
    """Entries that can be found on the disk by their names, with their own metadata and paths."""
    found = listing_or_none(subject)
    for entry in found.entries if found else ():
        name = entry.get("name")
        if found is None or not isinstance(name, str) or REPLACEMENT_CHARACTER in name or "/" in name:
            continue
        path = os.path.join(os.fsencode(found.directory), name.encode("utf-8", "surrogatepass"))
        if os.path.lexists(path):
            yield entry, os.lstat(path), path


def every_entry_member(
    key: str, due: Callable[[os.stat_result, bytes], tuple[object, ...]]
) -> PropertyFunction:
    """A law about one member of every entry: one of these values. None: nothing is said of this entry."""

    def law(trial: PropertyCheck) -> bool:
        judged = False
        for entry, found, path in entries_with_metadata(trial.case_run):
            right = due(found, path)
            if right == (None,):
                continue
            judged = True
            got = entry.get(key, REMOVE_MEMBER)
            if not any(type(got) is type(value) and got == value for value in right):
                shown = format_json(got) if got is not REMOVE_MEMBER else "no such member"
                expected = " or ".join(map(format_json, right))
                raise Mismatch(
                    f"{key} of {format_json(entry['name'])} is another one", expected=expected, got=shown
                )
        return judged

    return law


def _milliseconds(found: os.stat_result) -> tuple[object, ...]:
    """Cut off or rounded; before 1970 other readings are right as well, so nothing is said there.

    Nor is it of links: whose time they tell is another requirement's matter, and no more than advice.
    """
    if found.st_mtime_ns < 0 or stat.S_ISLNK(found.st_mode):
        return (None,)
    return (found.st_mtime_ns // 10**6, (found.st_mtime_ns + 500_000) // 10**6)


def _target(found: os.stat_result, path: bytes) -> tuple[object, ...]:
    """To the letter; of one that is not UTF-8 nothing is said, as of such names."""
    if not stat.S_ISLNK(found.st_mode) or not _is_utf8(target := os.readlink(path)):
        return (None,)
    return (target.decode("utf-8"),)


def _kind(found: os.stat_result) -> str:
    kinds = {stat.S_IFDIR: "DirectoryEntry", stat.S_IFREG: "FileEntry", stat.S_IFLNK: "SymbolicLinkEntry"}
    return kinds.get(stat.S_IFMT(found.st_mode), "OtherEntry")


sizes = every_entry_member("size", lambda found, path: (found.st_size,))
times = every_entry_member("lastModified", lambda found, path: _milliseconds(found))
targets = every_entry_member("target", _target)
kinds = every_entry_member("@type", lambda found, path: (_kind(found),))


def one_entry_per_child(trial: PropertyCheck) -> bool:
    """There are as many entries as children on the disk."""
    found = listing_or_none(trial.case_run)
    if not found or not found.entries:
        return False
    due = len(os.listdir(os.fsencode(found.directory)))
    if len(found.entries) != due:
        got = f"{len(found.entries)}: {format_names(found.relative_paths)}"
        raise Mismatch("the disk has another number of children", expected=str(due), got=got)
    return True


def second_call_is_equal(trial: PropertyCheck) -> bool:
    """A second call on an unchanged tree gives the same."""
    subject = trial.case_run
    first = listing_or_none(subject)
    assert_entries_exist(first)
    second = _parse_or_none(
        subject, subject.case.arguments, subject.session.call(subject.build_call(subject.case))
    )
    assert_same_answer("a second call gives another list", first, second)
    return bool(first and first.entries)


def independent_of_creation_order(trial: PropertyCheck) -> bool:
    """The order in which entries were made plays no part in the order of the list."""
    first = listing_or_none(trial.case_run)
    assert_entries_exist(first)
    for order in (REVERSED, shuffled(trial.case_run.session.seed)):
        try:
            with trial.case_run.rebuilt(order) as other:
                second = listing_or_none(other)
        except CannotBuild:
            return False
        one, two = ([] if found is None else found.relative_paths for found in (first, second))
        if one != two:
            raise Mismatch(
                "the same tree made in another order is listed in another one",
                expected=format_names(one),
                got=format_names(two),
            )
    return bool(first and first.entries)


def independent_of_process(trial: PropertyCheck) -> bool:
    """A process with another locale, time zone, directory, umask and hash seed says the same."""
    subject = trial.case_run
    first = listing_or_none(subject)
    answer = subject.call_candidate(adapter=trial.samples.altered_adapter())
    what = f"another process, with {_format_process_options(ALTERED_PROCESS_OPTIONS)}, gives another list"
    assert_same_answer(what, first, _parse_or_none(subject, subject.case.arguments, answer))
    return bool(first and first.entries)


def read_only(trial: PropertyCheck) -> bool:
    """No call changes a name, a type, a mode, a time, a target or a content."""
    trial.case_run.call_candidate()
    changes = trial.case_run.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}", expected="no change", got=changes[0]
        )
    return has_entries(trial.case_run)


def _search(path: str, glob: str, recursive: bool) -> CaseUpdate:
    return {"tool": "findFiles", "arguments": {"path": path, "recursive": recursive, "glob": glob}}


def listed_is_found(trial: PropertyCheck) -> bool:
    """Files that a directory lists are what a star finds in it, and two stars find on all levels."""
    first = listing_or_none(trial.case_run, LIST_ROOT)
    if not first or not first.entries:
        return False
    due = {first.relative_path(entry) for entry in first.entries if entry.get("@type") == "FileEntry"}
    due = {place for place in due if not place.startswith(".")}
    for glob, recursive in (("*", False), ("**/*", True)):
        found = listing_or_none(trial.case_run, _search("$ROOT", glob, recursive))
        if found is not None and not due <= set(found.relative_paths):
            missing = format_names(sorted(due - set(found.relative_paths)))
            raise Mismatch(
                f"{glob} does not find what is listed: {missing}",
                expected=format_names(sorted(due)),
                got=format_names(found.relative_paths),
            )
    return bool(due)


def flat_is_subset(trial: PropertyCheck) -> bool:
    """What is found on the first level alone is found on all levels."""
    arguments = trial.case_run.case.arguments
    flat = listing_or_none(trial.case_run, {"arguments": {**arguments, "recursive": False}})
    deep = listing_or_none(trial.case_run, {"arguments": {**arguments, "recursive": True}})
    if flat is None or deep is None:
        return False
    beyond = [place for place in flat.relative_paths if "/" in place]
    missing = sorted(set(flat.relative_paths) - set(deep.relative_paths))
    if beyond or missing:
        what = "a search of one level goes deeper" if beyond else "a search of all levels finds less"
        raise Mismatch(
            what, expected=format_names(deep.relative_paths), got=format_names(flat.relative_paths)
        )
    return bool(flat.entries)


def nothing_behind_links(trial: PropertyCheck) -> bool:
    """No path that is found goes through a link of the tree."""
    found = listing_or_none(trial.case_run)
    nodes = trial.case_run.case.tree.walk()
    links = {path.decode("utf-8", "replace") for path, node in nodes if node.kind is Kind.SYMLINK}
    links = {link for link in links if REPLACEMENT_CHARACTER not in link}
    for place in found.relative_paths if found else ():
        parts = place.split("/")
        if any("/".join(parts[:length]) in links for length in range(1, len(parts))):
            raise Mismatch(
                f"{format_names([place])} lies behind a link",
                expected="nothing behind links",
                got=format_names([place]),
            )
    return bool(found and found.entries and links)


def search_agrees_with_listing(trial: PropertyCheck) -> bool:
    """What a search tells of an entry of the first level is what the list tells of it."""
    path = trial.case_run.case.arguments["path"]
    found = listing_or_none(trial.case_run)
    plain = listing_or_none(trial.case_run, {"tool": "listDirectory", "arguments": {"path": path}})
    if found is None or plain is None:
        return False
    own = {format_json(entry) for entry in plain.entries}
    here = [entry for entry in found.entries if "/" not in found.relative_path(entry)]
    for entry in here:
        if format_json(entry) not in own:
            raise Mismatch(
                "a search tells something else of an entry",
                expected=format_json(plain.entries)[:800],
                got=format_json(entry),
            )
    return bool(here)

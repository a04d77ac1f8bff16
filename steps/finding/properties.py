"""The property laws of LocalFiles. No step stands here, and no law but the model's knows what the right answer is.

A law is silent where a call that it compares with gives no list, for that is another law's matter.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator

from treeproof.candidate import Answer, Launch
from treeproof.search.model import ABSENT, Update
from treeproof.search.subject import OTHERWISE, Subject
from treeproof.tree import REVERSED, CannotBuild, Kind, shuffled
from treeproof.verdict import Mismatch

from ..laws import Law, Trial
from ..words import show, spell
from .entries import Entries, Entry, entries_below

ROOT: Update = {"tool": "listDirectory", "arguments": {"path": "$ROOT"}}
REPLACED = "\ufffd"


def listed(subject: Subject, update: Update | None = None) -> Entries | None:
    """The entries of an answer; None where there is no list that can be read."""
    case = subject.case.changed(update) if update else subject.case
    return _readable(subject, case.arguments, subject.ask(update))


def _readable(subject: Subject, arguments: object, answer: Answer) -> Entries | None:
    path = arguments.get("path") if isinstance(arguments, dict) else None
    text = str(path).replace("$ROOT", subject.names["$ROOT"])
    try:
        found = json.loads(answer.content or "") if answer.status == "ok" else None
    except ValueError:
        return None
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        return None
    return entries_below(os.path.normpath(text), found)


def lists(subject: Subject) -> bool:
    """Whether the answer to a subject has entries."""
    found = listed(subject)
    return bool(found and found.found)


def _told(found: Entries) -> list[str]:
    return [show({**entry, "path": found.place(entry)}) for entry in found.found]


def are_there(found: Entries | None) -> None:
    """Raise Mismatch for entries that are not on the disk: a list of what is not there has no order to speak of.

    A name that is not UTF-8 can be shown as any text (AMB-LF-17), so as many of them may be there under another one.
    """
    if not found:
        return
    directory = os.fsencode(found.directory)
    missing = [
        place
        for place in found.places
        if REPLACED not in place
        and not os.path.lexists(os.path.join(directory, place.encode("utf-8", "surrogatepass")))
    ]
    if missing and len(missing) > sum(not _is_text(name) for name in os.listdir(directory)):
        raise Mismatch(
            f"{spell(missing)} is not there", expected="entries that are there", got=spell(missing)
        )


def _is_text(name: bytes) -> bool:
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def same(what: str, first: Entries | None, second: Entries | None) -> None:
    """Raise Mismatch unless both answers say the same in the same order; paths are those below the directory."""
    one, other = (None if found is None else _told(found) for found in (first, second))
    if one != other:
        expected, got = where_they_part(one, other)
        raise Mismatch(what, expected=expected, got=got)


def where_they_part(one: list[str] | None, other: list[str] | None) -> tuple[str, str]:
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


def _told_of(launch: Launch) -> str:
    """What is not as usual about a process, for a person."""
    said = [f"{name}={value}" if value is not None else f"no {name}" for name, value in launch.env.items()]
    if launch.cwd is not None:
        said.append(f"working directory {os.fsdecode(launch.cwd)}")
    if launch.umask is not None:
        said.append(f"umask {launch.umask:03o}")
    return ", ".join(said)


def on_the_disk(subject: Subject) -> Iterator[tuple[Entry, os.stat_result, bytes]]:
    """Entries that can be found on the disk by their names, with their own metadata and paths."""
    found = listed(subject)
    for entry in found.found if found else ():
        name = entry.get("name")
        if found is None or not isinstance(name, str) or REPLACED in name or "/" in name:
            continue
        path = os.path.join(os.fsencode(found.directory), name.encode("utf-8", "surrogatepass"))
        if os.path.lexists(path):
            yield entry, os.lstat(path), path


def about_each(key: str, due: Callable[[os.stat_result, bytes], tuple[object, ...]]) -> Law:
    """A law about one member of every entry: one of these values. None: nothing is said of this entry."""

    def law(trial: Trial) -> bool:
        judged = False
        for entry, found, path in on_the_disk(trial.subject):
            right = due(found, path)
            if right == (None,):
                continue
            judged = True
            got = entry.get(key, ABSENT)
            if not any(type(got) is type(value) and got == value for value in right):
                shown = show(got) if got is not ABSENT else "no such member"
                expected = " or ".join(map(show, right))
                raise Mismatch(f"{key} of {show(entry['name'])} is another one", expected=expected, got=shown)
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
    if not stat.S_ISLNK(found.st_mode) or not _is_text(target := os.readlink(path)):
        return (None,)
    return (target.decode("utf-8"),)


def _kind(found: os.stat_result) -> str:
    kinds = {stat.S_IFDIR: "DirectoryEntry", stat.S_IFREG: "FileEntry", stat.S_IFLNK: "SymbolicLinkEntry"}
    return kinds.get(stat.S_IFMT(found.st_mode), "OtherEntry")


sizes = about_each("size", lambda found, path: (found.st_size,))
times = about_each("lastModified", lambda found, path: _milliseconds(found))
targets = about_each("target", _target)
kinds = about_each("@type", lambda found, path: (_kind(found),))


def every_child(trial: Trial) -> bool:
    """There are as many entries as children on the disk."""
    found = listed(trial.subject)
    if not found or not found.found:
        return False
    due = len(os.listdir(os.fsencode(found.directory)))
    if len(found.found) != due:
        got = f"{len(found.found)}: {spell(found.places)}"
        raise Mismatch("the disk has another number of children", expected=str(due), got=got)
    return True


def again(trial: Trial) -> bool:
    """A second call on an unchanged tree gives the same."""
    subject = trial.subject
    first = listed(subject)
    are_there(first)
    second = _readable(subject, subject.case.arguments, subject.session.call(subject.call(subject.case)))
    same("a second call gives another list", first, second)
    return bool(first and first.found)


def order_of_making(trial: Trial) -> bool:
    """The order in which entries were made plays no part in the order of the list."""
    first = listed(trial.subject)
    are_there(first)
    for order in (REVERSED, shuffled(trial.subject.session.seed)):
        try:
            with trial.subject.rebuilt(order) as other:
                second = listed(other)
        except CannotBuild:
            return False
        one, two = ([] if found is None else found.places for found in (first, second))
        if one != two:
            raise Mismatch(
                "the same tree made in another order is listed in another one",
                expected=spell(one),
                got=spell(two),
            )
    return bool(first and first.found)


def other_process(trial: Trial) -> bool:
    """A process with another locale, time zone, directory, umask and hash seed says the same."""
    subject = trial.subject
    first = listed(subject)
    answer = subject.ask(adapter=trial.samples.elsewhere())
    what = f"another process, with {_told_of(OTHERWISE)}, gives another list"
    same(what, first, _readable(subject, subject.case.arguments, answer))
    return bool(first and first.found)


def read_only(trial: Trial) -> bool:
    """No call changes a name, a type, a mode, a time, a target or a content."""
    trial.subject.ask()
    changes = trial.subject.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}", expected="no change", got=changes[0]
        )
    return lists(trial.subject)


def _search(path: str, glob: str, recursive: bool) -> Update:
    return {"tool": "findFiles", "arguments": {"path": path, "recursive": recursive, "glob": glob}}


def listed_is_found(trial: Trial) -> bool:
    """Files that a directory lists are what a star finds in it, and two stars find on all levels."""
    first = listed(trial.subject, ROOT)
    if not first or not first.found:
        return False
    due = {first.place(entry) for entry in first.found if entry.get("@type") == "FileEntry"}
    due = {place for place in due if not place.startswith(".")}
    for glob, recursive in (("*", False), ("**/*", True)):
        found = listed(trial.subject, _search("$ROOT", glob, recursive))
        if found is not None and not due <= set(found.places):
            missing = spell(sorted(due - set(found.places)))
            raise Mismatch(
                f"{glob} does not find what is listed: {missing}",
                expected=spell(sorted(due)),
                got=spell(found.places),
            )
    return bool(due)


def flat_is_part(trial: Trial) -> bool:
    """What is found on the first level alone is found on all levels."""
    arguments = trial.subject.case.arguments
    flat = listed(trial.subject, {"arguments": {**arguments, "recursive": False}})
    deep = listed(trial.subject, {"arguments": {**arguments, "recursive": True}})
    if flat is None or deep is None:
        return False
    beyond = [place for place in flat.places if "/" in place]
    missing = sorted(set(flat.places) - set(deep.places))
    if beyond or missing:
        what = "a search of one level goes deeper" if beyond else "a search of all levels finds less"
        raise Mismatch(what, expected=spell(deep.places), got=spell(flat.places))
    return bool(flat.found)


def nothing_behind_links(trial: Trial) -> bool:
    """No path that is found goes through a link of the tree."""
    found = listed(trial.subject)
    nodes = trial.subject.case.tree.walk()
    links = {path.decode("utf-8", "replace") for path, node in nodes if node.kind is Kind.SYMLINK}
    links = {link for link in links if REPLACED not in link}
    for place in found.places if found else ():
        parts = place.split("/")
        if any("/".join(parts[:length]) in links for length in range(1, len(parts))):
            raise Mismatch(
                f"{spell([place])} lies behind a link", expected="nothing behind links", got=spell([place])
            )
    return bool(found and found.found and links)


def told_alike(trial: Trial) -> bool:
    """What a search tells of an entry of the first level is what the list tells of it."""
    path = trial.subject.case.arguments["path"]
    found = listed(trial.subject)
    plain = listed(trial.subject, {"tool": "listDirectory", "arguments": {"path": path}})
    if found is None or plain is None:
        return False
    own = {show(entry) for entry in plain.found}
    here = [entry for entry in found.found if "/" not in found.place(entry)]
    for entry in here:
        if show(entry) not in own:
            raise Mismatch(
                "a search tells something else of an entry", expected=show(plain.found)[:800], got=show(entry)
            )
    return bool(here)

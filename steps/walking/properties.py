"""The property laws of FS.WalkDir. No step stands here, and no law knows what the right answer is.

A law is silent where a call that it compares with gives no list, for that is another law's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from treeproof.candidate import Answer
from treeproof.search.model import Update
from treeproof.search.subject import Subject
from treeproof.tree import REVERSED, CannotBuild, Kind, Node, Tree, shuffled
from treeproof.verdict import Mismatch

from ..laws import Trial
from ..words import show, spell
from .elements import KEYS, Element, elements, instant, paths

ROOT: Update = {"arguments.path": "."}

SPECIAL_FILES = "AMB-WD-18"
"""Whether FIFOs, sockets and devices are elements."""


def walked(subject: Subject, update: Update | None = None) -> list[Element] | None:
    """The elements of an answer; None where there is no list that can be read."""
    return _readable(subject.ask(update))


def _readable(answer: Answer) -> list[Element] | None:
    try:
        return elements(answer)
    except Mismatch:
        return None


def lists(subject: Subject) -> bool:
    """Whether the answer to a subject has elements."""
    return bool(walked(subject))


def told(found: list[Element] | None, keys: Sequence[str] = KEYS) -> list[str] | str:
    """What an answer says that is not free: nil, or the maps in some order; a time is its instant."""
    if found is None:
        return "no list"
    return sorted(show([*(_key(element, key) for key in keys)]) for element in found)


def _key(element: Element, key: str) -> Any:
    value = element.get(key)
    if key == "modTime" and (moment := instant(value)) is not None:
        return int(moment // 1)
    return value


def same(
    what: str, first: list[Element] | None, second: list[Element] | None, keys: Sequence[str] = KEYS
) -> None:
    """Raise Mismatch unless both answers say the same."""
    one, other = told(first, keys), told(second, keys)
    if one != other:
        raise Mismatch(what, expected=show(one)[:800], got=show(other)[:800])


def read_only(trial: Trial) -> bool:
    """No call changes a name, a type, a mode, a time, a target or a content."""
    trial.subject.ask()
    changes = trial.subject.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}", expected="no change", got=changes[0]
        )
    return lists(trial.subject)


def subtree(trial: Trial) -> bool:
    """A directory by itself shows what its parent shows below it, without the way to it."""
    subject = trial.subject
    whole = walked(subject, ROOT)
    if not whole:
        return False
    judged = False
    for node in subject.case.tree.entries:
        name = node.name.decode("utf-8", "replace")
        if node.kind is not Kind.DIR or "\ufffd" in name:
            continue
        own = walked(subject, {"arguments.path": name})
        if own is None:
            continue
        due = Counter(e["path"].removeprefix(name + "/") for e in whole if e["path"].startswith(name + "/"))
        if due != Counter(paths(own)):
            got = spell(sorted(paths(own)))
            raise Mismatch(
                f"{spell([name])} by itself shows other paths", expected=spell(sorted(due)), got=got
            )
        judged = judged or bool(own)
    return judged


def nothing_behind_links(trial: Trial) -> bool:
    """No path goes through a link of the tree."""
    found = walked(trial.subject)
    links = {
        path.decode("utf-8", "replace")
        for path, node in trial.subject.case.tree.walk()
        if node.kind is Kind.SYMLINK
    }
    links = {link for link in links if "\ufffd" not in link}  # another name may look like it
    start = str(trial.subject.case.arguments["path"])
    above = "" if start == "." else f"{start}/"
    for path in paths(found or []):
        parts = (above + path).split("/")
        if any("/".join(parts[:length]) in links for length in range(1, len(parts))):
            raise Mismatch(
                f"{spell([path])} lies behind a link", expected="nothing behind links", got=spell([path])
            )
    return bool(found) and bool(links)


def order_of_making(trial: Trial) -> bool:
    """The order in which entries were made plays no part in which are met.

    Sizes and times are left out: those of a link may be those of a place beside the tree (AMB-WD-05), which changes.
    """
    first = walked(trial.subject)
    what = "the same tree made in another order gives another list"
    for order in (REVERSED, shuffled(trial.subject.session.seed)):
        try:
            with trial.subject.rebuilt(order) as again:
                same(what, first, walked(again), ("name", "path", "isDir"))
        except CannotBuild:
            return False
    return bool(first)


def other_process(trial: Trial) -> bool:
    """A process with another locale, time zone, directory, umask and hash seed says the same."""
    first = walked(trial.subject)
    second = _readable(trial.subject.ask(adapter=trial.samples.elsewhere()))
    same("another process gives another list", first, second)
    return bool(first)


def everything(trial: Trial) -> bool:
    """There are as many elements as there are entries on the disk; special files count as the reading has it."""
    found = walked(trial.subject, ROOT)
    if not found:
        return False
    nodes = [node for _, node in trial.subject.case.tree.walk()]
    accepted = trial.samples.session.accepted(SPECIAL_FILES)
    due = {len(nodes)} if "included" in accepted else set()
    if "omitted" in accepted:
        due.add(sum(1 for node in nodes if node.kind in (Kind.DIR, Kind.FILE, Kind.SYMLINK)))
    if len(found) not in due:
        raise Mismatch(
            "the disk has another number of entries",
            expected=" or ".join(map(str, sorted(due))),
            got=f"{len(found)}: {spell(paths(found))}",
        )
    return True


def one_more(trial: Trial) -> bool:
    """One file more in the sandbox is one element more."""
    subject, tree = trial.subject, trial.subject.case.tree
    before = walked(subject, ROOT)
    name = b"one more"
    if before is None or tree.find(name) is not None:
        return False
    more = Tree((*tree.entries, Node(name, Kind.FILE)))
    case = subject.case.changed({**ROOT, "tree": more})
    try:
        with trial.samples.made(subject.family, case) as again:
            after = walked(again)
    except CannotBuild:
        return False
    due = Counter([*paths(before), name.decode()])
    if after is None or Counter(paths(after)) != due:
        got = "no list" if after is None else spell(sorted(paths(after)))
        raise Mismatch("a file more is not one element more", expected=spell(sorted(due)), got=got)
    return True


def spellings(trial: Trial) -> bool:
    """Dots and slashes in a path change nothing."""
    path = str(trial.subject.case.arguments["path"])
    first = walked(trial.subject)
    for other in (f"./{path}", f"{path}/", f"{path}/.", f".//{path}//"):
        same(
            f"{other!r} gives another list than {path!r}",
            first,
            walked(trial.subject, {"arguments.path": other}),
        )
    return bool(first)

"""The property laws of FS.WalkDir. No step stands here, and no law knows what the right answer is.

A law is silent where a call that it compares with gives no list, for that is another law's matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from treeproof.api import (
    REVERSED,
    CallResult,
    CannotBuild,
    CaseRun,
    CaseUpdate,
    Kind,
    Mismatch,
    Node,
    Tree,
    shuffled,
)

from ..shared.properties import PropertyCheck
from ..shared.values import format_json, format_names
from .view import KEYS, Element, parse_answer, parse_time, paths

FROM_ROOT: CaseUpdate = {"arguments.path": "."}

SPECIAL_FILES_INTERPRETATION = "AMB-WD-18"
"""Whether FIFOs, sockets and devices are elements."""


def listing_or_none(subject: CaseRun, update: CaseUpdate | None = None) -> list[Element] | None:
    """The elements of an answer; None where there is no list that can be read."""
    return _parse_or_none(subject.call_candidate(update))


def _parse_or_none(answer: CallResult) -> list[Element] | None:
    try:
        return parse_answer(answer)
    except Mismatch:
        return None


def has_entries(subject: CaseRun) -> bool:
    """Whether the answer to a subject has elements."""
    return bool(listing_or_none(subject))


def comparable(found: list[Element] | None, keys: Sequence[str] = KEYS) -> list[str] | str:
    """What an answer says that is not free: nil, or the maps in some order; a time is its instant."""
    if found is None:
        return "no list"
    return sorted(format_json([*(_comparable_value(element, key) for key in keys)]) for element in found)


def _comparable_value(element: Element, key: str) -> Any:
    value = element.get(key)
    if key == "modTime" and (moment := parse_time(value)) is not None:
        return int(moment // 1)
    return value


def assert_same_answer(
    what: str, first: list[Element] | None, second: list[Element] | None, keys: Sequence[str] = KEYS
) -> None:
    """Raise Mismatch unless both answers say the same."""
    one, other = comparable(first, keys), comparable(second, keys)
    if one != other:
        raise Mismatch(what, expected=format_json(one)[:800], got=format_json(other)[:800])


def read_only(trial: PropertyCheck) -> bool:
    """No call changes a name, a type, a mode, a time, a target or a content."""
    trial.case_run.call_candidate()
    changes = trial.case_run.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}", expected="no change", got=changes[0]
        )
    return has_entries(trial.case_run)


def subtree(trial: PropertyCheck) -> bool:
    """A directory by itself shows what its parent shows below it, without the way to it."""
    subject = trial.case_run
    whole = listing_or_none(subject, FROM_ROOT)
    if not whole:
        return False
    judged = False
    for node in subject.case.tree.entries:
        name = node.name.decode("utf-8", "replace")
        if node.kind is not Kind.DIR or "\ufffd" in name:
            continue
        own = listing_or_none(subject, {"arguments.path": name})
        if own is None:
            continue
        due = Counter(e["path"].removeprefix(name + "/") for e in whole if e["path"].startswith(name + "/"))
        if due != Counter(paths(own)):
            got = format_names(sorted(paths(own)))
            raise Mismatch(
                f"{format_names([name])} by itself shows other paths",
                expected=format_names(sorted(due)),
                got=got,
            )
        judged = judged or bool(own)
    return judged


def nothing_behind_links(trial: PropertyCheck) -> bool:
    """No path goes through a link of the tree."""
    found = listing_or_none(trial.case_run)
    links = {
        path.decode("utf-8", "replace")
        for path, node in trial.case_run.case.tree.walk()
        if node.kind is Kind.SYMLINK
    }
    links = {link for link in links if "\ufffd" not in link}  # another name may look like it
    start = str(trial.case_run.case.arguments["path"])
    above = "" if start == "." else f"{start}/"
    for path in paths(found or []):
        parts = (above + path).split("/")
        if any("/".join(parts[:length]) in links for length in range(1, len(parts))):
            raise Mismatch(
                f"{format_names([path])} lies behind a link",
                expected="nothing behind links",
                got=format_names([path]),
            )
    return bool(found) and bool(links)


def independent_of_creation_order(trial: PropertyCheck) -> bool:
    """The order in which entries were made plays no part in which are met.

    Sizes and times are left out: those of a link may be those of a place beside the tree (AMB-WD-05), which changes.
    """
    first = listing_or_none(trial.case_run)
    what = "the same tree made in another order gives another list"
    for order in (REVERSED, shuffled(trial.case_run.session.seed)):
        try:
            with trial.case_run.rebuilt(order) as again:
                assert_same_answer(what, first, listing_or_none(again), ("name", "path", "isDir"))
        except CannotBuild:
            return False
    return bool(first)


def independent_of_process(trial: PropertyCheck) -> bool:
    """A process with another locale, time zone, directory, umask and hash seed says the same."""
    first = listing_or_none(trial.case_run)
    second = _parse_or_none(trial.case_run.call_candidate(adapter=trial.samples.altered_adapter()))
    assert_same_answer("another process gives another list", first, second)
    return bool(first)


def one_element_per_node(trial: PropertyCheck) -> bool:
    """There are as many elements as there are entries on the disk; special files count as the reading has it."""
    found = listing_or_none(trial.case_run, FROM_ROOT)
    if not found:
        return False
    nodes = [node for _, node in trial.case_run.case.tree.walk()]
    accepted = trial.samples.session.accepted_readings(SPECIAL_FILES_INTERPRETATION)
    due = {len(nodes)} if "included" in accepted else set()
    if "omitted" in accepted:
        due.add(sum(1 for node in nodes if node.kind in (Kind.DIR, Kind.FILE, Kind.SYMLINK)))
    if len(found) not in due:
        raise Mismatch(
            "the disk has another number of entries",
            expected=" or ".join(map(str, sorted(due))),
            got=f"{len(found)}: {format_names(paths(found))}",
        )
    return True


def one_more_file(trial: PropertyCheck) -> bool:
    """One file more in the sandbox is one element more."""
    subject, tree = trial.case_run, trial.case_run.case.tree
    before = listing_or_none(subject, FROM_ROOT)
    name = b"one more"
    if before is None or tree.find(name) is not None:
        return False
    more = Tree((*tree.entries, Node(name, Kind.FILE)))
    case = subject.case.with_update({**FROM_ROOT, "tree": more})
    try:
        with trial.samples.temporary_run(subject.family, case) as again:
            after = listing_or_none(again)
    except CannotBuild:
        return False
    due = Counter([*paths(before), name.decode()])
    if after is None or Counter(paths(after)) != due:
        got = "no list" if after is None else format_names(sorted(paths(after)))
        raise Mismatch("a file more is not one element more", expected=format_names(sorted(due)), got=got)
    return True


def independent_of_spelling(trial: PropertyCheck) -> bool:
    """Dots and slashes in a path change nothing."""
    path = str(trial.case_run.case.arguments["path"])
    first = listing_or_none(trial.case_run)
    for other in (f"./{path}", f"{path}/", f"{path}/.", f".//{path}//"):
        assert_same_answer(
            f"{other!r} gives another list than {path!r}",
            first,
            listing_or_none(trial.case_run, {"arguments.path": other}),
        )
    return bool(first)

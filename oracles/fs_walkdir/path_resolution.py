"""The resolution of a path to the directory where a walk starts, or to the expected failure.

A path can be read in several ways: as text, in which each `..` removes the name before it, or as a system follows it.
Wherever the ways differ, and the place is inside the sandbox, each of them is right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from treeproof.api import Case, Kind, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .outcomes import ExpectedFailure, Failing, Logged, ResolvedDirectory, is_clean
from .surroundings import Surroundings, Way, as_folder_path, is_searchable, surroundings_of

MAX_PATH_BYTES = 3000
"""The bytes of a path below the sandbox that is never too long; what comes before it counts as well (AMB-WD-20)."""

_SIMPLE_NAME = re.compile(rb"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
"""Names without capitals, blanks, quotes, backslashes, repeated dots or a dot at the end."""

_DOTS = re.compile(r"\.{3,}")
_DRIVE = re.compile(r"[A-Za-z]:")
_OUT_BY_PATH = ExpectedFailure("WD-SEC-01", "the path leads out of the sandbox")
_OUT_BY_LINK = ExpectedFailure("WD-SEC-02", "a link leads out of the sandbox")


def resolve_path(case: Case, path: str, readings: ReadingChoices) -> ResolvedDirectory | ExpectedFailure:
    """Return the directory at a path, or the failure. Raises Unmodelled if the tree does not determine it."""
    if "\0" in path:
        return ExpectedFailure("WD-ERR-02", "the path holds a NUL")
    try:
        path.encode()
    except UnicodeEncodeError:
        return _resolve_surrogates(case)
    surroundings = surroundings_of(case)
    if surroundings.is_missing:
        fails: Failing = "may" if "error" in readings.accepted_labels("AMB-WD-23") else "no"
        return ExpectedFailure("WD-ERR-03", "the sandbox is not there", fails, logged="anything")
    if surroundings.is_system:
        path = _below_folder(path)
    if path.startswith("file://"):  # taken as it is written, the first name is missing
        path = path.replace("$ROOT", "").replace("$OUTSIDE", "")
    below = as_folder_path(path)
    if below is not None or path.startswith("/"):
        return _resolve_absolute(surroundings, path, below, readings)
    names = _names_of(path)
    if any(name.startswith(("$ROOT", "$OUTSIDE")) for name in names) and ".." in names:
        raise Unmodelled("two dots and a path of the run in the middle of a path")
    found = _resolve_names(surroundings, path, [*surroundings.sandbox_path], names, readings)
    if isinstance(found, ExpectedFailure):
        return found
    # A tool that cleans the path meets no limit.
    if len(path.encode()) > MAX_PATH_BYTES and _is_refused("a long path", readings):
        return ExpectedFailure("WD-ERR-04", "the path is too long")
    if any(map(_DOTS.fullmatch, names)) and _is_refused("a name of nothing but dots", readings):
        return ExpectedFailure("WD-ARG-04", "a name of the path has nothing but dots")
    if _DRIVE.match(path) and _is_refused("a letter and a colon, as of a drive", readings):
        return ExpectedFailure("WD-ARG-04", "the path begins as one of a drive does")
    return found


def _below_folder(path: str) -> str:
    """Return the path from the folder on, for a path from the root of the system such as `.$ROOT/a`."""
    below = as_folder_path(path.removeprefix(".")) if path.startswith(".$") else None
    if below is None or ".." in below.split("/"):
        raise Unmodelled("the path leads through the rest of a system that is the sandbox")
    return f"./{below}"


def _is_refused(what: str, readings: ReadingChoices) -> bool:
    """Return whether a tool refuses something that others walk, which the document does not mention."""
    return bool(readings.choose(what, (False, True)))


def _names_of(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


def _resolve_surrogates(case: Case) -> ExpectedFailure:
    """Return the failure for a path with half a surrogate pair, which no text of bytes has."""
    if any(not _is_utf8(path) for path, _ in case.tree.walk()):
        raise Unmodelled("half surrogates may stand for the bytes of a name")
    return ExpectedFailure("WD-ERR-03", "the path is no text", "may", logged="anything")


def _is_utf8(path: bytes) -> bool:
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    return True


def _resolve_absolute(
    surroundings: Surroundings, path: str, below: str | None, readings: ReadingChoices
) -> ResolvedDirectory | ExpectedFailure:
    """Return the outcome for an absolute path by AMB-WD-10; `below` is its part below the folder, if it has one."""
    names = _names_of(path if below is None else below)
    inside = below is not None and _is_below(_cleaned([], names), surroundings)
    if below is not None and not inside:
        way = surroundings.follow(_cleaned([], names), (surroundings.folder,))
        if not way.is_outside:
            raise Unmodelled("an absolute path leads to the sandbox by another name than that of the context")
    match readings["AMB-WD-10"]:
        case "accepted" if inside:
            found = _resolve_names(surroundings, path, [], names, readings)
        case "joined" if below is None:
            if ".." in names and _is_refused("two dots in an absolute path", readings):
                return ExpectedFailure("WD-SEC-01", "the path leads out of the sandbox")
            found = _resolve_names(surroundings, path, [*surroundings.sandbox_path], _below_top(names), readings)
        case "joined":  # none has the names of the run
            return ExpectedFailure("WD-ERR-03", "the start does not exist", logged="anything")
        case _:
            requirement = "WD-ERR-02" if inside else "WD-SEC-01"
            return ExpectedFailure(requirement, "the path is absolute")
    return replace(found, may_lead_out=True) if isinstance(found, ResolvedDirectory) else found


def _below_top(names: Sequence[str]) -> list[str]:
    """Return the names of an absolute path without the steps above its top, which lead nowhere."""
    depth, found = 0, []
    for name in names:
        if name == ".." and depth == 0:
            continue
        depth += -1 if name == ".." else 1
        found.append(name)
    return found


def _cleaned(base: Sequence[bytes], names: Sequence[str]) -> list[bytes]:
    """Return the names below the folder without `..`, except those that lead above the folder: they stay in front."""
    found = list(base)
    for name in names:
        if name != ".." or not found or found[-1] == b"..":
            found.append(name.encode())
        else:
            found.pop()
    return found


def _is_below(names: Sequence[bytes], surroundings: Surroundings) -> bool:
    sandbox = surroundings.sandbox_path
    return tuple(names[: len(sandbox)]) == sandbox


def _resolve_names(
    surroundings: Surroundings, path: str, base: list[bytes], names: Sequence[str], readings: ReadingChoices
) -> ResolvedDirectory | ExpectedFailure:
    """Return the directory at names below `base`, which is the folder or the sandbox in it."""
    cleaned = _cleaned(base, names)
    has_dot_dot = ".." in names
    is_inside = _is_below(cleaned, surroundings)
    manner = "text"
    if has_dot_dot and not _is_plain(surroundings, base, names):
        key = "two dots behind a name that is no searchable directory"
        manner = readings.choose(key, ("text", "disk", "refused"))
    if manner == "refused":
        return ExpectedFailure("WD-ARG-04", "two dots follow a name that is no open directory")
    if base and (rooted := _resolve_rooted(surroundings, path, base, names, readings, is_text=manner == "text")):
        return rooted
    own = cleaned[len(surroundings.sandbox_path) :] if is_inside else cleaned
    is_simple = b"/".join(own).decode() == path and all(map(_SIMPLE_NAME.fullmatch, own)) and bool(own)
    if manner == "disk":
        way = _follow(surroundings, [name.encode() for name in names], readings, is_in_folder=not base)
    else:
        way = _follow(surroundings, own, readings, is_in_folder=not is_inside)
    # A start outside that is not there either is missing for a tool that looks before it checks: no error (WD-LOG-02).
    logged: Logged = "anything" if way.obstacle == "missing" else "record"
    if not is_inside and manner == "text" and (way.is_outside or way.place is None):
        return replace(_OUT_BY_PATH, logged=logged)
    leads_back = not way.is_outside and (way.leaves or _leaves_as_text(base, names, surroundings))
    # No word of the document forbids such a way, nor a check of each step.
    if leads_back and _is_refused("a way that leaves the sandbox and leads back", readings):
        return ExpectedFailure("WD-SEC-02" if way.leaves else "WD-ERR-02", "the way leaves the sandbox")
    if way.is_outside and way.ends_in_link:  # a walk finds nothing below a link, and that may be nil (AMB-WD-01)
        is_silent = "nil" in readings.accepted_labels("AMB-WD-01")
        return replace(_OUT_BY_LINK, allows_empty_list=True, logged="anything" if is_silent else logged)
    if way.is_outside:
        return replace(_OUT_BY_LINK if way.through_link else _OUT_BY_PATH, logged=logged)
    if way.place is None:
        is_rare = not all(map(_SIMPLE_NAME.fullmatch, own))
        return _failure(way, is_open=is_rare or not is_clean(path), readings=readings)
    return ResolvedDirectory(surroundings, way.place, path, is_simple, has_dot_dot, way.through_link, way.ends_in_link)


def _resolve_rooted(
    surroundings: Surroundings,
    path: str,
    base: Sequence[bytes],
    names: Sequence[str],
    readings: ReadingChoices,
    *,
    is_text: bool,
) -> ResolvedDirectory | ExpectedFailure | None:
    """Return the outcome of a way that leads out if the sandbox is taken for the root (AMB-WD-30), None otherwise.

    A tool may treat names and links in different ways, so a link alone shows no reading.
    """
    steps = _cleaned([], _below_top(names)) if is_text else [name.encode() for name in names]
    way = surroundings.follow(steps, meets_faults=False, is_rooted=True)
    leaves_as_text = _leaves_as_text(base, names, surroundings)
    if not way.leaves and not leaves_as_text:
        return None
    key = "AMB-WD-30" if leaves_as_text else "a link that leads out, from the sandbox on"
    if readings.choose(key, readings.accepted_labels("AMB-WD-30")) == "refused":
        return None
    if way.place is None:  # mostly missing, which is no error
        failure = _OUT_BY_PATH if leaves_as_text else _OUT_BY_LINK
        return replace(failure, allows_empty_list=way.ends_in_link, logged="anything")
    return ResolvedDirectory(
        surroundings, way.place, path, False, ".." in names, way.through_link, way.ends_in_link, may_lead_out=True
    )


def _follow(
    surroundings: Surroundings, names: Sequence[bytes], readings: ReadingChoices, *, is_in_folder: bool = False
) -> Way:
    """Return the way, also as if no fault were met: a tool need not look at each name in the way that fails."""
    start = (surroundings.folder,) if is_in_folder else None
    way = surroundings.follow(names, start)
    if way.obstacle in ("fault", "vanished") and not readings.choose("a fault on the way is met", (True, False)):
        return surroundings.follow(names, start, meets_faults=False)
    return way


def _leaves_as_text(base: Sequence[bytes], names: Sequence[str], surroundings: Surroundings) -> bool:
    """Return whether some `..` leads out of the sandbox."""
    return any(
        name == ".." and not _is_below(_cleaned(base, names[: at + 1]), surroundings) for at, name in enumerate(names)
    )


def _is_plain(surroundings: Surroundings, base: Sequence[bytes], names: Sequence[str]) -> bool:
    """Return whether each `..` follows a searchable directory; otherwise text and system give different places."""
    for at, name in enumerate(names):
        before = _cleaned(base, names[:at])
        if name != ".." or before == list(surroundings.sandbox_path) or not before or before[-1] == b"..":
            continue
        node = surroundings.folder
        for part in before:
            child = next((one for one in node.children if one.name == part), None)
            if child is None or child.kind is not Kind.DIR or not is_searchable(node):
                return False
            node = child
        if not is_searchable(node):
            return False
    return True


def _failure(way: Way, *, is_open: bool, readings: ReadingChoices) -> ExpectedFailure:
    """Return the failure for an obstacle inside; `is_open`: a tool may refuse such a path before it looks."""
    may_fail = "error" in readings.accepted_labels("AMB-WD-23")
    match way.obstacle:
        case "missing" if way.ends_in_link:
            return _dangling_start(readings)
        case "missing" | "vanished":
            if is_open or way.through_link or way.obstacle == "vanished":
                fails: Failing = "may" if may_fail else "no"
                return ExpectedFailure("WD-ERR-03", "the start does not exist", fails, logged="anything")
            return ExpectedFailure("WD-ERR-03", "the start does not exist", logged="no error")
        case "no directory":
            return ExpectedFailure("WD-ERR-05", "the path does not lead to a directory")
    reasons = {
        "below a file": "the path leads through a file",
        "closed": "the path leads through a directory that cannot be searched",
        "long name": "a name is too long",
        "loop": "the links form a loop",
        "fault": "the metadata of the start cannot be read",
    }
    return ExpectedFailure("WD-ERR-04", reasons[str(way.obstacle)])


def _dangling_start(readings: ReadingChoices) -> ExpectedFailure:
    """Return the outcome for a link to nothing: it is there, and what it leads to is not.

    So it is missing, or a link below which a walk finds nothing (AMB-WD-06), or an error.
    """
    fails: Failing = "may" if "error" in readings.accepted_labels("AMB-WD-23") else "no"
    is_empty = "empty" in readings.accepted_labels("AMB-WD-06")
    return ExpectedFailure("WD-ERR-03", "the start leads to nothing", fails, is_empty, logged="anything")

"""The expected outcome of a search by one combination of readings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from treeproof.api import Kind, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .glob_readings import BRACES, ENTERED, FREE, MATCHING, SETS, matching_of, names_below_root, names_of
from .globs import expand_braces, has_hyphen_at_an_end, has_open_set
from .outcomes import ExpectedEntry, ExpectedFailure, ExpectedSearch, RequestedDirectory
from .path_resolution import Surroundings
from .walk import Walked

_DIRECTORIES, _LINKS, _SPECIAL, _LAST = "AMB-LF-11", "AMB-LF-41", "AMB-LF-42", "AMB-LF-52"

_CIRCLE = "the search meets a circle of links"

_LAST_STARS = re.compile(r"(?:(?<=/)|^|(?<=[{,]))\*\*(?=$|[,}])")
"""Two stars at the end of a glob, or of an alternative."""

_NO, _MAY, _MUST = 0, 1, 2


@dataclass(frozen=True)
class Found:
    """What a search finds by some readings: what is due, what may be there, and where anything may be."""

    due: tuple[ExpectedEntry, ...]
    optional: tuple[ExpectedEntry, ...]
    search: ExpectedSearch


def malformed_glob(glob: str, readings: ReadingChoices) -> ExpectedFailure | str:
    """Return the failure for a malformed glob, or the glob that is searched for."""
    failure = ExpectedFailure("the glob is malformed", requirement="LF-ERR-02")
    has_open_braces = glob.count("{") > glob.count("}")
    is_malformed = (has_open_set(glob) and "sets" in readings.accepted_labels(SETS)) or (
        has_open_braces and "alternatives" in readings.accepted_labels(BRACES)
    )
    # Others take only such a sign for a character, which shows no reading of those that close.
    if is_malformed and readings.choose("what does not close is malformed", (True, False)):
        return failure
    if has_hyphen_at_an_end(glob) and readings[SETS] == "sets":
        match readings.choose("a hyphen at an end of a set", ("a member", "matches nothing", "malformed")):
            case "malformed":
                return failure
            case "matches nothing":
                return "\0"
    return glob


def found_entries(
    walked: Walked,
    glob: str,
    recursive: bool,
    surroundings: Surroundings,
    readings: ReadingChoices,
    directory: RequestedDirectory,
) -> Found | ExpectedFailure:
    """Return what a search finds, or why it fails. Looks only at readings that differ. Raises Unmodelled."""
    _require_known_signs(glob)
    last_stars = readings[_LAST] if any(one.split("/")[-1] == "**" for one in expand_braces(glob)) else ""
    if last_stars == "one_level":
        glob = _LAST_STARS.sub("*", glob)
    root, paths = directory.place, [directory.spellings["resolved"], *sorted(set(directory.spellings.values()))]
    names = names_of(walked)
    matching = matching_of(glob, recursive, names, tuple(dict.fromkeys(map(names_below_root, paths))))
    finds_any_kind = readings.accepted_labels(_DIRECTORIES)[0] == "all"
    options = {id: FREE.get(id) or readings.options(id) for id in (*MATCHING, ENTERED)}
    labels = readings.choose_group(matching.groups(options, root if finds_any_kind else None)).first
    entered = labels[ENTERED]
    # As a walk of java.nio.file with FOLLOW_LINKS.
    if walked.has_circle and recursive and entered == "entered" and readings.choose(_CIRCLE, (False, True)):
        return ExpectedFailure(_CIRCLE, requirement="LF-FIND-05")
    goes_behind = matching.goes_behind_links(labels)
    found, certain = matching.states(labels)
    states = (0 if not found >> at & 1 else _MUST if certain >> at & 1 else _MAY for at in range(len(walked.entries)))
    matched = [(entry, state) for entry, state in zip(walked.entries, states, strict=True) if state]
    due: list[ExpectedEntry] = []
    optional: list[ExpectedEntry] = []
    for entry, state in _of_found_kinds(matched, surroundings, readings):
        if last_stars == "directories" and entry.node.kind is not Kind.DIR:
            state = _MAY if _target_kind(entry, surroundings) in (Kind.DIR, None) and entry.is_link else _NO
        if state:
            (due if state == _MUST else optional).append(entry)
    search = ExpectedSearch(
        glob,
        recursive,
        walked.entries,
        enters_links=goes_behind,
        open_links=walked.open_links if goes_behind and entered != "named" else (),
        once=entered == "once",
        finds_root=finds_any_kind and matching.matches_root(root, labels),
    )
    return Found(tuple(due), tuple(optional), search)


def _require_known_signs(glob: str) -> None:
    if "\\" in glob:
        raise Unmodelled("the document does not say what a backslash in a glob means")
    for part in (part for one in expand_braces(glob) for part in one.split("/")):
        if "**" in part and part != "**":
            raise Unmodelled("the document does not say what two stars beside other characters mean")
    if not glob or glob.startswith("/") or glob.endswith("/") or "//" in glob:
        raise Unmodelled("the document does not say what an empty part of a glob matches")


def _of_found_kinds(
    matched: Iterable[tuple[ExpectedEntry, int]], surroundings: Surroundings, readings: ReadingChoices
) -> Iterator[tuple[ExpectedEntry, int]]:
    """Yield what is found by the readings of the kinds that a search finds."""
    for entry, state in matched:
        match entry.node.kind:
            case Kind.FILE:
                yield entry, state
            case Kind.DIR:
                if readings[_DIRECTORIES] == "all":
                    yield entry, state
            case Kind.SYMLINK:
                kind = _target_kind(entry, surroundings)
                match readings[_LINKS]:
                    case "found":
                        leaves_directories = kind in (Kind.DIR, None) and readings[_DIRECTORIES] == "files"
                        yield entry, (_MAY if leaves_directories else state)
                    case "to_files" if kind not in (Kind.DIR, "nothing"):
                        yield entry, (state if kind is Kind.FILE else _MAY)
            case _:
                if readings[_SPECIAL] == "found":
                    yield entry, state


def _target_kind(entry: ExpectedEntry, surroundings: Surroundings) -> Kind | str | None:
    """Return the kind of what a link leads to: "nothing", or None if that is not known."""
    try:
        way = surroundings.follow([entry.node.name], entry.place)
    except Unmodelled:
        return None
    return way.node.kind if way.node is not None else "nothing"

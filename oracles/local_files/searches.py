"""The expected outcome of a search by one combination of readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from treeproof.api import Kind, Unmodelled

from ..shared.reading_choices import AlikeReadings, ReadingChoices, group_readings
from ..shared.remembered import once_in_a_row
from .globs import (
    Dialect,
    Level,
    begins_with_two_stars,
    can_cross_slashes,
    expand_braces,
    has_hyphen_at_an_end,
    has_open_set,
    has_opposite,
    has_repetition,
    matches_glob,
)
from .outcomes import ExpectedEntry, ExpectedFailure, ExpectedSearch, RequestedDirectory
from .path_resolution import Place, Surroundings
from .walk import Walked

_RECURSION, _SHORT, _BRACES, _ANCHOR, _FIRST, _INSIDE = (f"AMB-LF-{number}" for number in (13, 33, 35, 37, 38, 39))
_HIDDEN, _NAMES, _SETS, _OPPOSITE, _CASE = (f"AMB-LF-{number}" for number in range(43, 48))
_SLASHES, _QUESTION_MARK, _LAST = "AMB-LF-50", "AMB-LF-51", "AMB-LF-52"
_DIRECTORIES, _LINKS, _SPECIAL, _ENTERED = "AMB-LF-11", "AMB-LF-41", "AMB-LF-42", "AMB-LF-34"

_CIRCLE = "the search meets a circle of links"
_REPEATED, _UNITS = "a pattern that some libraries repeat", "a character beyond 16 bits"
_FREE = {_REPEATED: ("plain", "pattern"), _UNITS: ("one", "two")}
"""Questions that are no interpretations, and their answers."""

_MATCHING = (
    *(_ANCHOR, _NAMES, _HIDDEN, _BRACES, _SETS, _OPPOSITE, _CASE, _SLASHES, _QUESTION_MARK),
    *(_REPEATED, _UNITS, _FIRST, _INSIDE, _RECURSION, _SHORT),
)
"""The interpretations and questions of what a glob matches."""

_LAST_STARS = re.compile(r"(?:(?<=/)|^|(?<=[{,]))\*\*(?=$|[,}])")
"""Two stars at the end of a glob, or of an alternative."""

_ABOVE, _UNKNOWN = ("dev", "root"), ("\0", "\0")
"""Names in the whole path of an entry down to the sandbox root: the real ones are others, and at least two."""

_NO, _MAY, _MUST = 0, 1, 2

Labels = Mapping[str, str]


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
    is_malformed = (has_open_set(glob) and "sets" in readings.accepted_labels(_SETS)) or (
        has_open_braces and "alternatives" in readings.accepted_labels(_BRACES)
    )
    # Others take only such a sign for a character, which shows no reading of those that close.
    if is_malformed and readings.choose("what does not close is malformed", (True, False)):
        return failure
    if has_hyphen_at_an_end(glob) and readings[_SETS] == "sets":
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
    names = _names_of(walked)
    matching = _matching(glob, recursive, names, tuple(dict.fromkeys(map(_names_below_root, paths))))
    finds_any_kind = readings.accepted_labels(_DIRECTORIES)[0] == "all"
    options = {id: _FREE.get(id) or readings.options(id) for id in (*_MATCHING, _ENTERED)}
    labels = readings.choose_group(matching.groups(options, root if finds_any_kind else None)).first
    entered = labels[_ENTERED]
    # As a walk of java.nio.file with FOLLOW_LINKS.
    if walked.has_circle and recursive and entered == "entered" and readings.choose(_CIRCLE, (False, True)):
        return ExpectedFailure(_CIRCLE, requirement="LF-FIND-05")
    states, goes_behind = matching.states(labels), matching.goes_behind_links(labels)
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


@dataclass(frozen=True)
class _Name:
    """What matters of an entry for a glob."""

    path: str
    is_utf8: bool
    has_metadata: bool
    is_behind_link: bool

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The names of the path."""
        return tuple((name, False) for name in self.path.split("/"))


@dataclass(frozen=True)
class _Names:
    """What matters of a walk for a glob. Links are paths below which a search may go on."""

    entries: tuple[_Name, ...]
    links: frozenset[str]

    @classmethod
    def of(cls, walked: Walked) -> _Names:
        names = (_Name(one.path, one.is_utf8, one.has_metadata, one.is_behind_link) for one in walked.entries)
        return cls(tuple(names), frozenset(walked.links))


_names_of = once_in_a_row(_Names.of)


@lru_cache(maxsize=16)
def _matching(glob: str, recursive: bool, names: _Names, above: tuple[tuple[str, ...], ...]) -> _Matching:
    """Return the same object for the many combinations of readings of one call."""
    return _Matching(glob, recursive, names, above)


class _Matching:
    """Which entries of a walk a glob matches, by any readings.

    `above`: the names from the sandbox root to the walked directory; first the real ones, then others that lead there.
    """

    def __init__(self, glob: str, recursive: bool, walked: _Names, above: tuple[tuple[str, ...], ...]) -> None:
        self._glob, self._recursive, self._walked = glob, recursive, walked
        self._above, *self._other_above = above
        self._known_patterns: dict[tuple[object, ...], _Pattern] = {}
        self._groups: dict[tuple[tuple[str, ...], ...], list[AlikeReadings]] = {}

    def groups(self, options: Mapping[str, tuple[str, ...]], root: Place | None) -> list[AlikeReadings]:
        """Return the readings by what is found; with a `root`, also by whether that is."""
        options = {id: labels if id in self._mattering else labels[:1] for id, labels in options.items()}
        key = tuple(options.values())
        if key not in self._groups:
            results: dict[tuple[str, ...], tuple[object, ...]] = {}

            def result(labels: Labels) -> tuple[object, ...]:
                if labels[_SETS] == "plain":  # no set has an opposite
                    labels = {**labels, _OPPOSITE: options[_OPPOSITE][0]}
                known = tuple(labels.values())
                if known not in results:
                    results[known] = found(labels)
                return results[known]

            def found(labels: Labels) -> tuple[object, ...]:
                return self.states(labels), labels[_ENTERED], root is not None and self.matches_root(root, labels)

            self._groups[key] = group_readings(options, result)
        return self._groups[key]

    @cached_property
    def _mattering(self) -> frozenset[str]:
        return frozenset(id for id in (*_MATCHING, _ENTERED) if self._can_matter(id))

    def _can_matter(self, id: str) -> bool:
        glob = self._glob
        if id == _BRACES:
            return "{" in glob
        if id == _NAMES:
            return "/" not in glob
        if id == _ENTERED:
            behind_links = any(entry.is_behind_link for entry in self._walked.entries)
            return self._recursive and (behind_links or bool(self._walked.links))
        if id == _SLASHES:
            return can_cross_slashes(glob)
        if id == _QUESTION_MARK:
            return "?" in glob
        if id == _HIDDEN:
            return any(f"/{entry.path}".count("/.") for entry in self._walked.entries)
        if id in (_SETS, _OPPOSITE):
            return has_opposite(glob) if id == _OPPOSITE else "[" in glob
        if id == _CASE and glob.lower() == glob.upper():
            return False
        if id == _CASE:
            return glob.lower() != glob or any(entry.path.lower() != entry.path for entry in self._walked.entries)
        if id == _REPEATED:
            return has_repetition(glob)
        if id == _UNITS:
            texts = (entry.path for entry in self._walked.entries)
            return ("?" in glob or "[" in glob) and any(text and max(text) > "\uffff" for text in texts)
        if id == _FIRST:
            return any(one.startswith("**") for one in expand_braces(glob))
        if id == _INSIDE:
            return any("/**/" in one for one in expand_braces(glob))
        if id == _RECURSION:
            return not self._recursive and "**" in glob
        if id == _SHORT:
            return not self._recursive and "/" in glob.replace("**/", "")
        return True

    def matches_root(self, root: Place, labels: Labels) -> bool:
        """Return whether the glob matches the whole path of the searched directory, or its name."""
        names = tuple((node.name.decode("utf-8", "replace"), False) for node in root[1:])
        above = ((_ABOVE[0], False),)
        return any(matches_glob(self._glob, levels, _dialect(labels)) for levels in ((*above, *names), names[-1:]))

    def states(self, labels: Labels) -> tuple[int, ...]:
        """Return for each entry of the walk whether it is found."""
        patterns = self._patterns_of(labels)
        return tuple(self._state(entry, labels, patterns) for entry in self._walked.entries)

    def _patterns_of(self, labels: Labels) -> _Patterns:
        certain, parts = [], []
        if self._glob.endswith("/**"):  # for no level they stand for the directory itself
            parts.append(self._pattern(labels, self._glob.removesuffix("/**")))
        if labels[_CASE] == "insensitive":
            certain.append(self._pattern({**labels, _CASE: "in ASCII"}))
        if labels[_SLASHES] == "yes":
            certain.append(self._pattern({**labels, _SLASHES: "not in sets"}))
            if labels[_ANCHOR] == "absolute":
                below = {**labels, _ANCHOR: "below"}
                globs = expand_braces(self._glob) if labels[_BRACES] == "alternatives" else [self._glob]
                parts += [self._pattern(below, part) for glob in globs for part in _parts_below(glob)]
        if not self._recursive and "**" in self._glob and labels[_RECURSION] in ("nothing", "one_level"):
            parts = []  # the stars do not go down
        if labels[_ANCHOR] == "absolute":
            others = [self._pattern(labels, above=above) for above in self._other_above]
            certain, parts = certain + others, parts + others
        return _Patterns(self._pattern(labels), self._pattern({**labels, _SLASHES: "no"}), tuple(certain), tuple(parts))

    def _pattern(self, labels: Labels, part: str | None = None, above: tuple[str, ...] | None = None) -> _Pattern:
        glob, above = self._glob if part is None else part, self._above if above is None else above
        key = (glob, above, *(labels[id] for id in _MATCHING if id != _HIDDEN))
        if key not in self._known_patterns:
            self._known_patterns[key] = _Pattern(glob, labels, self._recursive, self.goes_down(labels), above)
        return self._known_patterns[key]

    def _state(self, entry: _Name, labels: Labels, patterns: _Patterns) -> int:
        if entry.is_behind_link and not self.goes_behind_links(labels):
            return _NO
        if not patterns.whole.matches(entry):
            return _MAY if any(part.matches(entry) for part in patterns.parts) else _NO
        if entry.is_behind_link:
            if not self._recursive:
                return _MAY
            if not patterns.levelwise.matches_levels(tuple(self._marked(entry))):
                return _NO if labels[_ENTERED] == "named" and labels[_SLASHES] == "no" else _MAY
            return _MAY if labels[_ENTERED] == "once" else self._certain(entry)
        if not all(one.matches(entry) for one in patterns.certain):
            return _MAY
        if labels[_HIDDEN] == "left_out" and f"/{entry.path}".count("/."):
            explicit = any(part.startswith(".") for one in expand_braces(self._glob) for part in one.split("/"))
            return _MAY if explicit else _NO
        return self._certain(entry)

    def goes_down(self, labels: Labels) -> bool:
        """Return whether two stars stand for any number of levels."""
        return self._recursive or ("**" in self._glob and labels[_RECURSION] == "all")

    def goes_behind_links(self, labels: Labels) -> bool:
        """Return whether something behind a link may be found."""
        return self.goes_down(labels) and not (self._recursive and labels[_ENTERED] == "passed_by")

    def _certain(self, entry: _Name) -> int:
        """Return that an entry is due, unless a name that is no text is held against a glob for certain characters."""
        is_open = not entry.is_utf8 and not {"?", "["}.isdisjoint(self._glob)
        return _MAY if is_open or not entry.has_metadata else _MUST

    def _marked(self, entry: _Name) -> Iterator[Level]:
        names, links = entry.path.split("/"), self._walked.links
        for at, name in enumerate(names):
            yield name, "/".join(names[: at + 1]) in links and at < len(names) - 1


@dataclass(frozen=True)
class _Patterns:
    """The glob by some readings: of whole paths, and level by level. What one of `certain` does not match may be found.

    `parts` are what may be left of the glob behind what is above the search root.
    """

    whole: _Pattern
    levelwise: _Pattern
    certain: tuple[_Pattern, ...]
    parts: tuple[_Pattern, ...]


class _Pattern:
    """A glob, or what is left of it, by one combination of readings. `goes_down`: two stars stand for any levels."""

    def __init__(self, glob: str, labels: Labels, recursive: bool, goes_down: bool, above: tuple[str, ...]) -> None:
        self._labels, self._recursive, self._goes_down = labels, recursive, goes_down
        self._dialect, self._convert = _dialect(labels), _CONVERSIONS[labels[_CASE]]
        # What crosses slashes must not meet names that are not the real ones.
        unknown = _UNKNOWN if self._dialect.crosses_slashes else _ABOVE
        self._above = tuple((self._convert(name), False) for name in (*unknown, *above))
        self._glob = self._convert(glob)
        self._matched: dict[str, bool] = {}

    def matches(self, entry: _Name) -> bool:
        """Return whether it matches a path."""
        if entry.path not in self._matched:
            self._matched[entry.path] = self.matches_levels(entry.levels)
        return self._matched[entry.path]

    def matches_levels(self, levels: tuple[Level, ...]) -> bool:
        """Return whether it matches the names of a path."""
        return self._is_match(_converted(levels, self._convert))

    def _is_match(self, levels: tuple[Level, ...]) -> bool:
        glob, dialect, labels = self._glob, self._dialect, self._labels
        if self._recursive:
            return self._is_matched(levels)
        if self._goes_down:  # and the glob begins where the search does
            return matches_glob(glob, levels if labels[_ANCHOR] != "absolute" else (*self._above, *levels), dialect)
        if len(levels) == 1 and labels[_RECURSION] == "children" and self._is_matched(levels):
            return True
        if len(levels) == 1 and "**" not in glob:
            return self._is_matched(levels)
        levelwise = replace(dialect, crosses_slashes=False) if dialect.crosses_slashes else dialect
        return any(matches_glob(one, levels, levelwise) for one in _short_globs(glob, labels))

    def _is_matched(self, levels: tuple[Level, ...]) -> bool:
        glob, dialect = self._glob, self._dialect
        if self._labels[_NAMES] == "name" and "/" not in glob and matches_glob(glob, levels[-1:], dialect):
            return True
        match self._labels[_ANCHOR]:
            case "absolute":
                return matches_glob(glob, (*self._above, *levels), dialect)
            case "anywhere":
                # Two stars at the beginning stand for what is before any other place, too.
                is_free = begins_with_two_stars(glob, dialect) and not any(is_named for _, is_named in levels)
                starts = range(1 if is_free else len(levels))
                return any(matches_glob(glob, levels[at:], dialect) for at in starts)
        return matches_glob(glob, levels, dialect)


def _names_below_root(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.split("/")[1:] if name not in ("", "."))


@lru_cache(maxsize=8192)
def _converted(levels: tuple[Level, ...], convert: Callable[[str], str]) -> tuple[Level, ...]:
    if convert is _CONVERSIONS["sensitive"]:
        return levels
    return tuple((convert(name), is_named) for name, is_named in levels)


def _lower_ascii(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)


_CONVERSIONS: Mapping[str, Callable[[str], str]] = {
    "sensitive": lambda text: text,
    "insensitive": str.lower,
    "in ASCII": _lower_ascii,
}
_OPPOSITES = {"exclamation": "!", "caret": "^", "both": "!^", "none": ""}


def _dialect(labels: Labels) -> Dialect:
    return Dialect(
        has_braces=labels[_BRACES] == "alternatives",
        has_sets=labels[_SETS] == "sets",
        opposite=_OPPOSITES[labels[_OPPOSITE]],
        has_repetition=labels[_REPEATED] == "pattern",
        counts_units=labels[_UNITS] == "two",
        least_first=int(labels[_FIRST] == "one_at_least"),
        least_inside=int(labels[_INSIDE] == "one_at_least"),
        crosses_slashes=labels[_SLASHES] != "no",
        sets_cross_slashes=labels[_SLASHES] == "yes",
        has_question_mark=labels[_QUESTION_MARK] == "one",
    )


def _parts_below(glob: str) -> Iterator[str]:
    """Yield what may be left of a glob for the path below the search root."""
    for at in range(1, len(glob)):
        if (glob[at] == "*" or glob[at - 1] in "/?]") and _can_be_above(glob[:at]):
            yield glob[at:]


def _can_be_above(beginning: str) -> bool:
    """Return whether the beginning of a glob may match names above the search root: none of them is written out."""
    first, *others = beginning.split("/")
    return all(not name or not {"*", "?", "["}.isdisjoint(name) for name in (first, *others[:-1]))


def _short_globs(glob: str, labels: Labels) -> Iterator[str]:
    """Yield the globs of single levels that a search without recursion can go down by (AMB-LF-13, 33)."""
    parts = glob.split("/")
    if labels[_ANCHOR] == "absolute" and "**" not in glob:
        return
    if labels[_RECURSION] == "one_level" and "**" in parts:
        yield "/".join("*" if part == "**" else part for part in parts)
    if labels[_SHORT] == "entered" and labels[_RECURSION] == "children":
        yield "/".join(part for part in parts if part != "**")


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

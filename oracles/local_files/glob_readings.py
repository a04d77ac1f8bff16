"""What a glob matches in a walk by each combination of readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from ..shared.reading_choices import AlikeReadings, group_readings
from ..shared.remembered import once_in_a_row
from .globs import (
    Dialect,
    Level,
    begins_with_two_stars,
    can_cross_slashes,
    ends_at_any_level,
    expand_braces,
    has_opposite,
    has_repetition,
    matches_glob,
)
from .path_resolution import Place
from .walk import Walked

_RECURSION, _SHORT, BRACES, _ANCHOR, _FIRST, _INSIDE = (f"AMB-LF-{number}" for number in (13, 33, 35, 37, 38, 39))
_HIDDEN, _NAMES, SETS, _OPPOSITE, _CASE = (f"AMB-LF-{number}" for number in range(43, 48))
_SLASHES, _QUESTION_MARK, ENTERED = "AMB-LF-50", "AMB-LF-51", "AMB-LF-34"

_REPEATED, _UNITS = "a pattern that some libraries repeat", "a character beyond 16 bits"
FREE = {_REPEATED: ("plain", "pattern"), _UNITS: ("one", "two")}
"""Questions that are no interpretations, and their answers."""

MATCHING = (
    *(_ANCHOR, _NAMES, _HIDDEN, BRACES, SETS, _OPPOSITE, _CASE, _SLASHES, _QUESTION_MARK),
    *(_REPEATED, _UNITS, _FIRST, _INSIDE, _RECURSION, _SHORT),
)
"""The interpretations and questions of what a glob matches."""

_OF_GLOBS = tuple(id for id in MATCHING if id != _HIDDEN)

_ABOVE, _UNKNOWN = ("dev", "root"), ("\0", "\0")
"""Names in the whole path of an entry down to the sandbox root: the real ones are others, and at least two."""

Labels = Mapping[str, str]


@dataclass(frozen=True)
class _Name:
    """What matters of an entry for a glob."""

    path: str
    is_utf8: bool
    has_metadata: bool
    is_behind_link: bool


@dataclass(frozen=True)
class _Names:
    """What matters of a walk for a glob. Links are paths below which a search may go on."""

    entries: tuple[_Name, ...]
    links: frozenset[str]

    @classmethod
    def of(cls, walked: Walked) -> _Names:
        names = (_Name(one.path, one.is_utf8, one.has_metadata, one.is_behind_link) for one in walked.entries)
        return cls(tuple(names), frozenset(walked.links))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.entries, self.links))


names_of = once_in_a_row(_Names.of)


@lru_cache(maxsize=16)
def matching_of(glob: str, recursive: bool, names: _Names, above: tuple[tuple[str, ...], ...]) -> Matching:
    """Return the same object for the many combinations of readings of one call."""
    return Matching(glob, recursive, names, above)


class Matching:
    """Which entries of a walk a glob matches, by any readings. A set of entries is a number with a bit for each.

    `above`: the names from the sandbox root to the walked directory; first the real ones, then others that lead there.
    """

    def __init__(self, glob: str, recursive: bool, walked: _Names, above: tuple[tuple[str, ...], ...]) -> None:
        self._glob, self._recursive, self._walked = glob, recursive, walked
        self._above, *self._other_above = above
        self._groups: dict[tuple[tuple[str, ...], ...], list[AlikeReadings]] = {}
        self._known_sets: dict[tuple[str, ...], tuple[int, int, int, int]] = {}
        self._matched_from: dict[tuple[object, ...], int] = {}
        self._tables: dict[tuple[str, bool], _Table] = {}
        self._finds_root: dict[Dialect, bool] = {}
        self._behind = self._set(lambda entry: entry.is_behind_link)
        self._hidden = self._set(lambda entry: "/." in f"/{entry.path}")
        names_dots = any(part.startswith(".") for one in expand_braces(glob) for part in one.split("/"))
        self._left_out = 0 if names_dots else self._hidden
        self._flat = self._set(lambda entry: "/" not in entry.path)
        # A name that is no text may be held against a glob for certain characters.
        is_open = not {"?", "["}.isdisjoint(glob)
        self._sure = self._set(lambda entry: entry.has_metadata and (entry.is_utf8 or not is_open))

    def _set(self, holds: Callable[[_Name], bool]) -> int:
        return _set_of(map(holds, self._walked.entries))

    def groups(self, options: Mapping[str, tuple[str, ...]], root: Place | None) -> list[AlikeReadings]:
        """Return the readings by what is found; with a `root`, also by whether that is."""
        options = {id: labels if id in self._mattering else labels[:1] for id, labels in options.items()}
        key = tuple(options.values())
        if key not in self._groups:
            meanings = {
                label: [sign for sign in signs if f"[{sign}" in self._glob] for label, signs in _OPPOSITES.items()
            }
            opposites = {
                one: next(label for label in options[_OPPOSITE] if meanings[label] == meanings[one])
                for one in options[_OPPOSITE]
            }

            def result(labels: Labels) -> tuple[object, ...]:
                # No set has an opposite if there are no sets.
                first = options[_OPPOSITE][0] if labels[SETS] == "plain" else opposites[labels[_OPPOSITE]]
                labels = {**labels, _OPPOSITE: first}
                return self.states(labels), labels[ENTERED], root is not None and self.matches_root(root, labels)

            self._groups[key] = group_readings(options, result)
        return self._groups[key]

    @cached_property
    def _mattering(self) -> frozenset[str]:
        return frozenset(id for id in (*MATCHING, ENTERED) if self._can_matter(id))

    def _can_matter(self, id: str) -> bool:
        glob = self._glob
        if id == BRACES:
            return "{" in glob
        if id == _NAMES:
            return "/" not in glob
        if id == ENTERED:
            behind_links = any(entry.is_behind_link for entry in self._walked.entries)
            return self._recursive and (behind_links or bool(self._walked.links))
        if id == _SLASHES:
            return can_cross_slashes(glob)
        if id == _QUESTION_MARK:
            return "?" in glob
        if id == _HIDDEN:
            return any(f"/{entry.path}".count("/.") for entry in self._walked.entries)
        if id in (SETS, _OPPOSITE):
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
        dialect = _dialect(labels)
        if dialect not in self._finds_root:
            names = tuple((node.name.decode("utf-8", "replace"), False) for node in root[1:])
            paths = (((_ABOVE[0], False), *names), names[-1:])
            self._finds_root[dialect] = any(matches_glob(self._glob, levels, dialect) for levels in paths)
        return self._finds_root[dialect]

    def states(self, labels: Labels) -> tuple[int, int]:
        """Return the entries of the walk that may be found, and those of them that are due."""
        reached = -1 if self.goes_behind_links(labels) else ~self._behind
        whole, in_part, certain, levelwise = self._matched(labels)
        found, due = (whole | in_part) & reached, whole & certain & ~self._behind
        if labels[_HIDDEN] == "left_out":
            found &= ~(due & self._left_out)
            due &= ~self._hidden
        if self._recursive and (behind := whole & self._behind & reached):
            if labels[ENTERED] == "named" and labels[_SLASHES] == "no":
                found &= ~behind | levelwise
            due |= behind & levelwise if labels[ENTERED] != "once" else 0
        return found, due & self._sure

    def _matched(self, labels: Labels) -> tuple[int, int, int, int]:
        """Return what matches the whole glob, a part of it, all further readings, and names the links on the way."""
        key = tuple(labels[id] for id in _OF_GLOBS)
        if key not in self._known_sets:
            whole, in_part, certain, levelwise = self._match(labels), 0, -1, 0
            for part in self._parts(labels):
                in_part |= self._match(*part)
            for further in self._further(labels):
                certain &= self._match(*further)
            if self._recursive and whole & self._behind:
                levelwise = self._match({**labels, _SLASHES: "no"}, is_marked=True)
            self._known_sets[key] = whole, in_part, certain, levelwise
        return self._known_sets[key]

    def _further(self, labels: Labels) -> Iterator[tuple[Labels, str, tuple[str, ...]]]:
        """Yield further readings of the glob: what they do not match may be found or not."""
        if labels[_CASE] == "insensitive":
            yield {**labels, _CASE: "in ASCII"}, self._glob, self._above
        if labels[_SLASHES] == "yes":
            yield {**labels, _SLASHES: "not in sets"}, self._glob, self._above
        if labels[_ANCHOR] == "absolute":
            yield from ((labels, self._glob, above) for above in self._other_above)

    def _parts(self, labels: Labels) -> Iterator[tuple[Labels, str, tuple[str, ...]]]:
        """Yield what may be left of the glob behind what is above the search root."""
        if self._recursive or "**" not in self._glob or labels[_RECURSION] not in ("nothing", "one_level"):
            if self._glob.endswith("/**"):  # for no level they stand for the directory itself
                yield labels, self._glob.removesuffix("/**"), self._above
            if labels[_SLASHES] == "yes" and labels[_ANCHOR] == "absolute":
                globs = expand_braces(self._glob) if labels[BRACES] == "alternatives" else [self._glob]
                signs = "*?[" if labels[SETS] == "sets" else "*?"
                for part in (part for glob in globs for part in _parts_below(glob, signs)):
                    yield {**labels, _ANCHOR: "below"}, part, self._above
        if labels[_ANCHOR] == "absolute":
            yield from ((labels, self._glob, above) for above in self._other_above)

    def goes_down(self, labels: Labels) -> bool:
        """Return whether two stars stand for any number of levels."""
        return self._recursive or ("**" in self._glob and labels[_RECURSION] == "all")

    def goes_behind_links(self, labels: Labels) -> bool:
        """Return whether something behind a link may be found."""
        return self.goes_down(labels) and not (self._recursive and labels[ENTERED] == "passed_by")

    def _match(
        self, labels: Labels, glob: str = "", above: tuple[str, ...] | None = None, *, is_marked: bool = False
    ) -> int:
        """Return the entries that the glob, or what is left of it, matches."""
        one = _Pattern(glob or self._glob, labels, self._above if above is None else above, is_marked)
        stays = "**" not in one.glob
        if self._recursive:
            return self._match_anchored(one)
        if self.goes_down(labels):  # and the glob begins where the search does
            return self._match_from("absolute" if labels[_ANCHOR] == "absolute" else "below", one)
        found = self._flat & self._match_anchored(one) if stays or labels[_RECURSION] == "children" else 0
        for glob in _short_globs(one.glob, labels):
            levelwise = replace(one, glob=glob, labels={**labels, _SLASHES: "no"})
            found |= self._match_from("below", levelwise) & (~self._flat if stays else -1)
        return found

    def _match_anchored(self, one: _Pattern) -> int:
        found = self._match_from(one.labels[_ANCHOR], one)
        by_name = one.labels[_NAMES] == "name" and "/" not in one.glob
        return found | self._match_from("name", one) if by_name else found

    def _match_from(self, anchor: str, one: _Pattern) -> int:
        """Return the entries whose paths the glob matches from there on."""
        dialect, convert = _dialect(one.labels), _CONVERSIONS[one.labels[_CASE]]
        if anchor == "absolute" and ends_at_any_level(one.glob, dialect):  # there are enough levels above
            anchor, dialect = "below", _dialect({**one.labels, _FIRST: "none_too"})
        glob, table = convert(one.glob), self._table(one.labels[_CASE], one.is_marked)
        above: tuple[Level, ...] = ()
        if anchor == "absolute":  # what crosses slashes must not meet names that are not the real ones
            names = (*(_UNKNOWN if dialect.crosses_slashes else _ABOVE), *one.above)
            above = tuple((convert(name), False) for name in names)
        elif anchor == "anywhere" and not one.is_marked and begins_with_two_stars(glob, dialect):
            anchor = "below"
        key = (glob, anchor, above, id(table), dialect)
        if key not in self._matched_from:
            is_free = begins_with_two_stars(glob, dialect)
            self._matched_from[key] = _set_of(
                any(matches_glob(glob, above + rest, dialect) for rest in _rests(levels, anchor, is_free))
                for levels in table
            )
        return self._matched_from[key]

    def _table(self, case: str, is_marked: bool) -> _Table:
        """Return the names of all paths by a reading of letters: one table for all readings that change none."""
        if (case, is_marked) not in self._tables:
            if case == "sensitive":
                links = self._walked.links if is_marked else frozenset[str]()
                table = tuple(_levels(entry.path, links) for entry in self._walked.entries)
            else:
                plain, convert = self._table("sensitive", is_marked), _CONVERSIONS[case]
                converted = tuple(tuple((convert(name), is_named) for name, is_named in levels) for levels in plain)
                table = plain if converted == plain else converted
            self._tables[case, is_marked] = table
        return self._tables[case, is_marked]


@dataclass(frozen=True)
class _Pattern:
    """A glob, or what is left of it, by some readings. `is_marked`: links are only entered where it names them."""

    glob: str
    labels: Labels
    above: tuple[str, ...]
    is_marked: bool


_Table = tuple[tuple[Level, ...], ...]


def _levels(path: str, links: frozenset[str]) -> tuple[Level, ...]:
    names = path.split("/")
    last = len(names) - 1
    return tuple(
        (name, bool(links) and at < last and "/".join(names[: at + 1]) in links) for at, name in enumerate(names)
    )


def _rests(levels: tuple[Level, ...], anchor: str, is_free: bool) -> Iterable[tuple[Level, ...]]:
    """Return what a glob may be held against. One that begins with two stars needs no other beginning."""
    if anchor == "name":
        return [levels[-1:]]
    if anchor != "anywhere" or (is_free and not any(is_named for _, is_named in levels)):
        return [levels]
    return (levels[at:] for at in range(len(levels)))


def _set_of(members: Iterable[bool]) -> int:
    """Return a number with a bit for each member."""
    return int("".join("01"[one] for one in members)[::-1] or "0", 2)


def names_below_root(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.split("/")[1:] if name not in ("", "."))


def _lower_ascii(text: str) -> str:
    return "".join(character.lower() if character.isascii() else character for character in text)


_CONVERSIONS: Mapping[str, Callable[[str], str]] = {
    "sensitive": lambda text: text,
    "insensitive": str.lower,
    "in ASCII": _lower_ascii,
}
_OF_DIALECTS = (BRACES, SETS, _OPPOSITE, _SLASHES, _QUESTION_MARK, _REPEATED, _UNITS, _FIRST, _INSIDE)
_OPPOSITES = {"exclamation": "!", "caret": "^", "both": "!^", "none": ""}


def _dialect(labels: Labels) -> Dialect:
    return _dialect_of(tuple((id, labels[id]) for id in _OF_DIALECTS))


@lru_cache(maxsize=1024)
def _dialect_of(readings: tuple[tuple[str, str], ...]) -> Dialect:
    labels = dict(readings)
    return Dialect(
        has_braces=labels[BRACES] == "alternatives",
        has_sets=labels[SETS] == "sets",
        opposite=_OPPOSITES[labels[_OPPOSITE]],
        has_repetition=labels[_REPEATED] == "pattern",
        counts_units=labels[_UNITS] == "two",
        least_first=int(labels[_FIRST] == "one_at_least"),
        least_inside=int(labels[_INSIDE] == "one_at_least"),
        crosses_slashes=labels[_SLASHES] != "no",
        sets_cross_slashes=labels[_SLASHES] == "yes",
        has_question_mark=labels[_QUESTION_MARK] == "one",
    )


def _parts_below(glob: str, signs: str) -> Iterator[str]:
    """Yield what may be left of a glob for the path below the search root."""
    for at in range(1, len(glob)):
        if (glob[at] == "*" or glob[at - 1] in "/?]") and _can_be_above(glob[:at], signs):
            yield glob[at:]


def _can_be_above(beginning: str, signs: str) -> bool:
    """Return whether the beginning of a glob may match names above the search root: none of them is written out.

    The one that goes on below may begin with any character but a bracket.
    """
    first, *others = beginning.split("/")
    return ("[" in signs or "[" not in beginning) and all(
        not name or not set(signs).isdisjoint(name) for name in (first, *others[:-1])
    )


def _short_globs(glob: str, labels: Labels) -> Iterator[str]:
    """Yield the globs of single levels that a search without recursion can go down by (AMB-LF-13, 33)."""
    parts = glob.split("/")
    if labels[_ANCHOR] == "absolute" and "**" not in glob:
        return
    if labels[_RECURSION] == "one_level" and "**" in parts:
        yield "/".join("*" if part == "**" else part for part in parts)
    if labels[_SHORT] == "entered" and labels[_RECURSION] == "children":
        yield "/".join(part for part in parts if part != "**")

"""The resolution of a path in a tree, name by name over directories and links, inside the project root or outside.

A location is the tuple of names that lead to it from the folder that contains the sandbox root, which is named `root`.
`$OUTSIDE` is that folder. The locations above it are unknown, and always outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from treeproof.api import ROOT_NAME, Case, Kind, Node, Unmodelled

from ..shared.reading_choices import ReadingChoices
from ..shared.remembered import once_in_a_row

Location: TypeAlias = tuple[bytes, ...]

MAX_LINKS, MAX_NAME_BYTES, MAX_PATH_BYTES = 40, 255, 4000
ABOVE_KNOWN: Location = (b"..",)
"""The placeholder for every location above the known folder."""

FOLDER = b"OUTSIDE"
"""The placeholder for the path of the known folder from the top of the system."""

_ONLY_UP = re.compile(rb"[/.]*/\.{0,2}(?=\$ROOT|\$OUTSIDE)")
"""The beginning of an absolute path that stays at the top of the system."""


def is_too_long(path: str) -> bool:
    """Return whether the system refuses a path for its length, or for that of a name in it."""
    text = path.encode("utf-8", "surrogateescape")
    return len(text) > MAX_PATH_BYTES or any(len(part) > MAX_NAME_BYTES for part in text.split(b"/"))


@dataclass(frozen=True)
class ResolvedPath:
    """The end of a path. `node` is None for a missing entry and for what is unknown.

    `is_unsearchable`: the path leads through a directory that cannot be searched. `through_file`: through an entry that
    is not a directory. `climbs_from_missing`: `..` follows a missing entry. `climbs_from_file`: `..` follows an entry
    that is not a directory. `left_project`: a part of the path leads outside. `has_absolute_link`: a link on the way
    has an absolute target. `is_inside` is about the project root.
    """

    location: Location
    relative: Location
    node: Node | None
    exists: bool
    is_inside: bool
    is_unsearchable: bool = False
    through_file: bool = False
    through_link: bool = False
    has_link_loop: bool = False
    climbs_from_missing: bool = False
    climbs_from_file: bool = False
    left_project: bool = False
    has_absolute_link: bool = False

    @property
    def is_directory(self) -> bool:
        return self.exists and (self.node is None or self.node.kind is Kind.DIR)


class Project:
    """The project root of a case, with what is beside it."""

    def __init__(self, case: Case) -> None:
        """Raise Unmodelled if the context names several roots, or one elsewhere in the system."""
        inside = Node(ROOT_NAME, Kind.DIR, children=case.tree.entries)
        folder = Node(b"folder", Kind.DIR, children=(inside, *case.outside.entries))
        self._nodes: dict[Location, Node | None] = {(): folder}
        self._resolved: dict[tuple[Location, bytes, bytes], ResolvedPath] = {}
        self.root: Location = (ROOT_NAME,)
        roots = case.context.get("roots", ["$ROOT"])
        if not (isinstance(roots, list) and len(roots) == 1 and isinstance(roots[0], str)):
            raise Unmodelled("the context has no single root")
        self.root_text = roots[0].encode()
        self.is_missing = False
        """True if the root is no directory."""
        self.is_system = not self.root_text.strip(b"/")
        """True if the root is the top of the system, from which all paths lead over the known folder."""
        if self.is_system:
            self.root = ()
        elif self.root_text != b"$ROOT":
            text, self.root_text = self.root_text, b"$ROOT"
            end = self.resolve((), text)
            if end.location[:1] == ABOVE_KNOWN:
                raise Unmodelled("the root of the context is elsewhere in the system")
            self.is_missing = not end.is_directory
            self.root, self.root_text = end.location, text

    @property
    def has_alias(self) -> bool:
        """True if the context names the root by another path than its own."""
        return self.root_text != b"$ROOT" and not self.is_system

    def relative(self, location: Location) -> Location:
        """Return the names that lead to a location from the root, of the system by way of the known folder."""
        return (FOLDER, *location) if self.is_system else location[len(self.root) :]

    def entries(self, location: Location) -> tuple[Node, ...]:
        """Return the entries of a directory; none for another location."""
        node = self.node(location)
        return node.children if node is not None and node.kind is Kind.DIR else ()

    def node(self, location: Location) -> Node | None:
        """Return the node at a location; None if there is none, or if it is unknown."""
        known = len(location)
        while location[:known] not in self._nodes:
            known -= 1
        for end in range(known, len(location)):
            above = self._nodes[location[:end]]
            children = above.children if above is not None else ()
            self._nodes[location[: end + 1]] = next((one for one in children if one.name == location[end]), None)
        return self._nodes[location]

    def is_inside(self, location: Location) -> bool:
        """Return whether a location is the project root, or below it."""
        return self.is_system or (location[:1] != ABOVE_KNOWN and location[: len(self.root)] == self.root)

    def is_inside_by_text(self, start: Location, text: bytes) -> bool:
        """Return whether a path from a directory ends inside if no link is followed."""
        return self.is_inside(_PathWalker(self, start).clean(text))

    def resolve(self, start: Location, text: bytes) -> ResolvedPath:
        """Follow a path from a directory. Raises Unmodelled."""
        key = start, text, self.root_text  # each combination of readings follows the same paths
        if key not in self._resolved:
            if is_too_long(text.decode("utf-8", "surrogateescape")):
                raise Unmodelled("a name or path is too long for the system")
            self._resolved[key] = _PathWalker(self, start).resolve(text)
        return self._resolved[key]


project_of = once_in_a_row(Project)


class _PathWalker:
    def __init__(self, project: Project, start: Location) -> None:
        self.project = project
        self.location = start
        self.exists = True
        self.is_unsearchable = self.through_file = self.through_link = False
        self.climbs_from_missing = self.climbs_from_file = self.left_project = self.has_absolute_link = False

    def resolve(self, text: bytes) -> ResolvedPath:
        pending, links = self._begin(text), 0
        while pending:
            name = pending.pop(0)
            if name in (b"", b"."):
                continue
            if name == b"..":
                self._up()
            elif self.location == ABOVE_KNOWN:
                self.exists = False  # unknown, and outside
            elif (target := self._down(name)) is not None:
                links += 1
                self.through_link = True
                self.has_absolute_link |= target.startswith((b"/", b"$"))
                if links > MAX_LINKS:
                    self.exists = False
                    return self._end(has_link_loop=True)
                pending = self._begin(target) + pending
            self.left_project |= not self.project.is_inside(self.location)
        return self._end()

    def clean(self, text: bytes) -> Location:
        """Return the end of a path whose names are not looked up."""
        for name in self._begin(text):
            if name == b"..":
                self.location = _parent(self.location)
            elif name not in (b"", b"."):
                self.location = (*self.location, name)
        return self.location

    def _end(self, *, has_link_loop: bool = False) -> ResolvedPath:
        return ResolvedPath(
            self.location,
            self.project.relative(self.location),
            self.project.node(self.location) if self.exists else None,
            self.exists,
            self.project.is_inside(self.location),
            self.is_unsearchable,
            self.through_file,
            self.through_link,
            has_link_loop,
            self.climbs_from_missing,
            self.climbs_from_file,
            self.left_project,
            self.has_absolute_link,
        )

    def _begin(self, text: bytes) -> list[bytes]:
        """Return the components of a path; an absolute path changes the location."""
        if text.startswith(b"/") and (found := _ONLY_UP.match(text)):
            text = text[found.end() :]
        alias = self.project.root_text
        for name, location in ((alias, self.project.root), (b"$ROOT", (ROOT_NAME,)), (b"$OUTSIDE", ())):
            if not name.strip(b"/"):
                continue
            if text == name or text.startswith(name + b"/"):
                self._jump(location)
                return _components(text[len(name) :])
        if text.startswith(b"$ROOT"):  # a neighbour whose name begins with that of the root
            self._jump(())
            return _components(ROOT_NAME + text[len(b"$ROOT") :])
        if text.startswith((b"/", b"$OUTSIDE")):
            self._jump(ABOVE_KNOWN)
        return _components(text)

    def _jump(self, location: Location) -> None:
        self.location, self.exists = location, True

    def _up(self) -> None:
        node = self.project.node(self.location) if self.exists else None
        from_file = node is not None and node.kind is not Kind.DIR
        self.climbs_from_missing |= not self.exists  # the text leads back, but the file system cannot follow it
        self.climbs_from_file |= from_file
        if node is not None and not _searchable(node):
            raise Unmodelled("`..` follows a directory that cannot be searched")
        self.location = _parent(self.location)
        if (self.climbs_from_missing or self.climbs_from_file) and self.location != ABOVE_KNOWN:
            self.exists = self.project.node(self.location) is not None

    def _down(self, name: bytes) -> bytes | None:
        """Go to an entry; return the target of a link."""
        directory = self.project.node(self.location) if self.exists and not self.is_unsearchable else None
        found = None
        if directory is not None and directory.kind is not Kind.DIR:
            self.through_file = True
        elif directory is not None and not _searchable(directory):
            self.is_unsearchable = True
        elif directory is not None:
            found = next((node for node in directory.children if node.name == name), None)
        if found is not None and found.kind is Kind.SYMLINK:
            return found.target
        self.exists = found is not None
        self.location = (*self.location, name)
        return None


def is_sorted_as_directory(project: Project, directory: Location, link: Node, readings: ReadingChoices) -> bool:
    """Return whether a link stands among the directories."""
    end = project.resolve(directory, link.target or b"")
    if end.climbs_from_missing or end.climbs_from_file:
        raise Unmodelled("`..` in a link follows an entry that is not a directory")
    if end.has_link_loop or end.is_unsearchable:
        return False
    if end.location[:1] == ABOVE_KNOWN and not end.exists:  # a place that the case does not know
        return bool(readings.choose("a link to an unknown place", (False, True)))
    if not end.is_directory:
        return False
    if not end.is_inside:
        if readings["AMB-LS-23"] == "b":
            return True
        # Its own target, another link, lies inside.
        by_text = project.is_inside_by_text(directory, link.target or b"")
        return by_text and bool(readings.choose("a chain of links out", (False, True)))
    # Whether a way through the outside is one that stays inside is open, too.
    return not end.left_project or bool(readings.choose("a link through the outside", (True, False)))


def leads_to_file(project: Project, directory: Location, link: Node, readings: ReadingChoices) -> bool:
    """Return whether a link leads to a file; that of one outside is open."""
    end = project.resolve(directory, link.target or b"")
    if end.node is None or end.node.kind is not Kind.FILE:
        return False
    return end.is_inside or bool(readings.choose("a link to a file outside", (True, False)))


def _parent(location: Location) -> Location:
    return location[:-1] if location and location != ABOVE_KNOWN else ABOVE_KNOWN


def _components(text: bytes) -> list[bytes]:
    if b"$ROOT" in text or b"$OUTSIDE" in text:
        raise Unmodelled("a path holds the path of the project in its middle")
    return text.split(b"/")


def _searchable(node: Node) -> bool:
    return node.mode is None or bool(node.mode & 0o100)


def may_be_read(node: Node | None) -> bool:
    """Return whether the names in a directory can be read."""
    return node is None or node.mode is None or bool(node.mode & 0o400)


def may_be_looked_into(node: Node | None) -> bool:
    """Return whether the entries of a directory can be looked at."""
    return node is None or _searchable(node)


def ends_past_a_file(text: str, end: ResolvedPath, readings: ReadingChoices) -> bool:
    """Return whether a path has only dots and slashes after a file and counts as one below it (AMB-LS-41).

    That shows no reading: what stands behind the file is no name.
    """
    is_past = end.exists and not end.is_directory and text.endswith(("/", "/."))
    return is_past and bool(readings.choose("a slash behind a file", (False, True)))

"""The folder of a case, with the sandbox root and what is beside it, and where names and links lead in it.

`$OUTSIDE` is the path of the folder, and `$ROOT` that of the sandbox root, `$OUTSIDE/root`. What is above the folder,
or at any other absolute path, is the rest of the system, of which nothing is known but that it lies outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treeproof.api import ROOT_NAME, Case, Kind, Node, Unmodelled

from ..shared.hard_links import with_own_metadata
from ..shared.remembered import once_in_a_row

MAX_NAME_BYTES, MAX_LINKS = 255, 40

Place = tuple[Node, ...]
"""A directory: the nodes from the folder, which comes first, down to the directory itself."""

Obstacle = Literal["missing", "no directory", "below a file", "closed", "long name", "loop", "fault", "vanished"]


@dataclass(frozen=True)
class Way:
    """Where names lead: to the directory `place`, to an `obstacle`, or without both to the rest of the system.

    `is_outside`: the directory, or the one with the obstacle, is not in the sandbox. `leaves`: some step of the way is
    not, or is one that stays inside only because the sandbox is taken for the root. `is_last`: no name follows the
    obstacle. `through_link`, `ends_in_link`: a name is a link, and so is the last.
    """

    place: Place | None
    obstacle: Obstacle | None
    is_outside: bool
    leaves: bool
    is_last: bool
    through_link: bool
    ends_in_link: bool


def as_folder_path(text: str) -> str | None:
    """Return the path below the folder that an absolute path or target names; None for one of the rest of the system.

    Texts that begin with the path of the sandbox root, such as `$ROOT2`, name its neighbours.
    """
    if text.startswith("$ROOT"):
        return ROOT_NAME.decode() + text[len("$ROOT") :]
    if text == "$OUTSIDE" or text.startswith("$OUTSIDE/"):
        return text[len("$OUTSIDE/") :]
    return None


def is_searchable(directory: Node) -> bool:
    """Return whether the owner may look at what is in a directory."""
    return directory.mode is None or directory.mode & 0o100 != 0


class Surroundings:
    """The folder of a case and the place of the sandbox in it."""

    def __init__(self, case: Case) -> None:
        """Raise Unmodelled if the context names no single sandbox, which is the system or a place in the folder."""
        inside = Node(ROOT_NAME, Kind.DIR, children=with_own_metadata(case.tree).entries)
        self.folder = Node(b"folder", Kind.DIR, children=(inside, *with_own_metadata(case.outside).entries))
        self.case = case
        self._targets: dict[int, tuple[Node | None, bool]] = {}
        self.sandbox: Place = (self.folder, inside)
        self.sandbox_path: tuple[bytes, ...] = (ROOT_NAME,)
        """The names of the sandbox below the folder, as the context has them."""
        self.is_system = False
        """Whether the sandbox is the whole system: all of the folder lies in it, and is found from the folder on."""
        self.is_missing = False
        """Whether the sandbox is no directory; whatever there is lies outside then."""
        roots, directory = (case.context.get(name) for name in ("roots", "working_dir"))
        if roots is None and directory is None:
            return
        root = roots[0] if isinstance(roots, list) and len(roots) == 1 else "$ROOT" if roots is None else None
        if root == "/" == (directory or root):
            self.sandbox, self.sandbox_path, self.is_system = (self.folder,), (), True
            return
        text = as_folder_path(root) if isinstance(root, str) else None
        if text is None or (directory or "$ROOT") != root:
            raise Unmodelled("the context has several roots, or another working directory than its root")
        names = tuple(name.encode() for name in text.split("/") if name)
        if names == (ROOT_NAME,):
            return
        if case.outside.find(b"/".join(names)) is None and not case.outside.entries:
            # Who calls the model for random cases has no tree beside the sandbox; `alias` is then a link to it.
            return
        place = self.follow(names, start=(self.folder,)).place
        self.is_missing = place is None
        self.sandbox, self.sandbox_path = place or (self.folder, Node(names[-1], Kind.DIR)), names

    def is_inside(self, place: Place) -> bool:
        """Return whether a directory is the sandbox or lies in it."""
        return len(place) >= len(self.sandbox) and place[len(self.sandbox) - 1] is self.sandbox[-1]

    def follow(
        self, names: Sequence[bytes], start: Place | None = None, *, meets_faults: bool = True, is_rooted: bool = False
    ) -> Way:
        """Return where names lead from the sandbox, or from another directory, as a system resolves them.

        `is_rooted`: it takes the sandbox for the root, so it never leaves it.
        """
        return _Follower(self, start or self.sandbox, meets_faults, is_rooted).follow(names)

    def target_of(self, place: Place, link: Node) -> tuple[Node | None, bool]:
        """Return what a link in this directory leads to, and whether that is known: None is nothing then."""
        if id(link) not in self._targets:  # each outcome of a case needs it again
            way = _Follower(self, place, False).follow([link.name], of_any_kind=True)
            is_known = way.place is not None or (way.obstacle is not None and not way.is_outside)
            self._targets[id(link)] = (way.place[-1] if way.place is not None else None), is_known
        return self._targets[id(link)]


surroundings_of = once_in_a_row(Surroundings)


class _Follower:
    """Follows names and links from one directory on."""

    def __init__(self, surroundings: Surroundings, start: Place, meets_faults: bool, is_rooted: bool = False) -> None:
        self._surroundings = surroundings
        self._place = start
        self._meets_faults = meets_faults
        self._is_rooted = is_rooted
        self._leaves = self._jumps = self._through = self._ends = False

    def follow(self, names: Sequence[bytes], *, of_any_kind: bool = False) -> Way:
        pending, links = [(name, True) for name in names], 0
        while pending:
            name, is_given = pending.pop(0)
            if name in (b"", b"."):
                continue
            is_last = all(one in (b"", b".") for one, _ in pending)
            if name == b"..":
                if self._is_rooted and self._place[-1] is self._surroundings.sandbox[-1]:
                    self._leaves = True
                    continue
                if len(self._place) == 1:
                    return self._end_in_system()
                self._jumps = False
                self._move(self._place[:-1])
                continue
            node = self._child(name)
            if not isinstance(node, Node):
                return self._end(node, is_last)
            if node.kind is not Kind.SYMLINK:
                if node.kind is not Kind.DIR and not (of_any_kind and not pending):
                    return self._end("no directory" if is_last else "below a file", is_last)
                self._move((*self._place, node))
                continue
            links += 1
            if links > MAX_LINKS:
                return self._end("loop", is_last)
            self._through = True
            self._ends = self._ends or (is_given and not pending)
            target = (node.target or b"").decode("utf-8", "surrogateescape")
            if self._is_rooted and target.startswith(("/", "$ROOT", "$OUTSIDE")):
                self._move(self._surroundings.sandbox)
                self._leaves = True
            elif target.startswith(("/", "$ROOT", "$OUTSIDE")):
                below = as_folder_path(target)
                if below is None:
                    return self._end_in_system()
                self._jumps, target = True, below
                self._move((self._surroundings.folder,))
            steps = target.encode("utf-8", "surrogateescape").split(b"/")
            pending = [*((step, False) for step in steps), *pending]
        return self._end()

    def _move(self, place: Place) -> None:
        self._place, sandbox = place, self._surroundings.sandbox
        if self._surroundings.is_inside(place):
            self._jumps = False
        elif not (self._jumps and all(one is other for one, other in zip(place, sandbox, strict=False))):
            self._leaves = True  # and not on the way down to the sandbox, behind an absolute link

    def _child(self, name: bytes) -> Node | Obstacle:
        directory = self._place[-1]
        if not is_searchable(directory):
            return "closed"
        if len(name) > MAX_NAME_BYTES:
            return "long name"
        for node in directory.children:
            if node.name == name:
                if self._meets_faults and "lstat" in node.faults:
                    return "vanished" if node.error == "ENOENT" else "fault"
                return node
        return "missing"

    def _end(self, obstacle: Obstacle | None = None, is_last: bool = False) -> Way:
        place = self._place if obstacle is None else None
        is_outside = not self._surroundings.is_inside(self._place)
        return Way(place, obstacle, is_outside, self._leaves, is_last, self._through, self._ends)

    def _end_in_system(self) -> Way:
        if self._surroundings.is_system:
            raise Unmodelled("the way leads through the rest of a system that is the sandbox")
        return Way(None, None, True, True, True, self._through, self._ends)

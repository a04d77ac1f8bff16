"""The resolution of a requested path to a directory, or to the reason why there is none.

The folder of a case contains the sandbox root and what is beside it. What is above it is the rest of the system, of
which a model knows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeproof.api import ROOT_NAME, Case, Kind, Node, Unmodelled

from ..shared.hard_links import with_own_metadata
from ..shared.reading_choices import ReadingChoices
from ..shared.remembered import once_in_a_row
from .outcomes import RequestedDirectory

ROOT, FOLDER = "$ROOT", "$OUTSIDE"
MAX_PATH_BYTES, MAX_LINKS = 3800, 40
UNCLEAN = "the path has dots, or slashes that say nothing"
"""Why a call fails that takes no such path."""

Place = tuple[Node, ...]
"""Where something is: the nodes from the folder on, which comes first."""


@dataclass(frozen=True)
class Way:
    """Where names lead: to a place, or to none for a reason.

    `through_link`: some name is a link, `ends_in_link`: the last one is, `passes_link`: one before it is.
    """

    place: Place | None
    reason: str = ""
    through_link: bool = False
    ends_in_link: bool = False
    passes_link: bool = False

    @property
    def node(self) -> Node | None:
        """Return what is at the place."""
        return self.place[-1] if self.place else None


class Surroundings:
    """The folder of a case, and where names and links lead in it."""

    def __init__(self, case: Case) -> None:
        inside = Node(ROOT_NAME, Kind.DIR, children=with_own_metadata(case.tree).entries)
        self.folder = Node(b"folder", Kind.DIR, children=(inside, *with_own_metadata(case.outside).entries))
        self.sandbox: Place = (self.folder, inside)
        self.walks: dict[object, object] = {}
        """The walks of this case that no reading changes."""
        self.directories: dict[tuple[object, ...], RequestedDirectory] = {}
        self._ways: dict[tuple[object, ...], Way | Unmodelled] = {}

    def follow(self, names: Sequence[bytes], start: Place) -> Way:
        """Return where names lead from a place. Raises Unmodelled for the rest of the system."""
        key = (*names, *map(id, start))
        if key not in self._ways:
            try:
                self._ways[key] = self._follow(names, start)
            except Unmodelled as why:
                self._ways[key] = why
        way = self._ways[key]
        if isinstance(way, Unmodelled):
            raise way
        return way

    def _follow(self, names: Sequence[bytes], start: Place) -> Way:
        place, links, ends_in_link, passes_link = start, 0, False, False
        pending = [(name, True) for name in names]
        while pending:
            name, is_given = pending.pop(0)
            if name in (b"", b"."):
                continue
            here = place[-1]
            if here.kind is not Kind.DIR:
                return Way(None, "the path is no directory", bool(links))
            if here.mode is not None and not here.mode & 0o100:
                return Way(None, "the path leads through a directory that cannot be searched", bool(links))
            if name == b"..":
                if len(place) == 1:
                    raise Unmodelled("the path leads to the rest of the system, whose content is not known")
                place = place[:-1]
                continue
            found = next((node for node in here.children if node.name == name), None)
            if found is None:
                return Way(None, "the path does not exist", bool(links))
            if "lstat" in found.faults:
                raise Unmodelled("a fault is injected on the way to the directory")
            if found.kind is not Kind.SYMLINK:
                place = (*place, found)
                continue
            links += 1
            if links > MAX_LINKS:
                return Way(None, "the links form a circle", True)
            is_last = not any(part not in (b"", b".") for part, _ in pending)
            ends_in_link, passes_link = (
                ends_in_link or (is_given and is_last),
                passes_link or (is_given and not is_last),
            )
            place, steps = self._target(found.target or b"", place)
            pending = [*((step, False) for step in steps), *pending]
        return Way(place, "", bool(links), ends_in_link, passes_link)

    def _target(self, target: bytes, place: Place) -> tuple[Place, list[bytes]]:
        """Return the place where a target begins, and its names."""
        for placeholder, beginning in ((ROOT, self.sandbox), (FOLDER, (self.folder,))):
            if target == placeholder.encode() or target.startswith(placeholder.encode() + b"/"):
                return beginning, target[len(placeholder) :].split(b"/")
        if target.startswith((b"/", b"$ROOT", b"$OUTSIDE")):
            raise Unmodelled("a link leads to the rest of the system, whose content is not known")
        return place, target.split(b"/")


surroundings_of = once_in_a_row(Surroundings)


def resolve_directory(surroundings: Surroundings, path: str, readings: ReadingChoices) -> RequestedDirectory | str:
    """Return the directory at a path, or why there is none. Raises Unmodelled."""
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise Unmodelled("the path leads to the rest of the system, whose content is not known")
    if "\0" in path:
        return "the path holds a NUL"
    names = [name for name in path.removeprefix(ROOT).split("/") if name not in ("", ".")]
    cleaned = _cleaned(names)
    way = _way(surroundings, names, cleaned, readings)
    if way.place is None:
        return way.reason
    if way.place[-1].kind is not Kind.DIR:
        return "the path is no directory"
    if _is_refused_as_unclean(path, readings):
        return UNCLEAN
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        raise Unmodelled("the path may be too long for the system")
    key = (path, *map(id, way.place))
    if key not in surroundings.directories:
        surroundings.directories[key] = _directory(surroundings, path, names, way, way.place)
    return surroundings.directories[key]


def _directory(
    surroundings: Surroundings, path: str, names: Sequence[str], way: Way, place: Place
) -> RequestedDirectory:
    cleaned = _cleaned(names)
    lexical = _followed(surroundings, cleaned, (surroundings.folder,)).place if ".." in names else place
    is_lexical = lexical is not None and lexical[-1] is place[-1]
    normalised = absolute_path(cleaned)
    spellings = {"normalised": normalised} if is_lexical else {}
    spellings["resolved"] = absolute_path([node.name.decode("utf-8", "replace") for node in place[1:]])
    return RequestedDirectory(
        place[-1],
        {**spellings, "verbatim": path},
        has_plain_path=path == normalised and not way.through_link,
        ends_in_link=way.ends_in_link,
        passes_link=way.passes_link,
        place=place,
    )


def _is_refused_as_unclean(path: str, readings: ReadingChoices) -> bool:
    """Return whether a call fails for the dots of its path (AMB-LF-24); only a step up has to fail it."""
    names = path.split("/")
    if ".." in names:
        return readings["AMB-LF-24"] == "refused"
    options = (False, True) if "refused" in readings.accepted_labels("AMB-LF-24") else (False,)
    is_clean = not {"", "."} & set(names[1:]) and ".." not in path
    return not is_clean and bool(readings.choose("what is no step up is refused", options))


def absolute_path(names: Sequence[str]) -> str:
    """Return the absolute path of names below the folder."""
    first, *others = names or [""]
    return "/".join((ROOT, *others)) if first == ROOT_NAME.decode() else "/".join((FOLDER, *names))


def _way(surroundings: Surroundings, names: Sequence[str], cleaned: Sequence[str], readings: ReadingChoices) -> Way:
    """Return where names lead: as the system goes, or, if there are steps up, as the text is shortened (AMB-LF-24)."""
    physical = _followed(surroundings, names, surroundings.sandbox)
    if ".." not in names:
        return physical
    lexical = _followed(surroundings, cleaned, (surroundings.folder,))
    if physical.place is not None and lexical.place is not None and physical.place[-1] is lexical.place[-1]:
        return physical
    if physical.place is None and lexical.place is None:
        return lexical
    if physical.through_link:
        return physical if readings["AMB-LF-24"] == "physical" else lexical
    key = "a step up behind what is no directory"
    return readings.choose(key, (lexical, physical))  # type: ignore[no-any-return]


def _followed(surroundings: Surroundings, names: Sequence[str], start: Place) -> Way:
    return surroundings.follow([name.encode("utf-8", "surrogatepass") for name in names], start)


def _cleaned(names: Sequence[str]) -> list[str]:
    """Return the names below the folder without steps up. Raises Unmodelled if they lead above the folder."""
    found = [ROOT_NAME.decode()]
    for name in names:
        if name != "..":
            found.append(name)
        elif found:
            found.pop()
        else:
            raise Unmodelled("the path leads to the rest of the system, whose content is not known")
    return found

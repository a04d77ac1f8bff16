"""The resolution of the requested path to a directory, or to the expected failure.

Links in the path are followed; only where they lead to decides. The walk below the requested directory follows none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from treeproof.api import ROOT_NAME, Case, Kind, Node, Unmodelled

from ..shared.reading_choices import ReadingChoices
from ..shared.remembered import once_in_a_row
from .arguments import ExpectedFailure, bad_args
from .lossy_names import REPLACEMENT, lossy_decodings
from .path_text import FOLDER, has_control_character, looks_like_another, without_placeholders

_MAX_NAME_BYTES, MAX_PATH_BYTES, _MAX_LINKS = 255, 4096, 40

VIOLATION = frozenset({"SandboxViolation"})
FAILURE = frozenset({"ExecutionFailed"})
VIOLATION_OR_FAILURE = VIOLATION | FAILURE
ANY_ERROR = VIOLATION_OR_FAILURE | {"BadArgs"}

Names = tuple[bytes, ...]
"""A place: the names that lead to it from the folder with the sandbox root."""

_SANDBOX_ROOT: Names = (ROOT_NAME,)


@dataclass(frozen=True)
class ResolvedDirectory:
    """The directory that a path leads to: `path` as the document shows it, and its place."""

    path: str
    node: Node
    place: Names
    through_link: bool

    @property
    def children(self) -> tuple[Node, ...]:
        """Return the entries of the directory."""
        return self.node.children

    @property
    def is_sandbox_root(self) -> bool:
        """Return whether it is the sandbox root itself, which every call can list."""
        return self.place == _SANDBOX_ROOT


class _SystemPlace(Exception):
    """A path leads to the rest of the system, of which the model knows nothing."""


class Surroundings:
    """The folder of a case with the sandbox root and what is beside it, the allowed roots, the working directory."""

    def __init__(self, case: Case) -> None:
        """Raise Unmodelled for a context whose places are elsewhere in the system, or of which one is no directory."""
        root = Node(ROOT_NAME, Kind.DIR, children=case.tree.entries)
        self.folder = Node(b"folder", Kind.DIR, children=(root, *case.outside.entries))
        given: Mapping[str, Any] = {"roots": ["$ROOT"], "working_dir": "$ROOT", **case.context}
        texts = [without_placeholders(text) for text in given["roots"]]
        self.is_all_allowed = any(not text.strip("/") for text in texts)
        self.roots: tuple[Names, ...] = ()
        self.is_without_root = len(texts) == 1 and bool(texts[0].strip("/")) and self._place(texts[0]) is None
        """Whether the only root is no directory."""
        if not self.is_without_root:
            self.roots = tuple(self._directory(text) for text in texts if text.strip("/"))
            self.working_dir = self._directory(without_placeholders(given["working_dir"]))

    def _directory(self, text: str) -> Names:
        place = self._place(text)
        if place is None:
            raise Unmodelled("one of several roots or the working directory is no directory")
        return place

    def _place(self, text: str) -> Names | None:
        parts = [part for part in text.split("/") if part not in ("", ".")]
        try:
            if not text.startswith("/") or parts[:1] != [FOLDER]:
                raise _SystemPlace
            names = [part.encode("utf-8", "surrogateescape") for part in parts[1:]]
            walker = PathWalker(self, (), len(names))
            obstacle = walker.follow(names)
        except _SystemPlace:
            raise Unmodelled("a root or the working directory is elsewhere in the system") from None
        return walker.place if obstacle is None else None

    def contains(self, place: Names) -> bool:
        """Return whether a place is in one of the allowed roots."""
        return self.is_all_allowed or any(place[: len(root)] == root for root in self.roots)

    def relative(self, place: Names) -> list[Names]:
        """Return the names that lead to a place from each of the roots that contain it."""
        return [place[len(root) :] for root in self.roots if place[: len(root)] == root]

    def directories(self, place: Names) -> list[Node]:
        """Return the directories on the way to one, the folder first. `place` has no links."""
        found = [self.folder]
        for name in place:
            found.append(next(child for child in found[-1].children if child.name == name))
        return found


surroundings_of = once_in_a_row(Surroundings)


@dataclass(frozen=True)
class Obstacle:
    """Why names lead to no directory. `is_named`: a name is left that need not exist; `can_return`: so are two dots."""

    reason: str
    is_missing: bool = False
    is_file: bool = False
    is_uncertain: bool = False
    """Whether a sandbox may see it as a breach: it cannot look behind it."""
    is_named: bool = False
    can_return: bool = False
    is_in_system: bool = False
    is_of_any_kind: bool = False
    """Whether any kind of error is right: no system can hold the name (AMB-LD-34), or some take it for dots."""


class PathWalker:
    """Follows names and links from a place on, as the system does."""

    def __init__(self, surroundings: Surroundings, start: Names, requested: int) -> None:
        self._surroundings = surroundings
        self._stack = surroundings.directories(start)
        self._requested = requested
        self.links = 0
        self.has_absolute_link = self.ends_in_link = self.meets_unreadable = self.leaves = False
        self._was_inside = False
        self.rest: Names = ()
        """The names behind an obstacle."""

    @property
    def place(self) -> Names:
        """The place that was reached."""
        return tuple(node.name for node in self._stack[1:])

    @property
    def node(self) -> Node:
        """The directory that was reached."""
        return self._stack[-1]

    @property
    def is_inside(self) -> bool:
        """Whether the place is in an allowed root."""
        return self._surroundings.contains(self.place)

    def follow(self, names: list[bytes]) -> Obstacle | None:
        """Follow the names; return what stops that. Raises _SystemPlace only if the model cannot know the end."""
        pending = list(reversed(names))  # above the components of the request stand those of the targets of links
        requested = len(pending)
        self._look()
        while pending:
            name = pending.pop()
            requested = min(requested, len(pending))
            if name in (b"", b"."):
                continue
            if name == b"..":  # in the target of a link
                if len(self._stack) == 1:
                    return self._in_system(pending)
                self._stack.pop()
            else:
                found = self._child(name)
                if isinstance(found, Obstacle):
                    return self._stopped(found, name, pending)
                if found.kind is Kind.SYMLINK:
                    self.links += 1
                    if self.links > _MAX_LINKS:
                        return self._stopped(Obstacle("the links form a loop", is_uncertain=True), name, pending)
                    self.ends_in_link = self.ends_in_link or not requested
                    if not self._jump(found.target or b"", pending):
                        return self._in_system(pending)
                elif found.kind is Kind.DIR:
                    self._stack.append(found)
                else:
                    obstacle = Obstacle("the path is not a directory", is_file=found.kind is Kind.FILE and not pending)
                    return self._stopped(obstacle, name, pending)
            self._look()
        return None

    def _look(self) -> None:
        if self.is_inside:
            self._was_inside = True
        elif self._was_inside:
            self.leaves = True

    def _child(self, name: bytes) -> Node | Obstacle:
        directory = self.node
        if not searchable(directory):
            return Obstacle("the path leads through a directory that cannot be searched", is_uncertain=True)
        self.meets_unreadable = self.meets_unreadable or not listable(directory)
        node = next((child for child in directory.children if child.name == name), None)
        if len(name) > _MAX_NAME_BYTES:
            return Obstacle("the path has a name that is too long", is_missing=True, is_of_any_kind=True)
        if node is None:
            text, names = name.decode("utf-8", "replace"), [child.name for child in directory.children]
            if REPLACEMENT in text and any(text in lossy_decodings(one).values() for one in names):
                raise Unmodelled("the path may name an entry by its text (AMB-LD-54)")
            # A system without upper and lower case may take it for the sandbox root.
            is_root = len(self._stack) == 1 and name.lower() == ROOT_NAME
            is_dotted = not name.strip(b". ")
            return Obstacle("the path does not exist", True, is_uncertain=is_root, is_of_any_kind=is_dotted)
        if "lstat" in node.faults:
            return Obstacle("the metadata of the path cannot be read", is_uncertain=True)
        return node

    def _jump(self, target: bytes, pending: list[bytes]) -> bool:
        """Put the names in the target of a link before the others; return False if it is elsewhere in the system."""
        text = without_placeholders(target.decode("utf-8", "surrogateescape"))
        names = [part.encode("utf-8", "surrogateescape") for part in text.split("/")]
        if not text.startswith("/"):
            pending += reversed(names)
            return True
        self.has_absolute_link = True
        if text.split("/")[1] != FOLDER:
            pending += reversed(names)
            return False
        del self._stack[1:]
        self._was_inside = False
        pending += reversed(names[2:])
        return True

    def _stopped(self, obstacle: Obstacle, name: bytes, pending: list[bytes]) -> Obstacle:
        names = [part for part in reversed(pending) if part not in (b"", b".", b"..")]
        self.rest = (name, *names)
        return replace(obstacle, is_named=bool(names) or obstacle.is_missing, can_return=b".." in pending)

    def _in_system(self, pending: list[bytes]) -> Obstacle:
        if self._surroundings.is_all_allowed:
            raise _SystemPlace
        return self._stopped(Obstacle("the path leads out of the sandbox", is_in_system=True), b"", pending)


def resolve_path(
    surroundings: Surroundings, path: str, shown: str, readings: ReadingChoices
) -> tuple[ResolvedDirectory | ExpectedFailure, tuple[Names, ...]]:
    """Return the directory at a path, or the failure, and the places by which the sandbox may judge it.

    The first of these is where the path leads to, the other one its spelling. `shown` is the normalised path, which the
    document shows. Raises Unmodelled.
    """
    parts = [part for part in path.split("/") if part not in (".", "")]
    is_absolute = path.startswith("/")
    start = () if is_absolute else surroundings.working_dir
    if ".." in parts:
        if readings["AMB-LD-21"] == "refuse":
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path has a component .."), ()
        climbed, parts = _remove_dot_dot(parts)
        if climbed:
            may_enter = len(surroundings.roots) > 1 and climbed <= len(start)
            if not may_enter or readings.choose("two dots into another root", ("refused", "")) == "refused":
                return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path leads out of the sandbox"), ()
            start = start[:-climbed]
        else:
            top = "/" if is_absolute else ""
            shown = readings.choose("dots in the path that is shown", (shown, top + "/".join(parts) or "."))
    if is_absolute and parts[:1] != [FOLDER]:
        if surroundings.is_all_allowed:
            raise Unmodelled("the path leads to the rest of the system")
        return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path leads out of the sandbox"), ()
    if looks_like_another("/".join(parts)) and _refuses_odd_names(readings):
        return ExpectedFailure(ANY_ERROR, "FR-LD-VAL-07", "a name looks like the way up, a home or a drive"), ()
    if has_control_character("/".join(parts)) and _refuses_odd_names(readings):
        return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path has a control character"), ()
    try:
        raw = [part.encode("utf-8") for part in parts[is_absolute:]]
    except UnicodeEncodeError:
        return _unencodable("the path cannot be encoded", readings), ()
    if any(b"\0" in part for part in raw):
        return _unencodable("the path holds a NUL", readings), ()
    if len(path.encode("utf-8")) > MAX_PATH_BYTES:
        return ExpectedFailure(ANY_ERROR, "FR-LD-VAL-08", "the path is too long"), ()
    return _Resolver(surroundings, readings, start).resolve(raw, shown)


def _refuses_odd_names(readings: ReadingChoices) -> bool:
    """Choose without a record: each such name is a question of its own."""
    return bool(readings.choose("odd names", readings.accepted_labels("AMB-LD-70")) == "refuse")


def _remove_dot_dot(parts: list[str]) -> tuple[int, list[str]]:
    """Return how far the parts lead up from where they start, and those that lead down from there."""
    climbed, kept = 0, list[str]()
    for part in parts:
        if part != "..":
            kept.append(part)
        elif kept:
            kept.pop()
        else:
            climbed += 1
    return climbed, kept


def _unencodable(reason: str, readings: ReadingChoices) -> ExpectedFailure:
    label = readings["AMB-LD-34"]
    if label == "a":
        return bad_args("FR-LD-ERR-01", reason)
    return ExpectedFailure(ANY_ERROR, "FR-LD-ERR-01", reason)


class _Resolver:
    """Where a path leads, and what that means by the readings."""

    def __init__(self, surroundings: Surroundings, readings: ReadingChoices, start: Names) -> None:
        self._surroundings = surroundings
        self._readings = readings
        self._start = start

    def resolve(self, names: list[bytes], path: str) -> tuple[ResolvedDirectory | ExpectedFailure, tuple[Names, ...]]:
        walker = PathWalker(self._surroundings, self._start, len(names))
        try:
            obstacle = walker.follow(names)
        except _SystemPlace:
            raise Unmodelled("the path leads to the rest of the system") from None
        places = (walker.place + walker.rest, self._start + tuple(names))
        if obstacle is not None:
            result: ResolvedDirectory | ExpectedFailure = self._failure(walker, obstacle)
        else:
            result = self._directory(walker, path)
        if isinstance(result, ExpectedFailure) and walker.links:
            # A sandbox that takes no links sees nothing behind one.
            result = self._readings.resolve("AMB-LD-36", partial(_failure_by_reading, result))
        return result, places

    def _failure(self, walker: PathWalker, obstacle: Obstacle) -> ExpectedFailure:
        is_outside = obstacle.is_in_system or not walker.is_inside
        if is_outside:
            # A link that dangles outside may count as missing (AMB-LD-37).
            is_open = obstacle.is_uncertain or (walker.links and obstacle.is_named)
            kinds = VIOLATION_OR_FAILURE if is_open else VIOLATION
            return ExpectedFailure(kinds, "FR-LD-VAL-07", "the path leads out of the sandbox")
        if walker.has_absolute_link and self._refuses("absolute links"):
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "a link has an absolute target")
        if walker.meets_unreadable and self._readings["AMB-LD-67"] == "b":
            return _unreadable_way()
        is_open = obstacle.is_uncertain or walker.leaves or (walker.links and obstacle.can_return)
        if obstacle.is_of_any_kind:
            return ExpectedFailure(ANY_ERROR, "FR-LD-VAL-08", obstacle.reason, is_missing=True)
        message_part = "path is not a directory" if obstacle.is_file else ""
        kinds = VIOLATION_OR_FAILURE if is_open else FAILURE
        return ExpectedFailure(kinds, "FR-LD-VAL-08", obstacle.reason, message_part, is_missing=obstacle.is_missing)

    def _directory(self, walker: PathWalker, path: str) -> ResolvedDirectory | ExpectedFailure:
        if not walker.is_inside:
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "the path leads out of the sandbox")
        if walker.has_absolute_link and self._refuses("absolute links"):
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "a link has an absolute target")
        if walker.leaves and self._refuses("links that leave the sandbox and come back"):
            return ExpectedFailure(VIOLATION, "FR-LD-VAL-07", "a link leads out of the sandbox, and another one back")
        if walker.meets_unreadable and self._readings["AMB-LD-67"] == "b":
            return _unreadable_way()
        refuses = walker.links and self._readings["AMB-LD-36"] == "refuse"
        if refuses and (walker.ends_in_link or self._refuses("links on the way")):
            return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "the path is a link")
        return ResolvedDirectory(path, walker.node, walker.place, bool(walker.links))

    def _refuses(self, what: str) -> bool:
        return bool(self._readings.choose(what, ("followed", "refused")) == "refused")


def _unreadable_way() -> ExpectedFailure:
    return ExpectedFailure(VIOLATION_OR_FAILURE, "FR-LD-VAL-08", "a directory on the way cannot be read")


def _failure_by_reading(failure: ExpectedFailure, label: str) -> ExpectedFailure:
    """Return the failure for a candidate that follows links or refuses them."""
    if label == "follow":
        return failure
    return replace(failure, kinds=failure.kinds | VIOLATION_OR_FAILURE, message_part="")


def searchable(directory: Node) -> bool:
    """Return whether the owner may access its entries."""
    return directory.mode is None or bool(directory.mode & 0o100)


def listable(directory: Node) -> bool:
    """Return whether the owner may read its names."""
    return directory.mode is None or bool(directory.mode & 0o400)

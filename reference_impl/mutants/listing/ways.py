"""Wrong in the way to the target: the links on it, how they are read, and what may be passed through."""

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace

from ...list_directory import ListDirectory
from ...paths import Flavour
from ...sandbox import MOST_LINKS, Canonical, Place, Sandbox
from ..mutant import Mutant
from .made import wrong
from .sandboxes import boxed
from .targets import path_of
from .through import Through

Link = tuple[bytes, bytes]
"""Where a link stands, and its target."""


def steps(path: bytes) -> list[bytes]:
    return [part for part in path.split(b"/") if part not in (b"", b".")]


def links_on(path: bytes) -> Iterator[Link]:
    """The links that an absolute path goes through, one after the other."""
    todo, done, met = steps(path)[::-1], list[bytes](), 0
    while todo and met < MOST_LINKS:
        part = todo.pop()
        if part == b"..":
            done[-1:] = []
            continue
        done.append(part)
        here = b"/" + b"/".join(done)
        if os.path.islink(here):
            met += 1
            target = os.readlink(here)
            yield here, target
            done = [] if target.startswith(b"/") else done[:-1]
            todo += steps(target)[::-1]


def stopped_by(obstacle: int, judged: Callable[[list[Link]], bool]) -> ListDirectory:
    """Gets no further where the links on the way are so."""

    class Stopped(Sandbox):
        def place(self, path: str) -> Place:
            place = super().place(path)
            links = list(links_on(os.path.join(self._working_dir, path.encode())))
            return replace(place, obstacle=obstacle) if judged(links) else place

    return boxed(Stopped)


def in_the_text(path: bytes) -> bytes:
    """An absolute path in which each link is replaced by its target as text, the longest part first."""
    for _ in range(MOST_LINKS):
        parts = steps(path)
        for length in range(len(parts), 0, -1):
            here = b"/" + b"/".join(parts[:length])
            if os.path.islink(here):
                path = os.path.normpath(
                    os.path.join(os.path.dirname(here), os.readlink(here), *parts[length:])
                )
                break
        else:
            return path
    return path


class FollowsInTheText(Sandbox):
    def _target(self, path: str) -> Canonical:
        return self._canonical(in_the_text(os.path.join(self._working_dir, path.encode())))


class JudgesInTheText(FollowsInTheText):
    """What is judged is one place, what is opened is where the system goes."""

    def place(self, path: str) -> Place:
        super().place(path)
        target = self._canonical(os.path.join(self._working_dir, path.encode()))
        return Place(b"/", target.parts, target.obstacle)


class JudgesWhatFits(Sandbox):
    """The target of a link is read into 256 bytes to be judged, and followed as it is."""

    def place(self, path: str) -> Place:
        link = os.path.join(self._working_dir, path.encode())
        if not os.path.islink(link) or len(target := os.readlink(link)) < 256:
            return super().place(path)
        self._refuse_by_its_text(path)
        self._place(self._canonical(os.path.join(os.path.dirname(link), target[:255])))
        real = self._canonical(link)
        return Place(b"/", real.parts, real.obstacle)


class ReadsOnTheWay(Through):
    """Opens each directory above the requested one as if to read it."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        for length in range(len(place.below) if place.obstacle is None else 0):
            above = path_of(replace(place, below=place.below[:length]))
            os.close(os.open(above, os.O_RDONLY | os.O_DIRECTORY))
        super().__init__(place, flavour)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-711",
        "The target of a link is put in its place in the text of the path.",
        "FR-LD-VAL-07",
        tool=boxed(FollowsInTheText),
    ),
    wrong(
        "MUT-712",
        "Where a link leads is judged by the text of the path, and followed on the disk.",
        "FR-LD-VAL-07",
        tool=boxed(JudgesInTheText),
    ),
    wrong(
        "MUT-713",
        "The target of a link is read into 256 bytes before it is judged.",
        "FR-LD-VAL-07",
        tool=boxed(JudgesWhatFits),
    ),
    wrong(
        "MUT-714",
        "A link that is met twice is taken for a circle.",
        "FR-LD-VAL-08",
        tool=stopped_by(errno.ELOOP, lambda links: len(dict(links)) < len(links)),
    ),
    wrong(
        "MUT-715",
        "More than eight links on the way are taken for a circle.",
        "FR-LD-VAL-08",
        tool=stopped_by(errno.ELOOP, lambda links: len(links) > 8),
    ),
    wrong(
        "MUT-716",
        "A link whose target is longer than 255 bytes leads nowhere.",
        "FR-LD-VAL-08",
        tool=stopped_by(errno.ENOENT, lambda links: any(len(target) > 255 for _, target in links)),
    ),
    wrong(
        "MUT-717",
        "A link whose target has two slashes in a row or one at its end leads nowhere.",
        "FR-LD-VAL-08",
        tool=stopped_by(errno.ENOENT, lambda links: any(b"//" in target + b"/" for _, target in links)),
    ),
    wrong(
        "MUT-718",
        "Directories above the requested one have to be readable.",
        "FR-LD-VAL-08",
        tool=ListDirectory(directories=ReadsOnTheWay),
    ),
)

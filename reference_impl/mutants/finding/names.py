"""Wrong in what entries are called and where they lie."""

import os
import shlex
import stat
from typing import Any

from ...finding.entries import Seen, Telling
from ..mutant import Mutant
from .implied import NAMES, PATHS, WHOLE
from .made import wrong


class PathAsName(Telling):
    def name(self, seen: Seen) -> Any:
        return self.path(seen)


class ShellQuoted(Telling):
    def name(self, seen: Seen) -> Any:
        return shlex.quote(seen.name)


class Arrows(Telling):
    """A link's name tells where it points, as ls does it."""

    def name(self, seen: Seen) -> Any:
        return seen.name if seen.target is None else f"{seen.name} -> {seen.target}"


class Classified(Telling):
    def name(self, seen: Seen) -> Any:
        return seen.name + ("/" if stat.S_ISDIR(seen.mode) else "")


class Printable(Telling):
    def name(self, seen: Seen) -> Any:
        return "".join(character if character.isprintable() else "?" for character in seen.name)


class NoExtension(Telling):
    def name(self, seen: Seen) -> Any:
        return os.path.splitext(seen.name)[0]


class Relative(Telling):
    def path(self, seen: Seen) -> Any:
        return "/".join((*seen.below, seen.name))


class Resolved(Telling):
    def path(self, seen: Seen) -> Any:
        return os.path.realpath(super().path(seen)) if seen.target is not None else super().path(seen)


class Uri(Telling):
    def path(self, seen: Seen) -> Any:
        return f"file://{super().path(seen)}"


class ParentOnly(Telling):
    def path(self, seen: Seen) -> Any:
        return os.path.dirname(super().path(seen))


class SlashBehind(Telling):
    def path(self, seen: Seen) -> Any:
        return super().path(seen) + ("/" if stat.S_ISDIR(seen.mode) else "")


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-014", "name is the whole path.", *NAMES, telling=PathAsName),
    wrong("MUT-LF-015", "name is quoted for a shell.", "LF-WHY-01", *NAMES, telling=ShellQuoted),
    wrong("MUT-LF-016", "name of a link tells its target as well.", *NAMES, telling=Arrows),
    wrong("MUT-LF-017", "name of a directory ends in a slash.", *NAMES, telling=Classified),
    wrong("MUT-LF-018", "Control characters of name are question marks.", *NAMES, telling=Printable),
    wrong("MUT-LF-019", "name has lost its extension.", *NAMES, telling=NoExtension),
    wrong("MUT-LF-020", "path is relative.", *PATHS, telling=Relative),
    wrong(
        "MUT-LF-021",
        "path of a link is what it leads to.",
        *PATHS,
        "LF-FIND-02",
        "LF-LINK-01",
        "LF-LINK-02",
        "LF-MODEL-02",
        "LF-SORT-01",
        "LF-SORT-02",
        "LF-TYPE-02",
        "LF-TYPE-01",
        "LF-LIST-02",
        "LF-MODEL-01",
        telling=Resolved,
    ),
    wrong(
        "MUT-LF-022",
        "path is a URI.",
        *PATHS,
        *WHOLE,
        telling=Uri,
    ),
    wrong(
        "MUT-LF-023",
        "path is that of the directory.",
        *PATHS,
        *WHOLE,
        telling=ParentOnly,
    ),
    wrong(
        "MUT-LF-024",
        "path of a directory ends in a slash.",
        *PATHS,
        *WHOLE,
        telling=SlashBehind,
    ),
)

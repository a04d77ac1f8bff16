"""Mutants: errors in which entries a walk meets: omitted for a kind, name, mode, depth or number, or met twice."""

import os
import stat
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from treeproof.rows.fs_walkdir.row import (
    RESERVED,
    Elements,
    Item,
    Items,
    is_inside,
    items_of,
    path_of,
    real_start,
    start_of,
    value_of,
)

from ..shared.mutant import Mutant
from .entries import formatted
from .implied import DEEP, EVERYTHING, WALK
from .rows import row

FILTER = "WD-WALK-03 WD-SEC-04 WD-ENT-01 WD-SEC-03 WD-ARG-05"
BY_LINKS = "WD-RET-02 WD-SEC-02 WD-WALK-04"
LINKS = "WD-SEC-03 WD-ENT-03 WD-RET-01 WD-ENT-01 WD-WALK-01 WD-SEC-04 WD-LOG-01 WD-ENT-04"
PROGRAMS = (".svn", ".hg", ".idea", ".venv", "venv", "vendor", "dist", "site-packages")
REPLACED = "\ufffd"


def ignored(place: Path) -> list[str]:
    """Return the lines of a file, none if it is not there."""
    try:
        return place.read_text().splitlines()
    except (OSError, ValueError):
        return []


def named(*patterns: str) -> Callable[[Item], bool]:
    """Return whether the name of an entry is like a pattern of a shell."""
    return lambda item: any(fnmatchcase(item.name, pattern) for pattern in patterns)


def number(name: str) -> float | str:
    try:
        return float(name)
    except ValueError:
        return name


def is_closed(link: Item) -> bool:
    """Return whether permissions keep what a link leads to out of reach."""
    try:
        os.stat(link.place)
    except PermissionError:
        return link.is_link
    except OSError:
        pass  # a link that leads nowhere
    return False


def without_empty_directories(found: Elements) -> Elements:
    full = {element["path"].rpartition("/")[0] for element in found}
    return [element for element in found if not element["isDir"] or element["path"] in full]


def losing(lost: Callable[[Items], Items]) -> Callable[[Items], Elements]:
    """Return the change that leaves out, of the entries of each directory, the lost ones and what is in them."""

    def change(items: Items) -> Elements:
        by_directory: dict[Path, Items] = {}
        for item in items:
            by_directory.setdefault(item.place.parent, []).append(item)
        gone = {item.place for group in by_directory.values() for item in lost(group)}
        return [item.element for item in items if not gone.intersection((item.place, *item.place.parents))]

    return change


def behind_a_directory(group: Items) -> Items:
    first = min((item.name for item in group if item.is_dir), default=None)
    return [item for item in group if first is not None and item.name > first]


def behind_zero(group: Items) -> Items:
    return [item for item in group if item.name >= "0"] if any(item.name == "0" for item in group) else []


def to_eighth_link(items: Items) -> Elements:
    links = [number for number, item in enumerate(items) if item.is_link]
    return [item.element for item in (items[: links[7]] if len(links) > 7 else items)]


def as_target(item: Item) -> dict[str, Any]:
    """Return the element of a link with the metadata of its target, unless that is missing or the system's."""
    if not item.is_link or item.is_dangling or os.path.realpath(item.place).startswith("/etc"):
        return item.element
    found = os.stat(item.place)
    is_dir = stat.S_ISDIR(found.st_mode)
    size = 0 if is_dir else found.st_size
    return {**item.element, "isDir": is_dir, "size": size, "modTime": formatted(found.st_mtime)}


def entering(
    is_entered: Callable[[Item], bool], shown: Callable[[Item], dict[str, Any]]
) -> Callable[[Items], Elements | None]:
    """Return the change that adds what links lead to, and shows the elements otherwise; nil for an error there."""

    def below(item: Item) -> Iterator[dict[str, Any]]:
        yield shown(item)
        if item.is_link and os.path.isdir(item.place) and is_entered(item):
            target = Path(os.path.realpath(item.place))
            answer = item.sent.answer_at(target, {"path": "."})
            if value_of(answer) is None:
                yield {}
            for one in items_of(item.sent, answer, target):
                element = {**one.element, "path": f"{item.path}/{one.path}"}
                yield from below(Item(element, one.place, item.sent))

    def change(items: Items) -> Elements | None:
        found = [element for item in items for element in below(item)]
        return found if all(found) else None

    return change


follow = entering(lambda at: len(at.parts) < 4 and as_target(at) is not at.element, as_target)
enter_siblings = entering(lambda at: len(at.parts) < 3 and ".." not in os.readlink(at.place), lambda at: at.element)

MUTANTS: tuple[Mutant, ...] = (
    row("MUT-WD-036", "The walk ends at the first level.", DEEP, "WD-ERR-06 WD-ARG-01 WD-ERR-01", BY_LINKS)(
        close=lambda at: True
    ),
    row("MUT-WD-037", "Directories are omitted.", DEEP, "WD-ERR-06 WD-ARG-01 WD-ENT-05", BY_LINKS)(
        drop=lambda at: at.is_dir
    ),
    row("MUT-WD-038", "Empty directories are omitted.", WALK, "WD-RET-01 WD-ENT-05 WD-ERR-06")(
        value=without_empty_directories
    ),
    row("MUT-WD-039", "The walk ends at level 10.", "WD-WALK-01")(close=lambda at: len(at.parts) == 10),
    row("MUT-WD-155", "The walk ends at level 500.", "WD-WALK-01")(close=lambda at: len(at.parts) == 500),
    row("MUT-WD-040", "The list ends at 1,000 elements.", "WD-WALK-01")(value=lambda found: found[:1000]),
    row("MUT-WD-156", "The list ends at 10,000 elements.", "WD-WALK-01")(value=lambda found: found[:10_000]),
    row("MUT-WD-041", "Hidden entries are omitted.", FILTER)(lose=named(".*")),
    row("MUT-WD-042", "Hidden directories are listed and not entered.", "WD-WALK-03")(close=named(".*")),
    row("MUT-WD-043", "Files that may contain secrets are omitted.", "WD-WALK-03")(
        lose=named("*.pem", "*.key", "*.ssh")
    ),
    row("MUT-WD-044", "Directories such as node_modules are not entered.", "WD-WALK-03")(
        close=named(".git", "node_modules", "build", "target")
    ),
    row("MUT-WD-157", "Directories that build tools create are not entered.", "WD-WALK-03")(close=named(*PROGRAMS)),
    row("MUT-WD-175", "Directories that a desktop shows as one item are not entered.", "WD-WALK-03")(
        close=named("*.app", "*.zip")
    ),
    row("MUT-WD-045", "Backups and temporary files are omitted.", "WD-WALK-03 WD-WALK-01 WD-ERR-06 WD-SEC-03")(
        lose=named("*~", "*.swp", "*.tmp")
    ),
    row("MUT-WD-158", "Files that systems leave behind are omitted.", "WD-WALK-03")(
        drop=named(".DS_Store", "Thumbs.db", "lost+found", ".nfs*")
    ),
    row("MUT-WD-046", "Names in .gitignore are omitted.", "WD-WALK-03")(
        lose=lambda at: at.name in ignored(at.place.parent / ".gitignore")
    ),
    row("MUT-WD-181", "Names in .ignore are omitted.", "WD-WALK-03")(
        lose=lambda at: at.name in ignored(start_of(at.sent) / ".ignore")
    ),
    row("MUT-WD-215", "Directories with signs of globs in their names are not entered.", "WD-WALK-03")(
        close=named("*[][{}*?]*")
    ),
    row("MUT-WD-216", "Directories with names that Windows keeps are not entered.", "WD-WALK-03")(
        close=lambda at: RESERVED.fullmatch(at.name)
    ),
    row("MUT-WD-265", "Directories with the longest names are not entered.", "WD-WALK-01")(
        close=lambda at: len(os.fsencode(at.name)) == 255
    ),
    row("MUT-WD-159", "Directories with special modes are not entered.", "WD-WALK-03 WD-WALK-01")(
        close=lambda at: at.mode & (stat.S_ISVTX | stat.S_ISGID)
    ),
    row("MUT-WD-264", "Directories that everybody may write to are not entered.", "WD-WALK-01")(
        close=lambda at: stat.S_IMODE(at.mode) == 0o777
    ),
    row("MUT-WD-047", "Empty files are omitted.", FILTER, WALK, "WD-ERR-06 WD-LOG-01", EVERYTHING)(
        drop=lambda at: stat.S_ISREG(at.mode) and at.stat.st_size == 0
    ),
    row("MUT-WD-287", "Files of 2 GiB and more are left out.", "WD-WALK-01 WD-ENT-04 WD-RET-01")(
        drop=lambda at: at.size >= 2**31
    ),
    row("MUT-WD-306", "Names that are not UTF-8 are left out.", "WD-WALK-01 WD-ENT-01 WD-ENT-02")(
        lose=lambda at: REPLACED in at.name and os.fsencode(at.place.name).decode("utf-8", "replace") != at.place.name
    ),
    row("MUT-WD-049", "Links are omitted.", LINKS, "WD-SEC-02")(drop=lambda at: at.is_link),
    row("MUT-WD-050", "Dangling links are omitted.", LINKS)(drop=lambda at: at.is_dangling),
    row("MUT-WD-154", "Links to inaccessible targets are omitted.", "WD-WALK-03")(drop=is_closed),
    row("MUT-WD-051", "Directories are listed twice.", DEEP, "WD-ERR-06 WD-SEC-02")(twice=lambda at: at.is_dir),
    row("MUT-WD-286", "Links to files are listed twice.", "WD-WALK-01 WD-SEC-03 WD-ENT-03 WD-ENT-04")(
        twice=lambda at: at.is_link and os.path.isfile(at.place)
    ),
    row("MUT-WD-052", "Each base name is listed once only.", DEEP)(once=lambda at: at.name),
    row("MUT-WD-053", "A file with two names is listed once.", "WD-WALK-01 WD-ENT-04")(
        once=lambda at: (at.stat.st_dev, at.stat.st_ino) if at.name == at.place.name else id(at)
    ),
    row("MUT-WD-054", "Of names that differ in case only, one is listed.", "WD-WALK-01 WD-ENT-01")(
        once=lambda at: at.path.lower()
    ),
    row("MUT-WD-276", "Names that are equal as numbers are listed once.", "WD-WALK-01")(
        once=lambda at: (at.place.parent, number(at.name))
    ),
    row("MUT-WD-199", "Of elements with one path, whose names are not UTF-8, one is kept.", "WD-WALK-01 WD-ENT-01")(
        once=lambda at: at.path
    ),
    row("MUT-WD-055", "A directory with bytes in a name is empty.", "WD-WALK-01 WD-ENT-01")(
        found=losing(lambda group: group if any(REPLACED in at.name for at in group) else [])
    ),
    row("MUT-WD-056", "Entries after a subdirectory are lost.", DEEP, "WD-ENT-05 WD-ERR-06")(
        found=losing(behind_a_directory)
    ),
    row("MUT-WD-275", "A directory ends at the name 0.", "WD-WALK-01")(found=losing(behind_zero)),
    row("MUT-WD-228", "The last entry of a directory with a multiple of 64 is lost.", "WD-WALK-01")(
        found=losing(lambda group: group[-1:] if len(group) % 64 == 0 else [])
    ),
    row("MUT-WD-243", "A walk ends when it has met eight links.", "WD-WALK-01 WD-SEC-03")(found=to_eighth_link),
    row("MUT-WD-060", "Links are followed.", LINKS, "WD-ERR-06 WD-SEC-02")(found=follow),
    row("MUT-WD-061", "A link has the metadata of its target and is not entered.", "WD-ENT-03 WD-SEC-03")(
        each=as_target
    ),
    row("MUT-WD-062", "Links to siblings are entered.", LINKS)(found=enter_siblings),
    row("MUT-WD-226", "A start that is a link gives one level.", "WD-WALK-04")(
        where=lambda sent: os.path.islink(start_of(sent)) and is_inside(real_start(sent), sent),
        place=real_start,
        drop=lambda at: len(at.parts) > 1,
    ),
    row("MUT-WD-297", "A dot names the first level of the sandbox alone.", "WD-WALK-01 WD-ARG-05 WD-ENT-02")(
        where=lambda sent: path_of(sent) == ".", drop=lambda at: len(at.parts) > 1
    ),
)

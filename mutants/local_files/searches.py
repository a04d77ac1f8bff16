"""Mutants: errors in where a search goes, and in what it returns."""

import errno
import os
import re
import stat
from collections.abc import Callable
from typing import Any

from treeproof.rows.local_files.row import Entry, FileCall, Item, Items, failure, nothing_if

from ..shared.mutant import Mutant
from .entries import has_several_names
from .implied import DEEP, ERROR, FLAT, GLOB, GLOB_ERROR, GLOBS, LOOPS, SAME
from .lists import first, one_of_each
from .rows import search

FIND = "LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-05 LF-WHY-01"
GENERATED = {"node_modules", "target", "build"}
BUILT = {"__pycache__", "dist", "vendor", "out", "bin", "obj", "lost+found"}


def any_parent(rule: Callable[[str], Any]) -> Callable[[Item], Any]:
    """Return whether the path of a directory between the requested one and the entry is like this."""
    return lambda at: any(rule(at.place.rsplit("/", up)[0]) for up in range(1, len(at.names)))


def until(ends: Callable[[str, list[str]], Any]) -> Callable[[Items, FileCall], list[Entry]]:
    """Return the change to what a search of all levels meets before a path like this, of which those met are known."""

    def found(found: Items, sent: FileCall) -> list[Entry]:
        met: list[str] = []
        for top, directories, files in os.walk(sent.directory if sent.is_recursive else ""):
            directories.sort()
            for path in (os.path.join(top, name) for name in (*directories, *files)):
                met.append(path)
                if ends(path, met):
                    return [at.entry for at in found if at.place in met[:-1]]
        return [at.entry for at in found]

    return found


def is_behind_link(at: Item) -> bool:
    links = (name for name in os.listdir(os.path.dirname(at.place)) if name < os.path.basename(at.place))
    return any(os.path.islink(os.path.join(os.path.dirname(at.place), name)) for name in links)


def leads_in_a_circle(path: str) -> bool:
    return failure(path, os.stat) == errno.ELOOP


def has_circle(sent: FileCall) -> bool:
    walk = os.walk(sent.directory)
    return any(leads_in_a_circle(os.path.join(top, name)) for top, _, files in walk for name in files)


def not_below_matches(found: Items, sent: FileCall) -> list[Entry]:
    matches = tuple(f"{at.path}/" for at in found)
    return [at.entry for at in found if not at.path.startswith(matches)]


def behind_single_directories(found: Items, sent: FileCall) -> list[Entry]:
    """Return the list, and by names what is in directories that are the only entry."""
    entries, directory = [at.entry for at in found], sent.directory
    while len(names := os.listdir(directory)) == 1 and os.path.isdir(f"{directory}/{names[0]}"):
        directory = f"{directory}/{names[0]}"
        entries += sent.entries_of_call(path=directory)
    return entries


def with_name_of_root(sent: FileCall) -> Any:
    """Return the answer for a glob whose directory may also be the search root."""
    below = re.sub(rf"^(\*\*/)?{re.escape(os.path.basename(sent.directory))}/", "", sent.glob)
    return sent.answer({**sent.given, "glob": f"{{{sent.glob},{below}}}"})


def fails_as_expression(sent: FileCall) -> bool:
    try:
        return not re.fullmatch(sent.directory, sent.directory)
    except re.error:
        return True


MUTANTS: tuple[Mutant, ...] = (
    # Where it goes.
    search("MUT-LF-100", "A search is never recursive.", FIND, arguments=lambda given: {**given, "recursive": False}),
    search("MUT-LF-371", "A search is always recursive.", FLAT, arguments=lambda given: {**given, "recursive": True}),
    search(
        *("MUT-LF-101", "A search by names is always recursive.", FLAT, FIND),
        arguments=lambda given: {**given, "recursive": True},
        glob=lambda glob: glob if "/" in glob else f"**/{glob}",
    ),
    search(
        *("MUT-LF-342", "Without recursion, a search that starts at a link searches all levels.", FLAT),
        where=lambda sent: not sent.is_recursive and os.path.islink(sent.directory),
        arguments=lambda given: {**given, "recursive": True},
        glob=lambda glob: glob if "/" in glob else f"**/{glob}",
    ),
    search(
        *("MUT-LF-341", "Without recursion, a search continues in a directory that is the only entry.", FLAT),
        where=lambda sent: not sent.is_recursive,
        found=behind_single_directories,
    ),
    search("MUT-LF-105", "A search ends at level 3.", DEEP, GLOB, drop=lambda at: len(at.parents) >= 3),
    search("MUT-LF-192", "A search ends at level 20.", DEEP, drop=lambda at: len(at.parents) > 20),
    search("MUT-LF-312", "A search ends at level 40.", DEEP, GLOB, drop=lambda at: len(at.parents) > 40),
    search(
        *("MUT-LF-313", "A search enters no directory with a path of more than 1024 characters.", DEEP, GLOB),
        drop=lambda at: len(at.above) > 1024 and at.parents,
    ),
    search(
        *("MUT-LF-314", "A search enters no directory that its owner may not change.", DEEP, GLOB),
        drop=any_parent(lambda path: not os.lstat(path).st_mode & stat.S_IWUSR),
    ),
    search("MUT-LF-128", "A search omits generated files.", DEEP, drop=lambda at: GENERATED & {*at.parents}),
    search("MUT-LF-152", "A search omits .git.", GLOB, DEEP, drop=lambda at: ".git" in at.parents),
    search(
        *("MUT-LF-193", "A search does not enter directories such as dist and vendor.", DEEP),
        drop=lambda at: BUILT & {*at.parents},
    ),
    search(
        *("MUT-LF-223", "A search loses directories of names that are no text.", DEEP),
        drop=lambda at: "\ufffd" in "".join(at.parents),
    ),
    search(
        *("MUT-LF-255", "A search does not enter directories with signs of globs in their names.", DEEP),
        drop=lambda at: set("".join(at.parents)) & set("[]{}*?"),
    ),
    search(
        *("MUT-LF-150", "No level of a search has a line break in its name.", GLOB),
        drop=lambda at: "\n" in "".join(at.parents),
    ),
    search(
        *("MUT-LF-209", "A search omits what follows a link in its directory.", LOOPS, DEEP, GLOB, SAME),
        where=lambda sent: sent.is_recursive,
        drop=is_behind_link,
    ),
    search(
        *("MUT-LF-140", "A search ends at the first unreadable directory and reports success.", DEEP),
        found=until(lambda path, met: failure(path) == errno.EACCES),
    ),
    search(
        *("MUT-LF-282", "A search ends when it has met eight links.", LOOPS, DEEP),
        found=until(lambda path, met: os.path.islink(path) and sum(map(os.path.islink, met)) == 8),
    ),
    search(
        *("MUT-LF-283", "A search ends at a directory without content.", DEEP, GLOB, FLAT, LOOPS),
        found=until(
            lambda path, met: stat.S_ISDIR(os.lstat(path).st_mode) and not failure(path) and not os.listdir(path)
        ),
    ),
    search(
        *("MUT-LF-320", "A search ends at a link that goes round in circles, with what has been found.", LOOPS, DEEP),
        GLOB,
        found=until(lambda path, met: leads_in_a_circle(path)),
    ),
    search(
        *("MUT-LF-208", "A link in a circle fails a search.", LOOPS),
        refuses=lambda sent: sent.is_recursive and has_circle(sent),
    ),
    search("MUT-LF-361", "A directory that matches is not searched.", DEEP, found=not_below_matches),
    # What it is sent for.
    search(
        *("MUT-LF-106", "A glob is matched against the absolute path.", GLOBS),
        found=nothing_if(lambda sent: not sent.glob.startswith("/") and sent.glob != "**"),
    ),
    search(
        *("MUT-LF-190", "Below a hidden root, or one named like a glob, nothing is found.", DEEP, GLOB),
        found=nothing_if(lambda sent: re.search(r"^\.|[][*?{}]", os.path.basename(sent.directory))),
    ),
    search(
        *("MUT-LF-290", "The path of a search is put into an expression as it is.", GLOB, DEEP),
        found=nothing_if(fails_as_expression),
    ),
    search(
        *("MUT-LF-340", "A search finds nothing if the path has a dot component.", DEEP),
        found=nothing_if(lambda sent: "." in sent.path.split("/")),
    ),
    search(
        *("MUT-LF-366", "A search finds nothing below a root that is reached through a link.", DEEP, GLOB),
        found=nothing_if(lambda sent: os.path.realpath(above := os.path.dirname(sent.directory)) != above),
    ),
    search(
        *("MUT-LF-362", "A glob is also held against a path that begins with the name of the search root.", GLOB),
        answer=with_name_of_root,
    ),
    search(
        *("MUT-LF-225", "Globs that are no texts are made texts.", GLOB_ERROR, ERROR),
        arguments=lambda given: {**given, **{name: str(given.get(name)) for name in ("path", "glob")}},
    ),
    search(
        *("MUT-LF-309", "false as glob finds nothing, and an object everything in the directory.", GLOB_ERROR),
        where=lambda sent: sent.given.get("glob") in (False, {}),
        arguments=lambda given: {**given, "glob": "*" if given["glob"] == {} else "/nothing"},
    ),
    search(
        *("MUT-LF-310", "false as glob finds everything.", GLOB_ERROR),
        where=lambda sent: sent.given.get("glob") is False,
        arguments=lambda given: {**given, "glob": "**"},
    ),
    # What it returns.
    search("MUT-LF-108", "A search ends at 100 matches.", GLOB, found=first(100)),
    search("MUT-LF-383", "A search ends at 10,000 matches.", GLOB, found=first(10_000)),
    search("MUT-LF-384", "A search goes down 500 levels.", DEEP, drop=lambda at: len(at.names) > 500),
    search("MUT-LF-232", "A search ends at 5,000 matches.", GLOB, found=first(5000)),
    search(
        *("MUT-LF-315", "A file with several names is found under one of them.", GLOB, DEEP),
        found=one_of_each(lambda at: at.known.st_ino if at.known and has_several_names(at) else at.path),
    ),
    search(
        *("MUT-LF-316", "A file that nobody may read is not found.", GLOB, DEEP),
        drop=lambda at: at.is_file and not at.own.st_mode & stat.S_IRUSR,
    ),
)

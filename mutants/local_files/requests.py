"""Mutants: errors in what a call requests, in failures, and in what a call leaves behind or takes from earlier ones."""

import errno
import json
import os
import re
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from treeproof.api import CallResult
from treeproof.rows.local_files.row import FileCall, Item, ItemRule, Items, empty, entries_of, failure, listed, replaced

from ..shared.mutant import Mutant
from .entries import expand_like_a_shell
from .implied import DEEP, ERROR, LINK, LISTED, MEMBERS, NAMED, PATH, ROLE, TIME, TYPE
from .lists import EVERYWHERE
from .names import INVISIBLE
from .rows import listing, row, search

RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
FOUND = "LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-04 LF-FIND-05 LF-FIELD-02 LF-FIELD-04 LF-WHY-01"
LISTS = "LF-LIST-01 LF-LIST-02 LF-MODEL-01 LF-SORT-01 LF-SORT-02 LF-WHY-01"
WHOLE_TREE = (
    "LF-LIST-01 LF-ERR-01 LF-FIELD-01 LF-FIELD-02 LF-FIELD-03 LF-FIELD-04 LF-FIND-01 LF-FIND-02 "
    "LF-FIND-03 LF-FIND-04 LF-FIND-05 LF-LINK-01 LF-LINK-02 LF-LINK-03 LF-LIST-02 LF-MODEL-01 LF-MODEL-02 "
    "LF-SORT-01 LF-SORT-02 LF-TYPE-01 LF-TYPE-02 LF-TYPE-03 LF-ERR-02 LF-ERR-03 LF-WHY-01"
)
"""The requirements whose scenarios compare the tree afterwards."""


def as_latin_1(text: str) -> str:
    """Return a UTF-8 text decoded as ISO-8859-1."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def like_an_address(path: str) -> str:
    return re.split("[#?;]", path)[0]


def in_other_case(path: str) -> str:
    """Return a sibling of a missing directory whose name differs in case only."""
    above, name = os.path.split(path)
    alike = [one for one in os.listdir(above) if one.lower() == name.lower()] if os.path.isdir(above) else []
    return os.path.join(above, alike[0]) if alike and not os.path.lexists(path) else path


def below_root(sent: FileCall) -> list[str]:
    """Return the names of the requested path below the working directory."""
    return sent.directory.removeprefix(f"{sent.root}/").split("/")


def status_of_all(path: str) -> list[os.stat_result]:
    return [os.lstat(os.path.join(path, name)) for name in os.listdir(path)]


def make_the_missing(sent: FileCall) -> None:
    if sent.path and not os.path.lexists(sent.directory):
        os.mkdir(sent.directory)


def naming(text: str) -> Callable[[FileCall, str], str]:
    """Return the change of a message that names something else than the path."""
    return lambda sent, message: message.replace(sent.path, text)


def once(sent: FileCall, number: int) -> bool:
    """Return whether the path could not be listed in this call or in an earlier one, by an error with this number."""
    sent.memory[sent.path] = sent.memory.get(sent.path) or failure(sent.path) == number
    return bool(sent.memory[sent.path])


def remembered(key: Callable[[Items, FileCall], Any]) -> Callable[[Items, FileCall], Any]:
    """Return the change of a list to the first one with its key."""
    return lambda found, sent: sent.memory.setdefault(key(found, sent), [at.entry for at in found])


def leaves(name: str, number: int = 0) -> Callable[[Items, FileCall], Any]:
    """Return what a longer list leaves in its directory: a file."""
    return lambda found, sent: len(found) > number and Path(sent.directory, name).write_text("x")


def for_each(condition: ItemRule, change: Callable[[str], Any]) -> Callable[[Items, FileCall], Any]:
    """Return what a call does with entries under a condition; a search meets those that it does not find as well."""

    def after(found: Items, sent: FileCall) -> None:
        for at in [Item(entry, sent) for entry in sent.entries_of_call(glob="**")] if sent.glob else found:
            if at.known is not None and condition(at):
                change(at.place)

    return after


def open_the_closed(sent: FileCall) -> None:
    for top in (top for top, _, _ in os.walk(sent.directory)) if sent.is_recursive else [sent.directory]:
        if failure(top) == errno.EACCES:
            os.chmod(top, 0o755)


def from_where_it_leads(sent: FileCall) -> CallResult:
    """Open the requested path, and report the normalised one."""
    received = sent.answer({**sent.given, "path": os.path.realpath(sent.path)})
    entries = [{**entry, "path": f"{sent.directory}/{entry['name']}"} for entry in entries_of(received) or []]
    return listed(sent, entries) if received.status == "ok" else received


def itself(sent: FileCall) -> CallResult:
    found = sent.entries_of_call(path=os.path.dirname(sent.directory))
    return listed(sent, [entry for entry in found if entry["path"] == sent.directory])


def with_two_names(sent: FileCall) -> CallResult:
    """Write the name of each entry a second time, in capitals."""
    received = sent.answer()
    texts = [
        f'{json.dumps(entry)[:-1]}, "name": {json.dumps(entry["name"].upper())}}}'
        for entry in entries_of(received) or []
    ]
    return replace(received, content=f"[{','.join(texts)}]") if received.status == "ok" else received


MUTANTS: tuple[Mutant, ...] = (
    # The path.
    listing("MUT-LF-078", "A path ends at a NUL.", ERROR, start=lambda path: path.partition("\0")[0]),
    listing("MUT-LF-135", "Leading and trailing blanks of a path are ignored.", LISTED, start=str.strip),
    listing("MUT-LF-141", "The path of a list is decoded as ISO-8859-1.", LISTED, start=as_latin_1),
    search("MUT-LF-142", "The path of a search is decoded as ISO-8859-1.", DEEP, start=as_latin_1),
    listing(
        *("MUT-LF-147", "A step up in a path is ignored.", LISTED, PATH),
        start=lambda path: "/".join(name for name in path.split("/") if name != ".."),
    ),
    listing(
        *("MUT-LF-148", "A path is normalised in the result, but not for opening.", PATH),
        where=lambda sent: ".." in sent.path.split("/"),
        answer=from_where_it_leads,
    ),
    listing(
        *("MUT-LF-154", "A character beyond 16 bits in a path becomes two.", LISTED),
        start=replaced("[\U00010000-\U0010ffff]", "\ufffd\ufffd"),
    ),
    listing(
        *("MUT-LF-204", "A path has converted slashes, composed letters and no trailing line break.", LISTED),
        start=lambda path: unicodedata.normalize("NFC", path.replace("\\", "/").rstrip("\n")),
    ),
    listing("MUT-LF-205", "A path is expanded like a word of a shell.", LISTED, start=expand_like_a_shell),
    listing(
        *("MUT-LF-233", "The path of a list ends at a hash, a question mark or a semicolon, as an address does."),
        LISTED,
        start=like_an_address,
    ),
    search(
        *("MUT-LF-234", "The path of a search ends at a hash or a question mark, as an address does.", DEEP),
        start=like_an_address,
    ),
    listing("MUT-LF-235", "A plus in a path is a blank.", LISTED, start=lambda path: path.replace("+", " ")),
    listing(
        *("MUT-LF-236", "For a missing directory, one whose name differs in case is listed.", ERROR),
        start=in_other_case,
    ),
    listing(
        *("MUT-LF-257", "Of a path with more than eight components below the sandbox the first eight are used."),
        LISTED,
        where=lambda sent: len(below_root(sent)) > 8,
        answer=lambda sent: sent.answer({"path": "/".join((str(sent.root), *below_root(sent)[:8]))}),
    ),
    listing(
        *("MUT-LF-259", "A tilde before a name of the path is removed.", LISTED),
        start=replaced(r"(^|/)~(?=[^/])", r"\1"),
    ),
    listing("MUT-LF-260", "Blanks in a row become one in the path.", LISTED, start=replaced(" +", " ")),
    listing("MUT-LF-261", "Marks that show nothing are removed from the path.", LISTED, start=replaced(INVISIBLE, "")),
    listing(
        *("MUT-LF-262", "Quotes around a name of the path are removed.", LISTED),
        start=replaced("(^|/)(['`])([^/]*)\\2", r"\1\3"),
    ),
    listing(
        *("MUT-LF-263", "A backslash stands before each sign of shells in the path.", LISTED),
        start=replaced(r"([&|<>()])", r"\\\1"),
    ),
    listing("MUT-LF-289", "A path ends at a colon before a number.", LISTED, start=replaced(r":\d+$", "")),
    listing(
        *("MUT-LF-217", "A number as path is a text.", ERROR),
        arguments=lambda given: {**given, "path": str(given.get("path"))},
    ),
    listing(
        *("MUT-LF-308", "false as path is the working directory.", ERROR),
        where=lambda sent: sent.given.get("path") is False,
        answer=lambda sent: sent.answer({"path": str(sent.root)}),
    ),
    listing(
        *("MUT-LF-258", "Names that Windows keeps are refused.", LISTED),
        refuses=lambda sent: any(map(RESERVED.fullmatch, below_root(sent))),
    ),
    listing(
        *("MUT-LF-304", "A path of more than 1024 characters is refused.", LISTED, PATH),
        refuses=lambda sent: len(sent.path) > 1024,
    ),
    listing(
        *("MUT-LF-324", "The root of the file system is refused.", LISTED, PATH),
        refuses=lambda sent: sent.path == "/",
    ),
    listing("MUT-LF-359", "A hidden path is refused.", LISTED, refuses=lambda sent: "/." in sent.directory),
    # Failures.
    listing("MUT-LF-079", "Errors return an empty list.", ERROR, failed=empty),
    listing(
        *("MUT-LF-080", "A missing directory returns an empty list.", ERROR),
        where=lambda sent: failure(sent.path) == errno.ENOENT,
        failed=empty,
    ),
    listing(
        *("MUT-LF-081", "An unreadable directory returns an empty list.", ERROR),
        where=lambda sent: failure(sent.path, status_of_all) == errno.EACCES,
        failed=empty,
    ),
    listing(
        *("MUT-LF-270", "A file without content is an empty directory.", ERROR),
        where=lambda sent: os.path.isfile(sent.path) and not os.path.getsize(sent.path),
        failed=empty,
    ),
    listing(
        *("MUT-LF-284", "A device is an empty directory.", ERROR),
        where=lambda sent: Path(sent.path).is_char_device(),
        failed=empty,
    ),
    listing(
        *("MUT-LF-082", "A file lists itself.", ERROR),
        where=lambda sent: os.path.lexists(sent.directory) and not os.path.isdir(sent.directory),
        answer=itself,
    ),
    listing("MUT-LF-083", "An error does not name its path.", NAMED, message=naming("the directory")),
    search("MUT-LF-216", "The error of a search does not name its path.", NAMED, message=naming("the directory")),
    listing(
        *("MUT-LF-243", "Errors are written in ASCII.", NAMED),
        message=lambda sent, text: text.encode("ascii", "replace").decode(),
    ),
    listing(
        *("MUT-LF-311", "An error cuts a long path.", NAMED),
        where=lambda sent: len(sent.path) > 200,
        message=lambda sent, text: text.replace(sent.path, sent.path[:197] + "..."),
    ),
    listing(
        *("MUT-LF-365", "An error names where a path leads and not the path.", NAMED),
        message=lambda sent, text: text.replace(sent.path, os.path.realpath(sent.path)),
    ),
    listing(
        *("MUT-LF-301", "A path that was missing stays missing.", LISTED),
        refuses=lambda sent: once(sent, errno.ENOENT),
    ),
    listing(
        *("MUT-LF-302", "A path that was a file stays one.", LISTED),
        refuses=lambda sent: once(sent, errno.ENOTDIR),
    ),
    row(
        *("MUT-LF-203", "A link into an unreadable directory fails the list.", LINK, TYPE),
        fails=lambda at: (at.is_link and failure(at.place, os.stat)) == errno.EACCES,
    ),
    row(
        *("MUT-LF-277", "A link that leads to itself is an error."),
        "LF-LIST-01 LF-LINK-01 LF-TYPE-02 LF-LIST-02 LF-FIND-05",
        fails=lambda at: (at.is_link and failure(at.place, os.stat)) == errno.ELOOP,
    ),
    row(
        *("MUT-LF-278", "A file that may not be read is an error."),
        "LF-LIST-01 LF-LIST-02 LF-FIELD-03 LF-TYPE-01 LF-MODEL-02 LF-WHY-01",
        fails=lambda at: at.is_file and not at.own.st_mode & stat.S_IRUSR,
    ),
    listing("MUT-LF-370", "Each entry has two names.", MEMBERS, answer=with_two_names),
    # The tree, and earlier calls.
    row("MUT-LF-130", "An index file is left behind.", ROLE, WHOLE_TREE, after=leaves(".index", -1)),
    row("MUT-LF-131", "The directory gets a new time.", ROLE, WHOLE_TREE, before=lambda sent: os.utime(sent.path)),
    row("MUT-LF-275", "A missing path is made as a directory.", ROLE, ERROR, before=make_the_missing),
    row("MUT-LF-276", "A directory that may not be read is opened to all.", ROLE, ERROR, DEEP, before=open_the_closed),
    listing("MUT-LF-321", "A list of more than fifty entries leaves a file.", ROLE, LISTS, after=leaves(".index", 50)),
    search("MUT-LF-322", "A search with matches leaves a file.", ROLE, FOUND, after=leaves(".found")),
    row(
        *("MUT-LF-363", "Links that lead nowhere are removed once they are listed.", ROLE, EVERYWHERE),
        after=for_each(lambda at: at.is_dangling, os.unlink),
    ),
    row(
        *("MUT-LF-364", "Files without content get a new time.", ROLE, EVERYWHERE),
        after=for_each(lambda at: at.is_file and not at.size, os.utime),
    ),
    listing(
        *("MUT-LF-133", "The first result for a directory is returned again.", TIME),
        found=remembered(lambda found, sent: (sent.path, *(at.name for at in found))),
    ),
    listing(
        *("MUT-LF-134", "A listed directory is not read again.", LISTED, TIME),
        found=remembered(lambda found, sent: sent.path),
    ),
    search(
        *("MUT-LF-222", "A search gives what it has found before.", DEEP),
        found=remembered(lambda found, sent: (sent.path, sent.glob, sent.is_recursive)),
    ),
)

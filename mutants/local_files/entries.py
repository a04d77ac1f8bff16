"""Mutants: errors in the types, sizes, times and targets of entries, and in the structure of the list."""

import os
import re
import stat
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from treeproof.rows.local_files.row import Entry, FileCall, Item, ItemRule, Items, of

from ..shared.mutant import Mutant
from .implied import EVERYTHING, LINK, MEMBERS, SIZE, SIZES, SPECIAL, STRUCTURE, TARGETS, TIME, TIMES, TYPE, TYPES, WHY
from .rows import listing, row, search

SHORT_SEARCH = "LF-FIND-03 LF-FIND-01 LF-FIND-02 LF-FIND-04 LF-FIND-05 LF-WHY-01"
LETTERS = {"DirectoryEntry": "d", "FileEntry": "-", "SymbolicLinkEntry": "l"}


def without(entry: Entry, *names: str) -> Entry:
    return {name: value for name, value in entry.items() if name not in names}


def with_members_named(**names: str) -> ItemRule:
    return lambda at: {names.get(name.lstrip("@"), name): value for name, value in at.entry.items()}


def file_kind(mode: int) -> str:
    return "DirectoryEntry" if stat.S_ISDIR(mode) else "FileEntry" if stat.S_ISREG(mode) else "OtherEntry"


def as_its_end(at: Item) -> Entry:
    """Return the entry of a link with what it leads to."""
    if at.end is None:
        return at.entry
    followed = {"@type": file_kind(at.end.st_mode), "size": at.end.st_size, "lastModified": milliseconds(at.end)}
    return {**without(at.entry, "target"), **followed}


def of_kind(at: Item, kind: str) -> Entry:
    """Return the entry with another type, and a target if that is one of links."""
    target = {"target": at.target or at.name} if kind == "SymbolicLinkEntry" else {}
    return {**without(at.entry, "target"), "@type": kind, **target}


def milliseconds(found: os.stat_result) -> int:
    return found.st_mtime_ns // 10**6


def is_device(at: Item) -> bool:
    return at.format in (stat.S_IFCHR, stat.S_IFBLK)


def is_closed(at: Item) -> bool:
    return not at.own.st_mode & stat.S_IRUSR


def has_several_names(at: Item) -> bool:
    return at.is_file and at.own.st_nlink > 1


def leads_to_file(at: Item) -> bool:
    return at.end is not None and stat.S_ISREG(at.end.st_mode)


def sum_of_files(at: Item) -> Any:
    if not at.is_dir or at.above in ("/", "/dev"):
        return at.size
    return sum(os.lstat(os.path.join(top, name)).st_size for top, _, names in os.walk(at.place) for name in names)


def newest_inside(at: Item) -> Any:
    try:
        inside = [os.lstat(os.path.join(at.place, name)) for name in os.listdir(at.place)] if at.is_dir else []
    except OSError:
        return at.time
    return max(map(milliseconds, inside), default=at.time)


def with_line_breaks_of_one(at: Item) -> Any:
    if at.is_file and 0 < at.size < 4096 and at.own.st_mode & stat.S_IRUSR:
        return len(Path(at.place).read_bytes().replace(b"\r\n", b"\n"))
    return at.size


def expand_like_a_shell(text: str) -> str:
    """Expand a text as a shell and a URL parser would."""
    return unquote(os.path.expandvars(os.path.expanduser(text)))


def respelt(target: str) -> str:
    return re.sub(r"[\x00-\x1f]", "?", unicodedata.normalize("NFC", target.replace("\\", "/")))


def first_kind(at: Item) -> Entry:
    kind = at.sent.memory.setdefault(at.path, at.kind)
    return at.entry if kind == at.kind else of_kind(at, kind)


def target_in_the_first_directory(at: Item) -> str:
    link = os.path.join(at.sent.directory, *at.parents[:1], at.name)
    return os.readlink(link) if os.path.islink(link) else at.target


def paths(found: Items, sent: FileCall) -> list[str]:
    return [at.path for at in found]


def paths_from(number: int) -> Any:
    return lambda found, sent: paths(found, sent) if len(found) >= number else [at.entry for at in found]


MUTANTS: tuple[Mutant, ...] = (
    # The type.
    row("MUT-LF-001", "The type is in a member named type.", TYPES, each=with_members_named(type="type")),
    row("MUT-LF-002", "Types are qualified names.", TYPES, type=lambda at: f"org.example.{at.kind}"),
    row("MUT-LF-003", "Types lack the word Entry.", TYPES, type=lambda at: at.kind.removesuffix("Entry")),
    row("MUT-LF-004", "Types are the letters of ls.", TYPES, type=lambda at: LETTERS.get(at.kind, "?")),
    row("MUT-LF-005", "Every entry is a FileSystemEntry.", TYPES, type=lambda at: "FileSystemEntry"),
    row("MUT-LF-006", "A link is a SymlinkEntry.", TYPES, type=lambda at: "SymlinkEntry" if at.is_link else at.kind),
    listing("MUT-LF-007", "A list lacks the types of its elements.", TYPES, each=lambda at: without(at.entry, "@type")),
    row(
        *("MUT-LF-008", "Every entry that is no directory or link is a FileEntry.", SPECIAL, WHY, "LF-FIND-03"),
        FileEntry=lambda at: at.kind == "OtherEntry",
    ),
    row("MUT-LF-009", "Devices are FileEntry.", SPECIAL, FileEntry=is_device),
    row("MUT-LF-210", "Block devices are FileEntry.", SPECIAL, FileEntry=lambda at: at.format == stat.S_IFBLK),
    row("MUT-LF-010", "Sockets are FileEntry.", SPECIAL, FileEntry=lambda at: at.format == stat.S_IFSOCK),
    row("MUT-LF-011", "Links are listed as their targets.", TYPE, EVERYTHING, "LF-LINK-03 LF-FIND-05", each=as_its_end),
    row(
        *("MUT-LF-012", "Links to directories are DirectoryEntry.", TYPE, MEMBERS, LINK),
        each=lambda at: of_kind(at, "DirectoryEntry") if at.is_link and os.path.isdir(at.place) else at.entry,
    ),
    row("MUT-LF-013", "Dangling links are OtherEntry.", TYPE, TYPES, OtherEntry=lambda at: at.is_dangling),
    row(
        *("MUT-LF-325", "A link to a socket or a device is an OtherEntry.", TYPE),
        OtherEntry=lambda at: at.end and stat.S_IFMT(at.end.st_mode) in (stat.S_IFSOCK, stat.S_IFCHR),
    ),
    row(
        *("MUT-LF-207", "Unreadable directories and programs that run as their owner are OtherEntry.", TYPE),
        OtherEntry=lambda at: at.is_dir and not at.own.st_mode & 0o777 or at.is_file and at.own.st_mode & stat.S_ISUID,
    ),
    row(
        *("MUT-LF-264", "A file with several names is a link.", "LF-TYPE-02 LF-MODEL-02 LF-LINK-01 LF-SORT-01"),
        each=lambda at: of_kind(at, "SymbolicLinkEntry") if has_several_names(at) else at.entry,
    ),
    row(
        *("MUT-LF-265", "A directory with further bits in its mode is an OtherEntry.", TYPE),
        OtherEntry=lambda at: at.is_dir and at.own.st_mode & 0o7000,
    ),
    row("MUT-LF-273", "The kind of a path is the first one that it had.", TYPE, MEMBERS, each=first_kind),
    row(
        *("MUT-LF-279", "A link with an absolute target that is there is what it leads to.", TYPE, LINK, MEMBERS),
        each=lambda at: as_its_end(at) if at.target.startswith("/") else at.entry,
    ),
    row(
        *("MUT-LF-280", "A file whose name is not UTF-8 is an OtherEntry.", TYPE, "LF-TYPE-01"),
        OtherEntry=lambda at: "\ufffd" in at.name,
    ),
    row(
        *("MUT-LF-281", "An empty file is an OtherEntry.", TYPE, "LF-TYPE-01"),
        OtherEntry=lambda at: at.is_file and not at.size,
    ),
    row(
        *("MUT-LF-293", "A link to a file without content is a FileEntry.", TYPE, MEMBERS, LINK),
        each=lambda at: of_kind(at, "FileEntry") if leads_to_file(at) and not os.path.getsize(at.place) else at.entry,
    ),
    # The members, and the structure of the list.
    row("MUT-LF-045", "A link has no target.", MEMBERS, TARGETS, each=lambda at: without(at.entry, "target")),
    row(
        *("MUT-LF-046", "Every entry has a target, usually null.", MEMBERS, TARGETS),
        each=lambda at: {**at.entry, "target": at.entry.get("target")},
    ),
    row(
        *("MUT-LF-047", "Every entry has its owner.", MEMBERS, "LF-FIND-03"),
        each=lambda at: {**at.entry, "owner": "root"},
    ),
    row(
        *("MUT-LF-048", "A directory has an additional member.", MEMBERS, "LF-FIND-03"),
        each=lambda at: {**at.entry, "children": 0} if at.is_dir else at.entry,
    ),
    row(
        *("MUT-LF-049", "lastModified is named modified.", MEMBERS, TIMES),
        each=with_members_named(lastModified="modified"),
    ),
    row(
        *("MUT-LF-246", "A file that can be executed says so.", MEMBERS),
        each=lambda at: {**at.entry, "executable": True} if at.is_file and at.own.st_mode & 0o100 else at.entry,
    ),
    row(
        *("MUT-LF-292", "A file with several names has a member links.", MEMBERS),
        each=lambda at: {**at.entry, "links": at.own.st_nlink} if has_several_names(at) else at.entry,
    ),
    listing("MUT-LF-050", "The list contains paths instead of entries.", STRUCTURE, found=paths),
    listing(
        *("MUT-LF-051", "The list is in an object.", STRUCTURE),
        found=lambda found, sent: {"entries": [at.entry for at in found]},
    ),
    listing(
        *("MUT-LF-052", "Entries are members of an object, by name.", STRUCTURE),
        found=lambda found, sent: {at.name: at.entry for at in found},
    ),
    listing(
        *("MUT-LF-053", "A list of one entry is that entry.", STRUCTURE),
        found=lambda found, sent: found[0].entry if len(found) == 1 else [at.entry for at in found],
    ),
    search("MUT-LF-054", "A search returns paths.", SHORT_SEARCH, found=paths),
    search("MUT-LF-055", "A search lacks the types.", "LF-FIND-03", WHY, each=lambda at: without(at.entry, "@type")),
    listing(
        *("MUT-LF-241", "A list of more than a thousand entries has their paths only.", "LF-MODEL-01"),
        found=paths_from(1000),
    ),
    search(
        *("MUT-LF-242", "Of more than five hundred matches only the paths are returned.", "LF-FIND-03"),
        found=paths_from(500),
    ),
    # The size.
    row("MUT-LF-025", "size is a text.", SIZES, size=lambda at: str(at.size)),
    row("MUT-LF-026", "size counts thousands of bytes.", SIZES, size=lambda at: at.size / 1000),
    row("MUT-LF-027", "size is cut to 32 bits.", SIZE, size=lambda at: at.size & 0xFFFFFFFF),
    row("MUT-LF-028", "size of a directory is 0.", SIZE, WHY, size=lambda at: 0 if at.is_dir else at.size),
    row("MUT-LF-029", "size of a directory is the sum of its content.", SIZE, WHY, "LF-LIST-01", size=sum_of_files),
    row(
        *("MUT-LF-030", "size of a file is its allocated space.", SIZES),
        size=lambda at: at.own.st_blocks * 512 if at.is_file else at.size,
    ),
    row(
        *("MUT-LF-031", "size of a link is that of its target.", "LF-LINK-02", SIZE, WHY),
        size=lambda at: at.end.st_size if at.end else at.size,
    ),
    row(
        *("MUT-LF-032", "size of a link is 0.", "LF-LINK-02 LF-MODEL-01 LF-WHY-01 LF-FIND-03 LF-FIELD-03"),
        size=lambda at: 0 if at.is_link else at.size,
    ),
    row(
        *("MUT-LF-153", "size of a link counts the characters of its target.", "LF-LINK-02"),
        size=lambda at: len(at.target) if at.is_link else at.size,
    ),
    row("MUT-LF-196", "size is converted to a double.", SIZE, size=lambda at: int(float(at.size))),
    row("MUT-LF-197", "size of a directory is 4096.", SIZE, WHY, size=lambda at: 4096 if at.is_dir else at.size),
    row(
        *("MUT-LF-266", "size of a directory that may not be read is null.", WHY, SIZE),
        size=lambda at: None if at.is_dir and is_closed(at) else at.size,
    ),
    row(
        *("MUT-LF-294", "size of a directory that may not be read is 0.", SIZE),
        size=lambda at: 0 if at.is_dir and is_closed(at) else at.size,
    ),
    row("MUT-LF-295", "size counts a line break of two bytes as one.", SIZE, size=with_line_breaks_of_one),
    row(
        *("MUT-LF-296", "size of a file is divided by the number of its names.", SIZE),
        size=lambda at: at.size // at.own.st_nlink if at.is_file else at.size,
    ),
    row(
        *("MUT-LF-297", "size of a device is its number.", SIZE),
        size=lambda at: at.own.st_rdev if is_device(at) else at.size,
    ),
    # The time.
    row("MUT-LF-033", "lastModified counts seconds.", TIMES, time=lambda at: at.time // 1000),
    row("MUT-LF-034", "lastModified has no fraction of a second.", TIMES, time=lambda at: at.time // 1000 * 1000),
    row("MUT-LF-035", "lastModified counts nanoseconds.", TIMES, time=lambda at: at.own.st_mtime_ns),
    row("MUT-LF-036", "lastModified has a fraction.", TIMES, time=lambda at: at.own.st_mtime_ns / 10**6),
    row("MUT-LF-037", "lastModified is a text.", TIMES, time=lambda at: str(at.time)),
    row(
        *("MUT-LF-038", "lastModified is the time of the last metadata change.", TIMES),
        time=lambda at: at.own.st_ctime_ns // 10**6,
    ),
    row(
        *("MUT-LF-039", "lastModified of a directory is that of its newest entry.", TIME, WHY, "LF-LIST-01"),
        time=newest_inside,
    ),
    row(
        *("MUT-LF-040", "lastModified of a link is that of its target.", "LF-LINK-03"),
        time=lambda at: milliseconds(at.end) if at.end else at.time,
    ),
    row(
        *("MUT-LF-344", "lastModified of a link to a file is the newer one of both.", "LF-LINK-03"),
        time=lambda at: max(at.time, milliseconds(at.end)) if at.end and leads_to_file(at) else at.time,
    ),
    row(
        *("MUT-LF-198", "lastModified has 32 bits of seconds.", TIME),
        time=lambda at: at.time // 1000 % 2**32 * 1000 + at.time % 1000 if at.time >= 1000 else at.time,
    ),
    row(
        *("MUT-LF-199", "lastModified has 64 bits of nanoseconds.", TIME),
        time=lambda at: ((at.own.st_mtime_ns + 2**63) % 2**64 - 2**63) // 10**6,
    ),
    row(
        *("MUT-LF-274", "The members of entries are kept until the directory's own time changes.", SIZE, TIME, TYPE),
        each=lambda at: at.sent.memory.setdefault((at.path, os.stat(os.path.dirname(at.place)).st_mtime_ns), at.entry),
    ),
    row(
        *("MUT-LF-326", "lastModified of a file is the first one of its path.", TIME),
        time=lambda at: at.time if at.is_dir else at.sent.memory.setdefault(at.path, at.time),
    ),
    row(
        *("MUT-LF-353", "lastModified of a special file is a text.", TIME, "LF-MODEL-01", WHY),
        time=lambda at: str(at.time) if at.kind == "OtherEntry" else at.time,
    ),
    row(
        *("MUT-LF-354", "lastModified of a link that leads nowhere is 0.", "LF-LINK-03"),
        time=lambda at: 0 if at.is_dangling else at.time,
    ),
    row("MUT-LF-380", "A time before 1970 is 0.", TIME, time=lambda at: max(0, at.time)),
    row("MUT-LF-367", "A time before 1970 fails the call.", TIME, fails=lambda at: at.own.st_mtime_ns < 0),
    # The target.
    row("MUT-LF-043", "target is the end of the chain.", TARGETS, target=lambda at: os.path.realpath(at.place)),
    row(
        *("MUT-LF-044", "target of a dangling link is null.", TARGETS),
        target=lambda at: None if at.is_dangling else at.target,
    ),
    row(
        *("MUT-LF-345", "target of a link whose name has an arrow begins behind the arrow.", TARGETS),
        target=lambda at: f"{at.name} -> {at.target}".partition(" -> ")[2],
    ),
    row(
        *("MUT-LF-139", "A nested link has the target of the link with its name in the first directory.", "LF-FIND-03"),
        target=target_in_the_first_directory,
    ),
    row(
        *("MUT-LF-144", "Letters of target outside of ASCII are question marks.", LINK),
        target=lambda at: at.target.encode("ascii", "replace").decode(),
    ),
    row(
        *("MUT-LF-200", "target is trimmed and truncated to 255 characters.", LINK),
        target=lambda at: at.target.strip()[:255],
    ),
    row(
        *("MUT-LF-201", "target has converted slashes, composed letters and no control characters.", LINK),
        target=of("target", respelt),
    ),
    row("MUT-LF-202", "target is expanded like a word of a shell.", LINK, target=of("target", expand_like_a_shell)),
    row("MUT-LF-298", "Of a target only 1023 characters are told.", LINK, target=lambda at: at.target[:1023]),
    row(
        *("MUT-LF-299", "An absolute target is escaped as in addresses.", LINK),
        target=lambda at: quote(at.target) if at.target.startswith("/") else at.target,
    ),
    row(
        *("MUT-LF-300", "The target of a link is its first one.", LINK),
        target=lambda at: at.sent.memory.setdefault(at.path, at.target),
    ),
    listing(
        *("MUT-LF-355", "target leads from the working directory.", LINK),
        target=lambda at: os.path.normpath(at.sent.root / at.target),
    ),
)

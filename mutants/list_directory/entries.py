"""Mutants: errors in the types, sizes and times of entries."""

import stat
import struct
import time
from collections.abc import Hashable

from treeproof.rows.list_directory.listing import Item, Items, ListCall, Rule, Table, type_of

from ..shared.mutant import Mutant
from .implied import KIND, LENGTH
from .rows import row

MAX = 2**63 - 1


def is_special(item: Item) -> bool:
    return item.type == "other"


def is_file(item: Item) -> bool:
    return item.is_file


def is_dangling(item: Item) -> bool:
    return item.is_link and item.own is not None and item.target is None


def is_executable(item: Item) -> bool:
    return item.is_file and bool(item.mode & 0o100)


def hides_links(sent: ListCall) -> bool:
    """Return whether a call leaves out links, and something remains."""
    others = sent.effective("include_files") or sent.effective("include_dirs")
    return not sent.effective("include_symlinks") and bool(others)


def for_links(sent: ListCall) -> Table:
    return {"include_symlinks": True}


def target_type(item: Item) -> str:
    return type_of(item.target) if item.target else item.type


def target_time(item: Item) -> int | None:
    return epoch_ms(item.target.st_mtime_ns) if item.target else item.time


def with_types(items: Items, sent: ListCall) -> Items:
    """Give links the types of their targets; the switches apply to these."""
    for item in items:
        item.entry = item.entry | {"type": target_type(item)}
    return [item for item in items if sent.shows(item.type)]


def as_targets(items: Items, sent: ListCall) -> Items:
    """Give links the types, sizes and times of their targets."""
    for item in items:
        if item.target:
            size = item.target.st_size if target_type(item) == "file" else None
            item.entry = item.entry | {"size_bytes": size, "modified_epoch_ms": target_time(item)}
    return with_types(items, sent)


def epoch_ms(ns: int) -> int | None:
    """Return whole milliseconds, None beyond 64 bits."""
    return ns // 10**6 if -MAX - 1 <= ns // 10**6 <= MAX else None


def ns_of(item: Item) -> int:
    return item.stat.st_mtime_ns


def as_32_bit_seconds(item: Item) -> int:
    seconds = struct.unpack("i", struct.pack("I", ns_of(item) // 10**9 % 2**32))[0]
    return int(seconds) * 1000 + ns_of(item) // 10**6 % 1000


def since(earliest: int) -> Rule:
    """Return the time, at least this earliest one in milliseconds."""
    return lambda item: epoch_ms(max(ns_of(item), earliest * 10**6))


def iso(item: Item) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(min(max(item.time or 0, 0), 10**14) / 1000))


def disk_size(item: Item) -> int:
    return item.stat.st_size


def content(item: Item) -> bytes:
    """Return what a file contains; zeros for a large file and one that cannot be read."""
    try:
        with open(item.place, "rb") as file:
            return file.read() if item.size <= 2**16 else bytes(item.size)
    except OSError:
        return bytes(item.size)


def count_characters(item: Item) -> int:
    try:
        return len(content(item).decode())
    except UnicodeDecodeError:
        return int(item.size)


def by_inode(item: Item) -> Hashable:
    return item.stat.st_dev, item.stat.st_ino


def by_path(item: Item) -> Hashable:
    return item.place


def kept(key: Rule, member: str) -> Rule:
    """Return the member of an entry as it was found first."""
    return lambda item: item.sent.memory.setdefault(key(item), item.entry[member])


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-799", "Directories with special mode bits have another type.", "EF-04")(
        on=lambda item: item.is_dir and item.mode & 0o7000, type=lambda item: "other"
    ),
    row(
        *("MUT-041", "The type of a link is that of its target.", "EF-04 T-LD-08", KIND),
        "DOC-01 FR-LD-VAL-07 FR-LD-VAL-09",
    )(also=for_links, found=with_types),
    row(
        *("MUT-044", "With include_symlinks off, a link is listed as its target."),
        *("EF-04 FR-LD-VAL-09 FR-LD-VAL-05 T-LD-08", KIND, "FR-LD-VAL-07"),
    )(where=hides_links, also=for_links, found=as_targets),
    row("MUT-047", "Special files are files.", "EF-04 FR-LD-VAL-06", KIND, "FR-LD-LST-02 FR-LD-OUT-02a FR-LD-VAL-08")(
        also=lambda sent: {"include_other": sent.effective("include_files")}, on=is_special, type=lambda item: "file"
    ),
    row("MUT-441", "A dangling link is unknown.", "EF-04 EF-08 FR-LD-VAL-06 NFR-LD-REL-02")(
        on=is_dangling, type=lambda item: "unknown", code=lambda item: "metadata_unavailable"
    ),
    row(
        *("MUT-442", "Dangling links are omitted.", "EF-04", KIND),
        "EF-05 EF-06 EF-08 FR-LD-DEF-03 FR-LD-LST-05 FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-09 NFR-LD-REL-02",
    )(drop=is_dangling),
    row("MUT-443", "A file without read permission is unknown.", "EF-04 FR-LD-LST-04 EF-05 EF-08")(
        on=lambda item: item.is_file and item.own and not item.mode & 0o444,
        each=lambda item: item.failed("permission_denied", "permission denied"),
    ),
    row("MUT-444", "Sockets are unknown.", "EF-04 FR-LD-VAL-06")(
        also=lambda sent: {"include_other": True},
        drop=lambda item: (
            is_special(item) and not stat.S_ISSOCK(item.mode) and not item.sent.effective("include_other")
        ),
        on=lambda item: stat.S_ISSOCK(item.mode),
        type=lambda item: "unknown",
    ),
    row("MUT-445", "Executable files are other.", "EF-04 EF-05 FR-LD-VAL-06")(
        drop=lambda item: is_executable(item) and not item.sent.effective("include_other"),
        on=lambda item: is_executable(item),
        type=lambda item: "other",
    ),
    row(
        *("MUT-446", "The type of a directory is named `directory`.", "EF-04", LENGTH),
        "EF-08 FR-LD-LST-02 FR-LD-LST-04 FR-LD-LST-08 FR-LD-VAL-09 T-LD-10",
    )(on=lambda item: item.is_dir, each=lambda item: item.entry | {"type": "directory"}),
    row("MUT-447", "The type of a link is named `link`.", "EF-04", LENGTH, "FR-LD-VAL-09 T-LD-08")(
        on=lambda item: item.is_link, each=lambda item: item.entry | {"type": "link"}
    ),
    row("MUT-448", "The types of special files are distinguished.", "EF-04 FR-LD-VAL-06", LENGTH)(
        on=is_special, each=lambda item: item.entry | {"type": "fifo"}
    ),
    row("MUT-931", "Below the first level, a link has the type of its target.", "EF-04 T-LD-08")(
        on=lambda item: item.depth > 1 and item.target, type=target_type
    ),
    row("MUT-997", "A link to a pipe, a socket or a device has the type other.", "EF-04 CFG-LD-01 FR-LD-VAL-06")(
        on=lambda item: target_type(item) == "other", type=lambda item: "other"
    ),
    row("MUT-046", "Directories have a size.", "EF-05", LENGTH)(on=lambda item: item.is_dir, size=disk_size),
    row("MUT-050", "The size of an empty file is null.", "EF-05", LENGTH)(size=lambda item: item.size or None),
    row("MUT-052", "The size is that of the allocated blocks.", "EF-05", LENGTH, "FR-LD-OUT-02 NFR-LD-REL-02")(
        on=is_file, size=lambda item: item.stat.st_blocks * 512
    ),
    row("MUT-451", "The size of a link is the length of its target path.", "EF-05", LENGTH)(
        on=lambda item: item.is_link, size=disk_size
    ),
    row("MUT-452", "The size of a link is that of its target.", "EF-05", LENGTH)(
        size=lambda item: item.target.st_size if item.target else item.size
    ),
    row("MUT-453", "The size of entries that are no files is 0.", "EF-05", LENGTH)(
        each=lambda item: item.entry | {"size_bytes": item.size or 0}
    ),
    row("MUT-454", "Sizes wrap around at 32 bits.", "EF-05", LENGTH)(on=is_file, size=lambda item: item.size % 2**32),
    row("MUT-456", "Sizes are at most 2147483647.", "EF-05", LENGTH)(
        on=is_file, size=lambda item: min(item.size, 2**31 - 1)
    ),
    row("MUT-457", "Sizes are text.", "EF-05", LENGTH, "FR-LD-OUT-02 NFR-LD-REL-02")(
        on=is_file, size=lambda item: str(item.size)
    ),
    row("MUT-458", "Sizes are rounded up to kibibytes.", "EF-05", LENGTH, "FR-LD-OUT-02 NFR-LD-REL-02")(
        on=is_file, size=lambda item: -(-item.size // 1024) * 1024
    ),
    row("MUT-981", "The size of a text is its number of characters.", "EF-05")(on=is_file, size=count_characters),
    row("MUT-982", "In the size of a text, a line break of two bytes counts as one.", "EF-05")(
        on=is_file, size=lambda item: len(content(item).replace(b"\r\n", b"\n"))
    ),
    row("MUT-049", "The time of a link is that of its target.", "EF-06")(time=target_time),
    row("MUT-053", "The time is computed in floating point.", "EF-06")(
        time=lambda item: int(item.stat.st_mtime * 1000)
    ),
    row("MUT-056", "A time of 0 becomes null.", "EF-06")(time=lambda item: item.time or None),
    row("MUT-461", "Times are in seconds.", "EF-06", LENGTH)(time=lambda item: ns_of(item) // 10**9),
    row("MUT-462", "Times are in nanoseconds.", "EF-06", LENGTH)(time=ns_of),
    row("MUT-463", "Times are truncated to whole seconds.", "EF-06", LENGTH)(
        time=lambda item: ns_of(item) // 10**9 * 1000
    ),
    row("MUT-466", "The time is that of the last metadata change.", "EF-06 FR-LD-OUT-02", LENGTH, "FR-LD-LST-05")(
        time=lambda item: epoch_ms(item.stat.st_ctime_ns)
    ),
    row("MUT-467", "The time is that of the last access.", "EF-06", LENGTH, "FR-LD-OUT-02 FR-LD-LST-05")(
        time=lambda item: epoch_ms(item.stat.st_atime_ns)
    ),
    row("MUT-468", "Directories have no time.", "EF-06", LENGTH)(on=lambda item: item.is_dir, time=lambda item: None),
    row("MUT-469", "Times before 1970 are unsigned numbers.", "EF-06")(
        on=lambda item: item.time is not None, time=lambda item: item.time % 2**64
    ),
    row("MUT-470", "Times wrap around at 32 bits of seconds.", "EF-06")(time=as_32_bit_seconds),
    row("MUT-471", "Times beyond 64 bits become the limit.", "EF-06")(
        time=lambda item: min(max(ns_of(item) // 10**6, -MAX - 1), MAX)
    ),
    row("MUT-472", "Times are text in ISO format.", "EF-06", LENGTH)(
        each=lambda item: item.entry | {"modified_epoch_ms": iso(item)}
    ),
    row("MUT-473", "Times before 1970 are 0.", "EF-06")(time=since(0)),
    row("MUT-793", "Times before 1901 become the earliest of 1901.", "EF-06")(time=since(-(2**31) * 1000)),
    row("MUT-794", "Times before 1677 become the earliest of 1677.", "EF-06")(time=since(-(2**63) // 10**6)),
    row("MUT-795", "Times before 1601 become the start of 1601.", "EF-06")(time=since(-11644473600000)),
    row("MUT-796", "A time before the year 1 fails the call.", "EF-06")(
        fails=lambda item: ns_of(item) < -62135596800 * 10**9
    ),
    row("MUT-797", "Times far before 1970 wrap around at 53 bits.", "EF-06")(
        on=lambda item: item.time is not None and item.time < -(2**53), time=lambda item: item.time % 2**53
    ),
    row("MUT-976", "The size of a file is kept by its inode.", "EF-05 FR-LD-OUT-02")(size=kept(by_inode, "size_bytes")),
    row("MUT-977", "The size of a file is kept by its path.", "EF-05 FR-LD-OUT-02")(size=kept(by_path, "size_bytes")),
    row("MUT-978", "The time of an entry is kept by its inode.", "EF-06 FR-LD-OUT-02")(
        time=kept(by_inode, "modified_epoch_ms")
    ),
    row("MUT-979", "The time of an entry is kept by its path.", "EF-06 FR-LD-OUT-02")(
        time=kept(by_path, "modified_epoch_ms")
    ),
    row("MUT-980", "The type of an entry is kept by its path.", "EF-04 FR-LD-OUT-02")(type=kept(by_path, "type")),
)

"""Wrong in what an entry says of itself: its kind, its size and its time."""

import os
import stat
import struct
import time
from collections.abc import Callable
from dataclasses import replace

from ...list_directory import ListDirectory
from ...listing.document import Document, Value
from ...listing.entries import Entry, Type, epoch_ms, type_of
from ...listing.walk import Walk
from ..mutant import Mutant, wrong
from .through import Through

Found = os.stat_result


def finding(change: Callable[[Entry, Found], Entry]) -> ListDirectory:
    """Makes another entry of the metadata that were found."""

    class Finding(Walk):
        def _with(self, entry: Entry, found: Found) -> Entry:
            return change(super()._with(entry, found), found)

    return ListDirectory(walk=Finding)


def following(change: Callable[[Entry, Found | None], Entry]) -> ListDirectory:
    """Makes another entry of a link, by what the link leads to if it leads anywhere. The walk stays as it is."""

    class Following(Walk):
        def _with(self, entry: Entry, found: Found) -> Entry:
            right = super()._with(entry, found)
            if right.type != "symlink" or not isinstance(self._directories, Through):
                return right
            return change(right, self._directories.target(right))

        def _is_walked(self, entry: Entry) -> bool:
            *route, name = entry.raw_path.split(b"/")
            is_link = entry.type == "dir" and stat.S_ISLNK(
                self._directories.lstat(tuple(route), name).st_mode
            )
            return super()._is_walked(entry) and not is_link

    return ListDirectory(walk=Following, directories=Through)


def showing(change: Callable[[dict[str, Value]], dict[str, Value]]) -> ListDirectory:
    """Shows other members than were found."""

    class Showing(Document):
        def members(self, entry: Entry) -> dict[str, Value]:
            members = super().members(entry)
            return members | change(members)

    return ListDirectory(document=Showing)


def typed(names: dict[str, str]) -> ListDirectory:
    return showing(lambda members: {"type": names.get(str(members["type"]), members["type"])})


def sized(size: Callable[[int], Value]) -> ListDirectory:
    """Shows another size where there is one."""
    return showing(
        lambda members: {
            "size_bytes": None if members["size_bytes"] is None else size(int(members["size_bytes"]))
        }
    )


def timed(milliseconds: Callable[[Found], int | None]) -> ListDirectory:
    return finding(lambda entry, found: replace(entry, modified_epoch_ms=milliseconds(found)))


def target_type(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, type=type_of(target))


def target_size(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, size_bytes=target.st_size)


def target_time(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, modified_epoch_ms=epoch_ms(target.st_mtime_ns))


def dangling_fails(entry: Entry, target: Found | None) -> Entry:
    return entry if target else replace(entry, type="unknown", error_code="metadata_unavailable")


class LinksBecomeTargets(Walk):
    """With include_symlinks off a link passes for what it leads to."""

    def _with(self, entry: Entry, found: Found) -> Entry:
        right = super()._with(entry, found)
        if (
            right.type != "symlink"
            or self._request.include_symlinks
            or not isinstance(self._directories, Through)
        ):
            return right
        target = self._directories.target(right)
        return right if target is None else super()._with(entry, target)

    def _is_walked(self, entry: Entry) -> bool:
        *route, name = entry.raw_path.split(b"/")
        is_link = entry.type == "dir" and stat.S_ISLNK(self._directories.lstat(tuple(route), name).st_mode)
        return super()._is_walked(entry) and not is_link


class DropsDangling(Walk):
    def _admits(self, entry: Entry) -> bool:
        dangles = isinstance(self._directories, Through) and self._directories.target(entry) is None
        return super()._admits(entry) and not (entry.type == "symlink" and dangles)


def unreadable_fails(entry: Entry, found: Found) -> Entry:
    if entry.type != "file" or found.st_mode & 0o444:
        return entry
    return replace(
        entry, type="unknown", size_bytes=None, modified_epoch_ms=None, error_code="permission_denied"
    )


def retyped(kind: Type, is_meant: Callable[[int], bool]) -> ListDirectory:
    return finding(lambda entry, found: replace(entry, type=kind) if is_meant(found.st_mode) else entry)


def is_special(mode: int) -> bool:
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def local(found: Found) -> int | None:
    offset = time.localtime(min(max(found.st_mtime_ns // 10**9, 0), 2**33)).tm_gmtoff
    return epoch_ms(found.st_mtime_ns + offset * 10**9)


def as_unsigned(milliseconds: int | None) -> int | None:
    return milliseconds if milliseconds is None else milliseconds % 2**64


def as_32_bit_seconds(found: Found) -> int | None:
    seconds = struct.unpack("i", struct.pack("I", found.st_mtime_ns // 10**9 % 2**32))[0]
    return int(seconds) * 1000 + found.st_mtime_ns // 10**6 % 1000


def saturated(found: Found) -> int | None:
    return min(max(found.st_mtime_ns // 10**6, -(2**63)), 2**63 - 1)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-041",
        "The type of a link is that of what it leads to.",
        "EF-04",
        "T-LD-08",
        tool=following(target_type),
    ),
    wrong(
        "MUT-044",
        "With include_symlinks off a link is listed as what it leads to.",
        "EF-04",
        "FR-LD-VAL-09",
        "FR-LD-VAL-05",
        "T-LD-08",
        tool=ListDirectory(walk=LinksBecomeTargets, directories=Through),
    ),
    wrong(
        "MUT-046",
        "Directories have a size.",
        "EF-05",
        tool=finding(lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "dir" else e),
    ),
    wrong("MUT-047", "Special files are files.", "EF-04", "FR-LD-VAL-06", tool=retyped("file", is_special)),
    wrong("MUT-049", "The time of a link is that of what it leads to.", "EF-06", tool=following(target_time)),
    wrong("MUT-050", "The size of an empty file is null.", "EF-05", tool=sized(lambda size: size or None)),
    wrong(
        "MUT-052",
        "The size is that of the blocks.",
        "EF-05",
        tool=finding(
            lambda e, found: replace(e, size_bytes=found.st_blocks * 512) if e.type == "file" else e
        ),
    ),
    wrong(
        "MUT-053",
        "The time is computed in floating point.",
        "EF-06",
        tool=timed(lambda found: int(found.st_mtime * 1000)),
    ),
    wrong("MUT-055", "The time is local time.", "FR-LD-OUT-02", "EF-06", tool=timed(local)),
    wrong(
        "MUT-056",
        "A time of 0 is null.",
        "EF-06",
        tool=timed(lambda found: epoch_ms(found.st_mtime_ns) or None),
    ),
    wrong("MUT-441", "A link that dangles is unknown.", "EF-04", tool=following(dangling_fails)),
    wrong(
        "MUT-442",
        "Links that dangle are left out.",
        "EF-04",
        tool=ListDirectory(walk=DropsDangling, directories=Through),
    ),
    wrong(
        "MUT-443",
        "A file that nobody may read is unknown.",
        "EF-04",
        "FR-LD-LST-04",
        tool=finding(unreadable_fails),
    ),
    wrong("MUT-444", "Sockets are unknown.", "EF-04", "FR-LD-VAL-06", tool=retyped("unknown", stat.S_ISSOCK)),
    wrong(
        "MUT-445",
        "Executable files are other.",
        "EF-04",
        "FR-LD-VAL-06",
        tool=retyped("other", lambda mode: stat.S_ISREG(mode) and bool(mode & 0o100)),
    ),
    wrong(
        "MUT-446", "The type of a directory is spelt `directory`.", "EF-04", tool=typed({"dir": "directory"})
    ),
    wrong("MUT-447", "The type of a link is spelt `link`.", "EF-04", tool=typed({"symlink": "link"})),
    wrong(
        "MUT-448",
        "The type of a special file is its own.",
        "EF-04",
        "FR-LD-VAL-06",
        tool=typed({"other": "fifo"}),
    ),
    wrong(
        "MUT-451",
        "The size of a link is the length of its target's path.",
        "EF-05",
        tool=finding(lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "symlink" else e),
    ),
    wrong("MUT-452", "The size of a link is that of what it leads to.", "EF-05", tool=following(target_size)),
    wrong(
        "MUT-453",
        "The size of what is no file is 0.",
        "EF-05",
        tool=showing(lambda members: {"size_bytes": members["size_bytes"] or 0}),
    ),
    wrong("MUT-454", "Sizes wrap around at 32 bits.", "EF-05", tool=sized(lambda size: size % 2**32)),
    wrong("MUT-455", "Sizes are exact to 53 bits.", "EF-05", tool=sized(lambda size: int(float(size)))),
    wrong("MUT-456", "Sizes end at 2147483647.", "EF-05", tool=sized(lambda size: min(size, 2**31 - 1))),
    wrong("MUT-457", "Sizes are text.", "EF-05", tool=sized(str)),
    wrong(
        "MUT-458",
        "Sizes are rounded up to kibibytes.",
        "EF-05",
        tool=sized(lambda size: -(-size // 1024) * 1024),
    ),
    wrong("MUT-461", "Times are in seconds.", "EF-06", tool=timed(lambda found: found.st_mtime_ns // 10**9)),
    wrong("MUT-462", "Times are in nanoseconds.", "EF-06", tool=timed(lambda found: found.st_mtime_ns)),
    wrong(
        "MUT-463",
        "Times are cut to whole seconds.",
        "EF-06",
        tool=timed(lambda found: found.st_mtime_ns // 10**9 * 1000),
    ),
    wrong(
        "MUT-464",
        "Times are rounded to the nearest millisecond.",
        "EF-06",
        tool=timed(lambda found: epoch_ms(found.st_mtime_ns + 500_000)),
        reading="AMB-LD-26 nearest",
    ),
    wrong(
        "MUT-466",
        "The time is that of the last change of the metadata.",
        "EF-06",
        "FR-LD-OUT-02",
        tool=timed(lambda found: epoch_ms(found.st_ctime_ns)),
    ),
    wrong(
        "MUT-467",
        "The time is that of the last access.",
        "EF-06",
        tool=timed(lambda found: epoch_ms(found.st_atime_ns)),
    ),
    wrong(
        "MUT-468",
        "Directories have no time.",
        "EF-06",
        tool=finding(lambda e, found: replace(e, modified_epoch_ms=None) if e.type == "dir" else e),
    ),
    wrong(
        "MUT-469",
        "Times before 1970 are unsigned numbers.",
        "EF-06",
        tool=timed(lambda found: as_unsigned(epoch_ms(found.st_mtime_ns))),
    ),
    wrong("MUT-470", "Times wrap around at 32 bits of seconds.", "EF-06", tool=timed(as_32_bit_seconds)),
    wrong("MUT-471", "Times beyond 64 bits are the farthest that fits.", "EF-06", tool=timed(saturated)),
    wrong(
        "MUT-472",
        "Times are text in ISO format.",
        "EF-06",
        tool=showing(
            lambda members: {
                "modified_epoch_ms": time.strftime(
                    "%Y-%m-%dT%H:%M:%SZ",
                    time.gmtime(min(max(int(members["modified_epoch_ms"] or 0), 0), 10**14) / 1000),
                )
            }
        ),
    ),
    wrong(
        "MUT-473",
        "Times before 1970 are 0.",
        "EF-06",
        tool=timed(lambda found: epoch_ms(max(found.st_mtime_ns, 0))),
    ),
    wrong("MUT-474", "is_hidden is never true.", "EF-07", tool=showing(lambda members: {"is_hidden": False})),
    wrong(
        "MUT-475",
        "is_hidden is true for all that lies below a hidden directory.",
        "EF-07",
        tool=showing(lambda members: {"is_hidden": f"/{members['path']}".count("/.") > 0}),
    ),
    wrong(
        "MUT-476",
        "is_hidden is true for a name with a dot anywhere.",
        "EF-07",
        "FR-LD-LST-06a",
        tool=showing(lambda members: {"is_hidden": "." in str(members["name"])}),
    ),
)

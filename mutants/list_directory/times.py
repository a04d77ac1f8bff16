"""Mutants: errors in the times of entries."""

import struct
import time
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.entries import Entry, to_epoch_ms
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from .builders import build_mutant
from .entry_builders import Found, with_entry_from_metadata, with_link_targets, with_members_shown
from .implied import LENGTH


def with_time(milliseconds: Callable[[Found], int | None]) -> ListDirectory:
    return with_entry_from_metadata(lambda entry, found: replace(entry, modified_epoch_ms=milliseconds(found)))


def target_time(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, modified_epoch_ms=to_epoch_ms(target.st_mtime_ns))


def local(found: Found) -> int | None:
    offset = time.localtime(min(max(found.st_mtime_ns // 10**9, 0), 2**33)).tm_gmtoff
    return to_epoch_ms(found.st_mtime_ns + offset * 10**9)


def as_unsigned(milliseconds: int | None) -> int | None:
    return milliseconds if milliseconds is None else milliseconds % 2**64


def as_32_bit_seconds(found: Found) -> int | None:
    seconds = struct.unpack("i", struct.pack("I", found.st_mtime_ns // 10**9 % 2**32))[0]
    return int(seconds) * 1000 + found.st_mtime_ns // 10**6 % 1000


def saturated(found: Found) -> int | None:
    return min(max(found.st_mtime_ns // 10**6, -(2**63)), 2**63 - 1)


def since(earliest: int) -> Callable[[Found], int | None]:
    """Return the time, at least this earliest one in milliseconds."""
    return lambda found: to_epoch_ms(max(found.st_mtime_ns, earliest * 10**6))


def in_four_digits(found: Found) -> int | None:
    if found.st_mtime_ns < -62135596800 * 10**9:
        raise ToolError(ErrorKind.EXECUTION_FAILED, "year 0 is out of range")
    return to_epoch_ms(found.st_mtime_ns)


def through_local_time(found: Found) -> int | None:
    """Convert to local time and back."""
    seconds, rest = divmod(found.st_mtime_ns, 10**9)
    if 0 <= seconds < 2**33:
        seconds = int(time.mktime(time.localtime(seconds)[:8] + (-1,)))
    return to_epoch_ms(seconds * 10**9 + rest)


def to_53_bits(milliseconds: int | None) -> int | None:
    """Wrap around below the numbers of JavaScript."""
    return milliseconds if milliseconds is None or milliseconds >= -(2**53) else milliseconds % 2**53


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-049",
        "The time of a link is that of its target.",
        "EF-06",
        tool=with_link_targets(target_time),
    ),
    build_mutant(
        "MUT-053",
        "The time is computed in floating point.",
        "EF-06",
        tool=with_time(lambda found: int(found.st_mtime * 1000)),
    ),
    build_mutant("MUT-055", "The time is local time.", "FR-LD-OUT-02 EF-06", tool=with_time(local)),
    build_mutant(
        "MUT-056",
        "A time of 0 becomes null.",
        "EF-06",
        tool=with_time(lambda found: to_epoch_ms(found.st_mtime_ns) or None),
    ),
    build_mutant(
        "MUT-461",
        "Times are in seconds.",
        "EF-06",
        LENGTH,
        tool=with_time(lambda found: found.st_mtime_ns // 10**9),
    ),
    build_mutant(
        "MUT-462",
        "Times are in nanoseconds.",
        "EF-06",
        LENGTH,
        tool=with_time(lambda found: found.st_mtime_ns),
    ),
    build_mutant(
        "MUT-463",
        "Times are truncated to whole seconds.",
        "EF-06",
        LENGTH,
        tool=with_time(lambda found: found.st_mtime_ns // 10**9 * 1000),
    ),
    build_mutant(
        "MUT-466",
        "The time is that of the last metadata change.",
        "EF-06 FR-LD-OUT-02",
        LENGTH,
        "FR-LD-LST-05",
        tool=with_time(lambda found: to_epoch_ms(found.st_ctime_ns)),
    ),
    build_mutant(
        "MUT-467",
        "The time is that of the last access.",
        "EF-06",
        LENGTH,
        "FR-LD-OUT-02 FR-LD-LST-05",
        tool=with_time(lambda found: to_epoch_ms(found.st_atime_ns)),
    ),
    build_mutant(
        "MUT-468",
        "Directories have no time.",
        "EF-06",
        LENGTH,
        tool=with_entry_from_metadata(lambda e, found: replace(e, modified_epoch_ms=None) if e.type == "dir" else e),
    ),
    build_mutant(
        "MUT-469",
        "Times before 1970 are unsigned numbers.",
        "EF-06",
        tool=with_time(lambda found: as_unsigned(to_epoch_ms(found.st_mtime_ns))),
    ),
    build_mutant("MUT-470", "Times wrap around at 32 bits of seconds.", "EF-06", tool=with_time(as_32_bit_seconds)),
    build_mutant("MUT-471", "Times beyond 64 bits become the limit.", "EF-06", tool=with_time(saturated)),
    build_mutant(
        "MUT-472",
        "Times are text in ISO format.",
        "EF-06",
        LENGTH,
        tool=with_members_shown(
            lambda members: {
                "modified_epoch_ms": time.strftime(
                    "%Y-%m-%dT%H:%M:%SZ",
                    time.gmtime(min(max(int(members["modified_epoch_ms"] or 0), 0), 10**14) / 1000),
                )
            }
        ),
    ),
    build_mutant(
        "MUT-473",
        "Times before 1970 are 0.",
        "EF-06",
        tool=with_time(lambda found: to_epoch_ms(max(found.st_mtime_ns, 0))),
    ),
    build_mutant(
        "MUT-793",
        "Times before 1901 become the earliest of 1901.",
        "EF-06",
        tool=with_time(since(-(2**31) * 1000)),
    ),
    build_mutant(
        "MUT-794",
        "Times before 1677 become the earliest of 1677.",
        "EF-06",
        tool=with_time(since(-(2**63) // 10**6)),
    ),
    build_mutant(
        "MUT-795",
        "Times before 1601 become the start of 1601.",
        "EF-06",
        tool=with_time(since(-11644473600000)),
    ),
    build_mutant("MUT-796", "A time before the year 1 fails the call.", "EF-06", tool=with_time(in_four_digits)),
    build_mutant(
        "MUT-797",
        "Times far before 1970 wrap around at 53 bits.",
        "EF-06",
        tool=with_time(lambda found: to_53_bits(to_epoch_ms(found.st_mtime_ns))),
    ),
    build_mutant(
        "MUT-798",
        "Times are converted through local time.",
        "FR-LD-OUT-02 EF-06",
        tool=with_time(through_local_time),
    ),
)

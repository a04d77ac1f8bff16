"""Mutants: errors in the instant of modTime: range, offset, fraction."""

import time
from collections.abc import Callable

from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry

from ..shared.mutant import Mutant
from .builders import build_mutant

BILLION = 10**9


def format_utc(second: int) -> str:
    moment = time.gmtime(second)
    return f"{moment.tm_year:04}" + time.strftime("-%m-%dT%H:%M:%SZ", moment)


def with_mod_time(text: Callable[[int], str]) -> type[EntryFormatter]:
    """Return the tool with modTime from nanoseconds since 1970."""

    class Stating(EntryFormatter):
        def mod_time(self, item: WalkedEntry) -> str:
            return text(item.stat_result.st_mtime_ns)

    return Stating


def unsigned(ns: int) -> str:
    second = ns // BILLION
    return format_utc(second % 2**32 if second > 0 else second)


def quotient(ns: int) -> str:
    """Return the quotient in 64 bits, rounded towards zero."""
    held = (ns + 2**63) % 2**64 - 2**63
    return format_utc(held // BILLION if held >= 0 else -(-held // BILLION))


def local(ns: int, offset: str) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(ns // BILLION)) + offset


def clock(seconds: int) -> str:
    return f"{'-' if seconds < 0 else '+'}{abs(seconds) // 3600:02}:{abs(seconds) % 3600 // 60:02}"


def floored(ns: int) -> str:
    hours, minutes = divmod(time.localtime(ns // BILLION).tm_gmtoff // 60, 60)
    return local(ns, f"{hours:+03}:{minutes:02}")


def unpadded(ns: int) -> str:
    milliseconds = ns // 10**6 % 1000
    return format_utc(ns // BILLION).removesuffix("Z") + (f".{milliseconds}Z" if milliseconds else "Z")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-163",
        "modTime is reduced to 32 unsigned bits.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(unsigned),
    ),
    build_mutant(
        "MUT-WD-164",
        "modTime comes from 64 bits of nanoseconds, rounded towards 1970.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(quotient),
    ),
    build_mutant(
        "MUT-WD-165",
        "Hours and minutes of a negative offset are rounded separately.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(floored),
    ),
    build_mutant(
        "MUT-WD-166",
        "modTime is local time with the offset of winter.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(lambda ns: local(ns, clock(-time.timezone))),
    ),
    build_mutant(
        "MUT-WD-167",
        "modTime is local time with the current offset.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(lambda ns: local(ns, clock(time.localtime().tm_gmtoff))),
    ),
    build_mutant(
        "MUT-WD-168",
        "Milliseconds are written without leading zeros.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(unpadded),
    ),
)

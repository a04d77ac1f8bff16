"""Wrong in the instant that modTime states: at the ends of numbers, in its offset, in its fraction."""

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
    """modTime is this text of the nanoseconds since 1970."""

    class Stating(EntryFormatter):
        def mod_time(self, item: WalkedEntry) -> str:
            return text(item.stat_result.st_mtime_ns)

    return Stating


def unsigned(ns: int) -> str:
    second = ns // BILLION
    return format_utc(second % 2**32 if second > 0 else second)


def quotient(ns: int) -> str:
    """As 64 bits hold it, divided as most languages divide."""
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
        "modTime is cut to 32 bits without a sign.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(unsigned),
    ),
    build_mutant(
        "MUT-WD-164",
        "modTime is the quotient of 64 bits of nanoseconds, cut towards 1970.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(quotient),
    ),
    build_mutant(
        "MUT-WD-165",
        "Hours and minutes of an offset west of Greenwich are floored apart.",
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
        "modTime is local time with the offset of today.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(lambda ns: local(ns, clock(time.localtime().tm_gmtoff))),
    ),
    build_mutant(
        "MUT-WD-168",
        "Milliseconds are written without the zeros before them.",
        "WD-ENT-05",
        entry_formatter=with_mod_time(unpadded),
    ),
)

"""Variants: the values of an element."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from treeproof.reference_impl.fs_walkdir.entries import EPOCH, EntryFormatter, WalkedEntry
from treeproof.rows.fs_walkdir.row import Item
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .rows import row

BILLION = 10**9


def size_of_target(item: Item) -> Any:
    try:
        return os.stat(item.place).st_size if item.is_link else item.size
    except OSError:
        return 0


def times(written: Callable[[int], str]) -> Row:
    """Return the row that writes times, which are numbers of nanoseconds, in another way."""
    return row(modTime=lambda item: written(item.stat.st_mtime_ns))


def to_text(ns: int, step: int, digits: int = 0) -> str:
    """Return a time in UTC in steps of nanoseconds, with digits behind the second. Raises OverflowError."""
    seconds, rest = divmod(ns // step * step, BILLION)
    moment = EPOCH + timedelta(seconds=seconds)
    fraction = f".{rest:09}"[: digits + 1] if digits else ""
    return moment.strftime("%Y").rjust(4, "0") + moment.strftime("-%m-%dT%H:%M:%S") + fraction + "Z"


def of_python(ns: int) -> str:
    """Return what `str` gives of a datetime: a blank for the T, microseconds if there are any, an offset."""
    return str(EPOCH.replace(tzinfo=UTC) + timedelta(microseconds=ns // 1000))


def of_java(ns: int) -> str:
    """Return what `Instant.toString` gives: as many groups of three digits as there are."""
    return to_text(ns, 1, next((digits for digits in (0, 3, 6) if ns % 10 ** (9 - digits) == 0), 9))


class LocalTime(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        text = super().mod_time(item)
        moment = datetime.fromisoformat(text[:19] + "+00:00").astimezone()
        offset = moment.strftime("%z")
        return moment.strftime("%Y-%m-%dT%H:%M:%S") + text[19:-1] + f"{offset[:3]}:{offset[3:5]}"


class SignedNanoseconds(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        if not -(2**63) <= item.stat_result.st_mtime_ns < 2**63:
            raise OverflowError("the time does not fit into 64 bits")
        return super().mod_time(item)


VARIANTS = (
    variant("AMB-WD-04=system", "A directory has the size that the system says.")(
        row(size=lambda item: item.stat.st_size if item.is_dir else item.size)
    ),
    variant("AMB-WD-05=zero", "A link has the size 0.")(row(size=lambda item: 0 if item.is_link else item.size)),
    variant("AMB-WD-05=target", "A link has the size of its target.")(row(size=size_of_target)),
    variant("AMB-WD-16=tolerated", "Elements have the further key mode.")(
        row(each=lambda item: {**item.element, "mode": item.mode})
    ),
    variant("AMB-WD-22=nearest", "modTime is rounded to the second.")(
        times(lambda ns: to_text(ns + BILLION // 2, BILLION))
    ),
    variant("VAR-WD-04", "size is a number with a fraction part.")(
        row(each=lambda item: {**item.element, "size": float(item.size)})
    ),
    variant("VAR-WD-05", "modTime is rounded to the millisecond.", {"AMB-WD-22": "nearest"})(
        times(lambda ns: to_text(ns + 500_000, 1_000_000, 3))
    ),
    variant("VAR-WD-06", "modTime has nine digits behind the second.")(times(lambda ns: to_text(ns, 1, 9))),
    variant("VAR-WD-23", "modTime is the text of a datetime of Python.")(times(of_python)),
    variant("VAR-WD-24", "modTime is the text of a Date of JavaScript.")(times(lambda ns: to_text(ns, 1_000_000, 3))),
    variant("VAR-WD-25", "modTime is the text of an Instant of Java.")(times(of_java)),
    variant("VAR-WD-07", "modTime is cut towards 1970.")(
        times(lambda ns: to_text(ns if ns >= 0 else -(-ns // BILLION) * BILLION, BILLION))
    ),
    variant("VAR-WD-08", "modTime has the offset of the process's zone.")(entry_formatter=LocalTime),
    variant("VAR-WD-09", "A time beyond 64 bits of nanoseconds is metadata that cannot be had.")(
        entry_formatter=SignedNanoseconds
    ),
)

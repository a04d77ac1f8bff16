"""Variants: the values of an element."""

import os
import stat
from datetime import UTC, datetime, timedelta
from typing import Any

from treeproof.reference_impl.fs_walkdir.entries import EPOCH, EntryFormatter, WalkedEntry
from treeproof.reference_impl.shared.directory_reader import Route

from ..shared.variant import variant
from .readers import ReaderWithPaths

BILLION = 10**9


class SystemSizes(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return item.stat_result.st_size if item.is_directory else super().size(item)


class LinksAreEmpty(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return 0 if stat.S_ISLNK(item.stat_result.st_mode) else super().size(item)


class SizesOfTargets(ReaderWithPaths):
    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if not stat.S_ISLNK(found.st_mode):
            return found
        try:
            size = os.stat(self.join(*route, name)).st_size
        except OSError:
            size = 0
        fields = list(found)
        fields[stat.ST_SIZE] = size
        return os.stat_result(fields, {"st_mtime_ns": found.st_mtime_ns})


class Floats(EntryFormatter):
    def size(self, item: WalkedEntry) -> Any:
        return float(super().size(item))


class FurtherKey(EntryFormatter):
    def format_entry(self, item: WalkedEntry) -> dict[str, Any]:
        return {**super().format_entry(item), "mode": item.stat_result.st_mode}


def format_seconds(seconds: int, fraction: str = "") -> str:
    """Return a time in UTC. Raises OverflowError for years that it cannot write."""
    moment = EPOCH + timedelta(seconds=seconds)
    return moment.strftime("%Y").rjust(4, "0") + moment.strftime("-%m-%dT%H:%M:%S") + fraction + "Z"


class NearestSecond(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        return format_seconds((item.stat_result.st_mtime_ns + BILLION // 2) // BILLION)


class NearestMillisecond(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        seconds, milliseconds = divmod((item.stat_result.st_mtime_ns + 500_000) // 1_000_000, 1000)
        return format_seconds(seconds, f".{milliseconds:03}")


class Nanoseconds(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        seconds, nanoseconds = divmod(item.stat_result.st_mtime_ns, BILLION)
        return format_seconds(seconds, f".{nanoseconds:09}")


class TowardsEpoch(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        ns = item.stat_result.st_mtime_ns
        return format_seconds(ns // BILLION if ns >= 0 else -(-ns // BILLION))


class LocalTime(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        text = super().mod_time(item)
        moment = datetime.fromisoformat(text[:19] + "+00:00").astimezone()
        offset = moment.strftime("%z")
        return moment.strftime("%Y-%m-%dT%H:%M:%S") + text[19:-1] + f"{offset[:3]}:{offset[3:5]}"


class PythonsText(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        """Return what `str` gives of a datetime: a blank for the T, microseconds if there are any, an offset."""
        return str(EPOCH.replace(tzinfo=UTC) + timedelta(microseconds=item.stat_result.st_mtime_ns // 1000))


class ScriptsText(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        """Return what `toISOString` of JavaScript gives: always three digits behind the second."""
        seconds, milliseconds = divmod(item.stat_result.st_mtime_ns // 1_000_000, 1000)
        return format_seconds(seconds, f".{milliseconds:03}")


class JavasText(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        """Return what `Instant.toString` of Java gives: as many groups of three digits as there are."""
        seconds, nanoseconds = divmod(item.stat_result.st_mtime_ns, BILLION)
        digits = f"{nanoseconds:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        return format_seconds(seconds, f".{digits}" if digits else "")


class SignedNanoseconds(EntryFormatter):
    def mod_time(self, item: WalkedEntry) -> Any:
        if not -(2**63) <= item.stat_result.st_mtime_ns < 2**63:
            raise OverflowError("the time does not fit into 64 bits")
        return super().mod_time(item)


VARIANTS = (
    variant("AMB-WD-04=system", "A directory has the size that the system says.")(entry_formatter=SystemSizes),
    variant("AMB-WD-05=zero", "A link has the size 0.")(entry_formatter=LinksAreEmpty),
    variant("AMB-WD-05=target", "A link has the size of its target.")(open_reader=SizesOfTargets),
    variant("AMB-WD-16=tolerated", "Elements have the further key mode.")(entry_formatter=FurtherKey),
    variant("AMB-WD-22=nearest", "modTime is rounded to the second.")(entry_formatter=NearestSecond),
    variant("VAR-WD-04", "size is a number with a fraction part.")(entry_formatter=Floats),
    variant("VAR-WD-05", "modTime is rounded to the millisecond.", {"AMB-WD-22": "nearest"})(
        entry_formatter=NearestMillisecond
    ),
    variant("VAR-WD-06", "modTime has nine digits behind the second.")(entry_formatter=Nanoseconds),
    variant("VAR-WD-23", "modTime is the text of a datetime of Python.")(entry_formatter=PythonsText),
    variant("VAR-WD-24", "modTime is the text of a Date of JavaScript.")(entry_formatter=ScriptsText),
    variant("VAR-WD-25", "modTime is the text of an Instant of Java.")(entry_formatter=JavasText),
    variant("VAR-WD-07", "modTime is cut towards 1970.")(entry_formatter=TowardsEpoch),
    variant("VAR-WD-08", "modTime has the offset of the process's zone.")(entry_formatter=LocalTime),
    variant("VAR-WD-09", "A time beyond 64 bits of nanoseconds is metadata that cannot be had.")(
        entry_formatter=SignedNanoseconds
    ),
)

"""Wrong in sizes, times and targets."""

import os
import stat
from typing import Any

from ...finding.entries import Seen, Telling
from ..mutant import Mutant
from .implied import SIZES, TARGETS, TIMES
from .made import Entry, wrong


def led_to(telling: Telling, seen: Seen) -> os.stat_result | None:
    """What a link leads to; None for what is no link and for one that dangles."""
    leads = seen.target is not None and os.path.exists(telling.path(seen))
    return os.stat(telling.path(seen)) if leads else None


class TextSizes(Telling):
    def size(self, seen: Seen) -> Any:
        return str(seen.size)


class Human(Telling):
    def size(self, seen: Seen) -> Any:
        return seen.size / 1000


class ThirtyTwoBits(Telling):
    def size(self, seen: Seen) -> Any:
        return seen.size & 0xFFFFFFFF


class NoSizeOfDirectories(Telling):
    def size(self, seen: Seen) -> Any:
        return 0 if stat.S_ISDIR(seen.mode) else seen.size


class Sums(Telling):
    def size(self, seen: Seen) -> Any:
        if not stat.S_ISDIR(seen.mode) or seen.directory in ("/", "/dev"):
            return seen.size
        files = (os.path.join(top, name) for top, _, names in os.walk(self.path(seen)) for name in names)
        return sum(os.lstat(file).st_size for file in files)


class Blocks(Telling):
    def size(self, seen: Seen) -> Any:
        is_file = stat.S_ISREG(seen.mode)
        return os.lstat(self.path(seen)).st_blocks * 512 if is_file else seen.size


class TargetSizes(Telling):
    def size(self, seen: Seen) -> Any:
        target = led_to(self, seen)
        return target.st_size if target else seen.size


class CountedTargets(Telling):
    """A link is as long as its target has characters."""

    def size(self, seen: Seen) -> Any:
        return seen.size if seen.target is None else len(seen.target)


class NoSizeOfLinks(Telling):
    def size(self, seen: Seen) -> Any:
        return 0 if seen.target is not None else seen.size


class Seconds(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return seen.mtime_ns // 10**9


class WholeSeconds(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return seen.mtime_ns // 10**9 * 1000


class TowardsZero(Telling):
    """Fractions are cut towards 1970, as whole numbers divide in many languages."""

    def last_modified(self, seen: Seen) -> Any:
        return abs(seen.mtime_ns) // 10**6 * (-1 if seen.mtime_ns < 0 else 1)


class Nanoseconds(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return seen.mtime_ns


class Fractions(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return seen.mtime_ns / 10**6


class Dates(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return f"{seen.mtime_ns // 10**6}"


class ChangeTimes(Telling):
    def last_modified(self, seen: Seen) -> Any:
        return os.lstat(self.path(seen)).st_ctime_ns // 10**6


class NewestInside(Telling):
    def last_modified(self, seen: Seen) -> Any:
        own = super().last_modified(seen)
        if not stat.S_ISDIR(seen.mode):
            return own
        try:
            inside = [os.lstat(os.path.join(self.path(seen), name)) for name in os.listdir(self.path(seen))]
        except OSError:
            return own
        return max((one.st_mtime_ns // 10**6 for one in inside), default=own)


class TargetTimes(Telling):
    def last_modified(self, seen: Seen) -> Any:
        target = led_to(self, seen)
        return target.st_mtime_ns // 10**6 if target else super().last_modified(seen)


class AbsoluteTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        told = super().further(seen)
        return {key: os.path.join(seen.directory, target) for key, target in told.items()}


class TidyTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        return {key: os.path.normpath(target) for key, target in super().further(seen).items()}


class LastTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        told = super().further(seen)
        return {key: os.path.realpath(self.path(seen)) for key in told}


class NoDanglingTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        leads = os.path.exists(self.path(seen))
        return super().further(seen) if leads or seen.target is None else {"target": None}


class AsciiTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        told = super().further(seen)
        return {key: target.encode("ascii", "replace").decode() for key, target in told.items()}


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-025", "size is a text.", *SIZES, telling=TextSizes),
    wrong("MUT-LF-026", "size counts thousands of bytes.", *SIZES, telling=Human),
    wrong("MUT-LF-027", "size is cut to 32 bits.", "LF-FIELD-03", telling=ThirtyTwoBits),
    wrong("MUT-LF-028", "size of a directory is 0.", "LF-FIELD-03", "LF-WHY-01", telling=NoSizeOfDirectories),
    wrong(
        "MUT-LF-029",
        "size of a directory is that of all that is in it.",
        "LF-FIELD-03",
        "LF-WHY-01",
        "LF-LIST-01",
        telling=Sums,
    ),
    wrong("MUT-LF-030", "size of a file is what is allocated for it.", *SIZES, telling=Blocks),
    wrong(
        "MUT-LF-031",
        "size of a link is that of its target.",
        "LF-LINK-02",
        "LF-FIELD-03",
        "LF-WHY-01",
        telling=TargetSizes,
    ),
    wrong(
        "MUT-LF-032",
        "size of a link is 0.",
        "LF-LINK-02",
        "LF-MODEL-01",
        "LF-WHY-01",
        "LF-FIND-03",
        "LF-FIELD-03",
        telling=NoSizeOfLinks,
    ),
    wrong(
        "MUT-LF-153",
        "size of a link counts the characters of its target.",
        "LF-LINK-02",
        telling=CountedTargets,
    ),
    wrong(
        "MUT-LF-149", "A fraction of a millisecond is cut towards 1970.", "LF-FIELD-04", telling=TowardsZero
    ),
    wrong("MUT-LF-033", "lastModified counts seconds.", *TIMES, telling=Seconds),
    wrong("MUT-LF-034", "lastModified has no fraction of a second.", *TIMES, telling=WholeSeconds),
    wrong("MUT-LF-035", "lastModified counts nanoseconds.", *TIMES, telling=Nanoseconds),
    wrong("MUT-LF-036", "lastModified has a fraction.", *TIMES, telling=Fractions),
    wrong("MUT-LF-037", "lastModified is a text.", *TIMES, telling=Dates),
    wrong(
        "MUT-LF-038", "lastModified is the time of the last change of metadata.", *TIMES, telling=ChangeTimes
    ),
    wrong(
        "MUT-LF-039",
        "lastModified of a directory is that of the newest in it.",
        "LF-FIELD-04",
        "LF-WHY-01",
        "LF-LIST-01",
        telling=NewestInside,
    ),
    wrong(
        "MUT-LF-040",
        "lastModified of a link is that of its target.",
        "LF-LINK-03",
        telling=TargetTimes,
    ),
    wrong("MUT-LF-041", "target is made absolute.", *TARGETS, telling=AbsoluteTargets),
    wrong("MUT-LF-042", "target is tidied.", *TARGETS, telling=TidyTargets),
    wrong("MUT-LF-043", "target is the end of the chain.", *TARGETS, telling=LastTargets),
    wrong("MUT-LF-044", "target of a link that dangles is null.", *TARGETS, telling=NoDanglingTargets),
    wrong(
        "MUT-LF-144", "Letters of target beyond ASCII are question marks.", "LF-LINK-01", telling=AsciiTargets
    ),
)

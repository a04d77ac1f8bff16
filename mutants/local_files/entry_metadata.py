"""Mutants: errors in sizes, times and targets."""

import os
import stat
from typing import Any

from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata

from ..shared.mutant import Mutant
from .builders import Entry, build_mutant
from .implied import SIZES, TARGETS, TIMES


def link_target_status(formatter: EntryFormatter, item: EntryMetadata) -> os.stat_result | None:
    """Return the metadata of a link's target; None for other entries and for dangling links."""
    exists = item.target is not None and os.path.exists(formatter.path(item))
    return os.stat(formatter.path(item)) if exists else None


class TextSizes(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return str(item.size)


class ThousandsOfBytes(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return item.size / 1000


class ThirtyTwoBits(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return item.size & 0xFFFFFFFF


class NoSizeOfDirectories(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return 0 if stat.S_ISDIR(item.mode) else item.size


class Sums(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        if not stat.S_ISDIR(item.mode) or item.directory in ("/", "/dev"):
            return item.size
        files = (os.path.join(top, name) for top, _, names in os.walk(self.path(item)) for name in names)
        return sum(os.lstat(file).st_size for file in files)


class Blocks(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        is_file = stat.S_ISREG(item.mode)
        return os.lstat(self.path(item)).st_blocks * 512 if is_file else item.size


class TargetSizes(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        target = link_target_status(self, item)
        return target.st_size if target else item.size


class CountedTargets(EntryFormatter):
    """The size of a link counts the characters of its target."""

    def size(self, item: EntryMetadata) -> Any:
        return item.size if item.target is None else len(item.target)


class NoSizeOfLinks(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return 0 if item.target is not None else item.size


class Seconds(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return item.mtime_ns // 10**9


class WholeSeconds(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return item.mtime_ns // 10**9 * 1000


class Nanoseconds(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return item.mtime_ns


class Fractions(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return item.mtime_ns / 10**6


class Dates(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return f"{item.mtime_ns // 10**6}"


class ChangeTimes(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return os.lstat(self.path(item)).st_ctime_ns // 10**6


class NewestInside(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        own = super().last_modified(item)
        if not stat.S_ISDIR(item.mode):
            return own
        try:
            inside = [os.lstat(os.path.join(self.path(item), name)) for name in os.listdir(self.path(item))]
        except OSError:
            return own
        return max((one.st_mtime_ns // 10**6 for one in inside), default=own)


class TargetTimes(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        target = link_target_status(self, item)
        return target.st_mtime_ns // 10**6 if target else super().last_modified(item)


class NewerOfBoth(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        target, own = link_target_status(self, item), super().last_modified(item)
        is_file = target is not None and stat.S_ISREG(target.st_mode)
        return max(own, target.st_mtime_ns // 10**6) if target and is_file else own


class AfterTheFirstArrow(EntryFormatter):
    """Takes name and target from the text `name -> target`."""

    def extra_members(self, item: EntryMetadata) -> Entry:
        members = super().extra_members(item)
        return {key: f"{item.name} -> {target}".partition(" -> ")[2] for key, target in members.items()}


class LastTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        members = super().extra_members(item)
        return {key: os.path.realpath(self.path(item)) for key in members}


class NoDanglingTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        exists = os.path.exists(self.path(item))
        return super().extra_members(item) if exists or item.target is None else {"target": None}


class AsciiTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        members = super().extra_members(item)
        return {key: target.encode("ascii", "replace").decode() for key, target in members.items()}


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-025", "size is a text.", SIZES, entry_formatter=TextSizes),
    build_mutant("MUT-LF-026", "size counts thousands of bytes.", SIZES, entry_formatter=ThousandsOfBytes),
    build_mutant("MUT-LF-027", "size is cut to 32 bits.", "LF-FIELD-03", entry_formatter=ThirtyTwoBits),
    build_mutant(
        "MUT-LF-028",
        "size of a directory is 0.",
        "LF-FIELD-03 LF-WHY-01",
        entry_formatter=NoSizeOfDirectories,
    ),
    build_mutant(
        "MUT-LF-029",
        "size of a directory is the sum of its content.",
        "LF-FIELD-03 LF-WHY-01 LF-LIST-01",
        entry_formatter=Sums,
    ),
    build_mutant("MUT-LF-030", "size of a file is its allocated space.", SIZES, entry_formatter=Blocks),
    build_mutant(
        "MUT-LF-031",
        "size of a link is that of its target.",
        "LF-LINK-02 LF-FIELD-03 LF-WHY-01",
        entry_formatter=TargetSizes,
    ),
    build_mutant(
        "MUT-LF-032",
        "size of a link is 0.",
        "LF-LINK-02 LF-MODEL-01 LF-WHY-01 LF-FIND-03 LF-FIELD-03",
        entry_formatter=NoSizeOfLinks,
    ),
    build_mutant(
        "MUT-LF-153",
        "size of a link counts the characters of its target.",
        "LF-LINK-02",
        entry_formatter=CountedTargets,
    ),
    build_mutant("MUT-LF-033", "lastModified counts seconds.", TIMES, entry_formatter=Seconds),
    build_mutant("MUT-LF-034", "lastModified has no fraction of a second.", TIMES, entry_formatter=WholeSeconds),
    build_mutant("MUT-LF-035", "lastModified counts nanoseconds.", TIMES, entry_formatter=Nanoseconds),
    build_mutant("MUT-LF-036", "lastModified has a fraction.", TIMES, entry_formatter=Fractions),
    build_mutant("MUT-LF-037", "lastModified is a text.", TIMES, entry_formatter=Dates),
    build_mutant(
        "MUT-LF-038",
        "lastModified is the time of the last metadata change.",
        TIMES,
        entry_formatter=ChangeTimes,
    ),
    build_mutant(
        "MUT-LF-039",
        "lastModified of a directory is that of its newest entry.",
        "LF-FIELD-04 LF-WHY-01 LF-LIST-01",
        entry_formatter=NewestInside,
    ),
    build_mutant(
        "MUT-LF-040",
        "lastModified of a link is that of its target.",
        "LF-LINK-03",
        entry_formatter=TargetTimes,
    ),
    build_mutant(
        "MUT-LF-344",
        "lastModified of a link to a file is the newer one of both.",
        "LF-LINK-03",
        entry_formatter=NewerOfBoth,
    ),
    build_mutant(
        "MUT-LF-345",
        "target of a link whose name has an arrow begins behind the arrow.",
        TARGETS,
        entry_formatter=AfterTheFirstArrow,
    ),
    build_mutant("MUT-LF-043", "target is the end of the chain.", TARGETS, entry_formatter=LastTargets),
    build_mutant("MUT-LF-044", "target of a dangling link is null.", TARGETS, entry_formatter=NoDanglingTargets),
    build_mutant(
        "MUT-LF-144",
        "Letters of target outside of ASCII are question marks.",
        "LF-LINK-01",
        entry_formatter=AsciiTargets,
    ),
)

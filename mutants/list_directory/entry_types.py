"""Mutants: errors in the types of entries."""

import stat
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.entries import Entry, EntryType, entry_type
from treeproof.reference_impl.list_directory.walk import Walk

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .entry_builders import Found, with_entry_from_metadata, with_link_targets, with_members_shown
from .implied import KIND, LENGTH


def with_type_names(names: dict[str, str]) -> ListDirectory:
    return with_members_shown(lambda members: {"type": names.get(str(members["type"]), members["type"])})


def target_type(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, type=entry_type(target))


def special_target_type(entry: Entry, target: Found | None) -> Entry:
    return replace(entry, type="other") if target is not None and entry_type(target) == "other" else entry


def dangling_fails(entry: Entry, target: Found | None) -> Entry:
    return entry if target else replace(entry, type="unknown", error_code="metadata_unavailable")


class LinksBecomeTargets(Walk):
    def _with_metadata(self, entry: Entry, found: Found) -> Entry:
        right = super()._with_metadata(entry, found)
        if (
            right.type != "symlink"
            or self._request.include_symlinks
            or not isinstance(self._reader, DirectoryReaderWrapper)
        ):
            return right
        target = self._reader.stat_link_target(right.raw_path)
        return right if target is None else super()._with_metadata(entry, target)

    def _is_entered(self, entry: Entry) -> bool:
        *route, name = entry.raw_path.split(b"/")
        is_link = entry.type == "dir" and stat.S_ISLNK(self._reader.lstat(tuple(route), name).st_mode)
        return super()._is_entered(entry) and not is_link


class DropsDangling(Walk):
    def _is_included(self, entry: Entry) -> bool:
        dangles = (
            isinstance(self._reader, DirectoryReaderWrapper) and self._reader.stat_link_target(entry.raw_path) is None
        )
        return super()._is_included(entry) and not (entry.type == "symlink" and dangles)


def unreadable_fails(entry: Entry, found: Found) -> Entry:
    if entry.type != "file" or found.st_mode & 0o444:
        return entry
    return replace(entry, type="unknown", size_bytes=None, modified_epoch_ms=None, error_code="permission_denied")


def with_type_where(kind: EntryType, is_meant: Callable[[int], bool]) -> ListDirectory:
    return with_entry_from_metadata(
        lambda entry, found: replace(entry, type=kind) if is_meant(found.st_mode) else entry
    )


def is_special(mode: int) -> bool:
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-799",
        "Directories with special mode bits have another type.",
        "EF-04",
        tool=with_entry_from_metadata(
            lambda e, found: replace(e, type="other") if e.type == "dir" and found.st_mode & 0o7000 else e
        ),
    ),
    build_mutant(
        "MUT-041",
        "The type of a link is that of its target.",
        "EF-04 T-LD-08",
        KIND,
        "DOC-01 FR-LD-VAL-07 FR-LD-VAL-09",
        tool=with_link_targets(target_type),
    ),
    build_mutant(
        "MUT-044",
        "With include_symlinks off, a link is listed as its target.",
        "EF-04 FR-LD-VAL-09 FR-LD-VAL-05 T-LD-08",
        KIND,
        "FR-LD-VAL-07",
        tool=ListDirectory(walk=LinksBecomeTargets, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-047",
        "Special files are files.",
        "EF-04 FR-LD-VAL-06",
        KIND,
        "FR-LD-LST-02 FR-LD-OUT-02a FR-LD-VAL-08",
        tool=with_type_where("file", is_special),
    ),
    build_mutant(
        "MUT-441",
        "A dangling link is unknown.",
        "EF-04 EF-08 FR-LD-VAL-06 NFR-LD-REL-02",
        tool=with_link_targets(dangling_fails),
    ),
    build_mutant(
        "MUT-442",
        "Dangling links are omitted.",
        "EF-04",
        KIND,
        "EF-05 EF-06 EF-08 FR-LD-DEF-03 FR-LD-LST-05 FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-09 NFR-LD-REL-02",
        tool=ListDirectory(walk=DropsDangling, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-443",
        "A file without read permission is unknown.",
        "EF-04 FR-LD-LST-04 EF-05 EF-08",
        tool=with_entry_from_metadata(unreadable_fails),
    ),
    build_mutant(
        "MUT-444",
        "Sockets are unknown.",
        "EF-04 FR-LD-VAL-06",
        tool=with_type_where("unknown", stat.S_ISSOCK),
    ),
    build_mutant(
        "MUT-445",
        "Executable files are other.",
        "EF-04 EF-05 FR-LD-VAL-06",
        tool=with_type_where("other", lambda mode: stat.S_ISREG(mode) and bool(mode & 0o100)),
    ),
    build_mutant(
        "MUT-446",
        "The type of a directory is named `directory`.",
        "EF-04",
        LENGTH,
        "EF-08 FR-LD-LST-02 FR-LD-LST-04 FR-LD-LST-08 FR-LD-VAL-09 T-LD-10",
        tool=with_type_names({"dir": "directory"}),
    ),
    build_mutant(
        "MUT-447",
        "The type of a link is named `link`.",
        "EF-04",
        LENGTH,
        "FR-LD-VAL-09 T-LD-08",
        tool=with_type_names({"symlink": "link"}),
    ),
    build_mutant(
        "MUT-448",
        "The types of special files are distinguished.",
        "EF-04 FR-LD-VAL-06",
        LENGTH,
        tool=with_type_names({"other": "fifo"}),
    ),
    build_mutant(
        "MUT-931",
        "Below the first level, a link has the type of its target.",
        "EF-04 T-LD-08",
        tool=with_link_targets(lambda entry, target: target_type(entry, target) if entry.depth > 1 else entry),
    ),
    build_mutant(
        "MUT-997",
        "A link to a pipe, a socket or a device has the type other.",
        "EF-04 CFG-LD-01 FR-LD-VAL-06",
        tool=with_link_targets(special_target_type),
    ),
)

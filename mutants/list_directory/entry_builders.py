"""Tools that return changed entries or members. Contains no mutants."""

import os
import stat
from collections.abc import Callable

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Walk

from ..shared.reader_wrapper import DirectoryReaderWrapper

Found = os.stat_result


def with_entry_from_metadata(change: Callable[[Entry, Found], Entry]) -> ListDirectory:
    """Return the tool with entries changed by their metadata."""

    class Finding(Walk):
        def _with_metadata(self, entry: Entry, found: Found) -> Entry:
            return change(super()._with_metadata(entry, found), found)

    return ListDirectory(walk=Finding)


def with_link_targets(change: Callable[[Entry, Found | None], Entry]) -> ListDirectory:
    """Return the tool with link entries changed by their target's metadata; the walk stays the same."""

    class Following(Walk):
        def _with_metadata(self, entry: Entry, found: Found) -> Entry:
            right = super()._with_metadata(entry, found)
            if right.type != "symlink" or not isinstance(self._reader, DirectoryReaderWrapper):
                return right
            return change(right, self._reader.stat_link_target(right.raw_path))

        def _is_entered(self, entry: Entry) -> bool:
            *route, name = entry.raw_path.split(b"/")
            is_link = entry.type == "dir" and stat.S_ISLNK(self._reader.lstat(tuple(route), name).st_mode)
            return super()._is_entered(entry) and not is_link

    return ListDirectory(walk=Following, open_reader=DirectoryReaderWrapper)


def with_members_shown(change: Callable[[dict[str, JsonValue]], dict[str, JsonValue]]) -> ListDirectory:
    """Return the tool with changed members."""

    class Showing(Document):
        def members(self, entry: Entry) -> dict[str, JsonValue]:
            members = super().members(entry)
            return members | change(members)

    return ListDirectory(document=Showing)

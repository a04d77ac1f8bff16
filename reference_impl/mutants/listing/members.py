"""What several subjects need: other entries than were found, and other members than they have. No mutant lives here."""

import os
import stat
from collections.abc import Callable

from ...list_directory import ListDirectory
from ...listing.document import Document, Value
from ...listing.entries import Entry
from ...listing.walk import Walk
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

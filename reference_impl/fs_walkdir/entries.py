"""One element of the list: its keys, and their values from an entry's own metadata. No I/O."""

import os
import stat
from datetime import datetime, timedelta
from typing import Any, NamedTuple

EPOCH = datetime(1970, 1, 1)  # in UTC, like every time here


class WalkedEntry(NamedTuple):
    """A visited entry: its components from the start, as text and as bytes, and its own metadata."""

    parts: tuple[str, ...]
    route: tuple[bytes, ...]
    stat_result: os.stat_result

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.stat_result.st_mode)


class EntryFormatter:
    """Formats an entry, one method for each key."""

    def format_entry(self, item: WalkedEntry) -> dict[str, Any]:
        return {
            "name": self.name(item),
            "path": self.path(item),
            "isDir": self.is_dir(item),
            "size": self.size(item),
            "modTime": self.mod_time(item),
        }

    def name(self, item: WalkedEntry) -> str:
        return item.parts[-1]

    def path(self, item: WalkedEntry) -> str:
        return "/".join(item.parts)

    def is_dir(self, item: WalkedEntry) -> Any:
        return item.is_directory

    def size(self, item: WalkedEntry) -> Any:
        """Return the size in bytes; 0 for directories, as in the document (AMB-WD-04)."""
        return 0 if item.is_directory else item.stat_result.st_size

    def mod_time(self, item: WalkedEntry) -> Any:
        """Return the time in RFC 3339 and UTC, truncated to seconds. Raises OverflowError for other years."""
        moment = EPOCH + timedelta(seconds=item.stat_result.st_mtime_ns // 1_000_000_000)
        return moment.isoformat() + "Z"

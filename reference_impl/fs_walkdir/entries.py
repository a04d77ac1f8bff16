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
    """Formats an entry."""

    def format_entry(self, item: WalkedEntry) -> dict[str, Any]:
        return {
            "name": item.parts[-1],
            "path": "/".join(item.parts),
            "isDir": item.is_directory,
            "size": self.size(item),
            "modTime": self.mod_time(item),
        }

    def size(self, item: WalkedEntry) -> Any:
        """Return the size in bytes; 0 for directories, as in the document (AMB-WD-04)."""
        return 0 if item.is_directory else item.stat_result.st_size

    def mod_time(self, item: WalkedEntry) -> Any:
        """Return the time in RFC 3339 and UTC, truncated to seconds. Raises OverflowError for other years."""
        moment = EPOCH + timedelta(seconds=item.stat_result.st_mtime_ns // 1_000_000_000)
        return moment.isoformat() + "Z"

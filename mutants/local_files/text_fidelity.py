"""Mutants: texts that are not used literally, numbers out of range, and failures of the disk."""

import os
import re
import stat
import unicodedata
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import Entry, build_mutant


def expand_like_a_shell(text: str) -> str:
    """Expand a text as a shell and a URL parser would."""
    return unquote(os.path.expandvars(os.path.expanduser(text)))


class TrimmedTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        return {} if item.target is None else {"target": item.target.strip()[:255]}


class RespeltTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        if item.target is None:
            return {}
        composed = unicodedata.normalize("NFC", item.target.replace("\\", "/"))
        return {"target": re.sub(r"[\x00-\x1f]", "?", composed)}


class ExpandedTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        return {} if item.target is None else {"target": expand_like_a_shell(item.target)}


class LinksThroughClosed(DirectoryScan):
    """Follows every link, and fails the list if that is not permitted."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(below, name)
        if stat.S_ISLNK(found.st_mode):
            try:
                os.stat(self.join(*below, name))
            except PermissionError:
                raise
            except OSError:
                pass
        return found


class RespeltPaths(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        composed = unicodedata.normalize("NFC", path.replace("\\", "/").rstrip("\n"))
        return super().normalise_path(composed, context)


class ExpandedPaths(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(expand_like_a_shell(path), context)


class ByPermissions(EntryFormatter):
    """Files without permissions and files that run as their owner have another type."""

    def type(self, item: EntryMetadata) -> Any:
        closed = stat.S_ISDIR(item.mode) and not item.mode & 0o777
        owned = stat.S_ISREG(item.mode) and item.mode & stat.S_ISUID
        return "OtherEntry" if closed or owned else super().type(item)


class Doubles(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return int(float(item.size))


class OneBlock(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return 4096 if stat.S_ISDIR(item.mode) else item.size


class UnsignedSeconds(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        whole, rest = divmod(item.mtime_ns // 10**6, 1000)
        return (whole % 2**32 if whole > 0 else whole) * 1000 + rest


class LongNanoseconds(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return ((item.mtime_ns + 2**63) % 2**64 - 2**63) // 10**6


class AsFarAsRead(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found: list[bytes] = []
        try:
            with os.scandir(self.join(*below)) as entries:
                found.extend(entry.name for entry in entries)
        except OSError:
            if not found:
                raise
        return found


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-194",
        "A failing read returns the entries until then.",
        "LF-ERR-01",
        directory_scan=AsFarAsRead,
    ),
)

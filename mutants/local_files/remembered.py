"""Mutants: results of earlier calls that are kept, and files and directories that a call changes."""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant

NAMES: dict[str, list[str]] = {}
"""The names of each directory in the order of its last list."""

MODES: dict[bytes, int] = {}
"""The first mode of each path."""

CHILDREN: dict[tuple[bytes, int], list[tuple[bytes, EntryMetadata]]] = {}
"""The entries of each directory at a time of its own."""


TIMES: dict[str, Any] = {}
"""The first time of each path that is no directory."""


class NewOnesAtTheEnd(ListDirectory):
    """What the last list of a directory did not have stands behind the rest."""

    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> Entries:
        found = super().list_entries(arguments, context)
        known = NAMES.get(arguments["path"], [entry["name"] for entry in found])
        found.sort(key=lambda entry: entry["name"] not in known)
        NAMES[arguments["path"]] = [entry["name"] for entry in found]
        return found


class FirstKind(DirectoryScan):
    """The kind of a path is the first one that it had."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            mode = MODES.setdefault(self.join(*below, name), item.mode)
            is_same = stat.S_IFMT(mode) == stat.S_IFMT(item.mode)
            yield name, item if is_same else item._replace(mode=mode, target="" if stat.S_ISLNK(mode) else None)


class FirstTime(EntryFormatter):
    """lastModified of what is no directory is the first one of its path."""

    def last_modified(self, item: EntryMetadata) -> Any:
        right = super().last_modified(item)
        return right if stat.S_ISDIR(item.mode) else TIMES.setdefault(self.path(item), right)


class UntilTheDirectoryChanges(DirectoryScan):
    """The entries of a directory are kept as long as its own time is the same."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        path = self.join(*below)
        key = path, os.stat(path).st_mtime_ns
        if key not in CHILDREN:
            CHILDREN[key] = list(super().children(below))
        names = set(self.list_names(below))
        kept = {name: item for name, item in CHILDREN[key] if name in names}
        yield from kept.items()
        yield from ((name, item) for name, item in super().children(below) if name not in kept)


class MakesWhatIsMissing(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        if not os.path.lexists(self.join(*below)):
            with contextlib.suppress(OSError):
                os.mkdir(self.join(*below))
        return super().list_names(below)


class OpensTheClosed(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        try:
            return super().list_names(below)
        except PermissionError:
            os.chmod(self.join(*below), 0o755)
            return super().list_names(below)


MUTANTS: tuple[Mutant, ...] = ()

"""Variants: kinds, sizes, times and targets of entries, and the order of a list."""

import os
import stat
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.entries import TYPES_IN_ORDER, EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.variant import variant

Entries = list[dict[str, Any]]


class AllDownwards(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: str(entry["name"]), reverse=True)


class AllDownwardsFolded(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(sorted(found, key=_name), key=lambda entry: _name(entry).lower(), reverse=True)


class KindsDownwards(EntryFormatter):
    """Sorts by type, and in descending order within each type."""

    def sort(self, found: Entries) -> Entries:
        return sorted(sorted(found, key=_name, reverse=True), key=rank)


class KindsFolded(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: (rank(entry), _name(entry).lower(), _name(entry)))


class KindsByUnits(EntryFormatter):
    """Compares names by their UTF-16."""

    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: (rank(entry), _name(entry).encode("utf-16-be", "surrogatepass")))


class KindsBySignedBytes(EntryFormatter):
    """Compares names by their UTF-8 as signed bytes."""

    def sort(self, found: Entries) -> Entries:
        def signed(entry: dict[str, Any]) -> list[int]:
            return [byte - 256 if byte > 127 else byte for byte in _name(entry).encode()]

        return sorted(found, key=lambda entry: (rank(entry), signed(entry)))


class KindsBySize(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: (rank(entry), entry["size"], _name(entry)))


class DirectoriesFirst(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(sorted(found, key=_name, reverse=True), key=lambda entry: entry["@type"] != "DirectoryEntry")


class OtherBeforeLinks(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        order = ("DirectoryEntry", "FileEntry", "OtherEntry", "SymbolicLinkEntry")
        return sorted(found, key=lambda entry: (order.index(entry["@type"]), _name(entry)))


def _name(entry: dict[str, Any]) -> str:
    return str(entry["name"])


def rank(entry: dict[str, Any]) -> int:
    """Return the place of the type of an entry among the types."""
    return TYPES_IN_ORDER.index(entry["@type"])


class Resolved(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return os.path.realpath(super().normalise_path(path, context))


class Verbatim(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        super().normalise_path(path, context)
        return path


class WithoutSingleDots(ListDirectory):
    """Keeps two dots only, as pathlib and java.nio.file.Path do."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        super().normalise_path(path, context)
        return "/" + "/".join(part for part in path.split("/") if part not in ("", "."))


class UpFromTheTarget(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        plain = super().normalise_path(path, context)
        return os.path.realpath(path) if ".." in path.split("/") else plain


class RefusesDots(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        if not {".", ".."}.isdisjoint(path.split("/")):
            raise ToolError(ErrorKind.BAD_ARGS, f"{path} has dots")
        return super().normalise_path(path, context)


class TakesCleanPaths(ListDirectory):
    """Refuses what a clean path has not, and two dots wherever they stand, as guards of paths do."""

    def normalise_path(self, path: str, context: CallContext) -> str:
        if path != os.path.normpath(path) or ".." in path:
            raise ToolError(ErrorKind.BAD_ARGS, f"{path} is not clean")
        return super().normalise_path(path, context)


class ListsNoLinks(ListDirectory):
    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> Entries:
        if is_link(arguments["path"]):
            raise ToolError(ErrorKind.EXECUTION_FAILED, f"{arguments['path']} is a link")
        return super().list_entries(arguments, context)


class PassesNoLinks(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        names = path.rstrip("/").split("/")
        # What is above the sandbox root belongs to the host.
        above = len(str(context.roots[0]).split("/"))
        if any(os.path.islink("/".join(names[:at])) for at in range(above + 1, len(names))):
            raise ToolError(ErrorKind.EXECUTION_FAILED, f"{path} goes through a link")
        return super().normalise_path(path, context)


def is_link(path: str) -> bool:
    """Return whether a path is a link to a directory, also with a slash behind it."""
    return os.path.islink(path.rstrip("/") or "/") and os.path.isdir(path)


class AllocatedSpace(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        path = "/".join((item.directory.rstrip("/"), *item.parents, item.name))
        is_directory = stat.S_ISDIR(item.mode) and os.path.lexists(path)
        return os.lstat(path).st_blocks * 512 if is_directory else super().size(item)


class Nearest(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return (item.mtime_ns + 500_000) // 10**6


class Towards1970(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        found = super().last_modified(item)
        return -(-item.mtime_ns // 10**6) if found < 0 else found


class NothingBefore1970(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        return max(0, super().last_modified(item))


class TidyTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        members = super().extra_members(item)
        return {**members, "target": os.path.normpath(members["target"])} if "target" in members else members


class AbsoluteTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        members = super().extra_members(item)
        directory = "/".join((item.directory.rstrip("/"), *item.parents))
        return {**members, "target": os.path.join(directory, members["target"])} if "target" in members else members


class AbsoluteTidyTargets(AbsoluteTargets):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        members = super().extra_members(item)
        return {**members, "target": os.path.normpath(members["target"])} if "target" in members else members


class FurtherMembers(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        members = super().extra_members(item)
        is_open = self.type(item) in ("SymbolicLinkEntry", "OtherEntry")
        return {**members, "mode": item.mode} if is_open else members


BY_KIND = {"AMB-LF-01": "kind"}

VARIANTS = (
    variant("AMB-LF-01=descending", "The list is sorted by name, downwards.")(entry_formatter=AllDownwards),
    variant("AMB-LF-01=directories_first", "Directories come first, the others by name, downwards.")(
        entry_formatter=DirectoriesFirst
    ),
    variant("VAR-LF-01", "Within a kind, names are sorted downwards.", BY_KIND)(entry_formatter=KindsDownwards),
    variant("VAR-LF-02", "Within a kind, names are sorted without regard to case.", BY_KIND)(
        entry_formatter=KindsFolded
    ),
    variant("VAR-LF-03", "Within a kind, names are sorted by units of UTF-16.", BY_KIND)(entry_formatter=KindsByUnits),
    variant("VAR-LF-04", "Within a kind, names are sorted by signed bytes.", BY_KIND)(
        entry_formatter=KindsBySignedBytes
    ),
    variant("VAR-LF-05", "Within a kind, entries are sorted by size.", BY_KIND)(entry_formatter=KindsBySize),
    variant("VAR-LF-06", "Other kinds stand before links.", BY_KIND)(entry_formatter=OtherBeforeLinks),
    variant(
        "VAR-LF-07", "The list is sorted by name, downwards and without regard to case.", {"AMB-LF-01": "descending"}
    )(entry_formatter=AllDownwardsFolded),
    variant("AMB-LF-05=resolved", "Paths have no link in them.")(both_tools=Resolved),
    variant("AMB-LF-05=verbatim", "Paths keep the dots of the requested one.")(both_tools=Verbatim),
    variant("VAR-LF-08", "Paths keep two dots of the requested one, and not one.", {"AMB-LF-05": "verbatim"})(
        both_tools=WithoutSingleDots
    ),
    variant("AMB-LF-06=allocated", "The size of a directory is its space.")(entry_formatter=AllocatedSpace),
    variant("AMB-LF-08=nearest", "A fraction of a millisecond is rounded.")(entry_formatter=Nearest),
    variant("AMB-LF-08=towards_1970", "A fraction is cut off towards 1970.")(entry_formatter=Towards1970),
    variant("AMB-LF-09=zero", "A time before 1970 is 0.")(entry_formatter=NothingBefore1970),
    variant("AMB-LF-24=physical", "A step up starts where a link leads.", excludes=("AMB-LF-05=verbatim",))(
        both_tools=UpFromTheTarget
    ),
    variant("AMB-LF-24=refused", "A path with dots is refused.")(both_tools=RefusesDots),
    variant("VAR-LF-27", "Only clean paths are taken.", {"AMB-LF-24": "refused"})(both_tools=TakesCleanPaths),
    variant("AMB-LF-48=refused", "A link is not listed.")(list_directory=ListsNoLinks),
    variant("AMB-LF-49=refused", "A path through a link is refused.")(both_tools=PassesNoLinks),
    variant("AMB-LF-28=normalised", "A target is without dots.")(entry_formatter=TidyTargets),
    variant("AMB-LF-28=absolute", "A target is an absolute path.")(entry_formatter=AbsoluteTargets),
    variant("VAR-LF-09", "A target is an absolute path without dots.", {"AMB-LF-28": "absolute"})(
        entry_formatter=AbsoluteTidyTargets
    ),
    variant("VAR-LF-10", "Links and other kinds have a further member.")(entry_formatter=FurtherMembers),
)

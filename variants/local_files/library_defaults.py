"""Variants: what the standard libraries of several languages do by default."""

import json
import os
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory, LocalFilesPlan
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import variant
from .entries import BY_KIND, Entries, ListsNoLinks, rank
from .searches import WITHOUT_SETS, CaretSets, LinkedRootsRefused, NoBraces, PlainBrackets, SetsOfBothSigns


class AntPatterns(PlainBrackets, NoBraces):
    """Patterns of `?`, `*` and `**`."""


class GoPatterns(CaretSets, NoBraces):
    """The patterns of Go's path.Match, with two stars."""


class GoJson(ListDirectory):
    """Escapes the signs of HTML."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> LocalFilesPlan:
        return GoJsonPlan(self, arguments, context)


class GoJsonPlan(LocalFilesPlan):
    def run(self) -> str:
        text = super().run()
        for sign in "<>&\u2028\u2029":
            text = text.replace(sign, f"\\u{ord(sign):04x}")
        return text


class PythonJson(ListDirectory):
    """Writes ASCII only, so that names that are not UTF-8 keep their bytes as halves of surrogate pairs."""

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> LocalFilesPlan:
        return PythonJsonPlan(self, arguments, context)


class PythonJsonPlan(LocalFilesPlan):
    def run(self) -> str:
        return json.dumps(self.value(), indent=2)


class FileSystemNames(DirectoryScan):
    """Decodes names as os.fsdecode does."""

    def decode_name(self, name: bytes) -> str:
        return name.decode("utf-8", "surrogateescape")

    def decode_target(self, target: bytes) -> str:
        return target.decode("utf-8", "surrogateescape")


class Doubles(EntryFormatter):
    """Numbers have the 53 bits of a double, as in Node."""

    def size(self, item: EntryMetadata) -> Any:
        return int(float(super().size(item)))


class IgnoresCase(EntryFormatter):
    """The order of Java's String.CASE_INSENSITIVE_ORDER, which leaves names of one spelling as they come."""

    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: (rank(entry), str(entry["name"]).upper().lower()))


class AsRead(DirectoryScan):
    """Takes names in the order in which the system reads them."""

    def list_names(self, below: tuple[bytes, ...]) -> list[bytes]:
        with os.scandir(self.join(*below)) as entries:
            return [entry.name for entry in entries]


class ByKindAlone(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=rank)


class NoFollow(LinkedRootsRefused, FindFiles):
    """Takes a link for no directory, as with NOFOLLOW_LINKS."""


VARIANTS = (
    variant("VAR-LF-20", "Java: globs are those of Ant.", {"AMB-LF-35": "plain", "AMB-LF-45": "plain"})(
        glob=AntPatterns
    ),
    variant(
        "VAR-LF-21",
        "Go: globs are those of path.Match, and JSON escapes the signs of HTML.",
        {"AMB-LF-35": "plain", "AMB-LF-46": "caret"},
        excludes=WITHOUT_SETS,
    )(glob=GoPatterns, both_tools=GoJson),
    variant(
        "VAR-LF-22",
        "Node: numbers are doubles, and either sign makes a set its opposite.",
        {"AMB-LF-46": "both"},
        excludes=WITHOUT_SETS,
    )(glob=SetsOfBothSigns, entry_formatter=Doubles),
    variant("VAR-LF-23", "Python: JSON is ASCII, and names are those of os.fsdecode.", {"AMB-LF-17": "other"})(
        both_tools=PythonJson, directory_scan=FileSystemNames
    ),
    variant("VAR-LF-24", "Rust: entries as read_dir gives them, in a stable order by kind.", BY_KIND)(
        entry_formatter=ByKindAlone, directory_scan=AsRead
    ),
    variant("VAR-LF-25", "Java: within a kind, names have the order that ignores case.", BY_KIND)(
        entry_formatter=IgnoresCase
    ),
    variant("VAR-LF-26", "Java: no link is followed anywhere.", {"AMB-LF-26": "refused", "AMB-LF-48": "refused"})(
        list_directory=ListsNoLinks, find_files=NoFollow
    ),
)

"""Variants: what the standard libraries of several languages do by default."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter
from treeproof.rows.local_files import row as rows
from treeproof.rows.local_files.row import Entry, FileCall, Item
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .entries import BY_KIND, is_link, name, rank, refusing, within_kinds
from .searches import WITHOUT_SETS, CaretSets, NoBraces, PlainBrackets, SetsOfBothSigns
from .stages import JSON, MEMBERS


class AntPatterns(PlainBrackets, NoBraces):
    """Patterns of `?`, `*` and `**`."""


class GoPatterns(CaretSets, NoBraces):
    """The patterns of Go's path.Match, with two stars."""


class FileSystemNames(DirectoryScan):
    def decode_name(self, name: bytes) -> str:
        return name.decode("utf-8", "surrogateescape")

    def decode_target(self, target: bytes) -> str:
        return target.decode("utf-8", "surrogateescape")


class AsRead(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> list[bytes]:
        with os.scandir(self.join(*below)) as entries:
            return [entry.name for entry in entries]


class ByKindAlone(EntryFormatter):
    def sort(self, found: list[Entry]) -> list[Entry]:
        return sorted(found, key=rank)


def written(write: Callable[[str], str]) -> Row:
    """Return the row that writes the text of a list in another way."""

    def answer(sent: FileCall) -> Any:
        found = sent.answer()
        return found if found.content is None else replace(found, content=write(found.content))

    return rows.row(stage=JSON, answer=answer)


def json_of_go(text: str) -> str:
    """Escape the signs of HTML."""
    return re.sub("[<>&\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)


def with_doubles(items: list[Item], sent: FileCall) -> list[Entry]:
    """Return entries whose sizes have the 53 bits of a double, as in Node."""
    return [{**item.entry, "size": int(float(item.size))} for item in items]


VARIANTS = (
    variant("VAR-LF-20", "Java: globs are those of Ant.", {"AMB-LF-35": "plain", "AMB-LF-45": "plain"})(
        glob=AntPatterns
    ),
    variant(
        "VAR-LF-21",
        "Go: globs are those of path.Match, and JSON escapes the signs of HTML.",
        {"AMB-LF-35": "plain", "AMB-LF-46": "caret"},
        excludes=WITHOUT_SETS,
    )(written(json_of_go), glob=GoPatterns),
    variant(
        "VAR-LF-22",
        "Node: numbers are doubles, and either sign makes a set its opposite.",
        {"AMB-LF-46": "both"},
        excludes=WITHOUT_SETS,
    )(rows.row(stage=MEMBERS, found=with_doubles), glob=SetsOfBothSigns),
    variant("VAR-LF-23", "Python: JSON is ASCII, and names are those of os.fsdecode.", {"AMB-LF-17": "other"})(
        written(lambda text: json.dumps(json.loads(text), indent=2)), directory_scan=FileSystemNames
    ),
    variant("VAR-LF-24", "Rust: entries as read_dir gives them, in a stable order by kind.", BY_KIND)(
        entry_formatter=ByKindAlone, directory_scan=AsRead
    ),
    variant("VAR-LF-25", "Java: within a kind, names have the order that ignores case.", BY_KIND)(
        within_kinds(lambda entry: name(entry).upper().lower())
    ),
    variant("VAR-LF-26", "Java: no link is followed anywhere.", {"AMB-LF-26": "refused", "AMB-LF-48": "refused"})(
        refusing(is_link)
    ),
)

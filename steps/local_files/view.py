"""The output of LocalFiles, read from its JSON text: a list of entries. No step stands here.

Reading is lenient: of an entry only what a sentence asks for has to be there. An entry is called by its path below the
directory that was asked for.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from treeproof.api import Call, CallResult, Mismatch

from ..shared.values import format_json, format_names

COMMON_MEMBERS = ("@type", "name", "path", "size", "lastModified")
ENTRY_TYPES = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")

Entry = dict[str, Any]


@dataclass(frozen=True)
class Listing:
    """The entries of one answer, in its order. `directory` is the normalised path that was asked for.

    `children` are the names that stand in it on the disk.
    """

    directory: str
    entries: list[Entry]
    disk_names: frozenset[str] = frozenset()

    def relative_path(self, entry: Entry) -> str:
        """The path of an entry below the directory; where that is nothing that is there, the name may tell."""
        path, name = entry.get("path"), entry.get("name")
        if not isinstance(path, str):
            return str(name)
        below = path.removeprefix(self.directory.rstrip("/") + "/").rstrip("/") or path
        if (
            below not in self.disk_names
            and name in self.disk_names
            and (below.startswith("/") or "/" not in below)
        ):
            return str(name)
        return below

    @property
    def relative_paths(self) -> list[str]:
        return [self.relative_path(entry) for entry in self.entries]

    def entry_at(self, path: str) -> Entry:
        """The entry of a place. Raises Mismatch where there is none."""
        for entry in self.entries:
            if self.relative_path(entry) == path:
                return entry
        raise Mismatch(
            f"there is no entry {format_names([path])}",
            expected=format_names([path]),
            got=format_names(self.relative_paths),
        )


def parse_answer(answer: CallResult, call: Call) -> Listing:
    """The entries of a call that succeeded. Raises Mismatch for an error, and for what is no list of objects."""
    if answer.status != "ok":
        got = f"{answer.error_kind}: {answer.error_message}"
        raise Mismatch(f"the call failed with {got}", expected="a list of entries", got=got)
    text = answer.content or ""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Mismatch(f"the output is not JSON: {error}", expected="a list", got=text[:400]) from error
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise Mismatch(
            "the output is no list of objects", expected="a list of entries", got=format_json(found)[:400]
        )
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return make_listing(os.path.normpath(str(arguments.get("path", "/"))), found)


def make_listing(directory: str, found: list[Entry]) -> Listing:
    """The entries of a list of that directory."""
    try:
        children = frozenset(name.decode("utf-8", "replace") for name in os.listdir(os.fsencode(directory)))
    except (OSError, ValueError):
        children = frozenset()
    return Listing(directory, found, children)

"""The output of LocalFiles, parsed from its JSON text: a list of entries. Contains no steps.

Parsing is lenient: an entry needs only the members that a step checks. Its key is its path relative to the requested
directory, or its name if its path leads elsewhere.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Self

from treeproof.api import Call, CallResult, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import json_of
from ..shared.values import format_json

COMMON_MEMBERS = ("@type", "name", "path", "size", "lastModified")
CLOSED_TYPES = ("DirectoryEntry", "FileEntry")
"""The types that have no further members by the document."""


@dataclass(frozen=True)
class Listing(EntryView):
    """The entries of one answer. `directory` is the normalised requested path."""

    key_column = "entry"
    directory: str
    objects: list[Entry]

    @classmethod
    def parse(cls, answer: CallResult, call: Call) -> Self:
        """Parse the answer to ``call``. Raises Mismatch for an error, and for an output that is no list of objects."""
        found = json_of(answer)
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            got = format_json(found)[:400]
            raise Mismatch("the output is no list of objects", got=got)
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        return cls(os.path.normpath(str(arguments.get("path", "/"))), found)

    @property
    def entries(self) -> list[Entry]:
        """The entries in output order."""
        return self.objects

    def key(self, entry: Entry) -> str:
        """Return the path of an entry relative to the directory; its name if the path is not below it."""
        path, beginning = entry.get("path"), self.directory.rstrip("/") + "/"
        plain = os.path.normpath(path) if isinstance(path, str) else ""
        return plain.removeprefix(beginning) if plain.startswith(beginning) else str(entry.get("name"))


ENTRY_VIEW = Listing

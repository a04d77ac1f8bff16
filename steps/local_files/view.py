"""The output of LocalFiles, parsed from its JSON text: a list of entries. Contains no steps.

Parsing is lenient: an entry needs only the members that a step checks. Its key is its path relative to the requested
directory. Where the form of a member is wrong (it is absent, `@type` is another word, `path` leads to nothing), the
difference is one of the output, which the requirements on these forms own. So it is if an entry stands under a name
that is on no disk in place of one that is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from treeproof.api import Call, CallResult, ComparisonStage, Mismatch

from ..shared.entry_view import Entry, EntryView
from ..shared.errors import describe_error, error_kind
from ..shared.values import format_json, format_member

COMMON_MEMBERS = ("@type", "name", "path", "size", "lastModified")
CLOSED_TYPES = ("DirectoryEntry", "FileEntry")
"""The types that have no further members by the document."""
ENTRY_TYPES = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")


@dataclass(frozen=True)
class Listing(EntryView):
    """The entries of one answer. `directory` is the normalised requested path, `disk_names` its children there.

    `is_search`: they were found by findFiles, on any level.
    """

    key_column = "entry"
    directory: str
    objects: list[Entry]
    disk_names: frozenset[str]
    is_search: bool = False

    @classmethod
    def parse(cls, answer: CallResult, call: Call) -> Self:
        """Parse the answer to ``call``. Raises Mismatch for an error, and for an output that is no list of objects."""
        if answer.status != "ok":
            raise Mismatch(describe_error(answer), got=str(answer.error_kind), stage="call", kind=error_kind(answer))
        text = answer.content or ""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Mismatch(f"the output is not JSON: {error}", got=text[:400], stage="output") from error
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            got = format_json(found)[:400]
            raise Mismatch("the output is no list of objects", got=got, stage="output")
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        directory = os.path.normpath(str(arguments.get("path", "/")))
        try:
            names = [name.decode("utf-8", "replace") for name in os.listdir(os.fsencode(directory))]
        except (OSError, ValueError):
            names = []
        return cls(directory, found, frozenset(names), call.tool == "findFiles")

    @property
    def entries(self) -> list[Entry]:
        """The entries in output order."""
        return self.objects

    def key(self, entry: Entry) -> str:
        """Return the path of an entry relative to the directory; its name, if only that exists on the disk.

        Raises Mismatch for an entry of a search whose path is no text, or leads to nothing or to another entry: its
        name has no level.
        """
        path, name = entry.get("path"), entry.get("name")
        if self.is_search and not self.leads_to(path, name):
            what = (
                f"path of {format_json(name)} leads to {'another entry' if self.leads_somewhere(path) else 'nothing'}"
            )
            kind = "another path" if "path" in entry else "no path"
            raise Mismatch(what, got=format_member(entry, "path"), stage="output", kind=kind)
        return str(name) if not self.is_search and self._has_shared_paths else self._key_in_list(path, name)

    def _key_in_list(self, path: object, name: object) -> str:
        if not isinstance(path, str):
            return str(name)
        plain = os.path.normpath(path) if path.startswith("/") else path
        below = plain.removeprefix(self.directory.rstrip("/") + "/").rstrip("/") or path
        is_deeper = path.startswith("/") and not below.startswith("/") and "/" in below and self.leads_somewhere(below)
        is_by_name = isinstance(name, str) and name in self.disk_names
        if below not in self.disk_names and is_by_name and not is_deeper:
            return str(name)
        return self._names_above.get(below, below)

    @cached_property
    def _names_above(self) -> dict[str, str]:
        return {self.directory: ".", os.path.dirname(self.directory): ".."}

    @cached_property
    def _has_shared_paths(self) -> bool:
        """Whether entries of a list have equal paths, and each of them the name of another child."""
        names = [str(entry.get("name")) for entry in self.objects]
        keys = {self._key_in_list(entry.get("path"), entry.get("name")) for entry in self.objects}
        return len(keys) < len(self.objects) == len(set(names)) and self.disk_names.issuperset(names)

    def has_other_form(self, missing: Sequence[str]) -> bool:
        """Return whether every missing key stands under another name, which is on no disk."""
        keys = self.keys
        lost = [key for key in missing if key not in keys]
        unknown = [key for key in keys if not self.leads_somewhere(key)]
        return 0 < len(lost) <= len(unknown) and len(keys) <= len(self.disk_names | set(missing))

    def leads_somewhere(self, path: object) -> bool:
        """Return whether a path leads somewhere, from the directory if it is relative; lossy ones are not looked up."""
        if not isinstance(path, str) or "\0" in path:
            return False
        return "\ufffd" in path or os.path.lexists(
            os.path.join(os.fsencode(self.directory), path.encode("utf-8", "surrogatepass"))
        )

    def leads_to(self, path: object, name: object) -> bool:
        """Return whether a path leads somewhere, and to nothing beside an entry that has the name."""
        if not isinstance(path, str) or not self.leads_somewhere(path):
            return False
        directory, last = os.path.split(path.rstrip("/"))
        is_other = isinstance(name, str) and name not in ("", last) and "/" not in name and "\ufffd" not in name
        return not (is_other and self.leads_somewhere(os.path.join(directory, str(name))))

    def member_stage(self, entry: Entry, key: str) -> ComparisonStage:
        """Return "output" for a member that is absent, for an unknown kind and for a path that leads to nothing."""
        value = entry.get(key)
        is_path = isinstance(value, str) and value.startswith("/") and self.leads_somewhere(value)
        is_formed = {"@type": value in ENTRY_TYPES, "path": is_path}.get(key, True)
        return "members" if key in entry and is_formed else "output"


ENTRY_VIEW = Listing

"""What the arguments and the answers of the tools mean, whatever document describes them: the only table of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from treeproof.api import CallResult, Case, Unmodelled

Shown = Literal["directory", "link", "file", "other"]

_KINDS: Mapping[object, Shown] = {
    "dir": "directory",
    "directory": "directory",
    "DirectoryEntry": "directory",
    "file": "file",
    "FileEntry": "file",
    "symlink": "link",
    "link": "link",
    "SymbolicLinkEntry": "link",
    "other": "other",
    "OtherEntry": "other",
}


@dataclass(frozen=True)
class ListingView:
    """How to read a tool that lists.

    `entries` is the place of the list in an answer, `kind` the member of an entry with its kind; a boolean is true for
    a directory. `takes_absolute_paths`: by its document, others are an error. `plain` are the arguments that only name
    what is listed; one with another value filters. `finds_files`: a tool of this kind may show files alone.
    """

    entries: tuple[str, ...]
    kind: str
    depth: int | None = 1
    plain: Mapping[str, Any] = field(default_factory=dict)
    takes_absolute_paths: bool = False
    finds_files: bool = False


LISTINGS: Mapping[str, ListingView] = {
    "list_directory": ListingView(("entries",), "type", 1, {"recursive": False}),
    "FS.WalkDir": ListingView((), "isDir", None),
    "listDirectory": ListingView((), "@type", takes_absolute_paths=True),
    "findFiles": ListingView(
        (), "@type", None, {"recursive": True, "glob": "**/*"}, takes_absolute_paths=True, finds_files=True
    ),
    "LS": ListingView(("data", "entries"), "type"),
}
TRANSFERS: Mapping[str, Literal["move", "copy"]] = {
    "move": "move",
    "mv": "move",
    "rename": "move",
    "copy": "copy",
    "cp": "copy",
}


@dataclass(frozen=True)
class ListingRequest:
    """What a call wants listed. `depth`: None for all levels. `is_filtered`: perhaps only a part of it.

    `usual_path` is the path as the tool takes paths: without the root, if it takes absolute ones.
    """

    path: str
    depth: int | None
    is_filtered: bool
    usual_path: str
    finds_files: bool = False


@dataclass(frozen=True)
class ListedEntry:
    """An entry of an answer: its path or name, as the tool writes it, and its kind, if the tool gives one.

    `name` is its name, if the tool gives one beside the path.
    """

    text: str
    kind: Shown | None
    name: str | None = None


def listing_request(case: Case) -> ListingRequest:
    """Return what a call wants listed. Raises Unmodelled for a path that is no text."""
    view, arguments = LISTINGS[case.tool], case.arguments
    if not isinstance(arguments, Mapping) or not isinstance(arguments.get("path", "."), str):
        raise Unmodelled("the path is no text")
    others = {name: value for name, value in arguments.items() if name != "path"}
    depth = view.depth
    if case.tool == "list_directory" and others.get("recursive") is True:
        del others["recursive"]
        depth = None
    elif case.tool == "findFiles" and others.get("recursive", False) is False:
        depth = 1
    is_filtered = any(value is not None and value != view.plain.get(name, object()) for name, value in others.items())
    path = arguments.get("path", ".")
    usual_path = path.removeprefix("$ROOT/") if view.takes_absolute_paths else path
    return ListingRequest(path, depth, is_filtered, usual_path, view.finds_files)


def listed_entries(case: Case, answer: CallResult) -> list[ListedEntry] | None:
    """Return the entries of an answer; None for a null in place of a list. Raises Unmodelled if they cannot be read."""
    view = LISTINGS[case.tool]
    try:
        value = json.loads(answer.content or "")
    except (ValueError, RecursionError):
        raise Unmodelled("the answer has no entries that can be read") from None
    for name in view.entries:
        value = value.get(name) if isinstance(value, dict) else None
    if value is None:
        return None
    if not isinstance(value, list):
        raise Unmodelled("the answer has no entries that can be read: it has no list")
    return [_entry(one, view.kind) for one in value]


def _entry(value: Any, kind: str) -> ListedEntry:
    if isinstance(value, str):
        return ListedEntry(value, None)
    members = value if isinstance(value, dict) else {}
    text = next((members[name] for name in ("path", "name") if isinstance(members.get(name), str)), None)
    if text is None:
        raise Unmodelled("the answer has no entries that can be read: one has neither a path nor a name")
    given = members.get(kind)
    shown: Shown | None = _KINDS.get(given) if isinstance(given, str) else None
    if isinstance(given, bool):
        shown = "directory" if given else "other"
    name = members.get("name")
    return ListedEntry(text, shown, name if isinstance(name, str) and name is not text else None)

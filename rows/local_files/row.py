"""Rows of LocalFiles: where the call and the tree are like this, the call or the list is like that."""

import contextlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

from treeproof.api import CallResult

from ..shared.row import Answering, Row, Sent, lstat, row_of, with_value

LIST, SEARCH = "listDirectory", "findFiles"
MEMBER_NAMES = {"type": "@type", "time": "lastModified"}
TEXTS = ("name", "path", "@type", "target")
KINDS = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")

Entry = dict[str, Any]


@dataclass(frozen=True)
class FileCall(Sent):
    """A call; `memory` holds what a row keeps between the calls of one start."""

    memory: dict[Any, Any]

    @property
    def given(self) -> dict[str, Any]:
        """The arguments, none if they are no object."""
        return self.arguments if isinstance(self.arguments, dict) else {}

    @property
    def path(self) -> str:
        """The requested path; nothing for one that no path can be."""
        path = self.given.get("path")
        return path if isinstance(path, str) and not re.search("[\0\ud800-\udfff]", path) else ""

    @property
    def glob(self) -> str:
        """The glob; nothing for one that is no text."""
        glob = self.given.get("glob")
        return glob if isinstance(glob, str) else ""

    @property
    def is_recursive(self) -> bool:
        return self.given.get("recursive") is True

    @cached_property
    def directory(self) -> str:
        """The requested directory without dots and doubled slashes."""
        return os.path.normpath("/" + os.path.join(self.root, self.path).lstrip("/"))

    def entries_of_call(self, **changed: Any) -> list[Entry]:
        """Return the list for other arguments, an empty one for a failure."""
        return entries_of(self.answer({**self.given, **changed})) or []

    @cached_property
    def order_in(self) -> Callable[[str], dict[str, int]]:
        """Return the names in a directory, decoded, with their places in the system's order."""

        def places(path: str) -> dict[str, int]:
            names = os.listdir(os.fsencode(real_path(path))) if not failure(real_path(path)) else []
            return {decode(name): at for at, name in enumerate(names)}

        return cache(places)


class Item:
    """An entry of a list, and what it shows.

    `parents` are the directories between the requested one and the entry, `above` is the path of the last of them;
    `place` is the path on the disk, `known` the entry's own metadata if it is there, `format` the kind in its mode.
    """

    def __init__(self, entry: Entry, sent: FileCall, place: str | None = None) -> None:
        self.entry, self.sent = entry, sent
        self.name, self.path, self.kind, self.target = (str(entry.get(key, "")) for key in TEXTS)
        self.size, self.time = (entry.get(key, 0) for key in ("size", "lastModified"))
        self.is_dir, self.is_file, self.is_link = (self.kind == kind for kind in KINDS[:3])
        self.above = os.path.dirname(self.path)
        self.parents = tuple(self.path.removeprefix(sent.directory).lstrip("/").split("/")[:-1])
        self.names = (*self.parents, self.name)
        self.place = real_path(self.path) if place is None else place
        self.known = lstat(self.place)
        self.format = stat.S_IFMT(self.known.st_mode) if self.known is not None else 0

    @property
    def rank(self) -> int:
        return KINDS.index(self.kind) if self.kind in KINDS else len(KINDS)

    @property
    def turn(self) -> int:
        """The place of the entry in the system's order of its directory."""
        return self.sent.order_in(self.above).get(self.name, 0)

    @property
    def own(self) -> os.stat_result:
        """The entry's own metadata."""
        assert self.known is not None, "rows see only entries that are there"
        return self.known

    @cached_property
    def end(self) -> os.stat_result | None:
        """The metadata of what a link leads to; None for another entry and for a link that leads nowhere."""
        try:
            return os.stat(self.place) if self.is_link else None
        except OSError:
            return None

    @property
    def is_dangling(self) -> bool:
        return self.is_link and self.end is None


def items_of(entries: list[Entry], sent: FileCall) -> "Items":
    """Return entries with their places; those that are shown alike are in the order of the system."""
    found: dict[str, Iterator[str]] = {}
    items = []
    for entry in entries:
        path = str(entry.get("path", ""))
        alike = found.setdefault(path, iter(real_paths(path))) if "\ufffd" in path else iter(())
        items.append(Item(entry, sent, next(alike, None)))
    return items


Items = list[Item]
Rule = Callable[[FileCall], Any]
ItemRule = Callable[[Item], Any]


def decode(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def real_path(path: str) -> str:
    """Return the path on the disk of one whose names were decoded."""
    return next(iter(real_paths(path)), path)


def real_paths(path: str) -> list[str]:
    """Return the paths on the disk that are shown in this way; the path itself if no byte of it was replaced."""
    if "\ufffd" not in path:
        return [path]
    above, _, name = path.rpartition("/")
    found = []
    for directory in real_paths(above):
        with contextlib.suppress(OSError):
            names = os.listdir(os.fsencode(directory or "/"))
            found += [f"{directory}/{os.fsdecode(one)}" for one in names if decode(one) == name]
    return found


def failure(path: str, call: Callable[[str], Any] = os.listdir) -> int:
    """Return the number of the error with which a directory cannot be listed, or another call fails; 0 for none."""
    try:
        call(path)
    except OSError as error:
        return error.errno or 0
    return 0


def is_entry(value: Any) -> bool:
    """Return whether a value has the members that each entry has."""
    of_texts = isinstance(value, dict) and all(isinstance(value.get(name), str) for name in TEXTS[:3])
    return of_texts and all(isinstance(value.get(name), int | float) for name in ("size", "lastModified"))


def entries_of(answer: CallResult) -> list[Entry] | None:
    """Return the list of an answer, None for one without a list of entries."""
    try:
        value = json.loads(answer.content or "") if answer.status == "ok" else None
    except ValueError:
        return None
    return value if isinstance(value, list) and all(map(is_entry, value)) else None


def refused(sent: FileCall, kind: str = "ExecutionFailed") -> CallResult:
    """Return an error that names the path."""
    message = f"{sent.path} cannot be listed"
    return replace(sent.answer(), status="error", content=None, error_kind=kind, error_message=message)


def listed(sent: FileCall, found: list[Entry]) -> CallResult:
    """Return a list, whatever the call would have returned."""
    return with_value(replace(sent.answer(), status="ok", error_kind=None, error_message=None), found)


def replaced(pattern: str, text: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    """Return the change of a text that puts another one for what the pattern matches."""
    return lambda changed: re.sub(pattern, text, changed)


def of(member: str, change: Callable[[Any], Any]) -> ItemRule:
    return lambda at: change(at.entry[member])


def nothing_if(condition: Rule) -> Callable[[Items, FileCall], list[Entry]]:
    return lambda found, sent: [] if condition(sent) else [at.entry for at in found]


def empty(sent: FileCall, received: CallResult) -> CallResult:
    return listed(sent, [])


def in_order(found: list[Entry]) -> list[Entry]:
    """Sort by kind, name and path; entries with other kinds or names stay as they are."""
    if all(entry.get("@type") in KINDS and isinstance(entry.get("name"), str) for entry in found):
        return sorted(found, key=lambda entry: (KINDS.index(entry["@type"]), entry["name"], entry["path"]))
    return found


def row(
    *,
    stage: int = 0,
    tool: str = f"{LIST} {SEARCH}",
    where: Rule = lambda sent: True,
    refuses: Rule | None = None,
    before: Rule | None = None,
    arguments: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    start: Callable[[str], str] | None = None,
    place: Callable[[FileCall], str] | None = None,
    glob: Callable[[str], str] | None = None,
    fails: ItemRule | None = None,
    drop: ItemRule | None = None,
    hides: Callable[[str], Any] | None = None,
    each: ItemRule | None = None,
    order: ItemRule | None = None,
    found: Callable[[Items, FileCall], Any] | None = None,
    after: Callable[[Items, FileCall], Any] | None = None,
    failed: Callable[[FileCall, CallResult], CallResult] | None = None,
    message: Callable[[FileCall, str], str] | None = None,
    answer: Callable[[FileCall], CallResult] | None = None,
    **members: ItemRule,
) -> Row:
    """Return a row that acts on calls `where` that holds.

    On the call: `refuses` makes it an error, `before` acts on the tree, `arguments` replaces them, `start` the
    path, `place` too, by the call, and `glob` the glob. On the list: an entry that `fails` makes it an error, `drop`
    leaves entries out, `hides` those with such a name and what is below them; `each` replaces entries, a member of its
    own name (`type` for @type, `time` for lastModified) replaces that, `target` where there is one, and one with the
    name of a type makes entries that are like this entries of that type; then the list is sorted. `order` sorts by
    another key, `found` makes the value from all entries, `after` acts on the tree. `failed` replaces an error about a
    path, `message` its text; `answer` makes the whole.
    Entries whose path leads to nothing on the disk stay as they are.
    """

    def received_for(sent: FileCall) -> CallResult:
        given = arguments(sent.given) if arguments is not None and sent.given else sent.given
        if start is not None and isinstance(given.get("path"), str):
            given = {**given, "path": start(given["path"])}
        if place is not None and sent.path:
            given = {**given, "path": place(sent)}
        if glob is not None and sent.glob:
            given = {**given, "glob": glob(sent.glob)}
        received = sent.answer() if given == sent.given else sent.answer(given)
        is_moved = start is not None or (place is not None and sent.path)
        if not is_moved or received.error_message is None or not isinstance(given.get("path"), str):
            return received
        # An error names the path as it was requested.
        return replace(received, error_message=received.error_message.replace(given["path"], sent.given["path"]))

    def values(items: Items, sent: FileCall) -> Any:
        if found is not None:
            return found(items, sent)
        kept = [item for item in items if item.known is None or not (drop and drop(item))]
        kept = [item for item in kept if not (hides and any(map(hides, item.names)))]
        kept = sorted(kept, key=order) if order else kept
        changed = [_changed(item, each, members) for item in kept]
        return in_order(changed) if each or members else changed

    def changed(sent: FileCall) -> CallResult:
        if refuses is not None and refuses(sent):
            return refused(sent)
        if not where(sent):
            return sent.answer()
        if answer is not None:
            return answer(sent)
        if before is not None:
            with contextlib.suppress(OSError):
                before(sent)
        received = received_for(sent)
        if message is not None and received.error_message is not None:
            return replace(received, error_message=message(sent, received.error_message))
        if failed is not None and received.status == "error" and sent.path:
            return failed(sent, received)
        entries = entries_of(received)
        items = items_of(entries or [], sent)
        if fails is not None and any(item.known is not None and fails(item) for item in items):
            return refused(sent)
        if after is not None and entries is not None:
            with contextlib.suppress(OSError):
                after(items, sent)
        return received if entries is None else with_value(received, values(items, sent))

    def begin() -> Answering:
        memory: dict[Any, Any] = {}
        return lambda call: changed(FileCall(call.call, call.send, memory))

    return row_of(begin, tuple(tool.split()), stage)


listing, search = partial(row, tool=LIST), partial(row, tool=SEARCH)
"""Rows of one tool."""


def _changed(item: Item, each: ItemRule | None, members: dict[str, ItemRule]) -> Any:
    if item.known is None:
        return item.entry
    entry = each(item) if each is not None else item.entry
    kind = next((kind for kind in KINDS if kind in members and members[kind](item)), None)
    due = {MEMBER_NAMES.get(name, name): change for name, change in members.items()}
    changed = {**entry, **{name: change(item) for name, change in due.items() if name in entry}}
    return {**changed, "@type": kind} if kind else changed

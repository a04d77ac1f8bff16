"""Mutants of LocalFiles as rows: where the call and the tree are like this, the call or the list is like that."""

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from treeproof.candidate import CallResult

from ..shared.mutant import Mutant
from ..shared.rows import Answering, Sent, lstat, plant, with_value

LIST, SEARCH = "listDirectory", "findFiles"
KINDS = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")

Entry = dict[str, Any]


@dataclass(frozen=True)
class Asked(Sent):
    """A call; `memory` holds what a mutant keeps between the calls of one start."""

    memory: dict[Any, Any]

    def text(self, name: str) -> str:
        """Return an argument; nothing for one that is no text."""
        value = self.arguments.get(name) if isinstance(self.arguments, dict) else None
        return value if isinstance(value, str) else ""

    @property
    def path(self) -> str:
        """The requested path; nothing for one that no path can be."""
        path = self.text("path")
        return "" if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path) else path

    @property
    def glob(self) -> str:
        return self.text("glob")

    @property
    def is_recursive(self) -> bool:
        return self.arguments.get("recursive") is True if isinstance(self.arguments, dict) else False

    @cached_property
    def directory(self) -> str:
        """The requested directory without dots and doubled slashes."""
        return os.path.normpath("/" + os.path.join(self.root, self.path).lstrip("/"))

    def ask(self, **changed: Any) -> list[Entry]:
        """Return the list for other arguments, an empty one for a failure."""
        return entries_of(self.answer({**self.arguments, **changed})) or []

    @cached_property
    def _orders(self) -> dict[str, dict[str, int]]:
        return {}

    def order_in(self, directory: str) -> dict[str, int]:
        """Return the names in a directory, decoded, with their places in the system's order."""
        if directory not in self._orders:
            names = os.listdir(os.fsencode(real_path(directory)))
            self._orders[directory] = {decode(name): at for at, name in enumerate(names)}
        return self._orders[directory]


@dataclass(frozen=True)
class Item:
    """An entry of a list, and what it shows."""

    entry: Entry
    asked: Asked

    @property
    def name(self) -> str:
        return str(self.entry["name"])

    @property
    def path(self) -> str:
        return str(self.entry["path"])

    @property
    def above(self) -> str:
        """The path of the directory that holds the entry."""
        return os.path.dirname(self.path)

    @cached_property
    def parents(self) -> tuple[str, ...]:
        """The directories between the requested one and the entry."""
        return tuple(self.path.removeprefix(self.asked.directory).lstrip("/").split("/")[:-1])

    @property
    def names(self) -> tuple[str, ...]:
        return *self.parents, self.name

    @property
    def below(self) -> str:
        """The path below the requested directory."""
        return "/".join(self.names)

    @property
    def target(self) -> str:
        """The target of a link, nothing for other entries."""
        return str(self.entry.get("target", ""))

    @property
    def size(self) -> Any:
        return self.entry["size"]

    @property
    def time(self) -> Any:
        return self.entry["lastModified"]

    @property
    def kind(self) -> str:
        return str(self.entry["@type"])

    @property
    def is_dir(self) -> bool:
        return self.kind == "DirectoryEntry"

    @property
    def is_file(self) -> bool:
        return self.kind == "FileEntry"

    @property
    def is_link(self) -> bool:
        return self.kind == "SymbolicLinkEntry"

    @property
    def rank(self) -> int:
        return KINDS.index(self.kind)

    @property
    def turn(self) -> int:
        """The place of the entry in the system's order of its directory."""
        return self.asked.order_in(self.above).get(self.name, 0)

    @cached_property
    def place(self) -> str:
        return real_path(self.path)

    @cached_property
    def known(self) -> os.stat_result | None:
        return lstat(self.place)

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


Items = list[Item]
Rule = Callable[[Asked], Any]
ItemRule = Callable[[Item], Any]


def decode(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def real_path(path: str) -> str:
    """Return the path on the disk of one whose names were decoded."""
    if "\ufffd" not in path or os.path.lexists(path):
        return path
    above, _, name = path.rpartition("/")
    directory = real_path(above)
    with contextlib.suppress(OSError):
        name = next((os.fsdecode(one) for one in os.listdir(os.fsencode(directory)) if decode(one) == name), name)
    return f"{directory}/{name}"


def failure(path: str) -> int:
    """Return the number of the error with which a directory cannot be listed, 0 for none."""
    try:
        os.listdir(path)
    except OSError as error:
        return error.errno or 0
    return 0


def entries_of(answer: CallResult) -> list[Entry] | None:
    """Return the list of an answer, None for one without a list."""
    value = json.loads(answer.content) if answer.status == "ok" and answer.content else None
    return value if isinstance(value, list) else None


def refused(asked: Asked) -> CallResult:
    """Return an error that names the path."""
    message = f"{asked.path} cannot be listed"
    return replace(asked.answer(), status="error", content=None, error_kind="ExecutionFailed", error_message=message)


def listed(asked: Asked, found: list[Entry]) -> CallResult:
    """Return a list, whatever the call would have returned."""
    return with_value(replace(asked.answer(), status="ok", error_kind=None, error_message=None), found)


def nothing(found: Items, asked: Asked) -> list[Entry]:
    return []


def in_order(found: list[Entry]) -> list[Entry]:
    """Sort by kind, name and path; entries with other kinds or names stay as they are."""
    if all(entry.get("@type") in KINDS and isinstance(entry.get("name"), str) for entry in found):
        return sorted(found, key=lambda entry: (KINDS.index(entry["@type"]), entry["name"], entry["path"]))
    return found


def row(
    id: str,
    summary: str,
    *violates: str,
    tool: str = f"{LIST} {SEARCH}",
    where: Rule = lambda asked: True,
    before: Rule | None = None,
    arguments: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    start: Callable[[str], str] | None = None,
    glob: Callable[[str], str] | None = None,
    fails: ItemRule | None = None,
    drop: ItemRule | None = None,
    each: ItemRule | None = None,
    found: Callable[[Items, Asked], Any] | None = None,
    after: Callable[[Items, Asked], Any] | None = None,
    failed: Callable[[Asked, CallResult], CallResult] | None = None,
    message: Callable[[Asked, str], str] | None = None,
    answer: Callable[[Asked], CallResult] | None = None,
    **members: ItemRule,
) -> Mutant:
    """Return a mutant that acts on the calls `where` it says.

    On the call: `before` acts on the tree, `arguments` replaces them, `start` the path, `glob` the glob. On the list:
    an entry that `fails` makes it an error, `drop` leaves entries out, `each` replaces them, a member of its own name
    (`type` for @type) replaces that, `target` where there is one; then the list is sorted. `found` makes the value from
    all entries, `after` acts on the tree. `failed` replaces an error, `message` its text; `answer` makes the whole.
    Entries whose path leads to nothing on the disk stay as they are.
    """

    def sent(asked: Asked) -> CallResult:
        given = asked.arguments
        if not isinstance(given, dict):
            return asked.answer()
        given = arguments(given) if arguments is not None else given
        if start is not None and asked.text("path"):
            given = {**given, "path": start(asked.text("path"))}
        if glob is not None and asked.glob:
            given = {**given, "glob": glob(asked.glob)}
        if given is asked.arguments:
            return asked.answer()
        received = asked.answer(given)
        if start is None or received.error_message is None:
            return received
        # An error names the path as it was requested.
        return replace(received, error_message=received.error_message.replace(given["path"], asked.text("path")))

    def changed(asked: Asked) -> CallResult:
        if not where(asked):
            return asked.answer()
        if answer is not None:
            return answer(asked)
        if before is not None:
            with contextlib.suppress(OSError):
                before(asked)
        received = sent(asked)
        entries = entries_of(received)
        if entries is None:
            if message is not None and received.error_message is not None:
                received = replace(received, error_message=message(asked, received.error_message))
            return failed(asked, received) if failed is not None and received.status == "error" else received
        items = [Item(entry, asked) for entry in entries]
        if fails is not None and any(item.known is not None and fails(item) for item in items):
            return refused(asked)
        if after is not None:
            after(items, asked)
        if found is not None:
            return with_value(received, found(items, asked))
        kept = [item for item in items if not (drop is not None and item.known is not None and drop(item))]
        if each is not None or members:
            return with_value(received, in_order([_changed(item, each, members) for item in kept]))
        return with_value(received, [item.entry for item in kept]) if len(kept) < len(items) else received

    def begin() -> Answering:
        memory: dict[Any, Any] = {}
        return lambda call: changed(Asked(call.call, call.send, memory))

    return plant(id, summary, violates, begin, tuple(tool.split()))


listing, search = partial(row, tool=LIST), partial(row, tool=SEARCH)
"""Mutants of one tool."""


def _changed(item: Item, each: ItemRule | None, members: dict[str, ItemRule]) -> Any:
    if item.known is None:
        return item.entry
    entry = each(item) if each is not None else item.entry
    due = {"@type" if name == "type" else name: change for name, change in members.items()}
    return {**entry, **{name: change(item) for name, change in due.items() if name in entry}}

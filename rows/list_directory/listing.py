"""Calls, entries and listings of `list_directory`, as its rows see them."""

import json
import os
import stat
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treeproof.api import CallResult
from treeproof.reference_impl.shared.paths import POSIX, normalise_path

from ..shared.row import Sent, lstat

BUILT_IN = {
    "max_entries": 200,
    "max_depth": 4,
    "include_hidden": False,
    "include_files": True,
    "include_dirs": True,
    "include_symlinks": True,
    "include_other": False,
}
ALL_SWITCHES = [name for name in BUILT_IN if name.startswith("include_")]
BUDGETS = {"max_output_bytes": 102_400, "available_capacity_bytes": 65_536}
ENDLESS = 10**9
CAP, CUT = "max_entries", "max_output_bytes"
"""The reasons of a truncation."""

Table = dict[str, Any]


@dataclass(frozen=True)
class ListCall(Sent):
    """A call; `memory` holds what a row keeps between the calls of one start."""

    memory: dict[Any, Any] = field(default_factory=dict)
    _turns: dict[bytes, dict[bytes, int]] = field(default_factory=dict)

    def turns(self, directory: bytes) -> dict[bytes, int]:
        """Return the names in a directory with their places in the system's order."""
        if directory not in self._turns:
            self._turns[directory] = {name: at for at, name in enumerate(names_in(directory))}
        return self._turns[directory]

    @cached_property
    def root(self) -> Path:
        """The directory where a relative path starts."""
        return Path(str(self.context.get("working_dir") or self.context["roots"][0]))

    @property
    def given(self) -> Table:
        """The arguments, none if they are no object."""
        return self.arguments if isinstance(self.arguments, dict) else {}

    @property
    def context(self) -> Table:
        return dict(self.call.context)

    @property
    def text(self) -> str:
        """The text of the requested path, nothing for one that is no text."""
        path = self.given.get("path")
        return path if isinstance(path, str) else ""

    @property
    def path(self) -> str:
        """The requested path in its normal form."""
        return normalise_path(self.text, POSIX)

    @property
    def place(self) -> str:
        return os.path.join(self.root, self.path)

    @property
    def table(self) -> Table:
        """The tool's table of the configuration."""
        return table_of(self.call.context) or {}

    def effective(self, name: str) -> Any:
        """Return the value of a switch or limit: of the call, the configuration, or the built-in one."""
        return usable(self.given, name, self.configured(name))

    def configured(self, name: str) -> Any:
        return usable(self.table, f"{name}_default" if name in ALL_SWITCHES else name, BUILT_IN[name])

    def shows(self, type: str) -> bool:
        """Return whether the switches show entries of a type."""
        switches = {"file": "include_files", "dir": "include_dirs", "symlink": "include_symlinks"}
        return type == "unknown" or bool(self.effective(switches.get(type, "include_other")))

    @property
    def is_recursive(self) -> bool:
        return self.given.get("recursive") is True

    @property
    def levels(self) -> int:
        """How many levels the call lists."""
        return int(self.effective("max_depth")) if self.is_recursive else 1

    @property
    def is_deep(self) -> bool:
        """Whether it is a recursive call of a permitted depth."""
        return self.is_recursive and 1 <= self.levels <= self.configured("max_depth")

    @property
    def budgets(self) -> dict[str, int]:
        return {name: self.context.get(name, usual) for name, usual in BUDGETS.items()}

    def within(self, context: Mapping[str, Any]) -> "ListCall":
        """Return the call with another context."""
        return replace(self, call=replace(self.call, context=context))

    def with_arguments(self, arguments: Any) -> "ListCall":
        """Return the call with other arguments."""
        same = repr(arguments) == repr(self.arguments)
        return self if same else replace(self, call=replace(self.call, arguments=arguments, arguments_text=None))

    def without_budget(self) -> "ListCall":
        return self.within({**self.context, **dict.fromkeys(BUDGETS, ENDLESS)})

    def with_no_bytes(self) -> "ListCall":
        return self.within({**self.context, "max_output_bytes": 0})

    def without_cap(self) -> "ListCall":
        """Return the call for all entries."""
        arguments = {name: value for name, value in self.given.items() if name != "max_entries"}
        context = with_table(self.context, {**self.table, "max_entries": ENDLESS})
        return self.within({**context, **dict.fromkeys(BUDGETS, ENDLESS)}).with_arguments(arguments)


@dataclass
class Item:
    """An entry, and what is in its place. `raw` is its path in bytes, below the listed directory."""

    entry: dict[str, Any]
    raw: bytes
    start: bytes
    sent: ListCall
    shown: dict[str, Any] = field(init=False)
    """Its members as they are shown."""
    turn: int = 0
    """Its place in the walk."""
    position: int = 0
    """Its place in the answer."""
    encode: Callable[[Any], str] = field(default_factory=lambda: dumps)

    def __post_init__(self) -> None:
        self.shown = self.entry

    @property
    def name(self) -> str:
        return str(self.entry["name"])

    @property
    def path(self) -> str:
        return str(self.entry["path"])

    @property
    def parts(self) -> list[str]:
        return self.path.split("/")

    @property
    def above(self) -> str:
        """The path of the directory that holds the entry; empty for the listed one."""
        return self.path.rpartition("/")[0]

    @property
    def raw_parts(self) -> list[bytes]:
        return self.raw.split(b"/")

    @property
    def raw_name(self) -> bytes:
        return self.raw_parts[-1]

    @property
    def depth(self) -> int:
        return int(self.entry["depth"])

    @property
    def size(self) -> Any:
        return self.entry["size_bytes"]

    @property
    def time(self) -> Any:
        return self.entry["modified_epoch_ms"]

    @property
    def type(self) -> str:
        return str(self.entry["type"])

    @property
    def is_file(self) -> bool:
        return self.type == "file"

    @property
    def is_dir(self) -> bool:
        return self.type == "dir"

    @property
    def is_link(self) -> bool:
        return self.type == "symlink"

    @property
    def is_hidden(self) -> bool:
        return bool(self.entry["is_hidden"])

    @property
    def code(self) -> str | None:
        code: str | None = self.entry["error_code"]
        return code

    @property
    def is_unknown(self) -> bool:
        return self.type == "unknown"

    @property
    def is_unread(self) -> bool:
        """Whether it is a directory that could not be read."""
        return self.code == "read_dir_failed"

    @property
    def is_entered(self) -> bool:
        """Whether the walk opens it: a directory above the lowest level."""
        return (self.is_dir or self.is_unread) and self.depth < self.sent.levels

    @property
    def lacks_metadata(self) -> bool:
        return self.is_unknown and not self.is_unread

    @property
    def place(self) -> bytes:
        return os.path.join(self.start, self.raw)

    @property
    def siblings(self) -> dict[bytes, int]:
        """The names in the entry's directory with their places in the system's order."""
        return self.sent.turns(os.path.dirname(self.place))

    def unread(self) -> Table:
        """Return the members of the entry as those of a directory that could not be read."""
        return self.failed("read_dir_failed", "directory cannot be read") | {"modified_epoch_ms": self.time}

    def failed(self, code: str, error: str) -> Table:
        """Return the members of the entry without metadata."""
        members = {"type": "unknown", "size_bytes": None, "modified_epoch_ms": None}
        return self.entry | members | {"error_code": code, "error": error}

    @cached_property
    def own(self) -> os.stat_result | None:
        return lstat(os.fsdecode(self.place))

    @property
    def stat(self) -> os.stat_result:
        """The entry's own metadata; zeros if there are none."""
        return self.own or os.stat_result([0] * 10)

    @property
    def mode(self) -> int:
        return self.stat.st_mode

    @cached_property
    def target(self) -> os.stat_result | None:
        """The metadata of what a link leads to; None for another entry and for a link that leads nowhere."""
        try:
            return os.stat(self.place) if self.is_link else None
        except OSError:
            return None

    @property
    def text(self) -> str:
        return self.encode(self.shown)


Items = list[Item]
Rule = Callable[[Item], Any]


@dataclass
class Listing:
    """A listing as it is composed again: `items` are those of the answer, `capped` if `max_entries` ended the walk."""

    sent: ListCall
    value: dict[str, Any]
    capped: bool = False
    items: Items = field(default_factory=list)
    size: Callable[["Listing", Items, str | None], int] = lambda at, items, reason: at.bytes(items, reason)
    take: Callable[["Listing", int], Items] = lambda at, count: at.items[:count]
    own_budget: Callable[["Listing"], int] | None = None
    encode: Callable[[Any], str] = field(default_factory=lambda: dumps)

    @property
    def path(self) -> str:
        return str(self.value["path"])

    @property
    def limit(self) -> int:
        return int(self.value["max_entries"])

    @property
    def whole_budget(self) -> int:
        return min(self.sent.budgets.values())

    @property
    def budget(self) -> int:
        return self.own_budget(self) if self.own_budget else self.whole_budget

    @property
    def reason(self) -> str | None:
        """The reason before the cut for size."""
        return CAP if self.capped else None

    def text(self, items: Items, reason: str | None, returned: int | None = None) -> str:
        head = {"path": self.path, "entries": []}
        tail = {
            "returned": len(items) if returned is None else returned,
            "max_entries": self.limit,
            "truncated": reason is not None,
            "truncated_reason": reason,
        }
        return self.encode(head)[:-2] + ",".join(item.text for item in items) + "]," + self.encode(tail)[1:]

    def bytes(self, items: Items, reason: str | None) -> int:
        return len(self.text(items, reason).encode("utf-8", "surrogatepass"))

    def fits(self, items: Items, reason: str | None) -> bool:
        return self.size(self, items, reason) <= self.budget

    def fitting(self) -> int:
        """Return how many entries fit, -1 if not even the document without any does."""
        counts = range(len(self.items) + 1)
        return bisect_right(counts, self.budget, key=lambda n: self.size(self, self.take(self, n), CUT)) - 1


def usable(values: Table, name: str, otherwise: Any) -> Any:
    """Return a value if it has the type of the one that there is otherwise; a whole number is one in any spelling."""
    found = values.get(name, otherwise)
    found = int(found) if isinstance(found, float) and found.is_integer() else found
    return found if type(found) is type(otherwise) else otherwise


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def table_of(context: Mapping[str, Any]) -> Table | None:
    """Return the tool's table of the configuration, None if it has none."""
    found: Any = context.get("config")
    for key in ("tools", "list_directory"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def with_table(context: Mapping[str, Any], table: Table) -> Table:
    """Return the context with another table, the same one if there is no place for a table."""
    config: Any = context.get("config") or {}
    tools = config.get("tools", {}) if isinstance(config, dict) else None
    if not isinstance(tools, dict):
        return dict(context)
    return {**context, "config": {**config, "tools": {**tools, "list_directory": table}}}


def failed(answer: CallResult, kind: str, message: str) -> CallResult:
    return replace(answer, status="error", content=None, error_kind=kind, error_message=message)


def succeeded(answer: CallResult, text: str) -> CallResult:
    return replace(answer, status="ok", content=text, error_kind=None, error_message=None)


def empty(sent: ListCall, answer: CallResult) -> CallResult:
    """Return the listing of a directory without entries, in place of any answer."""
    limit = sent.effective("max_entries")
    return succeeded(answer, Listing(sent, {"path": sent.path, "max_entries": limit}).text([], None))


def is_too_small(answer: CallResult) -> bool:
    return answer.error_kind == "ExecutionFailed" and "budget" in (answer.error_message or "")


def document_of(answer: CallResult) -> Table | None:
    """Return the document of a listing, None for a failure."""
    return json.loads(answer.content) if answer.status == "ok" and answer.content else None


def items_of(sent: ListCall, value: Table) -> Items:
    """Return the entries of a document in the order of the walk."""
    start = os.path.join(os.fsencode(sent.root), value["path"].encode())
    found: dict[str, Iterator[bytes]] = {}
    items = []
    for position, entry in enumerate(value["entries"]):
        path = entry["path"]
        if "\ufffd" in path:
            raw = next(found.setdefault(path, iter(raw_paths(start, path))), path.encode())
        else:
            raw = path.encode("utf-8", "surrogatepass")
        items.append(Item(entry, raw, start, sent, position=position))
    return sorted(items, key=lambda item: (item.parts, item.raw_parts))


def raw_paths(start: bytes, path: str) -> list[bytes]:
    """Return the paths of the disk that are shown in this way."""
    above, _, name = path.rpartition("/")
    return sorted(
        os.path.join(directory, one)
        for directory in (raw_paths(start, above) if above else [b""])
        for one in names_in(os.path.join(start, directory))
        if one.decode("utf-8", "replace") == name
    )


def names_in(directory: bytes) -> list[bytes]:
    """Return the names in a directory, none if it cannot be read."""
    try:
        return os.listdir(directory)
    except OSError:
        return []


def type_of(found: os.stat_result) -> str:
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "dir", stat.S_IFLNK: "symlink"}
    return kinds.get(stat.S_IFMT(found.st_mode), "other")

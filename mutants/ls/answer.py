"""An envelope that a candidate returned, the list that it is from, and the entries on disk. Contains no mutants."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from treeproof.candidate import CallResult

from ..shared.rows import Sent
from .text_parts import render

Refusal = tuple[str, str]
INVALID: Refusal = ("INVALID_PARAM", "offset/limit/ignore must be valid types.")
OUTSIDE: Refusal = ("ACCESS_DENIED", "Access denied. Path must be within the project root.")
LONGEST_PAGE = 200


@dataclass(frozen=True)
class Entry:
    """An entry of a listing; `raw` is its name on disk."""

    path: str
    type: str
    raw: bytes
    listing: "Answer" = field(repr=False)

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def place(self) -> bytes:
        return os.path.join(self.listing.folder, self.raw)

    @property
    def stat(self) -> os.stat_result:
        """The entry's own metadata."""
        return os.lstat(self.place)

    @property
    def target(self) -> str:
        """The text of a link."""
        return os.fsdecode(os.readlink(self.place)) if self.is_link else ""

    @property
    def real(self) -> bytes:
        """Where the entry is after all links."""
        return os.path.realpath(self.place)

    @property
    def is_dir(self) -> bool:
        return self.type == "dir"

    @property
    def is_link(self) -> bool:
        return self.type == "link"

    @property
    def leads_inside(self) -> bool:
        return self.listing.is_inside(self.real)

    @property
    def sorts_first(self) -> bool:
        """Whether it is a directory, or a link to one inside."""
        return self.is_dir or (self.is_link and self.leads_inside and os.path.isdir(self.place))

    @property
    def number(self) -> int:
        """Its number in the order of the system."""
        return self.listing.numbers.get(self.raw, 0)

    def renamed(self, name: str) -> "Entry":
        return replace(self, path=self.path.removesuffix(self.name) + name)


class Answer:
    """The answer to a call; its members can be changed.

    `asked` are other arguments, with which the call is made; the answer is changed as if it were to those of the call.
    """

    def __init__(self, sent: Sent, asked: Any = ...) -> None:
        self.original = sent.arguments
        is_same = asked is ... or repr(asked) == repr(sent.arguments)
        self.sent = sent if is_same else Sent(replace(sent.call, arguments=asked, arguments_text=None), sent.send)
        self.received = self.sent.answer()
        try:
            self.members: dict[str, Any] = json.loads(self.received.content or "")
        except ValueError:
            self.members = {}
        self.is_envelope = _is_envelope(self.members)
        self.start = self.offset

    @property
    def has_object(self) -> bool:
        return isinstance(self.sent.arguments, dict)

    @property
    def arguments(self) -> dict[str, Any]:
        return self.sent.arguments if isinstance(self.sent.arguments, dict) else {}

    @property
    def given_path(self) -> str:
        path = self.arguments.get("path", ".")
        return path if isinstance(path, str) else "."

    @property
    def offset(self) -> Any:
        return self.arguments.get("offset", 0)

    @property
    def limit(self) -> Any:
        return self.arguments.get("limit", 100)

    @property
    def failed(self) -> bool:
        return self.members["status"] == "error"

    @property
    def code(self) -> Any:
        return self.members["error"].get("code") if self.failed else None

    @property
    def message(self) -> str:
        return str(self.members["error"].get("message")) if self.failed else ""

    @property
    def kind(self) -> str:
        """What a failure is about: arguments, or a path outside, one that is missing, closed or a file, the system."""
        if self.code == "INVALID_PARAM":
            return "file" if "is a file" in self.message else "arguments"
        if self.code == "ACCESS_DENIED":
            return "closed" if self.is_inside(self.folder) else "outside"
        return {"NOT_FOUND": "missing", "INTERNAL_ERROR": "system"}.get(str(self.code), "")

    def is_about(self, *errors: int) -> bool:
        """Whether the system failed with one of these errors."""
        return self.kind == "system" and any(os.strerror(error) in self.message for error in errors)

    @property
    def longest_name(self) -> int:
        """The bytes of the longest name of the requested path."""
        return max(len(name.encode("utf-8", "surrogatepass")) for name in self.given_path.split("/"))

    @property
    def cwd(self) -> str:
        return str(self.members["context"]["cwd"])

    @property
    def is_about_a_place(self) -> bool:
        """Whether arguments and place are permitted."""
        return self.kind not in ("arguments", "outside")

    @cached_property
    def root(self) -> bytes:
        return root_of(self.sent)

    @property
    def root_text(self) -> str:
        roots: Any = self.sent.call.context["roots"]
        return str(roots[0])

    @cached_property
    def working_dir(self) -> bytes:
        return os.path.realpath(os.fsencode(self.sent.root))

    @cached_property
    def folder(self) -> bytes:
        """Where the requested directory is after all links."""
        return place_of(self.sent, self.given_path)

    def is_inside(self, place: bytes) -> bool:
        return place == self.root or place.startswith(self.root.rstrip(b"/") + b"/")

    def below_root(self, place: bytes) -> str:
        """Return a place as a path of the envelope."""
        return os.path.relpath(place, self.root).decode("utf-8", "replace")

    @cached_property
    def path(self) -> str:
        return str(self.members["context"].get("path_resolved", self.below_root(self.folder)))

    @property
    def total(self) -> int:
        return int(self.members["stats"]["total_entries"])

    @property
    def end(self) -> int:
        return min(self._end if self._end is not None else self.start + self.limit, self.total)

    _end: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there are no entries on any page."""
        return self.total == 0

    @property
    def is_truncated(self) -> bool:
        return bool(self.members["data"]["truncated"])

    @cached_property
    def raw_names(self) -> dict[str, bytes]:
        """The names on disk, by what an envelope shows of them."""
        try:
            return {name.decode("utf-8", "replace"): name for name in os.listdir(self.folder)}
        except OSError:
            return {}

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        return {name: number for number, name in enumerate(self.raw_names.values())}

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries of the page."""
        return self._entries_of(self.members)

    @cached_property
    def whole(self) -> list[Entry]:
        """The entries of all pages."""
        return self._all_pages(self.arguments)

    @cached_property
    def without_patterns(self) -> list[Entry]:
        """The entries of all pages, with those that patterns exclude."""
        return self._all_pages({name: value for name, value in self.arguments.items() if name != "ignore"})

    @cached_property
    def unfiltered(self) -> list[Entry]:
        """The entries of all pages, with those that are hidden, ignored or excluded."""
        return self._all_pages({**self.arguments, "ignore": [], "include_hidden": True})

    def below(self, entry: Entry) -> list[Entry]:
        """Return the entries of a directory of the listing, without any filter."""
        return Answer(self.sent, {**self.arguments, "path": os.fsdecode(entry.place)}).unfiltered

    def _all_pages(self, arguments: dict[str, Any]) -> list[Entry]:
        found: list[Entry] = []
        while True:
            page = Answer(self.sent, {**arguments, "offset": len(found), "limit": LONGEST_PAGE})
            if not page.is_envelope or page.failed:
                return found
            found += (entries := self._entries_of(page.members))
            if not entries or not page.is_truncated:
                return found

    def _entries_of(self, members: dict[str, Any]) -> list[Entry]:
        return [self.entry(str(one["path"]), str(one["type"])) for one in members["data"]["entries"]]

    def entry(self, path: str, type: str) -> Entry:
        name = path.rpartition("/")[2]
        return Entry(path, type, self.raw_names.get(name) or name.encode("utf-8", "surrogatepass"), self)

    def fail(self, code: str, message: str) -> None:
        """Make this the failure of a call."""
        context = self.members["context"]
        if not self.failed:
            context.pop("path_resolved", None)
        self.members = {
            "status": "error",
            "data": {},
            "text": message,
            "stats": {"time_ms": self.members["stats"].get("time_ms", 0)},
            "context": context,
            "error": {"code": code, "message": message},
        }

    def relist(
        self,
        whole: list[Entry],
        start: int | None = None,
        end: int | None = None,
        shown: Callable[["Answer"], list[Entry]] | None = None,
        is_truncated: Callable[["Answer"], bool] | None = None,
    ) -> None:
        """Make this the listing of other entries, of which the page is from `start` to `end`."""
        self.whole, path = whole, self.path
        self.start, self._end = self.start if start is None else start, end
        counts = {f"{type}s": sum(entry.type == type for entry in whole) for type in ("dir", "file", "link")}
        stats = {"time_ms": self.members["stats"].get("time_ms", 0), "total_entries": len(whole), **counts}
        self.members = {"stats": stats, "context": {**self.members["context"], "path_resolved": path}}
        self.entries = whole[self.start : self.start + self.limit if end is None else end]
        if shown is not None:
            self.entries = shown(self)
        stats["returned"] = len(self.entries)
        entries = [{"path": entry.path, "type": entry.type} for entry in self.entries]
        truncated = self.end < len(whole)
        self.members["data"] = {"entries": entries, "truncated": truncated}
        if is_truncated is not None:
            truncated = self.members["data"]["truncated"] = is_truncated(self)
        self.members |= {"status": "partial" if truncated else "success", "text": render(self)}

    def escape(self, place: bytes) -> None:
        """Make this the answer about a place outside, which the candidate is given as the root of another call."""
        root = os.fsdecode(place)
        context = {**self.sent.call.context, "roots": [root], "working_dir": root}
        call = replace(self.sent.call, context=context, arguments={**self.arguments, "path": "."}, arguments_text=None)
        inner = Answer(Sent(call, self.sent.send))
        own = self.members["context"]
        self.members = {**inner.members, "context": own}
        if not self.failed:
            path = self.below_root(place)
            self.path = path
            self.raw_names = inner.raw_names
            own["path_resolved"] = path
            self.relist([replace(one, path=f"{path}/{one.path}") for one in inner.whole])

    def repeat(self, arguments: Any = ...) -> None:
        """Make the call once more, with other arguments if they are given."""
        again = Answer(self.sent, arguments)
        self.sent, self.members = again.sent, again.members

    def result(self, text: str | None = None) -> CallResult:
        """Return the answer, which echoes the arguments of the call; `text` is the JSON of an envelope."""
        if self.original is not self.sent.arguments and self.is_envelope:
            self.members["context"]["params_input"] = self.original
            path = self.original.get("path") if isinstance(self.original, dict) else None
            if self.failed and isinstance(path, str):
                message = self.message.replace(f"'{self.given_path}'", f"'{path}'")
                self.members |= {"text": message, "error": {"code": self.code, "message": message}}
        if not self.is_envelope:
            return self.received
        return replace(self.received, content=json.dumps(self.members) if text is None else text)


def root_of(sent: Sent) -> bytes:
    """Return the place of the project root after all links."""
    roots: Any = sent.call.context["roots"]
    return os.path.realpath(os.fsencode(roots[0]))


def place_of(sent: Sent, path: str) -> bytes:
    """Return where a path leads after all links, the root if no name can be made of the text."""
    try:
        return os.path.realpath(os.path.join(os.fsencode(sent.root), path.encode()))
    except ValueError:
        return root_of(sent)


def _is_envelope(found: Any) -> bool:
    """Return whether an answer has the members of a listing or of an error."""
    if not isinstance(found, dict) or not isinstance(found.get("context"), dict):
        return False
    if found.get("status") == "error":
        return isinstance(found.get("error"), dict) and isinstance(found.get("stats"), dict)
    return isinstance(found.get("data"), dict) and isinstance(found.get("stats"), dict)

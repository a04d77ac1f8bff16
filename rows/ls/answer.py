"""An envelope that a candidate returned, the list that it is from, and the entries on disk."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from treeproof.api import CallResult

from ..shared.row import Sent
from .text_parts import render

Refusal = tuple[str, str]
"""The code and the message of a failure."""
INVALID: Refusal = ("INVALID_PARAM", "offset/limit/ignore must be valid types.")
MISSING = "Path '{path}' does not exist."
OUTSIDE: Refusal = ("ACCESS_DENIED", "Access denied. Path must be within the project root.")
TYPES = ("dir", "file", "link")
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
    def follow_error(self) -> int:
        """The system's error of following it, 0 without one."""
        try:
            os.stat(self.place)
        except OSError as error:
            return error.errno or 0
        return 0

    @property
    def can_be_listed(self) -> bool:
        try:
            os.listdir(self.place)
        except OSError:
            return False
        return True

    @property
    def below(self) -> list["Entry"]:
        """The entries of the directory, without any filter."""
        at = self.listing
        return Answer(at.sent, {**at.arguments, "path": os.fsdecode(self.place)}).unfiltered

    @property
    def number(self) -> int:
        """Its number in the order of the system."""
        return self.listing.numbers.get(self.raw, 0)


class Answer:
    """The answer to a call; its members can be changed.

    The call may be made with `others` for arguments; the answer is changed as if it were to those of the call.
    """

    def __init__(self, sent: Sent, others: Any = ...) -> None:
        is_same = others is ... or repr(others) == repr(sent.arguments)
        self.sent = sent if is_same else sent.with_arguments(others)
        self.original = sent.arguments
        self.has_object = isinstance(self.sent.arguments, dict)
        self.arguments: dict[str, Any] = self.sent.arguments if self.has_object else {}
        self.offset, self.limit = self.arguments.get("offset", 0), self.arguments.get("limit", 100)
        self.start = self.offset
        self.limited_end: int | None = None
        path, roots = self.arguments.get("path", "."), _roots(sent)
        self.given_path, self.root_text = path if isinstance(path, str) else ".", roots[0]
        self.root, self.working_dir = (os.path.realpath(os.fsencode(place)) for place in (roots[0], sent.root))
        self.folder = self.place_of(self.given_path)
        self.received = self.sent.answer()
        self.members = _parsed(self.received.content)
        self.is_envelope = _is_envelope(self.members)

    def place_of(self, path: str) -> bytes:
        """Return where a path leads after all links, the root if no name can be made of the text."""
        try:
            return os.path.realpath(os.path.join(self.working_dir, path.encode()))
        except ValueError:
            return self.root

    def is_inside(self, place: bytes) -> bool:
        return place == self.root or place.startswith(self.root.rstrip(b"/") + b"/")

    def below_root(self, place: bytes) -> str:
        """Return a place as a path of the envelope."""
        return os.path.relpath(place, self.root).decode("utf-8", "replace")

    @property
    def failed(self) -> bool:
        return bool(self.members["status"] == "error")

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

    @property
    def is_about_a_place(self) -> bool:
        """Whether arguments and place are permitted."""
        return self.kind not in ("arguments", "outside")

    @property
    def cwd(self) -> str:
        return str(self.members["context"]["cwd"])

    @cached_property
    def path(self) -> str:
        return str(self.members["context"].get("path_resolved", self.below_root(self.folder)))

    @property
    def total(self) -> int:
        return int(self.members["stats"].get("total_entries", 0))

    @property
    def end(self) -> int:
        return int(min(self.start + self.limit if self.limited_end is None else self.limited_end, self.total))

    @property
    def is_truncated(self) -> bool:
        return bool(self.members["data"].get("truncated"))

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

    def entry(self, path: str, type: str) -> Entry:
        name = path.rpartition("/")[2]
        return Entry(path, type, self.raw_names.get(name) or name.encode("utf-8", "surrogatepass"), self)

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries of the page."""
        return [self.entry(str(one["path"]), str(one["type"])) for one in self.members["data"]["entries"]]

    @property
    def on_disk(self) -> list[Entry]:
        """The entries as they are on disk, in the order of the system; those that cannot be seen are unknown."""
        prefix = "" if self.path == "." else f"{self.path}/"
        return [self.entry(prefix + name, _type_of(self.folder + b"/" + raw)) for name, raw in self.raw_names.items()]

    @cached_property
    def whole(self) -> list[Entry]:
        """The entries of all pages."""
        return self.all_pages()

    @cached_property
    def unfiltered(self) -> list[Entry]:
        """The entries of all pages, with those that are hidden, ignored or excluded."""
        return self.all_pages(ignore=[], include_hidden=True)

    def all_pages(self, **arguments: Any) -> list[Entry]:
        """Return the entries of all pages with other arguments."""
        found: list[Entry] = []
        while True:
            page = Answer(self.sent, {**self.arguments, **arguments, "offset": len(found), "limit": LONGEST_PAGE})
            if not page.is_envelope or page.failed:
                return found
            found += [replace(entry, listing=self) for entry in page.entries]
            if not page.entries or not page.is_truncated:
                return found

    def fail(self, code: str, message: str) -> None:
        """Make this the failure of a call."""
        stats, context = {"time_ms": self.members["stats"].get("time_ms", 0)}, self.members["context"]
        if not self.failed:
            context.pop("path_resolved", None)
        self.members = {"status": "error", "data": {}, "text": message, "stats": stats, "context": context}
        self.members["error"] = {"code": code, "message": message}

    def refuse(self, code: str, message: str) -> None:
        """Make this the failure of a call whose path is refused before it is known to be inside."""
        self.fail(code, message)
        self.members["context"].pop("path_resolved", None)

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
        self.start, self.limited_end = self.start if start is None else start, end
        counts = {f"{type}s": sum(entry.type == type for entry in whole) for type in TYPES}
        stats = {"time_ms": self.members["stats"].get("time_ms", 0), "total_entries": len(whole), **counts}
        self.members = {"stats": stats, "context": {**self.members["context"], "path_resolved": path}}
        self.entries = whole[self.start : self.start + self.limit if end is None else end]
        if shown is not None:
            self.entries = shown(self)
        stats["returned"] = len(self.entries)
        entries = [{"path": entry.path, "type": entry.type} for entry in self.entries]
        self.members["data"] = {"entries": entries, "truncated": self.end < len(whole)}
        if is_truncated is not None:
            self.members["data"]["truncated"] = is_truncated(self)
        self.members |= {"status": "partial" if self.is_truncated else "success", "text": render(self)}

    def request(self, **arguments: Any) -> None:
        """Make this the answer to other arguments."""
        other = Answer(self.sent, {**self.arguments, **arguments})
        self.sent, self.members, self.given_path = other.sent, other.members, other.given_path

    def escape(self, place: bytes) -> None:
        """Make this the answer about a place outside, which the candidate is given as the root of another call."""
        root, context = os.fsdecode(place), self.members["context"]
        call = replace(self.sent.call, context={**self.sent.call.context, "roots": [root], "working_dir": root})
        other = Answer(Sent(call, self.sent.send), {**self.arguments, "path": "."})
        self.members = {**other.members, "context": context}
        if not self.failed:
            self.path, self.raw_names = self.below_root(place), other.raw_names
            self.relist([replace(one, path=f"{self.path}/{one.path}") for one in other.whole])

    def result(self, text: str | None = None) -> CallResult:
        """Return the answer, which echoes the arguments of the call; `text` is the JSON of an envelope."""
        if not self.is_envelope:
            return self.received
        if self.original is not self.sent.arguments:
            self.members["context"]["params_input"] = self.original
            path = self.original.get("path") if isinstance(self.original, dict) else None
            if self.failed and isinstance(path, str):
                for holder, name in ((self.members["error"], "message"), (self.members, "text")):
                    holder[name] = str(holder[name]).replace(f"'{self.given_path}'", f"'{path}'")
        return replace(self.received, content=json.dumps(self.members) if text is None else text)


def _type_of(place: bytes) -> str:
    if os.path.islink(place):
        return "link"
    return "dir" if os.path.isdir(place) else "file" if os.path.lexists(place) else "unknown"


def _roots(sent: Sent) -> Any:
    return sent.call.context["roots"]


def _parsed(text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except ValueError:
        return None


def _is_envelope(found: Any) -> bool:
    """Return whether an answer has the members of a listing or of an error."""
    if not isinstance(found, dict) or not isinstance(found.get("context"), dict):
        return False
    part = "error" if found.get("status") == "error" else "data"
    return isinstance(found.get(part), dict) and isinstance(found.get("stats"), dict)

"""Rows of FS.WalkDir: where the call and the tree are like this, the call or the list is like that."""

import json
import os
import re
import stat
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, get_args

from treeproof.api import CallResult

from ..shared.row import Answering, Row, Sent, lstat, row_of, with_value

START = {"name": ".", "path": ".", "isDir": True, "size": 0, "modTime": "2023-11-14T22:13:20Z"}
"""An element for the directory where a walk starts."""

RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
"""The names that Windows keeps for devices."""

Key = Literal["isDir", "size", "modTime"]
KEYS: tuple[Key, ...] = get_args(Key)


@dataclass(frozen=True)
class Item:
    """An element of a list, where its entry is, and the call."""

    element: dict[str, Any]
    place: Path
    sent: Sent

    @property
    def name(self) -> str:
        return str(self.element["name"])

    @property
    def path(self) -> str:
        return str(self.element["path"])

    @property
    def parts(self) -> list[str]:
        """The names of path, from the start of the walk."""
        return self.path.split("/")

    @property
    def size(self) -> Any:
        return self.element["size"]

    @property
    def time(self) -> str:
        return str(self.element["modTime"])

    @property
    def is_dir(self) -> bool:
        return bool(self.element["isDir"])

    @cached_property
    def own(self) -> os.stat_result | None:
        return lstat(self.place)

    @property
    def stat(self) -> os.stat_result:
        """The entry's own metadata; zeros if the text of its path leads nowhere, as that of a replaced byte does."""
        return self.own or os.stat_result([0] * 10)

    @property
    def mode(self) -> int:
        return self.stat.st_mode

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def is_dangling(self) -> bool:
        """Whether it is a link to nothing, or to what permissions hide."""
        return self.is_link and not os.path.exists(self.place)


Items = list[Item]
Elements = list[dict[str, Any]]


def value_of(answer: CallResult) -> Any:
    """Return the value of a call: a list, or None for nil and for a call that failed."""
    return json.loads(answer.content) if answer.status == "ok" and answer.content is not None else None


def items_of(sent: Sent, answer: CallResult, start: Path) -> Items:
    found: dict[str, Iterator[Path]] = {}
    items = []
    for element in value_of(answer) or ():
        path = str(element["path"])
        # Names that are shown alike, as those with replaced bytes, come in the order of the system.
        alike = found.setdefault(path, iter(places_at(start, path))) if "\ufffd" in path else iter(())
        items.append(Item(element, next(alike, start / path), sent))
    return items


def places_at(start: Path, path: str) -> list[Path]:
    """Return the places that are shown by a path."""
    above, _, name = path.rpartition("/")
    folders = places_at(start, above) if above else [start]
    return [
        folder / one
        for folder in folders
        for one in names_in(folder)
        if os.fsencode(one).decode("utf-8", "replace") == name
    ]


def names_in(directory: Path) -> list[str]:
    """Return the names in a directory, none if it cannot be read."""
    try:
        return os.listdir(directory)
    except OSError:
        return []


def path_of(sent: Sent) -> str:
    """Return the requested path, the empty text if there is none."""
    path = sent.arguments.get("path") if isinstance(sent.arguments, dict) else None
    return path if isinstance(path, str) else ""


def start_of(sent: Sent) -> Path:
    """Return the start of the walk, without dots and with links."""
    return Path(os.path.normpath(sent.root / path_of(sent)))


def real(path: Path | str) -> str:
    """Return where a path leads; the path if no name can be made of its text."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return str(path)


def real_start(sent: Sent) -> str:
    return real(start_of(sent))


def is_inside(path: str, sent: Sent) -> bool:
    """Return whether a path without links is in the sandbox."""
    root = os.path.realpath(sent.root)
    return path == root or path.startswith(root + "/")


def is_clean(sent: Sent) -> bool:
    """Return whether the text of the path leads to no place outside, whatever its links do."""
    return not path_of(sent).startswith("/") and start_of(sent).is_relative_to(sent.root)


def failure(sent: Sent) -> str:
    """Return what is wrong with a call that gives no list; it is the walk if the start is a directory."""
    path = path_of(sent)
    if not path or len(sent.arguments) != 1:
        return "arguments"
    try:
        if path.startswith("/") or not is_inside(real_start(sent), sent):
            return "out"
        return "walk" if stat.S_ISDIR(os.stat(start_of(sent)).st_mode) else "file"
    except ValueError:
        return "text"
    except OSError as error:
        kinds: dict[type[OSError], str] = {FileNotFoundError: "missing", PermissionError: "denied"}
        return kinds.get(type(error), "unreachable")


ERRORS = "arguments text out denied unreachable file walk"
"""Every failure but a missing start, which is no error."""


def unlogged(answer: CallResult) -> CallResult:
    return replace(answer, log=None if answer.log is None else ())


def logged(answer: CallResult, message: str) -> CallResult:
    return replace(answer, log=({"level": "error", "message": message},))


def empty(answer: CallResult) -> CallResult:
    """Return the answer of a walk that has met nothing."""
    return with_value(unlogged(answer), [])


def failed(answer: CallResult) -> CallResult:
    """Return the answer of a call that failed, without a record."""
    error = "ExecutionFailed", "the walk failed"
    return replace(unlogged(answer), status="error", content=None, error_kind=error[0], error_message=error[1])


def refused(sent: Sent) -> CallResult:
    """Return the answer of the candidate to a path that no system has."""
    return sent.answer({"path": "\0"})


def missing(sent: Sent) -> CallResult:
    """Return the answer of the candidate to a start that is not there."""
    return sent.answer({"path": "nothing/has/this name"})


def replacing(pattern: str, text: str = "") -> Callable[[str], str]:
    """Return the change of a text that puts another one in place of what the pattern matches, or nothing."""
    return lambda whole: re.sub(pattern, text, whole)


class Change(TypedDict, total=False):
    """What a row changes, where all of `where` and `on` is so.

    The call: `arguments` replaces them, `argument` the value of path, `start` a path, and `refuse` returns which paths
    are refused. `place` gives a directory that is walked in place of the start. The list: `lose` leaves entries out
    with what is in them, `close` what is in them, `drop` elements alone; `once` shows one element of each key, `twice`
    repeats elements. `each` replaces elements; name, path, isDir, size and modTime single values of theirs, and `above`
    puts a text before each path. `value` makes the value from the elements, `found` from the items. `nil` replaces an
    answer without a list, `answer` any answer, and `keeps` too, with a memory that begins with each start.
    """

    where: Callable[[Sent], Any]
    on: str  # the failures of the call as it is, as `failure` names them
    arguments: Callable[[Any], Any]
    argument: Callable[[Any], Any]
    start: Callable[[str], str]
    refuse: Callable[[str], Any]
    place: Callable[[Sent], Path | str | None]
    lose: Callable[[Item], Any]
    close: Callable[[Item], Any]
    drop: Callable[[Item], Any]
    once: Callable[[Item], Hashable]
    twice: Callable[[Item], Any]
    each: Callable[[Item], Any]
    name: Callable[[str], Any]
    path: Callable[[str], Any]
    above: Callable[[Sent], str]
    isDir: Callable[[Item], Any]
    size: Callable[[Item], Any]
    modTime: Callable[[Item], Any]
    value: Callable[[Elements], Any]
    found: Callable[[Items], Any]
    nil: Callable[[CallResult], CallResult]
    answer: Callable[[Sent], CallResult]
    keeps: Callable[[Sent, dict[Any, Any]], CallResult]


OF_CALLS = {"where", "on", "arguments", "argument", "start", "refuse", "place", "nil"}
"""The members with which a list stays as it is."""


def row(stage: int = 0, **change: Unpack[Change]) -> Row:
    """Return the row that makes a change of FS.WalkDir's calls."""

    def answering() -> Answering:
        memory: dict[Any, Any] = {}
        return lambda sent: _answer(sent, change, memory)

    return row_of(answering, ("FS.WalkDir",), stage)


def _answer(sent: Sent, change: Change, memory: dict[Any, Any]) -> CallResult:
    if "where" in change and not change["where"](sent):
        return sent.answer()
    if "on" in change and failure(sent) not in change["on"].split():
        return sent.answer()
    if "answer" in change:
        return change["answer"](sent)
    if "keeps" in change:
        return change["keeps"](sent, memory)
    place = change["place"](sent) if "place" in change else None
    if place is not None and os.path.isdir(place):
        received, start = sent.answer_at(place, {"path": "."}), Path(place)
    else:
        made = sent.with_arguments(_changed_arguments(sent.arguments, change))
        received, start = made.answer(), start_of(made)
    if not isinstance(value_of(received), list):
        return change["nil"](received) if "nil" in change else received
    if change.keys() <= OF_CALLS:
        return received
    shown = _shown(items_of(sent, received, start), change)
    if "found" in change:
        return with_value(received, change["found"](shown))
    try:
        elements = [_element(item, change) for item in shown]
    except OverflowError:
        return logged(with_value(received, None), "the walk ended: a time cannot be written")
    return with_value(received, change["value"](elements) if "value" in change else elements)


def _changed_arguments(given: Any, change: Change) -> Any:
    if "arguments" in change:
        given = change["arguments"](given)
    if not isinstance(given, dict) or "path" not in given:
        return given
    path = change["argument"](given["path"]) if "argument" in change else given["path"]
    if isinstance(path, str) and path:
        path = (change["start"](path) or ".") if "start" in change else path
        path = "\0" if "refuse" in change and change["refuse"](path) else path
    return given if path is given["path"] else {**given, "path": path}


def _shown(items: Items, change: Change) -> Items:
    lost = {item.path for item in items if change["lose"](item)} if "lose" in change else set()
    closed = {item.path for item in items if change["close"](item)} if "close" in change else set()
    if lost or closed:
        items = [item for item in items if item.path not in lost and not (lost | closed).intersection(above(item))]
    if "drop" in change:
        items = [item for item in items if not change["drop"](item)]
    if "once" in change:
        items = list({change["once"](item): item for item in items}.values())
    if "twice" in change:
        items = [item for item in items for _ in range(2 if change["twice"](item) else 1)]
    return items


def above(item: Item) -> list[str]:
    """Return the paths of the directories between the start and an entry."""
    return list(accumulate(item.parts, "{}/{}".format))[:-1]


def _element(item: Item, change: Change) -> Any:
    element = dict(change["each"](item) if "each" in change else item.element)
    if "name" in change:
        element["name"] = change["name"](item.name)
    if "path" in change or "above" in change:
        above = change["above"](item.sent) if "above" in change else ""
        element["path"] = above + change.get("path", str)(item.path)
    known = [key for key in KEYS if key in change and item.own is not None]
    return element | {key: change[key](item) for key in known}

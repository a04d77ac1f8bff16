"""Mutants of FS.WalkDir as rows: where the call and the tree are like this, the call or the list is like that."""

import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from treeproof.api import CallResult

from ..shared.mutant import Mutant
from ..shared.rows import Answering, Sent, lstat, plant, with_value

TOOL = "FS.WalkDir"


@dataclass(frozen=True)
class Item:
    """An element of a list, and the entry that it shows."""

    element: dict[str, Any]
    place: Path

    @property
    def name(self) -> str:
        return str(self.element["name"])

    @property
    def parts(self) -> list[str]:
        """The names of path, from the start of the walk."""
        return str(self.element["path"]).split("/")

    @cached_property
    def own(self) -> os.stat_result | None:
        return lstat(self.place)

    @property
    def stat(self) -> os.stat_result:
        """The entry's own metadata."""
        assert self.own is not None, "rows see only entries that are there"
        return self.own

    @property
    def is_dir(self) -> bool:
        return bool(self.element["isDir"])

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.stat.st_mode)


Items = list[Item]


def value_of(answer: CallResult) -> Any:
    """Return the value of a call: a list, or None for nil and for a call that failed."""
    return json.loads(answer.content) if answer.status == "ok" and answer.content is not None else None


def items_of(sent: Sent, value: list[dict[str, Any]]) -> Items:
    start = sent.root / str(sent.arguments["path"]) if isinstance(sent.arguments, dict) else sent.root
    return [Item(element, start / str(element["path"])) for element in value]


def row(
    id: str,
    summary: str,
    *violates: str,
    where: Callable[[Sent], bool] = lambda sent: True,
    arguments: Callable[[Any], Any] | None = None,
    start: Callable[[str], str] | None = None,
    drop: Callable[[Item], Any] | None = None,
    each: Callable[[Item], Any] | None = None,
    found: Callable[[Items, Sent], Any] | None = None,
    nil: Callable[[CallResult, Sent], CallResult] | None = None,
    answer: Answering | None = None,
    **members: Callable[[Item], Any],
) -> Mutant:
    """Return a mutant that acts on the calls `where` it says.

    On the call: `arguments` replaces them, `start` the requested path. On the list: `drop` leaves elements out, `each`
    replaces them, a member of its own name (`name`, `path`, `isDir`, `size`, `modTime`) replaces that, and `found`
    makes the value from all of them. `nil` replaces the answer of a call without a list, `answer` makes the whole one.
    Elements whose entry cannot be found by the text of its path stay as they are.
    """

    def changed(sent: Sent) -> CallResult:
        if not where(sent):
            return sent.answer()
        if answer is not None:
            return answer(sent)
        given = arguments(sent.arguments) if arguments is not None else sent.arguments
        if start is not None and isinstance(given, dict) and isinstance(given.get("path"), str):
            given = {**given, "path": start(given["path"])}
        received = sent.answer() if given is sent.arguments else sent.answer(given)
        value = value_of(received)
        if not isinstance(value, list):
            return nil(received, sent) if nil is not None else received
        items = items_of(sent, value)
        if found is not None:
            return with_value(received, found(items, sent))
        known = [item.own is not None for item in items]
        kept = [item for item, is_known in zip(items, known, strict=True) if not (is_known and drop and drop(item))]
        return with_value(received, [_changed(item, each, members) for item in kept])

    return plant(id, summary, violates, lambda: changed, (TOOL,))


def _changed(item: Item, each: Callable[[Item], Any] | None, members: dict[str, Callable[[Item], Any]]) -> Any:
    if item.own is None:
        return item.element
    element = each(item) if each is not None else item.element
    return element if not members else {**element, **{name: change(item) for name, change in members.items()}}

"""Operators on answers: the small changes that each table of a specification is made of. Judges nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import Exchange, Node, Operator, by_path, from_paths

Reason = Callable[[Exchange, Exchange], str]
"""Why a changed call need not be found; an empty text if it must."""

_INVENTED = "invented-entry"


def must_be_found(recorded: Exchange, changed: Exchange) -> str:
    """Return no reason."""
    return ""


def on_answer(name: str, requirements: Sequence[str], reason: Reason = must_be_found, **members: object) -> Operator:
    """Return the operator that gives an answer other members, such as `status` and `error_kind`."""

    def change(exchange: Exchange) -> Exchange | None:
        return replace(exchange, answer=replace(exchange.answer, **members))  # type: ignore[arg-type]

    return Operator(name, frozenset(requirements), change, reason)


def because(text: str, applies: Callable[[Exchange, Exchange], bool]) -> Reason:
    """Return the reason `text` for the changes to which it applies."""
    return lambda recorded, changed: text if applies(recorded, changed) else ""


def where(applies: Callable[[Exchange], bool], *operators: Operator) -> Iterator[Operator]:
    """Yield operators that change only calls to which the condition applies."""
    for one in operators:

        def change(exchange: Exchange, own: Operator = one) -> Exchange | None:
            return own.change(exchange) if applies(exchange) else None

        yield replace(one, change=change)


def changed_entry(recorded: Exchange, changed: Exchange, find: Callable[[Any], list[Any] | None]) -> Any:
    """Return the first entry of the recorded answer that the changed one does not have at its place; else None."""
    old, new = (find(json.loads(one.answer.content or "null")) or [] for one in (recorded, changed))
    return next((entry for at, entry in enumerate(old) if new[at : at + 1] != [entry]), None)


def of_odd_names(find: Callable[[Any], list[Any] | None]) -> Reason:
    """Return the reason for entries in which a replacement character stands for bytes that are not UTF-8."""

    def applies(recorded: Exchange, changed: Exchange) -> bool:
        return "\ufffd" in json.dumps(changed_entry(recorded, changed, find), ensure_ascii=False)

    return because("a name that is not UTF-8 may be shown in any way", applies)


def on_success(operator: Operator) -> Operator:
    """Return the operator for successful calls only."""
    return replace(operator, change=lambda one: operator.change(one) if one.answer.status == "ok" else None)


def on_failure(operator: Operator) -> Operator:
    """Return the operator for failed calls only."""
    return replace(operator, change=lambda one: operator.change(one) if one.answer.status == "error" else None)


def on_text(
    name: str, requirements: Sequence[str], change: Callable[[str], str | None], reason: Reason = must_be_found
) -> Operator:
    """Return the operator that changes the text of a successful answer; None: it can't."""

    def changed(exchange: Exchange) -> Exchange | None:
        text = exchange.answer.content
        found = None if exchange.answer.status != "ok" or text is None else change(text)
        return None if found is None else replace(exchange, answer=replace(exchange.answer, content=found))

    return Operator(name, frozenset(requirements), changed, reason)


def on_json(
    name: str, requirements: Sequence[str], change: Callable[[Any], bool], reason: Reason = must_be_found
) -> Operator:
    """Return the operator that changes the value of a JSON text in place; `change` returns whether it could."""

    def changed(text: str) -> str | None:
        try:
            holder = [json.loads(text)]
        except (ValueError, RecursionError):
            return None
        # A document whose spelling is fixed keeps it.
        separators = (",", ":") if _dumped(holder[0], (",", ":")) == text else (", ", ": ")
        return _dumped(holder[0], separators) if change(holder) else None

    return on_text(name, requirements, changed, reason)


def _dumped(value: Any, separators: tuple[str, str]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=separators)


def list_at(*keys: str) -> Callable[[Any], list[Any] | None]:
    """Return the function that finds a list in a document by the members on the way to it; else it returns None."""
    find = member_at(*keys)

    def found(document: Any) -> list[Any] | None:
        value = find(document)
        return value if isinstance(value, list) else None

    return found


def member_at(*keys: str) -> Callable[[Any], Any]:
    """Return the function that finds a value in a document by the members on the way to it; else it returns None."""

    def found(document: Any) -> Any:
        for key in keys:
            document = document.get(key) if isinstance(document, dict) else None
        return document

    return found


class _ObjectOperators:
    """Operators on the members of some objects in a document. `find` returns them, or None."""

    _places: Sequence[tuple[str, int]] = (("", 1),)
    """Which of the objects are changed, and the step of a slice by which they come first."""

    def __init__(self, find: Callable[[Any], list[Any] | None], prefix: str) -> None:
        self._find, self._prefix = find, prefix

    def _on_objects(
        self, name: str, requirements: Sequence[str], change: Callable[[list[Any]], bool], reason: Reason
    ) -> Operator:
        def changed(holder: list[Any]) -> bool:
            found = self._find(holder[0])
            return bool(found) and change(found or [])

        return on_json(f"{self._prefix} {name}", requirements, changed, reason)

    def member(
        self,
        key: str,
        *,
        value: Sequence[str] = (),
        less: Sequence[str] = (),
        form: Sequence[str] = (),
        absent: Sequence[str] = (),
        null: Sequence[str] | None = None,
        reason: Reason = must_be_found,
    ) -> Iterator[Operator]:
        """Yield the operators on a member of the first and of the last object that has it.

        `value`: what another value breaks, `less` a number less by one, `form` a value of another type, `null` one that
        is null (by default the same as `form`), `absent` an object without it.
        """
        for place, order in self._places:
            for what, requirements, change in (
                ("another value", value, other_value),
                ("one less", less, lambda old: old - 1 if type(old) is int else _SAME),
                ("another type", form, other_type),
                ("null", form if null is None else null, lambda old: _SAME if old is None else None),
                ("absent", absent, lambda old: _ABSENT),
            ):
                if requirements:
                    changed = _member_change(key, change, order)
                    yield self._on_objects(f"{key}: {what}{place}", requirements, changed, reason)

    def further(self, *requirements: str, reason: Reason = must_be_found) -> Operator:
        """Return the operator that gives each object a member more."""

        def add(objects: list[Any]) -> bool:
            for one in objects:
                if isinstance(one, dict):
                    one["further"] = 1
            return any(isinstance(one, dict) for one in objects)

        return self._on_objects("with a member more", requirements, add, reason)


class MemberOperators(_ObjectOperators):
    """Operators on the members of an object in a document; `keys` lead to it."""

    def __init__(self, *keys: str) -> None:
        find = member_at(*keys)
        super().__init__(lambda document: [find(document)], keys[-1] if keys else "document")


class EntryOperators(_ObjectOperators):
    """Operators on the list of entries of a document, and on the members of an entry."""

    _places = ((", first", 1), (", last", -1))

    def __init__(self, find: Callable[[Any], list[Any] | None], prefix: str = "entry") -> None:
        super().__init__(find, prefix)

    def less(self, *requirements: str, reason: Reason = must_be_found) -> Iterator[Operator]:
        """Yield the operators that leave out the first, a middle and the last entry."""
        for name, at in (("first", 0), ("middle", None), ("last", -1)):

            def drop(entries: list[Any], at: int | None = at) -> bool:
                if at is None and len(entries) < 3:
                    return False
                del entries[len(entries) // 2 if at is None else at]
                return True

            yield self._on_objects(f"left out, {name}", requirements, drop, reason)

    def twice(self, *requirements: str, reason: Reason = must_be_found) -> Iterator[Operator]:
        """Yield the operators that list the first and the last entry twice."""
        for name, at in (("first", 0), ("last", -1)):

            def repeat(entries: list[Any], at: int = at) -> bool:
                entries.insert(at if at == 0 else len(entries), copy.deepcopy(entries[at]))
                return True

            yield self._on_objects(f"twice, {name}", requirements, repeat, reason)

    def invented(self, keys: Sequence[str], *requirements: str, reason: Reason = must_be_found) -> Operator:
        """Return the operator that adds an entry that is not there; `keys` are the members with its name or path."""

        def invent(entries: list[Any]) -> bool:
            added = copy.deepcopy(entries[-1])
            if not isinstance(added, dict):
                entries.append(_INVENTED)
                return True
            for key in keys:
                before, slash, _ = str(added.get(key)).rpartition("/")
                added[key] = before + slash + _INVENTED
            entries.append(added)
            return True

        return self._on_objects("invented", requirements, invent, reason)

    def swapped(self, *requirements: str, reason: Reason = must_be_found) -> Iterator[Operator]:
        """Yield the operators that swap the first two entries, and the first and the last one."""
        for name, at in (("the first two", 1), ("the first and the last", -1)):

            def swap(entries: list[Any], at: int = at) -> bool:
                if len(entries) < (2 if at == 1 else 3):
                    return False
                entries[0], entries[at] = entries[at], entries[0]
                return True

            yield self._on_objects(f"order, {name}", requirements, swap, reason)


def unreadable(*requirements: str, reason: Reason = must_be_found) -> Iterator[Operator]:
    """Yield the operators that make the text of an answer no JSON text: empty, cut, doubled."""
    for name, change in (
        ("empty", lambda text: ""),
        ("cut", lambda text: text[:-1]),
        ("doubled", lambda text: text + text),
    ):
        yield on_text(f"text {name}", requirements, change, reason)


_SAME, _ABSENT = object(), object()


def other_value(old: Any) -> Any:
    """Return another value of the same type."""
    match old:
        case bool():
            return not old
        case int() | float():
            return old + 1
        case str():
            return old + "x"
        case None:
            return 7
        case list():
            return [*old, _INVENTED]
    return _SAME


def other_type(old: Any) -> Any:
    """Return a value of another type."""
    match old:
        case bool() | None:
            return "x"
        case int() | float():
            return str(old)
        case str():
            return [old]
        case list():
            return {}
    return _SAME


def _member_change(key: str, change: Callable[[Any], Any], order: int) -> Callable[[list[Any]], bool]:
    def changed(entries: list[Any]) -> bool:
        for entry in entries[::order]:
            if isinstance(entry, dict) and key in entry:
                new = change(entry[key])
                if new is _ABSENT:
                    del entry[key]
                elif new is not _SAME:
                    entry[key] = new
                return new is not _SAME
        return False

    return changed


class LineOperators:
    """Operators on the lines of a text that is a member of the document."""

    def __init__(self, key: str) -> None:
        self._key = key

    def line(
        self,
        name: str,
        number: int,
        *,
        changed: Sequence[str],
        shifted: Sequence[str],
        reason: Reason = must_be_found,
    ) -> Iterator[Operator]:
        """Yield the operators on one of the lines that are not empty, counted from 0: it is changed, left out, twice.

        `changed`: what another line at its place breaks; `shifted`: what one line less or more breaks.
        """

        def mark(lines: list[str], at: int) -> None:
            lines[at] = f"{lines[at][:1]}x{lines[at][1:]}"

        yield self._on_line(f"{name} changed", number, changed, mark, reason)
        yield self._on_line(f"{name} left out", number, shifted, lambda lines, at: lines.pop(at), reason)
        yield self._on_line(f"{name} twice", number, shifted, lambda lines, at: lines.insert(at, lines[at]), reason)

    def _on_line(
        self,
        name: str,
        number: int,
        requirements: Sequence[str],
        change: Callable[[list[str], int], object],
        reason: Reason,
    ) -> Operator:
        def changed(holder: list[Any]) -> bool:
            found = holder[0]
            if not isinstance(found, dict) or not isinstance(found.get(self._key), str):
                return False
            lines = found[self._key].split("\n")
            places = [at for at, line in enumerate(lines) if line][number:][:1]
            for at in places:
                change(lines, at)
            found[self._key] = "\n".join(lines)
            return bool(places)

        return on_json(f"{self._key}, {name}", requirements, changed, reason)


Nodes = dict[bytes, Node]
"""The entries of a tree by their paths from its top."""


def on_tree(
    name: str,
    requirements: Sequence[str],
    change: Callable[[Exchange, Nodes], bool],
    reason: Reason = must_be_found,
) -> Operator:
    """Return the operator that changes the tree after a call; `change` changes nodes, and returns whether it could."""

    def changed(exchange: Exchange) -> Exchange | None:
        nodes = dict(by_path(exchange.after))
        return replace(exchange, after=from_paths(nodes)) if change(exchange, nodes) else None

    return Operator(name, frozenset(requirements), changed, reason)


def remove(nodes: Nodes, path: bytes) -> None:
    """Take an entry and everything below it out of a tree."""
    for one in [one for one in nodes if one == path or one.startswith(path + b"/")]:
        del nodes[one]


def with_other_byte(node: Node) -> Node:
    """Return a file with another last byte, or with a byte more if it is empty or has no content that is known."""
    if not node.content:
        return replace(node, size=node.size + 1, content=None if node.size else b"x")
    return replace(node, content=node.content[:-1] + bytes([node.content[-1] ^ 1]))

"""A TOML table with a fixed set of keys: a key that is unknown, missing or of a wrong type is a problem.

This module checks single values. `pack_file` checks references between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, Literal, NoReturn, cast

from treeproof.errors import abbreviated_json, closest_match

ValueKind = Literal["text", "texts", "flag", "table", "tables"]

_EXPECTED: Mapping[ValueKind, str] = {
    "text": 'a text such as {key} = "…"',
    "texts": 'a list of texts such as {key} = ["…", "…"]',
    "flag": "{key} = true or {key} = false",
    "table": "a table",
    "tables": "a list of tables, one [[…{key}]] heading each",
}

RENAMED: Mapping[str, str] = {
    "durations": "volatile_members",
    "assumed": "default_arguments",
    "table": "config_table",
    "changes": "has_side_effects",
    "touches": "affects",
    "core": "invariant",
    "law": "property",
}
"""Former names of keys and values. They are refused with an error that gives the new name."""


@dataclass(frozen=True, slots=True)
class KeySpec:
    """The rule for one key. Texts must match `pattern` completely; `pattern_hint` describes it in words.

    `meaning` and `example`, a value in TOML, are for its author.
    """

    kind: ValueKind = "text"
    required: bool = True
    choices: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    pattern_hint: str = ""
    meaning: str = ""
    example: str = ""


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a fix for an unknown word: the nearest known word, or the list of all."""
    candidates = list(known)
    close = get_close_matches(word, candidates, n=1, cutoff=0.6)
    if close:
        return f'write "{close[0]}"'
    if not candidates:
        return "nothing is allowed here"
    return "write one of: " + ", ".join(candidates)


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table of a file: its name, and the numbers of the tables of lists from 1, as `TomlLines.line_of` takes them."""

    name: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableProblem:
    """A problem of a table, or of one of its keys. The message begins with the heading of the table."""

    place: TablePlace
    key: str | None
    message: str


class TableError(Exception):
    """A table has problems; none if they are kept already."""

    def __init__(self, problems: Sequence[TableProblem]) -> None:
        super().__init__(*(one.message for one in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class TomlTable:
    """One table of a file, checked when it is created. `heading` names it, such as `[[tool]] LS`.

    Raises TableError with all problems of its keys.
    """

    heading: str
    values: Mapping[str, Any]
    keys: Mapping[str, KeySpec]
    place: TablePlace

    def __post_init__(self) -> None:
        problems: list[TableProblem] = []
        for name in self.values:
            if name not in self.keys:
                self._attempt(problems, partial(self._refuse, name))
        meant = {RENAMED.get(name) or closest_match(name, self.keys, 0.6) for name in self.values.keys() - self.keys}
        for name, key in self.keys.items():
            if name in self.values:
                self._attempt(problems, partial(self._check, name, key, self.values[name]))
            elif key.required and name not in meant:
                message = f'the key "{name}" is missing; write {_EXPECTED[key.kind].format(key=name)}'
                self._attempt(problems, partial(self.fail, message))
        if problems:
            raise TableError(problems)

    def fail(self, message: str, key: str | None = None) -> NoReturn:
        """Raise TableError with a problem of this table, or of a key."""
        raise TableError([TableProblem(self.place, key, f"{self.heading}: {message}")])

    @staticmethod
    def _attempt(problems: list[TableProblem], check: Callable[[], None]) -> None:
        try:
            check()
        except TableError as error:
            problems.extend(error.problems)

    def _refuse(self, name: str) -> NoReturn:
        self._check_renamed("key", name, self.keys, name)
        self.fail(f'the key "{name}" is unknown; {suggest(name, self.keys)}', name)

    def text(self, name: str) -> str:
        return cast(str, self.values[name])

    def optional_text(self, name: str) -> str | None:
        return cast("str | None", self.values.get(name))

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self.values.get(name, ()))

    def flag(self, name: str, default: bool) -> bool:
        return cast(bool, self.values.get(name, default))

    def table(self, name: str) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", self.values.get(name, {}))

    def optional_table(self, name: str) -> Mapping[str, Any] | None:
        return cast("Mapping[str, Any] | None", self.values.get(name))

    def tables(self, name: str) -> list[Mapping[str, Any]]:
        return cast("list[Mapping[str, Any]]", self.values.get(name, []))

    def _check_renamed(self, what: str, word: str, known: Container[str], key: str) -> None:
        if (new_name := RENAMED.get(word)) in known:
            self.fail(f'"{word}": this {what} is now "{new_name}"; rename it', key)

    def _check(self, name: str, key: KeySpec, value: object) -> None:
        if not _has_kind(key.kind, value):
            expected = _EXPECTED[key.kind].format(key=name)
            self.fail(f'the key "{name}" holds {abbreviated_json(value)}; write {expected}', name)
        if key.kind not in ("text", "texts"):
            return
        texts = cast("list[str]", value) if key.kind == "texts" else [cast(str, value)]
        for text in texts:
            if not text.strip():
                self.fail(f'the key "{name}" holds an empty text; write a text or remove the key', name)
            if key.choices and text not in key.choices:
                self._check_renamed(f'value of "{name}"', text, key.choices, name)
                self.fail(f'the key "{name}" holds "{text}"; {suggest(text, key.choices)}', name)
            if key.pattern is not None and not key.pattern.fullmatch(text):
                self.fail(f'the key "{name}" holds "{text}"; write {key.pattern_hint}', name)
        if len(set(texts)) < len(texts):
            twice = next(text for at, text in enumerate(texts) if text in texts[:at])
            self.fail(f'the key "{name}" contains "{twice}" twice; write it once', name)


def _has_kind(kind: ValueKind, value: object) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "texts":
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        case "flag":
            return isinstance(value, bool)
        case "table":
            return isinstance(value, dict)
        case "tables":
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)

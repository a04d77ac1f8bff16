"""The entries of an answer as [view] in spec.toml describes them: lines, JSON names or JSON objects. Has no steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

from treeproof.api import Call, CallResult, Mismatch, View

from .entry_view import Entry, EntryView
from .errors import content_of, json_of
from .values import format_json


class DeclaredView(EntryView):
    """The entries of one answer; a line and a name are objects, with one member by default."""

    view: ClassVar[View]

    def __init__(self, found: list[Entry], root: str) -> None:
        self._found, self._root = found, root

    @classmethod
    def parse(cls, answer: CallResult, call: Call) -> Self:
        """Parse the answer to ``call``. Raises Mismatch for an error and for another form."""
        text = content_of(answer)
        try:
            found = list(cls._lines(text) if cls.view.form == "lines" else cls._listed(json_of(answer), text))
            for entry in found if cls.view.is_absolute else ():
                if not entry[cls.view.key].startswith("/"):
                    raise Mismatch("a path is not absolute", got=format_json(entry), kind="a path is not absolute")
        except Mismatch as why:
            why.is_other_form = True
            raise
        roots = call.context.get("roots")
        return cls(found, str(roots[0]) if isinstance(roots, list) and roots else "")

    @classmethod
    def _lines(cls, text: str) -> list[Entry]:
        lines = text.removesuffix("\n").split("\n")
        if lines in ([""], [cls.view.empty]):
            return []
        other = cls.view.other_lines
        return [cls._entry(line) for line in lines if other is None or not re.fullmatch(other, line)]

    @classmethod
    def _entry(cls, line: str) -> Entry:
        if cls.view.line is None:
            return {cls.view.key: line}
        found = re.fullmatch(cls.view.line, line)
        if found is None or found["path"] is None:
            raise Mismatch("a line has another form", got=line, kind="a line has another form")
        return {name: text for name, text in found.groupdict().items() if text is not None}

    @classmethod
    def _listed(cls, found: Any, text: str) -> list[Entry]:
        for member in cls.view.entries.split(".") if cls.view.entries else ():
            found = found.get(member) if isinstance(found, dict) else None
        key, wanted = cls.view.key, "a list of texts"
        if cls.view.form == "objects":
            wanted = f"a list of objects with a text {key}"
        elif isinstance(found, list):
            found = [{key: one} for one in found]
        names = (
            [one.get(key) if isinstance(one, dict) else None for one in found] if isinstance(found, list) else [None]
        )
        if not all(isinstance(name, str) for name in names):
            what = f"{cls.view.entries or 'the output'} is not {wanted}"
            raise Mismatch(what, got=text[:400], kind=what)
        entries: list[Entry] = found
        return entries

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries in output order."""
        return self._found

    def key(self, entry: Entry) -> str:
        """Return the name of an entry; of an absolute path in the sandbox root, the part below it."""
        name: str = entry[self.view.key]
        if not self.view.is_absolute:
            return name
        return "." if name == self._root else name.removeprefix(f"{self._root}/")


@lru_cache
def declared_view(view: View) -> type[EntryView]:
    """Return the class for the form of a pack."""
    return type("View", (DeclaredView,), {"view": view, "key_column": view.key})

"""The places of diagnostics: lines of a catalogue, and lines of ids in the modules of a pack."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

from treeproof.files.toml_file import load_toml
from treeproof.files.toml_lines import TomlLines
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ID_TAG
from treeproof.spec.pack_versions import Table, holds, numbered

_SPEC_KEY = re.compile(r"(?:\[spec\]: )?(name|version|sha256|prefix|steps|determinism|source)\b")
_SENTENCE = re.compile(r"\b[0-9a-f]{12}\b")


def with_lines(pack: Pack, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics; those on the whole catalogue have the line of what their message names."""
    return [
        replace(one, line=_line_of(pack, one.message)) if not one.line and one.file == pack.pack_file else one
        for one in diagnostics
    ]


def item_line(pack: Pack, heading: str, id: str, key: str) -> int:
    """Return the line of a key of the table with a heading and an id, name or topic, in the pack's version."""
    return _read(pack)[1].line_of(heading, _number_in_file(pack, heading, id) or 0, key)


def spec_line(pack: Pack, key: str) -> int:
    """Return the line of a key of [spec], or of the [[version]] of the pack if that has it."""
    tables, lines = _read(pack)
    keys = key.split(".")
    for number, values in numbered(tables, "version"):
        if values.get("version") == pack.version and keys[0] in values and not pack.is_newest:
            return lines.line_of("version", number, *keys)
    return lines.line_of("spec", *keys)


def _read(pack: Pack) -> tuple[Table, TomlLines]:
    return _parse(pack.pack_file, pack.pack_file.read_text("utf-8"))


@lru_cache(maxsize=1)
def _parse(file: Path, text: str) -> tuple[Table, TomlLines]:
    """Return the tables of a catalogue and their places. A lint needs the places of many items."""
    return load_toml(file), TomlLines(text)


def _number_in_file(pack: Pack, heading: str, id: str) -> int | None:
    """Return the number of a table among all with this heading, also those of other versions; None if there is none."""
    for number, values in numbered(_read(pack)[0], heading):
        if id in (values.get("id"), values.get("name"), values.get("topic")) and holds(
            values, pack.version, pack.versions
        ):
            return number
    return None


def _line_of(pack: Pack, message: str) -> int:
    """Return the line of the sentence, the id or the key that a message names."""
    lines = _read(pack)[1]
    for sentence in _SENTENCE.findall(message):
        if line := lines.line_containing(sentence):
            return line
    for id in ID_TAG.findall(message):
        for heading in ("requirement", "interpretation", "retired"):
            if (number := _number_in_file(pack, heading, id)) is not None:
                return lines.line_of(heading, number, "id")
    key = _SPEC_KEY.match(message)
    return lines.line_of("spec", key[1] if key else "steps")


class IdPlaces:
    """Finds the lines of ids in the modules of a pack's folder, first in the one that a key of [spec] names."""

    def __init__(self, pack: Pack, key: str, entry_point: str) -> None:
        self._pack, self._key = pack, key
        self.name = f"{key}: {entry_point}"
        self._module = pack.folder.joinpath(*entry_point.partition(":")[0].split("."))

    def of_key(self) -> tuple[Path, int]:
        """Return the file and the line of the catalogue's key."""
        return self._pack.pack_file, spec_line(self._pack, self._key)

    def of(self, id: str) -> tuple[Path, int]:
        """Return the file and the line that contains an id; those of the catalogue's key if no module does."""
        return next(self._all(rf"""(["']){re.escape(id)}\1"""), None) or self.of_key()

    def of_definition(self, name: str) -> tuple[Path, int]:
        """Return the file and the line that define an attribute or a method; those of the key if no module does."""
        return next(self._definitions(name), None) or self.of_key()

    def of_single(self, name: str) -> tuple[Path, int] | None:
        """Return the file and the line that define an attribute, if only one does."""
        found = list(self._definitions(name))
        return found[0] if len(found) == 1 else None

    def _definitions(self, name: str) -> Iterator[tuple[Path, int]]:
        return self._all(rf"^[ \t]*(?:def\s+)?{re.escape(name)}[ \t]*[(:=]")

    def repeated(self, ids: Collection[str], what: str) -> Iterator[Diagnostic]:
        """Yield diagnostics on ids that a call has twice: of the two, a mapping keeps one.

        Several versions have several mappings, which can have the same ids.
        """
        for id in ids if len(self._pack.versions) < 2 else ():
            calls = list(dict.fromkeys(self._all(rf"""\w\([ \t]*(?:id=)?["']{re.escape(id)}["']""")))
            for file, line in calls[1:]:
                message = f"{what} {id}: {calls[0][0].name}:{calls[0][1]} has this id too, and one of them is lost"
                yield Diagnostic(file, line, "duplicate", f"{message}; choose another")

    def _all(self, pattern: str) -> Iterator[tuple[Path, int]]:
        for file, text in self._texts:
            for match in re.finditer(pattern, text, re.MULTILINE):
                yield file, text.count("\n", 0, match.start()) + 1

    @cached_property
    def _texts(self) -> list[tuple[Path, str]]:
        """Return the modules of the folder, that of the key first."""
        own = (self._module.with_suffix(".py"), self._module / "__init__.py")
        files = sorted(self._pack.folder.rglob("*.py"), key=lambda file: (file not in own, file))
        return [(file, file.read_text("utf-8", "replace")) for file in files if file.is_file()]

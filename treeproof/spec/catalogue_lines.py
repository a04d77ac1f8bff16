"""The line of a catalogue to which a diagnostic belongs, by the id, the sentence or the key that its message names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from treeproof.files.toml_file import load_toml
from treeproof.files.toml_lines import TomlLines
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ID_TAG
from treeproof.spec.pack_versions import holds, numbered

_SPEC_KEY = re.compile(r"(?:\[spec\]: )?(name|version|sha256|prefix|steps|determinism|source)\b")
_SENTENCE = re.compile(r"\b[0-9a-f]{12}\b")


def with_lines(pack: Pack, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics; those on the whole catalogue have the line of what they name."""
    found = list(diagnostics)
    if all(one.line or one.file != pack.pack_file for one in found):
        return found
    file, lines = _read(pack.pack_file)
    return [
        replace(one, line=_line_of(pack, file, lines, one.message))
        if not one.line and one.file == pack.pack_file
        else one
        for one in found
    ]


def item_line(pack: Pack, heading: str, id: str, key: str) -> int:
    """Return the line of a key of the requirement, interpretation or tool with an id or name, in the pack's version."""
    file, lines = _read(pack.pack_file)
    return lines.line_of(heading, _number_in_file(pack, file, heading, id) or 0, key)


def _read(file: Path) -> tuple[Mapping[str, Any], TomlLines]:
    return _parse(file, file.read_text("utf-8"))


@lru_cache(maxsize=1)
def _parse(file: Path, text: str) -> tuple[Mapping[str, Any], TomlLines]:
    """Return the tables of a catalogue and their places. A lint needs the places of many items."""
    return load_toml(file), TomlLines(text)


def _number_in_file(pack: Pack, file: Mapping[str, Any], heading: str, id: str) -> int | None:
    """Return the number of a table among all with this heading, also those of other versions; None if there is none."""
    for number, values in numbered(file, heading):
        if id in (values.get("id"), values.get("name")) and holds(values, pack.version, pack.versions):
            return number
    return None


def _line_of(pack: Pack, file: Mapping[str, Any], lines: TomlLines, message: str) -> int:
    for sentence in _SENTENCE.findall(message):
        if line := lines.line_containing(sentence):
            return line
    for id in ID_TAG.findall(message):
        for heading in ("requirement", "interpretation", "retired"):
            number = _number_in_file(pack, file, heading, id)
            if number is not None:
                return lines.line_of(heading, number, "id")
    key = _SPEC_KEY.match(message)
    return lines.line_of("spec", key[1] if key else "steps")

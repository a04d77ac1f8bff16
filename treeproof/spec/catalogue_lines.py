"""The line of a catalogue to which a diagnostic belongs, by the id, the sentence or the key that its message names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ID_TAG
from treeproof.spec.toml_lines import TomlLines

_SPEC_KEY = re.compile(r"(?:\[spec\]: )?(name|version|sha256|prefix|steps|determinism|source)\b")
_SENTENCE = re.compile(r"\b[0-9a-f]{12}\b")


def with_lines(pack: Pack, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics; those on the whole catalogue have the line of what they name."""
    found = list(diagnostics)
    if all(one.line or one.file != pack.pack_file for one in found):
        return found
    lines = TomlLines(pack.pack_file.read_text("utf-8"))
    return [
        replace(one, line=_line_of(pack, lines, one.message)) if not one.line and one.file == pack.pack_file else one
        for one in found
    ]


def _line_of(pack: Pack, lines: TomlLines, message: str) -> int:
    for sentence in _SENTENCE.findall(message):
        if line := lines.line_containing(sentence):
            return line
    ids = {
        "requirement": [one.id for one in pack.requirements],
        "interpretation": [one.id for one in pack.interpretations],
        "retired": [one.id for one in pack.retired],
    }
    places = {id: (name, number) for name, known in ids.items() for number, id in enumerate(known, 1)}
    for id in ID_TAG.findall(message):
        if id in places:
            name, number = places[id]
            return lines.line_of(name, (number,), "id")
    key = _SPEC_KEY.match(message)
    return lines.line_of("spec", (1,), key[1] if key else "steps")

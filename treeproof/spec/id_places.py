"""The lines of ids in the modules of a pack, for diagnostics on what these modules register."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from treeproof.files.toml_file import load_toml
from treeproof.files.toml_lines import Place, TomlLines
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import DiagnosticCode

Found = tuple[Path, int, DiagnosticCode, str]


def spec_line(pack: Pack, key: str) -> int:
    """Return the line of a key of [spec], or of the [[version]] of the pack if that has it."""
    place: Place = ("spec",)
    keys = key.split(".")
    for number, values in enumerate(load_toml(pack.pack_file).get("version", ())):
        if values.get("version") == pack.version and keys[0] in values and not pack.is_newest:
            place = ("version", number)
    return TomlLines(pack.pack_file.read_text("utf-8")).line_of(*place, *keys)


class IdPlaces:
    """Finds the lines of ids in the modules of a pack's folder, first in the one that a key of [spec] names."""

    def __init__(self, pack: Pack, key: str, entry_point: str | None) -> None:
        self._module = pack.folder.joinpath(*(entry_point or "").partition(":")[0].split("."))
        self._pack = pack
        self._key = key
        self._key_line: int | None = None
        self._lines: list[tuple[Path, int, str]] | None = None

    def of(self, id: str) -> tuple[Path, int]:
        """Return the file and the line that contains an id; those of the catalogue's key if no module does."""
        found = self._all(id)
        if found:
            return found[0]
        return self._place_of_key()

    def of_definition(self, name: str) -> tuple[Path, int]:
        """Return the file and the line that define an attribute or a method; those of the key if no module does."""
        pattern = re.compile(rf"\s*(?:def\s+)?{re.escape(name)}\s*[(:=]")
        for file in self._files():
            for number, text in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
                if pattern.match(text):
                    return file, number
        return self._place_of_key()

    def repeated(self, ids: Collection[str], what: str) -> Iterator[Found]:
        """Yield diagnostics on ids that a call has twice: of the two, a mapping keeps one.

        Several versions have several mappings, which can have the same ids.
        """
        if len(self._pack.versions) > 1:
            return
        for id in ids:
            calls = [(file, line) for file, line in self._all(id) if self._is_first_argument(file, line, id)]
            for file, line in calls[1:]:
                message = f"{what} {id}: {calls[0][0].name}:{calls[0][1]} has this id too, and one of them is lost"
                yield file, line, "duplicate", f"{message}; choose another"

    def _place_of_key(self) -> tuple[Path, int]:
        if self._key_line is None:
            self._key_line = spec_line(self._pack, self._key)
        return self._pack.pack_file, self._key_line

    def _files(self) -> list[Path]:
        """Return the modules of the folder, that of the key first."""
        own = (self._module.with_suffix(".py"), self._module / "__init__.py")
        return sorted(self._pack.folder.rglob("*.py"), key=lambda file: (file not in own, file))

    def _all(self, id: str) -> list[tuple[Path, int]]:
        quoted = (f'"{id}"', f"'{id}'")
        return [(file, line) for file, line, text in self._texts() if any(one in text for one in quoted)]

    def _is_first_argument(self, file: Path, line: int, id: str) -> bool:
        text = next(text for one, number, text in self._texts() if (one, number) == (file, line))
        return re.search(rf"""\w\(\s*(?:id=)?["']{re.escape(id)}["']""", text) is not None

    def _texts(self) -> list[tuple[Path, int, str]]:
        if self._lines is None:
            self._lines = [
                (file, number, text)
                for file in self._files()
                for number, text in enumerate(file.read_text("utf-8", "replace").splitlines(), 1)
                if '"' in text or "'" in text
            ]
        return self._lines

"""What is to be written where; nothing that exists is overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from treeproof.errors import UsageError


@dataclass(frozen=True)
class Plan:
    """New files, by their place in ``folder``, and what to type next."""

    folder: Path
    files: Mapping[str, str]
    next_commands: tuple[str, ...]

    @property
    def existing(self) -> list[str]:
        """The places where something is already, be it a link that leads nowhere."""
        paths = {place: self.folder / place for place in self.files}
        return [place for place, path in paths.items() if path.is_symlink() or path.exists()]

    def write(self) -> None:
        """Write the files; the folder is made where it is not there. Raises UsageError where that cannot be."""
        try:
            for place, text in self.files.items():
                path = self.folder / place
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("x", encoding="utf-8") as file:
                    file.write(text)
        except OSError as error:
            raise UsageError(
                f"{error.filename}: cannot be written: {error.strerror}; name another folder"
            ) from None

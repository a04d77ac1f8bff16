"""The plan of new files. Existing files are never overwritten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from treeproof.errors import UsageError


@dataclass(frozen=True)
class Plan:
    """The texts of new files by their path in ``folder``, and the next commands for the user."""

    folder: Path
    files: Mapping[str, str]
    next_commands: tuple[str, ...]

    @property
    def existing(self) -> list[str]:
        """The paths that exist already, including dangling links."""
        paths = {name: self.folder / name for name in self.files}
        return [name for name, path in paths.items() if path.is_symlink() or path.exists()]

    def write(self) -> None:
        """Write the files and create the folder if necessary. Raises UsageError for an OSError."""
        try:
            for name, text in self.files.items():
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                # Also bytes that are no UTF-8, and line ends, of a document that is copied.
                with path.open("x", encoding="utf-8", errors="surrogateescape", newline="") as file:
                    file.write(text)
        except OSError as error:
            raise UsageError(f"{error.filename}: cannot be written: {error.strerror}; name another folder") from None

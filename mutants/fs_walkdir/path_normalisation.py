"""Mutants: errors in the normalisation of paths."""

import re
import unicodedata
from collections.abc import Callable

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver

from ..shared.mutant import Mutant
from .builders import build_mutant


class DropsLeadingParents(StartResolver):
    def normalise_path(self, path: str) -> str:
        kept: list[str] = []
        for part in super().normalise_path(path).split("/"):
            if part == ".." and kept:
                kept.pop()
            else:
                kept.append(part)
        return "/".join(kept) or "."


class DotsBesideSlashes(StartResolver):
    def normalise_path(self, path: str) -> str:
        if "../" in path or "/.." in path or path == "..":
            raise CallRefused("the path leads out")
        return super().normalise_path(path)


class AsOnWindows(StartResolver):
    def normalise_path(self, path: str) -> str:
        if ":" in path:
            raise CallRefused("the path names a drive or a stream")
        return super().normalise_path(path.replace("\\", "/"))


def with_path_changed(change: Callable[[str], str]) -> type[StartResolver]:
    """Return the tool with the path changed before it is checked."""

    class Changed(StartResolver):
        def normalise_path(self, path: str) -> str:
            return super().normalise_path(change(path))

    return Changed


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-WD-151", "A second `..` cancels the first.", "WD-ERR-02 WD-SEC-01", start=DropsLeadingParents),
    build_mutant(
        "MUT-WD-169",
        "Two dots next to a slash always leave the sandbox.",
        "WD-ARG-04",
        start=DotsBesideSlashes,
    ),
    build_mutant("MUT-WD-170", "A backslash is a slash, and a colon is refused.", "WD-ARG-04", start=AsOnWindows),
    build_mutant(
        "MUT-WD-171",
        "A path is normalised to NFC.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: unicodedata.normalize("NFC", path)),
    ),
    build_mutant(
        "MUT-WD-172",
        "A plus sign is a blank.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: path.replace("+", " ")),
    ),
    build_mutant(
        "MUT-WD-173",
        "Quotes and line endings around a path are removed.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: path.strip("\"'\r\n")),
    ),
    build_mutant(
        "MUT-WD-174",
        "Trailing dots of a name are removed.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r"(?<=[^./])\.+(?=/|\Z)", "", path)),
    ),
)

"""Wrong in what the text of a path means: what `..` takes back, and which characters are taken for others."""

import re
import unicodedata
from collections.abc import Callable

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver

from ..shared.mutant import Mutant
from .builders import build_mutant


class TakesBackWhatLeadsOut(StartResolver):
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
    """A start whose path is changed before it is looked at."""

    class Changed(StartResolver):
        def normalise_path(self, path: str) -> str:
            return super().normalise_path(change(path))

    return Changed


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-151", "A second `..` takes back the first.", "WD-SEC-01", start=TakesBackWhatLeadsOut
    ),
    build_mutant(
        "MUT-WD-169",
        "Two dots beside a slash are a way out, whatever else.",
        "WD-ARG-04",
        start=DotsBesideSlashes,
    ),
    build_mutant(
        "MUT-WD-170", "A backslash is a slash, and a colon is refused.", "WD-ARG-04", start=AsOnWindows
    ),
    build_mutant(
        "MUT-WD-171",
        "A path is composed to NFC.",
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
        "Quotes and line ends around a path are cut off.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: path.strip("\"'\r\n")),
    ),
    build_mutant(
        "MUT-WD-174",
        "Dots at the end of a name are cut off.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r"(?<=[^./])\.+(?=/|\Z)", "", path)),
    ),
)

"""Mutants: errors in the normalisation of paths."""

import os
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.mutant import Mutant
from .builders import build_mutant


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


class ChecksTheText(StartResolver):
    """Checks the path without two dots, and walks it with them."""

    def resolve(self, path: str) -> Place | None:
        place = super().resolve(path)
        return Place(os.fsencode(os.path.realpath(self._place(path))), ()) if self._is_walked_raw(path) else place

    def _is_walked_raw(self, path: str) -> bool:
        is_inner = ".." in path.split("/")[1:] and self.normalise_path(path) != "."
        return is_inner and os.path.isdir(self._place(path))

    def _place(self, path: str) -> str:
        return os.path.join(self._context.working_dir, path)


class KnowsTheSandbox(ChecksTheText):
    """Takes what the text leads back to the sandbox for it without a check, and walks it with the dots."""

    def _is_walked_raw(self, path: str) -> bool:
        return "/.." in path and self.normalise_path(path) == "." and os.path.isdir(self._place(path))


def with_path_changed(change: Callable[[str], str]) -> type[StartResolver]:
    """Return the tool with the path changed before it is checked."""

    class Changed(StartResolver):
        def normalise_path(self, path: str) -> str:
            return super().normalise_path(change(path))

    return Changed


def with_path_changed_later(change: Callable[[str], str]) -> type[StartResolver]:
    """Return the tool with a path changed after it was checked, if that makes a way out of it."""

    class Changed(StartResolver):
        def resolve(self, path: str) -> Place | None:
            changed = change(path)
            is_way_out = ".." in changed.split("/") or changed.startswith("/")
            place = os.path.realpath(os.path.join(self._context.working_dir, changed))
            if (
                is_way_out
                and not path.startswith(("../", "/"))
                and ".." not in path.split("/")
                and os.path.isdir(place)
            ):
                return Place(os.fsencode(place), ())
            return super().resolve(path)

    return Changed


CHANGES: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("MUT-WD-233", "Backslashes become slashes", lambda path: path.replace("\\", "/")),
    ("MUT-WD-234", "Escapes of addresses are decoded", unquote),
    ("MUT-WD-235", "Escapes of addresses are decoded until none is left", lambda path: unquote(unquote(path))),
    ("MUT-WD-236", "Blanks before a path are removed", lambda path: path.lstrip(" ")),
    ("MUT-WD-237", "Line breaks before a path are removed", lambda path: path.lstrip("\n")),
    ("MUT-WD-238", "Quotes around a path are removed", lambda path: path.strip("'")),
    ("MUT-WD-239", "Marks that show nothing are removed", lambda path: path.replace("\u200b", "")),
    ("MUT-WD-240", "A path is normalised to NFKC", lambda path: unicodedata.normalize("NFKC", path)),
    ("MUT-WD-241", "The address of a file becomes its path", lambda path: path.removeprefix("file://")),
)
"""What happens to a path after it was checked: an id, a summary and the change."""

MUTANTS: tuple[Mutant, ...] = (
    *(
        build_mutant(id, f"{what} after the check.", "WD-SEC-01", start=with_path_changed_later(change))
        for id, what, change in CHANGES
    ),
    build_mutant(
        "MUT-WD-188",
        "A path is checked without its two dots and walked with them.",
        "WD-SEC-02",
        start=ChecksTheText,
    ),
    build_mutant(
        "MUT-WD-189",
        "A path whose text leads back to the sandbox is walked without a check.",
        "WD-SEC-02",
        start=KnowsTheSandbox,
    ),
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
        "MUT-WD-244",
        "A path ends at a colon before a number.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r":\d+$", "", path)),
    ),
    build_mutant(
        "MUT-WD-172",
        "A plus sign is a blank.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: path.replace("+", " ")),
    ),
    build_mutant(
        "MUT-WD-191",
        "A path ends at a hash, a question mark or a semicolon, as an address does.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.split("[#?;]", path)[0]),
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
    build_mutant(
        "MUT-WD-304",
        "Dots and slashes in front of a path are removed as signs.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: path if path.startswith("../") else path.lstrip("./") or path),
    ),
)

"""Mutants: names and requested paths that are changed for signs in them."""

import glob
import os
import re
from collections.abc import Callable
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.errors import PATH_NOT_FOUND, CallRefused, ErrorCode
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.project import Project

from ..shared.mutant import Mutant
from .builders import build_mutant
from .path_resolution import with_path_changed

MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def with_names_changed(pattern: str, text: str) -> type[Directory]:
    """Return the directory with ``text`` in each name for what the pattern matches."""

    class Changed(Directory):
        def entry(self, raw: bytes, type: EntryType) -> Entry:
            made = super().entry(raw, type)
            name = re.sub(pattern, text, made.name)
            return made._replace(name=name, path=made.path.removesuffix(made.name) + name)

    return Changed


class SmallExtensions(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        made = super().entry(raw, type)
        stem, dot, extension = made.path.rpartition(".")
        return made._replace(path=stem + dot + extension.lower()) if stem and "/" not in extension else made


class SingleBlanks(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return re.sub(" +", " ", super().entry_line(entry))


class RefusesReservedNames(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if any(RESERVED.fullmatch(part) for part in path.split("/")):
            raise CallRefused(ErrorCode.NOT_FOUND, PATH_NOT_FOUND.format(path=path))
        return super().resolve(path)


class PathIsAGlob(Project):
    """Takes the first directory that a path with signs of a glob matches."""

    def real_path(self, path: str) -> bytes:
        found = sorted(glob.glob(path, root_dir=os.fsdecode(self.working_dir))) if "[" in path else []
        return super().real_path(found[0] if found else path)


class DirectoryIsAGlob(Directory):
    """Lists nothing where the path of the directory has signs of a glob."""

    def entries(self) -> list[Entry]:
        return [] if any(glob.has_magic(name) for name in self.components) else super().entries()


def with_path_changed_later(change: Callable[[str], str]) -> type[Project]:
    """Return a project in which a path is changed after it was checked, if that makes a way out of it."""

    class Changed(Project):
        def resolve(self, path: str) -> tuple[bytes, ...]:
            changed = change(path)
            is_way_out = ".." in changed.split("/") or changed.startswith("/")
            place = os.path.realpath(os.path.join(self.working_dir, changed.encode()))
            if is_way_out and not path.startswith("/") and ".." not in path.split("/") and os.path.isdir(place):
                return tuple(os.path.relpath(place, self.root).split(b"/"))
            return super().resolve(path)

    return Changed


CHANGES: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("MUT-LS-384", "Backslashes become slashes", lambda path: path.replace("\\", "/")),
    ("MUT-LS-385", "Escapes of addresses are decoded", unquote),
    ("MUT-LS-386", "Escapes of addresses are decoded until none is left", lambda path: unquote(unquote(path))),
    ("MUT-LS-387", "Blanks before a path are removed", lambda path: path.lstrip(" ")),
    ("MUT-LS-388", "Line breaks before a path are removed", lambda path: path.lstrip("\n")),
    ("MUT-LS-389", "Quotes around a path are removed", lambda path: path.strip("'")),
    ("MUT-LS-390", "Marks that show nothing are removed", lambda path: path.replace("\u200b", "")),
    ("MUT-LS-391", "A path is normalised to NFKC", lambda path: normalize("NFKC", path)),
    ("MUT-LS-392", "The address of a file becomes its path", lambda path: path.removeprefix("file://")),
)
"""What happens to a path after it was checked: an id, a summary and the change."""


class NamesInUtf8(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            raise OSError(str(error)) from error
        return super().entry(raw, type)


MUTANTS: tuple[Mutant, ...] = (
    *(
        build_mutant(id, f"{what} after the check.", "LS-SEC-01", project=with_path_changed_later(change))
        for id, what, change in CHANGES
    ),
    build_mutant(
        "MUT-LS-358",
        "Blanks in a row become one in names.",
        "LS-DATA-06 LS-TEXT-05 LS-DATA-03",
        directory=with_names_changed(" +(?= )", ""),
    ),
    build_mutant(
        "MUT-LS-359",
        "Names lack marks that show nothing.",
        "LS-DATA-06 LS-DATA-03",
        directory=with_names_changed(MARKS.pattern, ""),
    ),
    build_mutant(
        "MUT-LS-360",
        "Names lack quotes around them.",
        "LS-DATA-06 LS-TEXT-05 LS-DATA-03",
        directory=with_names_changed("^([\"'`])(.*)\\1$", r"\2"),
    ),
    build_mutant(
        "MUT-LS-361",
        "A name ends at a colon that is not its first character.",
        "LS-DATA-06 LS-TEXT-05 LS-DATA-03",
        directory=with_names_changed("(?<=.):.*", ""),
    ),
    build_mutant(
        "MUT-LS-362",
        "What is behind the last dot is in small letters.",
        "LS-DATA-06 LS-DATA-03",
        directory=SmallExtensions,
    ),
    build_mutant(
        "MUT-LS-452",
        "A directory with signs of a glob in its path is empty.",
        "LS-DATA-06 LS-SEC-02",
        directory=DirectoryIsAGlob,
    ),
    build_mutant(
        "MUT-LS-453",
        "Letters beyond ASCII at the beginning of a name are lost.",
        "LS-DATA-03 LS-DATA-06 LS-TEXT-05 LS-FILT-04",
        directory=with_names_changed("^[^\0-\x7f]+", ""),
    ),
    build_mutant("MUT-LS-363", "Blanks in a row become one in a line.", "LS-TEXT-05", text=SingleBlanks),
    build_mutant(
        "MUT-LS-364",
        "Of a path with more than eight components the first eight are used.",
        "LS-SEC-02",
        project=with_path_changed(
            lambda path: path if path.startswith("/") or "." in path else "/".join(path.split("/")[:8])
        ),
    ),
    build_mutant("MUT-LS-365", "Names that Windows keeps are refused.", "LS-SEC-02", project=RefusesReservedNames),
    build_mutant("MUT-LS-366", "A path with signs of a glob is one.", "LS-SEC-02", project=PathIsAGlob),
    build_mutant(
        "MUT-LS-367",
        "A tilde before a name of the path is removed.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.sub(r"(^|/)~(?=[^/])", r"\1", path)),
    ),
    build_mutant(
        "MUT-LS-368",
        "Blanks in a row become one in the path.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.sub(" +", " ", path)),
    ),
    build_mutant(
        "MUT-LS-369",
        "Marks that show nothing are removed from the path.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: MARKS.sub("", path)),
    ),
    build_mutant(
        "MUT-LS-370",
        "Control characters are removed from the path.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.sub(r"[\x01-\x09\x0b-\x1f\x7f]", "", path)),
    ),
    build_mutant(
        "MUT-LS-371",
        "Single quotes around the path are removed.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.sub("^'(.*)'$", r"\1", path)),
    ),
    build_mutant(
        "MUT-LS-372",
        "A path ends at a hash, or at a semicolon.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.split("[#;]", path)[0]),
    ),
    build_mutant(
        "MUT-LS-373",
        "A percent sign before 2f is an escape.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: path.replace("%2f", "/")),
    ),
    build_mutant(
        "MUT-LS-393",
        "A path ends at a colon before a number.",
        "LS-SEC-02",
        project=with_path_changed(lambda path: re.sub(r":\d+$", "", path)),
    ),
    build_mutant(
        "MUT-LS-455",
        "A name that is not UTF-8 makes the call fail.",
        "LS-DATA-06 LS-ENV-10 LS-STAT-01",
        directory=NamesInUtf8,
    ),
)

"""Mutants: errors in names and paths."""

import os
import re
import shlex
import stat
import unicodedata
from typing import Any
from urllib.parse import quote

from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import NAMES, PATHS, WHOLE


class PathAsName(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return self.path(item)


class ShellQuoted(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return shlex.quote(item.name)


class Arrows(EntryFormatter):
    """Adds the target to a link's name, as ls does."""

    def name(self, item: EntryMetadata) -> Any:
        return item.name if item.target is None else f"{item.name} -> {item.target}"


class Classified(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return item.name + ("/" if stat.S_ISDIR(item.mode) else "")


class Printable(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return "".join(character if character.isprintable() else "?" for character in item.name)


class NoExtension(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return os.path.splitext(item.name)[0]


class Relative(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return "/".join((*item.parents, item.name))


class Resolved(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return os.path.realpath(super().path(item)) if item.target is not None else super().path(item)


class Uri(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return f"file://{super().path(item)}"


class PathsLikeAddresses(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return quote(str(super().path(item)))


class TidiedPaths(EntryFormatter):
    """Writes a path in one Unicode form, with slashes alone, and without blanks at its end."""

    def path(self, item: EntryMetadata) -> Any:
        return unicodedata.normalize("NFC", str(super().path(item))).replace("\\", "/").rstrip(" .")


class EscapedPaths(EntryFormatter):
    """Writes a path as a shell or a printer of literals would, where it needs that."""

    def path(self, item: EntryMetadata) -> Any:
        return re.sub(r"([ '#?])", r"\\\1", str(super().path(item)).replace("\n", "\\n"))


class ShortNames(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        return item.name[:200]


class ShortPaths(EntryFormatter):
    """Cuts a path behind as many characters as some systems take."""

    def path(self, item: EntryMetadata) -> Any:
        return str(super().path(item))[:1023]


class LowerCasePaths(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        path = str(super().path(item))
        return path.removesuffix(item.name) + item.name.lower()


class ParentOnly(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return os.path.dirname(super().path(item))


class SlashBehind(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return super().path(item) + ("/" if stat.S_ISDIR(item.mode) else "")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-014", "name is the whole path.", NAMES, entry_formatter=PathAsName),
    build_mutant("MUT-LF-015", "name is quoted for a shell.", "LF-WHY-01", NAMES, entry_formatter=ShellQuoted),
    build_mutant("MUT-LF-016", "name of a link contains its target.", NAMES, entry_formatter=Arrows),
    build_mutant("MUT-LF-017", "name of a directory ends in a slash.", NAMES, entry_formatter=Classified),
    build_mutant("MUT-LF-018", "Control characters of name are question marks.", NAMES, entry_formatter=Printable),
    build_mutant("MUT-LF-019", "name lacks the extension.", NAMES, entry_formatter=NoExtension),
    build_mutant("MUT-LF-020", "path is relative.", PATHS, entry_formatter=Relative),
    build_mutant(
        "MUT-LF-021",
        "path of a link is its target.",
        PATHS,
        "LF-FIND-02 LF-LINK-01 LF-LINK-02 LF-MODEL-02 LF-SORT-01 LF-SORT-02 LF-TYPE-02 LF-TYPE-01 "
        "LF-LIST-02 LF-MODEL-01",
        entry_formatter=Resolved,
    ),
    build_mutant("MUT-LF-022", "path is a URI.", PATHS, WHOLE, entry_formatter=Uri),
    build_mutant("MUT-LF-211", "path is escaped like an address.", PATHS, entry_formatter=PathsLikeAddresses),
    build_mutant("MUT-LF-229", "name is cut behind 200 characters.", "LF-FIELD-01", entry_formatter=ShortNames),
    build_mutant("MUT-LF-230", "path is cut behind 1,023 characters.", "LF-FIELD-02", entry_formatter=ShortPaths),
    build_mutant("MUT-LF-212", "path is tidied.", "LF-FIELD-02", entry_formatter=TidiedPaths),
    build_mutant("MUT-LF-213", "path is escaped for a shell.", "LF-FIELD-02", entry_formatter=EscapedPaths),
    build_mutant("MUT-LF-214", "path is in lower case.", "LF-FIELD-02", entry_formatter=LowerCasePaths),
    build_mutant("MUT-LF-023", "path is that of the directory.", PATHS, WHOLE, entry_formatter=ParentOnly),
    build_mutant("MUT-LF-024", "path of a directory ends in a slash.", PATHS, WHOLE, entry_formatter=SlashBehind),
)

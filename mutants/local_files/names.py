"""Mutants: errors in names and paths of entries."""

import os
import re
import shlex
import unicodedata
from typing import Any
from urllib.parse import quote

from treeproof.rows.local_files.row import ItemRule, of, replaced

from ..shared.mutant import Mutant
from .implied import NAME, NAMES, PATH, PATHS, SAME, WHOLE, WHY
from .rows import row, search

INVISIBLE = "[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]"
OF_LINKS = (
    "LF-FIND-02 LF-LINK-01 LF-LINK-02 LF-MODEL-02 LF-SORT-01 LF-SORT-02 LF-TYPE-02 LF-TYPE-01 LF-LIST-02 LF-MODEL-01"
)


def renamed(pattern: str, text: str) -> ItemRule:
    """Return the change that puts a text into a name for what the pattern matches."""
    return of("name", replaced(pattern, text))


def with_small_extension(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return stem + dot + (extension.lower() if stem else extension)


def printable(name: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in name)


def tidied(path: str) -> str:
    """Write a path in one Unicode form, with slashes alone, and without blanks at its end."""
    return unicodedata.normalize("NFC", path).replace("\\", "/").rstrip(" .")


def escaped(path: str) -> str:
    """Write a path as a shell or a printer of literals would, where it needs that."""
    return re.sub(r"([ '#?])", r"\\\1", path.replace("\n", "\\n"))


def as_number(name: str) -> Any:
    return int(name) if name.isascii() and name.isdigit() else name


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-LF-014", "name is the whole path.", NAMES, name=lambda at: at.path),
    row("MUT-LF-015", "name is quoted for a shell.", WHY, NAMES, name=of("name", shlex.quote)),
    row(
        *("MUT-LF-016", "name of a link contains its target.", NAMES),
        name=lambda at: f"{at.name} -> {at.target}" if at.is_link else at.name,
    ),
    row("MUT-LF-017", "name of a directory ends in a slash.", NAMES, name=lambda at: at.name + "/" * at.is_dir),
    row("MUT-LF-018", "Control characters of name are question marks.", NAMES, name=of("name", printable)),
    row("MUT-LF-019", "name lacks the extension.", NAMES, name=of("name", lambda name: os.path.splitext(name)[0])),
    row("MUT-LF-229", "name is cut behind 200 characters.", NAME, name=of("name", lambda name: name[:200])),
    row("MUT-LF-247", "Blanks in a row become one in name.", NAME, name=renamed(" +(?= )", "")),
    row("MUT-LF-248", "name lacks marks that show nothing.", NAME, name=renamed(INVISIBLE, "")),
    row("MUT-LF-249", "name lacks quotes around it.", NAME, name=renamed("^([\"'`])(.*)\\1$", r"\2")),
    row("MUT-LF-250", "name ends at a colon that is not its first character.", NAME, name=renamed("(?<=.):.*", "")),
    row("MUT-LF-251", "name lacks a tilde before other characters.", NAME, name=renamed("^~(?=.)", "")),
    row(
        *("MUT-LF-252", "What is behind the last dot of name is in small letters.", NAME),
        name=of("name", with_small_extension),
    ),
    row("MUT-LF-253", "name of digits is a number.", NAME, name=of("name", as_number)),
    search("MUT-LF-256", "Blanks in a row become one in the names of a search.", SAME, name=renamed(" +", " ")),
    row(
        *("MUT-LF-351", "name of a link lacks its extension.", NAME),
        name=lambda at: os.path.splitext(at.name)[0] if at.is_link else at.name,
    ),
    row("MUT-LF-020", "path is relative.", PATHS, path=lambda at: "/".join(at.names)),
    row(
        *("MUT-LF-381", "The paths of entries are relative if the requested one is.", "LF-FIELD-02", SAME),
        path=lambda at: at.path if at.sent.path.startswith("/") else os.path.join(at.sent.path, at.name),
    ),
    row(
        *("MUT-LF-021", "path of a link is its target.", PATHS, OF_LINKS),
        path=lambda at: os.path.realpath(at.place) if at.is_link else at.path,
    ),
    row("MUT-LF-022", "path is a URI.", PATHS, WHOLE, path=lambda at: f"file://{at.path}"),
    row("MUT-LF-023", "path is that of the directory.", PATHS, WHOLE, path=lambda at: at.above),
    row("MUT-LF-024", "path of a directory ends in a slash.", PATHS, WHOLE, path=lambda at: at.path + "/" * at.is_dir),
    row("MUT-LF-211", "path is escaped like an address.", PATHS, path=of("path", quote)),
    row("MUT-LF-212", "path is tidied.", PATH, path=of("path", tidied)),
    row("MUT-LF-213", "path is escaped for a shell.", PATH, path=of("path", escaped)),
    row("MUT-LF-214", "path is in lower case.", PATH, path=lambda at: at.path.removesuffix(at.name) + at.name.lower()),
    row("MUT-LF-230", "path is cut behind 1,023 characters.", PATH, path=lambda at: at.path[:1023]),
    row(
        *("MUT-LF-254", "path of a name ~ is a home directory.", PATH),
        path=lambda at: os.path.expanduser("~") if at.name == "~" else at.path,
    ),
    row("MUT-LF-352", "Three dots are two in path.", PATH, path=lambda at: at.path.replace("...", "..")),
)

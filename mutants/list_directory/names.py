"""Mutants: errors in names, paths and depths, and in the conversion of undecodable names."""

import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from html import escape

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Listing, ReadDirectory, Walk
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .entry_builders import with_members_shown
from .implied import LENGTH

DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")

LOSSY = (
    "NFR-LD-REL-02 EF-01 FR-LD-LST-05 FR-LD-LST-06a FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-02 FR-LD-OUT-02a "
    "FR-LD-OUT-02b FR-LD-OUT-06 T-LD-09"
)
"""The converted text is shown, sorted and measured, and decides whether an entry is hidden."""


def walk_decoding_with(text: Callable[[bytes], str]) -> type[Walk]:
    """Return a walk that decodes names in another way."""

    class Converting(Walk):
        def _decode_name(self, name: bytes) -> str:
            return text(name)

    return Converting


def with_entry_shown(change: Callable[[Entry, str], Entry]) -> ListDirectory:
    """Return the tool with entries changed, given the requested path."""

    class Showing(Document):
        def members(self, entry: Entry) -> dict[str, JsonValue]:
            return super().members(change(entry, self.path))

    return ListDirectory(document=Showing)


def with_paths_containing(character: str, change: Callable[[str], str]) -> ListDirectory:
    """Return the tool with the paths that contain a character changed."""
    return with_entry_shown(
        lambda entry, _: replace(entry, path=change(entry.path)) if character in entry.path else entry
    )


def with_names_shown(change: Callable[[str], str]) -> ListDirectory:
    """Return the tool with names changed, also in paths."""

    def changed(entry: Entry, _: str) -> Entry:
        path = "/".join(map(change, entry.path.split("/")))
        return replace(entry, name=change(entry.name), path=path)

    return with_entry_shown(changed)


def with_name_decoding(text: Callable[[bytes], str]) -> ListDirectory:
    return ListDirectory(walk=walk_decoding_with(text))


def replace_undecodable_runs(name: bytes, written: Callable[[bytes], str]) -> str:
    """Return `name` with every run of undecodable bytes replaced."""
    text = name.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]+", lambda run: written(os.fsencode(run[0])), text)


def decode_utf8_or_latin1(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")


class LoneSurrogates(Document):
    def encode_string(self, text: str) -> str:
        return re.sub("[\udc80-\udcff]", lambda found: f"\\u{ord(found[0]):04x}", super().encode_string(text))


class FailsOnUndecodable(Walk):
    def _decode_name(self, name: bytes) -> str:
        try:
            return name.decode()
        except UnicodeDecodeError as error:
            raise ToolError(ErrorKind.EXECUTION_FAILED, "a name is not UTF-8") from error


class SkipsUndecodable(Walk):
    def _read_directory(self, route: tuple[bytes, ...], prefix: str) -> ReadDirectory:
        level = super()._read_directory(route, prefix)
        return replace(level, remaining_names=(both for both in level.remaining_names if both[0].encode() == both[1]))


class MergesAlike(Walk):
    """Stores entries by path."""

    def run(self) -> Listing:
        listing = super().run()
        return replace(listing, entries=list({entry.path: entry for entry in listing.entries}.values()))


class OpensByConvertedName(DirectoryReaderWrapper):
    def list_names(self, route: tuple[bytes, ...]) -> list[bytes]:
        return super().list_names(tuple(step.decode("utf-8", "replace").encode() for step in route))


class StatsByConvertedName(DirectoryReaderWrapper):
    def lstat(self, route: tuple[bytes, ...], name: bytes) -> os.stat_result:
        return super().lstat(route, name.decode("utf-8", "replace").encode())


def below_the_request(entry: Entry, request: str) -> Entry:
    top = "" if request == "." or entry.depth == 1 else request.rstrip("/") + "/"
    return replace(entry, path=top + entry.path)


def from_the_working_directory(entry: Entry, request: str) -> Entry:
    return replace(entry, depth=entry.depth + len([part for part in request.split("/") if part not in ("", ".")]))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-017",
        "Entries with equal converted paths are merged.",
        LOSSY,
        tool=ListDirectory(walk=MergesAlike),
    ),
    build_mutant(
        "MUT-019",
        "A name that is not UTF-8 fails the call.",
        LOSSY,
        "FR-LD-OUT-02 DOC-01 DOC-06",
        tool=ListDirectory(walk=FailsOnUndecodable),
    ),
    build_mutant(
        "MUT-020",
        "A question mark replaces undecodable bytes.",
        LOSSY,
        tool=with_name_decoding(lambda name: name.decode("utf-8", "replace").replace("\ufffd", "?")),
    ),
    build_mutant(
        "MUT-022",
        "A directory is opened by its converted name.",
        LOSSY,
        "FR-LD-LST-08",
        tool=ListDirectory(open_reader=OpensByConvertedName),
    ),
    build_mutant(
        "MUT-023",
        "Names are normalised to NFC.",
        "EF-01 FR-LD-LST-02 NFR-LD-REL-02 FR-LD-LST-05 FR-LD-OUT-01 FR-LD-OUT-02a EF-02",
        tool=with_name_decoding(lambda name: unicodedata.normalize("NFC", name.decode("utf-8", "replace"))),
    ),
    build_mutant(
        "MUT-025",
        "The path of an entry below the first level begins with the requested directory.",
        "EF-02",
        LENGTH,
        "EF-03 FR-LD-DEF-03 FR-LD-LST-02 FR-LD-VAL-03 FR-LD-VAL-10 NFR-LD-PORT-01",
        tool=with_entry_shown(below_the_request),
    ),
    build_mutant(
        "MUT-026",
        "A path with an asterisk begins with './'.",
        "EF-02 FR-LD-LST-02",
        LENGTH,
        tool=with_paths_containing("*", lambda path: f"./{path}"),
    ),
    build_mutant(
        "MUT-028",
        "A backslash in a name becomes a slash in the path.",
        "EF-02 FR-LD-LST-02 EF-03 FR-LD-OUT-02a NFR-LD-PORT-01",
        tool=with_entry_shown(lambda entry, _: replace(entry, path=entry.path.replace("\\", "/"))),
    ),
    build_mutant(
        "MUT-029",
        "Depths start at 0.",
        "EF-03 DOC-01 FR-LD-OUT-02a T-LD-01 FR-LD-LST-02 FR-LD-LST-08",
        tool=with_entry_shown(lambda entry, _: replace(entry, depth=entry.depth - 1)),
    ),
    build_mutant(
        "MUT-384",
        "Undecodable bytes are omitted.",
        LOSSY,
        tool=with_name_decoding(lambda name: name.decode("utf-8", "ignore")),
    ),
    build_mutant(
        "MUT-385",
        "Names that are not UTF-8 are decoded as Latin-1.",
        LOSSY,
        tool=with_name_decoding(decode_utf8_or_latin1),
    ),
    build_mutant(
        "MUT-386",
        "Undecodable bytes become escapes with a backslash.",
        LOSSY,
        tool=with_name_decoding(lambda name: name.decode("utf-8", "backslashreplace")),
    ),
    build_mutant(
        "MUT-387",
        "Undecodable bytes are percent-encoded.",
        LOSSY,
        tool=with_name_decoding(
            lambda name: replace_undecodable_runs(name, lambda run: "".join(f"%{byte:02X}" for byte in run))
        ),
    ),
    build_mutant(
        "MUT-388",
        "Undecodable bytes become escaped lone surrogates.",
        LOSSY,
        "DOC-01",
        tool=ListDirectory(walk=walk_decoding_with(os.fsdecode), document=LoneSurrogates),
    ),
    build_mutant(
        "MUT-389",
        "Entries with names that are not UTF-8 are omitted.",
        LOSSY,
        tool=ListDirectory(walk=SkipsUndecodable),
    ),
    build_mutant(
        "MUT-390",
        "Metadata are read by the converted name.",
        LOSSY,
        tool=ListDirectory(open_reader=StatsByConvertedName),
    ),
    build_mutant(
        "MUT-391",
        "A byte order mark at the start of a name is omitted.",
        "EF-01 EF-02 NFR-LD-REL-02 FR-LD-OUT-02a",
        tool=with_names_shown(lambda name: name.removeprefix("\ufeff")),
    ),
    build_mutant(
        "MUT-392",
        "The name is the whole path.",
        "EF-01",
        LENGTH,
        "NFR-LD-PORT-01 NFR-LD-REL-02 FR-LD-LST-08",
        tool=with_entry_shown(lambda entry, _: replace(entry, name=entry.path)),
    ),
    build_mutant(
        "MUT-394",
        "Blanks around a name are omitted.",
        "EF-01 FR-LD-LST-02 EF-02 FR-LD-LST-03 FR-LD-LST-06a FR-LD-OUT-01 FR-LD-VAL-01",
        tool=with_names_shown(lambda name: name.strip(" ")),
    ),
    build_mutant(
        "MUT-398",
        "The components of a path with a backslash are joined by backslashes.",
        "NFR-LD-PORT-01 EF-02",
        LENGTH,
        "EF-03",
        tool=with_paths_containing("\\", lambda path: path.replace("/", "\\")),
    ),
    build_mutant(
        "MUT-400",
        "Depths are relative to the working directory.",
        "EF-03",
        tool=with_entry_shown(from_the_working_directory),
    ),
    build_mutant(
        "MUT-401",
        "Every backslash in a path adds a level.",
        "EF-03 EF-02 NFR-LD-PORT-01 FR-LD-OUT-02a",
        tool=with_entry_shown(lambda entry, _: replace(entry, depth=entry.depth + entry.path.count("\\"))),
    ),
    build_mutant(
        "MUT-402",
        "Control characters in names are omitted.",
        "NFR-LD-SEC-02 EF-01 EF-02 FR-LD-OUT-02a FR-LD-LST-06a FR-LD-OUT-01 FR-LD-OUT-06 NFR-LD-REL-02",
        tool=with_names_shown(lambda name: "".join(c for c in name if unicodedata.category(c) != "Cc")),
    ),
    build_mutant(
        "MUT-803",
        "Characters that change the writing direction are missing in names.",
        "EF-01",
        tool=with_members_shown(lambda members: {"name": DIRECTIONS.sub("", str(members["name"]))}),
    ),
    build_mutant(
        "MUT-1016",
        "The overlong form of NUL is decoded as NUL.",
        LOSSY,
        tool=with_name_decoding(lambda name: name.replace(b"\xc0\x80", b"\0").decode("utf-8", "replace")),
    ),
    build_mutant(
        "MUT-1017",
        "A name is only what follows its last backslash.",
        "EF-01",
        tool=with_entry_shown(lambda entry, _: replace(entry, name=entry.name.rpartition("\\")[2])),
    ),
    build_mutant(
        "MUT-1018",
        "In names, but not in paths, the characters of markup are written as entities.",
        "EF-01",
        tool=with_entry_shown(lambda entry, _: replace(entry, name=escape(entry.name, quote=False))),
    ),
    build_mutant(
        "MUT-1019",
        "The depth counts the components of the requested path, too.",
        "EF-03",
        tool=with_entry_shown(
            lambda entry, path: replace(entry, depth=entry.depth + (path != "." and path.count("/") + 1))
        ),
    ),
)

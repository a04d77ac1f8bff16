"""Mutants: errors in the names of entries, and in entries that share a name or a file."""

import os
from unicodedata import normalize
from urllib.parse import unquote

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.shared.directory_reader import DirectoryReader

from ..shared.mutant import Mutant
from .builders import build_mutant


class OneForEachText(Directory):
    def entries(self) -> list[Entry]:
        return list({entry.name: entry for entry in super().entries()}.values())


class Decoded(Directory):
    """Percent escapes in names are decoded."""

    def entry(self, raw: bytes, type: EntryType) -> Entry:
        made = super().entry(raw, type)
        return made._replace(name=unquote(made.name), path=unquote(made.path))


class Composed(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        for shown in members["entries"]:
            shown["path"] = normalize("NFC", shown["path"])
        return members


class HardLinksAreLinks(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        return "link" if found == "file" and reader.lstat((), raw).st_nlink > 1 else found


class DanglingRemoved(Directory):
    def entries(self) -> list[Entry]:
        for entry in super().entries():
            place = self.project.join_root((*self.components, entry.raw_name))
            if entry.type == "link" and os.readlink(place) == b"nowhere":
                os.unlink(place)
        return super().entries()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-331", "Of entries whose names show alike there is one.", "LS-DATA-06", directory=OneForEachText
    ),
    build_mutant("MUT-LS-332", "Percent escapes in names are decoded.", "LS-DATA-06 LS-DATA-03", directory=Decoded),
    build_mutant("MUT-LS-333", "Names are shown in one normal form.", "LS-DATA-06", envelope=Composed),
    build_mutant("MUT-LS-334", "A file with two names is a link.", "LS-DATA-05", directory=HardLinksAreLinks),
    build_mutant(
        "MUT-LS-335",
        "Links that lead nowhere are removed.",
        "LS-XR-01 LS-DATA-06 LS-DATA-05 LS-SORT-04 LS-STAT-02 LS-TEXT-06",
        directory=DanglingRemoved,
    ),
)

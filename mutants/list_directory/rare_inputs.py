"""Mutants: errors with rare characters, long paths and other digits."""

import os
import re
import unicodedata
from dataclasses import replace
from typing import ClassVar

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, TruncationReason
from treeproof.reference_impl.shared.directory_reader import Route

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .names import with_entry_shown
from .output_budget import with_byte_size

DIGITS = {"ar": 0x660, "fa": 0x6F0}


def units(character: str) -> str:
    """Return the UTF-16 units of a character as escapes."""
    return re.sub("(....)", r"\\u\1", character.encode("utf-16-be").hex())


def category(character: str) -> str:
    return unicodedata.category(character)


def cut_bytes(text: str, size: int) -> str:
    return text.encode()[:size].decode("utf-8", "ignore")


def with_paths_shortened(size: int) -> ListDirectory:
    """Return the tool with paths truncated to this number of bytes."""
    return with_entry_shown(lambda entry, _: replace(entry, path=cut_bytes(entry.path, size)))


class LocalDigits(Document):
    def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
        head, tail = super().head_and_tail(count, reason)
        zero = DIGITS.get(os.environ.get("LC_ALL", "")[:2], ord("0"))
        return head, tail.translate({ord("0") + digit: zero + digit for digit in range(10)})


class KeepsSubdirectories(DirectoryReaderWrapper):
    kept: ClassVar[dict[tuple[bytes, int, int], list[bytes]]] = {}

    def list_names(self, route: Route) -> list[bytes]:
        names = super().list_names(route)
        if not route:
            return names
        found = os.stat(self.join(*route), follow_symlinks=False)
        return self.kept.setdefault((self.join(*route), found.st_ino, found.st_mtime_ns), names)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-783",
        "Paths are truncated to 255 bytes.",
        "EF-02 NFR-LD-REL-02",  # The text of a name may have three times as many bytes.
        tool=with_paths_shortened(255),
    ),
    build_mutant("MUT-784", "Paths are truncated to 4095 bytes.", "EF-02", tool=with_paths_shortened(4095)),
    build_mutant(
        "MUT-785",
        "Names are truncated to 255 bytes of their text.",
        "NFR-LD-REL-02",
        tool=with_entry_shown(
            lambda entry, _: replace(
                entry,
                name=cut_bytes(entry.name, 255),
                path=entry.path.removesuffix(entry.name) + cut_bytes(entry.name, 255),
            )
        ),
    ),
    build_mutant(
        "MUT-789",
        "The line separator is counted as if it were escaped.",
        "FR-LD-OUT-06 FR-LD-OUT-07",  # Too much is cut.
        tool=with_byte_size(lambda text: len(text.encode()) + 3 * text.count("\u2028")),
    ),
    build_mutant(
        "MUT-790",
        "DEL is counted as if it were escaped.",
        "FR-LD-OUT-06 FR-LD-OUT-07",  # Too much is cut.
        tool=with_byte_size(lambda text: len(text.encode()) + 5 * text.count("\x7f")),
    ),
    build_mutant(
        "MUT-791",
        "Numbers have the digits of the locale.",
        "FR-LD-OUT-02 DOC-01",
        tool=ListDirectory(document=LocalDigits),
    ),
    build_mutant(
        "MUT-792",
        "The content of a nested directory is cached until its time changes.",
        "FR-LD-OUT-02 FR-LD-LST-02",
        tool=ListDirectory(open_reader=KeepsSubdirectories),
    ),
)

"""The lock of a pack: the sentences of its document that an author has read and confirmed, as hashes.

A catalogue names the sentences of its requirements. The lock names all sentences, in their order and below their
headings, so that a later document can be compared with the one that was read. It contains no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from treeproof.errors import UsageError, check_readable
from treeproof.spec.catalogue import Pack
from treeproof.spec.source_document import HASH_LENGTH, DocumentSentence

LOCK_FILE = "sentences.lock"
"""The name of the file beside spec.toml for the newest version. `treeproof confirm` writes it."""

_MAX_BYTES = 4 << 20
_HEADING = "# "
_COMMENT = "// "
_HASH = re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}")
_ID = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]+(?![\w-])")
_FIX = "run 'treeproof confirm --document FILE', which writes this file"


@dataclass(frozen=True, slots=True)
class LockedSentence:
    """A confirmed sentence: its hash, the innermost heading above it (may be empty), and the ids that it contains."""

    hash: str
    heading: str
    ids: tuple[str, ...]


def lock_sentence(sentence: DocumentSentence) -> LockedSentence:
    """Return what the lock keeps of a sentence."""
    heading = " ".join(sentence.headings[-1].split()) if sentence.headings else ""
    return LockedSentence(sentence.hash, heading, ids_in(sentence.text))


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids that a text contains, such as FR-LD-LST-05, in their order."""
    return tuple(dict.fromkeys(_ID.findall(text)))


def lock_file(pack: Pack) -> Path:
    """Return the path of the lock of a pack; that of an earlier version has the version in its name."""
    return pack.folder / (LOCK_FILE if pack.is_newest else f"sentences-{pack.version}.lock")


def hashes_of_other_versions(pack: Pack) -> frozenset[str]:
    """Return the hashes in the locks of the other versions. Raises UsageError for a broken lock."""
    others = (replace(pack, version=version) for version in pack.versions if version != pack.version)
    return frozenset(sentence.hash for other in others for sentence in read_lock(other) or ())


def read_lock(pack: Pack) -> tuple[LockedSentence, ...] | None:
    """Return the lock of a pack, or None if it has none. Raises UsageError with file and line for a broken file."""
    file = lock_file(pack)
    if not file.exists():
        return None
    check_readable(file, _MAX_BYTES, f"the lock of {pack.pack_file}")
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}; {_FIX}") from None
    return tuple(_parse(file, text))


def _parse(file: Path, text: str) -> Iterator[LockedSentence]:
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(_HEADING):
            heading = line.removeprefix(_HEADING)
        elif line and not line.startswith(_COMMENT):
            hash, *ids = line.split(" ")
            if not _HASH.fullmatch(hash):
                raise UsageError(f'{file}:{number}: "{hash[:40]}" is no hash of {HASH_LENGTH} digits; {_FIX}')
            yield LockedSentence(hash, heading, tuple(ids))


def format_lock(source: str, sentences: Iterable[LockedSentence]) -> str:
    """Return the text of the file for the document ``source``."""
    lines = [f"{_COMMENT}The confirmed sentences of {source}. `treeproof confirm` writes this file."]
    heading = ""
    for sentence in sentences:
        if sentence.heading != heading:
            heading = sentence.heading
            lines.append(f"{_HEADING}{heading}")
        lines.append(" ".join([sentence.hash, *sentence.ids]))
    return "\n".join(lines) + "\n"

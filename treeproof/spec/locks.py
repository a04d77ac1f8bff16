"""The lock files beside spec.toml, which contain hashes: of the sentences of the document, and of frozen versions.

A catalogue names the sentences of its requirements. The lock has all sentences that an author has confirmed, in their
order and below their headings, so that a later document can be compared. It contains no words of them but the headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from treeproof.errors import FileError, check_readable
from treeproof.spec.catalogue import Pack
from treeproof.spec.source_document import HASH_LENGTH, DocumentSentence

LOCK_FILE = "sentences.lock"
"""The name of the lock of sentences for the newest version. `treeproof confirm` writes it."""
FROZEN_FILE = "frozen.lock"
"""The name of the file of frozen versions. `treeproof freeze` writes it."""
HEADING = "# "

_MAX_BYTES = 4 << 20
_COMMENT = "// "
_FREE = "free"
_HEADING = re.compile(r"(#+) (.*)")
_HASH = rf"[0-9a-f]{{{HASH_LENGTH}}}"
_ID = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-[0-9]+(?![\w-])")


@dataclass(frozen=True, slots=True)
class LockedSentence:
    """A confirmed sentence: its hash, that of its words, the headings above it, and the ids that it contains.

    `is_free`: it has the words of a demand, no requirement names it, and an author has confirmed that.
    """

    hash: str
    words: str
    headings: tuple[str, ...]
    ids: tuple[str, ...]
    is_free: bool = field(default=False, compare=False)


def lock_sentence(sentence: DocumentSentence, *, is_free: bool = False) -> LockedSentence:
    """Return what the lock keeps of a sentence."""
    return LockedSentence(sentence.hash, sentence.words, sentence.headings, ids_in(sentence.text), is_free)


def ids_in(text: str) -> tuple[str, ...]:
    """Return the ids that a text contains, such as FR-LD-LST-05, in their order."""
    return tuple(dict.fromkeys(_ID.findall(text)))


def lock_file(pack: Pack) -> Path:
    """Return the path of the lock of sentences; that of an earlier version has the version in its name."""
    return pack.folder / (LOCK_FILE if pack.is_newest else f"sentences-{pack.version}.lock")


def read_lock(pack: Pack) -> tuple[LockedSentence, ...] | None:
    """Return the lock of sentences, or None if there is none. Raises UsageError with file and line for a broken one."""
    file = lock_file(pack)
    if not file.exists():
        return None
    fix = "restore the file, or delete it and run 'treeproof confirm', which writes it"
    entry = re.compile(rf"{_HASH} {_HASH}(?: .*)?")
    problem = f"is no pair of hashes of {HASH_LENGTH} digits; {fix}"
    found = _read(file, f"the lock of {pack.pack_file}", entry, problem, fix)
    return tuple(
        LockedSentence(line[0], line[1], headings, tuple(id for id in line[2:] if id != _FREE), _FREE in line)
        for headings, line in found
        if line
    )


def read_baseline(pack: Pack) -> tuple[LockedSentence, ...]:
    """Return the lock of the version, or else that of the nearest earlier, or else of the nearest later one.

    So a new version is compared with the one before it. Empty if there is none. Raises UsageError for a broken one.
    """
    earlier = pack.earlier_versions
    nearest = (pack.version, *reversed(earlier), *pack.versions[len(earlier) + 1 :])
    locks = (read_lock(replace(pack, version=version)) for version in nearest)
    return next((lock for lock in locks if lock is not None), ())


def hashes_of_other_versions(pack: Pack) -> frozenset[str]:
    """Return the hashes in the locks of the other versions. Raises UsageError for a broken lock."""
    others = (replace(pack, version=version) for version in pack.versions if version != pack.version)
    return frozenset(sentence.hash for other in others for sentence in read_lock(other) or ())


def format_lock(source: str, sentences: Iterable[LockedSentence]) -> str:
    """Return the text of the lock of the document ``source``."""
    entries = (
        (one.headings, " ".join([one.hash, one.words, *([_FREE] if one.is_free else []), *one.ids]))
        for one in sentences
    )
    return _format(f"The confirmed sentences of {source}. `treeproof confirm` writes this file.", entries)


def read_frozen(pack: Pack) -> dict[str, dict[str, str]]:
    """Return the hashes by id of each frozen version; empty if there is no file.

    Raises FileError for a broken file, and another UsageError for one that is not readable.
    """
    file, fix = pack.folder / FROZEN_FILE, "restore the file, or run 'treeproof freeze', which writes it"
    frozen: dict[str, dict[str, str]] = {}
    if file.exists():
        problem = f"is no hash with an id below a version; {fix}"
        entry = re.compile(rf"{_HASH} \S+")
        owner = f"the frozen versions of {pack.pack_file}"
        for (version, *_), line in _read(file, owner, entry, problem, fix, needs_heading=True):
            hashes = frozen.setdefault(version, {})
            if line:
                hashes[line[1]] = line[0]
    return frozen


def format_frozen(frozen: Mapping[str, Mapping[str, str]]) -> str:
    """Return the text of the file of frozen versions."""
    entries = (
        ((version,), f"{hash} {id}") for version, hashes in frozen.items() for id, hash in sorted(hashes.items())
    )
    return _format("What decides verdicts in frozen versions, as hashes. `treeproof freeze` writes this file.", entries)


def _read(
    file: Path, owner: str, entry: re.Pattern[str], problem: str, fix: str, *, needs_heading: bool = False
) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield the headings at each heading, and headings and words of each line with a hash. Raises UsageError."""
    check_readable(file, _MAX_BYTES, owner)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(file, 0, f"cannot be read: {error}; {fix}") from None
    headings: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.fullmatch(line):
            headings = (*headings[: len(heading[1]) - 1], heading[2]) if heading[2] else ()
            if headings:
                yield headings, []
        elif line and not line.startswith(_COMMENT):
            if not entry.fullmatch(line) or (needs_heading and not headings):
                raise FileError(file, number, f'"{line[:40]}" {problem}')
            yield headings, line.split(" ")


def _format(comment: str, entries: Iterable[tuple[tuple[str, ...], str]]) -> str:
    lines = [f"{_COMMENT}{comment}"]
    above: tuple[str, ...] = ()
    for headings, entry in entries:
        if headings != above:
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(headings[:-1], above, strict=False)))
            lines += [f"{'#' * depth} {headings[depth - 1]}" for depth in range(same + 1, len(headings) + 1)] or ["# "]
        lines.append(entry)
        above = headings
    return "\n".join(lines) + "\n"

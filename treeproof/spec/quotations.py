"""The sentences on which requirements rest, for readers who have the document.

A catalogue contains hashes of sentences, not the sentences: the document is its owner's. The lock has the heading
above each hash, so that a reader finds the place; with the document, the sentence itself is quoted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.locks import LockedSentence, read_lock
from treeproof.spec.source_document import DocumentSentence, read_sentences


@dataclass(frozen=True)
class Quotation:
    """The place of a sentence: its heading, and its number below that, from 1.

    `text`, `file` and `line` are empty, and 0, without the document. `lacking` is a version of it without the sentence.
    """

    heading: str
    number: int
    text: str = ""
    file: str = ""
    line: int = 0
    lacking: str = ""

    @property
    def place(self) -> str:
        """The place in words."""
        below = f"sentence {self.number} below “{self.heading}”" if self.heading else f"sentence {self.number}"
        if self.lacking:
            return f"{below}, which {self.lacking} does not have: it is another version"
        return f"{self.file}:{self.line}, {below}" if self.file else below

    @property
    def link(self) -> str:
        """The address of the line in the document."""
        return f"{Path(self.file).resolve().as_uri()}#L{self.line}"

    @property
    def quoted(self) -> str:
        """The text, and the name of its file with the line."""
        return f"“{self.text}” ({self.short_place})"

    @property
    def short_place(self) -> str:
        """The name of the document and the line."""
        return f"{Path(self.file).name}:{self.line}"


_Places = Mapping[str, Quotation]
_documents: list[Path] = []
_packs: list[Pack] = []
_read: dict[tuple[str, str], _Places] = {}
"""The places of the sentences of packs, by name and version."""


def use_documents(documents: Sequence[Path], packs: Sequence[Pack], further: Sequence[Path] = ()) -> None:
    """Quote what these packs restate from the files, or from the document beside a `spec.toml`; for the whole process.

    Raises UsageError for a file that cannot be read, and for one of the ``documents`` that none of the packs restates;
    the ``further`` ones are of specifications that a run may leave out.
    """
    _documents[:] = [*documents, *further]
    _packs[:] = packs
    _read.clear()
    for document in documents:
        if not any(_shared(pack, document) for pack in packs):
            names = ", ".join(f"{pack.source} ({pack.name})" for pack in packs if pack.source)
            why = f"write the path of {names}" if names else "the specifications of these reports are not installed"
            raise UsageError(f"{document}: has no sentence that a specification restates; {why}")


def quotations_of(spec: str, version: str, id: str) -> list[Quotation]:
    """Return the place of each sentence of a requirement; none for a specification that is not in use."""
    found = (
        quotations(pack, one)
        for pack in _packs
        for one in pack.requirements
        if (pack.name, pack.version, one.id) == (spec, version, id)
    )
    return next(found, [])


def quotations(pack: Pack, requirement: Requirement) -> list[Quotation]:
    """Return the place of each sentence of a requirement, in the order of the catalogue."""
    if (key := (pack.name, pack.version)) not in _read:
        _read[key] = _places(pack)
    places = _read[key]
    return [places[hash] for hash in requirement.sentences if hash in places]


def _places(pack: Pack) -> _Places:
    document = max([*_documents, pack.folder / pack.source], key=lambda one: len(_shared(pack, one)))
    counts: Counter[tuple[str, ...]] = Counter()

    def place(one: LockedSentence | DocumentSentence, *quoted: Any) -> Quotation:
        counts[one.headings] += 1
        return Quotation(one.headings[-1] if one.headings else "", counts[one.headings], *quoted)

    there = read_sentences(document) if _shared(pack, document) else ()
    found = {one.hash: place(one, one.text, str(document), one.line) for one in there}
    counts.clear()
    lacking = document.name if found else ""
    locked = {one.hash: replace(place(one), lacking=lacking) for one in read_lock(pack) or ()}
    return {**locked, **found}


def _shared(pack: Pack, document: Path) -> frozenset[str]:
    """Return the hashes of the pack that a file has; a file that is not there has none."""
    if document not in _documents and not document.is_file():
        return frozenset()
    named = {hash for one in pack.requirements for hash in one.sentences}
    return frozenset(named & {one.hash for one in read_sentences(document)})

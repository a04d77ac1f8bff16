"""The confirmed sentences of a document beside its present text: what requirements rest on, and their states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.levels import DEMANDS
from treeproof.spec.locks import hashes_of_other_versions, ids_in, lock_file, lock_sentence, read_baseline
from treeproof.spec.sentence_changes import SentenceChange, Slot, find_changes
from treeproof.spec.source_document import DocumentSentence, read_sentences

# current    the document has its sentences, at the confirmed places
# outdated   words or a place have changed, and this is not confirmed
# orphaned   a sentence or its id is gone
# unnamed    it names no sentence
DocumentState = Literal["current", "outdated", "orphaned", "unnamed"]

REQUIREMENT = "requirement"


@dataclass(frozen=True, slots=True)
class Named:
    """A table of the catalogue that names sentences: its heading, its id or topic, and the hashes."""

    heading: str
    id: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class DocumentDrift:
    """All sentences of a document beside the confirmed ones, in the order of both.

    `has_lock`: the version has a lock of its own; otherwise the one of another version is compared, if there is one.
    """

    pack: Pack
    document: Path
    sentences: Sequence[DocumentSentence]
    slots: Sequence[Slot]
    has_lock: bool

    @cached_property
    def changes(self) -> Sequence[SentenceChange]:
        """Every sentence once, also what is kept, in the order of the document."""
        return [slot.change for slot in self.slots if slot.has_new or slot.change.new is None]

    @cached_property
    def confirmed(self) -> Mapping[str, SentenceChange]:
        """What has become of each confirmed sentence, by its hash."""
        return {change.old.hash: change for change in self.changes if change.old is not None}

    @cached_property
    def present(self) -> frozenset[str]:
        """The hashes of the sentences of the document."""
        return frozenset(sentence.hash for sentence in self.sentences)

    @cached_property
    def left_out(self) -> Mapping[str, DocumentSentence]:
        """The sentences of the document that are below no heading of `sections`, by their hashes."""
        if not self.pack.sections:
            return {}
        return {one.hash: one for one in read_sentences(self.document) if one.hash not in self.present}

    @cached_property
    def naming(self) -> Mapping[str, Sequence[Named]]:
        """The requirements, interpretations and settled topics that name each sentence, by its hash."""
        naming: dict[str, list[Named]] = {}
        for one in self.named:
            for sentence in one.sentences:
                naming.setdefault(sentence, []).append(one)
        return naming

    @cached_property
    def named(self) -> Sequence[Named]:
        """All tables that can name sentences, the requirements first."""
        pack = self.pack
        tables = [(REQUIREMENT, one.id, one.sentences) for one in pack.requirements]
        tables += [("interpretation", one.id, one.sentences) for one in pack.interpretations]
        return [Named(*one) for one in (*tables, *(("settled", one.topic, one.sentences) for one in pack.settled))]

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The hashes in the locks of other versions: a requirement of several versions names those of each."""
        return hashes_of_other_versions(self.pack)

    @cached_property
    def gone_ids(self) -> frozenset[str]:
        """The ids that the document contained when it was confirmed, and does not contain."""
        present = {id for sentence in self.sentences for id in ids_in(sentence.text)}
        return frozenset(id for change in self.changes if change.old is not None for id in change.old.ids) - present

    @property
    def is_confirmed(self) -> bool:
        """Return whether the document has the confirmed sentences, in their order, and no others."""
        changes = (
            one for one in self.changes if one.kind != "kept" or not one.new or one.old != lock_sentence(one.new)
        )
        return self.has_lock and not any(changes)

    def resting_on(self, change: SentenceChange) -> Sequence[Named]:
        """Return what names the confirmed sentence of a change, and not the new one beside it.

        A requirement of several versions names both.
        """
        if change.old is None or change.kind == "kept":
            return ()
        both = change.new.hash if change.new is not None and change.old.hash in self.elsewhere else ""
        return [
            one for one in self.naming.get(change.old.hash, ()) if both == change.old.hash or both not in one.sentences
        ]

    def unnamed(self, change: SentenceChange) -> DocumentSentence | None:
        """Return the present sentence of a change, if no requirement names it, also not by the hash of the old one.

        One whose words are confirmed is returned only if it demands something and is not confirmed to be free.
        """
        if change.new is None or self.resting_on(change):
            return None
        hashes = {change.new.hash} - self.confirmed.keys()
        if change.kind not in ("added", "changed") and change.old is not None:
            if not self.has_lock or change.old.is_free or not self.demands(change.new):
                return None
            hashes = {change.old.hash, change.new.hash}
        return None if any(map(self.is_named, hashes)) else change.new

    def is_named(self, hash: str) -> bool:
        """Return whether a requirement names a sentence."""
        return any(one.heading == REQUIREMENT for one in self.naming.get(hash, ()))

    def needs_nobody(self, change: SentenceChange) -> bool:
        """Return whether a change can be confirmed without a name: no requirement rests on it, and it demands nothing.

        If a requirement names the new sentence already, its author has read it.
        """
        unnamed = self.unnamed(change)
        return not self.resting_on(change) and (unnamed is None or not self.demands(unnamed))

    def is_of_another_version(self, hash: str, requirement: Named | Requirement) -> bool:
        """Return whether a requirement names this sentence for another version, and another one for this version."""
        own = (self.present | self.confirmed.keys()).intersection(requirement.sentences)
        return hash in self.elsewhere and bool(own)

    def demands(self, sentence: DocumentSentence) -> bool:
        """Return whether a sentence demands something, or has an unknown id that is like those of the catalogue."""
        unknown = (id for id in ids_in(sentence.text) if id not in self._known_ids)
        return bool(DEMANDS.search(sentence.text)) or any(id.partition("-")[0] in self._families for id in unknown)

    @cached_property
    def _known_ids(self) -> frozenset[str]:
        return frozenset(one.id for one in self.pack.requirements) | {one.id for one in self.pack.retired}

    @cached_property
    def _families(self) -> frozenset[str]:
        return frozenset(id.partition("-")[0] for id in self._known_ids)


def find_drift(pack: Pack, document: Path) -> DocumentDrift:
    """Compare the lock of a pack with a document. Raises UsageError for a document or a lock that cannot be read."""
    sentences = [one for one in read_sentences(document) if pack.watches(one.headings)]
    slots = tuple(find_changes(read_baseline(pack), sentences))
    return DocumentDrift(pack, document, sentences, slots, lock_file(pack).exists())


@dataclass(frozen=True)
class DocumentTrace:
    """The states by requirement id, and the sentences that demand something and that no requirement names."""

    document: Path
    states: Mapping[str, DocumentState]
    uncovered: tuple[DocumentSentence, ...]


def trace_document(pack: Pack, document: Path) -> DocumentTrace:
    """Compare a catalogue with a document. Raises UsageError for a document or a lock that cannot be read."""
    drift = find_drift(pack, document)
    unnamed = [sentence for change in drift.changes if (sentence := drift.unnamed(change)) is not None]
    states = {one.id: _state(one, drift) for one in pack.requirements}
    return DocumentTrace(document, states, tuple(filter(drift.demands, unnamed)))


def _state(requirement: Requirement, drift: DocumentDrift) -> DocumentState:
    if not requirement.sentences:
        return "unnamed"
    changes = [change for hash in requirement.sentences if (change := drift.confirmed.get(hash)) is not None]
    resting = [change for change in changes if any(one.id == requirement.id for one in drift.resting_on(change))]
    unknown = (hash for hash in requirement.sentences if hash not in drift.confirmed.keys() | drift.present)
    is_gone = requirement.id in drift.gone_ids or any(change.new is None for change in resting)
    if is_gone or not all(drift.is_of_another_version(hash, requirement) for hash in unknown):
        return "orphaned"
    return "outdated" if resting else "current"

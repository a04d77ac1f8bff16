"""The differences between the confirmed sentences of a document and its present text; the states of requirements.

A catalogue and its lock contain hashes, not sentences. So what a sentence was before is unknown here; what has come to
its place is found by its neighbours and by the ids that both contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Literal

from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.levels import DEMANDS
from treeproof.spec.locks import LockedSentence, hashes_of_other_versions, ids_in, lock_sentence, read_lock
from treeproof.spec.source_document import DocumentSentence, read_sentences

# changed   another sentence is in its place
# removed   it is gone
# added     no confirmed sentence was there
# moved     the same sentence, at another place; both halves of a move
# headed    the same sentence at the same place, below another heading
# kept      no difference
ChangeKind = Literal["changed", "removed", "added", "moved", "headed", "kept"]
# current    the document has its sentences, at the confirmed places
# outdated   words or a place have changed, and this is not confirmed
# orphaned   a sentence or its id is gone
# unnamed    it names no sentence
DocumentState = Literal["current", "outdated", "orphaned", "unnamed"]


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A confirmed sentence and the present one at its place. One of both is None if it is added or removed."""

    old: LockedSentence | None
    new: DocumentSentence | None
    kind: ChangeKind

    @property
    def hashes(self) -> frozenset[str]:
        return frozenset(one.hash for one in (self.old, self.new) if one is not None)


@dataclass(frozen=True)
class DocumentDrift:
    """All sentences of a document beside the confirmed ones. `has_lock`: None was confirmed if it is False."""

    pack: Pack
    document: Path
    sentences: Sequence[DocumentSentence]
    changes: tuple[SentenceChange, ...]
    has_lock: bool

    @cached_property
    def naming(self) -> Mapping[str, Sequence[Requirement]]:
        """The requirements that name each sentence, by its hash."""
        naming: dict[str, list[Requirement]] = {}
        for requirement in self.pack.requirements:
            for sentence in requirement.sentences:
                naming.setdefault(sentence, []).append(requirement)
        return naming

    @cached_property
    def present(self) -> frozenset[str]:
        """The hashes of the sentences of the document."""
        return frozenset(sentence.hash for sentence in self.sentences)

    @cached_property
    def confirmed(self) -> Mapping[str, LockedSentence]:
        """The confirmed sentences by their hashes."""
        return {change.old.hash: change.old for change in self.changes if change.old is not None}

    @cached_property
    def of_other_versions(self) -> frozenset[str]:
        """The hashes that only the locks of other versions contain: a requirement of several names those of each."""
        return hashes_of_other_versions(self.pack) - self.confirmed.keys()

    @cached_property
    def gone_ids(self) -> frozenset[str]:
        """The ids that the document contained when it was confirmed, and does not contain."""
        present = {id for sentence in self.sentences for id in ids_in(sentence.text)}
        return frozenset(id for change in self.changes if change.old is not None for id in change.old.ids) - present

    @property
    def is_confirmed(self) -> bool:
        """Return whether the document has the confirmed sentences, in their order, and no others."""
        return self.has_lock and all(change.kind == "kept" for change in self.changes)

    def replacements(self, hash: str) -> tuple[DocumentSentence, ...]:
        """Return the sentences that have come to the places of a confirmed one that is gone."""
        places = (change for change in self.changes if change.old is not None and change.old.hash == hash)
        return () if hash in self.present else tuple(change.new for change in places if change.new is not None)

    def unnamed(self, change: SentenceChange) -> DocumentSentence | None:
        """Return the new sentence of a change, if no requirement names it, also not by the hash of the old one."""
        if change.new is None or change.kind not in ("added", "changed") or change.new.hash in self.naming:
            return None
        is_replaced = change.old is not None and change.old.hash not in self.present and change.old.hash in self.naming
        return None if is_replaced else change.new

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
    lock = read_lock(pack)
    sentences = [one for one in read_sentences(document) if pack.watches(one.headings)]
    pairs = list(_align(lock or (), sentences))
    removed = {old.hash for old, new in pairs if old is not None and (new is None or new.hash != old.hash)}
    added = {new.hash for old, new in pairs if new is not None and (old is None or new.hash != old.hash)}
    changes = tuple(SentenceChange(old, new, _kind(old, new, removed & added)) for old, new in pairs)
    return DocumentDrift(pack, document, sentences, changes, lock is not None)


def _kind(old: LockedSentence | None, new: DocumentSentence | None, moved: set[str]) -> ChangeKind:
    if old is not None and new is not None and old.hash == new.hash:
        is_headed = lock_sentence(new).heading != old.heading
        return "kept" if not is_headed else "moved" if new.hash in moved else "headed"
    one = new or old
    if one is not None and one.hash in moved:
        return "moved"
    return "added" if old is None else "removed" if new is None else "changed"


_Pair = tuple[LockedSentence | None, DocumentSentence | None]


def _align(lock: Sequence[LockedSentence], sentences: Sequence[DocumentSentence]) -> Iterator[_Pair]:
    matcher = SequenceMatcher(None, [one.hash for one in lock], [one.hash for one in sentences], autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        pair = zip if tag == "equal" else _pair
        yield from pair(lock[start:end], sentences[new_start:new_end])


def _pair(old: Sequence[LockedSentence], new: Sequence[DocumentSentence]) -> Iterator[_Pair]:
    """Pair the sentences of a place: those that share an id, then each with the next. In the order of ``new``."""
    left = list(old)
    partners: dict[int, LockedSentence] = {}
    for position, sentence in enumerate(new):
        ids = set(ids_in(sentence.text))
        partner = next((one for one in left if ids & set(one.ids)), None)
        if partner is not None:
            partners[position] = partner
            left.remove(partner)
    for position, sentence in enumerate(new):
        yield partners.get(position) or (left.pop(0) if left else None), sentence
    yield from ((one, None) for one in left)


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
    gone = [hash for hash in requirement.sentences if hash not in drift.present]
    if len(gone) < len(requirement.sentences):
        gone = [hash for hash in gone if hash not in drift.of_other_versions]
    if requirement.id in drift.gone_ids or any(not drift.replacements(hash) for hash in gone):
        return "orphaned"
    differs = (one for one in drift.changes if drift.has_lock and one.kind in ("changed", "moved", "headed"))
    is_changed = any(not one.hashes.isdisjoint(requirement.sentences) for one in differs)
    return "outdated" if gone or is_changed else "current"

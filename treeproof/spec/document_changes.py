"""The differences between the confirmed sentences of a document and its present text.

A catalogue and its lock contain hashes, not sentences. So what a sentence was before is unknown here; what has come to
its place is found by its neighbours and by the ids that both contain.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from treeproof.spec.catalogue import Pack
from treeproof.spec.sentence_lock import LockedSentence, ids_in, lock_sentence, read_lock
from treeproof.spec.source_document import DocumentSentence

# changed   another sentence is in its place
# removed   it is gone
# added     no confirmed sentence was there
# moved     the same sentence, at another place
# headed    the same sentence at the same place, below another heading
# kept      no difference
ChangeKind = Literal["changed", "removed", "added", "moved", "headed", "kept"]

_NORMATIVE = re.compile(
    r"\b(?:must|shall|should|required|recommended)\b|必须|必需|应当|应该|不应|不得|禁止|不允许|须|(?<![适反响对])应(?![用答])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceChange:
    """A confirmed sentence and the present one at its place. One of both is None if it is added or removed."""

    old: LockedSentence | None
    new: DocumentSentence | None

    @property
    def kind(self) -> ChangeKind:
        if self.old is None or self.new is None:
            return "added" if self.old is None else "removed"
        if self.old.hash != self.new.hash:
            return "changed"
        return "kept" if lock_sentence(self.new).heading == self.old.heading else "headed"


@dataclass(frozen=True)
class DocumentDrift:
    """All sentences of a document beside the confirmed ones. `has_lock`: None was confirmed if it is False."""

    changes: tuple[SentenceChange, ...]
    moved: frozenset[str]
    has_lock: bool
    present: frozenset[str]
    present_ids: frozenset[str]

    def kind_of(self, change: SentenceChange) -> ChangeKind:
        """Return the kind of a change; the two halves of a move are both `moved`."""
        one = change.new or change.old
        return "moved" if one is not None and one.hash in self.moved and change.kind != "kept" else change.kind

    @property
    def is_confirmed(self) -> bool:
        """Return whether the document has the confirmed sentences, in their order, and no others."""
        return self.has_lock and all(change.kind == "kept" for change in self.changes)

    def replacements(self, hash: str) -> tuple[DocumentSentence, ...]:
        """Return the sentences that have come to the places of a confirmed one that is gone."""
        if hash in self.present:
            return ()
        return tuple(
            change.new
            for change in self.changes
            if change.old is not None and change.old.hash == hash and change.new is not None
        )


def find_drift(pack: Pack, sentences: Sequence[DocumentSentence]) -> DocumentDrift:
    """Compare the lock of a pack with the sentences of a document. Raises UsageError for a broken lock."""
    lock = read_lock(pack)
    changes = tuple(_align(lock or (), sentences))
    removed = {one.old.hash for one in changes if one.old is not None and one.kind in ("removed", "changed")}
    added = {one.new.hash for one in changes if one.new is not None and one.kind in ("added", "changed")}
    return DocumentDrift(
        changes,
        frozenset(removed & added),
        lock is not None,
        frozenset(sentence.hash for sentence in sentences),
        frozenset(id for sentence in sentences for id in ids_in(sentence.text)),
    )


def _align(lock: Sequence[LockedSentence], sentences: Sequence[DocumentSentence]) -> Iterator[SentenceChange]:
    matcher = SequenceMatcher(None, [one.hash for one in lock], [one.hash for one in sentences], autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from map(SentenceChange, lock[start:end], sentences[new_start:new_end])
        else:
            yield from _pair(lock[start:end], sentences[new_start:new_end])


def _pair(old: Sequence[LockedSentence], new: Sequence[DocumentSentence]) -> Iterator[SentenceChange]:
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
        partner = partners.get(position) or (left.pop(0) if left else None)
        yield SentenceChange(partner, sentence)
    yield from (SentenceChange(one, None) for one in left)


def needs_requirement(sentence: DocumentSentence, catalogue_ids: Collection[str]) -> bool:
    """Return whether a sentence demands something, or has an unknown id that is like those of the catalogue."""
    families = {id.partition("-")[0] for id in catalogue_ids}
    unknown = (id for id in ids_in(sentence.text) if id not in catalogue_ids and id.partition("-")[0] in families)
    return bool(_NORMATIVE.search(sentence.text)) or next(unknown, None) is not None

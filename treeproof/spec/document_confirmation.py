"""Confirms that a catalogue agrees with the present text of its document: new hashes in spec.toml and in the lock."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from treeproof.errors import UsageError, suggest
from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.document_trace import DocumentDrift, SentenceChange, find_drift
from treeproof.spec.lint_document import quote
from treeproof.spec.locks import LockedSentence, format_lock, hashes_of_other_versions, lock_sentence
from treeproof.spec.pack_versions import holds

_HASH = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Confirmation:
    """The new text of spec.toml and of the lock, and one line for each thing that was confirmed.

    `is_complete`: every sentence of the document is confirmed now, so that spec.toml has its SHA-256.
    """

    catalogue: str
    lock: str
    lines: tuple[str, ...]
    is_complete: bool


def confirm(pack: Pack, document: Path, names: Sequence[str]) -> Confirmation:
    """Confirm the requirements and sentences in ``names``; without names, the sentences that demand nothing.

    A name is the id of a requirement or the hash of a sentence. Raises UsageError for a name with nothing to confirm.
    """
    confirmer = _Confirmer(find_drift(pack, document))
    for name in names:
        if _HASH.fullmatch(name):
            confirmer.confirm_sentence(name)
        else:
            confirmer.confirm_requirement(pack.requirement(name))
    if not names:
        confirmer.confirm_what_demands_nothing()
    return confirmer.result()


class _Confirmer:
    """Collects the changes of a document that are confirmed, and the hashes that replace others in a catalogue."""

    def __init__(self, drift: DocumentDrift) -> None:
        self._drift, self._pack, self._document = drift, drift.pack, drift.document
        self._changes = [change for change in drift.changes if change.kind != "kept"]
        self._replaced: dict[str, dict[str, tuple[str, ...]]] = {}
        self._confirmed: list[SentenceChange] = []
        self._lines: list[str] = []

    def confirm_requirement(self, requirement: Requirement) -> None:
        for hash in requirement.sentences:
            if hash in self._drift.present:
                continue
            replacements = tuple(one.hash for one in self._drift.replacements(hash))
            if not replacements:
                raise UsageError(
                    f"{requirement.id}: its sentence {hash} is not in {self._document} and nothing is in its place; "
                    f"name another in `sentences` in {self._pack.pack_file}"
                )
            self._replaced.setdefault(requirement.id, {})[hash] = replacements
        found = [change for change in self._changes if change.hashes.intersection(requirement.sentences)]
        if not found:
            raise UsageError(f"{requirement.id}: nothing of it has changed in {self._document}; leave it out")
        self._confirmed += found
        new = [change.new for change in found if change.new is not None]
        self._lines += [f"{requirement.id}: {one.hash} {quote(one.text)}" for one in new]

    def confirm_sentence(self, hash: str) -> None:
        found = [change for change in self._changes if hash in change.hashes]
        if not found:
            new = [change.new.hash for change in self._changes if change.new is not None]
            fix = suggest(hash, new) if new else "everything is confirmed"
            raise UsageError(f"{hash}: no new or changed sentence of {self._document} has this hash; {fix}")
        self._confirmed += found
        self._lines.append(f"{hash} {_quoted(found[-1])}")

    def confirm_what_demands_nothing(self) -> None:
        """Confirm all changes except those of requirements, and new sentences that demand something."""
        for change in self._changes:
            unnamed = self._drift.unnamed(change)
            # Without a lock, a sentence that a requirement names is confirmed.
            is_named = self._drift.has_lock and not change.hashes.isdisjoint(self._drift.naming)
            if not self._drift.demands(unnamed) if unnamed is not None else not is_named:
                self._confirmed.append(change)
                self._lines += [_quoted(change)] if self._drift.has_lock else []

    def result(self) -> Confirmation:
        lock = list(self._locked())
        is_complete = lock == [lock_sentence(sentence) for sentence in self._drift.sentences]
        digest = hashlib.sha256(self._document.read_bytes()).hexdigest() if is_complete else self._pack.sha256
        text = self._pack.pack_file.read_text(encoding="utf-8")
        if self._replaced or digest != self._pack.sha256:
            text = _edit(text, self._pack, digest, self._replaced)
        return Confirmation(text, format_lock(self._pack.source, lock), tuple(self._lines), is_complete)

    def _locked(self) -> Iterator[LockedSentence]:
        confirmed = set(map(id, self._confirmed))
        for change in self._drift.changes:
            if change.kind == "kept" or (id(change) in confirmed and not self._is_still_named(change.old)):
                if change.new is not None:
                    yield lock_sentence(change.new)
            elif change.old is not None:
                yield change.old

    def _is_still_named(self, old: LockedSentence | None) -> bool:
        """Return whether a requirement that is not confirmed names the sentence that is gone."""
        return (
            old is not None
            and old.hash not in self._drift.present
            and any(old.hash not in self._replaced.get(one.id, ()) for one in self._drift.naming.get(old.hash, ()))
        )


def _quoted(change: SentenceChange) -> str:
    return quote(change.new.text) if change.new is not None else "a sentence that is gone"


def _edit(text: str, pack: Pack, digest: str, replaced: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """Return the text of spec.toml with another digest and other hashes; comments and layout stay.

    A requirement keeps the hash of a sentence that the document of another version contains.
    """
    root: Any = tomlkit.parse(text)
    earlier = [table for table in root.get("version", ()) if table.get("version") == pack.version]
    (earlier[0] if earlier and not pack.is_newest else root["spec"])["sha256"] = digest
    kept = hashes_of_other_versions(pack)
    for table in (one for one in root["requirement"] if holds(one, pack.version, pack.versions)):
        for old, new in replaced.get(str(table["id"]), {}).items():
            sentences = table["sentences"]
            at = list(sentences).index(old)
            others = [hash for hash in new if hash not in sentences]
            if old in kept:
                at += 1
            else:
                del sentences[at]
            for offset, hash in enumerate(others):
                sentences.insert(at + offset, hash)
    return tomlkit.dumps(root)

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
from treeproof.spec.document_changes import DocumentDrift, SentenceChange, find_drift, needs_requirement
from treeproof.spec.lint_document import is_unnamed, quote, requirements_by_sentence
from treeproof.spec.pack_versions import holds
from treeproof.spec.sentence_lock import LockedSentence, format_lock, hashes_of_other_versions, lock_sentence
from treeproof.spec.source_document import read_sentences

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
    drift = find_drift(pack, read_sentences(document))
    confirmer = _Confirmer(pack, document, drift)
    for name in names:
        confirmer.confirm_named(name)
    if not names:
        confirmer.confirm_what_demands_nothing()
    return confirmer.result()


class _Confirmer:
    def __init__(self, pack: Pack, document: Path, drift: DocumentDrift) -> None:
        self._pack, self._document, self._drift = pack, document, drift
        self._naming = requirements_by_sentence(pack)
        self._replaced: dict[str, dict[str, tuple[str, ...]]] = {}
        self._confirmed: set[int] = set()
        self._lines: list[str] = []

    def confirm_named(self, name: str) -> None:
        if _HASH.fullmatch(name):
            self._confirm_sentence(name)
        else:
            self._confirm_requirement(self._pack.requirement(name))

    def _confirm_requirement(self, requirement: Requirement) -> None:
        changes = [
            (at, change)
            for at, change in enumerate(self._drift.changes)
            if change.kind != "kept" and self._concerns(change, requirement)
        ]
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
        if not changes:
            raise UsageError(f"{requirement.id}: nothing of it has changed in {self._document}; leave it out")
        for at, change in changes:
            self._confirmed.add(at)
            if change.new is not None:
                self._lines.append(f"{requirement.id}: {change.new.hash} {quote(change.new.text)}")

    def _concerns(self, change: SentenceChange, requirement: Requirement) -> bool:
        return any(one is not None and one.hash in requirement.sentences for one in (change.old, change.new))

    def _confirm_sentence(self, hash: str) -> None:
        found = [
            at
            for at, change in enumerate(self._drift.changes)
            if change.kind != "kept" and any(one is not None and one.hash == hash for one in (change.old, change.new))
        ]
        if not found:
            new = [one.new.hash for one in self._drift.changes if one.new is not None and one.kind != "kept"]
            fix = suggest(hash, new) if new else "everything is confirmed"
            raise UsageError(f"{hash}: no new or changed sentence of {self._document} has this hash; {fix}")
        self._confirmed.update(found)
        self._lines.append(f"{hash} {self._quoted(found[-1])}")

    def confirm_what_demands_nothing(self) -> None:
        """Confirm all changes except those of requirements, and new sentences that demand something."""
        ids = {requirement.id for requirement in self._pack.requirements} | {one.id for one in self._pack.retired}
        for at, change in enumerate(self._drift.changes):
            if change.kind == "kept":
                continue
            if change.new is not None and is_unnamed(change, self._drift, self._naming):
                is_free = not needs_requirement(change.new, ids)
            else:
                is_free = not self._is_named(change)
            if is_free:
                self._confirmed.add(at)
                if self._drift.has_lock:
                    self._lines.append(self._quoted(at))

    def _is_named(self, change: SentenceChange) -> bool:
        """Return whether a requirement names the sentence. Without a lock, a sentence that it names is confirmed."""
        if not self._drift.has_lock:
            return False
        return any(one is not None and one.hash in self._naming for one in (change.old, change.new))

    def _quoted(self, at: int) -> str:
        change = self._drift.changes[at]
        return quote(change.new.text) if change.new is not None else "a sentence that is gone"

    def result(self) -> Confirmation:
        lock = list(self._locked())
        present = [lock_sentence(change.new) for change in self._drift.changes if change.new is not None]
        is_complete = lock == present
        digest = hashlib.sha256(self._document.read_bytes()).hexdigest() if is_complete else self._pack.sha256
        text = self._pack.pack_file.read_text(encoding="utf-8")
        if self._replaced or digest != self._pack.sha256:
            text = _edit(text, self._pack, digest, self._replaced)
        return Confirmation(text, format_lock(self._pack.source, lock), tuple(self._lines), is_complete)

    def _locked(self) -> Iterator[LockedSentence]:
        for at, change in enumerate(self._drift.changes):
            if (at in self._confirmed and not self._is_still_named(change)) or change.kind == "kept":
                if change.new is not None:
                    yield lock_sentence(change.new)
            elif change.old is not None:
                yield change.old

    def _is_still_named(self, change: SentenceChange) -> bool:
        """Return whether a requirement that is not confirmed names the sentence that is gone."""
        old = change.old
        return (
            old is not None
            and old.hash not in self._drift.present
            and any(old.hash not in self._replaced.get(one.id, ()) for one in self._naming.get(old.hash, ()))
        )


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

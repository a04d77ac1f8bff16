"""Confirms that a catalogue agrees with the present text of its document: new hashes in spec.toml and in the lock."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from treeproof.errors import UsageError, suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.document_trace import DocumentDrift, Named, find_drift
from treeproof.spec.lint_document import confirm_command, quote
from treeproof.spec.lint_places import item_line, spec_line
from treeproof.spec.locks import LockedSentence, format_lock, lock_sentence
from treeproof.spec.sentence_changes import SentenceChange

_HASH = re.compile(r"[0-9a-f]{12}")
_LIST = re.compile(r"""\[(?:[^]"'#]|"[^"\n]*"|'[^'\n]*'|#[^\n]*)*\]""")

Replacements = Mapping[str, Sequence[str]]
"""The hashes that come to the place of each hash in the `sentences` of a requirement; none if it is only removed."""


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
    """Confirm what ``names`` contains; without names, the sentences that demand nothing.

    A name is the id of a requirement or an interpretation, a topic, or the hash of a sentence. The first time, what
    demands nothing is confirmed in any case, so that the lock is whole. Raises UsageError for a name with nothing to
    confirm.
    """
    confirmer = _Confirmer(find_drift(pack, document))
    for name in names:
        if _HASH.fullmatch(name):
            confirmer.confirm_sentence(name)
        else:
            confirmer.confirm_named(name)
    if not (names and confirmer.drift.has_lock):
        confirmer.confirm_what_demands_nothing()
    return confirmer.result()


class _Confirmer:
    """Collects the changes of a document that are confirmed, and the hashes that replace others in a catalogue."""

    def __init__(self, drift: DocumentDrift) -> None:
        self.drift, self._pack, self._document = drift, drift.pack, drift.document
        self._changes = [one for one in drift.changes if one.kind != "kept" or drift.unnamed(one) is not None]
        self._replaced: dict[Named, dict[str, Sequence[str]]] = {}
        self._confirmed: set[SentenceChange] = set()
        self._lines: list[str] = []

    def confirm_named(self, name: str) -> None:
        """Confirm what the table with an id or a topic rests on. Raises UsageError if nothing of it has changed."""
        named = next((one for one in self.drift.named if one.id == name), None)
        if named is None:
            raise UsageError(f"{name}: {suggest(name, [one.id for one in self.drift.named])}")
        found = [change for change in self._changes if _hashes(change).intersection(named.sentences)]
        if self.drift.has_lock and not found:
            raise UsageError(f"{name}: nothing of it has changed in {self._document}; leave it out")
        for change in found:
            if named in self.drift.resting_on(change):
                self._replace(named, change)
        replaced = self._replaced.get(named, {})
        if self.drift.present.isdisjoint(chain.from_iterable(replaced.get(one, [one]) for one in named.sentences)):
            raise UsageError(
                f"{name}: none of its sentences is in {self._document} and nothing is in their place; "
                f"name another in `sentences` in {self._pack.pack_file}"
            )
        self._confirmed.update(found)
        self._lines += [f"{name}: {_quoted(change)}" for change in found]

    def confirm_sentence(self, hash: str) -> None:
        found = [change for change in self._changes if hash in _hashes(change)]
        if not found:
            new = [change.new.hash for change in self._changes if change.new is not None]
            fix = suggest(hash, new) if new else "everything is confirmed"
            raise UsageError(f"{hash}: no new or changed sentence of {self._document} has this hash; {fix}")
        if resting := list(dict.fromkeys(one.id for change in found for one in self.drift.resting_on(change))):
            command = confirm_command(self.drift, *resting)
            raise UsageError(f"{hash}: {', '.join(resting)} names it; write: {command}")
        self._confirmed.update(found)
        self._lines += map(_quoted, found)

    def confirm_what_demands_nothing(self) -> None:
        """Confirm all changes except those of requirements, and new sentences that demand something."""
        found = [
            change for change in self._changes if self.drift.needs_nobody(change) and change not in self._confirmed
        ]
        self._confirmed.update(found)
        if self.drift.has_lock:
            gone = sum(change.new is None for change in found)
            self._lines += [_quoted(change) for change in found if change.new is not None or gone == 1]
            self._lines += [f"{gone} sentences that are gone"] if gone > 1 else []

    def result(self) -> Confirmation:
        lock = list(self._locked(self._written()))
        is_complete = lock == [lock_sentence(sentence) for sentence in self.drift.sentences]
        text = self._pack.pack_file.read_bytes().decode()  # with its line breaks
        for named, replaced in self._replaced.items():
            line = item_line(self._pack, named.heading, named.id, "sentences")
            text = _edit(text, line, replaced, self.drift.elsewhere)
        if is_complete:
            digest = hashlib.sha256(self._document.read_bytes()).hexdigest()
            lines = text.splitlines(keepends=True)
            at = spec_line(self._pack, "sha256") - 1
            lines[at] = lines[at].replace(self._pack.sha256, digest)
            text = "".join(lines)
        return Confirmation(text, format_lock(self._pack.source, lock), tuple(self._lines), is_complete)

    def _replace(self, named: Named, change: SentenceChange) -> None:
        new = [change.new.hash] if change.new is not None else []
        if change.old is not None and change.old.hash not in new:
            self._replaced.setdefault(named, {})[change.old.hash] = new

    def _written(self) -> set[SentenceChange]:
        """Return the changes whose new state the lock has from now on; replace hashes that differ by a number only.

        A change stays if a requirement still names its old hash, and if another old sentence that stays has its hash.
        """
        written = {change for change in self.drift.changes if change.kind == "kept" or change in self._confirmed}
        written -= {change for change in written if self._is_still_named(change)}
        while True:
            stay = {one.old.hash for one in self.drift.changes if one.old is not None and one not in written}
            collisions = {one for one in written if one.new is not None and one.new.hash in stay}
            if not collisions:
                break
            written -= collisions
        for change in written:
            if change.kind == "kept" and change.old is not None:
                for named in self.drift.naming.get(change.old.hash, ()):
                    self._replace(named, change)
        return written

    def _is_still_named(self, change: SentenceChange) -> bool:
        """Return whether a requirement that is not confirmed names a hash that the document does not have there."""
        return (
            change.old is not None
            and (change.new is None or change.new.hash != change.old.hash)
            and any(change.old.hash not in self._replaced.get(one, ()) for one in self.drift.resting_on(change))
        )

    def _is_free(self, change: SentenceChange) -> bool:
        """Return whether a sentence that is written is confirmed to demand nothing, although it has such words."""
        new = self.drift.unnamed(change)
        if new is not None:
            return change in self._confirmed and self.drift.demands(new)
        was_free = change.old is not None and change.old.is_free
        return was_free and change.new is not None and not self.drift.is_named(change.new.hash)

    def _locked(self, written: set[SentenceChange]) -> Iterator[LockedSentence]:
        for slot in self.drift.slots:
            change = slot.change
            if change in written:
                if slot.has_new and change.new is not None:
                    yield lock_sentence(change.new, is_free=self._is_free(change))
            elif slot.has_old and change.old is not None:
                yield change.old


def _hashes(change: SentenceChange) -> set[str]:
    return {one.hash for one in (change.old, change.new) if one is not None}


def _quoted(change: SentenceChange) -> str:
    return f"{change.new.hash} {quote(change.new.text)}" if change.new is not None else "a sentence that is gone"


def _edit(text: str, line: int, replaced: Replacements, kept: Collection[str]) -> str:
    """Return the text of spec.toml with other hashes in the list at a line; all else stays.

    A hash that the lock of another version contains (``kept``) stays beside the new one.
    """
    start = sum(map(len, text.splitlines(keepends=True)[: line - 1]))
    listed = _LIST.search(text, start)
    if listed is None:
        raise UsageError(f"line {line} has no list of sentences; write {dict(replaced)} by hand")
    present = {hash for hash in _HASH.findall(listed[0]) if hash not in replaced or hash in kept}

    def replace(match: re.Match[str]) -> str:
        new = [match[1]] if match[1] in kept else []
        new += [hash for hash in replaced[match[1]] if hash not in present]
        present.update(new)
        return ", ".join(f'"{hash}"' for hash in new) + (match[2] if new else "")

    edited = re.sub(rf"""["']({"|".join(replaced)})["']([ \t]*,[ \t]*|)""", replace, listed[0])
    return text[: listed.start()] + re.sub(r",[ \t]*\]$", "]", edited) + text[listed.end() :]

"""Diagnostics on a catalogue and the document that it restates: what has changed since the document was confirmed."""

from __future__ import annotations

import hashlib
import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.document_changes import DocumentDrift, SentenceChange, find_drift, needs_requirement
from treeproof.spec.packs import command_name
from treeproof.spec.sentence_lock import hashes_of_other_versions, lock_file, lock_sentence
from treeproof.spec.source_document import DocumentSentence, read_sentences

_MAX_QUOTE = 100  # characters
_SECTION_NUMBER = re.compile(r"(?:^|[;,])\s*(\d+(?:\.\d+)*)\b")
_HEADING_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def find_document(pack: Pack) -> Path | None:
    """Return the document that lies beside the catalogue under the name that `source` gives, or None."""
    beside = pack.folder / pack.source
    return beside if beside.is_file() else None


def pack_of_document(packs: Sequence[Pack], document: Path) -> Pack:
    """Return the pack that restates a document: the only one, or the one whose `source` has its name.

    Of several versions with this name, the one with the hash of the document, or else the last.
    Raises UsageError if there is none, or more than one specification.
    """
    found = packs if len(packs) == 1 else [pack for pack in packs if pack.source == document.name]
    if len(found) > 1 and len({pack.folder for pack in found}) == 1:
        digest = hashlib.sha256(document.read_bytes()).hexdigest()
        found = [next((pack for pack in found if pack.sha256 == digest), found[-1])]
    if len(found) != 1:
        known = ", ".join(f"{pack.name}@{pack.version} restates {pack.source}" for pack in packs)
        raise UsageError(f"{document}: select one specification for it; {known}")
    return found[0]


def lint_document(pack: Pack, document: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics on what the document does not contain, and on what the catalogue does not. Raises UsageError.

    `outdated`: words or a place have changed. `orphaned`: they are gone. `uncovered`: nothing names a new sentence.
    """
    sentences = read_sentences(document)
    drift = find_drift(pack, sentences)
    naming = requirements_by_sentence(pack)
    yield from _lint_requirements(pack, document, drift, naming)
    yield from _lint_places(pack, document, drift, naming)
    yield from _lint_ids(pack, document, drift)
    yield from _lint_sections(pack, document, sentences)
    yield from _lint_sentences(pack, document, drift, naming)
    yield from _lint_digest(pack, document, drift)


def requirements_by_sentence(pack: Pack) -> Mapping[str, Sequence[Requirement]]:
    """Return the requirements that name each sentence, by its hash."""
    naming: dict[str, list[Requirement]] = {}
    for requirement in pack.requirements:
        for sentence in requirement.sentences:
            naming.setdefault(sentence, []).append(requirement)
    return naming


def quote(text: str) -> str:
    """Return a sentence in quotation marks, cut at a word."""
    return f'"{textwrap.shorten(text, _MAX_QUOTE, placeholder=" …")}"'


def confirm_command(pack: Pack, name: str, document: Path) -> str:
    """Return the command that confirms a requirement or a sentence; without a name, what demands nothing."""
    words = ["treeproof", "confirm", *name.split(), "--spec", command_name(pack)]
    if find_document(pack) != document:
        words += ["--document", str(document)]
    return shlex.join(words)


def _lint_requirements(
    pack: Pack, document: Path, drift: DocumentDrift, naming: Mapping[str, Sequence[Requirement]]
) -> Iterator[Diagnostic]:
    """Yield diagnostics on requirements of which a sentence has other words, is gone, or never existed."""
    confirmed_here = {change.old.hash for change in drift.changes if change.old is not None}
    others = hashes_of_other_versions(pack) - confirmed_here
    for hash, requirements in naming.items():
        if hash in drift.present:
            continue
        if hash in others:  # a requirement of several versions names the sentences of each
            requirements = [one for one in requirements if not drift.present.intersection(one.sentences)]
        confirmed = any(change.old is not None and change.old.hash == hash for change in drift.changes)
        replacements = drift.replacements(hash)
        for requirement in requirements:
            name = document.name
            if replacements:
                now = " and ".join(f"{quote(one.text)} ({name}:{one.line})" for one in replacements)
                message = (
                    f"{requirement.id}: its sentence {hash} is now {now}; correct the requirement and its scenarios "
                    f"if the meaning has changed, then write: {confirm_command(pack, requirement.id, document)}; "
                    "if the rule is withdrawn, write `until` or move it to [[retired]]"
                )
                yield Diagnostic(pack.pack_file, 0, "outdated", message)
            elif confirmed:
                message = (
                    f"{requirement.id}: its sentence {hash} is gone from {name}; name another in `sentences`, "
                    "or move the requirement to [[retired]]"
                )
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)
            else:
                message = (
                    f"{requirement.id}: no sentence of {name} has the hash {hash}; "
                    "`treeproof list sentences --document FILE` prints all of them"
                )
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)


def _lint_places(
    pack: Pack, document: Path, drift: DocumentDrift, naming: Mapping[str, Sequence[Requirement]]
) -> Iterator[Diagnostic]:
    """Yield diagnostics on sentences at another place or below another heading, one for each pair of headings."""
    old_headings = {one.old.hash: one.old.heading for one in drift.changes if one.old is not None}
    below: dict[tuple[str, str, bool], list[str]] = {}
    for change in drift.changes:
        kind = drift.kind_of(change)
        if change.new is None or kind not in ("moved", "headed"):
            continue
        headings = (old_headings[change.new.hash], lock_sentence(change.new).heading, kind == "moved")
        ids = [requirement.id for requirement in naming.get(change.new.hash, ())]
        below.setdefault(headings, []).extend(ids or [change.new.hash])
    for (old, new, is_moved), names in below.items():
        listed = " ".join(dict.fromkeys(names))
        what = f'below "{new}" in another order' if old == new else f'below "{new}", no longer below "{old}"'
        verb = "moved" if is_moved else "are"
        command = confirm_command(pack, listed, document)
        message = f"{listed}: sentences {verb} {what}; correct `section`, then write: {command}"
        yield Diagnostic(pack.pack_file, 0, "outdated", message)


def _lint_ids(pack: Pack, document: Path, drift: DocumentDrift) -> Iterator[Diagnostic]:
    confirmed = {id for change in drift.changes if change.old is not None for id in change.old.ids}
    for requirement in pack.requirements:
        if requirement.id in confirmed - drift.present_ids:
            message = f"{requirement.id}: {document.name} no longer contains this id; move it to [[retired]]"
            yield Diagnostic(pack.pack_file, 0, "orphaned", message)


def _lint_sections(pack: Pack, document: Path, sentences: Sequence[DocumentSentence]) -> Iterator[Diagnostic]:
    """Yield diagnostics on numbers of sections that no heading has, if headings have numbers."""
    headings = {heading for sentence in sentences for heading in sentence.headings}
    numbers = {found[0] for heading in headings if (found := _HEADING_NUMBER.match(heading))}
    if not numbers:
        return
    for requirement in pack.requirements:
        for number in _SECTION_NUMBER.findall(requirement.section):
            if number not in numbers:
                message = (
                    f'{requirement.id}: section is "{requirement.section}", and no heading of {document.name} has the '
                    f"number {number}; write one of: {', '.join(sorted(numbers, key=_numeric))}"
                )
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)


def _numeric(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def _lint_sentences(
    pack: Pack, document: Path, drift: DocumentDrift, naming: Mapping[str, Sequence[Requirement]]
) -> Iterator[Diagnostic]:
    """Yield notes on new sentences that no requirement names; without a lock, only on those that demand something."""
    ids = {requirement.id for requirement in pack.requirements} | {one.id for one in pack.retired}
    for change in drift.changes:
        if is_unnamed(change, drift, naming):
            assert change.new is not None
            demands = needs_requirement(change.new, ids)
            if demands or drift.has_lock:
                what = "demands something, and no requirement names it" if demands else "is new"
                message = (
                    f"{quote(change.new.text)} {what}; write a requirement with "
                    f'sentences = ["{change.new.hash}"], or: {confirm_command(pack, change.new.hash, document)}'
                )
                yield Diagnostic(document, change.new.line, "uncovered", message)


def is_unnamed(change: SentenceChange, drift: DocumentDrift, naming: Mapping[str, Sequence[Requirement]]) -> bool:
    """Return whether a change contains a new sentence that no requirement names, also not by the old one's hash."""
    if change.new is None or drift.kind_of(change) not in ("added", "changed") or change.new.hash in naming:
        return False
    return change.old is None or change.old.hash in drift.present or change.old.hash not in naming


def _lint_digest(pack: Pack, document: Path, drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield a diagnostic on another document than the confirmed one. Other line breaks and marks are no difference."""
    digest = hashlib.sha256(document.read_bytes()).hexdigest()
    if drift.is_confirmed or (digest == pack.sha256 and not drift.has_lock):
        return
    command = confirm_command(pack, "", document)
    if not drift.has_lock:
        message = (
            f"[spec]: sha256 is not that of {document}; if the catalogue restates it, write: {command}, "
            f"which writes {lock_file(pack).name} too"
        )
    else:
        kinds = [drift.kind_of(change) for change in drift.changes]
        counts = [(kind, kinds.count(kind)) for kind in ("changed", "added", "removed")]
        counts += [("moved", kinds.count("moved") // 2), ("below another heading", kinds.count("headed"))]
        summary = ", ".join(f"{count} {kind}" for kind, count in counts if count)
        message = (
            f"[spec]: the sentences of {document.name} are not the confirmed ones ({summary}); "
            f"confirm each, and all that demands nothing with: {command}"
        )
    yield Diagnostic(pack.pack_file, 0, "outdated", message)

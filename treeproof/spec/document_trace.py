"""The state of each requirement of a catalogue towards the present text of its document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.document_changes import DocumentDrift, find_drift, needs_requirement
from treeproof.spec.lint_document import is_unnamed, requirements_by_sentence
from treeproof.spec.sentence_lock import hashes_of_other_versions
from treeproof.spec.source_document import DocumentSentence, read_sentences

# current    the document has its sentences, at the confirmed places
# outdated   words or a place have changed, and this is not confirmed
# orphaned   a sentence or its id is gone
# unnamed    it names no sentence
DocumentState = Literal["current", "outdated", "orphaned", "unnamed"]


@dataclass(frozen=True)
class DocumentTrace:
    """The states by requirement id, and the sentences that demand something and that no requirement names."""

    document: Path
    states: Mapping[str, DocumentState]
    uncovered: tuple[DocumentSentence, ...]


def trace_document(pack: Pack, document: Path) -> DocumentTrace:
    """Compare a catalogue with a document. Raises UsageError for a document or a lock that cannot be read."""
    drift = find_drift(pack, read_sentences(document))
    confirmed_ids = {id for change in drift.changes if change.old is not None for id in change.old.ids}
    changed = {
        one.hash
        for change in drift.changes
        if drift.has_lock and drift.kind_of(change) in ("changed", "moved", "headed")
        for one in (change.old, change.new)
        if one is not None
    }
    ids = {requirement.id for requirement in pack.requirements}
    naming, others = (
        requirements_by_sentence(pack),
        hashes_of_other_versions(pack) - {one.old.hash for one in drift.changes if one.old is not None},
    )
    return DocumentTrace(
        document,
        {one.id: _state(one, drift, changed, confirmed_ids - drift.present_ids, others) for one in pack.requirements},
        tuple(
            change.new
            for change in drift.changes
            if change.new is not None and is_unnamed(change, drift, naming) and needs_requirement(change.new, ids)
        ),
    )


def _state(
    requirement: Requirement, drift: DocumentDrift, changed: set[str], gone_ids: set[str], others: frozenset[str]
) -> DocumentState:
    if not requirement.sentences:
        return "unnamed"
    gone = [hash for hash in requirement.sentences if hash not in drift.present]
    if len(gone) < len(requirement.sentences):  # a requirement of several versions names the sentences of each
        gone = [hash for hash in gone if hash not in others]
    if requirement.id in gone_ids or any(not drift.replacements(hash) for hash in gone):
        return "orphaned"
    return "outdated" if gone or changed.intersection(requirement.sentences) else "current"

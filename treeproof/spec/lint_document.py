"""Diagnostics on a catalogue and the document that it restates: the document's hash, and the sentences it names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.source_document import read_sentences


def lint_document(pack: Pack, document: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics on another document, and on sentences that it does not contain. Raises UsageError."""
    known = {sentence.hash for sentence in read_sentences(document)}
    digest = hashlib.sha256(document.read_bytes()).hexdigest()
    if digest != pack.sha256:
        message = f'[spec]: sha256 is not that of {document}; if the catalogue restates it, write sha256 = "{digest}"'
        yield Diagnostic(pack.pack_file, 0, "outdated", message)
    for requirement in pack.requirements:
        for sentence in requirement.sentences:
            if sentence not in known:
                message = (
                    f"{requirement.id}: no sentence of {document.name} has the hash {sentence}; "
                    "`treeproof list sentences --document FILE` prints all of them"
                )
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)

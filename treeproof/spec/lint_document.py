"""Diagnostics on a catalogue and the document that it restates: what has changed since the document was confirmed."""

from __future__ import annotations

import hashlib
import re
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.document_trace import DocumentDrift, find_drift
from treeproof.spec.levels import level_of, levels_in
from treeproof.spec.lint_places import spec_line
from treeproof.spec.locks import lock_file, lock_sentence
from treeproof.spec.packs import command_name
from treeproof.spec.source_document import read_sentences

Problem = tuple[DiagnosticCode, str]

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
    drift = find_drift(pack, document)
    if problem := _problem_of_sections(drift):
        yield Diagnostic(pack.pack_file, spec_line(pack, "sections"), "orphaned", problem)
        return
    problems = (
        *_lint_requirements(drift),
        *_lint_levels(drift),
        *_lint_places(drift),
        *_lint_ids(drift),
        *_lint_digest(drift),
    )
    yield from (Diagnostic(pack.pack_file, 0, code, message) for code, message in problems)
    yield from _lint_sentences(drift)


def quote(text: str) -> str:
    """Return a sentence in quotation marks, cut at a word."""
    return f'"{textwrap.shorten(text, _MAX_QUOTE, placeholder=" …")}"'


def confirm_command(drift: DocumentDrift, name: str) -> str:
    """Return the command that confirms a requirement or a sentence; without a name, what demands nothing."""
    words = ["treeproof", "confirm", *name.split(), "--spec", command_name(drift.pack)]
    if find_document(drift.pack) != drift.document:
        words += ["--document", str(drift.document)]
    return shlex.join(words)


def _problem_of_sections(drift: DocumentDrift) -> str:
    """Return the problem of a section that is to be compared and that the document does not have; "" without one."""
    present = {heading for sentence in drift.sentences for heading in sentence.headings}
    gone = [f'"{section}"' for section in drift.pack.sections if section not in present]
    if not gone:
        return ""
    known = dict.fromkeys(heading for sentence in read_sentences(drift.document) for heading in sentence.headings)
    listed = ", ".join(f'"{heading}"' for heading in known)
    return f"[spec]: sections names {', '.join(gone)}, no heading of {drift.document.name}; write one of: {listed}"


def _lint_levels(drift: DocumentDrift) -> Iterator[Problem]:
    """Yield notes on texts with the word of one level whose sentences have those of others: it can be the default."""
    texts = {sentence.hash: sentence.text for sentence in drift.sentences}
    for one in drift.pack.requirements:
        levels = frozenset[str]().union(*(levels_in(texts[hash]) for hash in one.sentences if hash in texts))
        if levels and one.level not in levels and level_of(one.text) == one.level:
            what = (
                f"its text has the word of {one.level}, and its sentences have those of {' and '.join(sorted(levels))}"
            )
            yield "doubtful", f"{one.id}: {what}; correct the text"


def _lint_requirements(drift: DocumentDrift) -> Iterator[Problem]:
    """Yield problems of requirements of which a sentence has other words, is gone, or never existed."""
    name = drift.document.name
    for hash, requirements in drift.naming.items():
        if hash in drift.present:
            continue
        replacements = drift.replacements(hash)
        now = " and ".join(f"{quote(one.text)} ({name}:{one.line})" for one in replacements)
        for requirement in requirements:
            if hash in drift.of_other_versions and drift.present.intersection(requirement.sentences):
                continue
            if replacements:
                yield (
                    "outdated",
                    f"{requirement.id}: its sentence {hash} is now {now}; correct the requirement and its scenarios if "
                    f"the meaning has changed, then write: {confirm_command(drift, requirement.id)}; if the rule is "
                    "withdrawn, write `until` or move it to [[retired]]",
                )
            elif hash in drift.confirmed:
                fix = "name another in `sentences`, or move the requirement to [[retired]]"
                yield "orphaned", f"{requirement.id}: its sentence {hash} is gone from {name}; {fix}"
            else:
                fix = "`treeproof list sentences --document FILE` prints all of them"
                yield "orphaned", f"{requirement.id}: no sentence of {name} has the hash {hash}; {fix}"


def _lint_places(drift: DocumentDrift) -> Iterator[Problem]:
    """Yield problems of sentences at another place or below another heading, one for each pair of headings."""
    below: dict[tuple[str, str, bool], list[str]] = {}
    for change in drift.changes:
        if change.new is not None and change.kind in ("moved", "headed"):
            old, new = drift.confirmed[change.new.hash].heading, lock_sentence(change.new).heading
            ids = [requirement.id for requirement in drift.naming.get(change.new.hash, ())]
            below.setdefault((old, new, change.kind == "moved"), []).extend(ids or [change.new.hash])
    for (old, new, is_moved), names in below.items():
        listed = " ".join(dict.fromkeys(names))
        what = f'below "{new}" in another order' if old == new else f'below "{new}", no longer below "{old}"'
        verb = "moved" if is_moved else "are"
        fix = f"correct `section`, then write: {confirm_command(drift, listed)}"
        yield "outdated", f"{listed}: sentences {verb} {what}; {fix}"


def _lint_ids(drift: DocumentDrift) -> Iterator[Problem]:
    """Yield problems of ids that the document lost, and of numbers of sections that no heading has, if one has any."""
    name = drift.document.name
    headings = {heading for sentence in drift.sentences for heading in sentence.headings}
    numbers = {found[0] for heading in headings if (found := _HEADING_NUMBER.match(heading))}
    listed = ", ".join(sorted(numbers, key=lambda number: [int(part) for part in number.split(".")]))
    for one in drift.pack.requirements:
        if one.id in drift.gone_ids:
            yield "orphaned", f"{one.id}: {name} no longer contains this id; move it to [[retired]]"
        for number in _SECTION_NUMBER.findall(one.section) if numbers else ():
            if number not in numbers:
                problem = f'section is "{one.section}", and no heading of {name} has the number {number}'
                yield "orphaned", f"{one.id}: {problem}; write one of: {listed}"


def _lint_sentences(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield notes on new sentences that no requirement names; without a lock, only on those that demand something."""
    for change in drift.changes:
        if (new := drift.unnamed(change)) is not None and (drift.demands(new) or drift.has_lock):
            what = "demands something, and no requirement names it" if drift.demands(new) else "is new"
            fix = f'write a requirement with sentences = ["{new.hash}"], or: {confirm_command(drift, new.hash)}'
            yield Diagnostic(drift.document, new.line, "uncovered", f"{quote(new.text)} {what}; {fix}")


def _lint_digest(drift: DocumentDrift) -> Iterator[Problem]:
    """Yield the problem of another document than the confirmed one. Other line breaks and marks are no difference."""
    digest = hashlib.sha256(drift.document.read_bytes()).hexdigest()
    command = confirm_command(drift, "")
    if drift.has_lock and not drift.is_confirmed:
        kinds = [change.kind for change in drift.changes]
        counts = [(kind, kinds.count(kind)) for kind in ("changed", "added", "removed")]
        counts += [("moved", kinds.count("moved") // 2), ("below another heading", kinds.count("headed"))]
        summary = ", ".join(f"{count} {kind}" for kind, count in counts if count)
        problem = f"[spec]: the sentences of {drift.document.name} are not the confirmed ones ({summary})"
        yield "outdated", f"{problem}; confirm each, and all that demands nothing with: {command}"
    elif not drift.has_lock and digest != drift.pack.sha256:
        fix = f"write: {command}, which writes {lock_file(drift.pack).name} too"
        yield "outdated", f"[spec]: sha256 is not that of {drift.document}; if the catalogue restates it, {fix}"

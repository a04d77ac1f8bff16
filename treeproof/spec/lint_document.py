"""Diagnostics on a catalogue and the document that it restates: what has changed since the document was confirmed."""

from __future__ import annotations

import hashlib
import re
import shlex
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from treeproof.errors import MAX_LISTED, UsageError, check_readable, listed
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.document_trace import REQUIREMENT, DocumentDrift, Named, find_drift
from treeproof.spec.levels import level_of, levels_in
from treeproof.spec.lint_places import item_line, spec_line
from treeproof.spec.locks import LockedSentence, lock_file, read_baseline
from treeproof.spec.pack_file import load_pack
from treeproof.spec.packs import command_name, full_name, shortest_folder
from treeproof.spec.sentence_changes import SentenceChange
from treeproof.spec.source_document import EXPECTED_FILE, MAX_BYTES, DocumentSentence, is_below

_MAX_QUOTE = 100  # characters
_MAX_BESIDE = 3  # requirements
_SECTION_NUMBER = re.compile(r"(?:^|[;,])\s*(\d+(?:\.\d+)*)\b")
_HEADING_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def find_document(pack: Pack) -> Path | None:
    """Return the document that lies beside the catalogue under the name that `source` gives, or None."""
    beside = pack.folder / pack.source
    return beside if beside.is_file() else None


def pack_of_document(packs: Sequence[Pack], document: Path) -> Pack:
    """Return the pack that restates a document: the only one, or the one whose `source` has its name.

    Of several versions, the one with the hash of the document. Raises UsageError if there is none or more than one, and
    for the document of another version.
    """
    found = packs if len(packs) == 1 else [pack for pack in packs if pack.source == document.name]
    check_readable(document, MAX_BYTES, EXPECTED_FILE)
    digest = hashlib.sha256(document.read_bytes()).hexdigest()
    if len(found) > 1:
        found = [pack for pack in found if pack.sha256 == digest] or found
    for version in found[0].versions if len(found) == 1 and found[0].sha256 != digest else ():
        if (other := load_pack(found[0].folder, version)).sha256 == digest:
            raise UsageError(f"{document}: is the document of version {version}; write {full_name(other)}")
    if len(found) != 1:
        known = ", ".join(f"{full_name(pack)} (restates {pack.source})" for pack in found or packs)
        raise UsageError(f"{document}: may be that of several; write the one to compare, with its version: {known}")
    return found[0]


def lint_document(pack: Pack, document: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics on what the document does not contain, and on what the catalogue does not. Raises UsageError.

    `outdated`: words or a place have changed. `orphaned`: they are gone. `uncovered`: nothing names a new sentence.
    """
    drift = find_drift(pack, document)
    if problem := _problem_of_sections(drift):
        yield Diagnostic(pack.pack_file, spec_line(pack, "sections"), "orphaned", problem)
        return
    yield from _lint_sentences(drift)
    yield from _lint_levels(drift)
    yield from _lint_places(drift)
    yield from _lint_unknown(drift)
    yield from _lint_ids(drift)
    yield from _lint_digest(drift)


def quote(text: str) -> str:
    """Return a sentence in quotation marks, cut at a word."""
    return f'"{textwrap.shorten(text, _MAX_QUOTE, placeholder=" …")}"'


def confirm_command(drift: DocumentDrift, *names: str) -> str:
    """Return the command that confirms requirements or a sentence; without a name, what demands nothing."""
    words = ["treeproof", "confirm", *names, "--spec", command_name(drift.pack)]
    beside = find_document(drift.pack)
    if beside is None or beside.resolve() != drift.document.resolve():
        words += ["--document", shortest_folder(drift.document)]
    return shlex.join(words)


def _problem_of_sections(drift: DocumentDrift) -> str:
    """Return the problem of a section that is to be compared and that the document does not have; "" without one."""
    places = {sentence.headings for sentence in drift.sentences}
    missing = [one for one in drift.pack.sections if not any(is_below(place, one) for place in places)]
    if not missing:
        return ""
    below: dict[str, set[str]] = {}
    for sentence in (*drift.sentences, *drift.left_out.values()):
        for heading in sentence.headings:
            below.setdefault(heading, set()).add(sentence.words)
    fix = f"write one of: {listed([*map(_quoted, below)])}" if below else "remove sections: it has no headings"
    renamed = {section: _heading_of_same(drift.pack, section, below) for section in missing}
    if all(renamed.values()):
        now = (renamed.get(section, section) for section in drift.pack.sections)
        fix = f"its sentences have another heading; write sections = [{', '.join(map(_quoted, now))}]"
    names = ", ".join(map(_quoted, missing))
    return f"[spec]: sections names {names}, no heading of {drift.document.name}; {fix}"


def _heading_of_same(pack: Pack, section: str, below: Mapping[str, set[str]]) -> str:
    """Return the deepest heading that now has most of the confirmed sentences of a section; "" if none has."""
    words = {sentence.words for sentence in read_baseline(pack) if is_below(sentence.headings, section)}
    found = [heading for heading, present in below.items() if len(words & present) * 2 > len(words)]
    return max(reversed(found), key=lambda heading: (len(words & below[heading]), -len(below[heading])), default="")


def _quoted(heading: str) -> str:
    return f'"{heading}"'


def _lint_levels(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield notes on a level that is not that of the sentence's words, unless a reason explains it.

    Of several sentences any can have the level, so only the words of the text are compared with theirs.
    """
    texts = {sentence.hash: sentence.text for sentence in drift.sentences}
    for one in drift.pack.requirements:
        found = [levels_in(texts[hash]) for hash in one.sentences if hash in texts]
        levels = frozenset[str]().union(*found)
        is_in_text = level_of(one.text) == one.level
        is_unexplained = len(found) == 1 and not (one.reason or one.excluded)
        if levels and one.level not in levels and (is_in_text or is_unexplained):
            what, key = ("text has the word of", "text") if is_in_text else ("level is", "level")
            words = " and ".join(sorted(levels))
            problem = f"its {what} {one.level}, and its sentence has that of {words}; correct the {key} or add a reason"
            yield _of(drift, [Named(REQUIREMENT, one.id, one.sentences)], "doubtful", problem, key)


def _lint_sentences(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield diagnostics on sentences with other words and those that are gone, and notes on those that nobody names.

    Without a lock, the notes are only on those that demand something.
    """
    for change in drift.changes:
        requirements = drift.resting_on(change)
        if change.old is not None and requirements and change.kind == "changed":
            owner = "its sentence" if len(requirements) == 1 else "their sentence"
            now = f"{owner} {change.old.hash} is now {_shown(drift, change)}"
            fix = (
                f"if the meaning has changed, correct it and its scenarios; then write: {_confirm(drift, requirements)}"
            )
            yield _of(drift, requirements, "outdated", f"{now}; {fix}")
        for one in requirements if change.kind == "removed" else ():
            gone = f"its sentence {_shown(drift, change)} is gone"
            if change.old is not None and change.old.hash in drift.left_out:
                other = drift.left_out[change.old.hash]
                problem = f"its sentence {quote(other.text)} is below no heading of sections"
                yield _of(drift, [one], "orphaned", f"{problem}; {_withdraw(drift, one)}, or {_add_section(other)}")
                continue
            fix = f"{_withdraw(drift, one)}, or name another in `sentences`: {_list_command(drift)}"
            if not drift.present.isdisjoint({*one.sentences} - {change.old.hash if change.old else ""}):
                fix += f"; or, if its other sentences suffice, write: {_confirm(drift, [one])}"
            yield _of(drift, [one], "orphaned", f"{gone}; {fix}")
        if (new := drift.unnamed(change)) is not None and (drift.demands(new) or drift.has_lock):
            is_new = "is new" if change.old is None else "has other words"
            what = "demands something, and no requirement names it" if drift.demands(new) else is_new
            beside = f" (beside it: {ids})" if (ids := _ids_beside(drift, new)) else ""
            fix = f'write a requirement with sentences = ["{new.hash}"]{beside}, or: {confirm_command(drift, new.hash)}'
            yield Diagnostic(drift.document, new.line, "uncovered", f"{quote(new.text)} {what}; {fix}")


def _lint_places(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield diagnostics on other headings and places of what is named, one for each two headings."""
    groups: dict[tuple[str, str, str], list[SentenceChange]] = {}
    for change in drift.changes:
        if change.old is not None and change.new is not None and change.kind in ("renamed", "moved"):
            parts = differing_parts(change.old.headings, change.new.headings)
            groups.setdefault((change.kind, *parts), []).append(change)
    for (kind, before, now), changes in groups.items():
        requirements = list(dict.fromkeys(one for change in changes for one in drift.resting_on(change)))
        if not requirements:
            continue
        what = f"{_shown(drift, changes[0])}{_and_more(changes)}"
        headings = changes[0].new.headings if changes[0].new is not None else ()
        is_whole = len(changes) == sum(one.headings == headings for one in drift.sentences)
        if kind == "renamed":
            problem = f"the heading {renaming(before, now)}, above {what}"
        elif before or now:
            old, new = before or _heading(changes[0].old), now or _heading(changes[0].new)
            problem = f'{what} moved from "{old}" to "{new}"'
        else:
            moved = f"the section of {what} has moved" if is_whole else f"{what} in another order"
            problem = f"{moved}, now after {_above(drift, changes[0])}"
        fix = f"correct `section` if it names the place, then write: {_confirm(drift, requirements)}"
        yield _of(drift, requirements, "outdated", f"{problem}; {fix}")


def differing_parts(old: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    """Return both without the headings that they have in common at the beginning and at the end."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " > ".join(old), " > ".join(new)


def renaming(before: str, now: str) -> str:
    """Return in words what has become of a heading."""
    return f'"{before}" is now "{now}"' if before and now else f'"{before or now}" is {"gone" if before else "new"}'


def _lint_unknown(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield diagnostics on hashes that neither the document nor the lock has."""
    for hash, requirements in drift.naming.items():
        if hash not in drift.present and hash not in drift.confirmed:
            owners = [one for one in requirements if not drift.is_of_another_version(hash, one)]
            problem = f"no sentence of {drift.document.name} has the hash {hash}"
            fix = f"name one of them: {_list_command(drift)}"
            if hash in drift.left_out:
                problem, fix = (
                    f"{quote(drift.left_out[hash].text)} is below no heading of sections",
                    _add_section(drift.left_out[hash]),
                )
            elif drift.pack.earlier_versions and not drift.confirmed:
                earlier = full_name(replace(drift.pack, version=drift.pack.earlier_versions[-1]))
                fix += f"; if it is of the version before, first write: treeproof confirm --spec {shlex.quote(earlier)}"
            yield from (_of(drift, [one], "orphaned", f"{problem}; {fix}") for one in owners)


def _lint_ids(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield diagnostics on ids that are gone, and on numbers of sections that no heading has, if one has any."""
    name = drift.document.name
    headings = {heading for sentence in drift.sentences for heading in sentence.headings}
    numbers = {found[0] for heading in headings if (found := _HEADING_NUMBER.match(heading))}
    known = listed(sorted(numbers, key=lambda number: [int(part) for part in number.split(".")]))
    for one in drift.pack.requirements:
        named = Named(REQUIREMENT, one.id, one.sentences)
        if one.id in drift.gone_ids:
            yield _of(drift, [named], "orphaned", f"{name} no longer contains this id; {_withdraw(drift, named)}")
        confirmed = (drift.confirmed[hash].old for hash in one.sentences if hash in drift.confirmed)
        is_default = one.section in map(_heading, confirmed)
        for number in _SECTION_NUMBER.findall(one.section) if numbers and not is_default else ():
            if number not in numbers:
                problem = f'section is "{one.section}", and no heading of {name} has the number {number}'
                yield _of(drift, [named], "orphaned", f"{problem}; write one of: {known}", "section")


def _lint_digest(drift: DocumentDrift) -> Iterator[Diagnostic]:
    """Yield a diagnostic on another document than the confirmed one. Other line breaks and marks are no difference."""
    command = confirm_command(drift)
    free = [change for change in drift.changes if change.kind != "kept" and not drift.resting_on(change)]
    if drift.has_lock:
        if not free and (drift.is_confirmed or any(change.kind != "kept" for change in drift.changes)):
            return
        gone = {change: change.old.hash for change in free if change.old is not None and change.new is None}
        left_out = [change for change, hash in gone.items() if hash in drift.left_out]
        kinds = Counter("left out by sections" if change in left_out else change.kind for change in free)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        problem = f"sentences of {drift.document.name} that no requirement names are not the confirmed ones ({summary})"
        if not free:
            problem = f"a version in a heading of {drift.document.name}, or a number of equal sentences, is another one"
        fix = f"confirm all that demands nothing with: {command}"
        if free and not any(map(drift.needs_nobody, free)):
            fix = "write a requirement, or the command of the note, for each"
        for kind, what in (("removed", "gone"), ("moved", "moved"), ("renamed", "below another heading")):
            if some := [change for change in free if change.kind == kind and change not in left_out]:
                problem += f"; {what}: {_shown(drift, some[0])}{_and_more(some)}"
    elif hashlib.sha256(drift.document.read_bytes()).hexdigest() != drift.pack.sha256:
        problem = f"sha256 is not that of {drift.document}"
        fix = f"if the catalogue restates it, write: {command}, which writes {lock_file(drift.pack).name} too"
    else:
        return
    yield Diagnostic(drift.pack.pack_file, 0, "outdated", f"[spec]: {problem}; {fix}")


def _add_section(sentence: DocumentSentence) -> str:
    above = f'add "{sentence.headings[-1]}" to' if sentence.headings else "remove"
    return f"name another sentence, or {above} sections in [spec]"


def _of(
    drift: DocumentDrift,
    requirements: Sequence[Named],
    code: DiagnosticCode,
    message: str,
    key: str = "sentences",
) -> Diagnostic:
    """Return a diagnostic at a key of the first of the requirements."""
    line = item_line(drift.pack, requirements[0].heading, requirements[0].id, key)
    ids = listed([one.id for one in requirements])
    return Diagnostic(drift.pack.pack_file, line, code, f"{ids}: {message}")


def _heading(one: LockedSentence | DocumentSentence | None) -> str:
    return one.headings[-1] if one is not None and one.headings else ""


def _shown(drift: DocumentDrift, change: SentenceChange) -> str:
    """Return the present sentence of a change with its place; for one that is gone, the place where it stood."""
    if change.new is not None:
        below = f', below "{heading}"' if (heading := _heading(change.new)) else ""
        return f"{quote(change.new.text)} ({drift.document.name}:{change.new.line}{below})"
    return f'{change.old.hash} (below "{_heading(change.old)}", after {_above(drift, change)})' if change.old else ""


def _and_more(changes: Sequence[SentenceChange]) -> str:
    return f" and {len(changes) - 1} more" if len(changes) > 1 else ""


def _above(drift: DocumentDrift, change: SentenceChange) -> str:
    """Return the present sentence before the place of a change."""
    at = next(at for at, slot in enumerate(drift.slots) if slot.change is change and (slot.has_new or not change.new))
    before = (slot.change.new for slot in reversed(drift.slots[:at]) if slot.has_new and slot.change.new)
    return next((quote(one.text) for one in before), "the beginning")


def _ids_beside(drift: DocumentDrift, new: DocumentSentence) -> str:
    """Return the ids that rest on the same words elsewhere, or else on the nearest sentences below the same heading."""
    near = [one for one in drift.sentences if one.headings == new.headings or one.words == new.words]
    near.sort(key=lambda one: (one.words != new.words, abs(one.line - new.line)))
    found = dict.fromkeys(named.id for one in near for named in drift.naming.get(one.hash, ()))
    return ", ".join(list(found)[:_MAX_BESIDE])


def _list_command(drift: DocumentDrift) -> str:
    """Return the command that prints all hashes."""
    return shlex.join(["treeproof", "list", "sentences", "--document", shortest_folder(drift.document)])


def _confirm(drift: DocumentDrift, requirements: Sequence[Named]) -> str:
    return confirm_command(drift, *(one.id for one in requirements[:MAX_LISTED]))


def _withdraw(drift: DocumentDrift, named: Named) -> str:
    """Return how to end what names a sentence that the document no longer has."""
    earlier = drift.pack.earlier_versions
    if named.heading != REQUIREMENT:
        return "remove it"
    return f'end it with until = "{earlier[-1]}"' if earlier else "move it to [[retired]]"

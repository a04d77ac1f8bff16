"""Diagnostics on interpretations: the steps, tags and tables that name them, and those that nothing names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treeproof.errors import suggest
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import ScenarioCase, StepText, mentioned_ids, named_ids
from treeproof.spec.lint_places import item_line
from treeproof.spec.pack_file import SCHEMA

READING_COLUMN = "reading"


def lint_readings(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown interpretations and readings, and on strict interpretations that no case names.

    Other treatments may have readings that no call distinguishes, such as those of one platform.
    """
    known = {entry.id: entry for entry in pack.interpretations}
    families = {id.partition("-")[0] for id in known} | {"AMB"}
    for case in cases:
        for id in case.interpretations:
            if id not in known:
                message = f"@interpretation:{id} names no interpretation; {suggest(id, known)}"
                yield Diagnostic(case.file, case.line, "orphaned", message)
            elif any(id in mentioned_ids(step.text) for step in case.steps):
                message = f"@interpretation:{id} is named by a step as well; remove the tag"
                yield Diagnostic(case.file, case.line, "duplicate", message)
        for step in case.steps:
            named = [id for id in mentioned_ids(step.text) if id.partition("-")[0] in families]
            for id in named:
                if id not in known:
                    message = f'no interpretation has the id "{id}"; {suggest(id, known)}'
                    yield Diagnostic(case.file, step.line, "orphaned", message)
                elif known[id].treatment == "editorial":
                    message = f"{id} is editorial and has no effect; remove it"
                    yield Diagnostic(case.file, step.line, "unwanted", message)
            if step.table is not None and all(id in known for id in named):
                for id in named:
                    yield from _lint_column(case, step, id, _labels(step, named, id), known[id].labels)
    yield from _lint_unnamed(pack, cases, "strict", "; write @interpretation:{} at one that enforces it")


def _labels(step: StepText, named: Sequence[str], id: str) -> list[str] | None:
    """Return the cells of the column of an interpretation, or None. A single one may be named `reading`."""
    header, *rows = step.table or ((),)
    columns = {named[0] if name == READING_COLUMN else name: at for at, name in enumerate(header)}
    return [row[columns[id]] for row in rows] if id in columns else None


def _lint_column(
    case: ScenarioCase, step: StepText, id: str, labels: Sequence[str] | None, known: Sequence[str]
) -> Iterator[Diagnostic]:
    if labels is None:
        message = f"the table has no column for {id}; add one with this heading"
        yield Diagnostic(case.file, step.line, "malformed", message)
    elif labels and not any(labels):  # a row without a label holds for every reading; only such rows would record none
        message = f"no row of the table names a reading of {id}; write a label"
        yield Diagnostic(case.file, step.line, "malformed", message)
    for label in labels or ():
        if label and label not in known:
            fix = "write one per row" if "," in label else suggest(label, known)
            yield Diagnostic(case.file, step.line, "orphaned", f'{id} has no reading "{label}"; {fix}')


def lint_missing_rows(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on tables that lack an accepted reading. Cases of an outline may share the readings."""
    accepted = {entry.id: [one.label for one in entry.readings if one.accepted] for entry in pack.interpretations}
    # One row of an outline is enough.
    first = {(case.file, step.line): (case, step, named) for case, step, named in reversed([*_tables(pack, cases)])}
    for case, step, named in first.values():
        for id in named:
            labels = _labels(step, named, id)
            missing = [label for label in accepted[id] if label not in labels] if labels and all(labels) else []
            if missing:
                listed = " and ".join(f'"{label}"' for label in missing)
                message = f"the table has no row for the reading {listed} of {id}; write one"
                yield Diagnostic(case.file, step.line, "uncovered" if case.from_outline else "malformed", message)


def _tables(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[tuple[ScenarioCase, StepText, list[str]]]:
    """Yield the steps with a table of readings, and the interpretations that each names."""
    known = {entry.id for entry in pack.interpretations}
    for case in cases:
        for step in case.steps:
            named = [id for id in mentioned_ids(step.text) if id in known]
            if named and len(step.table or ()) > 1:
                yield case, step, named


def lint_doubtful_readings(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on tables that give all readings one outcome, and on open passages that no scenario names."""
    for case, step, named in _tables(pack, cases):
        header, *rows = step.table or ((),)
        label_at = [at for at, name in enumerate(header) if name in (READING_COLUMN, named[0])]
        outcomes = {tuple(cell for at, cell in enumerate(row) if at not in label_at) for row in rows}
        if not case.from_outline and len(named) == 1 and len(rows) > 1 and len(outcomes) == 1:
            message = f"all readings of {named[0]} have one outcome, so the table distinguishes none; correct a row"
            yield Diagnostic(case.file, step.line, "doubtful", f"{message}, or write an ordinary step")
    yield from _lint_unnamed(pack, cases, "any", ": nothing distinguishes its readings; write: by {} …")


def _lint_unnamed(pack: Pack, cases: Sequence[ScenarioCase], treatment: str, rest: str) -> Iterator[Diagnostic]:
    """Yield diagnostics on the interpretations with a treatment that no scenario names."""
    named = {id for case in cases for id in named_ids(case)}
    for entry in pack.interpretations:
        if entry.treatment == treatment and entry.id not in named:
            message = f"no scenario names {entry.id} ({treatment}){rest.format(entry.id)}"
            if treatment == "any" and len(entry.readings) == 1:
                message = f'{entry.id} (any) has one reading; write the other one, or treatment = "strict"'
            yield Diagnostic(pack.pack_file, item_line(pack, "interpretation", entry.id, "id"), "uncovered", message)


def lint_topics(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on questions that other specifications leave open, if the pack names such questions at all.

    The same question gets the same answer in each, unless words of the document make the difference.
    """
    is_weak = {one.id: one.basis in ("framework", "prudent") for one in pack.requirements}
    opened = [entry for entry in pack.interpretations if entry.topic is not None]
    for entry in opened:
        rests_on_words = not all(is_weak.get(id, False) for id in entry.affects)
        if entry.treatment == "strict" and rests_on_words and not entry.sentences:
            line = item_line(pack, "interpretation", entry.id, "treatment")
            fix = "name in `sentences` the words that reject the other readings, or accept them"
            message = f'{entry.id}: others leave the topic "{entry.topic}" open; {fix}'
            yield Diagnostic(pack.pack_file, line, "malformed", message)
    by_topic = {entry.topic: entry.id for entry in reversed(opened)}
    settled = {one.topic for one in pack.settled}
    for topic in SCHEMA.at(("settled", 0, "topic"))["enum"] if by_topic or settled else ():
        if (topic in by_topic) is (topic in settled):
            message = (
                f'{by_topic[topic]} leaves the topic "{topic}" open, and [[settled]] answers it; remove one of them'
                if topic in settled
                else f'no interpretation has the topic "{topic}"; write one, or [[settled]] with the reason'
            )
            yield Diagnostic(pack.pack_file, 0, "malformed", message)

"""Findings on what points to what: ids of scenarios, requirements and interpretations across a whole pack.

The feature texts come in parsed; no file is read and no sentence is understood here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from treeproof.spec.catalogue import Interpretation, Pack, Requirement
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import FeatureText, ScenarioCase, StepText, mentioned_ids
from treeproof.spec.toml_table import suggest

READING_COLUMN = "reading"  # the column of a step's table that names a reading


def lint_references(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Diagnostic]:
    """Findings on ids (missing, twice, retired, ill-formed, pointing nowhere) and on what is uncovered."""
    rows = [row for feature in features for row in feature.scenarios]
    requirements = {requirement.id: requirement for requirement in pack.requirements}
    interpretations = {interpretation.id: interpretation for interpretation in pack.interpretations}
    families = {id.partition("-")[0] for id in interpretations} | {"AMB"}
    yield from _lint_scenario_ids(pack, rows)
    for feature in features:
        for rule in feature.rules:
            id = rule.requirement
            if id in requirements:
                yield from _lint_rule_requirement(feature, rule.line, requirements[id])
            elif id:
                message = f'no requirement has the id "{id}"; {suggest(id, requirements)}'
                yield Diagnostic(feature.file, rule.line, "orphaned", message)
    for row in rows:
        for id in row.also:
            if id not in requirements:
                message = f"@also:{id} names no requirement; {suggest(id, requirements)}"
                yield Diagnostic(row.file, row.line, "orphaned", message)
            elif id == row.requirement:
                message = f"@also:{id} is the requirement that the Rule names; leave it out"
                yield Diagnostic(row.file, row.line, "duplicate", message)
        yield from _lint_readings(row, interpretations, families)
    verified = {row.requirement for row in rows}
    for requirement in pack.requirements:
        if requirement.needs_scenarios and requirement.id not in verified:
            message = f"no scenario verifies {requirement.id} ({requirement.level}): it will be NOT VERIFIED"
            yield Diagnostic(pack.pack_file, 0, "uncovered", message)


def lint_name_conflicts(packs: Iterable[Pack]) -> Iterator[Diagnostic]:
    """Findings on packs that stand side by side: one name or one prefix of ids for two of them."""
    names: dict[str, Pack] = {}
    prefixes: dict[str, Pack] = {}
    for pack in packs:
        other = names.setdefault(pack.name, pack)
        if other is not pack:
            yield Diagnostic(
                pack.pack_file, 0, "duplicate", f'the name "{pack.name}" is that of {other.pack_file} too'
            )
        other = prefixes.setdefault(pack.prefix, pack)
        if other is not pack:
            yield Diagnostic(
                pack.pack_file, 0, "duplicate", f'the prefix "{pack.prefix}" is that of {other.pack_file} too'
            )


def _lint_scenario_ids(pack: Pack, rows: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    form = re.compile(rf"{re.escape(pack.prefix)}(?:-[A-Za-z0-9]+)+")
    retired = {tombstone.id: tombstone.reason for tombstone in pack.retired}
    taken = {row.id for row in pack.requirements} | {row.id for row in pack.interpretations}
    first: dict[str, ScenarioCase] = {}
    for row in rows:

        def finding(word: DiagnosticCode, message: str, row: ScenarioCase = row) -> Diagnostic:
            return Diagnostic(row.file, row.line, word, message)

        example = f"{pack.prefix}-LST-05-01"
        if not row.id:
            what = "row" if row.from_outline else "scenario"
            where = "in the column id" if row.from_outline else "as its first tag"
            yield finding("malformed", f"the {what} has no id; write one such as {example} {where}")
        elif re.fullmatch(r"\D{0,4}\d+", row.id):
            yield finding(
                "malformed", f'the id "{row.id}" counts places; mint one such as {example} that never moves'
            )
        elif not form.fullmatch(row.id):
            yield finding("malformed", f'the id "{row.id}" must begin with {pack.prefix}-, such as {example}')
        elif row.id in retired:
            yield finding("outdated", f"the id {row.id} is retired ({retired[row.id]}); mint a new one")
        elif row.id in taken:
            yield finding(
                "duplicate", f"the id {row.id} is that of a requirement or interpretation; mint another"
            )
        elif row.id in first:
            other = first[row.id]
            yield finding(
                "duplicate", f"the id {row.id} is that of {other.file.name}:{other.line} too; mint another"
            )
        first.setdefault(row.id, row)


def _lint_rule_requirement(feature: FeatureText, line: int, requirement: Requirement) -> Iterator[Diagnostic]:
    if requirement.excluded is not None:
        message = f"{requirement.id} is excluded ({requirement.excluded}); drop the Rule or the exclusion"
        yield Diagnostic(feature.file, line, "unwanted", message)
    elif requirement.restates is not None:
        message = (
            f"{requirement.id} has the verdict of {requirement.restates}; put the scenarios below that one"
        )
        yield Diagnostic(feature.file, line, "unwanted", message)


def _lint_readings(
    row: ScenarioCase, interpretations: Mapping[str, Interpretation], families: Set[str]
) -> Iterator[Diagnostic]:
    """Findings on the interpretations that a row's steps name, and on the readings in their tables."""
    for step in row.steps:
        named = [id for id in mentioned_ids(step.text) if id.partition("-")[0] in families]

        def finding(word: DiagnosticCode, message: str, step: StepText = step) -> Diagnostic:
            return Diagnostic(row.file, step.line, word, message)

        for id in named:
            if id not in interpretations:
                message = f'no interpretation has the id "{id}"; {suggest(id, interpretations)}'
                yield finding("orphaned", message)
            elif interpretations[id].treatment == "editorial":
                yield finding(
                    "unwanted", f"{id} is editorial and has no effect; no answer can be judged by it"
                )
        if not named or step.table is None or any(id not in interpretations for id in named):
            continue
        # The column of an interpretation bears its id; with one interpretation it may be called `reading`.
        columns = {named[0] if name == READING_COLUMN else name: at for at, name in enumerate(step.table[0])}
        for id in named:
            if id not in columns:
                yield finding("malformed", f"the table has no column for {id}; write one headed {id}")
        for name in columns:
            if name.partition("-")[0] in families and name not in named:
                yield finding("unwanted", f"the table has a column {name} that the sentence does not name")
        for id in (id for id in named if id in columns):
            labels = [cells[columns[id]] for cells in step.table[1:]]
            # A row without a label is right by every reading; a table of such rows alone asks about none.
            if labels and not any(labels):
                yield finding("malformed", f"no row of the table names a reading of {id}; write a label")
            for label in filter(None, labels):
                known = interpretations[id].labels
                if label not in known:
                    remedy = "write one a row" if "," in label else suggest(label, known)
                    yield finding("orphaned", f'{id} has no reading "{label}"; {remedy}')

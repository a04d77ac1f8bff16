"""Diagnostics on references between the ids of scenarios, requirements and interpretations of a pack."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from treeproof.errors import suggest
from treeproof.spec.catalogue import Interpretation, Pack, Requirement
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import RETURNS_TAG, FeatureText, ScenarioCase, StepText, mentioned_ids, named_ids

READING_COLUMN = "reading"


def lint_references(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown ids, and on items without scenarios."""
    cases = [case for feature in features for case in feature.scenarios]
    requirements = {requirement.id: requirement for requirement in pack.requirements}
    interpretations = {interpretation.id: interpretation for interpretation in pack.interpretations}
    families = {id.partition("-")[0] for id in interpretations} | {"AMB"}
    capabilities = sorted({capability for tool in pack.tools for capability in tool.capabilities})
    for feature in features:
        for rule in feature.rules:
            id = rule.requirement
            if id in requirements:
                yield from _lint_rule_requirement(feature, rule.line, requirements[id])
            elif id:
                message = f'no requirement has the id "{id}"; {suggest(id, requirements)}'
                yield Diagnostic(feature.file, rule.line, "orphaned", message)
    for case in cases:
        for id in case.also:
            if id not in requirements:
                message = f"@also:{id} names no requirement; {suggest(id, requirements)}"
                yield Diagnostic(case.file, case.line, "orphaned", message)
            elif id == case.requirement:
                message = f"@also:{id} is the requirement of the Rule; remove it"
                yield Diagnostic(case.file, case.line, "duplicate", message)
        for id in case.interpretations:
            if id not in interpretations:
                message = f"@interpretation:{id} names no interpretation; {suggest(id, interpretations)}"
                yield Diagnostic(case.file, case.line, "orphaned", message)
            elif any(id in mentioned_ids(step.text) for step in case.steps):
                message = f"@interpretation:{id} is named by a step as well; remove the tag"
                yield Diagnostic(case.file, case.line, "duplicate", message)
        yield from _lint_readings(case, interpretations, families)
        if case.capability is not None and case.capability not in capabilities:
            message = f"@framework:{case.capability} names no capability; {suggest(case.capability, capabilities)}"
            yield Diagnostic(case.file, case.line, "orphaned", message)
        requirement_of_case = requirements.get(case.requirement)
        if case.must_return and requirement_of_case is not None and not _decides(requirement_of_case, case):
            message = f"@{RETURNS_TAG} needs a MUST requirement of the document: elsewhere a hang is a fault; remove it"
            yield Diagnostic(case.file, case.line, "unwanted", message)
    verified = {case.requirement for case in cases}
    for requirement in pack.requirements:
        if requirement.needs_scenarios and requirement.id not in verified:
            message = f"no scenario verifies {requirement.id} ({requirement.level}): it will be NOT VERIFIED"
            yield Diagnostic(pack.pack_file, 0, "uncovered", message)
    yield from _lint_unnamed_interpretations(pack, cases)


def _decides(requirement: Requirement, case: ScenarioCase) -> bool:
    """Return whether a failure of the case decides the exit code under the default profile."""
    return requirement.level == "MUST" and (case.basis or requirement.basis) != "prudent"


def _lint_unnamed_interpretations(pack: Pack, cases: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each strict interpretation that no scenario names.

    Other treatments may have readings that no call distinguishes, such as those of one platform.
    """
    named = {id for case in cases for id in named_ids(case)}
    for interpretation in pack.interpretations:
        if interpretation.treatment == "strict" and interpretation.id not in named:
            message = f"no scenario names {interpretation.id} (strict); write @interpretation:{interpretation.id}"
            yield Diagnostic(pack.pack_file, 0, "uncovered", f"{message} at one that enforces it")


def lint_name_conflicts(packs: Iterable[Pack]) -> Iterator[Diagnostic]:
    """Yield diagnostics on packs with the same name or the same prefix of ids."""
    names: dict[str, Pack] = {}
    prefixes: dict[str, Pack] = {}
    for pack in packs:
        other = names.setdefault(pack.name, pack)
        if other is not pack:
            message = f'{other.pack_file} has the name "{pack.name}" too; choose another name'
            yield Diagnostic(pack.pack_file, 0, "duplicate", message)
        other = prefixes.setdefault(pack.prefix, pack)
        if other is not pack:
            message = f'{other.pack_file} has the prefix "{pack.prefix}" too; choose another prefix'
            yield Diagnostic(pack.pack_file, 0, "duplicate", message)


def lint_scenario_ids(pack: Pack, features: Iterable[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on missing, malformed, retired and repeated ids of scenarios of all versions."""
    cases = [case for feature in features for case in feature.scenarios]
    form = re.compile(rf"{re.escape(pack.prefix)}(?:-[A-Za-z0-9]+)+")
    retired = {item.id: item.reason for item in pack.retired}
    taken = (
        {item.id for item in pack.requirements}
        | {item.id for item in pack.interpretations}
        | pack.ids_of_other_versions
    )
    first: dict[str, ScenarioCase] = {}
    for case in cases:
        code: DiagnosticCode = "malformed"
        message, example = "", f"{pack.prefix}-LST-05-01"
        if not case.id:
            what = "row" if case.from_outline else "scenario"
            where = "in the column id" if case.from_outline else "as its first tag"
            message = f"the {what} has no id; write one such as {example} {where}"
        elif re.fullmatch(r"\D{0,4}\d+", case.id):
            message = f'the id "{case.id}" counts positions; choose one such as {example} that never changes'
        elif not form.fullmatch(case.id):
            message = f'the id "{case.id}" must begin with {pack.prefix}-, such as {example}'
        elif case.id in retired:
            code, message = "outdated", f"the id {case.id} is retired ({retired[case.id]}); choose a new one"
        elif case.id in taken:
            code = "duplicate"
            message = f"the id {case.id} is that of a requirement or interpretation; choose another"
        elif (other := first.setdefault(case.id, case)) is not case:
            code = "duplicate"
            message = f"{other.file.name}:{other.line} has the id {case.id} too; choose another"
        if message:
            yield Diagnostic(case.file, case.line, code, message)


def _lint_rule_requirement(feature: FeatureText, line: int, requirement: Requirement) -> Iterator[Diagnostic]:
    if requirement.excluded is not None:
        message = f"{requirement.id} is excluded ({requirement.excluded}); remove the Rule or the exclusion"
        yield Diagnostic(feature.file, line, "unwanted", message)
    elif requirement.restates is not None:
        message = f"{requirement.id} has the verdict of {requirement.restates}; move the scenarios below that one"
        yield Diagnostic(feature.file, line, "unwanted", message)


def _lint_readings(
    case: ScenarioCase, interpretations: Mapping[str, Interpretation], families: Set[str]
) -> Iterator[Diagnostic]:
    """Yield diagnostics on the interpretations that steps name, and on the readings in their tables."""
    for step in case.steps:
        named = [id for id in mentioned_ids(step.text) if id.partition("-")[0] in families]

        def diagnostic(code: DiagnosticCode, message: str, step: StepText = step) -> Diagnostic:
            return Diagnostic(case.file, step.line, code, message)

        for id in named:
            if id not in interpretations:
                message = f'no interpretation has the id "{id}"; {suggest(id, interpretations)}'
                yield diagnostic("orphaned", message)
            elif interpretations[id].treatment == "editorial":
                yield diagnostic("unwanted", f"{id} is editorial and has no effect; remove it")
        if not named or step.table is None or any(id not in interpretations for id in named):
            continue
        # The column of an interpretation has its id; a single one may be named `reading`.
        columns = {named[0] if name == READING_COLUMN else name: at for at, name in enumerate(step.table[0])}
        for id in named:
            if id not in columns:
                yield diagnostic("malformed", f"the table has no column for {id}; add one with this heading")
        for id in (id for id in named if id in columns):
            labels = [cells[columns[id]] for cells in step.table[1:]]
            # A row without a label holds for every reading; only such rows would record none.
            if labels and not any(labels):
                yield diagnostic("malformed", f"no row of the table names a reading of {id}; write a label")
            for label in filter(None, labels):
                known = interpretations[id].labels
                if label not in known:
                    remedy = "write one per row" if "," in label else suggest(label, known)
                    yield diagnostic("orphaned", f'{id} has no reading "{label}"; {remedy}')

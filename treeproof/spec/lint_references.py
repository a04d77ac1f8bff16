"""Diagnostics on the ids of scenarios and requirements of a pack: references between them, and items without a use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treeproof.errors import suggest
from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import ID_TAG, RETURNS_TAG, FeatureText, ScenarioCase
from treeproof.spec.lint_places import item_line, spec_line
from treeproof.spec.step_definitions import StepMatcher

_NUMBER = re.compile(r"\d+[a-z]?(?![A-Za-z0-9])")


def lint_references(pack: Pack, features: Sequence[FeatureText], cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown ids, and on requirements without scenarios."""
    requirements = {requirement.id: requirement for requirement in pack.requirements}
    capabilities = sorted({capability for tool in pack.tools for capability in tool.capabilities})
    for feature in features:
        for rule in feature.rules:
            if found := _problem_of_rule(rule.requirement, requirements):
                yield Diagnostic(feature.file, rule.line, *found)
    for case in cases:
        problems: list[tuple[DiagnosticCode, str]] = []
        for id in case.also:
            if id not in requirements:
                problems.append(("orphaned", f"@also:{id} names no requirement; {suggest(id, requirements)}"))
            elif id == case.requirement:
                problems.append(("duplicate", f"@also:{id} is the requirement of the Rule; remove it"))
        if case.capability is not None and case.capability not in capabilities:
            fix = suggest(case.capability, capabilities)
            problems.append(("orphaned", f"@framework:{case.capability} names no capability; {fix}"))
        requirement = requirements.get(case.requirement)
        if case.must_return and requirement is not None and not _decides(requirement, case):
            message = f"@{RETURNS_TAG} needs a MUST requirement of the document: elsewhere a hang is a fault; remove it"
            problems.append(("unwanted", message))
        yield from (Diagnostic(case.file, case.line, *problem) for problem in problems)
    verified = {case.requirement for case in cases}
    for requirement in pack.requirements:
        if requirement.needs_scenarios and requirement.id not in verified:
            message = f"no scenario verifies {requirement.id} ({requirement.level}): it will be NOT VERIFIED"
            yield Diagnostic(pack.pack_file, 0, "uncovered", message)


def _problem_of_rule(id: str, requirements: Mapping[str, Requirement]) -> tuple[DiagnosticCode, str] | None:
    one = requirements.get(id)
    if one is None:
        return ("orphaned", f'no requirement has the id "{id}"; {suggest(id, requirements)}') if id else None
    if one.excluded is not None:
        return "unwanted", f"{id} is excluded ({one.excluded}); remove the Rule or the exclusion"
    if one.restates is not None:
        return "unwanted", f"{id} has the verdict of {one.restates}; move the scenarios below that one"
    return None


def _decides(requirement: Requirement, case: ScenarioCase) -> bool:
    """Return whether a failure of the case decides the exit code under the default profile."""
    return requirement.level == "MUST" and (case.basis or requirement.basis) != "prudent"


def lint_across_packs(packs: Iterable[Pack]) -> Iterator[Diagnostic]:
    """Yield diagnostics on packs with the same name or the same prefix of ids."""
    first: dict[tuple[str, str], Pack] = {}
    for pack in packs:
        for key, value in (("name", pack.name), ("prefix", pack.prefix)):
            other = first.setdefault((key, value), pack)
            if other is not pack:
                message = f'{other.pack_file} has the {key} "{value}" too; choose another {key}'
                yield Diagnostic(pack.pack_file, 0, "duplicate", message)


def lint_ids(pack: Pack, all_cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on the ids of scenarios of all versions, and on ids in the catalogue's texts."""
    yield from _lint_scenario_ids(pack, all_cases)
    yield from _lint_mentions(pack, all_cases)


def _lint_scenario_ids(pack: Pack, cases: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on missing, malformed, retired and repeated ids of scenarios of all versions."""
    form = re.compile(rf"{re.escape(pack.prefix)}(?:-[A-Za-z0-9]+)+")
    retired = {item.id: item.reason for item in pack.retired}
    pack_ids, first = pack.ids, dict[str, ScenarioCase]()
    for case in cases:
        code: DiagnosticCode = "malformed"
        message, example = "", f"{pack.prefix}-LST-05-01"
        if not case.id:
            what, where = ("row", "in the column id") if case.from_outline else ("scenario", "as its first tag")
            message = f"the {what} has no id; write one such as {example} {where}"
        elif re.fullmatch(r"\D{0,4}\d+", case.id):
            message = f'the id "{case.id}" counts positions; choose one such as {example} that never changes'
        elif not form.fullmatch(case.id):
            message = f'the id "{case.id}" must begin with {pack.prefix}-, such as {example}'
        elif case.id in retired:
            code, message = "outdated", f"the id {case.id} is retired ({retired[case.id]}); choose a new one"
        elif case.id in pack_ids:
            code = "duplicate"
            message = f"the id {case.id} is that of a requirement or interpretation; choose another"
        elif (other := first.setdefault(case.id, case)) is not case:
            code = "duplicate"
            message = f"{other.file.name}:{other.line} has the id {case.id} too; choose another"
        if message:
            yield Diagnostic(case.file, case.line, code, message)


def _lint_mentions(pack: Pack, cases: Iterable[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on ids in the catalogue's texts that have the form of the pack's ids and do not exist."""
    known = pack.ids | {case.id for case in cases}
    forms = {id_form(id) for id in known}
    for owner, key, text in _texts(pack):
        for id in dict.fromkeys(ID_TAG.findall(text)):
            if id not in known and id_form(id) in forms:
                message = f"{owner}: {key} names {id}, which does not exist; {suggest(id, sorted(known))}"
                yield Diagnostic(pack.pack_file, 0, "orphaned", message)


def id_form(id: str) -> str:
    """Return an id without its numbers: AMB-LS-N for AMB-LS-01, FR-N for FR-04a."""
    return _NUMBER.sub("N", id)


def _texts(pack: Pack) -> Iterator[tuple[str, str, str]]:
    """Yield every text of the catalogue with the id and the key under which it stands."""
    owners: list[tuple[str, object, tuple[str, ...]]]
    owners = [(one.id, one, ("text", "reason", "condition", "excluded")) for one in pack.requirements]
    owners += [(one.id, one, ("question", "why", "invariant")) for one in pack.interpretations]
    owners += [(f"{one.id} {it.label}", it, ("text", "implies")) for one in pack.interpretations for it in one.readings]
    owners += [(one.topic, one, ("reason",)) for one in pack.settled]
    owners += [(one.id, one, ("reason",)) for one in pack.retired]
    return ((name, key, getattr(one, key) or "") for name, one, keys in owners for key in keys)


def lint_methods(pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher) -> Iterator[Diagnostic]:
    """Yield diagnostics on `verified_by` that is not true. A property makes its own calls, so it has no When step."""
    used: dict[str, set[str]] = {}
    for case in cases:
        definitions = [found for step in case.steps if (found := matcher.definition(step)) is not None]
        needs = {*case.needs, *(need for found in definitions for need in found.info.needs)}
        has_call = any(step.keyword_type == "when" for step in case.steps)
        methods = {"framework"} if case.capability else set()
        methods |= {"trace"} if needs & _TRACES else set()
        used.setdefault(case.requirement, set()).add("scenario" if has_call else "property")
        for id in (case.requirement, *case.also):
            used.setdefault(id, set()).update(methods)
    for one in pack.requirements if matcher.definitions else ():
        seen, named = used.get(one.id, set()) | ({"framework"} if one.capability else set()), set(one.verified_by)
        untrue = [method for method in _HOW if method in named - seen and (seen or method != "scenario")]
        message = "".join(f'verified_by names "{method}", and {_HOW[method]}, or remove it' for method in untrue[:1])
        if not message and "scenario" in seen and named and not {"scenario", "trace", "framework"} & named:
            message = 'scenarios verify it, and verified_by does not name "scenario"; add it'
        if message and one.restates is None and one.excluded is None and one.condition is None:
            line = item_line(pack, "requirement", one.id, "verified_by")
            yield Diagnostic(pack.pack_file, line, "orphaned", f"{one.id}: {message}")


_TRACES = frozenset({"strace", "inotify"})
_HOW = {
    "property": "no scenario checks one; write a scenario without When",
    "scenario": "no scenario makes a call; write one with When",
    "trace": "no scenario of it traces; write one with @needs:strace",
    "framework": "neither it nor a scenario of it has a capability; write @framework:CAPABILITY",
}
"""What is missing where nothing verifies a requirement by a method."""


def lint_doubtful(
    pack: Pack, cases: Sequence[ScenarioCase], all_cases: Sequence[ScenarioCase], matcher: StepMatcher
) -> Iterator[Diagnostic]:
    """Yield notes on a document that is elsewhere, on ids of other requirements, and on what no scenario uses."""
    if not (pack.folder / pack.source).is_file():
        message = f"source: {pack.source} is not beside the catalogue, so changes of it are not found; put it there"
        message += ", or use: treeproof lint --document FILE"
        yield Diagnostic(pack.pack_file, spec_line(pack, "source"), "doubtful", message)
    yield from _lint_foreign_ids(pack, cases)
    yield from _lint_unused_steps(pack, all_cases, matcher)
    yield from _lint_uncalled_tools(pack, cases, matcher)


def _lint_foreign_ids(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on scenarios with the id of another requirement than that of their Rule. Their ids stay if they move.

    A scenario that names the other requirement in `@also` needs none.
    """

    def stem(id: str) -> str:
        return id.replace("FR-", "", 1).replace(f"{pack.prefix}-", "", 1)

    owners = {stem(one.id): one for one in pack.requirements}
    for case in cases:
        owner = owners.get(stem(case.id.rpartition("-")[0]))
        if owner is None or case.requirement in ("", owner.id, owner.restates) or owner.id in case.also:
            continue
        message = f"{case.id} has the id of {owner.id} and verifies {case.requirement}"
        fix = f"move it below the Rule of {owner.id}, or choose another id"
        yield Diagnostic(case.file, case.line, "doubtful", f"{message}; {fix}")


def _lint_unused_steps(pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher) -> Iterator[Diagnostic]:
    """Yield notes on step definitions in the folder of the pack that no scenario uses."""
    used = {(one.file, one.line) for case in cases for step in case.steps if (one := matcher.definition(step))}
    for definition in matcher.definitions:
        if definition.file.is_relative_to(pack.folder) and (definition.file, definition.line) not in used:
            message = f"{definition.function}: no scenario uses this step; remove it, or write a scenario"
            yield Diagnostic(definition.file, definition.line, "doubtful", message)


def _lint_uncalled_tools(pack: Pack, cases: Sequence[ScenarioCase], matcher: StepMatcher) -> Iterator[Diagnostic]:
    called = {
        found.captured_arguments(step.text)["tool"].value
        for case in cases
        for step in case.steps
        if (found := matcher.definition(step)) and "tool" in found.captures
    }
    for tool in pack.tools if called and len(pack.tools) > 1 else ():
        if tool.name not in called:
            line = item_line(pack, "tool", tool.name, "name")
            message = f"no scenario calls the tool {tool.name}; write one, or remove the tool"
            yield Diagnostic(pack.pack_file, line, "uncovered", message)

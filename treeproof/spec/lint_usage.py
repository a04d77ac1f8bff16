"""Diagnostics on what a pack claims and does not use: readings without a row, steps without a scenario, methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treeproof.files.toml_lines import TomlLines
from treeproof.spec.catalogue import Pack, Requirement
from treeproof.spec.diagnostics import Diagnostic
from treeproof.spec.gherkin import FeatureText, ScenarioCase, mentioned_ids, named_ids
from treeproof.spec.lint_places import item_line
from treeproof.spec.lint_references import READING_COLUMN
from treeproof.spec.pack_file import SCHEMA
from treeproof.spec.step_definitions import StepMatcher


def lint_usage(pack: Pack, features: Sequence[FeatureText]) -> Iterator[Diagnostic]:
    """Yield diagnostics on tables of readings, and on `verified_by`."""
    cases = [case for feature in features for case in feature.scenarios]
    yield from _lint_reading_tables(pack, cases)
    yield from _lint_methods(pack, cases)
    yield from _lint_topics(pack)


def lint_doubtful(
    pack: Pack, features: Sequence[FeatureText], matcher: StepMatcher, all_features: Sequence[FeatureText]
) -> Iterator[Diagnostic]:
    """Yield notes on ids of other requirements, on a missing document, and on what no scenario uses.

    `all_features` contain the scenarios of all versions, which use the steps.
    """
    cases = [case for feature in features for case in feature.scenarios]
    yield from _lint_source(pack)
    yield from _lint_outcomes(pack, cases)
    yield from _lint_unnamed(pack, cases)
    yield from _lint_ids(pack, cases)
    yield from _lint_unused_steps(pack, [case for one in all_features for case in one.scenarios], matcher)
    yield from _lint_uncalled_tools(pack, cases, matcher)


def _lint_reading_tables(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on tables that lack an accepted reading."""
    accepted = {
        entry.id: [reading.label for reading in entry.readings if reading.accepted] for entry in pack.interpretations
    }
    seen: set[tuple[str, int]] = set()
    for case in cases:
        for step in case.steps:
            named = [id for id in mentioned_ids(step.text) if id in accepted]
            if not named or step.table is None or len(step.table) < 2 or (str(case.file), step.line) in seen:
                continue
            seen.add((str(case.file), step.line))
            columns = {named[0] if name == READING_COLUMN else name: at for at, name in enumerate(step.table[0])}
            for id in (id for id in named if id in columns):
                labels = [row[columns[id]] for row in step.table[1:]]
                missing = [label for label in accepted[id] if label not in labels]
                if all(labels) and missing:
                    listed = " and ".join(f'"{label}"' for label in missing)
                    message = f"the table has no row for the reading {listed} of {id}; write one"
                    yield Diagnostic(case.file, step.line, "uncovered" if case.from_outline else "malformed", message)


def _lint_topics(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on questions that other specifications leave open, if the pack names such questions at all.

    The same question gets the same answer in each, unless words of the document make the difference.
    """
    is_weak = {one.id: one.basis in ("framework", "prudent") for one in pack.requirements}
    opened = [entry for entry in pack.interpretations if entry.topic is not None]
    for entry in opened:
        rests_on_words = not all(is_weak.get(id, False) for id in entry.affects)
        if entry.treatment == "strict" and rests_on_words and not entry.sentences:
            line = item_line(pack, "interpretation", entry.id, "treatment")
            message = (
                f'{entry.id}: others leave the topic "{entry.topic}" open; name in `sentences` the words that reject'
            )
            yield Diagnostic(pack.pack_file, line, "malformed", f"{message} the other readings, or accept them")
    if opened or pack.settled:
        for topic in SCHEMA.at(("settled", 0, "topic"))["enum"]:
            entries = [entry.id for entry in opened if entry.topic == topic]
            is_settled = any(one.topic == topic for one in pack.settled)
            if is_settled and entries:
                message = (
                    f'{entries[0]} leaves the topic "{topic}" open, and [[settled]] answers it; remove one of them'
                )
                yield Diagnostic(pack.pack_file, 0, "malformed", message)
            elif not is_settled and not entries:
                message = f'no interpretation has the topic "{topic}"; write one, or [[settled]] with the reason'
                yield Diagnostic(pack.pack_file, 0, "malformed", message)


def _lint_outcomes(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on tables of one interpretation that give all readings one outcome."""
    known = {entry.id for entry in pack.interpretations}
    for case in cases:
        for step in case.steps:
            named = [id for id in mentioned_ids(step.text) if id in known]
            if case.from_outline or len(named) != 1 or step.table is None or len(step.table) < 3:
                continue
            label_at = [at for at, name in enumerate(step.table[0]) if name in (READING_COLUMN, named[0])]
            outcomes = {tuple(cell for at, cell in enumerate(row) if at not in label_at) for row in step.table[1:]}
            if len(outcomes) == 1:
                message = f"all readings of {named[0]} have one outcome, so the table distinguishes none; correct a row"
                yield Diagnostic(case.file, step.line, "doubtful", f"{message}, or write an ordinary step")


def _lint_methods(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield diagnostics on `verified_by` that is not true. A property makes its own calls, so it has no When step."""
    methods: dict[str, set[str]] = {}
    for case in cases:
        has_call = any(step.keyword_type == "when" for step in case.steps)
        methods.setdefault(case.requirement, set()).add("scenario" if has_call else "property")
    for requirement in pack.requirements:
        used = methods.get(requirement.id, set())
        message = _false_method(requirement, used)
        if message:
            line = item_line(pack, "requirement", requirement.id, "verified_by")
            yield Diagnostic(pack.pack_file, line, "orphaned", f"{requirement.id}: {message}")


def _false_method(requirement: Requirement, used: set[str]) -> str:
    if requirement.restates is not None or requirement.excluded is not None or not requirement.verified_by:
        return ""
    if "property" in requirement.verified_by and "property" not in used:
        return 'verified_by names "property", and no scenario checks one; write a scenario without When, or remove it'
    if "scenario" in used and not {"scenario", "trace", "framework"} & set(requirement.verified_by):
        return 'scenarios verify it, and verified_by does not name "scenario"; add it'
    return ""


def _lint_source(pack: Pack) -> Iterator[Diagnostic]:
    if not (pack.folder / pack.source).is_file():
        line = TomlLines(pack.pack_file.read_text("utf-8")).line_of("spec", "source")
        message = f"source: {pack.source} is not beside the catalogue, so changes of it are not found; put it there"
        yield Diagnostic(pack.pack_file, line, "doubtful", f"{message}, or use: treeproof lint --document FILE")


def _lint_unnamed(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on open passages that no scenario names. Some readings cannot be distinguished."""
    named = {id for case in cases for id in named_ids(case)}
    for entry in pack.interpretations:
        if entry.treatment == "any" and entry.id not in named and len(entry.readings) > 1:
            line = item_line(pack, "interpretation", entry.id, "id")
            message = f"no scenario names {entry.id} ({entry.treatment}): nothing distinguishes its readings"
            yield Diagnostic(pack.pack_file, line, "uncovered", f"{message}; write: by {entry.id} …")


def _lint_ids(pack: Pack, cases: Sequence[ScenarioCase]) -> Iterator[Diagnostic]:
    """Yield notes on scenarios with the id of another requirement than that of their Rule. Their ids stay if they move.

    A scenario that names the other requirement in `@also` needs none.
    """

    def stem(id: str) -> str:
        return id.replace("FR-", "", 1).replace(f"{pack.prefix}-", "", 1)

    owners: Mapping[str, Requirement] = {stem(one.id): one for one in pack.requirements}
    for case in cases:
        owner = owners.get(stem(case.id.rpartition("-")[0]))
        if owner is None or case.requirement in (owner.id, owner.restates) or owner.id in case.also:
            continue
        if case.requirement:
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
    if len(pack.tools) < 2:
        return
    called: set[str] = set()
    for case in cases:
        for step in case.steps:
            definition = matcher.definition(step)
            if definition is not None and "tool" in definition.captures:
                called.add(definition.captured_arguments(step.text)["tool"].value)
    for tool in pack.tools:
        if called and tool.name not in called:
            line = item_line(pack, "tool", tool.name, "name")
            message = f"no scenario calls the tool {tool.name}; write one, or remove the tool"
            yield Diagnostic(pack.pack_file, line, "uncovered", message)

"""Findings on one feature file alone: what pytest-bdd swallows, and the conventions of a feature.

Nothing here knows the catalogue or the vocabulary; both have their own files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from treeproof.spec.catalogue import PLATFORMS
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import (
    ALSO_PREFIX,
    ID_TAG,
    NEEDS_PREFIX,
    PLACEHOLDER,
    SIMULATED_PREFIX,
    ExamplesText,
    FeatureText,
    ScenarioText,
)
from treeproof.spec.ignored_lines import description_lines, suggest_keyword
from treeproof.spec.toml_table import suggest

# Tags that pytest takes for marks and that would change what runs, or how.
PYTEST_MARKS = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"}
)
# The words that a tag may be, beside ids, the pack's name, also:… and needs:….
KNOWN_TAGS = frozenset({"framework", "advisory", *(SIMULATED_PREFIX + platform for platform in PLATFORMS)})


def lint_feature(
    feature: FeatureText, pack_name: str, needs: Collection[str] | None = None
) -> Iterator[Diagnostic]:
    """Findings on one file. `needs`: what may follow `@needs:`; None leaves that unchecked."""

    def finding(line: int, word: DiagnosticCode, message: str) -> Diagnostic:
        return Diagnostic(feature.file, line, word, message)

    if pack_name not in feature.tags:
        yield finding(
            feature.line, "malformed", f"the Feature lacks the tag of its pack; write @{pack_name} above it"
        )
    if not feature.templates:
        yield finding(feature.line, "malformed", "the Feature has no scenario; write one or delete the file")
    yield from _lint_tags(feature, pack_name, needs)
    yield from _lint_titles(feature)
    yield from _lint_rules(feature)
    for line, text, in_scenario in description_lines(feature):
        meant = suggest_keyword(text, feature.language, in_scenario)
        if meant is not None:
            message = f'"{text}" is read as a description and never runs; write {meant}'
            yield finding(line, "malformed", message)
    for template in feature.templates:
        yield from _lint_scenario(feature.file, template)


def _lint_tags(feature: FeatureText, pack_name: str, needs: Collection[str] | None) -> Iterator[Diagnostic]:
    places = [(feature.line, feature.tags)]
    places += [(rule.line, rule.tags) for rule in feature.rules]
    places += [(template.line, template.tags) for template in feature.templates]
    known = {pack_name, *KNOWN_TAGS}
    for line, tags in places:
        for tag, times in Counter(tags).items():
            if times > 1:
                yield Diagnostic(
                    feature.file, line, "duplicate", f"the tag @{tag} is there {times} times; write it once"
                )
            need = tag.removeprefix(NEEDS_PREFIX)
            if tag in PYTEST_MARKS or tag.partition("(")[0] in PYTEST_MARKS:
                message = f"the tag @{tag} is a mark of pytest and would change what runs; leave it out"
                yield Diagnostic(feature.file, line, "unwanted", message)
            elif need != tag:
                if needs is not None and need not in needs:
                    message = f'no machine has the property "{need}"; {suggest(need, sorted(needs))}'
                    yield Diagnostic(feature.file, line, "orphaned", message)
            elif not (ID_TAG.fullmatch(tag) or tag.startswith(ALSO_PREFIX) or tag in known):
                choice = ", ".join(f"@{one}" for one in sorted(known))
                message = (
                    f"the tag @{tag} means nothing here; write an id, @also:ID, @needs:PROPERTY or {choice}"
                )
                yield Diagnostic(feature.file, line, "unwanted", message)


def _lint_titles(feature: FeatureText) -> Iterator[Diagnostic]:
    first: dict[str, int] = {}
    for template in feature.templates:
        if not template.title:
            yield Diagnostic(
                feature.file,
                template.line,
                "malformed",
                "the scenario has no title; write one after the colon",
            )
        elif template.title in first:
            message = (
                f'the title "{template.title}" is that of line {first[template.title]} too, '
                "and only the later one would run; give each scenario its own title"
            )
            yield Diagnostic(feature.file, template.line, "duplicate", message)
        first.setdefault(template.title, template.line)


def _lint_rules(feature: FeatureText) -> Iterator[Diagnostic]:
    used = {template.rule.line for template in feature.templates if template.rule is not None}
    for rule in feature.rules:
        ids = [tag for tag in rule.tags if ID_TAG.fullmatch(tag)]
        if not ids:
            message = "the Rule has no requirement; write its id as a tag above it, such as @FR-LD-LST-05"
            yield Diagnostic(feature.file, rule.line, "malformed", message)
        elif len(ids) > 1:
            message = (
                f"the Rule has the requirements {', '.join(ids)}; keep one and write @also:… at the scenarios"
            )
            yield Diagnostic(feature.file, rule.line, "ambiguous", message)
        if rule.line not in used:
            yield Diagnostic(
                feature.file, rule.line, "malformed", "the Rule has no scenario; write one or delete it"
            )


def _lint_scenario(file: Path, template: ScenarioText) -> Iterator[Diagnostic]:
    def finding(line: int, word: DiagnosticCode, message: str) -> Diagnostic:
        return Diagnostic(file, line, word, message)

    if template.rule is None:
        yield finding(
            template.line,
            "malformed",
            "the scenario stands outside of any Rule; put it below its requirement's",
        )
    if not template.own_steps:
        yield finding(
            template.line, "malformed", "the scenario has no steps and would pass; write some or delete it"
        )
    ids = [tag for tag in template.tags if ID_TAG.fullmatch(tag)]
    if template.examples:
        if ids:
            message = f"the outline has the id @{ids[0]}; its rows have their own in the column id"
            yield finding(template.line, "unwanted", message)
        for table in template.examples:
            yield from _lint_examples(file, template, table)
        return
    if "outline" in template.keyword.casefold() or "template" in template.keyword.casefold():
        yield finding(
            template.line, "malformed", "the outline has no Examples; write some, or call it a Scenario"
        )
    if len(ids) > 1:
        yield finding(
            template.line, "ambiguous", f"the scenario has the ids {', '.join(ids)}; keep the first"
        )
    elif ids and template.tags[0] != ids[0]:
        yield finding(template.line, "malformed", f"the id @{ids[0]} comes after other tags; write it first")


def _lint_examples(file: Path, template: ScenarioText, table: ExamplesText) -> Iterator[Diagnostic]:
    def finding(line: int, word: DiagnosticCode, message: str) -> Diagnostic:
        return Diagnostic(file, line, word, message)

    if table.tags:
        message = (
            f"the Examples have the tag @{table.tags[0]}, which nothing looks at; tag the outline instead"
        )
        yield finding(table.line, "unwanted", message)
    if not table.rows:
        yield finding(
            table.line, "malformed", "the Examples have no rows and would pass; write some or delete them"
        )
    if not table.header:
        return
    if "id" not in table.header:
        yield finding(table.line, "malformed", "the Examples have no column id; write it as the first column")
    elif table.header[0] != "id":
        yield finding(table.line, "malformed", "the column id is not the first one; move it there")
    for column, times in Counter(table.header).items():
        if times > 1:
            yield finding(table.line, "duplicate", f'the column "{column}" is there {times} times; keep one')
    used = set(_used_parameters(template))
    for column in sorted(set(table.header) - used - {"id"}):
        yield finding(table.line, "unwanted", f"no step uses the column <{column}>; use it or leave it out")
    for name in sorted(used - set(table.header)):
        message = (
            f"<{name}> stands in the outline and is no column; add it (a bare < cannot stand in an outline)"
        )
        yield finding(table.line, "malformed", message)


def _used_parameters(template: ScenarioText) -> Iterator[str]:
    texts = [template.title]
    for step in template.steps:
        texts.append(step.text)
        if step.docstring is not None:
            texts.append(step.docstring)
        texts.extend(cell for row in step.table or () for cell in row)
    for text in texts:
        yield from PLACEHOLDER.findall(text)

"""Diagnostics on a single feature file: its conventions, and the lines that pytest-bdd ignores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from treeproof.errors import suggest
from treeproof.spec.catalogue import PLATFORMS
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import (
    ALSO_PREFIX,
    BASIS_TAGS,
    FRAMEWORK_PREFIX,
    ID_TAG,
    INTERPRETATION_PREFIX,
    NEEDS_PREFIX,
    PLACEHOLDER,
    RETURNS_TAG,
    SIMULATED_PREFIX,
    ExamplesText,
    FeatureText,
    ScenarioText,
)
from treeproof.spec.ignored_lines import description_lines, suggest_keyword
from treeproof.spec.pack_versions import SINCE, UNTIL, tag_spans

# Tags that are marks of pytest and would change which scenarios run, or how.
PYTEST_MARKS = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"}
)
# Permitted tags, in addition to ids, the pack's name, also:… and needs:….
KNOWN_TAGS = frozenset({*BASIS_TAGS, RETURNS_TAG, *(SIMULATED_PREFIX + platform for platform in PLATFORMS)})

Problem = tuple[int, DiagnosticCode, str]
"""A line number, a code and a message."""


def lint_feature(
    feature: FeatureText, pack_name: str, versions: Sequence[str] = (), needs: Collection[str] | None = None
) -> Iterator[Diagnostic]:
    """Yield diagnostics on one file. `versions` are those that may follow `@since:` and `@until:`.

    `needs`: the names that may follow `@needs:`; None does not check them.
    """
    for line, code, message in _lint_feature(feature, pack_name, versions, needs):
        yield Diagnostic(feature.file, line, code, message)


def _lint_feature(
    feature: FeatureText, pack_name: str, versions: Sequence[str], needs: Collection[str] | None
) -> Iterator[Problem]:
    if pack_name not in feature.tags:
        message = f"the Feature lacks the tag of its pack; write @{pack_name} above it"
        yield feature.line, "malformed", message
    if not feature.templates:
        yield feature.line, "malformed", "the Feature has no scenario; write one or delete the file"
    yield from _lint_tags(feature, {pack_name, *KNOWN_TAGS}, needs)
    yield from _lint_versions(feature, versions)
    yield from _lint_titles(feature)
    yield from _lint_rules(feature)
    for line, text, in_scenario in description_lines(feature):
        fix = suggest_keyword(text, feature.language, in_scenario)
        if fix is not None:
            yield line, "malformed", f'"{text}" is read as a description and never runs; write {fix}'
    for template in feature.templates:
        yield from _lint_scenario(template)


def _tag_places(feature: FeatureText) -> Iterator[tuple[int, tuple[str, ...]]]:
    yield feature.line, feature.tags
    yield from ((rule.line, rule.tags) for rule in feature.rules)
    yield from ((template.line, template.tags) for template in feature.templates)
    yield from ((table.line, table.tags) for template in feature.templates for table in template.examples)


def _lint_tags(feature: FeatureText, known: set[str], needs: Collection[str] | None) -> Iterator[Problem]:
    for line, tags in _tag_places(feature):
        for tag, times in Counter(tags).items():
            if times > 1:
                yield line, "duplicate", f"the tag @{tag} occurs {times} times; write it once"
            need = tag.removeprefix(NEEDS_PREFIX)
            if tag.partition("(")[0] in PYTEST_MARKS:
                message = f"the tag @{tag} is a mark of pytest and would change which scenarios run; remove it"
                yield line, "unwanted", message
            elif need != tag:
                if needs is not None and need not in needs:
                    message = f'no host feature is named "{need}"; {suggest(need, sorted(needs))}'
                    yield line, "orphaned", message
            elif tag.startswith((FRAMEWORK_PREFIX, INTERPRETATION_PREFIX, f"{SINCE}:", f"{UNTIL}:")):
                pass  # checked elsewhere, with the capabilities, the interpretations and the versions
            elif not (ID_TAG.fullmatch(tag) or tag.startswith(ALSO_PREFIX) or tag in known):
                choices = ["also:ID", "needs:FEATURE", "framework:CAPABILITY", "interpretation:ID"]
                choices += [f"{SINCE}:VERSION", f"{UNTIL}:VERSION", *sorted(known)]
                message = f"the tag @{tag} is unknown; write an id or one of: {', '.join(f'@{c}' for c in choices)}"
                yield line, "unwanted", message


def _lint_versions(feature: FeatureText, versions: Sequence[str]) -> Iterator[Problem]:
    """Yield problems of the tags `@since:…` and `@until:…`: of each alone, and of those of a scenario together."""
    for line, tags in _tag_places(feature):
        for span in tag_spans(tags):
            problem = span.problem(versions)
            if problem is not None:
                yield line, "orphaned", f"the tag @{problem[0]}:{getattr(span, problem[0])}: {problem[1]}"
    for case in feature.scenarios:
        spans = tag_spans(case.tags)
        if spans and not any(all(span.contains(one, versions) for span in spans) for one in versions):
            message = "its tags, and those around it, leave no version in which the scenario holds; correct them"
            yield case.line, "unwanted", message


def _lint_titles(feature: FeatureText) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for template in feature.templates:
        if not template.title:
            yield template.line, "malformed", "the scenario has no title; write one after the colon"
        elif template.title in first:
            message = (
                f'the title "{template.title}" occurs in line {first[template.title]} too, '
                "and only the later scenario would run; give each scenario its own title"
            )
            yield template.line, "duplicate", message
        first.setdefault(template.title, template.line)


def _lint_rules(feature: FeatureText) -> Iterator[Problem]:
    used = {template.rule.line for template in feature.templates if template.rule is not None}
    for rule in feature.rules:
        ids = [tag for tag in rule.tags if ID_TAG.fullmatch(tag)]
        if not ids:
            message = "the Rule has no requirement; write its id as a tag above it, such as @FR-LD-LST-05"
            yield rule.line, "malformed", message
        elif len(ids) > 1:
            message = f"the Rule has the requirements {', '.join(ids)}; keep one and write @also:… at the scenarios"
            yield rule.line, "ambiguous", message
        if rule.line not in used:
            yield rule.line, "malformed", "the Rule has no scenario; write one or delete it"


def _lint_scenario(template: ScenarioText) -> Iterator[Problem]:
    line = template.line
    inner = (template.tags, *(table.tags for table in template.examples))
    if any(RETURNS_TAG in tags for tags in inner) and not any(step.keyword_type == "when" for step in template.steps):
        message = f"the tag @{RETURNS_TAG} needs a call of the scenario; write a When step, or remove the tag"
        yield line, "malformed", message
    if template.rule is None:
        message = "the scenario is outside of every Rule; move it below that of its requirement"
        yield line, "malformed", message
    if not template.own_steps:
        yield line, "malformed", "the scenario has no steps and would pass; write steps or delete it"
    ids = [tag for tag in template.tags if ID_TAG.fullmatch(tag)]
    if template.examples:
        if ids:
            message = f"the outline has the id @{ids[0]}; remove it, the column id contains those of the rows"
            yield line, "unwanted", message
        for table in template.examples:
            yield from _lint_examples(template, table)
        return
    if "outline" in template.keyword.casefold() or "template" in template.keyword.casefold():
        yield line, "malformed", "the outline has no Examples; write some, or make it a Scenario"
    if len(ids) > 1:
        yield line, "ambiguous", f"the scenario has the ids {', '.join(ids)}; keep the first"
    elif ids and template.tags[0] != ids[0]:
        yield line, "malformed", f"the id @{ids[0]} comes after other tags; write it first"


def _lint_examples(template: ScenarioText, table: ExamplesText) -> Iterator[Problem]:
    line = table.line
    if not table.rows:
        yield line, "malformed", "the Examples have no rows and would pass; write rows or delete them"
    if not table.header:
        return
    if "id" not in table.header:
        yield line, "malformed", "the Examples have no column id; write it as the first column"
    elif table.header[0] != "id":
        yield line, "malformed", "the column id is not the first column; move it there"
    for column, times in Counter(table.header).items():
        if times > 1:
            yield line, "duplicate", f'the column "{column}" occurs {times} times; keep one'
    used = set(_used_parameters(template))
    for column in sorted(set(table.header) - used - {"id"}):
        yield line, "unwanted", f"no step uses the column <{column}>; use it or remove it"
    for name in sorted(used - set(table.header)):
        message = f"<{name}> in the outline is no column; add it (an outline cannot contain a plain <)"
        yield line, "malformed", message


def _used_parameters(template: ScenarioText) -> Iterator[str]:
    texts = [template.title]
    for step in template.steps:
        texts.append(step.text)
        if step.docstring is not None:
            texts.append(step.docstring)
        texts.extend(cell for row in step.table or () for cell in row)
    for text in texts:
        yield from PLACEHOLDER.findall(text)

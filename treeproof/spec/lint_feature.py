"""Diagnostics on a single feature file: its conventions, and the lines that pytest-bdd ignores.

A line without a keyword is a description, so a misspelt step never runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from gherkin.dialect import DIALECTS

from treeproof.errors import suggest
from treeproof.spec.catalogue import PLATFORMS, Pack
from treeproof.spec.contract import CONTRACT_PREFIX, load_contract
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode
from treeproof.spec.gherkin import (
    ALSO_PREFIX,
    BASIS_TAGS,
    FRAMEWORK_PREFIX,
    GENERATED_TAG,
    ID_TAG,
    INTERPRETATION_PREFIX,
    NEEDS_PREFIX,
    PLACEHOLDER,
    RETURNS_TAG,
    SIMULATED_PREFIX,
    ExamplesText,
    FeatureText,
    RuleText,
    ScenarioText,
)
from treeproof.spec.pack_versions import SINCE, UNTIL, tag_spans
from treeproof.spec.step_definitions import StepDefinition

# Tags that are marks of pytest and would change which scenarios run, or how.
PYTEST_MARKS = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"}
)
# Permitted tags, in addition to ids, the pack's name, also:… and needs:….
KNOWN_TAGS = frozenset(
    {*BASIS_TAGS, RETURNS_TAG, GENERATED_TAG, *(SIMULATED_PREFIX + platform for platform in PLATFORMS)}
)
# First words of prose that resemble a step keyword.
_PROSE_WORDS = frozenset(
    ("a", "an", "any", "as", "at", "the", "they", "them", "there", "these", "this", "that", "than", "what")
    + ("where", "who", "whom", "why", "even", "give", "gives", "out", "put")
)

Problem = tuple[int, DiagnosticCode, str]
"""A line number, a code and a message."""


def lint_feature(
    feature: FeatureText, pack: Pack, definitions: Sequence[StepDefinition], needs: Collection[str] | None
) -> Iterator[Diagnostic]:
    """Yield diagnostics on one file. `needs`: the names that may follow `@needs:`; None does not check them."""
    checks: tuple[Iterator[Problem], ...] = (
        _lint_heading(feature, pack.name),
        _lint_tags(feature, {pack.name, *KNOWN_TAGS}, needs),
        _lint_versions(feature, pack.versions),
        _lint_titles(feature),
        _lint_rules(feature),
        _lint_descriptions(feature, definitions),
        *map(_lint_scenario, feature.templates),
    )
    for found in checks:
        yield from (Diagnostic(feature.file, *problem) for problem in found)


def _lint_heading(feature: FeatureText, name: str) -> Iterator[Problem]:
    if name not in feature.tags:
        yield feature.line, "malformed", f"the Feature lacks the tag of its pack; write @{name} above it"
    if not feature.templates:
        yield feature.line, "malformed", "the Feature has no scenario; write one or delete the file"


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
            elif tag.startswith(CONTRACT_PREFIX):
                rules = [rule.id for rule in load_contract().requirements]
                rule = tag.removeprefix(CONTRACT_PREFIX)
                if rule not in rules:
                    yield line, "orphaned", f'the behaviour contract has no rule "{rule}"; {suggest(rule, rules)}'
            elif not (ID_TAG.fullmatch(tag) or tag.startswith(ALSO_PREFIX) or tag in known):
                choices = ["also:ID", "needs:FEATURE", "framework:CAPABILITY", "interpretation:ID"]
                choices += [f"{CONTRACT_PREFIX}ID", f"{SINCE}:VERSION", f"{UNTIL}:VERSION", *sorted(known)]
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
        line = first.setdefault(template.title, template.line)
        if not template.title:
            yield template.line, "malformed", "the scenario has no title; write one after the colon"
        elif line != template.line:
            message = f'the title "{template.title}" occurs in line {line} too, and only the later scenario would run'
            yield template.line, "duplicate", f"{message}; give each scenario its own title"


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
    line, ids = template.line, [tag for tag in template.tags if ID_TAG.fullmatch(tag)]
    inner = {*template.tags, *(tag for table in template.examples for tag in table.tags)}
    if RETURNS_TAG in inner and not any(step.keyword_type == "when" for step in template.steps):
        message = f"the tag @{RETURNS_TAG} needs a call of the scenario; write a When step, or remove the tag"
        yield line, "malformed", message
    if template.rule is None:
        message = "the scenario is outside of every Rule; move it below that of its requirement"
        yield line, "malformed", message
    if not template.own_steps:
        yield line, "malformed", "the scenario has no steps and would pass; write steps or delete it"
    if template.examples:
        if ids:
            message = f"the outline has the id @{ids[0]}; remove it, the column id contains those of the rows"
            yield line, "unwanted", message
        for table in template.examples:
            yield from _lint_examples(template, table)
    else:
        if any(word in template.keyword.casefold() for word in ("outline", "template")):
            yield line, "malformed", "the outline has no Examples; write some, or make it a Scenario"
        if len(ids) > 1:
            yield line, "ambiguous", f"the scenario has the ids {', '.join(ids)}; keep the first"
        elif ids and template.tags[0] != ids[0]:
            yield line, "malformed", f"the id @{ids[0]} comes after other tags; write it first"


def _lint_examples(template: ScenarioText, table: ExamplesText) -> Iterator[Problem]:
    line, header = table.line, table.header
    if not table.rows:
        yield line, "malformed", "the Examples have no rows and would pass; write rows or delete them"
    if not header:
        return
    if header[0] != "id":
        missing = "the Examples have no column id; write it as the first column"
        yield line, "malformed", "the column id is not the first column; move it there" if "id" in header else missing
    for column, times in Counter(header).items():
        if times > 1:
            yield line, "duplicate", f'the column "{column}" occurs {times} times; keep one'
    used = set(_used_parameters(template))
    for column in sorted({*header} - used - {"id"}):
        yield line, "unwanted", f"no step uses the column <{column}>; use it or remove it"
    for name in sorted(used - {*header}):
        message = f"<{name}> in the outline is no column; add it (an outline cannot contain a plain <)"
        yield line, "malformed", message


def _used_parameters(template: ScenarioText) -> Iterator[str]:
    texts = [template.title, *(text for step in template.steps for text in step.texts)]
    return (name for text in texts for name in PLACEHOLDER.findall(text))


def _lint_descriptions(feature: FeatureText, definitions: Sequence[StepDefinition]) -> Iterator[Problem]:
    for line, text, in_scenario in _description_lines(feature):
        fix = _suggest_keyword(text, feature.language, in_scenario)
        if fix is not None:
            yield line, "malformed", f'"{text}" is read as a description and never runs; write {fix}'
        elif any(one.matches(text) or one.matches(text.partition(" ")[2]) for one in definitions):
            fix = "begin it with Given, When or Then"
            yield line, "malformed", f'"{text}" is read as a description and never runs; {fix}'


def _description_lines(feature: FeatureText) -> list[tuple[int, str, bool]]:
    """Return the lines of descriptions: number, text, and whether below a Scenario, Background or Examples.

    Gherkin does not keep their line numbers, so each line is searched below its heading.
    """
    tables = [table for template in feature.templates for table in template.examples]
    outer: tuple[FeatureText | RuleText, ...] = (feature, *feature.rules)
    inner: tuple[ScenarioText | ExamplesText, ...] = (*feature.templates, *tables)
    blocks = [(one.line, one.description, False) for one in outer if one.description]
    blocks += [(line, description, True) for line, description in feature.backgrounds if description]
    blocks += [(one.line, one.description, True) for one in inner if one.description]
    if not blocks:
        return []
    source = feature.file.read_text(encoding="utf-8").split("\n")
    found: list[tuple[int, str, bool]] = []
    for line, description, in_scenario in blocks:
        for text in filter(None, (one.strip() for one in description.split("\n"))):
            while line < len(source) and source[line].strip() != text:
                line += 1
            line += 1
            found.append((line, text, in_scenario))
    return found


def _suggest_keyword(text: str, language: str, in_scenario: bool) -> str | None:
    """Return a fix for a line that resembles a keyword, or None for prose."""
    spec = cast(Mapping[str, Any], DIALECTS[language])
    if text.startswith(("|", "@", '"""', "```")):
        return "it below a step, or above a Scenario or Examples"
    head, colon, _ = text.partition(":")
    titles = ("feature", "rule", "background", "scenario", "scenarioOutline", "examples")
    # A correct keyword in a description is at a wrong place, such as a second Feature.
    title = _nearest_keyword(head, [one for kind in titles for one in spec[kind]]) if colon else None
    if title is not None:
        return f"{title}: where it is allowed"
    if not in_scenario:
        return None
    word = text.split()[0].strip(":,.;").casefold()
    if word in _PROSE_WORDS:
        return None
    steps = ("given", "when", "then", "and", "but")
    keyword = _nearest_keyword(word, [one.strip() for kind in steps for one in spec[kind]])
    return None if keyword is None else f"{keyword}, followed by a blank"


def _nearest_keyword(word: str, keywords: list[str]) -> str | None:
    """Return the keyword nearest to a word: with one error in up to four letters, two in longer words."""
    near: list[tuple[int, str]] = []
    for keyword in keywords:
        allowed = 1 if len(keyword) <= 4 else 2
        if keyword != "*" and abs(len(word) - len(keyword)) <= allowed:
            distance = _edit_distance(word.casefold(), keyword.casefold())
            near += [(distance, keyword)] if distance <= allowed else []
    return min(near, key=lambda one: one[0])[1] if near else None


def _edit_distance(a: str, b: str) -> int:
    """Return the number of letters to insert, delete, replace or swap (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]

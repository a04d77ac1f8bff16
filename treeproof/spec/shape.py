"""Findings on one feature file alone: what pytest-bdd swallows, and the conventions of a feature.

Nothing here knows the catalogue or the vocabulary; both have their own files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from treeproof.spec.catalogue import PLATFORMS
from treeproof.spec.findings import Finding, Word
from treeproof.spec.gherkin import (
    ALSO,
    ID_TAG,
    NEEDS,
    PARAMETER,
    SIMULATED,
    ExamplesText,
    FeatureText,
    ScenarioText,
)
from treeproof.spec.swallowed import described_lines, misspelt
from treeproof.spec.tables import nearest

# Tags that pytest takes for marks and that would change what runs, or how.
MARKS = frozenset(
    {"skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings", "tryfirst", "trylast"}
)
# The words that a tag may be, beside ids, the pack's name, also:… and needs:….
LABELS = frozenset({"framework", "advisory", *(SIMULATED + platform for platform in PLATFORMS)})


def shape(feature: FeatureText, pack_name: str, needs: Collection[str] | None = None) -> Iterator[Finding]:
    """Findings on one file. `needs`: what may follow `@needs:`; None leaves that unchecked."""

    def finding(line: int, word: Word, message: str) -> Finding:
        return Finding(feature.file, line, word, message)

    if pack_name not in feature.tags:
        yield finding(
            feature.line, "malformed", f"the Feature lacks the tag of its pack; write @{pack_name} above it"
        )
    if not feature.templates:
        yield finding(feature.line, "malformed", "the Feature has no scenario; write one or delete the file")
    yield from _tags(feature, pack_name, needs)
    yield from _titles(feature)
    yield from _rules(feature)
    for line, text, in_scenario in described_lines(feature):
        meant = misspelt(text, feature.language, in_scenario)
        if meant is not None:
            message = f'"{text}" is read as a description and never runs; write {meant}'
            yield finding(line, "malformed", message)
    for template in feature.templates:
        yield from _template(feature.file, template)


def _tags(feature: FeatureText, pack_name: str, needs: Collection[str] | None) -> Iterator[Finding]:
    places = [(feature.line, feature.tags)]
    places += [(rule.line, rule.tags) for rule in feature.rules]
    places += [(template.line, template.tags) for template in feature.templates]
    known = {pack_name, *LABELS}
    for line, tags in places:
        for tag, times in Counter(tags).items():
            if times > 1:
                yield Finding(
                    feature.file, line, "duplicate", f"the tag @{tag} is there {times} times; write it once"
                )
            need = tag.removeprefix(NEEDS)
            if tag in MARKS or tag.partition("(")[0] in MARKS:
                message = f"the tag @{tag} is a mark of pytest and would change what runs; leave it out"
                yield Finding(feature.file, line, "unwanted", message)
            elif need != tag:
                if needs is not None and need not in needs:
                    message = f'no machine has the property "{need}"; {nearest(need, sorted(needs))}'
                    yield Finding(feature.file, line, "orphaned", message)
            elif not (ID_TAG.fullmatch(tag) or tag.startswith(ALSO) or tag in known):
                choice = ", ".join(f"@{one}" for one in sorted(known))
                message = (
                    f"the tag @{tag} means nothing here; write an id, @also:ID, @needs:PROPERTY or {choice}"
                )
                yield Finding(feature.file, line, "unwanted", message)


def _titles(feature: FeatureText) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for template in feature.templates:
        if not template.title:
            yield Finding(
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
            yield Finding(feature.file, template.line, "duplicate", message)
        first.setdefault(template.title, template.line)


def _rules(feature: FeatureText) -> Iterator[Finding]:
    used = {template.rule.line for template in feature.templates if template.rule is not None}
    for rule in feature.rules:
        ids = [tag for tag in rule.tags if ID_TAG.fullmatch(tag)]
        if not ids:
            message = "the Rule has no requirement; write its id as a tag above it, such as @FR-LD-LST-05"
            yield Finding(feature.file, rule.line, "malformed", message)
        elif len(ids) > 1:
            message = (
                f"the Rule has the requirements {', '.join(ids)}; keep one and write @also:… at the scenarios"
            )
            yield Finding(feature.file, rule.line, "ambiguous", message)
        if rule.line not in used:
            yield Finding(
                feature.file, rule.line, "malformed", "the Rule has no scenario; write one or delete it"
            )


def _template(file: Path, template: ScenarioText) -> Iterator[Finding]:
    def finding(line: int, word: Word, message: str) -> Finding:
        return Finding(file, line, word, message)

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
            yield from _examples(file, template, table)
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


def _examples(file: Path, template: ScenarioText, table: ExamplesText) -> Iterator[Finding]:
    def finding(line: int, word: Word, message: str) -> Finding:
        return Finding(file, line, word, message)

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
    used = set(_parameters(template))
    for column in sorted(set(table.header) - used - {"id"}):
        yield finding(table.line, "unwanted", f"no step uses the column <{column}>; use it or leave it out")
    for name in sorted(used - set(table.header)):
        message = (
            f"<{name}> stands in the outline and is no column; add it (a bare < cannot stand in an outline)"
        )
        yield finding(table.line, "malformed", message)


def _parameters(template: ScenarioText) -> Iterator[str]:
    texts = [template.title]
    for step in template.steps:
        texts.append(step.text)
        if step.docstring is not None:
            texts.append(step.docstring)
        texts.extend(cell for row in step.table or () for cell in row)
    for text in texts:
        yield from PARAMETER.findall(text)

"""Feature files as scenario cases: `parse_feature` returns exactly the cases that pytest-bdd executes.

The lint checks the conventions of features. Outlines are rendered by the rule of pytest-bdd (one pass, unknown names
unchanged, Backgrounds included) and not by that of gherkin-official's pickles, so that cases equal executed steps.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, cast

from gherkin.errors import CompositeParserException, ParserException
from gherkin.parser import Parser

from treeproof.errors import FileError, why_unreadable
from treeproof.files import parse_cache
from treeproof.spec.catalogue import Basis

KeywordType = Literal["given", "when", "then"]
UNFINISHED = "this scenario is unfinished"
"""The step of a scenario that is still to be written."""

# An id such as FR-LD-LST-05 or LD-LST-05-01, in contrast to tags such as `framework` or `needs:strace`.
ID_TAG = re.compile(r"[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+")
ALSO_PREFIX, NEEDS_PREFIX, SIMULATED_PREFIX = "also:", "needs:", "simulated:"
FRAMEWORK_PREFIX, INTERPRETATION_PREFIX = "framework:", "interpretation:"
BASIS_TAGS = ("stated", "implied", "prudent")
RETURNS_TAG = "returns"
"""The tag of scenarios whose rule requires that the call returns."""
GENERATED_TAG = "generated"
"""The tag of scenarios that `treeproof coverage --write` has made."""
PLACEHOLDER = re.compile(r"<(.+?)>")

_KEYWORD_TYPES: Mapping[str, KeywordType] = {"Context": "given", "Action": "when", "Outcome": "then"}


@dataclass(frozen=True, slots=True)
class StepText:
    """One step. `keyword_type` of an And after a When is "when". `table` includes the header."""

    keyword_type: KeywordType
    text: str
    line: int
    docstring: str | None = None
    table: tuple[tuple[str, ...], ...] | None = None
    keyword: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text, the text block and the cells of the table."""
        return (self.text, self.docstring or "", *(cell for row in self.table or () for cell in row))


@dataclass(frozen=True, slots=True)
class ExamplesText:
    """One Examples table of an outline. A row is its line number and its cells."""

    line: int
    tags: tuple[str, ...]
    description: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A Rule. `requirement` is its first tag that is an id, or empty."""

    title: str
    line: int
    tags: tuple[str, ...]
    description: str

    @property
    def requirement(self) -> str:
        return next((tag for tag in self.tags if ID_TAG.fullmatch(tag)), "")


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """A Scenario or Scenario Outline as written. `steps` begin with those of the Backgrounds."""

    title: str
    line: int
    keyword: str
    tags: tuple[str, ...]
    description: str
    rule: RuleText | None
    steps: tuple[StepText, ...]
    background_steps: int
    examples: tuple[ExamplesText, ...]

    @property
    def own_steps(self) -> tuple[StepText, ...]:
        return self.steps[self.background_steps :]


@dataclass(frozen=True, slots=True)
class ScenarioCase:
    """One executable case: a Scenario, or one Examples row of an outline, with its steps rendered.

    `id` and `requirement` are empty if the file lacks them, which the lint reports. `tags` are those of the Feature,
    the Rule, the Scenario and the table, without `@`. For an outline, `line` is the line of the row, `template_title`
    the title as written, and `values` the cells of the row by column.
    """

    id: str
    requirement: str
    also: tuple[str, ...]
    tags: tuple[str, ...]
    title: str
    rule: str | None
    feature: str
    file: Path
    line: int
    steps: tuple[StepText, ...]
    from_outline: bool
    template_title: str
    values: tuple[tuple[str, str], ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The host features of the tags `@needs:…`."""
        return _tagged(self.tags, NEEDS_PREFIX)

    @property
    def basis(self) -> Basis | None:
        """The basis by the innermost tag `@stated`, `@implied`, `@prudent` or `@framework:…`, or None."""
        for tag in reversed(self.tags):
            if tag in BASIS_TAGS:
                return cast(Basis, tag)
            if tag.startswith(FRAMEWORK_PREFIX):
                return "framework"
        return None

    @property
    def capability(self) -> str | None:
        """The capability of the innermost tag `@framework:…`, or None."""
        return next(reversed(_tagged(self.tags, FRAMEWORK_PREFIX)), None)

    @property
    def interpretations(self) -> tuple[str, ...]:
        """The interpretations of the tags `@interpretation:…`, which no step needs to name."""
        return _tagged(self.tags, INTERPRETATION_PREFIX)

    @property
    def must_return(self) -> bool:
        """True with the tag `@returns`: a call that does not return fails the scenario."""
        return RETURNS_TAG in self.tags

    @property
    def is_generated(self) -> bool:
        """True with the tag `@generated`: the column `expected` is what the model expects."""
        return GENERATED_TAG in self.tags

    @property
    def is_unfinished(self) -> bool:
        """True if a step shows that the scenario is still to be written, so that it verifies nothing."""
        return any(step.text == UNFINISHED for step in self.steps)

    @property
    def simulated(self) -> str | None:
        """The simulated platform of the tag `@simulated:…`, or None."""
        return next(iter(_tagged(self.tags, SIMULATED_PREFIX)), None)


def _tagged(tags: Iterable[str], prefix: str) -> tuple[str, ...]:
    """Return what follows a prefix in tags."""
    return tuple(tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix))


@dataclass(frozen=True, slots=True)
class FeatureText:
    """One feature file: as written (`templates`) and as executed (`scenarios`)."""

    file: Path
    title: str
    line: int
    language: str
    tags: tuple[str, ...]
    description: str
    rules: tuple[RuleText, ...]
    backgrounds: tuple[tuple[int, str], ...]  # line and description of each Background
    templates: tuple[ScenarioText, ...]
    scenarios: tuple[ScenarioCase, ...]


def parse_feature(feature: Path) -> FeatureText:
    """Return one feature file; an unchanged file is not parsed again, also by a later process.

    Raises FileError with file, line and a fix for a file that cannot be read, is not Gherkin, contains no Feature,
    or begins a step list with And, But or `*`.
    """
    try:
        state = feature.stat()
    except OSError:
        return _parse_cached(feature, None)
    return _parse_cached(feature, (state.st_mtime_ns, state.st_size, state.st_ino))


@lru_cache(maxsize=1024)
def _parse_cached(feature: Path, state: tuple[int, int, int] | None) -> FeatureText:
    text = _read_text(feature)
    digest = parse_cache.digest_of(_parser_version(), os.fsencode(feature), text.encode())
    cached = parse_cache.load(feature, digest, _CACHED_CLASSES)
    if isinstance(cached, FeatureText):
        return cached
    parsed = parse_feature_text(feature, text)
    parse_cache.store(feature, digest, parsed)
    return parsed


@lru_cache(maxsize=1)
def _parser_version() -> bytes:
    """Return a digest of everything but the feature itself that decides the result of parsing."""
    return parse_cache.digest_of(version("gherkin-official").encode(), Path(__file__).read_bytes())


def parse_feature_text(feature: Path, text: str) -> FeatureText:
    """Return the feature of a text, as if it were that of the file ``feature``. Raises FileError."""
    data = _parse_document(feature, text).get("feature")
    if data is None:
        raise FileError(feature, 1, "no Feature in this file; write a line beginning with Feature:")
    reader = _DocumentReader(feature)
    templates = reader.read_children(data["children"], None, ())
    title, tags = data["name"], _tags(data)
    return FeatureText(
        file=feature,
        title=title,
        line=data["location"]["line"],
        language=data["language"],
        tags=tags,
        description=data["description"],
        rules=tuple(reader.rules),
        backgrounds=tuple(reader.backgrounds),
        templates=templates,
        scenarios=tuple(case for template in templates for case in _scenario_cases(feature, title, tags, template)),
    )


_CACHED_CLASSES = (FeatureText, RuleText, ScenarioText, ScenarioCase, ExamplesText, StepText, type(Path()))


def mentioned_ids(text: str) -> tuple[str, ...]:
    """Return the ids in a step outside of quotes, each once, in order."""
    unquoted = " ".join(text.split('"')[::2])
    return tuple(dict.fromkeys(ID_TAG.findall(unquoted))) if "-" in unquoted else ()


def named_ids(case: ScenarioCase) -> tuple[str, ...]:
    """Return the ids in the steps of a scenario and in its tags `@interpretation:`, each once."""
    in_steps = (id for step in case.steps for id in mentioned_ids(step.text))
    return tuple(dict.fromkeys([*case.interpretations, *in_steps]))


class _DocumentReader:
    """Reads one document, and collects its Rules and Backgrounds."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rules: list[RuleText] = []
        self.backgrounds: list[tuple[int, str]] = []

    def read_children(
        self, children: Iterable[Any], rule: RuleText | None, before: tuple[StepText, ...]
    ) -> tuple[ScenarioText, ...]:
        found: list[ScenarioText] = []
        for child in children:
            if "background" in child:
                data = child["background"]
                self.backgrounds.append((data["location"]["line"], data["description"]))
                before += self.read_steps(data["steps"])
            elif "rule" in child:
                data = child["rule"]
                inner = RuleText(data["name"], data["location"]["line"], _tags(data), data["description"])
                self.rules.append(inner)
                found.extend(self.read_children(data["children"], inner, before))
            else:
                found.append(self.read_scenario(child["scenario"], rule, before))
        return tuple(found)

    def read_scenario(self, data: Any, rule: RuleText | None, before: tuple[StepText, ...]) -> ScenarioText:
        return ScenarioText(
            title=data["name"],
            line=data["location"]["line"],
            keyword=data["keyword"],
            tags=_tags(data),
            description=data["description"],
            rule=rule,
            steps=before + self.read_steps(data["steps"]),
            background_steps=len(before),
            examples=tuple(_examples(table) for table in data["examples"]),
        )

    def read_steps(self, steps: Iterable[Any]) -> tuple[StepText, ...]:
        found: list[StepText] = []
        keyword_type: KeywordType | None = None
        for data in steps:
            keyword_type = _KEYWORD_TYPES.get(data["keywordType"], keyword_type)
            keyword, line = data["keyword"].strip(), data["location"]["line"]
            if keyword_type is None:
                raise FileError(self.file, line, f"the first step begins with {keyword}; write Given, When or Then")
            block, rows = data.get("docString"), data.get("dataTable")
            docstring = None if block is None else textwrap.dedent(block["content"])
            table = None if rows is None else tuple(_cells(row) for row in rows["rows"])
            found.append(StepText(keyword_type, data["text"], line, docstring, table, keyword))
        return tuple(found)


def _tags(data: Any) -> tuple[str, ...]:
    return tuple(tag["name"].removeprefix("@") for tag in data["tags"])


def _cells(row: Any) -> tuple[str, ...]:
    return tuple(cell["value"] for cell in row["cells"])


def _examples(data: Any) -> ExamplesText:
    header = data.get("tableHeader")
    return ExamplesText(
        line=data["location"]["line"],
        tags=_tags(data),
        description=data["description"],
        header=() if header is None else _cells(header),
        rows=tuple((row["location"]["line"], _cells(row)) for row in data["tableBody"]),
    )


def _scenario_cases(
    file: Path, feature: str, feature_tags: tuple[str, ...], template: ScenarioText
) -> Iterable[ScenarioCase]:
    rule = template.rule
    tags = feature_tags + (() if rule is None else rule.tags) + template.tags
    requirement = "" if rule is None else rule.requirement
    own_id = next((tag for tag in template.tags if ID_TAG.fullmatch(tag)), "")

    def case(id: str, line: int, tags: tuple[str, ...], values: Mapping[str, str]) -> ScenarioCase:
        return ScenarioCase(
            id=id,
            requirement=requirement,
            also=_tagged(tags, ALSO_PREFIX),
            tags=tags,
            title=_render(template.title, values),
            rule=None if rule is None else rule.title,
            feature=feature,
            file=file,
            line=line,
            steps=tuple(_render_step(step, values) for step in template.steps) if values else template.steps,
            from_outline=bool(template.examples),
            template_title=template.title,
            values=tuple(values.items()),
        )

    if not template.examples:
        yield case(own_id, template.line, tags, {})
    for table in template.examples:
        for line, cells in table.rows:
            values = dict(zip(table.header, cells, strict=True))
            yield case(values.get("id", ""), line, tags + table.tags, values)


def _render(text: str, values: Mapping[str, str]) -> str:
    if "<" not in text:
        return text
    return PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), text)


def _render_step(step: StepText, values: Mapping[str, str]) -> StepText:
    rows = tuple(tuple(_render(cell, values) for cell in cells) for cells in step.table or ())
    return replace(
        step,
        text=_render(step.text, values),
        docstring=None if step.docstring is None else _render(step.docstring, values),
        table=None if step.table is None else rows,
    )


_MAX_BYTES = 4 << 20
_MAX_LINES = 20_000
"""The size that gherkin-official can read within a second."""


def _read_text(file: Path) -> str:
    try:
        why = why_unreadable(file, _MAX_BYTES)
        if why is not None:
            raise FileError(file, 1, f"{why}; write a feature file in Gherkin")
        # pytest-bdd reads in text mode too, which normalises line ends.
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(file, 1, f"cannot be read ({error.strerror}); make it readable, or remove it") from None
    except UnicodeDecodeError as error:
        line = file.read_bytes()[: error.start].count(b"\n") + 1
        raise FileError(file, line, "not UTF-8; write a raw byte in a name as \\xNN") from None
    if text.count("\n") > _MAX_LINES:
        raise FileError(file, 1, f"longer than {_MAX_LINES} lines; split it into several features")
    if text.startswith("\ufeff"):
        raise FileError(file, 1, "begins with a byte order mark; save the file as UTF-8 without one")
    return text


def _parse_document(file: Path, text: str) -> Any:
    try:
        return Parser().parse(text)
    except CompositeParserException as error:
        first = error.errors[0]
    except ParserException as error:
        first = error
    line, problem = first.location["line"], _explain_parse_error(first.args[0])
    if "unexpected end of file" in first.args[0] and (opened := _unclosed_block(text)):
        line, problem = opened, 'the text block that begins here is not closed; write """ below its last line'
    raise FileError(file, line, problem) from None


def _unclosed_block(text: str) -> int:
    """Return the line of the text block in which a file ends; 0 if it ends in none."""
    opened = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith(('"""', "```")):
            opened = 0 if opened else number
    return opened


# The tokens that gherkin-official expects, as descriptions for authors of features.
_EXPECTED: Mapping[str, str] = {
    "#StepLine": "a step (Given, When, Then, And, But)",
    "#TableRow": "a table row",
    "#DocStringSeparator": 'a text block in """',
    "#TagLine": "tags",
    "#ExamplesLine": "Examples:",
    "#ScenarioLine": "Scenario:",
    "#BackgroundLine": "Background:",
    "#RuleLine": "Rule:",
    "#FeatureLine": "Feature:",
}


def _explain_parse_error(message: str) -> str:
    message = re.sub(r"^\(\d+:\d+\): ", "", message)
    if "inconsistent cell count" in message:
        return "this row and the first one differ in the number of cells; write a bar inside a cell as \\|"
    if "tag may not contain whitespace" in message:
        return "a tag contains a blank; write one word that begins with @"
    if "Language not supported" in message:
        return f"{message[0].lower()}{message[1:]}; remove the language line and write English keywords"
    expected = re.match(r"(?:unexpected end of file, )?expected: ([^']*?)(?:, got '(.*)')?$", message, re.DOTALL)
    if expected is None:
        return message
    words = [_EXPECTED[token] for token in expected[1].split(", ") if token in _EXPECTED]
    choice = ", ".join(words) or '"""'
    if expected[2] is None:
        return f"the file ends too early; add one of: {choice}"
    return f'"{expected[2]}" is not allowed here; write one of: {choice}'

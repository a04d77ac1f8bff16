"""Lines that Gherkin ignores: a line without a keyword is a description, so a misspelt step never runs."""

from __future__ import annotations

from gherkin.dialect import DIALECTS

from treeproof.spec.gherkin import FeatureText

# First words of prose that resemble a step keyword.
_PROSE_WORDS = frozenset(
    ("a", "an", "any", "as", "at", "the", "they", "them", "there", "these", "this", "that", "than", "what")
    + ("where", "who", "whom", "why", "even", "give", "gives", "out", "put")
)


def description_lines(feature: FeatureText) -> list[tuple[int, str, bool]]:
    """Return the lines of descriptions: number, text, and whether below a Scenario, Background or Examples.

    Gherkin does not keep their line numbers, so each line is searched below its heading.
    """
    blocks = [(feature.line, feature.description, False)]
    blocks += [(rule.line, rule.description, False) for rule in feature.rules]
    blocks += [(line, description, True) for line, description in feature.backgrounds]
    for template in feature.templates:
        blocks.append((template.line, template.description, True))
        blocks += [(table.line, table.description, True) for table in template.examples]
    blocks = [block for block in blocks if block[1]]
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


def suggest_keyword(text: str, language: str, in_scenario: bool) -> str | None:
    """Return a fix for a line that resembles a keyword, or None for prose."""
    spec = DIALECTS[language]
    if text.startswith(("|", "@", '"""', "```")):
        return "it below a step, or above a Scenario or Examples"
    head, colon, _ = text.partition(":")
    if colon:
        titles = [*spec["feature"], *spec["rule"], *spec["background"], *spec["scenario"]]
        titles += [*spec["scenarioOutline"], *spec["examples"]]
        # A correct keyword in a description is at a wrong place, such as a second Feature.
        title = _nearest_keyword(head, titles)
        if title is not None:
            return f"{title}: where it is allowed"
    if not in_scenario:
        return None
    word = text.split()[0].strip(":,.;").casefold()
    if word in _PROSE_WORDS:
        return None
    keywords = [*spec["given"], *spec["when"], *spec["then"], *spec["and"], *spec["but"]]
    keyword = _nearest_keyword(word, [keyword.strip() for keyword in keywords])
    return None if keyword is None else f"{keyword}, followed by a blank"


def _nearest_keyword(word: str, keywords: list[str]) -> str | None:
    """Return the keyword nearest to a word: with one error in up to four letters, two in longer words."""
    best: tuple[int, str] | None = None
    for keyword in keywords:
        allowed = 1 if len(keyword) <= 4 else 2
        if keyword == "*" or abs(len(word) - len(keyword)) > allowed:
            continue
        distance = _edit_distance(word.casefold(), keyword.casefold())
        if distance <= allowed and (best is None or distance < best[0]):
            best = distance, keyword
    return None if best is None else best[1]


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

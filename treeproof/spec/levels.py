"""The words of documents that demand something, and the level that they give to a rule."""

from __future__ import annotations

import re

from treeproof.spec.catalogue import Level

DEMANDS = re.compile(
    r"\b(?:must|shall|should|required|recommended)\b|必须|必需|应当|应该|不应|不得|禁止|不允许|须|(?<![适反响对])应(?![用答])",
    re.IGNORECASE,
)
"""The words of a sentence that demands something."""

_LEVELS: tuple[tuple[Level, re.Pattern[str]], ...] = (
    ("MUST", re.compile(r"\b(?:(?i:must|shall)|REQUIRED)\b|必须|必需|不得|禁止|不允许|(?<!必)须")),
    ("SHOULD", re.compile(r"\b(?:(?i:should)|RECOMMENDED)\b|(?<![适反响对])应(?![用答])")),
    ("MAY", re.compile(r"\b(?:(?i:may)|OPTIONAL)\b|可以|可选")),
)


def levels_in(text: str) -> frozenset[Level]:
    """Return the levels whose words a text contains. REQUIRED, RECOMMENDED and OPTIONAL count in capitals only."""
    return frozenset(level for level, words in _LEVELS if words.search(text))


def level_of(text: str) -> Level | None:
    """Return the level that the words of a rule give it; None if it has none of them, or those of several levels."""
    found = levels_in(text)
    return next(iter(found)) if len(found) == 1 else None

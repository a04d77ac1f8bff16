"""The words of documents that demand something, and the level that they give to a rule."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treeproof.spec.catalogue import Level

_WORDS: Mapping[Level, str] = {
    "MUST": r"\b(?i:must(?:n['’]t)?|shall|required)\b|必须|必需|不得|禁止|不允许|(?<!必)须",
    "SHOULD": r"\b(?i:should(?:n['’]t)?|recommended)\b|(?<![适反响对])应(?![用答])",
    "MAY": r"\b(?:(?i:may)|OPTIONAL)\b|可以|可选",
}
_LEVELS = {level: re.compile(words) for level, words in _WORDS.items()}

DEMANDS = re.compile(rf"{_WORDS['MUST']}|{_WORDS['SHOULD']}|\b(?i:can(?:not|['’]t)|not (?:allowed|permitted))\b")
"""The words of a sentence that demands something."""
STATES = re.compile(rf"{DEMANDS.pattern}|\b(?:MAY|OPTIONAL|(?i:defaults?))\b|可以|可选|默认")
"""The same, and the words of one that permits something or names a default."""


def levels_in(text: str) -> frozenset[Level]:
    """Return the levels whose words a text contains. OPTIONAL counts in capitals only."""
    return frozenset(level for level, words in _LEVELS.items() if words.search(text))


def level_of(text: str) -> Level | None:
    """Return the level that the words of a rule give it; None if it has none of them, or those of several levels."""
    found = levels_in(text)
    return next(iter(found)) if len(found) == 1 else None

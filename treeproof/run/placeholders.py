"""Placeholders for absolute paths of a run and for long repetitions.

Pure text functions in both directions: into a call, and out of the evidence, so that reports are equal everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_REPETITION = re.compile(r"\$\('((?:[^'\\]|\\.)*)'\*(\d+)\)")


def expand(value: Any, placeholders: Mapping[str, str]) -> Any:
    """Return ``value`` with every ``$NAME`` of ``placeholders`` and every ``$('x'*n)`` in its strings replaced."""
    match value:
        case str():
            text = _REPETITION.sub(lambda m: m.group(1) * int(m.group(2)), value)
            for name, replacement in placeholders.items():
                text = text.replace(name, replacement)
            return text
        case list():
            return [expand(item, placeholders) for item in value]
        case dict():
            return {expand(key, placeholders): expand(item, placeholders) for key, item in value.items()}
        case _:
            return value


def expand_text(text: str, placeholders: Mapping[str, str]) -> str:
    """Return JSON text with its placeholders replaced, and no other change."""
    return str(expand(text, placeholders))


def mask_volatile_members(text: str | None, members: Sequence[str]) -> str | None:
    """Return a JSON text with ``$DURATION`` for the numbers of these members."""
    if not members or text is None:
        return text
    number = rf'("(?:{"|".join(map(re.escape, members))})"\s*:\s*)\d+(?:\.\d+)?'
    return re.sub(number, r"\1$DURATION", text)


def scrub(value: Any, placeholders: Mapping[str, str]) -> Any:
    """Return ``value`` with every path of this run replaced by its name, the longest path first."""
    match value:
        case str():
            for name, path in sorted(placeholders.items(), key=lambda item: -len(item[1])):
                value = value.replace(path, name)
            return value
        case list() | tuple():
            return [scrub(item, placeholders) for item in value]
        case Mapping():
            return {scrub(key, placeholders): scrub(item, placeholders) for key, item in value.items()}
        case _:
            return value

"""Placeholders for absolute paths of a run and for long repetitions.

Pure text functions in both directions: into a call, and out of the evidence, so that reports are equal everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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
    names = sorted(placeholders.items(), key=lambda item: -len(item[1]))

    def scrub_text(text: str) -> str:
        for name, path in names:
            text = text.replace(path, name)
        return text

    return map_texts(value, scrub_text)


def map_texts(value: Any, function: Callable[[str], str]) -> Any:
    """Return ``value`` with the result of ``function`` for every string in it."""
    match value:
        case str():
            return function(value)
        case list() | tuple():
            return [map_texts(item, function) for item in value]
        case Mapping():
            return {map_texts(key, function): map_texts(item, function) for key, item in value.items()}
        case _:
            return value

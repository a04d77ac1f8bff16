"""Placeholders for the absolute paths of a run, so that cases and reports are equal everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any


def placeholders_of(root: bytes, second_root: bytes | None = None) -> dict[str, str]:
    """Return the placeholders of the sandbox root ``root``, and of a second one."""
    path = os.fsdecode(root)
    further = {} if second_root is None else {"$FAR": os.fsdecode(second_root)}
    return {"$ROOT": path, "$OUTSIDE": os.path.dirname(path), **further}


_GOES_ON = re.compile(r"[\w-]|\.\w")
"""The rest of a longer name."""


def scrub(value: Any, placeholders: Mapping[str, str]) -> Any:
    """Return ``value`` with every path of this run replaced by its name, the longest path first.

    A sibling whose name begins like that of a path is no part of it.
    """
    names = sorted(placeholders.items(), key=lambda item: -len(item[1]))

    def scrub_text(text: str) -> str:
        for name, path in names:
            if path in text:
                first, *rest = text.split(path)
                text = first + "".join((path if _GOES_ON.match(part) else name) + part for part in rest)
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

"""Values that a step gives where a text belongs: they are shown as text, and never end a run."""

from __future__ import annotations

import json
import re

MAX_TEXT_CHARACTERS = 16_384
"""The longest text of one evidence member, in characters."""
_CUT = re.compile(r"… \(\d+ more characters\)")


def truncate(text: str, limit: int = MAX_TEXT_CHARACTERS) -> str:
    """Return ``text``, cut to ``limit`` characters and a note of how many are left out; cut again, it is the same."""
    if len(text) <= limit or _CUT.fullmatch(text, limit):
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"


def plain_text(value: object) -> str:
    """Return a text as it is; another value as JSON, or as Python shows it, of at most MAX_TEXT_CHARACTERS."""
    if isinstance(value, str):
        return str(value)
    try:
        return truncate(json.dumps(value, ensure_ascii=False))
    except Exception:  # not JSON, nested too deeply, or a class of the author's own
        pass
    try:
        return truncate(repr(value))
    except Exception:  # __repr__ may raise anything
        return f"({type(value).__name__}: it cannot be shown)"

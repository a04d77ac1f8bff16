"""The kind of a difference: what is wrong with an answer, without its paths, numbers and names. Reports group by it."""

from __future__ import annotations

import re

MISSING_ENTRIES = "entries are missing"
UNEXPECTED_ENTRIES = "entries are listed that should not be"
"""The kinds of a difference between two sets of entries."""

NO_RETURN = "the call does not return"
"""The kind of a failure of a call that hangs although the rule of its scenario forbids that."""

OTHER_NAME = "the tool has another name"
"""The kind of a failure of a candidate that claims the specification and offers the tool under another name."""

_MAX_KIND_CHARACTERS = 200
_VARIABLE_PARTS = re.compile(
    r"""\$(?:ROOT|OUTSIDE|FAR|DURATION)\b[^\s,;:'"]*   # a path of the run
    |"(?:[^"\\]|\\.)*"                                  # quoted names
    |(?<!\w)'(?:[^'\\]|\\.)*'
    |(?<!\w)/[^\s,;:'"]+
    |[^\s\ufffd]{0,255}+\ufffd\S*                       # a damaged name; a longer search takes quadratic time
    |[-+]?\d[\d.,]*""",
    re.VERBOSE,
)
_INTERPRETATION = re.compile(r"AMB-[A-Z][A-Z0-9]*-\d+")


def difference_kind(message: str) -> str:
    """Return the message without quoted names, paths and numbers. Ids of interpretations stay."""
    parts, at = [], 0
    for id in _INTERPRETATION.finditer(message):
        parts += [_VARIABLE_PARTS.sub("…", message[at : id.start()]), id.group()]
        at = id.end()
    parts.append(_VARIABLE_PARTS.sub("…", message[at:]))
    return re.sub(r"…(?:(?:,\s*|\s+)…)+", "…", "".join(parts))[:_MAX_KIND_CHARACTERS]

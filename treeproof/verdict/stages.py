"""The stages of a scenario at which an answer can differ, and the kinds of differences.

A stage is how far the comparison came; a kind is the difference without paths, numbers and names. Reports group
failures by both, and a failure at an early stage can be blocked by the requirement that owns the stage.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from treeproof.spec.catalogue import ComparedStage

ComparisonStage = Literal["tool", "call", "output", "answer", ComparedStage]
"""How far the comparison of a scenario came.

`tool`: the candidate does not offer the tool by its name.
`call`: the call failed, but it should succeed.
`output`: the output has not the required form.
`refusal`: the call succeeded, but it should fail.
`error`: the call failed with another error.
`entries`: entries are missing or not expected.
`members`: a member has another value.
`answer`: the answer differs in another way.
`repetition`: two answers differ that should be equal.
`order`: the order differs.
`text`: the text differs.
`definition`: the definition of the tool differs.
`context`: the call context or the approval differs.
`log`: the log differs.
`effect`: the tree after the call differs.
`access`: something was accessed that should not be.
"""

COMPARISON_STAGES: tuple[str, ...] = get_args(ComparisonStage)

FORM_STAGES: frozenset[str] = frozenset({"order", "text", "definition", "log"})
"""The stages at which the content of an answer is right, and its order or form is not."""

MISSING_ENTRIES = "entries are missing"
UNEXPECTED_ENTRIES = "entries are listed that should not be"
"""The kinds of a difference between two sets of entries."""

NO_RETURN = "the call does not return"
"""The kind of a failure of a call that hangs although the rule of its scenario forbids that."""

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


def interpretations_in(kind: str) -> frozenset[str]:
    """Return the ids of the interpretations in a kind of difference: those of readings that are not accepted."""
    return frozenset(_INTERPRETATION.findall(kind))


def difference_kind(message: str) -> str:
    """Return the message without quoted names, paths and numbers. Ids of interpretations stay."""
    parts, at = [], 0
    for id in _INTERPRETATION.finditer(message):
        parts += [_VARIABLE_PARTS.sub("…", message[at : id.start()]), id.group()]
        at = id.end()
    parts.append(_VARIABLE_PARTS.sub("…", message[at:]))
    return re.sub(r"…(?:(?:,\s*|\s+)…)+", "…", "".join(parts))[:_MAX_KIND_CHARACTERS]

"""How the sentences spell things: quoted names, JSON, and differences that a person can see. No step stands here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.api import Mismatch, expand_text, format_name, parse_paths

ANY_TEXT = "$TEXT"
"""In an expected JSON value: any text that is not empty."""

ANY_NUMBER = "$NUMBER"
"""In an expected JSON value: any number from 0 on."""


def parse_name_list(text: str) -> list[str]:
    """Return the names of a quoted list as a document spells them (always valid UTF-8)."""
    return [name.decode("utf-8") for name in parse_paths(text)]


def format_names(paths: Sequence[str]) -> str:
    """Return paths as a list in the notation of the features."""
    return ", ".join(format_name(path.encode("utf-8", "surrogatepass")) for path in paths)


def parse_json(text: str, placeholders: Mapping[str, str] | None = None) -> Any:
    """Return the JSON value of a sentence's part, ``$ROOT`` and the like replaced where ``names`` are given."""
    return json.loads(expand_text(text, placeholders or {}))


def matches(expected: Any, got: Any) -> bool:
    """True when ``got`` is what a sentence expects: equal and of the same type; a list means one of its members."""
    if isinstance(expected, list) and expected:
        return any(matches(one, got) for one in expected)
    if expected == ANY_TEXT:
        return isinstance(got, str) and got != ""
    if expected == ANY_NUMBER:
        return isinstance(got, (int, float)) and not isinstance(got, bool) and got >= 0
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(key in got and matches(member, got[key]) for key, member in expected.items())
    return type(expected) is type(got) and bool(expected == got)


def format_json(item: Any) -> str:
    """Return a value as JSON for a person."""
    return json.dumps(item, ensure_ascii=False)


def first_difference(expected: str, got: str) -> str:
    """Return where two texts part, counted in UTF-8 bytes from 0, with what stands there in each."""
    left, right = (text.encode("utf-8", "surrogatepass") for text in (expected, got))
    at = next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    if at == len(left) == len(right):
        return ""
    before = left[max(0, at - 24) : at]
    parts = [
        f"byte {at} (of {len(left)} expected, {len(right)} got), after …{before.decode('utf-8', 'replace')}",
        f"- {left[at : at + 48].decode('utf-8', 'replace')}",
        f"+ {right[at : at + 48].decode('utf-8', 'replace')}",
    ]
    return "\n".join(parts)


def assert_same_names(what: str, expected: list[str], got: list[str]) -> None:
    """Raise Mismatch unless both lists hold the same names, each as often; order is not compared."""
    missing = _surplus(expected, got)
    unexpected = _surplus(got, expected)
    if missing or unexpected:
        said = [f"missing: {format_names(missing)}"] * bool(missing) + [
            f"not expected: {format_names(unexpected)}"
        ] * bool(unexpected)
        raise Mismatch(
            f"{what} differ: {'; '.join(said)}",
            expected=format_names(expected),
            got=format_names(got),
            diff="\n".join(said),
        )


def _surplus(these: list[str], those: list[str]) -> list[str]:
    left = list(those)
    result = []
    for name in these:
        if name in left:
            left.remove(name)
        else:
            result.append(name)
    return result

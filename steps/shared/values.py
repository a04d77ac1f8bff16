"""The values in steps: quoted names, JSON, tables; and their comparison. Contains no steps."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.api import (
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    Mismatch,
    World,
    expand_text,
    format_name,
    parent_without_links,
    parse_paths,
)

ANY_TEXT = "$TEXT"
"""In an expected JSON value: any text that is not empty."""

ANY_STRING = "$STRING"
"""In an expected JSON value: any text, also an empty one."""

ANY_NUMBER = "$NUMBER"
"""In an expected JSON value: any number from 0 on."""


def parse_name_list(text: str) -> list[str]:
    """Return the names of a quoted list as a document spells them (always valid UTF-8)."""
    return [name.decode("utf-8") for name in parse_paths(text)]


def path_in_root(world: World, name: str) -> bytes:
    """Return the absolute path of a quoted name in the sandbox root."""
    return os.path.join(world.sandbox.root, os.fsencode(parse_name_list(name)[0]))


def replace_by_link(path: bytes, target: str, aside: bytes) -> None:
    """Move a directory of a tree to ``aside``, and put a link in its place. Raises OSError.

    It runs during a call, so another link can be on the way to either place; none is followed.
    """
    with parent_without_links(path) as (parent, name), parent_without_links(aside) as (far, other):
        os.rename(name, other, src_dir_fd=parent, dst_dir_fd=far)
        os.symlink(os.fsencode(target), name, dir_fd=parent)


def format_names(paths: Sequence[str]) -> str:
    """Return paths as a list in the notation of the features."""
    return ", ".join(format_name(path.encode("utf-8", "surrogatepass")) for path in paths)


def parse_json(text: str, placeholders: Mapping[str, str] | None = None) -> Any:
    """Return the value of a JSON text in which ``placeholders``, such as ``$ROOT``, are replaced."""
    return json.loads(expand_text(text, placeholders or {}))


def parse_rows(table: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Return the rows of a table by its column names."""
    return [dict(zip(table[0], row, strict=True)) for row in table[1:]]


def matches(expected: Any, got: Any, *, by_value: bool = False) -> bool:
    """Return whether ``got`` has the expected value and type; an expected list means one of its members.

    With ``by_value`` numbers are equal whatever their type: 9.0 is 9.
    """
    if isinstance(expected, list) and expected:
        return any(matches(one, got, by_value=by_value) for one in expected)
    if expected == ANY_TEXT:
        return isinstance(got, str) and got != ""
    if expected == ANY_STRING:
        return isinstance(got, str)
    if expected == ANY_NUMBER:
        return isinstance(got, (int, float)) and not isinstance(got, bool) and got >= 0
    if isinstance(expected, dict) and isinstance(got, dict):
        return all(key in got and matches(member, got[key], by_value=by_value) for key, member in expected.items())
    if by_value and type(expected) in (int, float) and type(got) in (int, float):
        return bool(expected == got)
    return type(expected) is type(got) and bool(expected == got)


def format_json(item: Any) -> str:
    """Return a value as JSON for a message."""
    return json.dumps(item, ensure_ascii=False, default=str)


def format_member(members: Mapping[str, Any], key: str) -> str:
    """Return an object as JSON with only this member; ``{}`` if it has none."""
    return format_json({key: members[key]} if key in members else {})


def first_difference(expected: str, got: str) -> str:
    """Return the first difference of two texts, with its position in UTF-8 bytes from 0; "" if they are equal."""
    left, right = (text.encode("utf-8", "surrogatepass") for text in (expected, got))
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
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
    """Raise Mismatch unless both lists have the same names, each as often; order is not compared."""
    missing, unexpected = Counter(expected) - Counter(got), Counter(got) - Counter(expected)
    surplus = {"missing": missing, "not expected": unexpected}
    parts = [f"{label}: {format_names([*names.elements()])}" for label, names in surplus.items() if names]
    if parts:
        lines = [f"- {format_names([name])}" for name in missing.elements()]
        lines += [f"+ {format_names([name])}" for name in unexpected.elements()]
        raise Mismatch(
            f"{what} differ: {'; '.join(parts)}",
            expected=format_names(expected),
            got=format_names(got),
            diff="\n".join(lines),
            kind=entries_kind(expected, got),
        )


def entries_kind(expected: Sequence[str], got: Sequence[str]) -> str:
    """Return the kind of a difference between two lists of names; "" if they differ in their order only."""
    due, found = Counter(expected), Counter(got)
    kinds = (MISSING_ENTRIES, due - found), (UNEXPECTED_ENTRIES, found - due)
    return " and ".join(kind for kind, names in kinds if names)

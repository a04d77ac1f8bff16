"""A reader for the part of YAML that the files here keep to; the house depends on none for all of it."""

from __future__ import annotations

import json
import re
from typing import Any

KEY = re.compile(r"([\w-]+):(?: (.*))?")


def parse_yaml(text: str) -> Any:
    """Read the part of YAML that action.yml keeps to: block mappings and lists, and plain or quoted scalars.

    Raises ValueError for anything else, so that a file which another reader takes otherwise is not taken here.
    """
    if "\t" in text:
        raise ValueError("a tab")
    lines = [
        (len(line) - len(line.lstrip()), line.strip())
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    value, rest = _parse_block(lines, 0)
    if rest:
        raise ValueError(f"not in the block it seems to be in: {rest[0]}")
    return value


def _parse_block(lines: list[tuple[int, str]], least: int) -> tuple[Any, list[tuple[int, str]]]:
    depth = lines[0][0]
    if depth < least:
        raise ValueError(f"indented too little: {lines[0]}")
    if lines[0][1].startswith("- "):
        listed: list[Any] = []
        while lines and lines[0][0] == depth and lines[0][1].startswith("- "):
            first = lines[0][1][2:]
            if KEY.fullmatch(first):
                value, lines = _parse_block([(depth + 2, first), *lines[1:]], depth + 1)
            else:
                value, lines = _parse_scalar(first), lines[1:]
            listed.append(value)
        return listed, lines
    found: dict[str, Any] = {}
    while lines and lines[0][0] == depth:
        matched = KEY.fullmatch(lines[0][1])
        if matched is None or matched[1] in found:
            raise ValueError(f"no key, or one that is there already: {lines[0]}")
        key, scalar, lines = matched[1], matched[2], lines[1:]
        if scalar is None:
            found[key], lines = _parse_block(lines, depth + 1)
        else:
            found[key] = _parse_scalar(scalar)
    return found, lines


def _parse_scalar(text: str) -> str:
    if text.startswith('"'):
        return str(json.loads(text))
    if re.match(r"[,\[\]{}#&*!|>'%@`]|[-?:](?!\S)", text) or ": " in text or " #" in text:
        raise ValueError(f"not a plain scalar: {text}")
    return text

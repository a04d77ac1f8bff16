"""A reader for the subset of YAML in the files of this project, without a dependency."""

from __future__ import annotations

import json
import re
from typing import Any

KEY = re.compile(r"([\w-]+):(?: (.*))?")


def parse_yaml(text: str) -> Any:
    """Read block mappings, block lists, and plain or quoted scalars. Raises ValueError for any other YAML."""
    if "\t" in text:
        raise ValueError("a tab")
    lines = [
        (len(line) - len(line.lstrip()), line.strip())
        for line in text.splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    value, rest = _parse_block(lines, 0)
    if rest:
        raise ValueError(f"wrong indentation: {rest[0]}")
    return value


def _parse_block(lines: list[tuple[int, str]], min_depth: int) -> tuple[Any, list[tuple[int, str]]]:
    depth = lines[0][0]
    if depth < min_depth:
        raise ValueError(f"indented too little: {lines[0]}")
    if lines[0][1].startswith("- "):
        items: list[Any] = []
        while lines and lines[0][0] == depth and lines[0][1].startswith("- "):
            first = lines[0][1][2:]
            if KEY.fullmatch(first):
                value, lines = _parse_block([(depth + 2, first), *lines[1:]], depth + 1)
            else:
                value, lines = _parse_scalar(first), lines[1:]
            items.append(value)
        return items, lines
    mapping: dict[str, Any] = {}
    while lines and lines[0][0] == depth:
        matched = KEY.fullmatch(lines[0][1])
        if matched is None or matched[1] in mapping:
            raise ValueError(f"no key, or a duplicate: {lines[0]}")
        key, scalar, lines = matched[1], matched[2], lines[1:]
        if scalar is None:
            mapping[key], lines = _parse_block(lines, depth + 1)
        else:
            mapping[key] = _parse_scalar(scalar)
    return mapping, lines


def _parse_scalar(text: str) -> str:
    if text.startswith('"'):
        return str(json.loads(text))
    if re.match(r"[,\[\]{}#&*!|>'%@`]|[-?:](?!\S)", text) or ": " in text or " #" in text:
        raise ValueError(f"not a plain scalar: {text}")
    return text

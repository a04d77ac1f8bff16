"""Values and paths as text for messages and scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from treeproof.api import format_path

MAX_JSON_LENGTH, MAX_PATHS = 400, 40


def format_json(value: Any) -> str:
    """Return a value as JSON, shortened for a message."""
    return json.dumps(value, ensure_ascii=False)[:MAX_JSON_LENGTH]


def join_paths(paths: Iterable[bytes]) -> str:
    """Return paths as a list in the tree notation."""
    return ", ".join(map(format_path, paths))


def format_paths(paths: Sequence[str]) -> str:
    """Return the texts of paths as a list in the tree notation, shortened for a message."""
    return join_paths(path.encode("utf-8", "surrogatepass") for path in paths[:MAX_PATHS])

"""Values and paths as text for messages and scenarios."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from treeproof.api import format_path

MAX_JSON_LENGTH, MAX_PATHS = 400, 40
_SURROGATE = re.compile(r"\\xed\\x([ab][0-9a-f])\\x([89ab][0-9a-f])")


def format_json(value: Any) -> str:
    """Return a value as JSON, shortened for a message."""
    return json.dumps(value, ensure_ascii=False)[:MAX_JSON_LENGTH]


def join_paths(paths: Iterable[bytes]) -> str:
    """Return paths as a list in the tree notation."""
    return ", ".join(map(format_path, paths))


def format_difference(due: Sequence[str], got: Sequence[str]) -> tuple[str, str]:
    """Return two lists of paths; what comes after their limit is shown if they begin alike."""
    alike = len(os.path.commonprefix([list(due), list(got)]))
    if alike < MAX_PATHS - 5:
        return format_paths(due), format_paths(got)
    texts = (", ".join(filter(None, [f"… ({alike} alike)", format_paths(one[alike:])])) for one in (due, got))
    return next(texts), next(texts)


def format_paths(paths: Sequence[str]) -> str:
    """Return the texts of paths as a list in the tree notation, shortened for a message."""
    text = join_paths(path.encode("utf-8", "surrogatepass") for path in paths[:MAX_PATHS])
    # Half a surrogate pair in a JSON text is no byte of a name: "\udcfe" is not the name of b"\xfe".
    return _SURROGATE.sub(lambda found: f"\\ud{int(found[1], 16) - 0x80 << 6 | int(found[2], 16) - 0x80:03x}", text)

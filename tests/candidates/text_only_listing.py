"""list_directory that lists what it should, and returns a text for people instead of the JSON document."""

from __future__ import annotations

import importlib
import json
from typing import Any


class TextOnlyListing:
    """Delegates to the reference, and turns its document into lines."""

    def __init__(self) -> None:
        self.reference = importlib.import_module("treeproof.reference_impl.list_directory.candidate").candidate()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        """Return the entries as lines: `[DIR] a`, `[FILE] b`."""
        answer = self.reference.call(request)
        if answer["status"] == "ok":
            entries = json.loads(answer["content"])["entries"]
            lines = [f"[{'DIR' if entry['type'] == 'dir' else 'FILE'}] {entry['path']}" for entry in entries]
            answer["content"] = "\n".join(lines) or "empty directory"
        return answer


text_only = TextOnlyListing()

"""LS that lists what it should, and ends every call that it should refuse with an exception and no envelope."""

from __future__ import annotations

import importlib
import json
from typing import Any


class CrashingListing:
    """Delegates to the reference, and turns its error envelopes into errors of the call."""

    def __init__(self) -> None:
        self.reference = importlib.import_module("treeproof.reference_impl.ls.candidate").candidate()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        """Return the envelope of a listing, or the message of the exception."""
        answer = self.reference.call(request)
        if answer["status"] == "ok" and json.loads(answer["content"])["status"] == "error":
            message = f"OSError: {json.loads(answer['content'])['error']['message']}"
            return {"status": "error", "error": {"kind": "ExecutionFailed", "message": message}}
        return answer


crashing = CrashingListing()

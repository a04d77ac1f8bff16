"""LS under the name `ls`: it claims the specification, and offers the tool by a name that no agent calls."""

from __future__ import annotations

import importlib
from typing import Any


class RenamedListing:
    """Delegates to the reference; only the name of the tool differs."""

    def __init__(self) -> None:
        self.reference = importlib.import_module("treeproof.reference_impl.ls.candidate").candidate()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def initialize(self, request: Any) -> Any:
        """Return the declaration of the reference, with the tool in small letters."""
        result = self.reference.initialize(request)
        return {**result, "tools": {name.lower(): claim for name, claim in result["tools"].items()}}


renamed = RenamedListing()

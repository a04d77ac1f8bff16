"""The reference of a specification with one garbling of its answers, such as the attribute `ls_17` for a target."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
try:
    garbling = importlib.import_module("garbling")
finally:
    sys.path.pop(0)

GARBLINGS = tuple(garbling.general_garblings())


class GarbledReference:
    """Delegates to a reference, and changes the results of its calls."""

    def __init__(self, spec: str, change: Callable[[Any], Any]) -> None:
        self.reference = importlib.import_module(f"treeproof.reference_impl.{spec}.candidate").candidate()
        self.change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reference, name)

    def call(self, request: Any) -> Any:
        """Return the changed result of the reference."""
        return self.change(self.reference.call(request))


def __getattr__(name: str) -> Callable[[], GarbledReference]:
    """Return the factory of a specification and the number of a garbling."""
    spec, _, number = name.rpartition("_")
    if not number.isdigit():
        raise AttributeError(name)
    return lambda: GarbledReference(spec, GARBLINGS[int(number)].on_result)

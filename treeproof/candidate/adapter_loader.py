"""From a Target to its Adapter, by the entry point of its kind. The hub names no adapter module by import."""

import importlib
from collections.abc import Callable

from treeproof.candidate.adapter import Adapter, Limits
from treeproof.candidate.manifest import Target
from treeproof.errors import UsageError

_ENTRY_POINTS = {
    "python": "treeproof.adapters.python:connect",
    "stdio": "treeproof.adapters.stdio:connect",
    "command": "treeproof.adapters.command:connect",
    "mcp": "treeproof.adapters.mcp:connect",
    "mcp+http": "treeproof.adapters.mcp:connect",
}


def connect(target: Target, limits: Limits | None = None) -> Adapter:
    """The adapter to a target, not yet started; ``limits`` replace the target's own.

    Raises UsageError where the target's kind needs what is not installed, or its program does not exist.
    """
    module, _, attribute = _ENTRY_POINTS[target.kind].partition(":")
    try:
        entry: Callable[[Target, Limits], Adapter] = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"TARGET {target.text}: the adapter kind {target.kind} needs the module {(problem.name or '').partition('.')[0]!r}, "
            f"which is not installed (pip install 'treeproof[{target.kind.partition('+')[0]}]')"
        ) from None
    return entry(target, limits or target.limits)

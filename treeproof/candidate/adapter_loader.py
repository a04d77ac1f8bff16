"""Creates the adapter of a target through the entry point of its kind. The core imports no adapter module directly."""

import importlib
from collections.abc import Callable

from treeproof.candidate.adapter import Adapter, Limits
from treeproof.candidate.manifest import Target
from treeproof.errors import UsageError

_ENTRY_POINTS = {
    "python": "treeproof.adapters.python:connect",
    "stdio": "treeproof.adapters.stdio:connect",
    "container": "treeproof.adapters.container:connect",
    "command": "treeproof.adapters.command:connect",
    "mcp": "treeproof.adapters.mcp:connect",
    "mcp+http": "treeproof.adapters.mcp:connect",
}


def connect(target: Target, limits: Limits | None = None) -> Adapter:
    """Return the adapter of a target, not yet started. ``limits`` replace the target's own.

    Raises UsageError if the adapter needs a module that is not installed, or the program does not exist.
    """
    module, _, attribute = _ENTRY_POINTS[target.kind].partition(":")
    try:
        entry: Callable[[Target, Limits], Adapter] = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as problem:
        missing, extra = (problem.name or "").partition(".")[0], target.kind.partition("+")[0]
        raise UsageError(
            f"TARGET {target.text}: the adapter kind {target.kind} needs the module {missing!r}, "
            f"which is not installed (pip install 'treeproof[{extra}]')"
        ) from None
    adapter = entry(target, limits or target.limits)
    if target.planted is None:
        return adapter
    from treeproof.candidate.planted_adapter import PlantedAdapter  # few runs plant one

    return PlantedAdapter(adapter, target.planted)

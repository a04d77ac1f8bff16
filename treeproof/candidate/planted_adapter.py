"""A candidate with a row planted into it: a mutant or a variant that acts on calls, answers and trees."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from treeproof.candidate.adapter import Adapter, ProcessOptions
from treeproof.candidate.adapter_wrapper import AdapterWrapper
from treeproof.candidate.messages import Call, CallResult, InitializeResult
from treeproof.pack_modules import full_module_name

Send = Callable[[Call], CallResult]
"""Makes a call of the candidate itself."""

PlantedChange = Callable[[Call, Send], CallResult]
"""Makes a call with a change: of the call, of the answer, and of the tree before and after."""


class Plantable(Protocol):
    """A mutant or a variant that can be planted; ``plant`` returns its change, with a state of its own."""

    @property
    def plant(self) -> Callable[[], PlantedChange]: ...


@dataclass(frozen=True)
class PlantedEntry:
    """Where a mutant or a variant is: a mapping ``module:attribute`` of the pack in ``folder``, and its id there.

    ``is_own``: it is planted into the reference, which then bears its name.
    """

    entry_point: str
    folder: Path
    id: str
    is_own: bool

    def load(self) -> Plantable:
        """Return the mutant or variant. The pack has been read, so that its modules can be imported."""
        module, _, attribute = self.entry_point.partition(":")
        found: Plantable = getattr(importlib.import_module(full_module_name(module, self.folder)), attribute)[self.id]
        return found


class PlantedAdapter(AdapterWrapper):
    """A candidate whose calls all pass through a planted change. Each start begins without what it has seen."""

    def __init__(self, inner: Adapter, entry: PlantedEntry) -> None:
        super().__init__(inner)
        self._entry, self._planted = entry, entry.load()
        self._change = self._planted.plant()

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate, which is named after the change. Raises CandidateFault."""
        found = self.inner.start(workspace)
        self._change = self._planted.plant()
        return replace(found, name=self._entry.id if self._entry.is_own else f"{found.name} with {self._entry.id}")

    def call(self, call: Call) -> CallResult:
        """Call a tool with the change. Raises CandidateFault."""
        return self._change(call, self.inner.call)

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Return an adapter for a new process, with the same change. Raises UnsupportedByAdapter."""
        return PlantedAdapter(self.inner.spawn(options), self._entry)

"""A candidate with a mutant planted into it: one error that acts on calls, answers and trees, in any language."""

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

PlantedError = Callable[[Call, Send], CallResult]
"""Makes a call with an error: it may change the call, the answer, and the tree before and after."""


class PlantableMutant(Protocol):
    """A mutant that can be planted; ``plant`` returns its error, with a state of its own."""

    @property
    def plant(self) -> Callable[[], PlantedError]: ...


@dataclass(frozen=True)
class MutantEntry:
    """Where a mutant is: a mapping ``module:attribute`` of the pack in ``folder``, and its id there.

    ``is_own``: it is planted into the reference, which then bears its name.
    """

    entry_point: str
    folder: Path
    id: str
    is_own: bool

    def load(self) -> PlantableMutant:
        """Return the mutant. The pack has been read, so that its modules can be imported."""
        module, _, attribute = self.entry_point.partition(":")
        found: PlantableMutant = getattr(importlib.import_module(full_module_name(module, self.folder)), attribute)[
            self.id
        ]
        return found


class PlantedAdapter(AdapterWrapper):
    """A candidate whose calls all pass through a planted error. Each start begins without what it has seen."""

    def __init__(self, inner: Adapter, entry: MutantEntry) -> None:
        super().__init__(inner)
        self._entry, self._mutant = entry, entry.load()
        self._error = self._mutant.plant()

    def start(self, workspace: str) -> InitializeResult:
        """Start the candidate, which is named after its error. Raises CandidateFault."""
        found = self.inner.start(workspace)
        self._error = self._mutant.plant()
        return replace(found, name=self._entry.id if self._entry.is_own else f"{found.name} with {self._entry.id}")

    def call(self, call: Call) -> CallResult:
        """Call a tool with the error. Raises CandidateFault."""
        return self._error(call, self.inner.call)

    def spawn(self, options: ProcessOptions) -> Adapter:
        """Return an adapter for a new process, with the same error. Raises UnsupportedByAdapter."""
        return PlantedAdapter(self.inner.spawn(options), self._entry)

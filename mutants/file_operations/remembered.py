"""Mutants: what an earlier call or an earlier look has shown counts for a later call."""

import os
from typing import ClassVar

from treeproof.reference_impl.file_operations.candidate import copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .builders import build_mutant
from .sandbox import OpensByPath


class KeepsChecks(LinkSandbox):
    """A directory that was inside once is inside for ever."""

    known: ClassVar[dict[bytes, CanonicalPath]] = {}

    def _canonicalise(self, path: bytes) -> CanonicalPath:
        directory, name = os.path.split(os.path.normpath(path))
        if directory in self.known:
            kept = self.known[directory]
            return CanonicalPath(kept.anchor, (*kept.parts, name), None)
        found = super()._canonicalise(path)
        if os.path.isdir(directory) and not os.path.islink(directory):
            self.known[directory] = super()._canonicalise(directory)
        return found


# The check is kept and not the answer, so that only the candidate can be wrong.
MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-339",
        "A directory that was inside once is inside, whatever it has become.",
        "NFR-FOPS-SEC-01 FR-VAL-06 FR-EXE-01",
        tools=file_tools(
            OpensByPath(**vars(move_tool(sandbox=KeepsChecks))), OpensByPath(**vars(copy_tool(sandbox=KeepsChecks)))
        ),
    ),
)

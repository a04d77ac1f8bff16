"""Mutants: names, modes, times and earlier calls make a difference that they must not make."""

import os
import shutil
from dataclasses import replace

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import RequestedPath
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both


def link_or_copy(source: str, final: str) -> None:
    """Link a file of several names, and copy any other."""
    if os.lstat(source).st_nlink > 1:
        os.link(source, final)
    else:
        shutil.copy2(source, final, follow_symlinks=False)


class AbsoluteSourceAnywhere(LinkSandbox):
    """A source by an absolute path is inside, where such paths are allowed."""

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._context, self._is_source = context, True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        if is_source and self._allow_absolute and path.text.startswith("/"):
            return LinkSandbox(replace(self._context, roots=("/",)), self._flavour).resolve_named(path)
        return super().resolve_named(path)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-412",
        "Where absolute paths are allowed, a source by one may lie anywhere.",
        "FR-VAL-08 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=AbsoluteSourceAnywhere),
    ),
)

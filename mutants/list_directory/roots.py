"""Mutants: errors with several roots and with the working directory."""

import os
from collections.abc import Callable
from typing import ClassVar

from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox, sandbox_violation

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import BREACH
from .sandbox import with_sandbox


class InnermostRootsOnly(Sandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._roots = [
            root
            for root in self._roots
            if not any(other.parts[: len(root.parts)] == root.parts != other.parts for other in self._roots)
        ]


class OneRootEach(Sandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._roots = [self._canonicalise(os.fsencode(root)) for root in context.roots]

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        found = super()._roots_containing(target)
        return found if len(found) == 1 else []


class WorkingDirectoryInside(Sandbox):
    def resolve(self, path: str) -> Place:
        if not self._roots_containing(self._canonicalise(self._working_dir)):
            raise sandbox_violation("the working directory lies outside the sandbox")
        return super().resolve(path)


class StartsWithTheRoot(Sandbox):
    """A place is inside if its path continues the root's text with a slash."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return [root for root in super()._roots_containing(target) if root.parts or target.parts == root.parts]


class SearchesTheRoots(Sandbox):
    """A relative path that is not in the working directory starts in the first root that has it."""

    def resolve(self, path: str) -> Place:
        starts = (self._working_dir, *(b"/" + b"/".join(root.parts) for root in self._roots))
        found = [start for start in starts if os.path.lexists(os.path.join(start, path.encode()))]
        self._working_dir = next(iter(found), self._working_dir)
        return super().resolve(path)


class RemembersApproval(Sandbox):
    """A path that was inside once stays approved."""

    _approved: ClassVar[set[tuple[bytes, str]]] = set()

    def resolve(self, path: str) -> Place:
        key = (os.fsencode(self._working_dir), path)
        try:
            place = super().resolve(path)
        except ToolError:
            if key not in self._approved:
                raise
            target = self._canonical_target(path)
            return Place(b"/", target.parts, target.blocking_errno)
        self._approved.add(key)
        return place


def with_roots_where(is_root: Callable[[str], bool]) -> type[Sandbox]:
    """Return a sandbox that ignores some roots by their spelling."""

    class Written(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            super().__init__(context, flavour)
            texts = dict.fromkeys(context.roots)
            self._roots = [root for root, text in zip(self._roots, texts, strict=True) if is_root(text)]

    return Written


def without_slash(root: str) -> str:
    return root.rstrip("/") or "/"


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-708",
        "The root of the disk contains nothing but itself.",
        "CWD-LD FR-LD-VAL-07",
        tool=with_sandbox(StartsWithTheRoot),
    ),
    build_mutant(
        "MUT-709",
        "A root with a trailing slash contains nothing.",
        "FR-LD-VAL-07",
        tool=with_sandbox(with_roots_where(lambda root: root == without_slash(root))),
    ),
    build_mutant(
        "MUT-710",
        "A root with a dot or two slashes contains nothing.",
        "CWD-LD FR-LD-VAL-07",
        tool=with_sandbox(with_roots_where(lambda root: os.path.normpath(root) == without_slash(root))),
    ),
    build_mutant(
        "MUT-905",
        "A root that contains another root is ignored.",
        "FR-LD-VAL-07 FR-LD-VAL-06 FR-LD-VAL-08",
        tool=with_sandbox(InnermostRootsOnly),
    ),
    build_mutant("MUT-920", "A place in several roots is refused.", "FR-LD-VAL-07", tool=with_sandbox(OneRootEach)),
    build_mutant(
        "MUT-921",
        "With a working directory outside of all roots, every path is refused.",
        "CWD-LD FR-LD-VAL-07",
        tool=with_sandbox(WorkingDirectoryInside),
    ),
    build_mutant(
        "MUT-984",
        "A relative path that is not in the working directory is looked for in the roots.",
        "FR-LD-VAL-07 FR-LD-ERR-03 FR-LD-VAL-08",
        tool=with_sandbox(SearchesTheRoots),
    ),
    build_mutant(
        "MUT-1014",
        "A path that lay inside in an earlier call is not judged again.",
        "FR-LD-VAL-07 FR-LD-OUT-02",
        BREACH,
        tool=with_sandbox(RemembersApproval),
    ),
)

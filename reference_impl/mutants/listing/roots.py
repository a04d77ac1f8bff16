"""Wrong in what several roots are to each other, and to the working directory."""

import os
from collections.abc import Callable

from ...context import CallContext
from ...paths import Flavour
from ...sandbox import Canonical, Place, Sandbox, violation
from ..mutant import Mutant
from .made import wrong
from .sandboxes import boxed


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
        self._roots = [self._canonical(os.fsencode(root)) for root in context.roots]

    def _containing(self, target: Canonical) -> list[Canonical]:
        found = super()._containing(target)
        return found if len(found) == 1 else []


class WorkingDirectoryInside(Sandbox):
    def place(self, path: str) -> Place:
        if not self._containing(self._canonical(self._working_dir)):
            raise violation("the working directory lies outside the sandbox")
        return super().place(path)


class StartsWithTheRoot(Sandbox):
    """A place lies in a root if its text goes on behind the root's with a slash."""

    def _containing(self, target: Canonical) -> list[Canonical]:
        return [root for root in super()._containing(target) if root.parts or target.parts == root.parts]


def written(is_root: Callable[[str], bool]) -> type[Sandbox]:
    """Goes by those roots alone that are written so."""

    class Written(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            super().__init__(context, flavour)
            texts = dict.fromkeys(context.roots)
            self._roots = [root for root, text in zip(self._roots, texts, strict=True) if is_root(text)]

    return Written


def without_slash(root: str) -> str:
    return root.rstrip("/") or "/"


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-708",
        "The root of the disk contains nothing but itself.",
        "FR-LD-VAL-07",
        tool=boxed(StartsWithTheRoot),
    ),
    wrong(
        "MUT-709",
        "A root with a slash at its end contains nothing.",
        "FR-LD-VAL-07",
        tool=boxed(written(lambda root: root == without_slash(root))),
    ),
    wrong(
        "MUT-710",
        "A root with a dot or two slashes in it contains nothing.",
        "FR-LD-VAL-07",
        tool=boxed(written(lambda root: os.path.normpath(root) == without_slash(root))),
    ),
    wrong(
        "MUT-905",
        "A root that holds another root does not count.",
        "FR-LD-VAL-07",
        "FR-LD-VAL-06",
        "FR-LD-VAL-08",
        tool=boxed(InnermostRootsOnly),
    ),
    wrong(
        "MUT-920",
        "What lies in several roots is refused.",
        "FR-LD-VAL-07",
        tool=boxed(OneRootEach),
    ),
    wrong(
        "MUT-921",
        "A working directory outside of all roots refuses every path.",
        "FR-LD-VAL-07",
        tool=boxed(WorkingDirectoryInside),
    ),
)

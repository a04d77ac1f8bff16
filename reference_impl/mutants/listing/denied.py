"""Wrong in what denied patterns cover: which names, how deep, in which root, and by which way to ask."""

import os
import re
from collections.abc import Callable

from ...context import CallContext
from ...paths import Flavour
from ...patterns import DEFAULT_DENIES, first_match
from ...sandbox import Canonical, Place, Sandbox, violation
from ..mutant import Mutant
from .made import wrong
from .sandboxes import boxed


def denying(read: Callable[[str], str]) -> type[Sandbox]:
    """A sandbox that reads other patterns than were written."""

    class Denying(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            super().__init__(context, flavour)
            self._denied = tuple(read(pattern) for pattern in self._denied)

    return Denying


class FirstPatternOnly(Sandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        usual = DEFAULT_DENIES if context.include_default_denies else ()
        self._denied = (*context.denied_patterns[:1], *usual)


class RelativeOnly(Sandbox):
    def place(self, path: str) -> Place:
        if path.startswith("/"):
            self._denied = ()
        return super().place(path)


class FirstRootOnly(Sandbox):
    def _place(self, target: Canonical) -> Place:
        if self._roots[0] not in self._containing(target):
            self._denied = ()
        return super()._place(target)


class JoinedToTheRoot(Sandbox):
    """A pattern is put behind the root as text, and what stands in the root becomes part of it."""

    def _refuse_denied(self, components: tuple[bytes, ...]) -> None:
        for root in self._roots:
            above = os.fsdecode(b"/".join(root.parts))
            patterns = [f"{above}/{pattern}" for pattern in self._denied]
            if first_match(patterns, (*root.parts, *components), self._flavour.folds_case):
                raise violation("the path is covered by a denied pattern")


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-700",
        "A dot in a denied pattern stands for any character.",
        "FR-LD-VAL-07",
        tool=boxed(denying(lambda pattern: pattern.replace(".", "?"))),
    ),
    wrong(
        "MUT-701",
        "A name that goes on behind a denied end is denied.",
        "FR-LD-VAL-07",
        tool=boxed(denying(lambda pattern: pattern if pattern.endswith("**") else f"{pattern}*")),
    ),
    wrong(
        "MUT-702",
        "A name that ends like a denied one begins is denied.",
        "FR-LD-VAL-07",
        tool=boxed(denying(lambda pattern: pattern.replace("**/", "**/*", 1))),
    ),
    wrong(
        "MUT-703",
        "Two asterisks at the end of a denied pattern cover one level.",
        "FR-LD-VAL-07",
        tool=boxed(denying(lambda pattern: re.sub(r"\*\*$", "*", pattern))),
    ),
    wrong(
        "MUT-704",
        "Of the context's denied patterns only the first counts.",
        "FR-LD-VAL-07",
        tool=boxed(FirstPatternOnly),
    ),
    wrong(
        "MUT-705",
        "Denied patterns are not held against absolute paths.",
        "FR-LD-VAL-07",
        tool=boxed(RelativeOnly),
    ),
    wrong(
        "MUT-706",
        "Denied patterns are held against what lies in the first root alone.",
        "FR-LD-VAL-07",
        tool=boxed(FirstRootOnly),
    ),
    wrong(
        "MUT-707",
        "The root is read as a part of each denied pattern.",
        "FR-LD-VAL-07",
        tool=boxed(JoinedToTheRoot),
    ),
)

"""Mutants: errors in what denied patterns match: names, levels, roots, spellings of paths."""

import os
import re
from collections.abc import Callable

from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.denied_patterns import DEFAULT_DENIES, first_match
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath, Place, Sandbox, sandbox_violation

from ..shared.mutant import Mutant
from .builders import build_mutant
from .sandbox import with_sandbox


def with_denied_patterns(read: Callable[[str], str]) -> type[Sandbox]:
    """Return a sandbox with changed patterns."""

    class Denying(Sandbox):
        def __init__(self, context: CallContext, flavour: Flavour) -> None:
            super().__init__(context, flavour)
            self._denied_patterns = tuple(read(pattern) for pattern in self._denied_patterns)

    return Denying


class FirstPatternOnly(Sandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        usual = DEFAULT_DENIES if context.include_default_denies else ()
        self._denied_patterns = (*context.denied_patterns[:1], *usual)


class RelativeOnly(Sandbox):
    def resolve(self, path: str) -> Place:
        if path.startswith("/"):
            self._denied_patterns = ()
        return super().resolve(path)


class FirstRootOnly(Sandbox):
    def _locate(self, target: CanonicalPath) -> Place:
        if self._roots[0] not in self._roots_containing(target):
            self._denied_patterns = ()
        return super()._locate(target)


class JoinedToTheRoot(Sandbox):
    """Appends a pattern to the root's text, so that the root's characters become part of it."""

    def _check_denied_patterns(self, components: tuple[bytes, ...]) -> None:
        for root in self._roots:
            above = os.fsdecode(b"/".join(root.parts))
            patterns = [f"{above}/{pattern}" for pattern in self._denied_patterns]
            if first_match(patterns, (*root.parts, *components), self._flavour.folds_case):
                raise sandbox_violation("the path is covered by a denied pattern")


class NoneWithoutTheUsual(Sandbox):
    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        if not context.include_default_denies:
            self._denied_patterns = ()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-700",
        "A dot in a denied pattern stands for any character.",
        "FR-LD-VAL-07",
        tool=with_sandbox(with_denied_patterns(lambda pattern: pattern.replace(".", "?"))),
    ),
    build_mutant(
        "MUT-701",
        "A denied pattern also matches names with characters added at the end.",
        "FR-LD-VAL-07",
        tool=with_sandbox(with_denied_patterns(lambda pattern: pattern if pattern.endswith("**") else f"{pattern}*")),
    ),
    build_mutant(
        "MUT-702",
        "A denied pattern also matches names with characters added at the start.",
        "FR-LD-VAL-07",
        tool=with_sandbox(with_denied_patterns(lambda pattern: pattern.replace("**/", "**/*", 1))),
    ),
    build_mutant(
        "MUT-703",
        "Two asterisks at the end of a denied pattern match one level only.",
        "FR-LD-VAL-07",
        tool=with_sandbox(with_denied_patterns(lambda pattern: re.sub(r"\*\*$", "*", pattern))),
    ),
    build_mutant(
        "MUT-704",
        "Only the first denied pattern of the context applies.",
        "FR-LD-VAL-07",
        tool=with_sandbox(FirstPatternOnly),
    ),
    build_mutant(
        "MUT-705",
        "Denied patterns do not apply to absolute paths.",
        "FR-LD-VAL-07",
        tool=with_sandbox(RelativeOnly),
    ),
    build_mutant(
        "MUT-706",
        "Denied patterns apply in the first root only.",
        "FR-LD-VAL-07",
        tool=with_sandbox(FirstRootOnly),
    ),
    build_mutant(
        "MUT-707",
        "The characters of the root are part of each denied pattern.",
        "FR-LD-VAL-07",
        tool=with_sandbox(JoinedToTheRoot),
    ),
    build_mutant(
        "MUT-929",
        "Without the default denied patterns, those of the context are ignored too.",
        "FR-LD-VAL-07",
        tool=with_sandbox(NoneWithoutTheUsual),
    ),
)

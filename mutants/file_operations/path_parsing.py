"""Mutants: names interpreted as another program or system would."""

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both


class WithoutCase(LinkSandbox):
    """A place is inside if its path begins with the root's components in any case."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        begins = [part.lower() for part in target.parts]
        return [
            CanonicalPath(root.anchor, target.parts[: len(root.parts)])
            for root in self._roots
            if begins[: len(root.parts)] == [part.lower() for part in root.parts]
        ]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-256",
        "A sibling with the root's name in another case is inside.",
        "FR-VAL-04 NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=WithoutCase),
    ),
)

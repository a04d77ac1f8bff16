"""Mutants: a check comes too late, or not where a file may be overwritten."""

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import Request, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both


class TrustsLinks(LinkSandbox):
    """The text of a path is checked, and not where its links lead."""

    def _roots_containing(self, target: CanonicalPath) -> list[CanonicalPath]:
        return [CanonicalPath(b"/", ())]


class OverwritesAnywhere(LinkSandbox):
    """Checks no links of a destination once `trusts_links` is set."""

    trusts_links = False

    def __init__(self, context: CallContext, flavour: Flavour) -> None:
        super().__init__(context, flavour)
        self._trusting = TrustsLinks(context, flavour)
        self._is_source = True

    def resolve_named(self, path: RequestedPath) -> NamedPlace:
        is_source, self._is_source = self._is_source, False
        return (
            self._trusting.resolve_named(path) if self.trusts_links and not is_source else super().resolve_named(path)
        )


class TrustsOverwriting(Resolution):
    def __init__(self, request: Request, sandbox: LinkSandbox) -> None:
        super().__init__(request, sandbox)
        if isinstance(sandbox, OverwritesAnywhere):
            sandbox.trusts_links = request.overwrite


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-476",
        "Where overwriting is asked for, a destination behind a link may lie outside.",
        "NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=OverwritesAnywhere, resolution=TrustsOverwriting),
    ),
)

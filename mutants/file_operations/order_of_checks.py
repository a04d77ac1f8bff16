"""Mutants: a check comes too late, or not where a file may be overwritten."""

import contextlib
import os
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox, NamedPlace
from treeproof.reference_impl.file_operations.request import Request, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.context import CallContext, PolicyMode
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import CanonicalPath

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both


class ChecksOverwriteLate(Executor):
    """The type of `overwrite` is checked after the sandbox."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if isinstance(arguments, dict) and not isinstance(arguments.get("overwrite", False), bool):
            others = {key: value for key, value in arguments.items() if key != "overwrite"}
            refused = super().execute(name, {**others, "overwrite": True}, context, flavour)
            if refused.kind is ErrorKind.SANDBOX_VIOLATION:
                return refused
        return super().execute(name, arguments, context, flavour)


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


class MakesDirectoriesToAsk(Executor):
    """In mode prompt, a move has the missing directories made before approval is requested."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if name == "move" and context.policy.mode is PolicyMode.PROMPT and result.kind is ErrorKind.EXECUTION_FAILED:
            final = os.path.join(context.working_dir, str(arguments["destination"]))
            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(final))
        return result


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-472",
        "The type of overwrite is checked after the sandbox.",
        "FR-VAL-01",
        executor=ChecksOverwriteLate,
    ),
    build_mutant(
        "MUT-FO-476",
        "Where overwriting is asked for, a destination behind a link may lie outside.",
        "NFR-FOPS-SEC-01",
        tools=tools_with_both(sandbox=OverwritesAnywhere, resolution=TrustsOverwriting),
    ),
    build_mutant(
        "MUT-FO-477",
        "A move makes missing directories before anybody is asked.",
        "NFR-FOPS-SEC-02",
        executor=MakesDirectoriesToAsk,
    ),
)

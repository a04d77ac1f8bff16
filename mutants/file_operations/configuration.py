"""Mutants: the configuration is not read, or read from a table of the tool's name."""

from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_both
from .overwriting import always


class HasTablesByName(Executor):
    """A table of the tool's name takes precedence."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        tools = (context.config or {}).get("tools") or {}
        if name in ("move", "copy") and isinstance(tools.get(name), dict):
            context = replace(context, config={"tools": {"fileops": tools[name]}})
        return super().execute(name, arguments, context, flavour)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-435",
        "The argument alone decides, whatever the configuration.",
        "CFG-FOPS-01",
        tools=tools_with_both(settings=always),
    ),
    build_mutant(
        "MUT-FO-436",
        "A table of the tool's name takes precedence over that of both tools.",
        "CFG-FOPS-01",
        executor=HasTablesByName,
    ),
)

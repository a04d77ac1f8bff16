"""Mutants: the configuration is not read, or read from a table of the tool's name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.candidate import copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.settings import Settings, read_settings
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


Reader = Callable[[Any], Settings]


def flag_in(config: Any, *names: str) -> bool | None:
    """Return the flag in a table of the configuration; None if it is not there."""
    table = config
    for name in names:
        table = table.get(name) if isinstance(table, dict) else None
    flag = table.get("allow_overwrite") if isinstance(table, dict) else None
    return flag if isinstance(flag, bool) else None


def standing_in(tool: str) -> Reader:
    """Return settings for which the table of the tool's name counts where the flag is not written."""

    def read(config: Any) -> Settings:
        own = flag_in(config, "tools", tool)
        return Settings(own) if own and flag_in(config, "tools", "fileops") is None else read_settings(config)

    return read


def below(tool: str) -> Reader:
    """Return settings for which a table of the tool's name below that of both tools takes precedence."""

    def read(config: Any) -> Settings:
        own = flag_in(config, "tools", "fileops", tool)
        return read_settings(config) if own is None else Settings(own)

    return read


def with_a_veto(tool: str) -> Reader:
    """Return settings for which the table of the tool's name can forbid what is allowed."""

    def read(config: Any) -> Settings:
        return Settings(False) if flag_in(config, "tools", tool) is False else read_settings(config)

    return read


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
    build_mutant(
        "MUT-FO-473",
        "Where the flag is not written, that in a table of the tool's name counts.",
        "CFG-FOPS-01",
        tools=file_tools(move_tool(settings=standing_in("move")), copy_tool(settings=standing_in("copy"))),
    ),
    build_mutant(
        "MUT-FO-474",
        "A table of the tool's name below that of both tools takes precedence.",
        "CFG-FOPS-01",
        tools=file_tools(move_tool(settings=below("move")), copy_tool(settings=below("copy"))),
    ),
    build_mutant(
        "MUT-FO-475",
        "A table of the tool's name forbids what is allowed.",
        "CFG-FOPS-01",
        tools=file_tools(move_tool(settings=with_a_veto("move")), copy_tool(settings=with_a_veto("copy"))),
    ),
)

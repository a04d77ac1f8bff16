"""Mutants: `list_directory` differs where it is called by another of its names."""

from dataclasses import replace
from typing import Any

from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant

ALIASES = ("listdir", "ls", "dir")


class FailuresAreEmpty(Executor):
    """By an alias, what cannot be listed is an empty directory."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if name in ALIASES and result.kind is ErrorKind.EXECUTION_FAILED:
            empty = {"path": ".", "include_files": False, "include_dirs": False, "include_symlinks": False}
            return super().execute(name, empty, context, flavour)
        return result


class PathIsOptional(Executor):
    """By an alias, a path that is left out is the working directory."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ALIASES and arguments == {}:
            arguments = {"path": "."}
        return super().execute(name, arguments, context, flavour)


class ListsMoreByAlias(Executor):
    """An alias lists a thousand entries where no limit is given."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ALIASES and context.config is None and isinstance(arguments, dict):
            arguments = {"max_entries": 1000, **arguments}
        return super().execute(name, arguments, context, flavour)


class HasTablesByAlias(Executor):
    """By an alias, the configuration is that of the alias's table."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name in ALIASES:
            tools = (context.config or {}).get("tools") or {}
            table = tools.get(name)
            context = replace(context, config=None if table is None else {"tools": {"list_directory": table}})
        return super().execute(name, arguments, context, flavour)


class RecursesByAlias(Executor):
    """Called as `dir`, a listing is recursive unless that is switched off."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "dir" and isinstance(arguments, dict) and "path" in arguments and "max_depth" not in arguments:
            arguments = {"recursive": True, **arguments}
        return super().execute(name, arguments, context, flavour)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-432",
        "By an alias, what cannot be listed is listed as empty.",
        "FR-FOPS-LS-01",
        executor=FailuresAreEmpty,
    ),
    build_mutant(
        "MUT-FO-433",
        "By an alias, the working directory is listed where the path is left out.",
        "FR-FOPS-LS-01",
        executor=PathIsOptional,
    ),
    build_mutant(
        "MUT-FO-434",
        "An alias of list_directory lists a thousand entries by default.",
        "FR-FOPS-LS-01",
        executor=ListsMoreByAlias,
    ),
    build_mutant(
        "MUT-FO-438",
        "Called by an alias, list_directory reads the table of that name.",
        "FR-FOPS-LS-01",
        executor=HasTablesByAlias,
    ),
    build_mutant(
        "MUT-FO-480",
        "Called as dir, list_directory is recursive.",
        "FR-FOPS-LS-01 T-FOPS-LS-01",
        executor=RecursesByAlias,
    ),
)

"""Mutants: `list_directory` violates its own specification."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from treeproof.reference_impl.file_operations.candidate import file_tools, list_tool
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Plan, Tool, ToolDefinition
from treeproof.reference_impl.shared.executor import Result as CallOutcome
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant

Entries = list[dict[str, Any]]
Change = Callable[[Entries], Entries]


def unchanged(entries: Entries) -> Entries:
    return entries


@dataclass(frozen=True)
class ChangedPlan:
    """A listing whose entries are changed."""

    plan: Plan
    change: Change

    @property
    def summary(self) -> str:
        return self.plan.summary

    def run(self) -> str:
        document = json.loads(self.plan.run())
        document["entries"] = self.change(document["entries"])
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class ChangedListing:
    """`list_directory`, with its arguments or its entries changed."""

    tool: Tool
    change: Change = unchanged
    ignored: tuple[str, ...] = ()

    @property
    def definition(self) -> ToolDefinition:
        return self.tool.definition

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> Plan:
        kept = {key: value for key, value in arguments.items() if key not in self.ignored}
        return ChangedPlan(self.tool.plan(kept, context, flavour), self.change)


def with_listing(change: Change = unchanged, *ignored: str) -> list[Tool]:
    """Return the tools, with another `list_directory`."""
    return file_tools(listing=ChangedListing(list_tool(), change, ignored))


class ListsTheRootInstead(Executor):
    """A listing that fails is the listing of the working directory."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> CallOutcome:
        result = super().execute(name, arguments, context, flavour)
        is_listing = name in ("list_directory", "listdir", "ls", "dir")
        if not is_listing or result.kind not in (
            ErrorKind.BAD_ARGS,
            ErrorKind.EXECUTION_FAILED,
            ErrorKind.SANDBOX_VIOLATION,
        ):
            return result
        return super().execute(name, {"path": "."}, context, flavour)


FILTERS = ("recursive", "max_depth", "include_hidden", "include_files", "include_dirs", "include_symlinks")


class ShowsHidden(Executor):
    """Under the name `ls`, hidden entries are listed unless they are left out on demand."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> CallOutcome:
        if name == "ls" and isinstance(arguments, dict):
            arguments = {"include_hidden": True, **arguments}
        return super().execute(name, arguments, context, flavour)


def in_walk_order(entries: Entries) -> Entries:
    return sorted(entries, key=lambda entry: entry["path"].split("/"))


def whole_seconds(entries: Entries) -> Entries:
    key = "modified_epoch_ms"
    return [{**entry, key: entry[key] and entry[key] // 1000 * 1000} for entry in entries]


def by_utf16_units(entries: Entries) -> Entries:
    return sorted(entries, key=lambda entry: entry["path"].encode("utf-16-be", "surrogatepass"))


class ListsLessByAlias(Executor):
    """An alias of the listing lists a hundred entries at most."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> CallOutcome:
        if name in ("listdir", "ls", "dir") and isinstance(arguments, dict):
            arguments = {"max_entries": 100, **arguments}
        return super().execute(name, arguments, context, flavour)


LISTING = ("list_directory", "listdir", "ls", "dir")


class RecursesAsBuiltIn(Executor):
    """Without `max_depth`, recursion goes four levels deep, whatever is configured."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> CallOutcome:
        if name in LISTING and isinstance(arguments, dict) and arguments.get("recursive") is True:
            tools = (context.config or {}).get("tools")
            table = tools.get("list_directory") if isinstance(tools, dict) else None
            if "max_depth" not in arguments and isinstance(table, dict):
                others = {key: value for key, value in table.items() if key != "max_depth"}
                context = replace(context, config={"tools": {"list_directory": others}})
        return super().execute(name, arguments, context, flavour)


class ListsSpecialFiles(Executor):
    """Pipes and sockets are listed unless they are left out on demand."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> CallOutcome:
        if name in LISTING and isinstance(arguments, dict) and "path" in arguments:
            arguments = {"include_other": True, **arguments}
        return super().execute(name, arguments, context, flavour)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-274",
        "list_directory declares side effects.",
        "FR-FOPS-LS-01",
        tools=file_tools(listing=list_tool(definition=replace(list_tool().definition, is_side_effecting=True))),
    ),
    build_mutant(
        "MUT-FO-275",
        "A listing has no sizes.",
        "FR-FOPS-LS-01",
        tools=with_listing(lambda entries: [{**entry, "size_bytes": None} for entry in entries]),
    ),
    build_mutant(
        "MUT-FO-300",
        "A listing is sorted up to its fiftieth entry.",
        "T-FOPS-LS-01 FR-FOPS-LS-01",
        tools=with_listing(lambda entries: entries[:50] + entries[:49:-1]),
    ),
    build_mutant(
        "MUT-FO-276",
        "A listing ignores its filters.",
        "FR-FOPS-LS-01",
        tools=with_listing(unchanged, *FILTERS),
    ),
    build_mutant(
        "MUT-FO-277",
        "A listing has as many entries as there are.",
        "FR-FOPS-LS-01",
        tools=with_listing(unchanged, "max_entries"),
    ),
    build_mutant(
        "MUT-FO-278",
        "A listing that fails is the listing of the working directory.",
        "FR-FOPS-LS-01",
        executor=ListsTheRootInstead,
    ),
    build_mutant(
        "MUT-FO-348",
        "Under the name `ls`, hidden entries are listed.",
        "FR-FOPS-LS-01",
        executor=ShowsHidden,
    ),
    build_mutant(
        "MUT-FO-349",
        "Entries of a directory follow it at once.",
        "T-FOPS-LS-01 FR-FOPS-LS-01",
        tools=with_listing(in_walk_order),
    ),
    build_mutant(
        "MUT-FO-350",
        "Times of a listing are whole seconds.",
        "FR-FOPS-LS-01",
        tools=with_listing(whole_seconds),
    ),
    build_mutant(
        "MUT-FO-402",
        "By its aliases, a listing has a hundred entries at most.",
        "T-FOPS-LS-01 FR-FOPS-LS-01",
        executor=ListsLessByAlias,
    ),
    build_mutant(
        "MUT-FO-403",
        "Entries are sorted by UTF-16 units.",
        "T-FOPS-LS-01",
        tools=with_listing(by_utf16_units),
    ),
    build_mutant(
        "MUT-FO-452",
        "A listing is sorted by the names of its entries.",
        "T-FOPS-LS-01 FR-FOPS-LS-01",
        tools=with_listing(lambda entries: sorted(entries, key=lambda entry: str(entry["name"]))),
    ),
    build_mutant(
        "MUT-FO-478",
        "A recursive listing goes four levels deep, whatever is configured.",
        "FR-FOPS-LS-01",
        executor=RecursesAsBuiltIn,
    ),
    build_mutant(
        "MUT-FO-479",
        "Pipes and sockets are listed.",
        "FR-FOPS-LS-01",
        executor=ListsSpecialFiles,
    ),
)

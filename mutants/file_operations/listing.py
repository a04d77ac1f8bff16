"""Mutants: `list_directory` violates its own specification."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.candidate import file_tools, list_tool

from ..shared.mutant import Mutant
from .builders import build_mutant

Entries = list[dict[str, Any]]
Change = Callable[[Entries], Entries]


FILTERS = ("recursive", "max_depth", "include_hidden", "include_files", "include_dirs", "include_symlinks")


def whole_seconds(entries: Entries) -> Entries:
    key = "modified_epoch_ms"
    return [{**entry, key: entry[key] and entry[key] // 1000 * 1000} for entry in entries]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-274",
        "list_directory declares side effects.",
        "FR-FOPS-LS-01",
        tools=file_tools(listing=list_tool(definition=replace(list_tool().definition, is_side_effecting=True))),
    ),
)

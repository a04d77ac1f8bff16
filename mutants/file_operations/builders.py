"""Construction of the mutants of `move` and `copy`: the reference's tools with parts of one or both replaced."""

from collections.abc import Sequence
from typing import Unpack

from treeproof.reference_impl.file_operations.candidate import ToolParts, copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.executor import Tool

from ..shared.mutant import CandidateParts, Mutant, mutate_reference


def tools_with_move(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """Return the tools, with parts of `move` replaced."""
    return file_tools(move=move_tool(**parts))


def tools_with_copy(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """Return the tools, with parts of `copy` replaced."""
    return file_tools(copy=copy_tool(**parts_for_copy(parts)))


def tools_with_both(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """Return the tools, with the same parts of both replaced."""
    return file_tools(move_tool(**parts), copy_tool(**parts_for_copy(parts)))


def parts_for_copy(parts: ToolParts) -> ToolParts:
    """Return the parts for `copy`, which follows a link that is its source."""
    resolution = parts.get("resolution")
    return parts if resolution is None else {**parts, "resolution": following_links(resolution)}


def following_links(resolution: type[Resolution]) -> type[Resolution]:
    """Return a subclass of `resolution` that follows a link as the source."""
    return type(f"{resolution.__name__}OfCopy", (resolution,), {"follows_source": True})


def build_mutant(
    id: str,
    summary: str,
    *violates: str,
    tools: Sequence[Tool] | None = None,
    **parts: Unpack[CandidateParts],
) -> Mutant:
    """Return a mutant of the file operations."""
    return mutate_reference(id, summary, violates, tools or file_tools(), **parts)

"""How a wrong file tool is made: the reference's tools with pieces of one of them, or of both, exchanged."""

from collections.abc import Sequence
from typing import Unpack

from treeproof.reference_impl.file_operations.candidate import ToolParts, copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.executor import Executor, Tool

from ..shared.mutant import Mutant, mutate_reference


def tools_with_move(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """`move` with other parts, `copy` as it should be."""
    return file_tools(move=move_tool(**parts))


def tools_with_copy(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """`copy` with other parts, `move` as it should be."""
    return file_tools(copy=copy_tool(**parts_for_copy(parts)))


def tools_with_both(**parts: Unpack[ToolParts]) -> Sequence[Tool]:
    """Both tools with the same other parts."""
    return file_tools(move_tool(**parts), copy_tool(**parts_for_copy(parts)))


def parts_for_copy(parts: ToolParts) -> ToolParts:
    """The parts for `copy`, which follows a link that is its source."""
    resolution = parts.get("resolution")
    return parts if resolution is None else {**parts, "resolution": following_links(resolution)}


def following_links(resolution: type[Resolution]) -> type[Resolution]:
    """The aim of `copy` that is otherwise like another one."""
    return type(f"{resolution.__name__}OfCopy", (resolution,), {"follows_source": True})


def build_mutant(
    number: int,
    summary: str,
    *violates: str,
    tools: Sequence[Tool] | None = None,
    executor: type[Executor] = Executor,
    candidate_class: type[Candidate] = Candidate,
) -> Mutant:
    """The wrong file tools of a number."""
    return mutate_reference(
        f"MUT-FO-{number:03}",
        summary,
        *violates,
        tools=tools or tools_with_move(),
        executor=executor,
        candidate_class=candidate_class,
    )

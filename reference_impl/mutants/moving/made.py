"""How a wrong file tool is made: the reference's tools with pieces of one of them, or of both, exchanged."""

from collections.abc import Sequence
from typing import Any

from ...candidate import Candidate
from ...executor import Executor, Tool
from ...file_operations import copy_tool, move_tool
from ...list_directory import ListDirectory
from ...moving.aim import Aim
from ..mutant import Mutant, wrong


def moving(**parts: Any) -> Sequence[Tool]:
    """`move` with other parts, `copy` as it should be."""
    return [move_tool(**parts), copy_tool(), ListDirectory()]


def copying(**parts: Any) -> Sequence[Tool]:
    """`copy` with other parts, `move` as it should be."""
    return [move_tool(), copy_tool(**of_copy(parts)), ListDirectory()]


def both(**parts: Any) -> Sequence[Tool]:
    """Both tools with the same other parts."""
    return [move_tool(**parts), copy_tool(**of_copy(parts)), ListDirectory()]


def of_copy(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts for `copy`, which follows a link that is its source."""
    aim = parts.get("aim")
    return parts if aim is None else {**parts, "aim": follower(aim)}


def follower(aim: type[Aim]) -> type[Aim]:
    """The aim of `copy` that is otherwise like another one."""
    return type(f"{aim.__name__}OfCopy", (aim,), {"follows_source": True})


def made(
    number: int,
    summary: str,
    *violates: str,
    tools: Sequence[Tool] | None = None,
    executor: type[Executor] = Executor,
    face: type[Candidate] = Candidate,
) -> Mutant:
    """The wrong file tools of a number."""
    return wrong(
        f"MUT-FO-{number:03}", summary, *violates, tools=tools or moving(), executor=executor, face=face
    )
